package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/live"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/rules"
)

// A debugger says how the debugger is shown.
type debugger struct {
	lines bool // it reads and prints lines instead of showing a screen
}

func (d *debugger) add(c *cobra.Command) {
	c.Flags().BoolVar(&d.lines, "plain-ui", false, "debug with lines of plain text instead of a screen: for screen\nreaders, simple terminals and scripts")
}

// wanted reports whether the debugger is to be opened: there is somebody who types, and
// a screen, or it was asked for.
func (d *debugger) wanted(s streams) bool {
	return d.lines || isTerminal(s.in) && isTerminal(s.out) && os.Getenv("TERM") != "dumb"
}

// framesPerSecond is how often the screen is drawn at the most. A frame waits for its
// turn, so at 60 a second an answer to a key could take longer than 16 ms.
const framesPerSecond = 120

// open opens the debugger on a tape, or on those of several ranks.
func (d *debugger) open(ctx context.Context, s streams, all ...ui.Options) error {
	for i, o := range all {
		all[i] = complete(o)
	}
	switch {
	case len(all) > 1:
		return d.openRanks(ctx, s, all, nil)
	case d.lines:
		return linear(ctx, s, all[0])
	}
	return show(ctx, s, ui.New(all[0]))
}

// complete gives a debugger what all of them have.
func complete(o ui.Options) ui.Options {
	o.Rules = rules.All()
	o.Export, o.Picture = exportFile, drawPicture
	return o
}

// show shows a debugger on the screen.
func show(ctx context.Context, s streams, model tea.Model) error {
	// Signals end the context, here and in main. Bubble Tea's own handler need not hear of
	// them, too, nor of the context: then it would close the terminal while it still reads.
	ctx, stop := interruptible(ctx)
	defer stop()
	defer showing(s)()
	p := tea.NewProgram(model, tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), tea.WithInput(s.in), tea.WithOutput(s.out))
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramPanic) {
		return fmt.Errorf("the debugger has failed, which it should not do; please report it with what it printed: %w", err)
	}
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil
	}
	return err
}

// interruptible is a context that Ctrl-C ends, too.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt)
}

// linear opens the debugger that reads and prints lines.
func linear(ctx context.Context, s streams, o ui.Options) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	l := ui.Linear{Options: o, In: s.in, Out: s.out, Interrupts: interrupts}
	if isTerminal(s.in) {
		l.Prompt = "> "
	}
	return l.Run(ctx)
}

// goodbye is how long a program has to end when the debugger is left.
const goodbye = 5 * time.Second

// run runs a program in the debugger, keeps its tape, and returns its exit code, 0 if it
// was still running when the debugger was left.
func (d *debugger) run(ctx context.Context, s streams, program launch.Program, limits graph.Limits, keep kept) (code int, err error) {
	program.Skipped, program.NoCache = nil, nil // the screen is the debugger's
	if err := program.Check(); err != nil {
		return 0, err
	}
	file, err := keep.create(ctx, &program)
	if err != nil {
		return 0, err
	}
	beside, err := torchBeside(ctx, s.err, &program)
	if err != nil {
		return 0, discard(file, adviseTorch(ctx, &program, err))
	}
	p, err := live.Start(ctx, live.Options{Program: program, Limits: limits, File: file, Size: live.Size{Columns: 80, Rows: 24}, Free: program.Guest != nil})
	if err != nil {
		return 0, discard(file, err)
	}
	o := ui.Options{Tape: p.Tape(), Title: program.Name, Program: advised(ctx, p, &program), ReadLeftOut: program.Folder().Read}
	if d.lines && beside != "" {
		fmt.Fprintf(s.err, "gradtui: running %s %s\n", shortName(program.Name), beside)
	} else {
		o.Notice = beside
	}
	err = d.open(ctx, s, o)
	result, over := leave(ctx, p, func() {})
	if over {
		code, err = result.ExitCode, errors.Join(err, explainBuild(s.err, result.Err))
	}
	keep.discard(p.Tape())
	keep.tell(s.err, p.Tape())
	return code, err
}

// discard removes the file of a tape that there will not be.
func discard(file *tapefile.Writer, why error) error {
	if file != nil {
		file.Discard()
	}
	return why
}

// leave ends a program, if it is not over yet: it is interrupted, and first let go.
func leave(ctx context.Context, p *live.Program, let func()) (result live.Result, over bool) {
	select {
	case <-p.Done():
		over = true
	default:
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	let()
	return p.Close(ctx), over
}

// debugged is a program as the debugger's interface takes it.
type debugged struct{ *live.Program }

func (d debugged) Result() string { return d.Program.Result().String() }

// advisedProgram is one whose end says how it runs on PyTorch, if that is what it lacks.
type advisedProgram struct {
	debugged
	advice string // once it is done
	done   chan struct{}
}

// advised gives a program that was started as the debugger's interface takes it.
func advised(ctx context.Context, p *live.Program, program *launch.Program) *advisedProgram {
	a := &advisedProgram{debugged: debugged{p}, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		<-p.Done()
		end := p.Result().End
		a.advice = lacking(ctx, program, p.Tape(), &end)
	}()
	return a
}

func (a *advisedProgram) Done() <-chan struct{} { return a.done }

func (a *advisedProgram) Result() string {
	text := a.debugged.Result()
	select {
	case <-a.done:
		if a.advice != "" {
			text += "; " + a.advice
		}
	default:
	}
	return text
}

func (d debugged) Resize(columns, rows int) {
	d.Program.Resize(live.Size{Columns: columns, Rows: rows})
}
