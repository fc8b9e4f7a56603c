package graphviz

import (
	"context"
	"errors"
	"sync"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
)

// turn is held by the one child that works: layouts take a processor and much
// memory each, and pictures are asked for one at a time.
var turn = make(chan struct{}, 1)

// spare is a child that waits for a job, nil if there is none.
var spare struct {
	sync.Mutex
	c *child
}

// Prestart starts the process of the next Render or Layout with the same
// MaxMemory ahead of time. A process needs 25 ms until it can begin with a
// layout, most of the time that a small graph takes: a program that knows that
// it will draw calls Prestart before it prepares what to draw. The process
// ends with the program if it is not used. Prestart does not wait, and leaves
// errors to be found, and reported, by the call that needs the process.
func Prestart(opts Options) {
	if boot.IsChild() || !hasChildMain.Load() {
		return
	}
	spare.Lock()
	defer spare.Unlock()
	if spare.c != nil {
		return
	}
	if c, err := startChild(boot.Child, opts.withDefaults().MaxMemory); err == nil {
		spare.c = c
	}
}

// takeSpare returns the spare child, or nil if there is none that suits.
func takeSpare(maxMemory int64) (*child, error) {
	spare.Lock()
	c := spare.c
	spare.c = nil
	spare.Unlock()
	if c != nil && c.maxMemory != maxMemory {
		c.Stop()
		return nil, nil
	}
	return c, nil
}

// sources are where a child comes from. The next one is asked when a child
// could not even greet: a spare one may have died while it waited, and one
// that has just been started may have a broken cache, which makes it panic
// before main.
var sources = []func(maxMemory int64) (*child, error){
	takeSpare,
	func(maxMemory int64) (*child, error) { return startChild(boot.Child, maxMemory) },
	func(maxMemory int64) (*child, error) { return startChild(boot.ChildFresh, maxMemory) },
}

// runChild has a child do a job and returns its output.
func runChild(ctx context.Context, j job, dot []byte, opts Options) ([]byte, error) {
	if boot.IsChild() || !hasChildMain.Load() {
		return nil, ErrNoChildMain
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var start *startError
	for _, source := range sources {
		c, err := source(opts.MaxMemory)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		out, err := attempt(ctx, c, j, dot, opts)
		if !errors.As(err, &start) {
			return out, err
		}
	}
	return nil, start.ChildError
}

// startError is the failure of a child that never greeted.
type startError struct{ *ChildError }

func (e *startError) Unwrap() error { return e.ChildError }

// attempt has a child do a job. It is gone when attempt returns, or left to itself.
func attempt(ctx context.Context, c *child, j job, dot []byte, opts Options) ([]byte, error) {
	onChild(c)
	tooLate := timeLimit(wallTime, opts.Timeout)
	starting, cancel := context.WithTimeoutCause(ctx, opts.Timeout, tooLate)
	defer cancel()
	if err := c.greet(starting); err != nil {
		if starting.Err() != nil {
			c.reap()
			return nil, endOf(starting)
		}
		c.Stop()
		return nil, c.failure(err)
	}
	ctx, cancel = context.WithTimeoutCause(ctx, opts.Timeout, tooLate)
	defer cancel()
	onJob(c)
	j.MaxMemory, j.MaxProcessorTime = opts.MaxMemory, opts.MaxProcessorTime
	status, payload, err := c.converse(ctx, j, dot, opts.MaxOutput)
	c.Stop()
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, endOf(ctx)
	case err != nil:
		return nil, c.failure(err)
	case status == statusError:
		return nil, answerError(payload, opts)
	}
	return payload, nil
}

// These are called with each child that is to do a job, when it is given that, and
// when it has ended after it was left to itself. Tests watch them.
var onChild, onJob, onLeft = func(*child) {}, func(*child) {}, func(*child) {}

// endOf says why ctx ended: by its own deadline or because the caller's did.
func endOf(ctx context.Context) error {
	var limit *LimitError
	if errors.As(context.Cause(ctx), &limit) {
		return limit
	}
	return ctx.Err()
}
