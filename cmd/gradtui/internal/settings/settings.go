// Package settings reads the user's configuration of the debugger. What the names in it mean, package ui
// decides, and reports with [File.Wrong].
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/internal/own"
	"github.com/gradtui/gradtui/internal/regular"
)

// A File is a configuration. The zero File has the defaults.
type File struct {
	Path    string            // "": there is none
	Theme   string            // "": auto
	Colours map[string]string // by the names of styles
	Keys    map[string][]string
	NoMouse bool
	// NoSession says that nothing is kept for the next time.
	NoSession bool
	// Rerun says that a program is run again when one of its files was saved.
	Rerun bool

	text string
}

// content is how a configuration is written.
type content struct {
	Theme   string         `toml:"theme"`
	Mouse   *bool          `toml:"mouse"`
	Session *bool          `toml:"session"`
	Rerun   bool           `toml:"rerun"`
	Colours map[string]any `toml:"colours"`
	Keys    map[string]any `toml:"keys"`
}

const maxFile = 1 << 20

// Default returns where the user's configuration is.
func Default() (string, error) {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gradtui", "config.toml"), nil
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "gradtui", "config.toml"), err
	}
	home, err := os.UserHomeDir() // on macOS, too: command-line programs are looked for there
	return filepath.Join(home, ".config", "gradtui", "config.toml"), err
}

// Find reads the user's configuration; without a file it is the zero File. The file has what is right
// even if there are errors, which name it and the line.
func Find() (*File, []error) {
	path, err := Default()
	if err != nil {
		return &File{}, nil // there is no place for one
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{}, nil
	}
	if err == nil {
		if info.Mode()&fs.ModeSymlink != 0 { // into a repository of settings, often
			info, err = os.Stat(path)
		}
		if err == nil {
			err = own.Unshared(path, info)
		}
	}
	if err != nil {
		return &File{}, []error{fmt.Errorf("the configuration is not read: %w", err)}
	}
	return Read(path)
}

// Read reads a configuration.
func Read(path string) (*File, []error) {
	f := &File{Path: path}
	text, err := regular.Read(path, maxFile)
	if err != nil {
		var access *fs.PathError
		if errors.As(err, &access) {
			err = access.Err
		}
		return f, []error{fmt.Errorf("cannot read %s: %w", path, err)}
	}
	f.text = string(text)
	var c content
	meta, err := toml.Decode(f.text, &c)
	if err != nil {
		return f, []error{policy.SyntaxError(path, err)}
	}
	var wrong []error
	for _, key := range meta.Undecoded() {
		wrong = append(wrong, f.Wrong(errors.New("unknown key; the keys are theme, colours, keys, mouse, session, rerun"), key...))
	}
	f.Theme, f.NoMouse, f.NoSession, f.Rerun = c.Theme, c.Mouse != nil && !*c.Mouse, c.Session != nil && !*c.Session, c.Rerun
	f.Colours, f.Keys = map[string]string{}, map[string][]string{}
	for name, v := range c.Colours {
		if s, ok := v.(string); ok {
			f.Colours[name] = s
		} else {
			wrong = append(wrong, f.Wrong(errors.New("a colour is a text, for example \"#7cc4ff\""), "colours", name))
		}
	}
	for name, v := range c.Keys {
		keys, ok := texts(v)
		if !ok {
			wrong = append(wrong, f.Wrong(errors.New("keys are a text or a list of texts, for example [\"ctrl+n\", \"J\"]"), "keys", name))
			continue
		}
		f.Keys[name] = keys
	}
	return f, wrong
}

// texts reads a text or a list of texts.
func texts(v any) (list []string, ok bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case []any:
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}

// Wrong returns an error with the file, the line and the key.
func (f *File) Wrong(err error, key ...string) error {
	return fmt.Errorf("%s:%d: %s: %w", f.Path, policy.LineOf(f.text, key), strings.Join(key, "."), err)
}
