package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// The debugger without a screen: what package linear needs of a Model.

// Messages that a loop other than a tea.Program has to know.
type (
	// Background brings a command that waits for something that may never come. A debugger
	// of lines takes the next line without it.
	Background tea.Cmd
	// Do brings something to do without a key.
	Do func(m *Model) tea.Cmd
	// FileExists brings the arguments of an export whose file exists.
	FileExists string
)

// Running reports whether the program runs, or works on an answer.
func (m *Model) Running() bool { return m.program.running || m.asked.working > 0 }

// Busy reports whether the program runs or the cursor is on its way.
func (m *Model) Busy() bool {
	return m.program.running || m.moving() || m.turning > 0 || m.repeated != nil
}

// RunNumber counts the restarts of the program.
func (m *Model) RunNumber() int { return m.life.number }

// Restarting reports whether the program is being ended and started again.
func (m *Model) Restarting() bool { return m.restarting }

// Interrupt stops the program.
func (m *Model) Interrupt() tea.Cmd { return m.interrupt() }

// Run carries out a command line.
func (m *Model) Run(line string) tea.Cmd { return m.run(line) }

// Search opens the search.
func (m *Model) Search() tea.Cmd { return m.openSearch() }

// SendLine types a line for the program.
func (m *Model) SendLine(text string) {
	if !m.live() {
		m.say(muted, noReader)
	} else if err := m.Program.Input(text + "\n"); err != nil {
		m.sayError(err)
	}
}

// Say sets the message. TakeMessage returns and clears it.
func (m *Model) Say(text string) { m.say(plain, text) }

// TakeMessage returns the message and clears it; "" if there is none.
func (m *Model) TakeMessage() string {
	text := m.notice.text
	m.notice = notice{}
	return text
}

// A Key is a row of the keymap.
type Key struct {
	Names []string
	Help  string // "": the help does not list it
	Works bool   // it does something at the moment
	Why   string // why it does not
	Press Do
}

func (m *Model) key(b *binding) Key {
	k := Key{Names: m.keysOf(b), Help: b.help, Works: b.works(m), Press: b.do}
	if !k.Works {
		k.Why = b.when.why(m)
	}
	return k
}

// Key returns the binding of a key.
func (m *Model) Key(name string) (k Key, ok bool) {
	b := m.bound(name)
	if b == nil {
		return Key{}, false
	}
	return m.key(b), true
}

// Keys returns all keys in the order of the help.
func (m *Model) Keys() (keys []Key) {
	for i := range m.keys {
		if m.keys[i].do != nil {
			keys = append(keys, m.key(&m.keys[i]))
		}
	}
	return keys
}

// A Command is a row of the table of commands.
type Command struct{ Name, Args, Help string }

// Commands returns all commands.
func Commands() (all []Command) {
	for _, c := range commands {
		all = append(all, Command{c.name, c.args, c.help})
	}
	return all
}

// ShowPane focuses the pane whose name begins so; without a name it stays at the focused
// one. It reports whether there is such a pane.
func (m *Model) ShowPane(name string) bool {
	id, ok := m.focus, true
	if name != "" {
		id, ok = paneNamed(name)
	}
	if ok {
		m.show(id)
	}
	return ok
}

// PaneWords returns the title and the rows of the focused pane.
func (m *Model) PaneWords() (title string, rows []string) {
	p := m.panes.all[m.focus]
	title = m.focus.name()
	if about := inWords(p.about(&m.state)); about != "" {
		title += ": " + about
	}
	if s, ok := p.(speaker); ok {
		return title, s.words(&m.state)
	}
	c := cells.New(m.columns, 4*maxRows)
	p.draw(&m.state, c.All(), true)
	for line := range strings.Lines(c.Text()) {
		if line = inWords(line); line != "" {
			rows = append(rows, line)
		}
	}
	return title, rows
}

// At returns the position of the cursor.
func (m *Model) At() graph.Pos { return m.at() }

// PositionWords describes the position of the cursor, and what happens next or has
// happened last.
func (m *Model) PositionWords() []string {
	line := m.line(m.at() - 1)
	if line.Line <= 0 {
		line = m.place // an event that belongs to the step has no line
	}
	here := fmt.Sprintf("Event %d of %d%s.", m.at(), m.tape.Len(), m.lineWords(line))
	if id := m.aboutToRun(); id != 0 {
		return []string{here, fmt.Sprintf("Next: %s is about to run.", m.nameOf(selection{node: id}))}
	}
	for p := m.at() - 1; p >= 0 && p >= m.at()-lookBack; p-- {
		_, e := m.event(p)
		s, ok := subject(m.graph(), e)
		if !ok {
			continue
		}
		what := m.nameOf(s)
		if s.tensor != 0 {
			what = fmt.Sprintf("%s: %s.", what, m.index.lookup.TensorEvent(m.graph(), s.tensor, p).Text)
		} else {
			what += ": " + graph.Kinds[e.Kind()].Doc
		}
		return []string{here, "Last: " + what}
	}
	return []string{here}
}

