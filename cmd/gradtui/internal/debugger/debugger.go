package debugger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/draw"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/live"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/linear"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/rules"
)

// Flags say how the debugger is shown.
type Flags struct {
	PlainUI   bool   // it reads and prints lines instead of showing a screen
	Ahead     bool   // a program that Run starts runs to the first place of interest
	NoSession bool   // nothing is kept for the next time
	Config    string // the configuration; "": the user's
}

// AddTo adds the flags to a command.
func (d *Flags) AddTo(c *cobra.Command) {
	c.Flags().BoolVar(&d.PlainUI, "plain-ui", false, "debug with lines of plain text instead of a screen: for screen\nreaders, simple terminals and scripts")
	c.Flags().StringVar(&d.Config, "config", "", "read the debugger's settings from this `file`, not from the user's")
	c.Flags().BoolVar(&d.NoSession, "no-session", false, "neither load nor keep breakpoints, bookmarks and folds of this program")
}

// Wanted reports whether to open the debugger: there is a keyboard and a screen, or the user
// asked for it.
func (d *Flags) Wanted(s cli.Streams) bool {
	return d.PlainUI || cli.IsTerminal(s.In) && cli.IsTerminal(s.Out) && os.Getenv("TERM") != "dumb"
}

// framesPerSecond is how often the screen is drawn at most. A frame waits for its
// turn, so at 60 a second an answer to a key could take longer than 16 ms.
const framesPerSecond = 120

// Open opens the debugger on a tape, or on the tapes of several ranks. of names what a session is kept for;
// "": nothing is kept.
func (d *Flags) Open(ctx context.Context, streams cli.Streams, of string, all ...ui.Options) error {
	s, off, err := d.settings()
	if err != nil {
		return err
	}
	d.NoSession = d.NoSession || off
	for i, o := range all {
		all[i] = complete(s, o)
	}
	if len(all) > 1 {
		return d.openRanks(ctx, streams, all, nil)
	}
	d.loadSession(of, &all[0])
	m := ui.New(all[0])
	if d.PlainUI {
		err = openLines(ctx, streams, m.Runs())
	} else {
		err = Show(ctx, streams, m.Runs())
	}
	return errors.Join(err, m.Keep())
}

// OpenBeside opens the debugger on a tape, and compares it with another one.
func (d *Flags) OpenBeside(ctx context.Context, s cli.Streams, o, other ui.Options) error {
	set, _, err := d.settings()
	if err != nil {
		return err
	}
	runs := ui.NewBeside(complete(set, o), complete(set, other))
	if d.PlainUI {
		return openLines(ctx, s, runs)
	}
	return Show(ctx, s, runs)
}

// complete sets the options that all debuggers share.
func complete(s configured, o ui.Options) ui.Options {
	o.Settings = s.Settings
	if o.Notice == "" {
		o.Notice = s.wrong
	}
	o.Rules = rules.All()
	o.Export, o.Picture, o.Audit = draw.File, draw.PNG, audit
	return o
}

// Show shows a debugger on the screen.
func Show(ctx context.Context, s cli.Streams, model tea.Model) error {
	// Signals end the context, here and in main. Bubble Tea's own handler must not get them,
	// nor the context: it would close the terminal while it still reads.
	ctx, stop := interruptible(ctx)
	defer stop()
	defer cli.Showing(s)()
	p := tea.NewProgram(model, tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), tea.WithInput(s.In), tea.WithOutput(s.Out))
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramPanic) {
		return fmt.Errorf("internal error in the debugger; please report it together with the output above: %w", err)
	}
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil
	}
	return err
}

// interruptible returns a context that Ctrl-C ends as well.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt)
}

// openLines opens the debugger that reads and prints lines.
func openLines(ctx context.Context, s cli.Streams, runs *ui.Runs) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	l := linear.Debugger{Runs: runs, In: s.In, Out: s.Out, Interrupts: interrupts}
	if cli.IsTerminal(s.In) {
		l.Prompt = "> "
	}
	return l.Run(ctx)
}

// lookAtFiles is how often the debugger looks whether source files of the program were edited.
const lookAtFiles = time.Second

// goodbye is how long a program has to end when the debugger is left.
const goodbye = 5 * time.Second

// Run runs a program in the debugger, keeps its tape, and returns its exit code, 0 if it
// was still running when the debugger was left.
func (d *Flags) Run(ctx context.Context, s cli.Streams, program launch.Program, limits graph.Limits, keep target.TapeFile) (code int, err error) {
	program.Skipped, program.NoCache = nil, nil // the screen is the debugger's
	if err := program.Check(); err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx) // ends forks
	defer stop()
	r := &running{ctx: ctx, program: program, limits: limits, keep: keep}
	beside, err := target.OtherTorch(ctx, s.Err, &r.program)
	if err != nil {
		return 0, target.AdviseTorch(ctx, &r.program, err)
	}
	o, err := r.start()
	if err != nil {
		return 0, err
	}
	o.Ahead = d.Ahead
	if o.NoRestart = r.noRestart(); o.NoRestart == "" {
		o.Restart, o.Looks = r.again, time.Tick(lookAtFiles)
	}
	if r.mayRunAgain() {
		o.Fork, o.Fix = r.fork, r.fix
	}
	if d.PlainUI && beside != "" {
		fmt.Fprintf(s.Err, "gradtui: running %s %s\n", cli.ShortName(program.Name), beside)
	} else {
		o.Notice = beside
	}
	err = d.Open(ctx, s, sessionOf(&program), o)
	p := r.leave()
	defer r.forking.Wait()
	defer stop()
	result, over := leave(ctx, p, func() {})
	if over {
		code, err = result.ExitCode, errors.Join(err, target.ShowBuildError(s.Err, result.Err))
	}
	r.keep.Discard(p.Tape())
	r.keep.Announce(s.Err, p.Tape())
	if text := target.Unmatched(p.Tape()); over && text != "" {
		fmt.Fprintln(s.Err, "gradtui:", cli.OneLine(text))
	}
	return code, err
}

// discard removes the file of a tape that will not be written.
func discard(file *tapefile.Writer, why error) error {
	if file != nil {
		file.Discard()
	}
	return why
}

// leave ends a program that still runs: it resumes it and interrupts it.
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

// An advisedProgram says at its end how to run it on PyTorch, if the built-in engine lacked
// something.
type advisedProgram struct {
	debugged
	advice string // once it is done
	done   chan struct{}
}

// advised wraps a program that was started.
func advised(ctx context.Context, p *live.Program, program *launch.Program) *advisedProgram {
	a := &advisedProgram{debugged: debugged{p}, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		<-p.Done()
		end := p.Result().End
		a.advice = target.MissingFeatureAdvice(ctx, program, p.Tape(), &end)
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

// Attach waits for a program and opens the debugger on it.
func (d *Flags) Attach(ctx context.Context, s cli.Streams, keep target.TapeFile) error {
	r, err := python.Rendezvous()
	if err != nil {
		return err
	}
	defer r.Close()
	fmt.Fprintln(cli.Notes(s.Err), "gradtui: waiting for a program that calls gradtui.attach(); Ctrl-C ends this")
	guest, err := accept(ctx, r)
	if err != nil {
		return err
	}
	program := launch.Program{Guest: guest}
	program.Name = guest.Info().Program
	_, err = d.Run(ctx, s, program, graph.Limits{Bytes: target.DefaultTapeBytes}, keep)
	return err
}

// accept waits for a program until Ctrl-C is typed.
func accept(ctx context.Context, r *pytorch.Receiver) (*pytorch.Guest, error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	return r.Accept(ctx)
}
