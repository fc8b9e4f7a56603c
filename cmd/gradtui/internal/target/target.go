package target

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/regular"
)

// A Target is what an argument names. This file alone decides whether that is a tape,
// which is only ever read, or a program, which is run: by its name, by what sort of file
// it is, or by a flag. What a file contains can make it a tape, never a program that a
// command runs which takes tapes as well.
type Target struct {
	name     string
	IsTape   bool
	Language launch.Language // of a program
}

// byExtension say what a name means, whatever there is under it.
var byExtension = map[string]Target{
	".tape": {IsTape: true},
	".py":   {Language: launch.Python},
	".pyw":  {Language: launch.Python},
	".pyz":  {Language: launch.Python},
	".pyzw": {Language: launch.Python},
	".go":   {Language: launch.Go},
}

// Stdin names standard input.
const Stdin = "-"

// extension returns the extension of a name in lower case, without the number of an iteration.
func extension(name string) string {
	ext := strings.ToLower(filepath.Ext(filepath.Clean(name)))
	ext, _, _ = strings.Cut(ext, "#")
	return ext
}

// Target says what an argument of a command names that takes tapes and programs.
func (f *Flags) Target(name string) (Target, error) {
	return f.named(name, func(start []byte) (Target, error) {
		if f.AsProgram {
			return Target{Language: launch.Python}, nil
		}
		if pythonScript(start) {
			return Target{}, fmt.Errorf("%s would be read as a tape, but looks like a Python program; use --program to run it", cli.OneLine(name))
		}
		return Target{IsTape: true}, nil
	})
}

// Runnable says what an argument of a command names that takes programs only.
func (f *Flags) Runnable(name string) (Target, error) {
	t, err := f.named(name, func(start []byte) (Target, error) {
		if f.AsProgram || pythonScript(start) {
			return Target{Language: launch.Python}, nil
		}
		return Target{}, fmt.Errorf("cannot tell from its extension or first line what %s is; use --program to run it as a Python program", cli.OneLine(name))
	})
	if err == nil && t.IsTape {
		err = fmt.Errorf("%s is a tape and cannot be run; use gradtui open to look at it", cli.OneLine(name))
	}
	return t, err
}

// named says what an argument names. unsaid decides about a file whose name does not say
// it, and which does not begin as a tape does.
func (f *Flags) named(name string, unsaid func(start []byte) (Target, error)) (t Target, err error) {
	t, known := byExtension[extension(name)]
	switch {
	case f.Ranks.module, name == Stdin, name == launch.Torchrun:
		t = Target{Language: launch.Python}
	case t.IsTape && f.AsProgram:
		err = fmt.Errorf("%s is a tape by its name, and tapes are never run; rename the file if it is a program", cli.OneLine(name))
	case !known:
		t, err = f.found(name, unsaid)
	}
	t.name = name
	return t, err
}

// found says what the file with a name is, if the name does not say it.
func (f *Flags) found(name string, unsaid func(start []byte) (Target, error)) (t Target, err error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && importPath(name):
		return Target{Language: launch.Go}, nil // the go command says whether there is one
	case errors.Is(err, fs.ErrNotExist):
		return t, fmt.Errorf("no such file or folder: %s", cli.OneLine(name))
	case err != nil:
		return t, fmt.Errorf("cannot read %s: %w", cli.OneLine(name), cli.Reason(err))
	case info.IsDir():
		return programFolder(name)
	}
	file, err := regular.Open(name)
	if err != nil {
		return t, fmt.Errorf("cannot read %s: %w", cli.OneLine(name), cli.Reason(err))
	}
	defer file.Close()
	start := make([]byte, 128)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return t, fmt.Errorf("cannot read %s: %w", cli.OneLine(name), cli.Reason(err))
	}
	switch begins := tapefile.Begins(start[:n]); {
	case begins && f.AsProgram:
		return t, fmt.Errorf("%s begins like a tape, and tapes are never run", cli.OneLine(name))
	case begins:
		return Target{IsTape: true}, nil
	}
	return unsaid(start[:n])
}

// importPath reports whether a name can only be the import path of a Go package.
func importPath(name string) bool {
	return strings.Contains(name, "/") && !strings.HasPrefix(name, ".") && !filepath.IsAbs(name)
}

// pythonScript reports whether a file begins with a line that names Python.
func pythonScript(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.HasPrefix(line, []byte("#!")) && bytes.Contains(line, []byte("python"))
}

// maxNamed is how many files of a folder a message names.
const maxNamed = 5

// programFolder says what program a folder is.
func programFolder(name string) (t Target, err error) {
	entries, err := os.ReadDir(name)
	if err != nil {
		return t, fmt.Errorf("cannot read %s: %w", cli.OneLine(name), cli.Reason(err))
	}
	var scripts []string
	isGo := false
	for _, e := range entries {
		switch ext := filepath.Ext(e.Name()); {
		case e.Name() == "__main__.py":
			return Target{Language: launch.Python}, nil
		case ext == ".py":
			scripts = append(scripts, e.Name())
		case ext == ".go":
			isGo = true
		}
	}
	switch more := len(scripts) - maxNamed; {
	case isGo:
		return Target{Language: launch.Go}, nil
	case len(scripts) == 0:
		return t, fmt.Errorf("%s is a folder without a program: it has no __main__.py and no Go package", cli.OneLine(name))
	default:
		first := filepath.Join(name, scripts[0])
		if i := slices.Index(scripts, "main.py"); i >= 0 {
			first = filepath.Join(name, scripts[i])
		}
		list := strings.Join(scripts[:min(len(scripts), maxNamed)], ", ")
		if more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		return t, fmt.Errorf("%s is a folder without a __main__.py; name one of its files (%s), for example: %s", cli.OneLine(name), cli.OneLine(list), cli.OneLine(first))
	}
}
