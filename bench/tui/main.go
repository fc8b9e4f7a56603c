// Command tui measures how long the debugger takes to answer a key. It records programs
// with 10 nodes, with a chain of 100,000, with 10,000 edges into one node and with
// 1,000,000 events, opens each tape in a terminal of 120 columns and 40 rows, and presses
// keys one at a time.
//
//	go run ./bench/tui
//	go run ./bench/tui -cases '10 nodes;1,000,000 events' -json > keys.jsonl
//	go run ./bench/tui -- /tmp/gradtui open TAPE
//
// The answer to a key is what the program writes until it has been quiet for a while
// (-quiet); it has taken from the key press to the last byte. A key that draws nothing is
// no sample. CPU is the time of the processors that the program has had meanwhile, with all
// that it does in the background; it depends less on what else the machine does. Start-up
// is the time until the screen is complete: at least half of its lines are not blank, and
// the program is quiet for ten times as long. Its CPU includes the work that goes on in the
// background then, such as the rules; keys are pressed when that is over, since what it
// draws would be taken for the answer to a key that draws nothing. The word TAPE in a
// command stands for the file of the tape, TEXT for its text form.
//
// The screen is emulated beside the program. A single answer of more than 4 KiB, the most
// that a pseudo-terminal hands over at once, includes the emulator's time for all but its
// last part: about 0.2 ms for each KiB.
//
// The peers less and vim, if they are installed, show the text of the same tapes in the
// same run, so that a number can be told from the machine's. Ratios are to the smallest
// case of the same program.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

func main() {
	var m measure
	flag.IntVar(&m.presses, "presses", 30, "how often each key is pressed")
	flag.DurationVar(&m.quiet, "quiet", 60*time.Millisecond, "an answer is over when nothing was written for so long")
	only := flag.String("cases", "", "the cases to measure, separated by semicolons (default: all)")
	peers := flag.Bool("peers", true, "also measure less and vim")
	lines := flag.Bool("json", false, "write a line of JSON for each program, case and key instead of the table")
	flag.Parse()
	if err := run(&m, *only, *peers, *lines, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tui:", err)
		os.Exit(1)
	}
}

func run(m *measure, only string, peers, lines bool, command []string) error {
	dir, err := os.MkdirTemp("", "gradtui-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if len(command) == 0 {
		path, err := thiscommand.Build(dir)
		if err != nil {
			return err
		}
		command = []string{path, "open", "TAPE"}
	}
	programs := []program{{name: filepath.Base(command[0]), command: command, keys: keys}}
	for _, p := range readers {
		if _, err := exec.LookPath(p.name); err == nil && peers {
			programs = append(programs, p)
		}
	}

	var results []result
	for _, c := range cases {
		if only != "" && !slices.Contains(strings.Split(only, ";"), c.name) {
			continue
		}
		files, err := c.record(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for _, p := range programs {
			fmt.Fprintf(os.Stderr, "%s, %s\n", p.name, c.name)
			r, err := m.session(p, files)
			if err != nil {
				return fmt.Errorf("%s with %s: %w", p.name, c.name, err)
			}
			r.Case = c.name
			results = append(results, r)
		}
	}
	if lines {
		return writeLines(os.Stdout, results)
	}
	slices.SortStableFunc(results, func(a, b result) int { return programIndex(programs, a) - programIndex(programs, b) })
	if err := writeTable(os.Stdout, results); err != nil {
		return err
	}
	fmt.Println(verdict(programs[0].name, results))
	return nil
}

func programIndex(programs []program, r result) int {
	return slices.IndexFunc(programs, func(p program) bool { return p.name == r.Program })
}

// writeTable writes a line for each program and case.
func writeTable(w io.Writer, results []result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "program\tcase\tstart\tits CPU\tmemory\tkeys\tp50\tp99\tratio\tCPU p50\tp99\tratio\tbytes\tslowest key (p99)\t")
	first := map[string]result{}
	for _, r := range results {
		if _, ok := first[r.Program]; !ok {
			first[r.Program] = r
		}
		all, base := r.all(), first[r.Program].all()
		if len(all) == 0 {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\tnone was answered\t\t\t\t\t\t\t\t\t\n", r.Program, r.Case, ms(r.Start.took), ms(r.Start.cpu), r.memory())
			continue
		}
		slowest := slices.MaxFunc(r.Keys, func(a, b answers) int {
			return int(quantile(a.samples, 0.99, took) - quantile(b.samples, 0.99, took))
		})
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%s %s\t\n", r.Program, r.Case, ms(r.Start.took), ms(r.Start.cpu), r.memory(), len(all),
			compared(all, base, took), compared(all, base, cpuTime), quantile(all, 0.5, written), slowest.key, ms(quantile(slowest.samples, 0.99, took)))
	}
	return t.Flush()
}

