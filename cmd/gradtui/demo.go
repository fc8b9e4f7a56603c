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

	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

func demoCommand(s streams) *cobra.Command {
	var d demo
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Run a built-in program and look at its graph",
		Long: `Without a name, demo lists the built-in programs, and in a terminal asks which one
to run. The program runs in the debugger; without a terminal, or with --plain, demo
prints what it did and the graph of its newest backward pass. Nothing needs to be
installed.`,
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
			d.streams = s
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
	d.keep.add(c, "also write the tape to this `file`")
	d.add(c)
	c.Flags().BoolVar(&d.plain, "plain", false, "print what it did, instead of opening the debugger")
	return c
}

// A demo is one call of the command.
type demo struct {
	streams
	debugger
	keep  kept
	plain bool
}

// choose lists the programs and asks for one. Without a terminal, or without an
// answer, there is none.
func (d *demo) choose() (string, error) {
	fmt.Fprintln(d.out, "Built-in programs:")
	w := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
	for i, e := range examples.All {
		fmt.Fprintf(w, "  %d\t%s\t%s\n", i+1, e.Name, e.About)
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	if !isTerminal(d.in) || !isTerminal(d.out) {
		fmt.Fprintln(d.out, "\n"+self()+" demo NAME runs one. Their sources are in examples/.")
		return "", nil
	}
	fmt.Fprint(d.out, "\nWhich one (number or name; empty to leave)? ")
	line, err := bufio.NewReader(d.in).ReadString('\n')
	answer := strings.TrimSpace(line)
	if err != nil && answer == "" {
		fmt.Fprintln(d.out)
		return "", nil
	}
	if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(examples.All) {
		answer = examples.All[n-1].Name
	}
	return answer, nil
}

func (d *demo) run(ctx context.Context, name string) error {
	program := launch.Program{Name: name, Example: true, Stdout: d.out, Stderr: printer{d.out}}
	if err := program.Check(); err != nil {
		return err
	}
	e, _ := examples.Find(name)
	if !d.plain && d.wanted(d.streams) {
		_, err := d.debugger.run(ctx, d.streams, program, graph.Limits{}, d.keep)
		return err
	}
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(program.Info())
	end, err := d.keep.while(ctx, tape, &program, func() (*finished, error) {
		fmt.Fprintf(d.out, "── %s: %s\n", e.Name, e.About)
		end, err := program.Run(ctx, tape)
		if err != nil {
			return nil, err
		}
		return finish(tape, end), nil
	})
	if err != nil {
		return err
	}
	if end.Failed != nil && !e.Fails {
		return fmt.Errorf("the demo failed, which it should not: %w", end.Failed)
	}
	fmt.Fprintln(d.out, "\n── recorded")
	summarize(d.out, tape, d.keep.path)
	fmt.Fprintln(d.out, "\n── the graph of the newest backward pass")
	g := tape.CursorAt(tape.Len()).Graph()
	if _, err := writeGraph(ctx, d.out, g, export.Text, export.Options{Style: export.Full, Depth: demoDepth}); err != nil {
		return err
	}
	fmt.Fprintf(d.out, "\nLook at %s.\n", e.Look)
	d.next(name)
	return nil
}

// demoDepth keeps the graph on a screen.
const demoDepth = 12

// next says how to go on.
func (d *demo) next(name string) {
	file := d.keep.path
	if file == "" {
		file = name + ".tape"
		fmt.Fprintf(d.out, "Next: %s demo %s -o %s\n      ", self(), name, file)
	} else {
		fmt.Fprint(d.out, "Next: ")
	}
	fmt.Fprintf(d.out, "%s export %s -o %s.svg\n", self(), file, name)
}

// self is how the user calls this command: go run leaves its binary in a
// directory of its own.
func self() string {
	if path, err := os.Executable(); err == nil && strings.Contains(path, "go-build") {
		return "go run ./cmd/gradtui"
	}
	return "gradtui"
}
