package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// What became of a program whose derivative was compared with central differences.
const (
	agree     = "agree"
	differ    = "differ"
	gaps      = "not followed"      // the audit says so
	within    = "create_graph"      // which the audit does not judge
	several   = "several passes"    // the step has no single loss
	changing  = "not deterministic" // two runs have different losses
	failed    = "did not run"       // for example, not in double precision
	unreached = "no loss"           // run again, the program does not come to the step
	close64   = 1e-5                // the relative difference that central differences allow
	moved     = 1e-6                // STEP of truth.py
)

// double is put before a program: what it makes in single precision is made in double precision.
const double = "import torch; torch.set_default_dtype(torch.float64); torch.float = torch.float32 = torch.float64; torch.Tensor.float = lambda t: t.to(torch.float64); "

// along is the direction of a leaf; truth.py takes the same one.
func along(w []float64) []float64 {
	v := make([]float64, len(w))
	for i, x := range w {
		v[i] = math.Cos(7*x + float64(i))
	}
	return v
}

// A rerun runs programs again with moved leaves: truth.py.
type rerun struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

func startRerun(python string) (*rerun, error) {
	cmd := exec.Command(python, "-W", "ignore", "bench/audit/truth.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &rerun{in, bufio.NewReader(out), cmd}, cmd.Start()
}

// losses asks truth.py for the losses of a program.
func (r *rerun) losses(file string, stack []int) (list []*float64, err error) {
	request, err := json.Marshal(map[string]any{"file": file, "stack": stack})
	if err != nil {
		return nil, err
	}
	if _, err := r.in.Write(append(request, '\n')); err != nil {
		return nil, err
	}
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return list, json.Unmarshal(line, &list)
}

// truth compares the audit's derivatives of programs with central differences.
func (c *command) truth(w io.Writer, python string, files []string, dir string, verbose bool) error {
	r, err := startRerun(python)
	if err != nil {
		return err
	}
	defer func() {
		r.in.Close()
		r.cmd.Wait()
	}()
	counts := map[string]int{}
	for i, file := range files {
		what, more := c.compare(r, file, filepath.Join(dir, fmt.Sprint(i)))
		counts[what]++
		if verbose || what == differ {
			fmt.Fprintf(w, "%s: %s %s\n", filepath.Base(file), what, more)
		}
	}
	for _, what := range []string{agree, differ, gaps, within, several, changing, failed, unreached} {
		fmt.Fprintf(w, "%4d %s\n", counts[what], what)
	}
	return nil
}

func (c *command) compare(r *rerun, file, dir string) (what, more string) {
	defer func() {
		if p := recover(); p != nil {
			what, more = differ, fmt.Sprint("panic: ", p)
		}
	}()
	text, err := os.ReadFile(file)
	if err := errors.Join(err, os.Mkdir(dir, 0o700)); err != nil {
		return failed, err.Error()
	}
	file = filepath.Join(dir, filepath.Base(file))
	if err := os.WriteFile(file, append([]byte(double), text...), 0o600); err != nil {
		return failed, err.Error()
	}
	tape, err := c.record(file)
	if err != nil {
		return failed, lastLine(err.Error())
	}
	a, err := audit.Run(inspect.ReadHistory(tape, tape.Len(), inspect.Options{}), audit.Options{Step: 1, Directions: 1, Along: along})
	switch {
	case err != nil:
		return failed, err.Error()
	case a.Within:
		return within, ""
	case passes(tape, a.Step) > 1:
		return several, ""
	}
	losses, err := r.losses(file, stackAt(tape, a.Step, file))
	switch {
	case err != nil:
		return failed, err.Error()
	case losses[0] == nil || losses[1] == nil || losses[2] == nil || losses[3] == nil:
		return unreached, ""
	case *losses[0] != *losses[1]:
		return changing, ""
	}
	d, want := a.Derivative[0], (*losses[2]-*losses[3])/(2*moved)
	size := max(math.Abs(d), math.Abs(want), 1e-3*a.Size[0])
	more = fmt.Sprintf("D = %.9g, central differences %.9g", d, want)
	switch {
	case math.Abs(d-want) <= close64*size:
		return agree, more
	case len(a.Gaps) > 0:
		return gaps, more
	}
	return differ, more
}

// passes is how many backward passes a step has.
func passes(tape *graph.Tape, step audit.Step) (n int) {
	dec := tape.NewDecoder()
	for p := step.Begin; p < step.End; p++ {
		_, e, err := dec.Brief(p)
		if b, ok := e.(*graph.BackwardBegan); err == nil && ok && b.Flags&graph.GradOnly == 0 {
			n++
		}
	}
	return n
}

// stackAt returns the lines of a program at which a step begins, from the outermost call.
func stackAt(tape *graph.Tape, step audit.Step, file string) (lines []int) {
	dec := tape.NewDecoder()
	for p := step.Begin; p < step.End && len(lines) == 0; p++ {
		h, _, err := dec.Brief(p)
		if err != nil || h.Stack == 0 {
			continue
		}
		for _, f := range tape.Stack(h.Stack) {
			if filepath.Base(f.File) == filepath.Base(file) {
				lines = append([]int{f.Line}, lines...)
			}
		}
	}
	return lines
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
