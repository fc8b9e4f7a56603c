package debugger

import (
	"context"
	"errors"
	"sync"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/live"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
)

// running is a program under the debugger, which can be started again.
type running struct {
	ctx     context.Context
	program launch.Program
	limits  graph.Limits
	keep    target.TapeFile

	forking sync.WaitGroup // runs with a change

	mu   sync.Mutex
	now  *live.Program // the newest run
	left bool          // the debugger was left: no more runs begin
}

// start starts the program, and returns what the debugger shows.
func (r *running) start() (ui.Options, error) {
	file, err := r.keep.Create(r.ctx, &r.program)
	if err != nil {
		return ui.Options{}, err
	}
	p, err := live.Start(r.ctx, live.Options{
		Program: r.program, Limits: r.limits, File: file, Size: live.Size{Columns: 80, Rows: 24}, Free: r.program.Guest != nil,
	})
	if err != nil {
		return ui.Options{}, discard(file, err)
	}
	r.now = p
	return ui.Options{Tape: p.Tape(), Title: r.program.Name, Program: advised(r.ctx, p, &r.program), ReadLeftOut: r.program.Folder().Read, Owns: r.program.Folder().Holds}, nil
}

// again ends the program and starts it again. The file of the tape gets the new tape, if that has events.
func (r *running) again() (ui.Options, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return ui.Options{}, errors.New("the debugger was left")
	}
	leave(r.ctx, r.now, func() {})
	r.keep.Discard(r.now.Tape())
	r.keep.Force = true // the file is ours by now
	return r.start()
}

// leave keeps the program from being started again, and returns its newest run.
func (r *running) leave() *live.Program {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	return r.now
}

// noRestart says why a program cannot be started again; "" if it can.
func (r *running) noRestart() string {
	switch {
	case r.program.Guest != nil:
		return "the program was not started here, so it cannot be started again here"
	case r.program.Name == python.StandardInput:
		return "the program came from standard input, which cannot be read again; give it as a file"
	}
	return ""
}
