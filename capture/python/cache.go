package python

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What this package needs on disk, its Python files and the embedded CPython, is
// unpacked into folders below the user's cache directory. A folder is named after
// its contents and never changed: it is made under another name, with a manifest
// of its files, and renamed when it is complete, so that any number of processes
// may need it at once. A folder that does not agree with its manifest is replaced.
// Where there is no directory that can be written, a private temporary one takes
// its place until the program has ended.

// unpacked is a folder that is ready for use.
type unpacked struct {
	dir       string
	temporary bool
	// why says why the cache directory was not used, if it was not.
	why error
}

// close ends the use of the folder.
func (u *unpacked) close() {
	if u.temporary {
		os.RemoveAll(filepath.Dir(u.dir))
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

// cached finds a folder that was unpacked before and is intact.
func cached(name string) (*unpacked, bool) {
	base, err := CacheDirectory()
	if err != nil {
		return nil, false
	}
	dir := filepath.Join(base, name)
	return &unpacked{dir: dir}, intact(dir)
}

// unpack gives the folder of a name, which fill makes if it is missing or damaged.
func unpack(name string, fill func(dir string) error) (*unpacked, error) {
	if u, ok := cached(name); ok {
		return u, nil
	}
	dir, err := unpackCached(name, fill)
	if err == nil {
		return &unpacked{dir: dir}, nil
	}
	u, failed := unpackTemporarily(name, fill)
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	u.why = err
	return u, nil
}

func unpackCached(name string, fill func(dir string) error) (dir string, err error) {
	base, err := CacheDirectory()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", err
	}
	staging, err := os.MkdirTemp(base, stagingPrefix)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(staging)
	removeAbandoned(base)
	made := filepath.Join(staging, name)
	if err := build(made, fill); err != nil {
		return "", err
	}
	dir = filepath.Join(base, name)
	return dir, install(made, dir, staging)
}

// install gives a complete folder its name, unless another process has done it.
// A damaged folder of that name is moved out of the way.
func install(made, dir, staging string) error {
	unlock := lock(dir + ".lock")
	defer unlock()
	if intact(dir) {
		return nil
	}
	if err := os.Rename(dir, filepath.Join(staging, "damaged")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(made, dir)
}

func unpackTemporarily(name string, fill func(dir string) error) (*unpacked, error) {
	parent, err := os.MkdirTemp("", "gradtui-")
	if err != nil {
		return nil, err
	}
	u := &unpacked{dir: filepath.Join(parent, name), temporary: true}
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
