package main

import (
	"context"
	"errors"
	"io"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/live"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

// openRanks opens the debugger on several ranks, and those that join later.
func (d *debugger) openRanks(ctx context.Context, s streams, all []ui.Options, joining <-chan ui.Options) error {
	if d.lines {
		return errors.New("--plain-ui shows one process: record the ranks, and open the tape of one")
	}
	return show(ctx, s, ui.NewRanks(all, joining))
}

// runRanks runs a program of several ranks in the debugger, keeps their tapes, and returns
// its exit code, as run does. Rank 0 stops before its first operation, the others run.
func (d *debugger) runRanks(ctx context.Context, s streams, program launch.Program, flags *programFlags, keep kept) (code int, err error) {
	if err := keep.canKeepRanks(&program); err != nil {
		return 0, err
	}
	looking, left := context.WithCancel(ctx)
	defer left()
	joining := make(chan ui.Options)
	g := &gathering{flags: flags, keep: keep, ctx: ctx, warn: io.Discard, began: func(t *recorded) {
		select {
		case joining <- complete(ui.Options{Tape: t.Tape, Title: program.Name, Program: debuggedRank{t}, ReadLeftOut: program.Folder().Read}):
		case <-looking.Done():
			t.session.Detach()
		}
	}}
	program.Skipped, program.NoCache, program.Join = nil, nil, g.join
	p, err := live.Start(ctx, live.Options{Program: program, Limits: flags.limits(), Size: live.Size{Columns: 80, Rows: 24}, Free: true})
	if err != nil {
		return 0, err
	}
	launcher := complete(ui.Options{Tape: p.Tape(), Title: program.Name, Program: debugged{p}})
	err = d.openRanks(ctx, s, []ui.Options{launcher}, joining)
	left()
	result, over := leave(ctx, p, g.detach)
	if over {
		code, err = result.ExitCode, errors.Join(err, result.Err)
	}
	for _, t := range g.tapes {
		t.keep.discard(t.Tape)
		t.keep.tell(s.err, t.Tape)
	}
	return code, err
}

// detach lets all ranks go.
func (g *gathering) detach() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.tapes {
		t.session.Detach()
	}
}

// debuggedRank is a rank as the debugger's interface takes it. Its terminal is that of the
// launcher.
type debuggedRank struct{ *recorded }

func (d debuggedRank) Stops() <-chan control.Stop { return d.session.Stops() }

func (d debuggedRank) Resume(step control.Step) error { return d.session.Resume(step) }

func (d debuggedRank) Interrupt() error { return d.session.Interrupt() }

func (d debuggedRank) Break(points ...control.Breakpoint) error { return d.session.Break(points...) }

func (d debuggedRank) Done() <-chan struct{} { return d.over }

func (d debuggedRank) Result() string {
	if d.Damaged != nil {
		return "the end of the tape is missing: " + d.Damaged.Error()
	}
	return "this rank has ended"
}

func (d debuggedRank) Input(string) error {
	return errors.New("the ranks share the terminal of their launcher: type there (:rank launcher)")
}

func (d debuggedRank) Resize(int, int) {}
