package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Candidate is a Python that a program could run in.
type Candidate struct {
	// Path is what is started to find out more; empty for an embedded CPython that
	// is not unpacked.
	Path string
	// From says where it comes from: "--python", "$VIRTUAL_ENV", "$CONDA_PREFIX",
	// "python3 on the PATH", "embedded".
	From string
	// Interpreter is nil if there was no answer.
	Interpreter *Interpreter
	// Problem is why it is not used; nil if it can be.
	Problem error

	versioned bool // its name says which version it is, as python3.12 does
}

func (c *Candidate) String() string {
	if c.From == embedded {
		return "the embedded CPython"
	}
	return c.Path
}

// Describe says in one line what it is and where it comes from.
func (c *Candidate) Describe() string {
	text := c.String()
	if c.From == embedded {
		text += " " + embeddedVersion
	} else {
		text += " (" + c.From + ")"
	}
	p := c.Interpreter
	if p == nil {
		return text
	}
	text += ", " + p.String()
	if p.Executable != c.Path {
		text += " at " + p.Executable
	}
	if p.Torch != "" {
		text += ", torch " + p.Torch
	}
	if p.Numpy != "" {
		text += ", numpy " + p.Numpy
	}
	return text
}

// ErrNoPython is returned where no Python can be used.
var ErrNoPython = errors.New("no Python 3.9 or newer was found: install one (apt install python3, brew install python, " +
	"https://www.python.org/downloads/), name one with --python PATH, or build gradtui with one inside: " +
	"go build -tags embedpython ./cmd/gradtui")

// Find gives the interpreter that programs run in, and the candidates before it
// that cannot be used. named is the user's choice; if it is empty, the active
// environment, the PATH and the embedded CPython are asked, in this order. The
// interpreter may be gone once closed is called.
func Find(ctx context.Context, named string) (found *Candidate, skipped []Candidate, closed func(), err error) {
	for _, c := range places(named) {
		c, closed := c.ask(ctx)
		if c.Problem == nil {
			return &c, skipped, closed, nil
		}
		closed()
		if ctx.Err() != nil {
			return nil, nil, nil, ctx.Err()
		}
		skipped = append(skipped, c)
	}
	if named != "" {
		c := skipped[0]
		return nil, nil, nil, fmt.Errorf("--python %s: %w", named, c.Problem)
	}
	if n := len(skipped); n > 0 && skipped[n-1].From == embedded {
		return nil, skipped, nil, fmt.Errorf("the embedded CPython: %w", skipped[n-1].Problem)
	}
	return nil, skipped, nil, ErrNoPython
}

// Candidates asks all of them. The first without a problem is what Find gives;
// once there is one, those that are only looked at when others fail are left out,
// and an embedded CPython is not unpacked to be asked.
func Candidates(ctx context.Context, named string) []Candidate {
	var all []Candidate
	usable := false
	for _, c := range places(named) {
		switch {
		case usable && c.versioned:
			continue
		case !usable || c.From != embedded:
			var closed func()
			c, closed = c.ask(ctx)
			closed()
		}
		usable = usable || c.Problem == nil
		all = append(all, c)
	}
	return all
}

// FindPyTorch looks for a Python that has torch, other than the one at the path except, and gives
// nil if there is none. It asks them all at once. With versioned it also asks those that are
// called by their version, such as python3.12; where they are shims of pyenv each takes some
// 200 ms, also to say that there is none.
func FindPyTorch(ctx context.Context, except string, versioned bool) *Candidate {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // those whose answer is not needed any more
	var answers []chan Candidate
	for _, c := range places("") {
		if c.From == embedded || c.Path == except || c.versioned && !versioned {
			continue
		}
		answer := make(chan Candidate, 1)
		answers = append(answers, answer)
		go func() {
			c, closed := c.ask(ctx)
			closed()
			answer <- c
		}()
	}
	for _, answer := range answers {
		if c := <-answer; c.Problem == nil && c.Interpreter.Torch != "" {
			return &c
		}
	}
	return nil
}

// embedded is where the embedded CPython comes from.
const embedded = "embedded"

// ask probes a candidate.
func (c Candidate) ask(ctx context.Context) (Candidate, func()) {
	closed := func() {}
	switch {
	case c.Problem != nil:
	case c.From == embedded:
		c.Path, c.Interpreter, closed, c.Problem = unpackPython(ctx)
	default:
		c.Interpreter, c.Problem = probe(ctx, c.Path)
		if path, err := filepath.Abs(c.Path); err == nil && c.From == chosen && c.Interpreter != nil && c.Interpreter.Executable != path {
			c.Interpreter.wrapper = path
		}
	}
	return c, closed
}

// places lists where a Python can be, the preferred first.
func places(named string) []Candidate {
	if named != "" {
		return []Candidate{byName(named)}
	}
	var all []Candidate
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(variable); dir != "" {
			all = append(all, inside(dir, "$"+variable))
		}
	}
	all = append(all, onPath()...)
	if embeddedVersion != "" {
		all = append(all, Candidate{From: embedded})
	}
	return all
}

// chosen is where a Candidate comes from that the user has named.
const chosen = "--python"

// byName is the user's choice: a program, its name on the PATH, or an environment.
func byName(name string) Candidate {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return inside(name, chosen)
	}
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			err = inner // it names the path already
		}
		return Candidate{Path: name, From: chosen, Problem: err}
	}
	return Candidate{Path: path, From: chosen}
}

// inside is the Python of an environment's folder.
func inside(dir, from string) Candidate {
	names := []string{"bin/python3", "bin/python"}
	if runtime.GOOS == "windows" {
		names = []string{"Scripts/python.exe", "python.exe"}
	}
	for _, name := range names {
		if path := filepath.Join(dir, name); isFile(path) {
			return Candidate{Path: path, From: from}
		}
	}
	path := filepath.Join(dir, names[0])
	return Candidate{Path: path, From: from, Problem: errors.New("it does not exist")}
}

// onPath lists the Pythons of the PATH: all that are called python3, then python,
// then those that are called by their version.
func onPath() []Candidate {
	names := []string{"python3", "python"}
	for minor := newestKnown; minor >= oldest[1]; minor-- {
		names = append(names, fmt.Sprintf("python3.%d", minor))
	}
	var all []Candidate
	seen := map[string]bool{}
	for _, name := range names {
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			if !filepath.IsAbs(dir) { // what lies in the working directory is not the user's choice
				continue
			}
			path, err := exec.LookPath(filepath.Join(dir, name))
			if err != nil {
				continue
			}
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				key := filepath.Join(real, name)
				if seen[key] {
					continue
				}
				seen[key] = true
			}
			all = append(all, Candidate{Path: path, From: name + " on the PATH", versioned: strings.Contains(name, ".")})
		}
	}
	return all
}

// newestKnown is the minor version of the newest Python 3 that is looked for by name.
const newestKnown = 14

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
