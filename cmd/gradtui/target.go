package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// limitFlags bound what is recorded.
type limitFlags struct {
	events uint32
	bytes  uint64
	flags  *pflag.FlagSet
}

// defaultTapeBytes are some 25 million events. With the graph that it folds to, a
// tape takes about twice as much memory.
const defaultTapeBytes = 1 << 30

func (l *limitFlags) add(c *cobra.Command) {
	l.flags = c.Flags()
	l.flags.Uint32Var(&l.events, "max-events", 0, "stop recording after this many events (0: no limit)")
	l.flags.Uint64Var(&l.bytes, "max-tape-bytes", defaultTapeBytes, "stop recording when the tape takes this much memory (0: no limit)")
}

// given reports whether a limit was asked for.
func (l *limitFlags) given() bool {
	return l.flags.Changed("max-events") || l.flags.Changed("max-tape-bytes")
}

func (l *limitFlags) limits() graph.Limits {
	return graph.Limits{Events: int(l.events), Bytes: int64(min(l.bytes, math.MaxInt64))}
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
	switch filepath.Ext(arg) {
	case ".go", ".py":
		return false
	}
	return true
}

// openTape reads a tape from a file. Damage at its end is reported, and what
// comes before it is used.
func openTape(path string, warn io.Writer) (*graph.Tape, error) {
	tape, report, err := tapefile.Open(path, tapefile.Options{})
	var access *fs.PathError
	if errors.As(err, &access) {
		return nil, fmt.Errorf("cannot read %s: %w", printable(path), access.Err)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case report.Damage != nil:
		fmt.Fprintf(warn, "gradtui: %s: %s; using the %d events before it\n", printable(path), printable(report.Damage.Error()), tape.Len())
	case report.Truncated:
		fmt.Fprintf(warn, "gradtui: %s ends in the middle of a block, as it does when the program was killed; using its %d whole events\n", printable(path), tape.Len())
	}
	return tape, nil
}

// runProgram runs a Go program to its end. programOut gets its standard output,
// tape the events while it runs.
func runProgram(ctx context.Context, s streams, programOut io.Writer, pkg string, args []string, tape *graph.Tape) (*capture.Run, error) {
	if strings.HasSuffix(pkg, ".py") {
		return nil, fmt.Errorf("%s: this version runs Go programs only (a package that imports github.com/gradtui/gradtui/autograd)", printable(pkg))
	}
	p := capture.Program{Package: pkg, Args: args, Stdin: s.in, Stdout: programOut, Stderr: s.err}
	run, err := p.Run(ctx, tape)
	var build *capture.BuildError
	if errors.As(err, &build) {
		fmt.Fprint(s.err, printable(build.Output))
		if plainDirectory(pkg) {
			return nil, fmt.Errorf("%w; a directory is given as ./%s", err, printable(pkg))
		}
	}
	if err != nil {
		return nil, err
	}
	if run.Damaged != nil {
		fmt.Fprintf(s.err, "gradtui: the end of the tape is missing: %s\n", printable(run.Damaged.Error()))
	}
	if why := tape.Stopped(); why != "" {
		fmt.Fprintf(s.err, "gradtui: the recording is not complete: %s\n", why)
	}
	return run, nil
}

// plainDirectory reports whether a package that was not found is a directory,
// which the go command takes for an import path unless it begins with a dot.
func plainDirectory(pkg string) bool {
	info, err := os.Stat(pkg)
	return err == nil && info.IsDir() && !filepath.IsAbs(pkg) && !strings.HasPrefix(pkg, ".")
}

// load gives the tape of a program or of a file, and the program's exit code.
func load(ctx context.Context, s streams, programOut io.Writer, target string, args []string, limits limitFlags) (*graph.Tape, int, error) {
	if isTape(target) {
		if limits.given() {
			return nil, 0, fmt.Errorf("%s is a tape: --max-events and --max-tape-bytes bound what a program records", printable(target))
		}
		if len(args) > 0 {
			return nil, 0, fmt.Errorf("%s is a tape, which takes no arguments", printable(target))
		}
		tape, err := openTape(target, s.err)
		return tape, 0, err
	}
	tape := graph.NewTape(limits.limits())
	run, err := runProgram(ctx, s, programOut, target, args, tape)
	if err != nil {
		return nil, 0, err
	}
	return tape, run.ExitCode, nil
}

// saveTape writes a whole tape to its file and closes that.
func saveTape(path string, file *tapefile.Writer, tape *graph.Tape) error {
	err := file.Flush(tape)
	if err2 := file.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", printable(path), err)
	}
	return nil
}

func createTape(path string, overwrite bool, info graph.Info) (*tapefile.Writer, error) {
	file, err := tapefile.Create(path, info, tapefile.WriterOptions{Overwrite: overwrite})
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("%s exists; --force overwrites it", printable(path))
	case err != nil:
		return nil, fmt.Errorf("cannot write %s: %w", printable(path), reason(err))
	}
	return file, nil
}