// compared is the median and the 99th of 100 samples, and the latter's ratio to the base's.
func compared(samples, base []sample, of func(sample) time.Duration) string {
	p99, basis := quantile(samples, 0.99, of), quantile(base, 0.99, of)
	ratio := "?"
	if basis > 0 {
		ratio = fmt.Sprintf("%.1fx", float64(p99)/float64(basis))
	}
	return strings.Join([]string{ms(quantile(samples, 0.5, of)), ms(p99), ratio}, "\t")
}

// writeLines writes a line of JSON for each key of each program and case.
func writeLines(w io.Writer, results []result) error {
	out := json.NewEncoder(w)
	for _, r := range results {
		for _, k := range r.Keys {
			line := struct {
				Program  string  `json:"program"`
				Case     string  `json:"case"`
				Key      string  `json:"key"`
				Answered int     `json:"answered"`
				Skipped  int     `json:"skipped"`
				P50      float64 `json:"p50_ms"`
				P99      float64 `json:"p99_ms"`
				CPU50    float64 `json:"p50_cpu_ms"`
				CPU99    float64 `json:"p99_cpu_ms"`
				Bytes    int     `json:"p50_bytes"`
				Start    float64 `json:"start_ms"`
				StartCPU float64 `json:"start_cpu_ms"`
				Memory   int     `json:"memory_kib"`
			}{
				r.Program, r.Case, k.key, len(k.samples), k.skipped,
				float(quantile(k.samples, 0.5, took)), float(quantile(k.samples, 0.99, took)),
				float(quantile(k.samples, 0.5, cpuTime)), float(quantile(k.samples, 0.99, cpuTime)),
				quantile(k.samples, 0.5, written), float(r.Start.took), float(r.Start.cpu), r.Memory,
			}
			if err := out.Encode(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// target is what 99 of 100 answers of the debugger are to take at most: a frame of a screen
// that shows 60 in a second.
const target = 16 * time.Millisecond

// verdict says which keys of a program miss the target.
func verdict(program string, results []result) string {
	var missed []string
	for _, r := range results {
		for _, k := range r.Keys {
			if p99 := quantile(k.samples, 0.99, took); r.Program == program && p99 > target {
				missed = append(missed, fmt.Sprintf("%s, %s: %s", r.Case, k.key, ms(p99)))
			}
		}
	}
	if len(missed) == 0 {
		return fmt.Sprintf("Target, 99 of 100 answers to each key in %s: reached.", ms(target))
	}
	return fmt.Sprintf("Target, 99 of 100 answers to each key in %s: MISSED by\n  %s", ms(target), strings.Join(missed, "\n  "))
}

// quantile is what a share of the samples do not exceed; 0 if there are none.
func quantile[T int | time.Duration](samples []sample, share float64, of func(sample) T) T {
	if len(samples) == 0 {
		return 0
	}
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[min(int(share*float64(len(values))), len(values)-1)]
}

func took(s sample) time.Duration    { return s.took }
func cpuTime(s sample) time.Duration { return s.cpu }
func written(s sample) int           { return s.bytes }

func float(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float(d)) }
