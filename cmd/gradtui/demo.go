package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
)

func demoCommand(s streams) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Run a built-in program and look at its graph",
		Long: `Without a name, demo lists the built-in programs. With one it runs the program,
shows what it printed, what was recorded, and the graph of its newest backward
pass. Nothing needs to be installed.`,
		Example: `  gradtui demo
  gradtui demo lesson
  gradtui demo inplace -o inplace.tape   keep the tape, for gradtui export`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, e := range examples.All {
				names = append(names, e.Name+"\t"+e.About)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listDemos(s.out)
			}
			return runDemo(cmd.Context(), s, args[0], output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "also write the tape to this `file`")
	return c
}

func listDemos(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, e := range examples.All {
		fmt.Fprintf(w, "  %s\t%s\n", e.Name, e.About)
	}
	fmt.Fprintln(out, "Built-in programs (gradtui demo NAME):")
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nTheir sources are in examples/.")
	return nil
}

// demoTape runs a built-in program and returns its tape and how it ended.
func demoTape(e examples.Example, out io.Writer) (*graph.Tape, error) {
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(graph.Info{Engine: "builtin", Program: "examples/" + e.Name})
	before := autograd.OnWarning
	autograd.OnWarning = func(w autograd.Warning) { fmt.Fprintf(out, "%s: %s\n", w.Category, w.Text) }
	defer func() { autograd.OnWarning = before }()
	err := capture.Local(tape, examples.Source, func() error { return e.Run(out) })
	return tape, err
}

func runDemo(ctx context.Context, s streams, name, output string) error {
	e, ok := examples.Find(name)
	if !ok {
		var names []string
		for _, e := range examples.All {
			names = append(names, e.Name)
		}
		return fmt.Errorf("no demo is called %q; there are %s", name, strings.Join(names, ", "))
	}
	fmt.Fprintf(s.out, "── %s: %s\n", e.Name, e.About)
	tape, err := demoTape(e, s.out)
	if err != nil {
		fmt.Fprintln(s.out, printable(err.Error()))
		if !e.Fails {
			return fmt.Errorf("the demo failed, which it should not: %w", err)
		}
	}
	if output != "" {
		if err := tapefile.Write(output, tape); err != nil {
			return err
		}
	}
	g := tape.CursorAt(tape.Len()).Graph()
	fmt.Fprintf(s.out, "\n── recorded\n%s\n", inspect.Summarize(g))
	fmt.Fprintf(s.out, "\n── the graph of the newest backward pass\n")
	if _, err := export.Write(ctx, s.out, g, export.Text, export.Options{Style: export.Full}); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nLook at %s.\n", e.Look)
	if output == "" {
		output = name + ".tape"
		fmt.Fprintf(s.out, "Next: gradtui demo %s -o %s\n", name, output)
	} else {
		fmt.Fprintln(s.out, "Next:")
	}
	fmt.Fprintf(s.out, "      gradtui export %s -o %s.svg\n", output, name)
	return nil
}
