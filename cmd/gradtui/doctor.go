package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gradtui/gradtui/capture/python"
)

func doctorCommand(s streams) *cobra.Command {
	var flags pythonFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers to gradtui",
		Example: `  gradtui doctor
  gradtui doctor --python .venv       what would run with this Python`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return buffered(s.out, func(w io.Writer) error {
				fmt.Fprintf(w, "gradtui    %s, %s/%s\n", version(), runtime.GOOS, runtime.GOARCH)
				fmt.Fprintf(w, "terminal   %s\n", terminal(s.out))
				flags.describe(cmd.Context(), w)
				fmt.Fprintf(w, "go         %s\n", goTool())
				fmt.Fprintf(w, "graphviz   built in; pictures are drawn without an installed dot\n")
				fmt.Fprintf(w, "dot        %s\n", found("dot", "-V"))
				fmt.Fprintf(w, "temporary  %s\n", writable(os.TempDir()))
				fmt.Fprintf(w, "cache      %s\n", cache())
				return nil
			})
		},
	}
	flags.add(c)
	return c
}

func terminal(out io.Writer) string {
	if !isTerminal(out) {
		return "no: the output is redirected"
	}
	t := "yes, TERM=" + os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" {
		t += ", NO_COLOR is set"
	}
	return oneLine(t)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func goTool() string {
	out, err := exec.Command("go", "version").Output()
	if err != nil {
		return "not found: running Go programs (gradtui run ./pkg) needs it"
	}
	return oneLine(strings.TrimSpace(string(out)))
}

// found says which version of a program is installed.
func found(name string, flag string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return "not installed (not needed)"
	}
	out, _ := exec.Command(path, flag).CombinedOutput()
	return oneLine(path + ", " + strings.TrimSpace(string(out)))
}

// cache says where the files that Python programs need are unpacked to.
func cache() string {
	dir, err := python.TrustedCache()
	if err == nil {
		err = tryWriting(dir)
	}
	if err != nil {
		return oneLine(fmt.Sprintf("none: %v; what Python programs need is unpacked for each run", err))
	}
	return oneLine(dir + ", writable")
}

// writable says whether files can be made in a directory.
func writable(dir string) string {
	if err := tryWriting(dir); err != nil {
		return oneLine(fmt.Sprintf("cannot be written: %v", err))
	}
	return oneLine(dir + ", writable")
}

func tryWriting(dir string) error {
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
