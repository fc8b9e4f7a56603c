// Package own says whether files and folders can be trusted: only this user and root can put
// something there. Code, sockets and settings are only taken
// from such places.
//
// A group may write if it is the user's private one, with the same number, as many systems
// have it. Where files have no numeric owner and no mode, a user's folders are private by
// their place, and everything is trusted.
package own

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder checks that a folder is not a link, that only this user and root can write to it, and its
// parents are a [Place].
func Folder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", path)
	}
	if err := Unshared(path, info); err != nil {
		return err
	}
	return Place(filepath.Dir(path))
}

// Unshared checks a file or a folder, whose parents count for nothing: it belongs to this
// user or to root, and others cannot write to it.
func Unshared(path string, info fs.FileInfo) error {
	return check(path, info, false)
}

// Place checks a folder that may be shared, such as /tmp: a file of this user that is in it
// stays what it is. So the folder and all above it belong to this user or root,
// and where others can write to one they cannot rename what is not theirs. Folders that
// do not exist are left out.
func Place(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := places(path); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == path {
		return nil // the parents of what does not exist were checked
	}
	return places(real)
}

func places(path string) error {
	for {
		parent := filepath.Dir(path)
		if parent == path {
			return nil // who owns the root owns everything
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		default:
			if err := check(path, info, true); err != nil {
				return err
			}
		}
		path = parent
	}
}
