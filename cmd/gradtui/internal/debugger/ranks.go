package debugger

import (
	"context"
	"errors"
	"io"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/live"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/control"
)

// openRanks opens the debugger on several ranks, and on ranks that join later.
func (d *Flags) openRanks(ctx context.Context, s cli.Streams, all []ui.Options, joining <-chan ui.Options) error {
	if d.PlainUI {
		return errors.New("--plain-ui shows one process; record the ranks, and open the tape of one")
	}
	return Show(ctx, s, ui.NewRanks(all, joining))
}

// RunRanks runs a program of several ranks in the debugger, keeps their tapes, and returns
// its exit code, as run does. Rank 0 stops before its first operation, the others run.
func (d *Flags) RunRanks(ctx context.Context, s cli.Streams, program launch.Program, flags *target.Flags, keep target.TapeFile) (code int, err error) {
	if err := keep.CheckRanks(&program); err != nil {
		return 0, err
	}
	set, _, err := d.settings()
	if err != nil {
		return 0, err
	}
	looking, left := context.WithCancel(ctx)
	defer left()
	joining := make(chan ui.Options)
	g := &target.RankRecorder{Flags: flags, File: keep, Context: ctx, Warn: io.Discard, Joined: func(t *target.Recording) {
		select {
		case joining <- complete(set, ui.Options{Tape: t.Tape, Title: program.Name, Program: debuggedRank{t}, ReadLeftOut: program.Folder().Read}):
		case <-looking.Done():
			t.Session.Detach()
		}
	}}
	program.Skipped, program.NoCache, program.Join = nil, nil, g.Join
	p, err := live.Start(ctx, live.Options{Program: program, Limits: flags.Limits(), Size: live.Size{Columns: 80, Rows: 24}, Free: true})
	if err != nil {
		return 0, err
	}
	launcher := complete(set, ui.Options{Tape: p.Tape(), Title: program.Name, Program: debugged{p}})
	err = d.openRanks(ctx, s, []ui.Options{launcher}, joining)
	left()
	result, over := leave(ctx, p, g.Detach)
	if over {
		code, err = result.ExitCode, errors.Join(err, result.Err)
	}
	for _, t := range g.Recordings {
		t.File.Discard(t.Tape)
		t.File.Announce(s.Err, t.Tape)
	}
	return code, err
}

// debuggedRank is a rank as the debugger's interface takes it. It uses the launcher's terminal.
type debuggedRank struct{ *target.Recording }

func (d debuggedRank) Stops() <-chan control.Stop { return d.Session.Stops() }

func (d debuggedRank) Resume(step control.Step) error { return d.Session.Resume(step) }

func (d debuggedRank) Repeat(step control.Step, times int) error {
	return d.Session.Repeat(step, times)
}

func (d debuggedRank) Interrupt() error { return d.Session.Interrupt() }

func (d debuggedRank) Ask(a control.Ask) (control.Answer, error) { return d.Session.Ask(a) }

func (d debuggedRank) Break(points ...control.Breakpoint) error { return d.Session.Break(points...) }

func (d debuggedRank) Done() <-chan struct{} { return d.Ended }

func (d debuggedRank) Result() string {
	if d.Damaged != nil {
		return "the end of the tape is missing: " + d.Damaged.Error()
	}
	return "this rank has ended"
}

func (d debuggedRank) Input(string) error {
	return errors.New("the ranks share the terminal of their launcher; type there (:rank launcher)")
}

func (d debuggedRank) Resize(int, int) {}
