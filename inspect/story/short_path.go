package story

import (
	"os"
	"path/filepath"
	"sync"
)

// shortPath returns a file relative to the working directory if it is below that, and otherwise
// with its directory, which distinguishes the many files named main.go.
func shortPath(path string) string {
	if here := workingDirectory(); here != "" {
		if below, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(below) {
			return below
		}
	}
	dir, file := filepath.Split(path)
	return filepath.Join(filepath.Base(dir), file)
}

var workingDirectory = sync.OnceValue(func() string {
	dir, _ := os.Getwd()
	return dir
})
