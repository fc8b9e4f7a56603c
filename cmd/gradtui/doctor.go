package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/settings"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

func doctorCommand(s cli.Streams) *cobra.Command {
	var flags target.PythonFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Show which Python, engine, tools and folders gradtui uses",
		Example: `  gradtui doctor
  gradtui doctor --python .venv       what would run with this Python`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Buffered(s.Out, func(w io.Writer) error {
				fmt.Fprintf(w, "gradtui    %s, %s/%s\n", cli.Version(), runtime.GOOS, runtime.GOARCH)
				fmt.Fprintf(w, "terminal   %s\n", terminal(s.Out))
				describePythons(cmd.Context(), w, &flags)
				fmt.Fprintf(w, "go         %s\n", goTool())
				fmt.Fprintf(w, "graphviz   built in; an installed dot is not needed\n")
				fmt.Fprintf(w, "dot        %s\n", found("dot", "-V"))
				fmt.Fprintf(w, "temporary  %s\n", writable(os.TempDir()))
				fmt.Fprintf(w, "cache      %s\n", target.Cache())
				describeSettings(w)
				return nil
			})
		},
	}
	flags.AddTo(c)
	return c
}

// describeSettings says which configuration of the debugger is read, and what is wrong with it.
func describeSettings(w io.Writer) {
	f, wrong := settings.Find()
	_, more := ui.NewSettings(f)
	said := f.Path
	if said == "" {
		said = "none"
		if path, err := settings.Default(); err == nil {
			said += "; it would be " + path
		}
	}
	fmt.Fprintf(w, "settings   %s\n", cli.OneLine(said))
	for _, err := range append(wrong, more...) {
		fmt.Fprintf(w, "%-10s %s\n", "", cli.OneLine(err.Error()))
	}
}

func terminal(out io.Writer) string {
	if !cli.IsTerminal(out) {
		return "no: the output is redirected"
	}
	t := "yes, TERM=" + os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" {
		t += ", NO_COLOR is set"
	}
	return cli.OneLine(t)
}

func goTool() string {
	out, err := exec.Command("go", "version").Output()
	if err != nil {
		return "not found (needed to run Go programs)"
	}
	return cli.OneLine(strings.TrimSpace(string(out)))
}

// found says which version of a program is installed.
func found(name string, flag string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return "not installed (not needed)"
	}
	out, _ := exec.Command(path, flag).CombinedOutput()
	return cli.OneLine(path + ", " + strings.TrimSpace(string(out)))
}

// writable says whether files can be made in a directory.
func writable(dir string) string {
	if err := target.TryWriting(dir); err != nil {
		return cli.OneLine(fmt.Sprintf("not writable: %v", err))
	}
	return cli.OneLine(dir + ", writable")
}

// describe says which Pythons there are, which one programs run in, and what
// computes for them.
func describePythons(ctx context.Context, w io.Writer, f *target.PythonFlags) {
	var chosen *python.Candidate
	for i, c := range python.Candidates(ctx, f.Name) {
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
		fmt.Fprintf(w, "%-10s %s\n", label, cli.OneLine(c.Describe()+": "+verdict))
	}
	if chosen == nil {
		fmt.Fprintf(w, "%-10s %s\n", "", python.ErrNoPython)
	}
	fmt.Fprintf(w, "engine     %s\n", cli.OneLine(describeEngine(f, chosen)))
	if dir := os.Getenv(python.FilesVariable); dir != "" {
		fmt.Fprintf(w, "torch      the Python files of %s\n", cli.OneLine(python.FilesVariable+"="+dir))
	}
}

// describeEngine says what computes for programs that run in a Python, which is nil if
// there is none.
func describeEngine(f *target.PythonFlags, c *python.Candidate) string {
	engine, err := python.ParseEngine(f.Engine)
	if err != nil {
		return err.Error()
	}
	if c == nil {
		return "built in"
	}
	switch engine, err = engine.On(c); {
	case err != nil:
		return err.Error()
	case engine == python.PyTorch:
		return "PyTorch " + c.Interpreter.Torch + ", recorded"
	}
	return "built in (PyTorch is not needed)"
}
