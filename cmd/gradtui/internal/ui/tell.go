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

// storyMsg brings what there is to say about a tensor.
type storyMsg struct {
	story *inspect.Story
	ok    bool
}

// explain tells everything about the chosen tensor, as gradtui explain does, up to the
// cursor.
func (m *Model) explain() tea.Cmd {
	id := m.chosenTensor()
	if id == 0 {
		return m.say(muted, "no tensor is selected")
	}
	tape, at, options := m.tape, m.at(), inspect.Options{ReadLeftOut: m.ReadLeftOut}
	m.say(muted, "reading the tape…")
	return func() tea.Msg {
		story, ok := inspect.ReadHistory(tape, at, options).Story(id)
		return storyMsg{story, ok}
	}
}

// tell shows a story.
func (m *Model) tell(msg storyMsg) tea.Cmd {
	m.notice = notice{}
	if !msg.ok {
		return m.say(muted, "nothing is known about that tensor here")
	}
	s := msg.story
	name := s.Name
	if name == "" {
		name = fmt.Sprintf("t%d", s.Tensor.ID)
	}
	t := &text{title: console.OneLine(name)}
	width := max(m.columns-12, 30)
	for _, f := range s.Facts {
		place := ""
		if f.Span.Known() {
			place = "  " + lineName(f.Span.Frame)
		}
		if f.Count > 1 {
			place += fmt.Sprintf(" (%d times)", f.Count)
		}
		for i, line := range console.Wrap(console.OneLine(f.Text+place), width) {
			lead := ""
			if i == 0 {
				lead = f.Topic
			}
			t.lines = append(t.lines, styled{{headline, fmt.Sprintf("%-9s", lead)}, {plain, line}})
		}
	}
	m.overlay = t
	return nil
}

// A copier is a pane that says itself what is chosen in it.
type copier interface {
	copied(m *Model) string
}

// copy puts what is chosen onto the clipboard, by the terminal's own means.
func (m *Model) copy() tea.Cmd {
	text := ""
	if p, ok := m.panes[m.focus].(copier); ok {
		text = p.copied(m)
	} else {
		text = m.nameOf(m.chosen)
	}
	if text == "" {
		return m.say(muted, "nothing is selected")
	}
	m.say(muted, "copied: "+console.OneLine(text))
	return tea.SetClipboard(console.Printable(text))
}

func (v *sourceView) copied(m *Model) string {
	if m.place.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", m.place.File, v.chosen+1)
}

func (v *inspectorView) copied(*Model) string {
	if v.chosen >= len(v.rows) {
		return ""
	}
	return strings.TrimSpace(v.rows[v.chosen].text())
}

func (v *findingsView) copied(m *Model) string {
	if v.chosen >= len(v.rows) {
		return ""
	}
	f := m.report.Findings[v.rows[v.chosen].finding]
	text := fmt.Sprintf("%s[%s]: %s:%d: %s", f.Severity, f.Code, f.Primary.File, f.Primary.Line, f.Message)
	if f.Help != "" {
		text += "\nhelp: " + f.Help
	}
	return text
}

// copied is what can be seen of the output.
func (v *outputView) copied(m *Model) string {
	from, height := v.top, m.layout.panes[outputPane].H-1
	var text []string
	for i := from; i < min(from+height, len(m.printed.lines)); i++ {
		text = append(text, m.printed.lines[i].text)
	}
	return strings.Join(text, "\n")
}

// nameOf is what a node or tensor is called in messages.
func (m *Model) nameOf(s selection) string {
	if t, ok := m.graph().Tensor(s.tensor); ok {
		return tensorName(t)
	}
	if n, ok := m.graph().Node(s.node); ok {
		return fmt.Sprintf("%s n%d", console.OneLine(n.Name), n.ID)
	}
	switch {
	case s.tensor != 0:
		return fmt.Sprintf("t%d", s.tensor)
	case s.node != 0:
		return fmt.Sprintf("n%d", s.node)
	}
	return ""
}

// tensorName is what a tensor is called: its name, or its number.
func tensorName(t graph.Tensor) string {
	if t.Name != "" {
		return console.OneLine(t.Name)
	}
	return fmt.Sprintf("t%d", t.ID)
}

// valueText is a summary of elements in a few words.
func valueText(v graph.Value) string {
	switch {
	case !v.Known():
		return "not recorded"
	case v.Count == 0:
		return "empty"
	}
	var b strings.Builder
	if v.Whole() && len(v.First) <= 8 {
		for i, x := range v.First {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%.4g", x)
		}
		if len(v.First) > 1 {
			return "[" + b.String() + "]"
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%d elements, %.4g to %.4g, mean %.4g", v.Count, v.Min, v.Max, v.Mean)
	if v.NaN > 0 {
		fmt.Fprintf(&b, ", %d NaN", v.NaN)
	}
	if v.Inf > 0 {
		fmt.Fprintf(&b, ", %d infinite", v.Inf)
	}
	return b.String()
}

// A prompt asks for one line.
type prompt struct {
	input
	title string
	do    func(m *Model, text string) tea.Cmd
}

func (p *prompt) draw(m *Model, r cells.Region) {
	r = r.Part(m.layout.status)
	r.Clear()
	p.input.draw(r, 0, 0, p.title)
}

func (p *prompt) cursor(m *Model) *tea.Cursor {
	return tea.NewCursor(p.input.draw(cells.New(m.columns, 1).All(), 0, 0, p.title), m.layout.status.Y)
}

func (p *prompt) paste(_ *Model, text string) tea.Cmd {
	p.insert(text)
	return nil
}

func (p *prompt) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	switch key.String() {
	case "esc", "ctrl+c":
		return m.close()
	case "enter":
		text := p.String()
		m.close()
		return p.do(m, text)
	}
	p.input.press(key)
	return nil
}
