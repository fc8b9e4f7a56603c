// Package boot decides in which surroundings go-graphviz starts.
//
// go-graphviz prepares a WebAssembly module in a package initializer, so every
// program that links it in does so before its main function, whether it will
// draw anything or not. Two things are wrong with how it does that:
//
//   - It keeps machine code in $TMPDIR/go-graphviz, a fixed name in a shared
//     directory. When that belongs to another user the initializer panics, and
//     whoever may write there decides what code runs.
//   - It takes 25 ms and 15 MB from a filled cache, and 0.7 s from an empty one.
//
// The packages wasmtmp and dormant, whose initializers run earlier, call this
// package to do something about the first and the second.
//
// # Order of initialization
//
// The language says it: packages are sorted by import path, and in each step
// the first one whose imports are all initialized is next. go-graphviz needs
// wazero (github.com/tetratelabs/wazero), which sorts after
// github.com/gradtui/gradtui. A package of this module that imports nothing
// but what wazero imports too is therefore ready before wazero is, sorts first,
// and goes first. Package boot and its two callers must keep to such imports, and to
// packages of this module that do so as well; a test compares the lists.
package boot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gradtui/gradtui/internal/own"
	"github.com/gradtui/gradtui/internal/scratch"
)

// Role is the environment variable that makes a program draw one graph and
// exit. See IsChild and FreshCache for its values.
const Role = "GRADTUI_GRAPHVIZ_ROLE"

const (
	// Child is the value of Role in a process that has a graph to draw.
	Child = "child"
	// ChildFresh is the same with a new, empty cache: for when the usual one
	// is broken.
	ChildFresh = "child-fresh-cache"
)

// IsChild reports whether this process exists to draw a graph.
func IsChild() bool {
	r := os.Getenv(Role)
	return r == Child || r == ChildFresh
}

// dormant is set when go-graphviz will not compile anything in this process.
var dormant bool

// Sleep notes that go-graphviz has been put to sleep in this process.
func Sleep() { dormant = true }

// tempVars are the variables that os.TempDir reads.
func tempVars() []string {
	if runtime.GOOS == "windows" {
		return []string{"TMP", "TEMP"}
	}
	return []string{"TMPDIR"}
}

// leave undoes what EnterCache did.
var leave = func() {}

// EnterCache points the variables that os.TempDir reads to a directory that
// only this user can enter. LeaveCache must follow once go-graphviz is up.
func EnterCache() {
	dir, temporary := cacheDir()
	type variable struct {
		name, value string
		set         bool
	}
	var saved []variable
	for _, name := range tempVars() {
		value, set := os.LookupEnv(name)
		saved = append(saved, variable{name, value, set})
		os.Setenv(name, dir)
	}
	leave = func() {
		for _, v := range saved {
			if v.set {
				os.Setenv(v.name, v.value)
			} else {
				os.Unsetenv(v.name)
			}
		}
		if temporary != nil {
			temporary.Remove()
		}
	}
}

// LeaveCache restores the variables and removes the directory if it was made
// for this process alone.
func LeaveCache() {
	leave()
	leave = func() {}
}

// nowhere is a path at which no directory can be made: a place for caches that
// must not exist.
func nowhere() string { return filepath.Join(os.DevNull, "gradtui") }

// cacheDir returns where go-graphviz is to keep its machine code, and what is to be
// removed afterwards, if anything is.
func cacheDir() (dir string, temporary *scratch.Folder) {
	if dormant {
		return nowhere(), nil
	}
	if os.Getenv(Role) == ChildFresh {
		if dir, err := userCache(); err == nil {
			os.RemoveAll(filepath.Join(dir, "go-graphviz"))
		}
	} else if dir, err := userCache(); err == nil {
		return dir, nil
	}
	temporary, err := scratch.Make("Graphviz", nil)
	if err != nil {
		return nowhere(), nil
	}
	return temporary.Path, temporary
}

// userCache returns a directory below the user's cache directory after making
// sure that it is the user's own and closed to others.
func userCache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "gradtui", "graphviz")
	if err := own.Place(dir); err != nil {
		return "", err // nothing is made in the folders of others
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := own.Folder(dir); err != nil {
		return "", err
	}
	return dir, writable(dir)
}

// writable reports, by an error, whether files can be made in dir: it may lie
// in a file system that is read-only or full.
func writable(dir string) error {
	cache := filepath.Join(dir, "go-graphviz")
	err := os.Mkdir(cache, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return own.Folder(cache)
	}
	return err
}
