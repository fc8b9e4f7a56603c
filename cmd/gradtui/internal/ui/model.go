package ui

import (
	"context"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/images"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A Program runs under the debugger.
type Program interface {
	// Stops receives each stop of the program.
	Stops() <-chan control.Stop
	// Done is closed when the program has ended and its tape is complete.
	Done() <-chan struct{}
	// Result says in one sentence how it ended.
	Result() string

	Resume(control.Step) error
	// Repeat resumes the program for so many steps, without a stop between them.
	Repeat(step control.Step, times int) error
	Interrupt() error
	Break(...control.Breakpoint) error
	// Ask asks the program at a stop and waits for the answer, which Interrupt ends.
	Ask(control.Ask) (control.Answer, error)
	// Input types text for the program. Resize changes the size of its terminal.
	Input(text string) error
	Resize(columns, rows int)
}

// Options say what the debugger shows.
type Options struct {
	Tape  *graph.Tape
	Title string // the program or the file
	// Program is the program that appends to the tape; nil: the tape is a recorded one.
	Program Program
	// Ahead lets the program run to the first place of interest: where it fails, the end of its
	// first iteration, or its end.
	Ahead bool
	// More reads the next part of the tape's file and returns how far it has come. It does
	// not wait, and is not called again after an error. nil: no file is being read.
	More func() (Reading, error)
	// Notice is the first message: what is wrong with the tape, or which engine runs.
	Notice string
	// ReadLeftOut reads a source file that the tape leaves out; see [inspect.Options].
	ReadLeftOut func(name string, e *graph.SourceRead) ([]byte, error)
	// Owns reports whether a file lies in the folder of the program that the user has named; nil: none does.
	Owns func(path string) bool
	// Looks says when to look whether source files of the program were edited; nil: never.
	Looks <-chan time.Time
	Rules []inspect.Rule
	Settings
	// Restart ends the program, starts it again and returns its new tape and program, and a notice. It
	// may take a while. nil: it cannot be started again, for the reason NoRestart, if there is one.
	Restart   func() (Options, error)
	NoRestart string
	// Fork runs the program again as base up to a position, and changes it there. It takes as long as the
	// program. nil: it cannot.
	Fork func(base *graph.Tape, at graph.Pos, change fork.Change) (Forked, error)
	// Fix runs the program again with the fix of a finding, CODE:LINE, of the run base, and says what became of
	// it. It takes as long as the program. nil: it cannot.
	Fix func(base *graph.Tape, finding string) (string, error)
	// Audit runs gradtui audit with flags on a tape, and returns what it says. It ends with the context. nil: not available.
	Audit func(ctx context.Context, tape *graph.Tape, flags []string) (string, error)
	// Earlier is what an earlier session has set; nil: nothing. SessionFile is where this one is kept; nil:
	// nowhere.
	Earlier     *session.Session
	SessionFile *session.File
	// Export writes the graph behind some nodes to a file and returns a message about it. A
	// file that exists is the error fs.ErrExist, unless overwrite is set.
	Export func(ctx context.Context, g *graph.Graph, roots []graph.NodeID, style export.Style, path string, overwrite bool) (said string, err error)
	// Picture draws the graph behind some nodes as a PNG; nil: not available.
	Picture func(ctx context.Context, g *graph.Graph, roots []graph.NodeID, style export.Style, dpi float64) ([]byte, error)
}

// A Forked is what came of a program that was run again with a change.
type Forked struct {
	Said string      // how the run differs from the first one
	Tape *graph.Tape // nil: it did not come to the change
}

// A Model is the debugger.
type Model struct {
	state

	columns, rows int
	layout        layout
	sizes         sizes
	mouse         mouse
	now           func() time.Time
	panes         panes
	focus, last   paneID // last is the pane of the corner that was focused last
	zoomed        bool
	overlay       overlay
	notice        notice
	keys          keymap
	style         export.Style // that the newest export named; of pictures in the terminal
	among         *Runs        // the runs that this is one of
	turning       int          // how often its place is being looked for, as another run was shown before it
	typed         []string     // command lines, oldest first
	query         string       // of the last search
	searched      []string     // what was found and gone to, oldest first
	jumps         jumps
	target        target           // what the search has found and the cursor is going to
	terminal      *images.Terminal // what the terminal can show; nil: not known

	canvas  *cells.Canvas
	palette *cells.Palette
	dark    bool
	// colourless says that the terminal shows no colours.
	colourless bool
	screen     strings.Builder
	working    bool // a workMsg is on its way

	kept       session.Session // as it was loaded
	forgotten  bool            // it was removed, and this one is not kept
	execute    executor
	repeated   *repeating // nil: no key is being repeated
	life       *life
	restarting bool       // the program is being ended and started again
	way        *returning // the way of a program that was started again; nil: it is not on it
	lost       *lostWay   // the way of one that did not arrive; nil: it did
	before     *runBefore // the run before a restart; nil: there was none, or its findings were compared
	editing    editing
}

// A notice is a message in the last row. The next key clears it.
type notice struct {
	text  string
	style cells.Style
}

// New returns a debugger at the beginning of the tape.
func New(o Options) *Model {
	m := &Model{
		state: newState(o), panes: newPanes(o.Tape), focus: graphPane, last: findingsPane, dark: true, keys: bindings(), life: &life{}, now: time.Now,
		execute: func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd { return tea.ExecProcess(c, done) },
	}
	m.among = &Runs{models: []*Model{m}, shown: m}
	m.palette = m.newPalette()
	if o.Notice != "" {
		m.notice = notice{o.Notice, warned}
	}
	m.editing.rerun = o.rerun
	if o.Earlier != nil {
		m.takeSession(o.Earlier)
	}
	return m
}

// Messages of the model to itself.
type (
	workMsg    struct{}
	stoppedMsg struct {
		stop control.Stop
		ok   bool // false: no more stops will come
	}
	overMsg  struct{}
	grownMsg struct{}
	saidMsg  notice
)

// Init starts to follow the program and to read the tape.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.begin(), m.watchFiles())
}

