// Package launch runs what the user has named: a Python program, a Go package or
// one of the examples that gradtui brings along. The commands that run a program
// to its end and the debugger start it in this one way.
package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// Language is what a program is written in.
type Language int

// The languages.
const (
	Go Language = iota
	Python
)

// A Program is what is to be run.
type Program struct {
	// Name is a Python program, - for one on standard input, torchrun, or what `go build`
	// takes.
	Name     string
	Language Language
	// Module says that Name is a module of Python instead, as for python -m.
	Module bool
	// Ranks is the number of processes that torchrun is to start, each of which runs the
	// program; 0: it runs once, as it is.
	Ranks int
	// Launcher says that the program itself starts the ranks of a distributed one.
	Launcher bool
	// Join takes a rank, as of [python.Program].
	Join func(graph.Info) (engine.Rank, error)
	// Example says that Name is one of [examples.All] instead. It runs in this
	// process and reads no input.
	Example bool
	// Guest is a program that runs already and has connected. Name and Args say nothing
	// then, and the program's streams stay its own.
	Guest *pytorch.Guest
	Args  []string
	// Edited are new texts of source files of a Python program, by their paths, with which it runs
	// instead of what the files have.
	Edited map[string]string
	// Python and Engine say how a Python program is run; "": as gradtui doctor says.
	Python, Engine string
	// Variables are names of a Python program's global variables to look up at its end.
	Variables []string
	// Skipped, if it is not nil, is called for each Python that could not be used.
	Skipped func(python.Candidate)
	// NoCache, if it is not nil, is called with the reason if a Python program cannot use
	// what an earlier one has unpacked.
	NoCache func(why error)

	// Stdin, Stdout and Stderr are the program's own.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	OwnTerminal    bool             // as of [capture.Process]
	Signals        <-chan os.Signal // likewise
	// Session, if it is not nil, controls the program.
	Session *control.Session

	choice *python.Choice // made by Prepare
}

// An End is what is known after a program has run.
type End struct {
	ExitCode  int                        // 128 + the signal's number if a signal ended it
	Recorded  bool                       // it used the engine
	Variables map[string]engine.Variable // the requested ones that exist
	Damaged   error                      // what was wrong with the tape that it sent
	Failed    error                      // what an example returned
}

// Signal returns the signal that ended the program; ok is false if it ended itself.
func (e *End) Signal() (sig syscall.Signal, ok bool) {
	const signals = 128
	return syscall.Signal(e.ExitCode - signals), e.ExitCode > signals && e.ExitCode < 2*signals
}

// A kind says how to run programs of one kind.
type kind struct {
	check func(p *Program) error
	run   func(p *Program, ctx context.Context, tape *graph.Tape) (*End, error)
}

var (
	pythonProgram = kind{
		func(p *Program) error { _, err := p.python(); return err },
		(*Program).runPython,
	}
	goPackage = kind{
		(*Program).checkGo,
		(*Program).runGo,
	}
	example = kind{
		func(p *Program) error { _, err := p.example(); return err },
		(*Program).runExample,
	}
	guest = kind{
		func(*Program) error { return nil },
		(*Program).receive,
	}
)

func (p *Program) kind() kind {
	switch {
	case p.Guest != nil:
		return guest
	case p.Example:
		return example
	case p.IsPython():
		return pythonProgram
	}
	return goPackage
}

// Prepare finds what the program runs on, for Info. Run does it otherwise.
func (p *Program) Prepare(ctx context.Context) error {
	if p.choice != nil || p.Guest != nil || p.Example || !p.IsPython() {
		return nil
	}
	program, err := p.python()
	if err == nil {
		p.choice, err = program.Choose(ctx)
	}
	return err
}

// Choice returns the Python and the engine of a prepared program; nil if it is not a Python
// program.
func (p *Program) Choice() *python.Choice { return p.choice }

// Info returns what a tape says about the program, once it is prepared.
func (p Program) Info() graph.Info {
	if p.Guest != nil {
		return p.Guest.Info()
	}
	name := p.Name
	if p.Example {
		name = "examples/" + name
	}
	engine := string(python.Builtin)
	if p.choice != nil {
		engine = p.choice.EngineOnTape()
	}
	return graph.Info{Engine: engine, Program: name, Args: p.Args}
}

// Folder returns the folder of source files that the program's tape may leave out.
func (p *Program) Folder() sources.Folder {
	if p.Guest != nil || p.Example || p.Module || p.Name == Torchrun || p.Name == python.StandardInput {
		return sources.Folder{}
	}
	return sources.FolderOf(p.Name)
}

// Check finds what is wrong with the program without running it.
func (p *Program) Check() error { return p.kind().check(p) }

