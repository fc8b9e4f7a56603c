package graphviz

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
	"github.com/gradtui/gradtui/internal/worker"
)

// child is a running child process.
type child struct {
	*worker.Process
	maxMemory int64
	out       *bufio.Reader // of Process.Out
	greeted   bool
}

func startChild(role string, maxMemory int64) (*child, error) {
	p, err := worker.Start(maxMemory, boot.Role+"="+role)
	if err != nil {
		return nil, &ChildError{Message: err.Error()}
	}
	return &child{Process: p, maxMemory: maxMemory, out: bufio.NewReader(p.Out)}, nil
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
	defer context.AfterFunc(ctx, c.Kill)()
	// The child may fail before it has read all: then writing fails too, and
	// its answer says why.
	go writeJob(c.In, j, dot)
	return readAnswer(c.out, maxOutput)
}

// reap waits, in the background, for a child that was left to itself.
func (c *child) reap() {
	go func() {
		c.Cmd.Wait()
		onLeft(c)
	}()
}

// leave lets a child that is not ready yet become so, which fills the cache of
// machine code, and find then that there is nothing to do.
func (c *child) leave() {
	c.In.Close()
	c.Out.Close()
}

// failure explains why a conversation broke off with err.
func (c *child) failure(err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		return limit
	}
	stderr := c.Stderr.String()
	if worker.OutOfMemory(stderr) {
		return &LimitError{What: "memory", Limit: byteCount(c.maxMemory)}
	}
	e := &ChildError{Message: "layout process failed: " + err.Error(), Stderr: stderr}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		e.Message = fmt.Sprintf("layout process ended early (%v)", c.Cmd.ProcessState)
	}
	if !c.greeted {
		if errors.Is(err, errGarbage) {
			return fmt.Errorf("%w: it wrote something first: %w", ErrNoChildMain, err)
		}
		return &startError{e}
	}
	return e
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
