package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/script"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/regular"
)

// scriptFlags are those of check that run a script.
type scriptFlags struct {
	file, out string
	timeout   time.Duration
}

func (f *scriptFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "script", "", "run a check script, a Starlark `file`, over what was recorded")
	flags.StringVar(&f.out, "out", ".", "the `folder` that export() in a script writes to")
	flags.DurationVar(&f.timeout, "script-timeout", script.DefaultTimeout, "how long a script may take")
}

// maxScript is the largest script that is read.
const maxScript = 16 << 20

// read reads the script; nil if there is none.
func (f *scriptFlags) read() ([]byte, error) {
	if f.file == "" {
		return nil, nil
	}
	source, err := regular.Read(f.file, maxScript)
	if err != nil {
		return nil, fmt.Errorf("cannot read the script %s: %w", oneLine(f.file), reason(err))
	}
	return source, nil
}

// A scriptEnd is how a script ended.
type scriptEnd struct {
	expected map[int]bool // findings that the script said must be there
	failure  string       // why it failed; "" if it did not
	code     int          // exitFindings if an assertion did not hold, exitFailed if the script is wrong
}

// run runs the script over a report and says what is wrong.
func (f *scriptFlags) run(ctx context.Context, s streams, source []byte, report *inspect.Report) scriptEnd {
	if f.file == "" {
		return scriptEnd{}
	}
	prints := &console.NoCommands{W: besideProgress(s.out, s.err), Clean: printable}
	done := working(s.err, "running check script "+shortName(f.file), nil)
	r := script.RunApart(ctx, f.file, source, report, script.Options{
		Print: prints, Timeout: f.timeout,
		Export: func(g *graph.Graph, path string, how script.Picture) error { return f.export(ctx, g, path, how) },
	})
	done()
	prints.Flush()
	end := scriptEnd{expected: r.Expected}
	if r.Err == nil {
		return end
	}
	end.code, end.failure = exitFailed, r.Err.Error()
	if r.Err.Failed {
		end.code = exitFindings
	}
	fmt.Fprintln(s.err, "gradtui:", oneLine(r.Err.Error()))
	if r.Err.Trace != "" {
		fmt.Fprintln(s.err, printable(r.Err.Trace))
	}
	return end
}

// export draws a graph into a file below the folder of --out, and nowhere else.
func (f *scriptFlags) export(ctx context.Context, g *graph.Graph, path string, how script.Picture) error {
	format, err := export.FormatOfFile(path)
	if err != nil {
		return err
	}
	style, err := export.ParseStyle(how.Style)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(f.out) // keeps paths and links from leading out of it
	if err != nil {
		return err
	}
	defer root.Close()
	if dir := filepath.Dir(path); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	file, err := root.Create(path)
	if err != nil {
		return err
	}
	opts := export.Options{Style: style, Saved: how.Saved, Attrs: how.Attrs}
	if how.Root != "" {
		opts.RootNames = []string{how.Root}
	}
	_, err = writeGraph(ctx, file, g, format, opts)
	if err := errors.Join(err, file.Close()); err != nil {
		root.Remove(path)
		return explainExport(err, smallerExport)
	}
	return nil
}
