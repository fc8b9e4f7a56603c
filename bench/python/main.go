// Command python measures Python programs on the built-in engine: what a small
// operation costs, how long a program takes to start, and, if one is named, how
// long a whole program runs. If a Python has torch, PyTorch does the same, turn by
// turn in one run.
//
//	go run ./bench/python
//	go run ./bench/python -torch /usr/bin/python3 -program capture/python/testdata/lesson/lesson.py
//
// Absolute numbers depend on the machine and on what else it does; look at the
// ratios of one run. Both sides are the best of all rounds.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/graph"
)

//go:embed ops.py
var operations string

// What we want to reach.
const (
	targetOperation = 25.0                   // µs an operation costs
	targetStart     = 500 * time.Millisecond // until the first line runs
)

func main() {
	torch := flag.String("torch", "", "a Python that has torch, to compare with")
	interpreter := flag.String("python", "", "the Python for the built-in engine (default: the one that gradtui finds)")
	program := flag.String("program", "", "a whole program to run on both sides")
	rounds := flag.Int("rounds", 3, "how often everything is measured")
	flag.Parse()
	if err := run(*torch, *interpreter, *program, max(*rounds, 1)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A side runs a Python program and gives its output to a function, line by line.
type side struct {
	name string
	run  func(path string, line func(string)) error
}

func builtin(interpreter string) side {
	return side{"built-in engine", func(path string, line func(string)) error {
		return lines(line, func(out io.Writer) error {
			p := python.Program{Path: path, Python: interpreter, Stdout: out, Stderr: os.Stderr}
			run, err := p.Run(context.Background(), graph.NewTape(graph.Limits{}))
			if err == nil && run.ExitCode != 0 {
				err = fmt.Errorf("%s ended with code %d", path, run.ExitCode)
			}
			return err
		})
	}}
}

func pytorch(interpreter string) side {
	return side{"PyTorch", func(path string, line func(string)) error {
		return lines(line, func(out io.Writer) error {
			cmd := exec.Command(interpreter, path)
			cmd.Stdout, cmd.Stderr = out, os.Stderr
			cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
			return cmd.Run()
		})
	}}
}

// lines calls f for each line that a program writes.
func lines(f func(string), program func(io.Writer) error) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		for s := bufio.NewScanner(r); s.Scan(); {
			f(s.Text())
		}
		close(done)
	}()
	err = program(w)
	w.Close()
	<-done
	r.Close()
	return err
}

func run(torch, interpreter, program string, rounds int) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ops, hello := filepath.Join(dir, "ops.py"), filepath.Join(dir, "hello.py")
	err = errors.Join(os.WriteFile(ops, []byte(operations), 0o600), os.WriteFile(hello, []byte("print()\nimport torch\nprint()\n"), 0o600))
	if err != nil {
		return err
	}
	sides := []side{builtin(interpreter)}
	if torch != "" {
		sides = append(sides, pytorch(torch))
	}
	best := make([]map[string]float64, len(sides))
	var order []string
	for round := range rounds {
		for i, s := range sides {
			if round == 0 {
				best[i] = map[string]float64{}
			}
			note := func(name string, x float64) {
				old, known := best[i][name]
				if !known && i == 0 {
					order = append(order, name)
				}
				if !known || x < old {
					best[i][name] = x
				}
			}
			if err := measure(s, ops, hello, program, note); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	report(sides, order, best)
	return nil
}

// The names of measurements that are not operations, with their units.
const (
	firstLine = "until the first line runs, ms"
	imported  = "until torch is imported, ms"
	whole     = "the whole program, s"
)

func measure(s side, ops, hello, program string, note func(string, float64)) error {
	err := s.run(ops, func(line string) {
		if name, number, ok := strings.Cut(line, "\t"); ok {
			if x, err := strconv.ParseFloat(number, 64); err == nil {
				note(name+", µs", x)
			}
		}
	})
	if err != nil {
		return err
	}
	began, names := time.Now(), []string{firstLine, imported}
	err = s.run(hello, func(string) {
		if len(names) > 0 {
			note(names[0], float64(time.Since(began))/float64(time.Millisecond))
			names = names[1:]
		}
	})
	if err != nil || program == "" {
		return err
	}
	began = time.Now()
	err = s.run(program, func(string) {})
	note(whole, time.Since(began).Seconds())
	return err
}

func report(sides []side, order []string, best []map[string]float64) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t")
	for _, s := range sides {
		fmt.Fprintf(w, "%s\t", s.name)
	}
	if len(sides) > 1 {
		fmt.Fprint(w, "ratio\t")
	}
	fmt.Fprintln(w)
	slowest := 0.0
	for _, name := range order {
		fmt.Fprintf(w, "%s\t", name)
		for i := range sides {
			fmt.Fprintf(w, "%.2f\t", best[i][name])
		}
		if len(sides) > 1 {
			fmt.Fprintf(w, "%.2f\t", best[0][name]/best[1][name])
		}
		fmt.Fprintln(w)
		if strings.HasSuffix(name, ", µs") && !strings.HasPrefix(name, "a step") {
			slowest = max(slowest, best[0][name])
		}
	}
	w.Flush()
	verdict("an operation costs at most", slowest, "µs", targetOperation)
	verdict("the first line runs after", best[0][firstLine], "ms", float64(targetStart/time.Millisecond))
}

func verdict(what string, x float64, unit string, target float64) {
	reached := "reached"
	if x > target {
		reached = "not reached"
	}
	fmt.Printf("%s %.1f %s; the target, %.0f %s, is %s\n", what, x, unit, target, unit, reached)
}
