package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/checks"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/debugger"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/draw"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

func demoCommand(s cli.Streams) *cobra.Command {
	var d demo
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Run a built-in program and look at its graph",
		Long: `Without a name, demo lists the built-in programs and, in a terminal, asks which one
to run. The program runs in the debugger; without a terminal, or with --plain, demo
prints what the program did and the graph of its newest backward pass. Nothing needs
to be installed.`,
		Example: `  gradtui demo
  gradtui demo inplace
  gradtui demo lesson -o lesson.tape       keep the tape, for gradtui export`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, e := range examples.All {
				names = append(names, e.Name+"\t"+e.About)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			d.Streams = s
			name := ""
			if len(args) == 1 {
				name = args[0]
			} else {
				var err error
				if name, err = d.choose(); name == "" || err != nil {
					return err
				}
			}
			return d.run(cmd.Context(), name)
		},
	}
	d.keep.AddTo(c, "also write the tape to this `file`")
	d.AddTo(c)
	c.Flags().BoolVar(&d.plain, "plain", false, "print what the program did instead of opening the debugger")
	return c
}

// A demo is one call of the command.
type demo struct {
	cli.Streams
	debugger.Flags
	keep  target.TapeFile
	plain bool
}

// choose lists the programs and asks for one. Without a terminal, or without an
// answer, there is none.
func (d *demo) choose() (string, error) {
	fmt.Fprintln(d.Out, "Built-in programs:")
	w := tabwriter.NewWriter(d.Out, 0, 0, 2, ' ', 0)
	for i, e := range examples.All {
		fmt.Fprintf(w, "  %d\t%s\t%s\n", i+1, e.Name, e.About)
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	if !cli.IsTerminal(d.In) || !cli.IsTerminal(d.Out) {
		fmt.Fprintln(d.Out, "\n"+self()+" demo NAME runs one. Their sources are in examples/.")
		return "", nil
	}
	fmt.Fprint(d.Out, "\nWhich one (number or name; empty to leave)? ")
	line, err := bufio.NewReader(d.In).ReadString('\n')
	answer := strings.TrimSpace(line)
	if err != nil && answer == "" {
		fmt.Fprintln(d.Out)
		return "", nil
	}
	if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(examples.All) {
		answer = examples.All[n-1].Name
	}
	return answer, nil
}

func (d *demo) run(ctx context.Context, name string) error {
	program := launch.Program{Name: name, Example: true, Stdout: d.Out, Stderr: cli.Printer{W: d.Out}}
	if err := program.Check(); err != nil {
		return err
	}
	e, _ := examples.Find(name)
	if !d.plain && d.Wanted(d.Streams) {
		_, err := d.Flags.Run(ctx, d.Streams, program, graph.Limits{}, d.keep)
		return err
	}
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(program.Info())
	end, err := d.keep.While(ctx, tape, &program, func() (*target.Finished, error) {
		fmt.Fprintf(d.Out, "── %s: %s\n", e.Name, e.About)
		end, err := program.Run(ctx, tape)
		if err != nil {
			return nil, err
		}
		return target.Finish(tape, end), nil
	})
	if err != nil {
		return err
	}
	if end.Failed != nil && !e.Fails {
		return fmt.Errorf("internal error: the demo failed: %w", end.Failed)
	}
	fmt.Fprintln(d.Out, "\n── recorded")
	checks.Summarize(d.Out, tape, d.keep.Path)
	fmt.Fprintln(d.Out, "\n── the graph of the newest backward pass")
	g := tape.CursorAt(tape.Len()).Graph()
	if _, err := draw.Write(ctx, d.Out, g, export.Text, export.Options{Style: export.Full, Depth: demoDepth}); err != nil {
		return err
	}
	fmt.Fprintf(d.Out, "\nLook at %s.\n", e.Look)
	d.next(name)
	return nil
}

// demoDepth keeps the graph on a screen.
const demoDepth = 12

// next prints what the user can do next.
func (d *demo) next(name string) {
	file := d.keep.Path
	if file == "" {
		file = name + ".tape"
		fmt.Fprintf(d.Out, "Next: %s demo %s -o %s\n      ", self(), name, file)
	} else {
		fmt.Fprint(d.Out, "Next: ")
	}
	fmt.Fprintf(d.Out, "%s export %s -o %s.svg\n", self(), file, name)
}

// self is how the user calls this command: go run leaves its binary in a
// directory of its own.
func self() string {
	if path, err := os.Executable(); err == nil && strings.Contains(path, "go-build") {
		return "go run ./cmd/gradtui"
	}
	return "gradtui"
}
