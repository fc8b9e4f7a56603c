package python

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gradtui/gradtui/python"
)

// FilesVariable names a folder that is used instead of the embedded Python files,
// for work on them.
const FilesVariable = "GRADTUI_PYTHON_FILES"

// bootFolder, in the folder of our Python files, is what a program's interpreter finds first.
const bootFolder = "boot"

// unpackOurs gives the folder of our Python files, compiled for an interpreter.
func unpackOurs(ctx context.Context, p *Interpreter) (*unpacked, error) {
	if dir := os.Getenv(FilesVariable); dir != "" {
		dir, err := filepath.Abs(dir)
		if err == nil && !isFile(filepath.Join(dir, bootFolder, "sitecustomize.py")) {
			err = errors.New("there is no boot/sitecustomize.py in it")
		}
		if err != nil {
			return nil, fmt.Errorf("%s=%s: %w", FilesVariable, os.Getenv(FilesVariable), err)
		}
		return &unpacked{dir: dir}, nil
	}
	return unpackFiles(ctx, python.Files, p)
}

func unpackFiles(ctx context.Context, files fs.FS, p *Interpreter) (*unpacked, error) {
	name, err := contentsName(files, p)
	if err != nil {
		return nil, err
	}
	return unpack(name, func(dir string) error {
		if err := writeFiles(files, dir); err != nil {
			return fmt.Errorf("unpacking our torch package: %w", err)
		}
		return compile(ctx, p, dir)
	})
}

// contentsName is a name for the files' contents in the form for an interpreter.
func contentsName(files fs.FS, p *Interpreter) (string, error) {
	h := sha256.New()
	err := eachFile(files, func(path string, data []byte) error {
		fmt.Fprintf(h, "%s %d\n", path, len(data))
		h.Write(data)
		return nil
	})
	return "files-" + hex.EncodeToString(h.Sum(nil))[:16] + "-" + p.Bytecode, err
}

// eachFile visits the source files in the order of their names.
func eachFile(files fs.FS, visit func(path string, data []byte) error) error {
	return fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		return visit(path, data)
	})
}

func writeFiles(files fs.FS, dir string) error {
	return eachFile(files, func(path string, data []byte) error {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o600)
	})
}

// compileSource makes the compiled files. They need not be compared with their
// sources when they are loaded, because the folder never changes.
const compileSource = `import compileall, py_compile, sys
compileall.compile_dir(sys.argv[1], quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)`

// compile lets an interpreter compile all files of a folder.
func compile(ctx context.Context, p *Interpreter, dir string) error {
	cmd := exec.CommandContext(ctx, p.command(), "-I", "-S", "-c", compileSource, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling our torch package with %s: %w", p.command(), failure(err, strings.TrimSpace(string(out))))
	}
	return nil
}