// Run runs the program to its end; the tape gets the events meanwhile. Cancelling
// the context interrupts the program and, after a few seconds, kills it. An error
// means that there was no program to run, or nothing to run it with; it wraps a
// [*capture.BuildError] if the compiler said so.
func (p *Program) Run(ctx context.Context, tape *graph.Tape) (*End, error) {
	if p.Session != nil {
		defer p.Session.End()
	}
	return p.kind().run(p, ctx, tape)
}

func (p *Program) python() (*python.Program, error) {
	name := p.Engine
	if name == "" {
		name = string(python.Auto)
	}
	engine, err := python.ParseEngine(name)
	if err != nil {
		return nil, err
	}
	run := p.asRun()
	program := &python.Program{
		Path: run.Name, Module: run.Module, Args: run.Args, Edited: p.Edited, Python: p.Python, Engine: engine, Choice: p.choice,
		Variables: p.Variables, Skipped: p.Skipped, NoCache: p.NoCache, Session: p.Session,
		Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, OwnTerminal: p.OwnTerminal, Signals: p.Signals,
	}
	switch {
	case !p.Distributed():
	case p.Join == nil:
		return nil, ErrOneTape
	default:
		program.Join = p.Join
	}
	return program, program.Check()
}

func (p *Program) runPython(ctx context.Context, tape *graph.Tape) (*End, error) {
	program, err := p.python()
	if err != nil {
		return nil, err
	}
	run, err := program.Run(ctx, tape)
	if err != nil {
		return nil, err
	}
	return &End{ExitCode: run.ExitCode, Recorded: run.Connected, Variables: run.Variables, Damaged: run.Damaged}, nil
}

// checkGo finds what is wrong with the name of a Go package or file: the go command's messages are
// about its own folders. The compiler reports what is wrong with the contents.
func (p *Program) checkGo() error {
	if _, err := os.Stat(p.Name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if filepath.Ext(p.Name) == ".go" {
		return fmt.Errorf("cannot run %s: no such file or directory", p.Name)
	}
	// A package that is not in this module nor in the workspace begins with a domain.
	if first, _, _ := strings.Cut(p.Name, "/"); strings.Contains(first, ".") {
		return nil
	}
	var failed *exec.ExitError
	if err := exec.Command("go", "list", "-find", "--", p.Name).Run(); errors.As(err, &failed) {
		return fmt.Errorf("no file, folder or Go package is called %s", p.Name)
	}
	return nil
}

func (p *Program) runGo(ctx context.Context, tape *graph.Tape) (*End, error) {
	if err := p.checkGo(); err != nil {
		return nil, err
	}
	program := capture.Program{
		Package: p.Name, Args: p.Args, Session: p.Session,
		Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, OwnTerminal: p.OwnTerminal, Signals: p.Signals,
	}
	run, err := program.Run(ctx, tape)
	var build *capture.BuildError
	if errors.As(err, &build) && plainDirectory(p.Name) {
		return nil, fmt.Errorf("%w; a directory is given as ./%s", err, p.Name)
	}
	if err != nil {
		return nil, err
	}
	return &End{ExitCode: run.ExitCode, Recorded: true, Damaged: run.Damaged}, nil
}

// plainDirectory reports whether a package that was not found is a directory,
// which the go command takes for an import path unless it begins with a dot.
func plainDirectory(pkg string) bool {
	info, err := os.Stat(pkg)
	return err == nil && info.IsDir() && !filepath.IsAbs(pkg) && !strings.HasPrefix(pkg, ".")
}

// receive records a program that runs already, until it ends or is left.
func (p *Program) receive(ctx context.Context, tape *graph.Tape) (*End, error) {
	tape.SetInfo(p.Info())
	return &End{Recorded: true, Damaged: p.Guest.Record(ctx, tape, p.Session)}, nil
}

func (p *Program) example() (examples.Example, error) {
	e, ok := examples.Find(p.Name)
	if !ok {
		var names []string
		for _, e := range examples.All {
			names = append(names, e.Name)
		}
		return e, suggest.Unknown("demo", p.Name, names)
	}
	return e, nil
}

func (p *Program) runExample(_ context.Context, tape *graph.Tape) (*End, error) {
	e, err := p.example()
	if err != nil {
		return nil, err
	}
	tape.SetInfo(p.Info())
	autograd.StartedBy("github.com/gradtui/gradtui/cmd/")
	before := autograd.OnWarning
	autograd.OnWarning = func(w autograd.Warning) { fmt.Fprintf(p.Stderr, "%s: %s\n", w.Category, w.Text) }
	defer func() { autograd.OnWarning = before }()
	end := &End{Recorded: true}
	if end.Failed = capture.Local(tape, p.Session, examples.Source, func() error { return e.Run(p.Stdout) }); end.Failed != nil {
		fmt.Fprintln(p.Stderr, end.Failed)
		end.ExitCode = 1
	}
	return end, nil
}
