// Command bench compares the engine with PyTorch eager on this machine: the same
// small programs on both sides, turn by turn in one run, and the ratio of their
// rates. It also has a table for larger tensors, where PyTorch's kernels show.
//
//	go run ./bench                      the engine alone, if no Python has torch
//	go run ./bench -python /usr/bin/python3
//
// Absolute numbers depend on the machine and on what else it does; the ratios of
// one run are what to look at. Each ratio compares the medians over all rounds;
// after it are the lowest and the highest of a single round. Both sides compute
// on one thread. Beside the engine, Go's collector may use a second one while
// small tensors are measured; with the larger ones everything of Go shares one.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

// target is how many times PyTorch's op rate the engine is to reach with small
// tensors while it writes a tape.
const target = 5.0

func main() {
	python := flag.String("python", "", "a Python that has torch, with arguments if need be (default: python3, then /usr/bin/python3)")
	rounds := flag.Int("rounds", 7, "how often each program is measured on each side")
	seconds := flag.Float64("seconds", 0.3, "how long a measurement takes")
	flag.Parse()

	peer := findTorch(*python)
	if peer == nil {
		fmt.Println("No Python with torch was found: the engine alone (-python names one).")
	} else {
		defer peer.close()
		fmt.Printf("Compared with PyTorch %s on one thread.\n", peer.version)
	}
	m := &measure{peer: peer, rounds: max(*rounds, 1), budget: time.Duration(*seconds * float64(time.Second))}

	fmt.Println("\nSmall tensors, forward and backward:")
	runtime.GOMAXPROCS(2)
	results := m.table(small)
	if peer != nil {
		fmt.Println(verdict(results))
	}
	fmt.Println("\nLarger tensors, forward and backward:")
	runtime.GOMAXPROCS(1)
	results = m.table(large)
	if peer != nil {
		fmt.Println(slower(results))
	}
}

type measure struct {
	peer   *torchProcess
	rounds int
	budget time.Duration
}

// A result holds the microseconds per op of a program, one number for each round.
type result struct {
	program            string
	bare, taped, torch []float64
}

func (m *measure) table(programs []program) (results []result) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tops\tengine µs/op\twith tape µs/op\tPyTorch µs/op\tPyTorch / engine\tPyTorch / with tape\t")
	for _, p := range programs {
		r := m.program(p)
		results = append(results, r)
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t", p.name, p.ops, median(r.bare), median(r.taped))
		if m.peer == nil {
			fmt.Fprintln(w, "-\t-\t-\t")
			continue
		}
		fmt.Fprintf(w, "%.2f\t%s\t%s\t\n", median(r.torch), spread(r.torch, r.bare), spread(r.torch, r.taped))
	}
	w.Flush()
	return results
}

// program measures the sides in turn, so that whatever else the machine does
// meets them all.
func (m *measure) program(p program) result {
	r := result{program: p.name}
	run := p.setup()
	for range m.rounds {
		r.bare = append(r.bare, m.rate(run, p.ops, false))
		if m.peer != nil {
			r.torch = append(r.torch, m.peer.measure(p.name, m.budget))
		}
		r.taped = append(r.taped, m.rate(run, p.ops, true))
	}
	return r
}

// runsPerTape is how often a program runs before a new tape is begun.
const runsPerTape = 20

// rate runs a program over and over, after a run to warm up, and returns the
// microseconds per op.
func (m *measure) rate(run func() error, ops int, tape bool) float64 {
	must(run())
	n := 0
	start := time.Now()
	for time.Since(start) < m.budget {
		stop := func() {}
		if tape {
			_, stop = autograd.Record(graph.NewTape(graph.Limits{}))
		}
		for range runsPerTape {
			must(run())
			n++
			if time.Since(start) > m.budget {
				break
			}
		}
		stop()
	}
	return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(n*ops)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// ratio is how many times the rate of the other side ours is.
func ratio(theirs, ours []float64) float64 { return median(theirs) / median(ours) }

func spread(theirs, ours []float64) string {
	rounds := make([]float64, len(ours))
	for i := range ours {
		rounds[i] = theirs[i] / ours[i]
	}
	return fmt.Sprintf("%.1fx (%.1f to %.1f)", ratio(theirs, ours), slices.Min(rounds), slices.Max(rounds))
}

// verdict says whether the target is reached.
func verdict(results []result) string {
	var missed []string
	for _, r := range results {
		if x := ratio(r.torch, r.taped); x < target {
			missed = append(missed, fmt.Sprintf("%s %.1fx", r.program, x))
		}
	}
	if len(missed) == 0 {
		return fmt.Sprintf("Target, %gx PyTorch's op rate with the tape on: reached by all %d programs.", target, len(results))
	}
	return fmt.Sprintf("Target, %gx PyTorch's op rate with the tape on: MISSED by %d of %d programs (%s).", target, len(missed), len(results), strings.Join(missed, ", "))
}

// slower lists where PyTorch is faster.
func slower(results []result) string {
	var list []string
	for _, r := range results {
		bare, taped := ratio(r.torch, r.bare), ratio(r.torch, r.taped)
		if min(bare, taped) < 1 {
			list = append(list, fmt.Sprintf("%s %.2fx, with tape %.2fx", r.program, bare, taped))
		}
	}
	if len(list) == 0 {
		return "The engine is nowhere slower than PyTorch."
	}
	return "The engine is slower than PyTorch here: " + strings.Join(list, "; ") + "."
}
