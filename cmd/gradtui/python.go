package main

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
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// pythonFlags say how a Python program is run.
type pythonFlags struct {
	named, engine string
	plain         bool // nothing is said besides what the program prints
	mentioned     bool // that another Python has torch
}

func (f *pythonFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.named, "python", "", "the Python to run a .py program with: a `path`, a name on the PATH\nor an environment's folder (default: the one that gradtui doctor shows)")
	c.Flags().StringVar(&f.engine, "engine", string(python.Auto), "what computes for a .py program: "+strings.Join(python.EngineNames(), ", "))
	c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(python.EngineNames(), cobra.ShellCompDirectiveNoFileComp))
}

func (f *pythonFlags) given(flags *pflag.FlagSet) bool {
	return flags.Changed("python") || flags.Changed("engine")
}

// torchBeside says, of a program that is going to run on the built-in engine because its
// Python has no torch, which other Python has it; "" if there is nothing to say. w is where
// messages go.
func torchBeside(ctx context.Context, w io.Writer, p *launch.Program) (string, error) {
	if notes(w) == io.Discard || !p.IsPython() || p.Guest != nil || p.Example {
		return "", nil
	}
	if err := p.Prepare(ctx); err != nil {
		return "", err
	}
	wanted, err := python.ParseEngine(cmp.Or(p.Engine, string(python.Auto)))
	if err != nil || p.Choice().Engine != python.Builtin || p.Python != "" || wanted.Chosen() {
		return "", err
	}
	c := python.FindTorch(ctx, p.Choice().Python.Path, false)
	if c == nil {
		return "", nil
	}
	return fmt.Sprintf("on the built-in engine, as this Python has no torch; --python %s runs it on PyTorch %s, --engine builtin leaves it as it is",
		oneLine(c.Path), oneLine(c.Interpreter.Torch)), nil
}

// mentionTorch says so, once.
func (f *pythonFlags) mentionTorch(ctx context.Context, w io.Writer, p *launch.Program) error {
	if f.mentioned {
		return nil
	}
	said, err := torchBeside(ctx, w, p)
	if said != "" {
		f.mentioned = true
		fmt.Fprintf(w, "gradtui: running %s %s\n", shortName(p.Name), said)
	}
	return err
}

// torchAdvice says how a program that the built-in engine cannot run runs on PyTorch.
func torchAdvice(ctx context.Context, p *launch.Program) string {
	own := ""
	if c := p.Choice(); c != nil {
		if t := c.Python.Interpreter.Torch; t != "" {
			return fmt.Sprintf("--engine torch runs it on PyTorch %s", oneLine(t))
		}
		own = c.Python.Path
	}
	if c := python.FindTorch(ctx, own, true); c != nil {
		return fmt.Sprintf("--engine torch --python %s runs it on PyTorch %s", oneLine(c.Path), oneLine(c.Interpreter.Torch))
	}
	return "after pip install torch, --engine torch runs it on PyTorch"
}

// lacking says so of a program that has ended because the built-in engine lacks something; ""
// if it has not.
func lacking(ctx context.Context, p *launch.Program, tape *graph.Tape, end *launch.End) string {
	if end.ExitCode == exitOK || p.Choice() == nil || p.Choice().Engine != python.Builtin {
		return ""
	}
	if failed := inspect.Failed(tape); failed == nil || tape.String(failed.Type) != unsupported {
		return ""
	}
	return torchAdvice(ctx, p)
}

// adviseTorch adds it to an error that is about the engine.
func adviseTorch(ctx context.Context, p *launch.Program, err error) error {
	if errors.Is(err, python.ErrRanks) || errors.Is(err, python.ErrTorchEngine) {
		return fmt.Errorf("%w; %s", err, torchAdvice(ctx, p))
	}
	return err
}

// describe says which Pythons there are, which one programs run in, and what
// computes for them.
func (f *pythonFlags) describe(ctx context.Context, w io.Writer) {
	var chosen *python.Candidate
	for i, c := range python.Candidates(ctx, f.named) {
		label := ""
		if i == 0 {
			label = "python"
		}
		verdict := "would be used"
		switch {
		case c.Problem != nil:
			verdict = "cannot be used: " + c.Problem.Error()
		case chosen != nil:
			verdict = "not needed"
		default:
			chosen = &c
		}
		fmt.Fprintf(w, "%-10s %s\n", label, oneLine(c.Describe()+": "+verdict))
	}
	if chosen == nil {
		fmt.Fprintf(w, "%-10s %s\n", "", python.ErrNoPython)
	}
	fmt.Fprintf(w, "engine     %s\n", oneLine(f.describeEngine(chosen)))
	if site := os.Getenv(python.SiteVariable); site != "" {
		fmt.Fprintf(w, "torch      the Python files of %s\n", oneLine(python.SiteVariable+"="+site))
	}
}

// describeEngine says what computes for programs that run in a Python, which is nil if
// there is none.
func (f *pythonFlags) describeEngine(c *python.Candidate) string {
	engine, err := python.ParseEngine(f.engine)
	if err != nil {
		return err.Error()
	}
	if c == nil {
		return "built in"
	}
	switch engine, err = engine.On(c); {
	case err != nil:
		return err.Error()
	case engine == python.Torch:
		return "PyTorch " + c.Interpreter.Torch + " itself, which is recorded"
	}
	return "built in; no PyTorch is needed"
}
