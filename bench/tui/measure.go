package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gradtui/gradtui/internal/terminal"
)

// A program is measured with every case.
type program struct {
	name    string
	command []string // with TAPE and TEXT for the files
	keys    []string
}

// keys are pressed in the debugger, each one many times. A name with spaces is a sequence,
// of which each key counts.
var keys = []string{
	"down", "pgdown", "up", "pgup", "G g", "n", "N", "s", "S", "tab", "/ m u l esc",
}

// readers show a text file; they know no tape to step through.
var readers = []program{
	{"less", []string{"less", "TEXT"}, []string{"down", "pgdown", "up", "pgup", "G g", "/ m u l enter"}},
	{"vim", []string{"vim", "-nRNu", "NONE", "TEXT"}, []string{"down", "pgdown", "up", "pgup", "G g g", "/ m u l enter"}},
}

// A result is what a program did with a case.
type result struct {
	Program, Case string
	Start         sample // until the screen was complete
	Memory        int    // resident, in KiB, at the end; 0 where it cannot be known
	Keys          []answers
}

// answers are those to one key.
type answers struct {
	key     string
	samples []sample
	skipped int // times that the key drew nothing
}

// A sample is the answer to one key press.
type sample struct {
	took  time.Duration
	cpu   time.Duration // that the program has spent until it was quiet; 0 where it cannot be known
	bytes int
}

// all are the samples of all keys.
func (r result) all() (samples []sample) {
	for _, k := range r.Keys {
		samples = append(samples, k.samples...)
	}
	return samples
}

func (r result) memory() string {
	if r.Memory == 0 {
		return "?"
	}
	return fmt.Sprintf("%d MiB", r.Memory>>10)
}

// measure is how to measure.
type measure struct {
	presses int
	quiet   time.Duration
}

// What a program may take to begin an answer, and to open a tape; and how often in a row a
// key may draw nothing before it is left alone: it has come to an end, or has no meaning.
const (
	patienceForKey  = time.Second
	patienceForOpen = 2 * time.Minute
	silences        = 3
)

// session opens a tape and presses all keys.
func (m *measure) session(p program, f files) (result, error) {
	command := make([]string, len(p.command))
	for i, word := range p.command {
		command[i] = strings.NewReplacer("TAPE", f.tape, "TEXT", f.text).Replace(word)
	}
	begin := time.Now()
	t, err := terminal.Start(terminal.Options{}, command[0], command[1:]...)
	if err != nil {
		return result{}, err
	}
	defer t.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patienceForOpen)
	defer cancel()
	if screen, err := t.Wait(ctx, complete); err != nil {
		return result{}, fmt.Errorf("the screen is not complete: %w\n%s", err, screen)
	}
	first, _ := answer(t, 0, begin, 10*m.quiet)
	m.rest(ctx, t)
	first.cpu = cpu(t.Pid())
	r := result{Program: p.name, Start: first}
	for _, sequence := range p.keys {
		a, err := m.press(t, sequence)
		if err != nil {
			return r, err
		}
		r.Keys = append(r.Keys, a)
	}
	r.Memory = memory(t.Pid())
	return r, nil
}

// rest waits until a program has nothing left to do in the background: it runs, or waits for
// a processor, for less than a quarter of the time.
func (m *measure) rest(ctx context.Context, t *terminal.Terminal) {
	period := 10 * m.quiet
	for before := busy(t.Pid()); ; {
		select {
		case <-ctx.Done():
			return
		case <-t.Ended():
			return
		case <-time.After(period):
		}
		now := busy(t.Pid())
		if now-before < period/4 {
			return
		}
		before = now
	}
}

// press presses a sequence of keys over and over, each key when the one before has been
// answered.
func (m *measure) press(t *terminal.Terminal, sequence string) (answers, error) {
	a := answers{key: sequence}
	silent := 0
	for range m.presses {
		for key := range strings.FieldsSeq(sequence) {
			before, _ := t.Output()
			spent := cpu(t.Pid())
			pressed := time.Now()
			if err := t.Keys(key); err != nil {
				return a, err
			}
			s, ok := answer(t, len(before), pressed, m.quiet)
			select {
			case <-t.Ended():
				return a, fmt.Errorf("the key %s has ended it:\n%s", key, t.Screen())
			default:
			}
			s.cpu = cpu(t.Pid()) - spent
			if ok {
				a.samples = append(a.samples, s)
				silent = 0
			} else {
				a.skipped++
				silent++
			}
		}
		if silent >= silences {
			break
		}
	}
	return a, nil
}

// complete says whether a screen is one that is worth to be read.
func complete(screen terminal.Screen) bool {
	written := 0
	for _, line := range screen.Lines() {
		if line != "" {
			written++
		}
	}
	return written >= screen.Rows/2
}

// answer waits until the program has written something after a mark and then nothing for
// a while; ok is false if it does not begin in time.
func answer(t *terminal.Terminal, mark int, since time.Time, quiet time.Duration) (s sample, ok bool) {
	begin := time.After(time.Until(since.Add(patienceForKey)))
	for {
		changed := t.Changed()
		if written, _ := t.Output(); len(written) > mark {
			break
		}
		select {
		case <-changed:
		case <-begin:
			return sample{}, false
		}
	}
	t.Quiet(context.Background(), quiet)
	written, last := t.Output()
	return sample{took: last.Sub(since), bytes: len(written) - mark}, true
}

// cpu is how long the threads of a process have had a processor, where the system says so
// in /proc.
func cpu(pid int) time.Duration {
	ran, _ := scheduled(pid)
	return ran
}

// busy is how long the threads of a process have had a processor or waited for one.
func busy(pid int) time.Duration {
	ran, waited := scheduled(pid)
	return ran + waited
}

func scheduled(pid int) (ran, waited time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		var on, off int64 // nanoseconds
		fmt.Sscan(string(text), &on, &off)
		ran += time.Duration(on)
		waited += time.Duration(off)
	}
	return ran, waited
}

// memory is what a process has in memory, in KiB, where the system says so in /proc.
func memory(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "\nVmRSS:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.Atoi(fields[0])
	return kib
}
