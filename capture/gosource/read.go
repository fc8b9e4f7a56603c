package gosource

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxSource bounds the size of a source file that is read for names.
const maxSource = 4 << 20

// ReadFile reads a source file that a tape names. The tape is not trusted: only
// regular files of a moderate size are read, and only by their full path; a
// relative one, as in a program built with -trimpath, could mean another file.
func ReadFile(path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("reading %s: it is no absolute path", path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil, fmt.Errorf("reading %s: it is no file of at most %d bytes", path, maxSource)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSource))
}
