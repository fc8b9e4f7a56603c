package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// limitFlags bound what is recorded.
type limitFlags struct {
	events int
	bytes  int64
}

func (l *limitFlags) add(c *cobra.Command) {
	c.Flags().IntVar(&l.events, "max-events", 0, "stop recording after this many events (0: no limit)")
	c.Flags().Int64Var(&l.bytes, "max-tape-bytes", 0, "stop recording when the tape has this many bytes (0: no limit)")
}

func (l *limitFlags) limits() graph.Limits { return graph.Limits{Events: l.events, Bytes: l.bytes} }

// isTape reports whether an argument names a tape rather than a program: an
// existing file that is no source code.
func isTape(arg string) bool {
	info, err := os.Stat(arg)
	if err != nil || info.IsDir() {
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
	if err != nil {
		return nil, err
	}
	if report.Damaged != nil {
		fmt.Fprintf(warn, "gradtui: %s: %s; using the %d events before it\n", printable(path), printable(report.Damaged.Error()), tape.Len())
	}
	return tape, nil
}

// runProgram runs a Go program to its end. programOut gets its standard output.
func runProgram(ctx context.Context, s streams, programOut io.Writer, pkg string, args []string, limits graph.Limits) (*capture.Run, error) {
	if strings.HasSuffix(pkg, ".py") {
		return nil, fmt.Errorf("%s: this version runs Go programs only (a package that imports github.com/gradtui/gradtui/autograd)", pkg)
	}
	p := capture.Program{
		Package: pkg, Args: args, Stdin: s.in, Stdout: programOut, Stderr: s.err, Limits: limits,
	}
	run, err := p.Run(ctx, nil)
	var build *capture.BuildError
	if errors.As(err, &build) && build.Output != "" {
		fmt.Fprint(s.err, printable(build.Output))
	}
	if err == nil && run.Damaged != nil {
		fmt.Fprintf(s.err, "gradtui: the end of the tape is missing: %s\n", printable(run.Damaged.Error()))
	}
	return run, err
}

// load gives the tape of a program or of a file.
func load(ctx context.Context, s streams, programOut io.Writer, target string, args []string, limits graph.Limits) (*graph.Tape, error) {
	if isTape(target) {
		if len(args) > 0 {
			return nil, fmt.Errorf("%s is a tape, which takes no arguments", target)
		}
		return openTape(target, s.err)
	}
	run, err := runProgram(ctx, s, programOut, target, args, limits)
	if err != nil {
		return nil, err
	}
	return run.Tape, nil
}
