package debugger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/scratch"
)

// mayRunAgain reports whether the program can be run again with a change, in a process of its own: this one has
// one engine.
func (r *running) mayRunAgain() bool {
	p := &r.program
	return p.Guest == nil && !p.Example && !p.Module && p.Name != python.StandardInput && !p.Distributed() && p.IsPython()
}

// fork changes the program at an event of its first run. It returns what gradtui fork says, and the tape that it
// makes.
func (r *running) fork(base *graph.Tape, at graph.Pos, change fork.Change) (came ui.Forked, err error) {
	moment := []string{"--at", strconv.Itoa(int(at) - 1)}
	var args []string
	switch {
	case change.Edits:
		args = []string{"--edit=" + change.Text}
	case change.Assigns:
		args = append(moment, "--set="+change.Text)
	default:
		args = append(moment, "--do="+change.Text)
	}
	came.Said, err = r.runAgain(base, "fork", args, func(tape string) (err error) {
		came.Tape, err = target.OpenTape(tape, io.Discard)
		return err
	})
	return came, err
}

// fix tries the fix of a finding of the first run, CODE:LINE. It returns what gradtui fix says.
func (r *running) fix(base *graph.Tape, finding string) (said string, err error) {
	return r.runAgain(base, "fix", []string{"--hints", "--only", finding}, nil)
}

// runAgain writes the tape of the first run to a file, and runs a command of gradtui that reads it. take, if it is not
// nil, gets the tape that the command makes.
func (r *running) runAgain(base *graph.Tape, command string, args []string, take func(tape string) error) (said string, err error) {
	r.forking.Add(1)
	defer r.forking.Done()
	const first, second = "first.tape", "second.tape"
	folder, err := scratch.Make("the tape of the first run", func(dir string) error { return save(base, filepath.Join(dir, first)) })
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	args = append([]string{command, "--quiet", "--color=never", "--program", "--from", filepath.Join(folder.Path, first)}, args...)
	if take != nil {
		args = append(args, "-o", filepath.Join(folder.Path, second))
	}
	if r.program.Python != "" {
		args = append(args, "--python", r.program.Python)
	}
	if r.program.Engine != "" {
		args = append(args, "--engine", r.program.Engine)
	}
	if values := target.ValuesText(r.limits); values != "" {
		args = append(args, "--values", values)
	}
	args = append(append(args, r.program.Name, "--"), r.program.Args...)
	if said, err = runSelf(r.ctx, args); err != nil {
		return said, err
	}
	if take != nil {
		err = take(filepath.Join(folder.Path, second))
	}
	return said, err
}

// runSelf runs a command of gradtui and returns what it says. Findings are no error.
func runSelf(ctx context.Context, args []string) (said string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot find gradtui to start it again: %w", err)
	}
	var out bytes.Buffer
	var errs lastText
	c := exec.CommandContext(ctx, self, args...)
	c.Stdout, c.Stderr = &out, &errs
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = goodbye + time.Second
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == cli.ExitFindings {
			return out.String(), nil
		}
		if lines := strings.Split(strings.TrimSpace(string(errs)), "\n"); lines[len(lines)-1] != "" {
			err = errors.New(strings.TrimPrefix(lines[len(lines)-1], "gradtui: "))
		}
		return out.String(), err
	}
	return out.String(), nil
}

// audit runs gradtui audit on what a tape has now, in a process of its own: this one has one engine.
func audit(ctx context.Context, tape *graph.Tape, flags []string) (said string, err error) {
	const name = "run.tape"
	folder, err := scratch.Make("the tape of an audit", func(dir string) error { return save(tape, filepath.Join(dir, name)) })
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	if said, err = runSelf(ctx, append([]string{"audit", "--quiet", "--no-config", filepath.Join(folder.Path, name)}, flags...)); said != "" {
		return said, nil // also of a step that is not judged
	}
	return said, err
}

// lastText keeps the end of what is written to it.
type lastText []byte

const mostLast = 8 << 10 // bytes

func (t *lastText) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if over := len(*t) - mostLast; over > 0 {
		*t = append((*t)[:0], (*t)[over:]...)
	}
	return len(p), nil
}

// save writes what a tape has now to a new file.
func save(tape *graph.Tape, path string) error {
	w, err := tapefile.Create(path, tape.Info(), tapefile.WriterOptions{})
	if err != nil {
		return err
	}
	return errors.Join(w.Flush(tape), w.Close())
}
