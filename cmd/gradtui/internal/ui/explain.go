package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/internal/console"
)

// storyMsg brings the story of a tensor.
type storyMsg struct {
	story *story.Story
	ok    bool
}

// explain reads the story of the selected tensor up to the cursor, as gradtui explain does.
func (m *Model) explain() tea.Cmd {
	id := m.chosenTensor()
	if id == 0 {
		return m.say(muted, "no tensor is selected")
	}
	tape, at, options := m.tape, m.at(), inspect.Options{ReadLeftOut: m.ReadLeftOut}
	m.say(muted, "reading the tape…")
	return func() tea.Msg {
		story, ok := story.Of(inspect.ReadHistory(tape, at, options), id)
		return storyMsg{story, ok}
	}
}

// showStory shows a story over the panes.
func (m *Model) showStory(msg storyMsg) tea.Cmd {
	m.notice = notice{}
	if !msg.ok {
		return m.say(muted, "the tape says nothing about that tensor up to here")
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

// copy copies what is chosen to the clipboard, with an escape sequence of the terminal.
func (m *Model) copy() tea.Cmd {
	text := ""
	if p, ok := m.panes.all[m.focus].(copier); ok {
		text = p.copied(&m.state)
	} else {
		text = m.nameOf(m.chosen)
	}
	if text == "" {
		return m.say(muted, "nothing selected")
	}
	m.say(muted, "copied: "+console.OneLine(text))
	return tea.SetClipboard(console.Printable(text))
}

// nameOf names a node or tensor in messages.
func (s *state) nameOf(what selection) string {
	if t, ok := s.graph().Tensor(what.tensor); ok {
		return tensorName(t)
	}
	if n, ok := s.graph().Node(what.node); ok {
		return fmt.Sprintf("%s n%d", console.OneLine(n.Name), n.ID)
	}
	switch {
	case what.tensor != 0:
		return fmt.Sprintf("t%d", what.tensor)
	case what.node != 0:
		return fmt.Sprintf("n%d", what.node)
	}
	return ""
}

// tensorName returns a tensor's name, or its number.
func tensorName(t graph.Tensor) string {
	if t.Name != "" {
		return console.OneLine(t.Name)
	}
	return fmt.Sprintf("t%d", t.ID)
}

// valueText summarizes the elements of a tensor.
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
	if v.Measured {
		fmt.Fprintf(&b, ", norm %.4g", v.Norm)
	}
	if v.Zeros > 0 {
		fmt.Fprintf(&b, ", %d zero", v.Zeros)
	}
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
