// Package worker starts this very program again for work that needs limits of its own: layouts of
// graphs, check scripts. What a worker is to do, an environment variable says.
package worker

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Processors is how many a worker uses: one for the work, one to notice that the parent has died
// meanwhile.
const Processors = 2

// A Process is a worker that runs.
type Process struct {
	Cmd    *exec.Cmd
	In     io.WriteCloser
	Out    io.ReadCloser
	Stderr Tail
}

// Start starts a worker. env is added to the environment, files are open in it from descriptor 3 on.
// It lives too briefly for much garbage collection to pay: with GOGC at 400 it is as fast as without
// any, and uses half the memory.
func Start(maxMemory int64, env string, files ...*os.File) (*Process, error) {
	path, err := ownPath()
	if err != nil {
		return nil, fmt.Errorf("cannot find the program to start it again: %w", err)
	}
	p := &Process{Cmd: exec.Command(path)}
	p.Cmd.Args[0] = os.Args[0]
	p.Cmd.Env = append(os.Environ(), env,
		fmt.Sprintf("GOMAXPROCS=%d", Processors),
		"GOGC=400",
		fmt.Sprintf("GOMEMLIMIT=%d", maxMemory/2),
		"GOTRACEBACK=single",
	)
	p.Cmd.Stderr, p.Cmd.ExtraFiles = &p.Stderr, files
	// If someone else held the worker's standard error open, Wait would wait.
	p.Cmd.WaitDelay = time.Second
	if p.In, err = p.Cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Out, err = p.Cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := p.Cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the program again: %w", err)
	}
	return p, nil
}

// Kill ends the worker, whatever it does.
func (p *Process) Kill() { p.Cmd.Process.Kill() }

// Stop ends the worker, which has nothing more to say, and waits for it.
func (p *Process) Stop() {
	p.In.Close()
	p.Kill()
	p.Cmd.Wait()
}

// OutOfMemory recognizes what a Go program writes when it gets no memory.
func OutOfMemory(stderr string) bool {
	return strings.Contains(stderr, "out of memory") || strings.Contains(stderr, "cannot allocate memory")
}

// ExitWithParent ends the process when its input does: the parent holds the other end open for as
// long as it wants the answer.
func ExitWithParent(in io.Reader) {
	io.Copy(io.Discard, in)
	os.Exit(1)
}

// A Tail keeps the beginning of a stream, where a Go program that dies says why.
type Tail struct{ bytes.Buffer }

const maxTail = 4 << 10

func (t *Tail) Write(p []byte) (int, error) {
	if room := maxTail - t.Len(); room > 0 {
		t.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
