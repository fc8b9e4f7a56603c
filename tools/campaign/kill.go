//go:build unix

package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/terminal"
)

//go:embed programs/steady.py
var steady string

// A victim is a process that is killed while a program is recorded.
type victim struct {
	name  string
	args  []string // of gradtui
	shown bool     // it runs in a terminal
	child bool     // the program is killed, not gradtui
	// promise is how old an event may be that is lost; docs/use/python.md and docs/internals/records.md
	// have it.
	promise map[string]time.Duration // by engine
}

var victims = []victim{
	{name: "the program", args: []string{"record"}, child: true, promise: map[string]time.Duration{"builtin": 0, "torch": 20 * time.Millisecond}},
	{name: "gradtui record", args: []string{"record"}, promise: map[string]time.Duration{"builtin": time.Second / 2, "torch": time.Second / 2}},
	{name: "the debugger", args: []string{"run"}, shown: true, promise: map[string]time.Duration{"builtin": time.Second / 2, "torch": time.Second / 2}},
}

// slack is what is added to a promise: this machine may be busy, and the writer is a
// process like any other.
const slack = 250 * time.Millisecond

// kill kills each victim at random moments, half a second after the first pass at most or,
// every fifth time, while it starts. What was flushed is on the tape, every command reads
// it, no process is left, and the next start removes what lies in TMPDIR.
func kill(l *lab) {
	worst := map[string]time.Duration{}
	for i := range l.count {
		for _, v := range victims {
			l.try(fmt.Sprintf("%s, %d", v.name, i), func(t *trial) {
				if lost := t.kill(v, i%5 == 4); lost > worst[v.name] {
					worst[v.name] = lost
				}
			})
		}
	}
	for _, v := range victims {
		l.note("%s: at most %d ms lost", v.name, worst[v.name].Milliseconds())
	}
}

func (t *trial) kill(v victim, early bool) (lost time.Duration) {
	t.write("steady.py", steady)
	log, tape := filepath.Join(t.dir, "log"), filepath.Join(t.dir, "run.tape")
	t.env = append(t.env, "CAMPAIGN_LOG="+log)
	args := append(append(slices.Clone(v.args), t.engineFlags()...), "-o", tape, "steady.py")
	pid, ended, end, err := t.start(v.shown, args)
	if err != nil {
		t.fail("%v", err)
		return 0
	}
	defer end()
	if !early {
		t.until(func() bool { return len(passesLogged(log)) > 0 })
	}
	t.pause(time.Duration(t.rng.Int64N(int64(time.Second / 2))))
	family := descendants(pid)
	target := pid
	if i := slices.IndexFunc(family, func(p int) bool { return strings.Contains(commandLine(p), "steady.py") }); v.child && i >= 0 {
		target = family[i]
	}
	when := monotonic()
	syscall.Kill(target, syscall.SIGKILL)
	if !t.until(func() bool { return closed(ended) }) {
		t.fail("gradtui goes on after the kill")
	}
	// On PyTorch the program goes on without gradtui, as docs/internals/records.md says.
	if t.engine == "builtin" && !t.until(func() bool { return !slices.ContainsFunc(family, alive) }) {
		t.fail("processes are left: %v", family)
	}
	for _, p := range family {
		syscall.Kill(p, syscall.SIGKILL)
	}
	logged := passesLogged(log)
	lost = t.readable(tape, logged, when, v.promise[t.engine])
	if v.child {
		t.expectClean()
	} else if r := t.gradtui(append(append([]string{"run", "--plain"}, t.engineFlags()...), t.write("next.py", "import torch\n"))...); r.code != 0 {
		t.fail("the next run fails: %.200s", r.stderr)
	} else {
		t.expectClean()
	}
	return lost
}

// readable expects a tape with all passes that were older than the promise when the
// process was killed, and that every command reads. It returns how old the first pass is
// that is missing.
func (t *trial) readable(path string, logged []int64, when int64, promise time.Duration) (lost time.Duration) {
	before := slices.DeleteFunc(slices.Clone(logged), func(at int64) bool { return at > when })
	if _, err := os.Stat(path); err != nil {
		if len(before) > 0 && time.Duration(when-before[0]) > promise+slack {
			t.fail("there is no tape, though %d passes ran", len(before))
		}
		return 0
	}
	tape, _, err := tapefile.Open(path, tapefile.Options{})
	if err != nil {
		if len(before) > 0 && time.Duration(when-before[0]) > promise+slack {
			t.fail("the tape cannot be read: %v", err)
		}
		return 0
	}
	have := 0
	d := tape.NewDecoder()
	for p := range tape.Len() {
		if k, err := d.Kind(p); err == nil && k == graph.KindBackwardEnded {
			have++
		}
	}
	if have < len(before) {
		if lost = time.Duration(when - before[have]); lost > promise+slack {
			t.fail("a pass that ended %v before the kill is missing (%d of %d passes)", lost, have, len(before))
		}
	}
	for _, args := range [][]string{{"check", path}, {"stat", path}, {"tape", "verify", path}, {"open", "--plain-ui", path}} {
		if r := t.command("g\nG\nq\n", t.bin, args...); r.code > 2 {
			t.fail("%s ends with %d: %.200s", args[0], r.code, r.stderr)
		}
	}
	return lost
}

// start starts gradtui, in a terminal or without one. In the debugger the program runs
// freely.
func (t *trial) start(shown bool, args []string) (pid int, ended <-chan struct{}, end func(), err error) {
	if shown {
		term, err := terminal.Start(terminal.Options{Dir: t.dir, Env: append([]string{"TMPDIR=" + t.tmp}, t.env...)}, t.bin, args...)
		if err != nil {
			return 0, nil, nil, err
		}
		t.until(func() bool {
			return strings.Contains(strings.Join(term.Screen().Lines(), "\n"), "stopped") || closed(term.Ended())
		})
		term.Keys("c")
		return term.Pid(), term.Ended(), term.Close, nil
	}
	cmd := exec.CommandContext(t.ctx, t.bin, args...)
	cmd.Dir, cmd.Env = t.dir, t.environment()
	group(cmd)
	if err := cmd.Start(); err != nil {
		return 0, nil, nil, err
	}
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	return cmd.Process.Pid, done, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); <-done }, nil
}

// until waits for something, but not for ever.
func (t *trial) until(done func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end) && t.ctx.Err() == nil; t.pause(5 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return false
}

// pause is the random moment of a kill, or the time between two looks at something.
func (t *trial) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-t.ctx.Done():
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// monotonic is the clock that programs note their passes by.
func monotonic() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err)
	}
	return now.Nano()
}

// passesLogged are the times of the passes that a program has noted.
func passesLogged(log string) (times []int64) {
	text, _ := os.ReadFile(log)
	for line := range strings.Lines(string(text)) {
		if at, err := strconv.ParseInt(strings.TrimSuffix(line, "\n"), 10, 64); err == nil && strings.HasSuffix(line, "\n") {
			times = append(times, at)
		}
	}
	return times
}
