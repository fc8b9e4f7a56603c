package python

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/regular"
)

// StandardInput is the path of a program that Python reads from its standard input.
const StandardInput = "-"

// A Program is a Python program that is to be recorded.
type Program struct {
	// Path is a file, a folder with a __main__.py, or [StandardInput].
	Path string
	// Module says that Path is the name of a module instead, as for python -m.
	Module bool
	Args   []string
	// Edited are new texts of source files, by their paths. The program runs as if the files had them;
	// the files stay as they are. Processes that it starts find the files, unless they are forks.
	Edited map[string]string
	// Python names the interpreter: a path, a name on the PATH, or the folder of an
	// environment. If it is empty, [Find] chooses one.
	Python string
	Engine Engine
	// Choice, if it is not nil, is what Choose gave, or what is known of a Python since before.
	Choice *Choice
	// Variables are names of global variables whose tensors are asked for when the
	// program ends.
	Variables []string
	// Skipped, if not nil, is called for each interpreter that could not be used.
	Skipped func(Candidate)
	// NoCache, if not nil, is called with the reason if the cache directory is not used.
	NoCache func(why error)
	// Stdin, Stdout and Stderr are the program's own.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	OwnTerminal    bool             // as of [capture.Process]
	Signals        <-chan os.Signal // likewise
	Limits         graph.Limits
	// Session, if it is not nil, controls the program.
	Session *control.Session
	// Join, if it is not nil, says that the program starts the ranks of a distributed one,
	// as torchrun does. The processes that have a rank are recorded instead of it, on their
	// own PyTorch. Join is called for each rank, at any time and maybe by several goroutines
	// at once, with what the rank's tape says about it.
	Join func(graph.Info) (engine.Rank, error)
}

// A Run is what became of a program.
type Run struct {
	capture.Run
	// Connected reports whether the program imported torch.
	Connected bool
	// Variables are those that were asked for and exist.
	Variables map[string]engine.Variable
}

// Run runs the program to its end and returns its tape. tape, if not nil, receives
// the events while the program runs. Cancelling the context interrupts the program
// and, after a few seconds, kills it; what was recorded is on the tape. An error
// means that there was no program to run, or nothing to run it with.
func (p *Program) Run(ctx context.Context, tape *graph.Tape) (*Run, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	choice := p.Choice
	if choice == nil {
		var err error
		if choice, err = p.Choose(ctx); err != nil {
			return nil, err
		}
	}
	if choice.close != nil {
		defer choice.close()
	}
	files, err := unpackOurs(ctx, choice.Python.Interpreter)
	if err != nil {
		return nil, err
	}
	defer files.close()
	if files.why != nil && p.NoCache != nil {
		p.NoCache(files.why)
	}
	if tape == nil {
		tape = graph.NewTape(p.Limits)
	}
	tape.SetInfo(graph.Info{Engine: choice.EngineOnTape(), Program: p.Path, Args: p.Args})
	return p.record(ctx, choice, files.dir, tape)
}

// ErrTyped is returned for a program on standard input where that is a terminal.
var ErrTyped = errors.New("- is a program on standard input, which is a terminal here: give the program a file, or redirect standard input")

// Check finds what is wrong with the program without running it.
func (p *Program) Check() error {
	if p.Module {
		return nil // Python says
	}
	if p.Path == StandardInput {
		if p.OwnTerminal || capture.IsTerminal(p.Stdin) {
			return ErrTyped
		}
		return nil
	}
	info, err := os.Stat(p.Path)
	switch {
	case err != nil:
	case info.IsDir() && !isFile(filepath.Join(p.Path, "__main__.py")):
		err = errors.New("it is a folder without a __main__.py")
	case !info.IsDir() && !info.Mode().IsRegular():
		err = &regular.Error{Mode: info.Mode()}
	}
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return fmt.Errorf("cannot run %s: %w", p.Path, err)
	}
	return nil
}

// record runs the program with our modules in front of all others.
func (p *Program) record(ctx context.Context, choice *Choice, files string, tape *graph.Tape) (*Run, error) {
	var gate *control.Gate
	if p.Session != nil {
		defer p.Session.End()
		var err error
		if gate, err = p.Session.Gate(); err != nil {
			return nil, err
		}
	}
	stdin, text, err := p.input()
	if err != nil {
		return nil, err
	}
	edited, err := p.editedFiles()
	if err != nil {
		return nil, err
	}
	defer edited.remove()
	server, err := choice.Engine.entry().serve(engine.Setup{Tape: tape, Variables: p.Variables, Gate: gate, Join: p.Join})
	if err != nil {
		return nil, err
	}
	defer server.Close()
	run := &Run{Run: capture.Run{Tape: tape}}
	served := make(chan struct{})
	go func() {
		run.Connected, run.Damaged = server.Serve()
		close(served)
	}()

	process := capture.Process{
		Path:  choice.Python.Interpreter.command(),
		Args:  slices.Concat([]string{choice.Python.Interpreter.command()}, p.named(files), p.Args),
		Env:   slices.Concat(environment(&choice.Python, filepath.Join(files, bootFolder)), server.Environment(), edited.environment()),
		Stdin: stdin, Stdout: p.Stdout, Stderr: p.Stderr,
		OwnTerminal: p.OwnTerminal, Signals: p.Signals,
	}
	run.ExitCode, err = process.Run(ctx)
	server.Stop()
	<-served
	if err != nil {
		return nil, err
	}
	run.Variables = server.Variables()
	if text != "" && run.Connected {
		sources.NewRecorder(tape).Text(onStandardInput, text)
	}
	return run, nil
}

// onStandardInput is what Python calls the file of a program on standard input.
const onStandardInput = "<stdin>"

// maxInput bounds the text of a program on standard input.
const maxInput = 64 << 20

// input is the standard input of the program. Python reads a program on standard input to
// its end before it runs, so its text is known here as well.
func (p *Program) input() (in io.Reader, text string, err error) {
	if p.Path != StandardInput || p.Module || p.Stdin == nil {
		return p.Stdin, "", nil
	}
	read, err := io.ReadAll(io.LimitReader(p.Stdin, maxInput+1))
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("reading the program from standard input: %w", err)
	case len(read) > maxInput:
		return nil, "", fmt.Errorf("the program on standard input has more than %d bytes", maxInput)
	case tapefile.Begins(read):
		return nil, "", errors.New("standard input holds a tape, and a tape has to be a file: give its name")
	}
	return bytes.NewReader(read), string(read), nil
}

// named is the program as Python takes it, which takes -x.py for options. files is the folder of our
// Python files.
func (p *Program) named(files string) []string {
	switch {
	case p.mainEdited():
		return []string{filepath.Join(files, filepath.FromSlash(asMain)), p.Path}
	case p.Module:
		return []string{"-m", p.Path}
	case p.Path != StandardInput && strings.HasPrefix(p.Path, "-"):
		return []string{"./" + p.Path}
	}
	return []string{p.Path}
}

// environment is the program's: its own, with a folder of ours first where modules are
// looked for.
func environment(found *Candidate, folder string) []string {
	path := folder
	if own := os.Getenv("PYTHONPATH"); own != "" {
		path += string(os.PathListSeparator) + own
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return found.From == embedded && strings.HasPrefix(v, "PYTHONHOME=") // from another Python
	})
	return append(env, "PYTHONPATH="+path)
}
