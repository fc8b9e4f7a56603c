// Command rules measures what gradtui check takes beside what recording takes: a training
// program runs as it is and recorded, and the rules read tapes of it that are twice as long each
// time.
//
//	go run ./bench/rules -python /usr/bin/python3
//	go run ./bench/rules -python tools/pytorch/python-torch-2.6 -events 1000000 -each
//
// The columns:
//
//	events     the length of the tape
//	recording  processor seconds that recording adds to the plain run
//	check      processor seconds of the history with all rules
//	history    the part of it that the history takes without rules
//	ratio      check / recording: rules are to take less than recording does
//	per event  check in microseconds for each event: it stays the same if the rules are linear
//	kept MB    the memory that history and rules hold at the end, beside the tape
//
// With -each the longest tape is read once more with each rule alone, and the table says what a
// rule adds to the history, dearest first. On a busy machine none of it means much.
package main

import (
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

//go:embed program.py
var program string

func main() {
	python := flag.String("python", "python3", "a Python that has torch")
	command := flag.String("gradtui", "", "the command that records (default: the one of this source tree)")
	events := flag.Int("events", 1_000_000, "the length of the longest tape, about")
	each := flag.Bool("each", false, "measure each rule alone as well")
	flag.Parse()
	if err := run(*python, *command, *events, *each); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

// trial is how many iterations are recorded to know how many events one has.
const trial = 100

func run(python, command string, events int, each bool) error {
	dir, err := os.MkdirTemp("", "rules")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if command == "" {
		if command, err = thiscommand.Build(dir); err != nil {
			return err
		}
	}
	r := recorder{python: python, command: command, dir: dir}
	if err := os.WriteFile(r.program(), []byte(program), 0o600); err != nil {
		return err
	}
	tape, _, err := r.record(trial)
	if err != nil {
		return err
	}
	perIteration := float64(tape.Len()) / trial
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "events\trecording s\tcheck s\thistory s\tratio\tper event µs\tkept MB\t")
	for _, part := range []int{4, 2, 1} {
		var recording time.Duration
		if tape, recording, err = r.record(int(float64(events/part) / perIteration)); err != nil {
			return err
		}
		all, kept := check(tape, rules.All())
		history, _ := check(tape, nil)
		fmt.Fprintf(out, "%d\t%.1f\t%.1f\t%.1f\t%.2f\t%.1f\t%d\t\n", tape.Len(), recording.Seconds(), all.Seconds(), history.Seconds(),
			all.Seconds()/recording.Seconds(), float64(all.Microseconds())/float64(tape.Len()), kept>>20)
	}
	if err := out.Flush(); err != nil || !each {
		return err
	}
	return alone(tape)
}

// alone prints what each rule adds to the history.
func alone(tape *graph.Tape) error {
	type cost struct {
		code string
		took time.Duration
	}
	history, _ := check(tape, nil)
	var costs []cost
	for _, rule := range rules.All() {
		took, _ := check(tape, []inspect.Rule{rule})
		costs = append(costs, cost{rule.Code, took - history})
	}
	slices.SortFunc(costs, func(a, b cost) int { return -cmp.Compare(a.took, b.took) })
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "\nrule\tadds, of the history")
	for _, c := range costs {
		fmt.Fprintf(out, "%s\t%.0f %%\n", c.code, 100*c.took.Seconds()/history.Seconds())
	}
	return out.Flush()
}

// check runs rules over a tape. It returns the processor time, and how many bytes their
// result holds.
func check(tape *graph.Tape, list []inspect.Rule) (took time.Duration, kept int64) {
	before := heap()
	from := processor(syscall.RUSAGE_SELF)
	result := inspect.Check(tape, list, inspect.Options{})
	took = processor(syscall.RUSAGE_SELF) - from
	kept = max(0, heap()-before)
	runtime.KeepAlive(result)
	return took, kept
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// processor returns the processor time of this process, or of its children.
func processor(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A recorder runs the program as it is and recorded.
type recorder struct{ python, command, dir string }

func (r recorder) program() string { return filepath.Join(r.dir, "program.py") }

// record records some iterations and returns the tape, and the processor time that recording adds.
func (r recorder) record(iterations int) (*graph.Tape, time.Duration, error) {
	n := strconv.Itoa(max(iterations, 1))
	path := filepath.Join(r.dir, n+".tape")
	plain, err := timed(r.python, r.program(), n)
	if err != nil {
		return nil, 0, err
	}
	recorded, err := timed(r.command, "record", "--engine", "torch", "--python", r.python, "-o", path, r.program(), "--", n)
	if err != nil {
		return nil, 0, err
	}
	tape, _, err := tapefile.Open(path, tapefile.Options{})
	return tape, recorded - plain, err
}

// timed runs a command and returns its processor time.
func timed(name string, args ...string) (time.Duration, error) {
	before := processor(syscall.RUSAGE_CHILDREN)
	if text, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return processor(syscall.RUSAGE_CHILDREN) - before, nil
}
