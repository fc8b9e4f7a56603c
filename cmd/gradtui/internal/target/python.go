package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/capture/python/builtin"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// PythonFlags say how a Python program is run.
type PythonFlags struct {
	Name, Engine string
	Plain        bool // gradtui itself prints nothing
	mentioned    bool // the note about another Python with torch was printed
}

// AddTo adds the flags to a command.
func (f *PythonFlags) AddTo(c *cobra.Command) {
	c.Flags().StringVar(&f.Name, "python", "", "the Python for .py programs: a `path`, a name on the PATH or the\nfolder of an environment (default: see gradtui doctor)")
	c.Flags().StringVar(&f.Engine, "engine", string(python.Auto), "the engine for .py programs: "+strings.Join(python.EngineNames(), ", "))
	c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(python.EngineNames(), cobra.ShellCompDirectiveNoFileComp))
}

func (f *PythonFlags) given(flags *pflag.FlagSet) bool {
	return flags.Changed("python") || flags.Changed("engine")
}

// Unsupported is the exception that the built-in engine raises for what it lacks.
const Unsupported = "Unsupported"

// OtherTorch returns a note for a program that will run on the built-in engine because its
// Python has no torch: which other Python has it; "" if there is none. Messages go to w.
func OtherTorch(ctx context.Context, w io.Writer, p *launch.Program) (string, error) {
	if cli.Notes(w) == io.Discard || !p.IsPython() || p.Guest != nil || p.Example {
		return "", nil
	}
	if err := p.Prepare(ctx); err != nil {
		return "", err
	}
	wanted, err := python.ParseEngine(cmp.Or(p.Engine, string(python.Auto)))
	if err != nil || p.Choice().Engine != python.Builtin || p.Python != "" || wanted.Chosen() {
		return "", err
	}
	c := python.FindPyTorch(ctx, p.Choice().Python.Path, false)
	if c == nil {
		return "", nil
	}
	return fmt.Sprintf("on the built-in engine, because this Python has no torch; use --python %s for PyTorch %s, or --engine builtin to hide this note",
		cli.OneLine(c.Path), cli.OneLine(c.Interpreter.Torch)), nil
}

// mentionTorch prints that note once.
func (f *PythonFlags) mentionTorch(ctx context.Context, w io.Writer, p *launch.Program) error {
	if f.mentioned {
		return nil
	}
	said, err := OtherTorch(ctx, w, p)
	if said != "" {
		f.mentioned = true
		fmt.Fprintf(w, "gradtui: running %s %s\n", cli.ShortName(p.Name), said)
	}
	return err
}

// torchAdvice says how a program that the built-in engine cannot run runs on PyTorch.
func torchAdvice(ctx context.Context, p *launch.Program) string {
	own := ""
	if c := p.Choice(); c != nil {
		if t := c.Python.Interpreter.Torch; t != "" {
			return fmt.Sprintf("--engine torch runs it on PyTorch %s", cli.OneLine(t))
		}
		own = c.Python.Path
	}
	if c := python.FindPyTorch(ctx, own, true); c != nil {
		return fmt.Sprintf("--engine torch --python %s runs it on PyTorch %s", cli.OneLine(c.Path), cli.OneLine(c.Interpreter.Torch))
	}
	return "after pip install torch, --engine torch runs it on PyTorch"
}

// MissingFeatureAdvice says so of a program that has ended because the built-in engine lacks something; ""
// if it has not.
func MissingFeatureAdvice(ctx context.Context, p *launch.Program, tape *graph.Tape, end *launch.End) string {
	if end.ExitCode == cli.ExitOK || p.Choice() == nil || p.Choice().Engine != python.Builtin {
		return ""
	}
	if failed := lookup.Failed(tape); failed == nil || tape.String(failed.Type) != Unsupported {
		return ""
	}
	return torchAdvice(ctx, p)
}

// AdviseTorch adds it to an error that is about the engine.
func AdviseTorch(ctx context.Context, p *launch.Program, err error) error {
	if errors.Is(err, builtin.ErrRanks) || errors.Is(err, python.ErrNoTorch) {
		return fmt.Errorf("%w; %s", err, torchAdvice(ctx, p))
	}
	return err
}

// Cache says where the files that Python programs need are unpacked to.
func Cache() string {
	dir, err := python.TrustedCache()
	if err == nil {
		err = TryWriting(dir)
	}
	if err != nil {
		return cli.OneLine(fmt.Sprintf("none: %v; files for Python programs are unpacked for each run", err))
	}
	return cli.OneLine(dir + ", writable")
}

// TryWriting makes a folder unless it exists, and returns an error if files cannot be written there.
func TryWriting(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "gradtui-doctor-")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
