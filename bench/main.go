// Command bench compares the engine with PyTorch eager on this machine: the same
// small programs on both sides, turn by turn in one run, and the ratio of their
// rates. It also has a table for larger tensors, where the engine is slower.
//
//	go run ./bench                      the engine alone, if no Python has torch
//	go run ./bench -python /usr/bin/python3
//
// Absolute numbers depend on the machine and on what else it does; the ratios of
// one run are what to look at. Both sides use one thread.
package main

import (
	"bufio"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

//go:embed torch_side.py
var torchSide string

func main() {
	python := flag.String("python", "", "a Python that has torch (default: python3, then /usr/bin/python3)")
	rounds := flag.Int("rounds", 5, "how often each program is measured on each side")
	seconds := flag.Float64("seconds", 0.3, "how long a measurement takes")
	flag.Parse()
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))) // one for the program, one for the collector

	peer := findTorch(*python)
	if peer == nil {
		fmt.Println("No Python with torch was found: the engine alone (-python names one).")
	} else {
		defer peer.close()
		fmt.Println("Compared with PyTorch", peer.version)
	}
	m := &measure{peer: peer, rounds: *rounds, budget: time.Duration(*seconds * float64(time.Second))}
	fmt.Println("\nSmall tensors, forward and backward:")
	m.table(small)
	fmt.Println("\nLarger tensors, forward and backward:")
	m.table(large)
}

type measure struct {
	peer   *torchProcess
	rounds int
	budget time.Duration
}

func (m *measure) table(programs []program) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tops\tengine µs/op\twith tape µs/op\tPyTorch µs/op\tPyTorch / engine\tPyTorch / with tape\t")
	for _, p := range programs {
		bare, taped, torch := make([]float64, m.rounds), make([]float64, m.rounds), make([]float64, m.rounds)
		toBare, toTaped := make([]float64, m.rounds), make([]float64, m.rounds)
		run := p.setup()
		for i := range m.rounds {
			bare[i] = m.rate(run, p.ops, false)
			if m.peer != nil {
				torch[i] = m.peer.measure(p.name, m.budget)
			}
			taped[i] = m.rate(run, p.ops, true)
			toBare[i], toTaped[i] = torch[i]/bare[i], torch[i]/taped[i]
		}
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t", p.name, p.ops, median(bare), median(taped))
		if m.peer == nil {
			fmt.Fprintln(w, "-\t-\t-\t")
			continue
		}
		fmt.Fprintf(w, "%.2f\t%s\t%s\t\n", median(torch), spread(toBare), spread(toTaped))
	}
	w.Flush()
}

// rate runs a program over and over and returns the microseconds per op.
func (m *measure) rate(run func() error, ops int, tape bool) float64 {
	n := 0
	start := time.Now()
	for time.Since(start) < m.budget {
		stop := func() {}
		if tape {
			_, stop = autograd.Record(graph.NewTape(graph.Limits{}))
		}
		for range 20 {
			if err := run(); err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
				os.Exit(1)
			}
			n++
			if time.Since(start) > m.budget {
				break
			}
		}
		stop()
	}
	return float64(time.Since(start).Microseconds()) / float64(n*ops)
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

func spread(ratios []float64) string {
	return fmt.Sprintf("%.1fx (%.1f to %.1f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
}

// A torchProcess is a Python that measures programs on request.
type torchProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	version string
}

func findTorch(python string) *torchProcess {
	candidates := []string{"python3", "/usr/bin/python3"}
	if python != "" {
		candidates = []string{python}
	}
	for _, c := range candidates {
		if p := startTorch(c); p != nil {
			return p
		}
	}
	return nil
}

func startTorch(python string) *torchProcess {
	cmd := exec.Command(python, "-W", "ignore", "-c", torchSide)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	p := &torchProcess{cmd: cmd, in: in, out: bufio.NewReader(out)}
	version, err := p.out.ReadString('\n')
	if err != nil {
		cmd.Wait()
		return nil
	}
	p.version = strings.TrimSpace(version)
	return p
}

// measure asks for the microseconds per op of a program.
func (p *torchProcess) measure(name string, budget time.Duration) float64 {
	fmt.Fprintln(p.in, name, budget.Seconds())
	line, err := p.out.ReadString('\n')
	us, perr := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if err != nil || perr != nil {
		fmt.Fprintf(os.Stderr, "bench: PyTorch's side answered %q\n", line)
		os.Exit(1)
	}
	return us
}

func (p *torchProcess) close() {
	p.in.Close()
	p.cmd.Wait()
}
