// Package scratch makes private folders for what two processes share, for sockets, and for
// what is not worth keeping. A folder goes away when it is removed. Its maker holds a lock on
// it, so the next process that makes one removes what killed processes have left.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/internal/filelock"
	"github.com/gradtui/gradtui/internal/own"
)

// A Folder is one that only this user can enter.
type Folder struct {
	Path string
	lock *os.File // the folder itself
	gone sync.Once
}

// prefix begins the names of all folders in shared places.
const prefix = "gradtui."

// Make makes a folder and lets fill put into it what belongs there; what says in an error
// what it is for. The folder is in $TMPDIR, or where that cannot be, or fill fails there,
// in $XDG_RUNTIME_DIR, /tmp, or the user's cache: TMPDIR may be full, or too long for the
// path of a socket.
func Make(what string, fill func(dir string) error) (*Folder, error) {
	var failed []error
	for _, place := range places() {
		f, err := attempt(place, fill)
		if err == nil {
			return f, nil
		}
		failed = append(failed, err)
	}
	return nil, fmt.Errorf("no folder can be made for %s: %w; set TMPDIR to a short path of a folder of yours with free space", what, joined(failed))
}

// joined is all errors in one line.
func joined(all []error) error {
	err := all[0]
	for _, next := range all[1:] {
		err = fmt.Errorf("%w; %w", err, next)
	}
	return err
}

// A place is where folders may be made.
type place struct {
	dir string
	own bool // it is gradtui's, and need not exist
}

// places are all of them, the preferred first.
func places() []place {
	all := []place{{dir: os.TempDir()}}
	add := func(p place) {
		if filepath.IsAbs(p.dir) && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	add(place{dir: os.Getenv("XDG_RUNTIME_DIR")})
	add(place{dir: shared})
	if dir, err := os.UserCacheDir(); err == nil {
		add(place{filepath.Join(dir, "gradtui"), true})
	}
	return all
}

// attempt makes a folder in one place.
func attempt(p place, fill func(dir string) error) (*Folder, error) {
	dir, err := filepath.Abs(p.dir) // a program may change its working directory
	if err != nil {
		return nil, err
	}
	if err := own.Place(dir); err != nil {
		return nil, err
	}
	if p.own {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return In(dir, prefix, fill)
}

// In makes a folder in another one, which only this user can write to or where the names of
// others are safe. Its name begins with a prefix, which no other folders there have.
func In(parent, prefix string, fill func(dir string) error) (*Folder, error) {
	sweepOnce(parent, prefix)
	f, err := locked(parent, prefix)
	if err != nil {
		return nil, err
	}
	if fill != nil {
		if err := fill(f.Path); err != nil {
			f.Remove()
			return nil, err
		}
	}
	return f, nil
}

// locked makes a folder that this process has locked. Another one that sweeps may see it
// before it is locked, and take it for left behind.
func locked(parent, prefix string) (*Folder, error) {
	for {
		path, err := os.MkdirTemp(parent, prefix) // made with mode 0700
		if err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			os.Remove(path)
			return nil, err
		}
		if errors.Is(filelock.Try(f), filelock.ErrHeld) || !filelock.Same(f, path) {
			f.Close()
			continue
		}
		return &Folder{Path: path, lock: f}, nil
	}
}

// Remove removes the folder and what is in it. It may be called more than once.
func (f *Folder) Remove() {
	f.gone.Do(func() {
		f.lock.Close() // some systems remove nothing that is open
		os.RemoveAll(f.Path)
	})
}

// Bounds on what one process does for those that were killed.
const (
	mostNames   = 1 << 14 // that are looked at in a folder
	mostRemoved = 64
)

var swept sync.Map

// sweepOnce removes what killed processes have left in a folder, if this process has not
// done so.
func sweepOnce(parent, prefix string) {
	if _, done := swept.LoadOrStore([2]string{parent, prefix}, true); !done {
		sweep(parent, prefix)
	}
}

func sweep(parent, prefix string) {
	dir, err := os.Open(parent)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostNames)
	removed := 0
	for _, name := range names {
		if strings.HasPrefix(name, prefix) && removed < mostRemoved && removeDead(filepath.Join(parent, name)) {
			removed++
		}
	}
}

// removeDead removes a folder of this user that no living process has locked.
func removeDead(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.IsDir() || !own.Mine(info) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if filelock.Try(f) != nil || !filelock.Same(f, path) {
		return false
	}
	return os.RemoveAll(path) == nil
}
