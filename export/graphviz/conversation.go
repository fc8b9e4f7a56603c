package graphviz

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
)

// child is a running child process.
type child struct {
	maxMemory int64
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Reader
	pipe      io.Closer // that out reads from
	stderr    tail
	greeted   bool
}

func startChild(role string, maxMemory int64) (*child, error) {
	path, err := ownPath()
	if err != nil {
		return nil, &ChildError{Message: fmt.Sprintf("cannot find the program to start it again: %v", err)}
	}
	c := &child{maxMemory: maxMemory, cmd: exec.Command(path)}
	c.cmd.Args[0] = os.Args[0]
	c.cmd.Env = childEnv(role, maxMemory)
	c.cmd.Stderr = &c.stderr
	// If someone else held the child's standard error open, Wait would wait.
	c.cmd.WaitDelay = time.Second
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out, c.pipe = bufio.NewReader(out), out
	if err := c.cmd.Start(); err != nil {
		return nil, &ChildError{Message: fmt.Sprintf("cannot start the program again: %v", err)}
	}
	return c, nil
}

// processors is how many a child uses: one for the layout, one to notice that
// the parent has died meanwhile.
const processors = 2

// childEnv is the environment of a child. It lives too briefly for much garbage
// collection to pay: with GOGC at 400 it is as fast as without any, and uses
// half the memory.
func childEnv(role string, maxMemory int64) []string {
	return append(os.Environ(),
		boot.Role+"="+role,
		fmt.Sprintf("GOMAXPROCS=%d", processors),
		"GOGC=400",
		fmt.Sprintf("GOMEMLIMIT=%d", maxMemory/2),
		"GOTRACEBACK=single",
	)
}

// greet waits until the child is ready. When ctx ends before, the child is left
// to itself.
func (c *child) greet(ctx context.Context) error {
	defer context.AfterFunc(ctx, c.leave)()
	err := readGreeting(c.out)
	c.greeted = err == nil
	return err
}

// converse sends the job and reads the answer. When ctx ends before, the child is
// killed.
func (c *child) converse(ctx context.Context, j job, dot []byte, maxOutput int64) (string, []byte, error) {
	defer context.AfterFunc(ctx, c.kill)()
	// The child may fail before it has read all: then writing fails too, and
	// its answer says why.
	go writeJob(c.in, j, dot)
	return readAnswer(c.out, maxOutput)
}

// kill ends the child, whatever it does.
func (c *child) kill() { c.cmd.Process.Kill() }

// reap waits, in the background, for a child that was left to itself.
func (c *child) reap() {
	go func() {
		c.cmd.Wait()
		onLeft(c)
	}()
}

// leave lets a child that is not ready yet become so, which fills the cache of
// machine code, and find then that there is nothing to do.
func (c *child) leave() {
	c.in.Close()
	c.pipe.Close()
}

// stop ends the child, which has nothing more to say, and waits for it.
func (c *child) stop() {
	c.in.Close()
	c.kill()
	c.cmd.Wait()
}

// failure explains why a conversation broke off with err.
func (c *child) failure(err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		return limit
	}
	stderr := c.stderr.String()
	if outOfMemory(stderr) {
		return &LimitError{What: "memory", Limit: byteCount(c.maxMemory)}
	}
	e := &ChildError{Message: "layout process failed: " + err.Error(), Stderr: stderr}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		e.Message = fmt.Sprintf("layout process ended early (%v)", c.cmd.ProcessState)
	}
	if !c.greeted {
		if errors.Is(err, errGarbage) {
			return fmt.Errorf("%w: it wrote something first: %v", ErrNoChildMain, err)
		}
		return &startError{e}
	}
	return e
}

// outOfMemory recognizes what a Go program writes when it gets no memory.
func outOfMemory(stderr string) bool {
	return strings.Contains(stderr, "out of memory") || strings.Contains(stderr, "cannot allocate memory")
}

// answerError returns the error of an answer.
func answerError(payload []byte, opts Options) error {
	var f failure
	if err := json.Unmarshal(payload, &f); err != nil {
		return &ChildError{Message: "layout process failed: " + err.Error()}
	}
	if f.Overtime {
		return timeLimit(processorTime, opts.MaxProcessorTime)
	}
	if f.Line > 0 {
		return &SyntaxError{Line: f.Line, Message: f.Message}
	}
	return &ChildError{Message: f.Message}
}

// tail keeps the beginning of a stream, where a Go program that dies says why.
type tail struct{ bytes.Buffer }

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	if room := maxTail - t.Len(); room > 0 {
		t.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