// mostTold is how many differences are listed at each place.
const mostTold = 6

// Moment returns what the words about moment A depend on, to be compared with another one; nil while none is
// pinned, or it is not known what differs.
func (m *Model) Moment() any {
	if m.pin == nil || !m.pin.known() || m.moving() {
		return nil
	}
	return struct {
		of   *pin
		a, b graph.Pos
	}{m.pin, m.pin.at(), m.at()}
}

// MomentWords says where moment A is, and the first of what differs from it.
func (m *Model) MomentWords() (lines []string) {
	differs := 0
	m.tellAll(func(lead, said string) {
		if differs++; differs <= mostTold {
			lines = append(lines, fmt.Sprintf("Differs: %s: %s.", lead, inWords(console.OneLine(said))))
		}
	})
	switch {
	case differs == 0:
		lines = append(lines, "Nothing differs.")
	case differs > mostTold:
		lines = append(lines, fmt.Sprintf("%d more; what differs lists all.", differs-mostTold))
	}
	return append([]string{inWords(console.OneLine(m.momentsText(1<<10))) + "."}, lines...)
}

// Selected returns the selection, to be compared with another one, and describes it; "" if
// it does not exist at the cursor.
func (m *Model) Selected() (key any, words string) { return m.chosen, m.selectionWords(m.chosen) }

// An OutputLine is a line that the program printed.
type OutputLine struct {
	Text, Words string
	Open        bool // its end has not come yet
}

// Printed returns how many lines the program had printed at the cursor.
func (m *Model) Printed() int { return m.index.printed.until(m.at()) + m.index.printed.dropped }

// OutputLine returns a line that the program printed; the index keeps the newest ones.
func (m *Model) OutputLine(i int) OutputLine {
	l := &m.index.printed.lines[i-m.index.printed.dropped]
	return OutputLine{l.text, l.words(), l.open}
}

// Findings returns the findings so far.
func (m *Model) Findings() []inspect.Finding { return m.findings.all() }

// Overlaid reports whether an overlay takes the keys.
func (m *Model) Overlaid() bool { return m.overlay != nil }

// CloseOverlay closes the overlay.
func (m *Model) CloseOverlay() { m.close() }

// TextShown returns the title and the lines of the text that lies over the panes.
func (m *Model) TextShown() (title string, lines []string, ok bool) {
	switch o := m.overlay.(type) {
	case *text:
		return o.title, o.words(), true
	case *measurement:
		return o.title, o.words(), true
	case *tensorView:
		return o.title(), o.words(m), true
	case *bookmarkList:
		return "Bookmarks", o.words(m), true
	case *hits:
		return "Hits of " + o.of.String(), o.words(m), true
	}
	return "", nil, false
}

// Asked returns what a prompt asks for and the answer that it proposes.
func (m *Model) Asked() (title, proposal string, ok bool) {
	p, ok := m.overlay.(*prompt)
	if !ok {
		return "", "", false
	}
	return p.title, p.String(), true
}

// Answer answers the prompt.
func (m *Model) Answer(line string) tea.Cmd {
	p, ok := m.overlay.(*prompt)
	if !ok {
		return nil
	}
	m.close()
	return p.do(m, line)
}

// AtStop reports whether the program can be asked.
func (m *Model) AtStop() bool { return m.atStop() }

// ShowLocals chooses a frame, counted from the innermost one, 1, and shows its variables; 0 is the one
// that was chosen, or else the program's own innermost one.
func (m *Model) ShowLocals(number int) tea.Cmd {
	v := m.panes.stack
	m.show(stackPane)
	i := number - 1
	if number == 0 {
		i = m.ownFrame()
	}
	if i < 0 || i >= len(v.stack) {
		return m.say(muted, fmt.Sprintf("there is no frame %d here", number))
	}
	v.local = i
	return m.apply(chooseFrame(i))
}

// LocalWords returns the frame that ShowLocals has shown, and its variables.
func (m *Model) LocalWords() (lines []string) {
	v := m.panes.stack
	v.lay(&m.state)
	for i := range v.rows {
		if v.rows[i].frame == v.local {
			lines = append(lines, v.rows[i].line.words())
		}
	}
	return lines
}