// begin starts to follow the program and to read the tape, of the first run and of later ones.
func (m *Model) begin() tea.Cmd {
	commands := []tea.Cmd{m.start()}
	if m.Program != nil {
		if len(m.queries) > 0 {
			if err := m.Program.Break(m.points()...); err != nil {
				m.sayError(err)
			}
		}
		m.program.starting.since = time.Now()
		commands = append(commands, m.waitForStop(), m.waitForEnd(), m.waitForGrowth(), m.spins())
	}
	if m.More != nil {
		commands = append(commands, m.readMore())
	}
	return m.stamped(tea.Batch(commands...))
}

// background marks a command that waits for something that may never come, so that the
// debugger of lines takes the next line without it.
func background(wait tea.Cmd) tea.Cmd { return func() tea.Msg { return Background(wait) } }

func (m *Model) waitForStop() tea.Cmd {
	stops := m.Program.Stops() // of this run
	return background(func() tea.Msg {
		stop, ok := <-stops
		return stoppedMsg{stop, ok}
	})
}

func (m *Model) waitForEnd() tea.Cmd {
	done := m.Program.Done()
	return background(func() tea.Msg { <-done; return overMsg{} })
}

// growth is how often the screen follows a tape that grows.
const growth = 50 * time.Millisecond

func (m *Model) waitForGrowth() tea.Cmd {
	tape, done := m.Tape, m.Program.Done()
	n := tape.Len()
	return background(func() tea.Msg {
		select {
		case <-tape.Grown(n):
		case <-done:
			return nil
		}
		time.Sleep(growth)
		return grownMsg{}
	})
}

// Update takes a message. Nothing in it waits or takes long.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if dated, ok := msg.(livingMsg); ok {
		if dated.life != m.life {
			return m, nil
		}
		msg = dated.msg
	}
	took := m.take(msg)
	return m, m.stamped(tea.Batch(took, m.keepWorking(), m.arrangeGraph(), m.colour(), m.measureMemory(), m.askAgain(), m.keepSeeking(), m.matchMoments(), m.followTied(), m.repeatOn(), m.compareRuns(), m.rerunIfDue()))
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.palette = m.newPalette()
	case tea.ColorProfileMsg:
		m.colourless = msg.Profile <= colorprofile.ASCII
	case tea.KeyPressMsg:
		if m.mayJump(msg.String()) {
			return m.jumping(func() tea.Cmd { return m.press(msg) })
		}
		return m.press(msg)
	case tea.PasteMsg:
		if m.overlay != nil {
			return m.overlay.paste(m, msg.Content)
		}
	case tea.MouseClickMsg:
		return m.jumping(func() tea.Cmd { return m.click(msg.Mouse()) })
	case tea.MouseMotionMsg:
		m.dragTo(msg.Mouse())
	case tea.MouseReleaseMsg:
		m.release()
	case tea.MouseWheelMsg:
		return m.wheel(msg.Mouse())
	case tea.ResumeMsg:
		return tea.ClearScreen
	case workMsg:
		m.working = false
		return m.work()
	case restartedMsg:
		return m.restarted(msg)
	case lookMsg:
		return m.lookAtFiles()
	case foundMsg:
		return m.found(msg)
	case changedMsg:
		return m.changed(msg)
	case editMsg:
		return m.editFound(msg)
	case foundPlaceMsg:
		return msg.do(m)
	case stoppedMsg:
		if !m.restarting {
			return m.stopped(msg)
		}
	case overMsg:
		if !m.restarting {
			return m.over()
		}
	case grownMsg:
		m.follow()
		return tea.Batch(m.waitForGrowth(), m.check())
	case spinMsg:
		return m.spins()
	case moreMsg:
		return m.more(msg)
	case checkedMsg:
		return m.checked(msg)
	case arrangedMsg:
		return m.arranged(msg)
	case saidMsg:
		m.notice = notice(msg)
	case Background:
		return tea.Cmd(msg)
	case Do:
		return m.jumping(func() tea.Cmd { return msg(m) })
	case FileExists:
		return m.askToOverwrite(string(msg))
	case storyMsg:
		return m.showStory(msg)
	case comparedMsg:
		return m.compared(msg)
	case matchedMsg:
		return m.matchedMoments(msg)
	case tiedMsg:
		return m.follows(msg)
	case forkedMsg:
		return m.forkEnded(msg)
	case measuredMsg:
		return m.measured(msg)
	case triedMsg:
		return m.fixEnded(msg)
	case lossesMsg:
		return m.showLosses(msg)
	case answerMsg:
		return m.answered(msg)
	case elementsMsg:
		return m.elementsCame(msg)
	case watchedMsg:
		return m.watched(msg)
	case linesMsg:
		m.panes.memory.take(msg)
	case colouredMsg:
		msg.source.colours = msg.colours
	case tea.EnvMsg, tea.TerminalVersionMsg, uv.PrimaryDeviceAttributesEvent, uv.KittyGraphicsEvent, uv.CellSizeEvent:
		return m.learnTerminal(msg)
	default:
		if o, ok := m.overlay.(interface{ take(*Model, tea.Msg) tea.Cmd }); ok {
			return o.take(m, msg)
		}
	}
	return nil
}

