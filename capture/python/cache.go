package python

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gradtui/gradtui/internal/filelock"
	"github.com/gradtui/gradtui/internal/own"
	"github.com/gradtui/gradtui/internal/scratch"
)

// What this package needs on disk, its Python files and the embedded CPython, is
// unpacked into folders below the user's cache directory. A folder is named after
// its contents and never changed: it is made under another name, with a manifest
// of its files, and renamed when it is complete, so that any number of processes
// may need it at once. A folder that does not agree with its manifest is replaced.
// Where there is no directory that can be written, or others can write to it, a
// private temporary one takes its place until the program has ended.

// unpacked is a folder that is ready for use.
type unpacked struct {
	dir string
	// temporary is what dir lies in if the cache directory was not used, for which why is
	// the reason.
	temporary *scratch.Folder
	why       error
}

// close ends the use of the folder.
func (u *unpacked) close() {
	if u.temporary != nil {
		u.temporary.Remove()
	}
}

// CacheDirectory is where folders are unpacked.
func CacheDirectory() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "gradtui"), nil
}

// TrustedCache is the cache directory, which exists, if only this user, or root, can change
// what is in it: programs run what they find there.
func TrustedCache() (string, error) {
	dir, err := CacheDirectory()
	if err != nil {
		return "", err
	}
	return dir, ownFolder(dir)
}

// ownFolder makes a folder unless it exists, and checks that others cannot change it.
func ownFolder(dir string) error {
	if err := own.Place(dir); err != nil {
		return err // nothing is made in the folders of others
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return own.Folder(dir)
}

// unpack gives the folder of a name, which fill makes if it is missing or damaged.
func unpack(name string, fill func(dir string) error) (*unpacked, error) {
	base, err := TrustedCache()
	if err == nil {
		dir := filepath.Join(base, name)
		if intact(dir) {
			return &unpacked{dir: dir}, nil
		}
		if err = unpackCached(base, name, fill); err == nil {
			return &unpacked{dir: dir}, nil
		}
	}
	u, failed := unpackTemporarily(name, fill)
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	u.why = err
	return u, nil
}

func unpackCached(base, name string, fill func(dir string) error) error {
	staging, err := os.MkdirTemp(base, stagingPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(staging)
	removeAbandoned(base)
	made := filepath.Join(staging, name)
	if err := build(made, fill); err != nil {
		return err
	}
	return install(made, filepath.Join(base, name), staging)
}

// install gives a complete folder its name, unless another process has done it.
// A damaged folder of that name is moved out of the way.
func install(made, dir, staging string) error {
	// Where files cannot be locked, two processes that replace a damaged folder at once may
	// both have to try again.
	if f, err := os.OpenFile(dir+".lock", os.O_RDWR|os.O_CREATE, 0o600); err == nil {
		defer f.Close()
		filelock.Wait(f)
	}
	if intact(dir) {
		return nil
	}
	if err := os.Rename(dir, filepath.Join(staging, "damaged")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(made, dir)
}

func unpackTemporarily(name string, fill func(dir string) error) (*unpacked, error) {
	folder, err := scratch.Make("what Python programs need", nil)
	if err != nil {
		return nil, err
	}
	u := &unpacked{dir: filepath.Join(folder.Path, name), temporary: folder}
	if err := build(u.dir, fill); err != nil {
		u.close()
		return nil, err
	}
	return u, nil
}

func build(dir string, fill func(dir string) error) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := fill(dir); err != nil {
		return err
	}
	return writeManifest(dir)
}

// stagingPrefix begins the names of folders that are being made.
const stagingPrefix = "new-"

// removeAbandoned removes what was left by a process that was killed while it
// unpacked.
func removeAbandoned(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), stagingPrefix) && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(filepath.Join(base, e.Name()))
		}
	}
}
