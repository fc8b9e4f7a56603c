// Package replace writes files that take the place of others only when they are complete. Until
// then such a file has another name beside, its part.
package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gradtui/gradtui/internal/filelock"
)

// Create makes and locks a part, where a process that was killed may have left one. The error
// names the part and says if a living process writes it.
func Create(part string, mode fs.FileMode) (*os.File, error) {
	for {
		f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			if err = removeAbandoned(part); err == nil {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		if errors.Is(filelock.Try(f), filelock.ErrHeld) || !filelock.Same(f, part) {
			f.Close() // another process took it for abandoned
			continue
		}
		return f, nil
	}
}

// removeAbandoned removes a part that no living process has locked.
func removeAbandoned(part string) error {
	info, err := os.Lstat(part)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is in the way: remove it", part)
	}
	f, err := os.OpenFile(part, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	switch {
	case errors.Is(filelock.Try(f), filelock.ErrHeld):
		return fmt.Errorf("another gradtui is writing %s: wait for it, or name another file", part)
	case !filelock.Same(f, part):
		return nil // another process has removed it
	}
	return os.Remove(part)
}

// Finish closes a part that is complete and gives it the name of the file that it replaces.
// After an error it still has its own.
func Finish(part *os.File, path string) error {
	if err := part.Sync(); err != nil {
		part.Close()
		return err
	}
	renamed := os.Rename(part.Name(), path)
	if err := part.Close(); err != nil {
		return err
	}
	if renamed != nil { // some systems rename nothing that is open
		return os.Rename(part.Name(), path)
	}
	return nil
}
