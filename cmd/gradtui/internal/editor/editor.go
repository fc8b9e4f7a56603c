// Package editor opens a line of a file in the user's editor.
package editor

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gradtui/gradtui/internal/regular"
)

// Ways to name a line.
var (
	plusLine = func(file string, line int) []string { return []string{fmt.Sprintf("+%d", line), file} }
	colon    = func(file string, line int) []string { return []string{fmt.Sprintf("%s:%d", file, line)} }
	goTo     = func(file string, line int) []string { return []string{"-g", fmt.Sprintf("%s:%d", file, line)} }
	option   = func(file string, line int) []string { return []string{"--line", fmt.Sprint(line), file} }
	short    = func(file string, line int) []string { return []string{"-l", fmt.Sprint(line), file} }
)

// editors says how each editor takes a line, by the name of its command.
var editors = map[string]func(file string, line int) []string{
	"vi": plusLine, "vim": plusLine, "nvim": plusLine, "gvim": plusLine, "mvim": plusLine, "view": plusLine,
	"nano": plusLine, "micro": plusLine, "emacs": plusLine, "emacsclient": plusLine, "kak": plusLine, "joe": plusLine,
	"jed": plusLine, "ne": plusLine, "mg": plusLine, "pico": plusLine,
	"hx": colon, "helix": colon, "subl": colon, "zed": colon, "zeditor": colon, "lapce": colon,
	"code": goTo, "code-insiders": goTo, "codium": goTo, "vscodium": goTo, "cursor": goTo, "windsurf": goTo,
	"pycharm": option, "goland": option, "idea": option, "gedit": plusLine,
	"mate": short, "kate": short,
}

// Command is the user's editor and its arguments, as $VISUAL or $EDITOR gives them; nil if neither is set.
func Command() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	return nil
}

// ErrNone is the error for a user without an editor.
var ErrNone = errors.New("no editor is set: set $VISUAL or $EDITOR, for example to vim")

// Open returns the command that opens a file at a line. An editor that is not known gets the file only.
func Open(editor []string, file string, line int) *exec.Cmd {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(editor[0])), ".exe")
	args := []string{file}
	if at := editors[name]; at != nil && line > 0 {
		args = at(file, line)
	}
	return exec.Command(editor[0], append(append([]string{}, editor[1:]...), args...)...)
}

// Find returns the absolute path of a source file, without links, if it is a regular file.
func Find(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", fmt.Errorf("%s cannot be opened: %w", name, reason(err))
	}
	file, err := regular.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be opened: %w", name, reason(err))
	}
	return path, file.Close()
}

// reason drops the path from an error, which names it already.
func reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