func (m *Model) resize(columns, rows int) {
	m.columns, m.rows = columns, rows
	m.canvas = cells.New(columns, rows)
	m.refresh()
	if m.Program != nil {
		if r := m.layout.panes[outputPane]; r.H > 1 {
			m.Program.Resize(r.W, r.H-1)
		} else {
			m.Program.Resize(columns, rows)
		}
	}
}

// layoutNow is the layout for what the panes have to show.
func (m *Model) layoutNow() layout {
	var w wants
	for id, p := range m.panes.all {
		if p, ok := p.(interface{ rowCount(*state) int }); ok {
			w[id] = max(1+(p.rowCount(&m.state)+evenRows-1)/evenRows*evenRows, leastRows)
		}
	}
	return newLayout(m.columns, m.rows, m.focus, m.last, m.zoomed, m.scope.root == 0, w, m.sizes)
}

const (
	evenRows  = 6 // a pane grows by so many rows at once, so that the others seldom move
	leastRows = 7
)

// measureMemory looks for the lines that hold memory while their pane is shown.
func (m *Model) measureMemory() tea.Cmd {
	if m.layout.panes[memoryPane].H == 0 {
		return nil
	}
	return m.panes.memory.measure(&m.state)
}

// show focuses a pane.
func (m *Model) show(id paneID) {
	m.focus = id
	if id.inCorner() {
		m.last = id
	}
	m.refresh()
}

// say shows a message in the last row.
func (m *Model) say(style cells.Style, text string) tea.Cmd {
	m.notice = notice{text, style}
	return nil
}

func (m *Model) sayError(err error) tea.Cmd { return m.say(failed, err.Error()) }

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if !m.noMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "gradtui"
	if m.canvas == nil {
		return v
	}
	m.draw()
	m.screen.Reset()
	m.canvas.Write(&m.screen, m.palette)
	v.Content = m.screen.String()
	if m.overlay != nil && m.fits() {
		v.Cursor = m.overlay.cursor(m)
	}
	return v
}

// Screen returns the text of the screen, without colours.
func (m *Model) Screen() string {
	m.draw()
	return m.canvas.Text()
}

// fits reports whether the screen is large enough for panes.
func (m *Model) fits() bool { return m.columns >= MinColumns && m.rows >= MinRows }

func (m *Model) draw() {
	m.canvas.Clear()
	all := m.canvas.All()
	if !m.fits() {
		all.Fit(0, 0, m.columns, plain, "window too small for gradtui:")
		all.Fit(0, 1, m.columns, muted, "it needs 40 by 10; q quits")
		return
	}
	m.drawTitle(all.Part(m.layout.title))
	for id, rect := range m.layout.panes {
		if rect.H > 0 {
			m.drawPane(paneID(id), all.Part(rect))
		}
	}
	for _, x := range m.layout.rules {
		for y := range m.layout.ruleRows.H {
			all.Text(x, m.layout.ruleRows.Y+y, rule, "│")
		}
	}
	m.drawStatus(all)
	if m.overlay != nil {
		m.overlay.draw(m, all)
	}
}

// drawPane draws the title and the body of a pane.
func (m *Model) drawPane(id paneID, r cells.Region) {
	style, mark := headline, "─"
	if id == m.focus {
		style, mark = headFocus, "━"
	}
	r.Fill(0, 0, r.W, rule, mark)
	x := r.Text(1, 0, keycap, id.key())
	x = r.Text(x, 0, style, " "+id.name()+" ")
	if about := m.panes.all[id].about(&m.state); about != "" {
		x = r.Fit(x, 0, r.W-x-1, muted, about)
		r.Text(x, 0, muted, " ")
	}
	if r.H > 1 {
		m.panes.all[id].draw(&m.state, r.Below(1), id == m.focus)
	}
}
