// Package session keeps what a user has set in the debugger for a program, so that it is there the next
// time: breakpoints, bookmarks, folds, the layout, the lines that were typed. Begin with [For].
//
// A session is a JSON file in the user's state folder, which only they can read and write. What it
// says is not trusted: its size and its lists are bounded, and a file that is damaged or that another user
// could have written is left alone.
package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"unicode/utf8"

	"github.com/gradtui/gradtui/internal/own"
	"github.com/gradtui/gradtui/internal/regular"
	"github.com/gradtui/gradtui/internal/replace"
)

// A Session is what was set in the debugger. The zero Session is a new one.
type Session struct {
	Version     int             `json:"version"`
	Program     string          `json:"program"` // what it belongs to, for a reader of the file
	Breakpoints []Breakpoint    `json:"breakpoints,omitempty"`
	Watches     []string        `json:"watches,omitempty"`
	Bookmarks   []Bookmark      `json:"bookmarks,omitempty"`
	Folds       map[string]bool `json:"folds,omitempty"` // of groups of nodes, by their names
	Focus       string          `json:"focus,omitempty"` // the name of a pane
	Zoomed      bool            `json:"zoomed,omitempty"`
	Sizes       *Sizes          `json:"sizes,omitempty"` // of panes; nil: the usual ones
	Commands    []string        `json:"commands,omitempty"`
	Searches    []string        `json:"searches,omitempty"`
}

// Sizes are the sizes of panes that the user has set, in thousandths.
type Sizes struct {
	Heights map[string]int `json:"heights,omitempty"` // of the pane's column, by the names of panes
	Two     []int          `json:"two,omitempty"`     // where the rule between two columns is
	Three   []int          `json:"three,omitempty"`   // where the rules between three columns are
}

// check reports what is wrong with sizes that were read.
func (s *Sizes) check() error {
	if s == nil {
		return nil
	}
	all := slices.AppendSeq(slices.Concat(s.Two, s.Three), maps.Values(s.Heights))
	if len(all) > Most || slices.ContainsFunc(all, func(n int) bool { return n < 0 || n >= 1000 }) {
		return errors.New("a size in it is not one")
	}
	return nil
}

// A Breakpoint is a query, and how often it is passed before it stops the program.
type Breakpoint struct {
	Query string `json:"query"`
	Skip  int    `json:"skip,omitempty"`
}

// A Bookmark is a place that the user has marked.
type Bookmark struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text"` // what was there
	Place
}

// A Place is a position on a tape, by what another run of the program has as well.
type Place struct {
	Event     int    `json:"event"`               // how many events lie before it
	Kind      string `json:"kind,omitempty"`      // of the last of them
	Iteration int    `json:"iteration,omitempty"` // 0: before the first one
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
}

const (
	version  = 1
	maxBytes = 1 << 20
	// Most bounds each list of a session, and MostText each of its texts, in bytes.
	Most     = 200
	MostText = 4096
	mostFold = 20000
)

// check reports what is wrong with a session that was read.
func (s *Session) check() error {
	if s.Version != version {
		return fmt.Errorf("it has version %d, this gradtui knows version %d", s.Version, version)
	}
	lists := []int{len(s.Breakpoints), len(s.Watches), len(s.Bookmarks), len(s.Commands), len(s.Searches)}
	if slices.Max(lists) > Most || len(s.Folds) > mostFold {
		return errors.New("it is too long")
	}
	texts := slices.Concat(s.Watches, s.Commands, s.Searches, []string{s.Focus})
	for _, b := range s.Breakpoints {
		if b.Skip < 0 {
			return errors.New("a breakpoint is skipped a negative number of times")
		}
		texts = append(texts, b.Query)
	}
	for _, b := range s.Bookmarks {
		if b.Event < 0 || b.Iteration < 0 || b.Line < 0 {
			return errors.New("a bookmark has a negative number")
		}
		texts = append(texts, b.Name, b.Text, b.Kind, b.File)
	}
	if slices.ContainsFunc(texts, func(t string) bool { return len(t) > MostText || !utf8.ValidString(t) }) {
		return errors.New("a text in it is too long")
	}
	return s.Sizes.check()
}

// bound drops what is too much to be read again.
func (s *Session) bound() {
	s.Version = version
	last := func(list []string) []string {
		list = slices.DeleteFunc(slices.Clone(list), func(t string) bool { return len(t) > MostText || !utf8.ValidString(t) })
		return list[max(len(list)-Most, 0):]
	}
	s.Commands, s.Searches, s.Watches = last(s.Commands), last(s.Searches), last(s.Watches)
	s.Breakpoints = s.Breakpoints[:min(len(s.Breakpoints), Most)]
	s.Bookmarks = s.Bookmarks[max(len(s.Bookmarks)-Most, 0):]
	if len(s.Folds) > mostFold {
		s.Folds = nil
	}
}

// A File is where the session of a program is kept.
type File struct{ path, program string }

// For returns the file for a program, or a tape, by the path and whatever else tells it from others.
func For(program string) (*File, error) {
	dir, err := folder()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(program))
	return &File{filepath.Join(dir, hex.EncodeToString(sum[:16])+".json"), program}, nil
}

// folder is where sessions are kept.
func folder() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gradtui", "sessions"), nil
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		dir, err := os.UserConfigDir() // which is where these systems keep state as well
		return filepath.Join(dir, "gradtui", "sessions"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "gradtui", "sessions"), err
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Load reads the session; a new one if there is none yet. An error says why there is nothing to be had
// from the file.
func (f *File) Load() (*Session, error) {
	s := &Session{Program: f.program}
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = errors.Join(own.Folder(filepath.Dir(f.path)), own.Unshared(f.path, info))
	}
	if err == nil && !own.Mine(info) {
		err = fmt.Errorf("%s belongs to another user", f.path)
	}
	if err != nil {
		return s, fmt.Errorf("the saved session is ignored: %w", err)
	}
	text, err := regular.Read(f.path, maxBytes)
	read := Session{}
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err == nil {
		err = read.check()
	}
	if err == nil && read.Program != f.program {
		err = errors.New("it belongs to " + read.Program)
	}
	if err != nil {
		return s, fmt.Errorf("the saved session is ignored: %s: %w", f.path, err)
	}
	return &read, nil
}

// Save writes a session.
func (f *File) Save(s Session) error {
	s.Program = f.program
	s.bound()
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if len(text) > maxBytes {
		return errors.New("the session is too large to be saved")
	}
	dir := filepath.Dir(f.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("saving the session: %w", err)
	}
	if err := own.Folder(dir); err != nil {
		return fmt.Errorf("the session is not saved: %w", err)
	}
	part, err := replace.Create(f.path+".part", 0o600)
	if err != nil {
		return fmt.Errorf("saving the session: %w", err)
	}
	if _, err = part.Write(append(text, '\n')); err != nil {
		part.Close()
		os.Remove(part.Name())
	} else if err = replace.Finish(part, f.path); err != nil {
		os.Remove(part.Name())
	}
	if err != nil {
		return fmt.Errorf("saving the session: %w", err)
	}
	return nil
}

// Remove removes the file.
func (f *File) Remove() error {
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
