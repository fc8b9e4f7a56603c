package gosource

import (
	"fmt"
	"path/filepath"

	"github.com/gradtui/gradtui/internal/regular"
)

// maxSource bounds the size of a source file that is read for names.
const maxSource = 4 << 20

// ReadFile reads a source file that a program names which runs: a regular one of a moderate
// size, and only by its full path; a relative one, as in a program built with -trimpath,
// could mean another file.
func ReadFile(path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("reading %s: not an absolute path", path)
	}
	return regular.Read(path, maxSource)
}
