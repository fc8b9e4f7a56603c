//go:build embedpython

package python

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	embed "github.com/kluctl/go-embed-python/python"
)

// embeddedVersion is the version of the module that provides CPython: the version of
// Python, the date of its build, a counter.
const embeddedVersion = "3.14.6-20260610-1"

// unpackPython unpacks the embedded CPython, if that has not been done, and asks
// it what it is. One that does not run is unpacked again.
func unpackPython(ctx context.Context) (path string, p *Interpreter, closed func(), err error) {
	name := "python-" + embeddedVersion + "-" + runtime.GOOS + "-" + runtime.GOARCH
	for range 2 {
		var u *unpacked
		if u, err = unpack(name, extractPython); err != nil {
			return "", nil, func() {}, err
		}
		path = filepath.Join(u.dir, pythonProgram)
		if p, err = probe(ctx, path); err == nil || ctx.Err() != nil || u.temporary != nil {
			return path, p, u.close, err
		}
		os.RemoveAll(u.dir)
	}
	return path, p, func() {}, err
}

// pythonProgram is the interpreter in the unpacked folder.
var pythonProgram = map[bool]string{true: "python.exe", false: "bin/python3"}[runtime.GOOS == "windows"]

// extractPython writes the embedded CPython into an empty folder. Its own caching
// is not used: it keeps files of the right size whatever they hold.
func extractPython(dir string) error {
	if _, err := embed.NewEmbeddedPythonWithTmpDir(dir, false); err != nil {
		return fmt.Errorf("unpacking CPython %s: %w", embeddedVersion, err)
	}
	os.Remove(dir + ".lock")
	// It writes a file for each name of the interpreter.
	program := filepath.Join(dir, pythonProgram)
	for _, other := range []string{"python", "python3.14"} {
		twin := filepath.Join(dir, "bin", other)
		if isFile(twin) && os.Remove(twin) == nil {
			if err := os.Link(program, twin); err != nil {
				return fmt.Errorf("unpacking CPython %s: %w", embeddedVersion, err)
			}
		}
	}
	return nil
}

// discard removes a folder that turned out to be of no use.
func (u *unpacked) discard() {
	if u.temporary == nil {
		os.RemoveAll(u.dir)
	}
	u.close()
}
