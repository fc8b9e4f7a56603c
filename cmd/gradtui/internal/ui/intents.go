package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// An intent is what a pane asks the model to do, because it concerns more than the pane
// itself. A nil intent asks for nothing. The types below are all there are.
type intent interface{ carryOut(m *Model) tea.Cmd }

// apply carries out an intent.
func (m *Model) apply(i intent) tea.Cmd {
	if i == nil {
		return nil
	}
	return i.carryOut(m)
}

type (
	// showPane focuses a pane.
	showPane paneID
	// choose selects a node or a tensor.
	choose selection
	// goTo moves the cursor to a position and selects what it finds there.
	goTo graph.Pos
	// toPlace moves the cursor behind the event of a place and shows the place, or only
	// shows it if no event belongs to it.
	toPlace inspect.Span
	// openFinding opens a finding, by its index in the report.
	openFinding int
	// say shows a message in the last row.
	say notice
	// showTensor shows what a row of the inspector holds.
	showTensor fact
	// toggleBreak sets or clears a breakpoint on what is chosen in the focused pane.
	toggleBreak struct{}
	// sendInput types text for the program.
	sendInput string
	// inOrder is several intents, carried out one after the other.
	inOrder []intent
)

// after is the intent to move the cursor behind an event, where its effect can be seen.
func after(p graph.Pos) intent {
	if p < 0 {
		return nil
	}
	return goTo(p + 1)
}

// saying is the intent to show a message.
func saying(style cells.Style, text string) intent { return say{text, style} }

func (i showPane) carryOut(m *Model) tea.Cmd {
	m.show(paneID(i))
	return nil
}

func (i choose) carryOut(m *Model) tea.Cmd {
	if i.tensor != 0 {
		m.chooseTensor(i.tensor)
	} else {
		m.chooseNode(i.node)
	}
	return nil
}

func (i goTo) carryOut(m *Model) tea.Cmd {
	m.following = false
	return m.goTo(graph.Pos(i), look)
}

func (i toPlace) carryOut(m *Model) tea.Cmd {
	m.target = target{place: i.Frame}
	if i.At < 0 {
		m.place = i.Frame
		m.refresh()
		return nil
	}
	m.following = false
	return m.goTo(i.At+1, pick)
}

func (i openFinding) carryOut(m *Model) tea.Cmd {
	m.panes.findings.show(&m.state, int(i))
	return nil
}

func (i say) carryOut(m *Model) tea.Cmd { return m.say(i.style, i.text) }

func (i showTensor) carryOut(m *Model) tea.Cmd { return m.openTensor(*i.holds, fact(i), "") }

func (toggleBreak) carryOut(m *Model) tea.Cmd { return m.toggleBreakpoint() }

func (i sendInput) carryOut(m *Model) tea.Cmd {
	if err := m.Program.Input(string(i)); err != nil {
		m.panes.output.typing = false
		return m.sayError(fmt.Errorf("typing to the program: %w", err))
	}
	return nil
}

func (i inOrder) carryOut(m *Model) tea.Cmd {
	var commands []tea.Cmd
	for _, one := range i {
		commands = append(commands, m.apply(one))
	}
	return tea.Batch(commands...)
}
