package debugger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/scratch"
)

// forks returns what runs the program again with a change, in a process of its own: this one has one
// engine. nil: the program cannot be run so.
func (r *running) forks() func(base *graph.Tape, at graph.Pos, change fork.Change) (string, error) {
	p := &r.program
	if p.Guest != nil || p.Example || p.Module || p.Name == python.StandardInput || p.Distributed() || !p.IsPython() {
		return nil
	}
	return r.fork
}

// fork writes the tape of the first run to a file and has gradtui fork read it. It returns what that says.
func (r *running) fork(base *graph.Tape, at graph.Pos, change fork.Change) (said string, err error) {
	r.forking.Add(1)
	defer r.forking.Done()
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot find gradtui to start it again: %w", err)
	}
	const first = "first.tape"
	folder, err := scratch.Make("the tape of a fork", func(dir string) error { return save(base, filepath.Join(dir, first)) })
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	args := []string{
		"fork", "--quiet", "--color=never", "--program", "--from", filepath.Join(folder.Path, first),
		"--at", strconv.Itoa(int(at) - 1),
	}
	if change.Assigns {
		args = append(args, "--set="+change.Text)
	} else {
		args = append(args, "--do="+change.Text)
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
	var out bytes.Buffer
	var errs lastText
	c := exec.CommandContext(r.ctx, self, args...)
	c.Stdout, c.Stderr = &out, &errs
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = goodbye + time.Second
	if err := c.Run(); err != nil {
		if lines := strings.Split(strings.TrimSpace(string(errs)), "\n"); lines[len(lines)-1] != "" {
			err = errors.New(strings.TrimPrefix(lines[len(lines)-1], "gradtui: "))
		}
		return out.String(), err
	}
	return out.String(), nil
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
