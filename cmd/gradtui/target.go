package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// programFlags say how a program is run and how much of it is recorded.
type programFlags struct {
	events uint32
	bytes  uint64
	python pythonFlags
	ranks  rankFlags
	flags  *pflag.FlagSet
	// endAtLimit ends the program when recording stops: nothing more is wanted of it.
	endAtLimit bool
	held       uint64 // bytes of tensors in use at which recording stops; 0: no limit
}

// defaultTapeBytes are some 25 million events. With the graph that it folds to, a
// tape takes about twice as much memory.
const defaultTapeBytes = 1 << 30

func (f *programFlags) add(c *cobra.Command) {
	f.flags = c.Flags()
	f.flags.Uint32Var(&f.events, "max-events", 0, f.after()+" after this many events (0: no limit)")
	f.flags.Uint64Var(&f.bytes, "max-tape-bytes", defaultTapeBytes, f.after()+" when the tape takes this much memory (0: no limit)")
	f.python.add(c)
}

// forTape checks that nothing was asked for that only a program can do.
func (f *programFlags) forTape(target string) error {
	if f.flags.Changed("max-events") || f.flags.Changed("max-tape-bytes") {
		return fmt.Errorf("%s is a tape: --max-events and --max-tape-bytes bound what a program records", printable(target))
	}
	if f.python.given(f.flags) {
		return fmt.Errorf("%s is a tape: --python and --engine are for Python programs", printable(target))
	}
	return nil
}

func (f *programFlags) limits() graph.Limits {
	return graph.Limits{Events: int(f.events), Bytes: int64(min(f.bytes, math.MaxInt64))}
}

// explainFlag adds to an error about a flag where those of the program go.
func explainFlag(_ *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown ") {
		return fmt.Errorf("%w; what follows -- is the program's, as in: -- --epochs 3", err)
	}
	return err
}

// isTape reports whether an argument names a tape rather than a program: a file
// that is no source code, or a name that only a tape has.
func isTape(arg string) bool {
	info, err := os.Stat(arg)
	if err != nil {
		return filepath.Ext(arg) == ".tape"
	}
	if info.IsDir() {
		return false
	}
	return filepath.Ext(arg) != ".go" && !python.IsProgram(arg)
}

// openTape reads a tape from a file. Damage at its end is reported, and what
// comes before it is used.
func openTape(path string, warn io.Writer) (*graph.Tape, error) {
	tape, damage, err := readTape(path)
	if damage != "" {
		fmt.Fprintln(warn, "gradtui:", printable(damage))
	}
	return tape, err
}

// readTape reads a tape from a file and says what is wrong with the end of it.
func readTape(path string) (tape *graph.Tape, damage string, err error) {
	tape, report, err := tapefile.Open(path, tapefile.Options{})
	switch {
	case err != nil:
		return nil, "", readError(path, err)
	case report.Damage != nil:
		damage = fmt.Sprintf("%s: %s; using the %d events before it", path, report.Damage, tape.Len())
	case report.Truncated:
		damage = fmt.Sprintf("%s ends in the middle of a block, as it does when the program was killed; using its %d whole events", path, tape.Len())
	}
	return tape, damage, nil
}

// A finished program is what is known after it has run.
type finished struct {
	launch.End
	missing string // what the tape does not have; "" if it has all
	told    bool   // the user knows what is missing
}

// warn says what the tape does not have.
func (f *finished) warn(w io.Writer) {
	if f.missing != "" && !f.told {
		fmt.Fprintln(w, "gradtui:", printable(f.missing))
	}
}

// run runs a program to its end. own are the program's streams; tape gets the events
// while it runs. variables are asked for at the end of a Python program.
func (f *programFlags) run(ctx context.Context, s, own streams, p *launch.Program, tape *graph.Tape, variables ...string) (*finished, error) {
	ctx, wait := f.watch(ctx, s.err, tape)
	defer wait()
	p.Variables = variables
	p.Stdin, p.Stdout, p.Stderr = own.in, own.out, own.err
	end, err := p.Run(ctx, tape)
	if err != nil {
		return nil, explainBuild(s.err, err)
	}
	if !end.Recorded && !f.python.plain {
		fmt.Fprintf(s.err, "gradtui: nothing was recorded: the program ended before it imported torch\n")
	}
	return finish(tape, end), nil
}

// program is what the flags and arguments ask for. What there is to say while it is
// started goes to s.
func (f *programFlags) program(s streams, target string, args []string) (*launch.Program, error) {
	p := &launch.Program{
		Name: target, Args: args, Python: f.python.named, Engine: f.python.engine,
		Module: f.ranks.module, Ranks: f.ranks.number, Launcher: f.ranks.launcher,
	}
	if f.ranks.number < 0 || f.ranks.number > 0 && f.ranks.launcher {
		return nil, errors.New("--ranks: give the number of processes; --launcher is for a program that starts them itself")
	}
	if !p.IsPython() && (f.python.given(f.flags) || p.Distributed()) {
		return nil, fmt.Errorf("%s is no Python program, which --python, --engine and --ranks are for", printable(target))
	}
	if !f.python.plain {
		p.Skipped = func(c python.Candidate) {
			fmt.Fprintf(s.err, "gradtui: not used: %s: %s\n", printable(c.String()), printable(c.Problem.Error()))
		}
		p.NoCache = func(why error) {
			fmt.Fprintf(s.err, "gradtui: the cache is not used, so this start takes longer: %s\n", printable(why.Error()))
		}
	}
	return p, nil
}

// finish notes what is missing on the tape.
func finish(tape *graph.Tape, end *launch.End) *finished {
	f := &finished{End: *end}
	if end.Damaged != nil {
		f.missing = "the end of the tape is missing: " + end.Damaged.Error()
	} else if why := tape.Stopped(); why != "" {
		f.missing, f.told = "the recording is not complete: "+why, true
	}
	return f
}

// explainBuild shows what the compiler said, if that is what the error is about.
func explainBuild(w io.Writer, err error) error {
	var build *capture.BuildError
	if errors.As(err, &build) {
		fmt.Fprint(w, printable(build.Output))
	}
	return err
}

// load gives the tape of a program or of a file, and how the program ended.
func (f *programFlags) load(ctx context.Context, s, own streams, target string, args []string, variables ...string) (*graph.Tape, *finished, error) {
	if isTape(target) {
		if err := f.forTape(target); err != nil {
			return nil, nil, err
		}
		if len(args) > 0 {
			return nil, nil, fmt.Errorf("%s is a tape, which takes no arguments", printable(target))
		}
		noteNewer(s.err, target)
		tape, damage, err := readTape(target)
		return tape, &finished{End: launch.End{Recorded: true}, missing: damage}, err
	}
	tape := graph.NewTape(f.limits())
	p, err := f.program(s, target, args)
	if err != nil {
		return nil, nil, err
	}
	end, err := f.run(ctx, s, own, p, tape, variables...)
	if err != nil {
		return nil, nil, err
	}
	return tape, end, nil
}
