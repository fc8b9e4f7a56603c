// Command audit measures the audit of gradients: gradtui audit.
//
//	go run ./bench/audit                                                  # programs that lie about their gradients
//	go run ./bench/audit -engine torch -python tools/pytorch/python-torch-2.6
//
// The table has a row for each half of the programs; -v lists the wrong answers of the half for work:
//
//	found   how often the verdict is right: gradient-lost, gradient-wrong, or a hook with its size
//	line    how often the place that is named first is a line to blame
//	named   how often such a line is in the report
//	exact   how often the audit finds nothing in the counterpart, which does not lie
//	right   found, line and exact
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"text/tabwriter"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/testing/jobs"
	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

func main() {
	var c command
	flag.StringVar(&c.path, "gradtui", "", "the command that records (default: the one of this source tree)")
	flag.StringVar(&c.engine, "engine", "builtin", "the engine: builtin or torch")
	flag.StringVar(&c.python, "python", "", "the Python of the programs (default: the one that gradtui chooses)")
	flag.IntVar(&c.jobs, "jobs", 2, "how many programs are audited at the same time")
	verbose := flag.Bool("v", false, "list the wrong answers of the half for work")
	truth := flag.String("truth", "", "compare the derivatives with central differences, computed by this `python` that has PyTorch")
	cost := flag.String("cost", "", "measure the time of the audit, of a step and of gradcheck with this `python` that has PyTorch")
	flag.Parse()
	if err := run(&c, *truth, *cost, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

func run(c *command, truth, cost string, verbose bool) error {
	tmp, err := os.MkdirTemp("", "gradtui-audit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if c.path == "" {
		if c.path, err = thiscommand.Build(tmp); err != nil {
			return err
		}
	}
	if cost != "" {
		models := flag.Args()
		if len(models) == 0 {
			models = []string{"mlp", "transformer", "cnn"}
		}
		c.engine, c.python = "torch", cost
		return c.cost(os.Stdout, cost, models)
	}
	if truth != "" {
		files := flag.Args()
		if len(files) == 0 {
			if files, err = filepath.Glob("bench/diagnosis/programs/*.py"); err != nil {
				return err
			}
		}
		return c.truth(os.Stdout, truth, files, tmp, verbose)
	}
	list, err := programs("bench/audit/programs", c.engine)
	if err != nil {
		return err
	}
	answers := c.askAll(list, tmp)
	printScores(os.Stdout, list, answers)
	for i, p := range list {
		if a := answers[i]; verbose && !p.aside() && !a.right() {
			fmt.Printf("%s: want %s at %v, got %s\n\tcounterpart: %s\n", p.name, p.want, p.lines, a.said, a.good)
		}
	}
	return nil
}

// A command runs gradtui record.
type command struct {
	path           string
	engine, python string // flags; no python leaves the choice to gradtui
	jobs           int    // how many programs are recorded at the same time
	auditing       sync.Mutex
}

// askAll returns an answer for each program. One that cannot be recorded or audited has one without anything right.
func (c *command) askAll(list []*program, dir string) []*answer {
	answers, fails := make([]*answer, len(list)), make([]error, len(list))
	jobs.Each(len(list), c.jobs, func(i int) { answers[i], fails[i] = c.try(list[i], dir) })
	for i, err := range fails {
		if err != nil {
			answers[i] = &answer{said: err.Error()}
		}
		if err != nil && list[i].aside() {
			answers[i].said = "a program of the half aside could not be audited"
		}
	}
	return answers
}

// try asks about a program; a panic of the audit is an error, so that the others are measured.
func (c *command) try(p *program, dir string) (a *answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: panic: %v", p.name, r)
		}
	}()
	return c.ask(p, dir)
}

// audit writes a program, records it and audits its first step. The lines that the report names come in its order:
// for a change, the line of the operation or hook, then the one where its backward ran; then cuts, by their size, without
// those that are on purpose.
func (c *command) audit(file, text string) (*audit.Result, []int, error) {
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, nil, err
	}
	tape, err := c.record(file)
	if err != nil {
		return nil, nil, err
	}
	c.auditing.Lock()
	defer c.auditing.Unlock()
	r, err := audit.Run(inspect.ReadHistory(tape, tape.Len(), inspect.Options{}), audit.Options{Step: 1, Directions: 4})
	if err != nil {
		return nil, nil, err
	}
	var lines []int
	for _, x := range r.Changes {
		lines = append(lines, x.Frame.Line)
		if x.Backward.File != "" {
			lines = append(lines, x.Backward.Line)
		}
	}
	for _, x := range r.CutsBySize() {
		if !x.OnPurpose() {
			lines = append(lines, x.Frame.Line)
		}
	}
	return r, lines, nil
}

// record runs a program with all elements of its tensors on the tape.
func (c *command) record(file string, arguments ...string) (*graph.Tape, error) {
	dir, err := os.MkdirTemp("", "gradtui-audit-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "run.tape")
	flags := []string{"record", file, "-o", out, "--values", "full", "--engine", c.engine}
	if c.python != "" {
		flags = append(flags, "--python", c.python)
	}
	said, err := exec.Command(c.path, append(flags, arguments...)...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	r, err := tapefile.OpenReader(out, tapefile.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	tape, report, err := r.All()
	return tape, errors.Join(err, report.Damage)
}

// printScores prints a row for each half.
func printScores(w io.Writer, list []*program, answers []*answer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer t.Flush()
	fmt.Fprintln(t, "half\tprograms\tfound\tline\tnamed\texact\tright\t")
	for _, half := range []string{"work", "aside"} {
		var n, found, line, named, exact, right int
		for i, p := range list {
			if p.aside() != (half == "aside") {
				continue
			}
			a := answers[i]
			n++
			count(&found, a.found)
			count(&line, a.line)
			count(&named, a.named)
			count(&exact, a.exact)
			count(&right, a.right())
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", half, n, found, line, named, exact, right)
	}
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}
