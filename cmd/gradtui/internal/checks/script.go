package checks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/draw"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/script"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/regular"
)

// ScriptFlags are the flags of gradtui check that run a script.
type ScriptFlags struct {
	File, out string
	timeout   time.Duration
}

// AddTo adds the flags to a set.
func (f *ScriptFlags) AddTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.File, "script", "", "run this check script, a Starlark `file`, on the recording")
	flags.StringVar(&f.out, "out", ".", "the `folder` that export() writes to in a check script")
	flags.DurationVar(&f.timeout, "script-timeout", script.DefaultTimeout, "how long the check script may take")
}

// maxScript is the largest script that is read.
const maxScript = 16 << 20

// Read reads the script; nil if there is none.
func (f *ScriptFlags) Read() ([]byte, error) {
	if f.File == "" {
		return nil, nil
	}
	source, err := regular.Read(f.File, maxScript)
	if err != nil {
		return nil, fmt.Errorf("cannot read the script %s: %w", cli.OneLine(f.File), cli.Reason(err))
	}
	return source, nil
}

// A ScriptResult is how a script ended.
type ScriptResult struct {
	Expected map[int]bool // findings that the script said must be there
	Failure  string       // why it failed; "" if it did not
	Code     int          // exitFindings if an assertion did not hold, exitFailed if the script is wrong
}

// Run runs the script over a report and says what is wrong.
func (f *ScriptFlags) Run(ctx context.Context, s cli.Streams, source []byte, report *inspect.Result) ScriptResult {
	if f.File == "" {
		return ScriptResult{}
	}
	prints := &console.NoCommands{W: cli.BesideProgress(s.Out, s.Err), Clean: cli.Printable}
	done := cli.Working(s.Err, "running check script "+cli.ShortName(f.File), nil)
	r := script.RunApart(ctx, f.File, source, report, script.Options{
		Print: prints, Timeout: f.timeout,
		Export: func(g *graph.Graph, path string, how script.Picture) error { return f.export(ctx, g, path, how) },
	})
	done()
	prints.Flush()
	end := ScriptResult{Expected: r.Expected}
	if r.Err == nil {
		return end
	}
	end.Code, end.Failure = cli.ExitFailed, r.Err.Error()
	if r.Err.Failed {
		end.Code = cli.ExitFindings
	}
	fmt.Fprintln(s.Err, "gradtui:", cli.OneLine(r.Err.Error()))
	if r.Err.Trace != "" {
		fmt.Fprintln(s.Err, cli.Printable(r.Err.Trace))
	}
	return end
}

// export draws a graph into a file below the folder of --out, and nowhere else.
func (f *ScriptFlags) export(ctx context.Context, g *graph.Graph, path string, how script.Picture) error {
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
	_, err = draw.Write(ctx, file, g, format, opts)
	if err := errors.Join(err, file.Close()); err != nil {
		root.Remove(path)
		return draw.ExplainLimit(err, draw.SmallerHint)
	}
	return nil
}
