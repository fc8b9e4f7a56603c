//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A lab is what campaigns work with.
type lab struct {
	bin, engine, python string
	scratch             string
	seed                uint64
	count               int
	limit               time.Duration

	ctx   context.Context
	rng   *rand.Rand
	began time.Time
	score score
}

// A score is what became of a campaign.
type score struct {
	campaign             string
	tried, lost, skipped int
	failures             []string
	notes                []string // the worst that was seen, also where it is allowed
	took                 time.Duration
}

// begin starts a campaign. Its choices do not depend on which ones ran before.
func (l *lab) begin(ctx context.Context, name string) {
	l.ctx, l.began = ctx, time.Now()
	seed := [32]byte{}
	copy(seed[:], fmt.Sprintf("%d %s", l.seed, name))
	l.rng = rand.New(rand.NewChaCha8(seed))
	l.score = score{campaign: name}
	fmt.Fprintf(os.Stderr, "%s …\n", name)
}

// over reports whether no further trial may begin.
func (l *lab) over() bool { return l.ctx.Err() != nil || time.Since(l.began) > l.limit }

// skip counts trials that this machine does not allow.
func (l *lab) skip() { l.score.skipped++ }

// note adds to what the report says of the campaign.
func (l *lab) note(format string, args ...any) {
	l.score.notes = append(l.score.notes, fmt.Sprintf(format, args...))
}

// A trial is one attempt, in a folder of its own.
type trial struct {
	*lab
	name  string
	dir   string // where commands run
	tmp   string // their TMPDIR
	env   []string
	after []func() // what is undone when it is over, the newest first
	lost  bool
}

// try makes one attempt, unless the campaign's time is over.
func (l *lab) try(name string, attempt func(*trial)) {
	if l.over() {
		l.score.skipped++
		return
	}
	dir, err := os.MkdirTemp(l.scratch, "t")
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Mkdir(filepath.Join(dir, "tmp"), 0o700), os.Mkdir(filepath.Join(dir, "w"), 0o755))
	}
	if err != nil {
		l.score.tried++
		l.score.lost++
		l.score.failures = append(l.score.failures, fmt.Sprintf("%s: %v", name, err))
		return
	}
	defer os.RemoveAll(dir)
	t := &trial{lab: l, name: name, dir: filepath.Join(dir, "w"), tmp: filepath.Join(dir, "tmp")}
	attempt(t)
	for _, undo := range slices.Backward(t.after) {
		undo()
	}
	if l.ctx.Err() != nil {
		return // what an interrupted attempt says means nothing
	}
	l.score.tried++
	if t.lost {
		l.score.lost++
	}
}

// fail says what gradtui did wrong.
func (t *trial) fail(format string, args ...any) {
	t.lost = true
	t.score.failures = append(t.score.failures, t.name+": "+fmt.Sprintf(format, args...))
}

// write puts a file into the trial's folder.
func (t *trial) write(name, text string) string {
	path := filepath.Join(t.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.fail("%v", err)
	}
	return path
}

// clear empties the trial's folder.
func (t *trial) clear() {
	if err := errors.Join(os.RemoveAll(t.dir), os.Mkdir(t.dir, 0o755)); err != nil {
		t.fail("%v", err)
	}
}

// leftovers are the files and folders in the trial's TMPDIR.
func (t *trial) leftovers() (names []string) {
	filepath.WalkDir(t.tmp, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != t.tmp {
			name, _ := filepath.Rel(t.tmp, path)
			names = append(names, name)
		}
		return nil
	})
	return names
}

// expectClean fails the trial if something is left in TMPDIR.
func (t *trial) expectClean() {
	if left := t.leftovers(); len(left) > 0 {
		t.fail("leaves %s in TMPDIR", strings.Join(left, ", "))
	}
}

// A result is how a command ended.
type result struct {
	code           int // 128 and the signal's number if a signal ended it
	stdout, stderr string
	hung           bool
	usage          *syscall.Rusage
}

// patience is how long a command may take. It is generous, since others use the machine, and
// a long recording takes its time to read: what is looked at is whether it ends.
const patience = 10 * time.Minute

// crash finds what Go prints when a program dies of a fault of its own.
var crash = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|goroutine \d+ .*|runtime: .*|SIG[A-Z]+: .*)`)

// environment is what a command of a trial sees.
func (t *trial) environment() []string {
	return append(append(os.Environ(), "TMPDIR="+t.tmp, "NO_COLOR=1"), t.env...)
}

// gradtui runs the command under attack; that it neither crashes nor hangs is part of each
// trial.
func (t *trial) gradtui(args ...string) result { return t.command("", t.bin, args...) }

// command runs a command with some input and looks for what gradtui must never do.
func (t *trial) command(input, name string, args ...string) result {
	r := t.bare(input, name, args...)
	what := strings.Join(args, " ")
	if r.hung {
		t.fail("%.120q does not end", what)
	}
	if said := crash.FindString(r.stderr); said != "" {
		t.fail("%.120q crashes: %.200s", what, said)
	}
	return r
}

// bare runs any command and judges nothing.
func (t *trial) bare(input, name string, args ...string) result {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = t.dir, t.environment()
	var stdout, stderr bounded
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	group(cmd)
	err := cmd.Run()
	r := result{stdout: stdout.String(), stderr: stderr.String(), hung: ctx.Err() != nil && t.ctx.Err() == nil}
	if state := cmd.ProcessState; state != nil {
		r.code = exitCode(state)
		r.usage, _ = state.SysUsage().(*syscall.Rusage)
	} else {
		r.code, r.stderr = -1, err.Error()
	}
	return r
}

// exitCode is what a shell says of a process that has ended.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// bounded keeps the beginning of what a command prints.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := 16<<20 - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// ReadFrom keeps [io.Copy] from going around Write.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{b}, r)
}

// engineFlags choose what programs run on.
func (l *lab) engineFlags() []string { return []string{"--engine", l.engine, "--python", l.python} }

// record gives the tape of a program, made in the trial's folder.
func (t *trial) record(name, text string) (tape string, ok bool) {
	t.write(name, text)
	tape = filepath.Join(t.dir, strings.TrimSuffix(name, ".py")+".tape")
	r := t.gradtui(append(append([]string{"record"}, t.engineFlags()...), name, "-o", tape)...)
	if _, err := os.Stat(tape); err != nil {
		t.fail("recording %s: exit code %d: %.300s", name, r.code, r.stderr)
		return "", false
	}
	return tape, true
}

// group starts a command in a process group of its own and ends all of it when the time is
// over.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}
