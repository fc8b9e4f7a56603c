package target

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
)

// A Finished program is what is known after it has run.
type Finished struct {
	launch.End
	Ran bool // by this command; otherwise its tape was read
	// ReadLeftOut reads source files in the folder of the program; nil for a tape that was
	// read, of which only what is on it is shown.
	ReadLeftOut func(name string, e *graph.SourceRead) ([]byte, error)
	Missing     string // what the tape does not have; "" if it has all
	told        bool   // the user knows what is missing
	Advice      string // how a program that has failed for what the engine lacks runs on PyTorch
}

// Warn says what the tape and the engine do not have.
func (f *Finished) Warn(w io.Writer) {
	if f.Missing != "" && !f.told {
		fmt.Fprintln(w, "gradtui:", cli.OneLine(f.Missing))
	}
	if f.Advice != "" {
		fmt.Fprintln(cli.Notes(w), "gradtui: the built-in engine lacks something that the program needs;", f.Advice)
	}
}

// Run runs a program to its end. own are the program's streams; tape gets the events
// while it runs. variables are asked for at the end of a Python program.
func (f *Flags) Run(ctx context.Context, s, own cli.Streams, p *launch.Program, tape *graph.Tape, variables ...string) (*Finished, error) {
	ctx, wait := f.watch(ctx, s.Err, tape)
	defer wait()
	p.Variables = variables
	p.Stdin, p.Stdout, p.Stderr = own.In, cli.Raw(own.Out), cli.Raw(own.Err)
	if err := f.prepare(ctx, s, p); err != nil {
		return nil, AdviseTorch(ctx, p, err)
	}
	over := f.running(s, own, p, cli.CountEvents(tape))
	end, err := p.Run(ctx, tape)
	over()
	if err != nil {
		return nil, ShowBuildError(s.Err, AdviseTorch(ctx, p, err))
	}
	if !end.Recorded && !f.Python.Plain {
		fmt.Fprintf(s.Err, "gradtui: nothing was recorded: the program ended before it imported torch\n")
	}
	noteUnmatched(s.Err, tape)
	done := Finish(tape, end)
	done.ReadLeftOut = p.Folder().Read
	if !f.Python.Plain {
		done.Advice = MissingFeatureAdvice(ctx, p, tape, end)
	}
	return done, nil
}

// prepare says what a program is going to run on, if it is not what one would expect, or with
// --verbose.
func (f *Flags) prepare(ctx context.Context, s cli.Streams, p *launch.Program) error {
	if f.Python.Plain {
		return nil
	}
	if err := p.Prepare(ctx); err != nil {
		return err
	}
	describeRun(s.Err, p)
	return f.Python.mentionTorch(ctx, s.Err, p)
}

// Program is what the flags and arguments ask for. What there is to say while it is
// started goes to s.
func (f *Flags) Program(s cli.Streams, t Target, args []string) (*launch.Program, error) {
	p := &launch.Program{
		Name: t.name, Language: t.Language, Args: args, Python: f.Python.Name, Engine: f.Python.Engine,
		Module: f.Ranks.module, Ranks: f.Ranks.number, Launcher: f.Ranks.launcher,
	}
	if f.Ranks.number < 0 || f.Ranks.number > 0 && f.Ranks.launcher {
		return nil, errors.New("--ranks takes the number of processes to start; --launcher is for a program that starts them itself")
	}
	if !p.IsPython() && (f.Python.given(f.flags) || p.Distributed()) {
		return nil, fmt.Errorf("--python, --engine and --ranks apply only to Python programs; %s is a Go package", cli.OneLine(t.name))
	}
	if !f.Python.Plain {
		p.Skipped = func(c python.Candidate) {
			fmt.Fprintf(cli.Notes(s.Err), "gradtui: skipped %s: %s\n", cli.OneLine(c.String()), cli.OneLine(c.Problem.Error()))
		}
		p.NoCache = func(why error) {
			fmt.Fprintf(cli.Notes(s.Err), "gradtui: starting without the cache, which takes longer: %s\n", cli.OneLine(why.Error()))
		}
	}
	return p, nil
}

// Finish notes what is missing on the tape.
func Finish(tape *graph.Tape, end *launch.End) *Finished {
	f := &Finished{End: *end, Ran: true}
	if end.Damaged != nil {
		f.Missing = "the end of the tape is missing: " + end.Damaged.Error()
	} else if why := tape.Stopped(); why != "" {
		f.Missing, f.told = "the recording is not complete: "+why, true
	}
	return f
}

// ShowBuildError shows what the compiler said, if that is what the error is about.
func ShowBuildError(w io.Writer, err error) error {
	var build *capture.BuildError
	if errors.As(err, &build) {
		fmt.Fprint(w, cli.Printable(build.Output))
	}
	return err
}

// Load gives the tape of a program or of a file, and how the program ended.
func (f *Flags) Load(ctx context.Context, s, own cli.Streams, name string, args []string, variables ...string) (*graph.Tape, *Finished, error) {
	t, err := f.Target(name)
	if err != nil {
		return nil, nil, err
	}
	if t.IsTape {
		if len(args) > 0 {
			return nil, nil, fmt.Errorf("%s is a tape, which takes no arguments", cli.OneLine(name))
		}
		return f.loadTape(s, name)
	}
	tape := graph.NewTape(f.Limits())
	p, err := f.Program(s, t, args)
	if err != nil {
		return nil, nil, err
	}
	end, err := f.Run(ctx, s, own, p, tape, variables...)
	if err != nil {
		return nil, nil, err
	}
	return tape, end, nil
}

// loadTape gives the tape of a file.
func (f *Flags) loadTape(s cli.Streams, name string) (*graph.Tape, *Finished, error) {
	if err := f.forTape(name); err != nil {
		return nil, nil, err
	}
	NoteNewer(s.Err, name)
	tape, damage, err := readTape(name, s.Err)
	if out, ok := cli.Details(s.Err); ok && err == nil {
		fmt.Fprintf(out, "gradtui: %s was recorded with engine %s\n", cli.OneLine(name), cli.OneLine(tape.Info().Engine))
	}
	return tape, &Finished{End: launch.End{Recorded: true}, Missing: damage}, err
}

// running is working for a program, which is not shown where the program could write to the
// same terminal.
func (f *Flags) running(s, own cli.Streams, p *launch.Program, far func() string) (done func()) {
	if f.Python.Plain {
		return func() {}
	}
	shared := cli.IsTerminal(cli.Raw(own.Out)) || cli.IsTerminal(cli.Raw(own.Err))
	return cli.WorkingBeside(shared, s.Err, "running "+cli.ShortName(p.Name), far)
}

// describeRun says with --verbose what a program that is prepared is going to run on.
func describeRun(w io.Writer, p *launch.Program) {
	out, ok := cli.Details(w)
	if !ok {
		return
	}
	if c := p.Choice(); c != nil {
		fmt.Fprintf(out, "gradtui: Python: %s\n", cli.OneLine(c.Python.Describe()))
		fmt.Fprintf(out, "gradtui: cache: %s\n", Cache())
	}
	fmt.Fprintf(out, "gradtui: engine: %s\n", cli.OneLine(p.Info().Engine))
}
