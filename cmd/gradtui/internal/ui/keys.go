package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

// A binding is what some keys do.
type binding struct {
	group string
	keys  []string // as Bubble Tea names them; the first is shown
	help  string   // "": it is not listed
	do    func(m *Model) tea.Cmd
	// when says whether the keys do something here and now; nil: always.
	when func(m *Model) bool
}

// A keymap is all bindings, in the order of the help. The first one that holds wins.
type keymap []binding

// Groups of bindings.
const (
	stepping = "Step"
	moving   = "Move"
	looking  = "Look"
	telling  = "Tell"
)

func bindings() keymap {
	live := (*Model).live
	return keymap{
		{stepping, []string{"n"}, "next node of the backward pass", func(m *Model) tea.Cmd { return m.forward(byNode) }, nil},
		{stepping, []string{"N"}, "previous node", func(m *Model) tea.Cmd { return m.back(byNode) }, nil},
		{stepping, []string{"s"}, "next operation", func(m *Model) tea.Cmd { return m.forward(byOp) }, nil},
		{stepping, []string{"S"}, "previous operation", func(m *Model) tea.Cmd { return m.back(byOp) }, nil},
		{stepping, []string{"l"}, "next line of the program", func(m *Model) tea.Cmd { return m.forward(byLine) }, nil},
		{stepping, []string{"L"}, "previous line", func(m *Model) tea.Cmd { return m.back(byLine) }, nil},
		{stepping, []string{"B"}, "run to the end of this backward pass, or to the start of the next", func(m *Model) tea.Cmd { return m.forward(byBackward) }, nil},
		{stepping, []string{"o"}, "run out of this module, or into the next", func(m *Model) tea.Cmd { return m.forward(byModule) }, nil},
		{stepping, []string{"O"}, "back to where this module was entered", func(m *Model) tea.Cmd { return m.back(byModule) }, nil},
		{stepping, []string{"c"}, "continue", (*Model).proceed, nil},
		{stepping, []string{"C"}, "go to the next finding", (*Model).nextFinding, (*Model).anyFindings},
		{stepping, []string{"i"}, "interrupt the program", (*Model).interrupt, live},
		{stepping, []string{"m"}, "go to the cause: the in-place change, the line to fix", (*Model).toCause, (*Model).anyFindings},
		{stepping, []string{"<", "g"}, "go to the start of the tape", func(m *Model) tea.Cmd { m.following = false; return m.goTo(0, look) }, nil},
		{stepping, []string{">", "G"}, "go to the end of the tape", (*Model).toEnd, nil},
		{stepping, []string{"b"}, "set or clear a breakpoint on the selection", (*Model).toggleBreakpoint, live},

		{moving, []string{"down", "j"}, "move down", func(m *Model) tea.Cmd { return m.moveBy(1) }, nil},
		{moving, []string{"up", "k"}, "move up", func(m *Model) tea.Cmd { return m.moveBy(-1) }, nil},
		{moving, []string{"pgdown", "ctrl+f"}, "move a page down", func(m *Model) tea.Cmd { return m.moveBy(m.page()) }, nil},
		{moving, []string{"pgup", "ctrl+b"}, "move a page up", func(m *Model) tea.Cmd { return m.moveBy(-m.page()) }, nil},
		{moving, []string{"home"}, "move to the first row", func(m *Model) tea.Cmd { return m.moveBy(-allRows) }, nil},
		{moving, []string{"end"}, "move to the last row", func(m *Model) tea.Cmd { return m.moveBy(allRows) }, nil},
		{moving, []string{"tab"}, "next pane", func(m *Model) tea.Cmd { m.show((m.focus + 1) % paneCount); return nil }, nil},
		{moving, []string{"shift+tab"}, "previous pane", func(m *Model) tea.Cmd { m.show((m.focus + paneCount - 1) % paneCount); return nil }, nil},
		{moving, []string{"1", "2", "3", "4", "5", "6", "7"}, "go to a pane", nil, nil},
		{moving, []string{"enter"}, "open the selection", func(m *Model) tea.Cmd { return m.panes[m.focus].open(m) }, nil},

		{looking, []string{"space"}, "fold or unfold", (*Model).fold, (*Model).onGraph},
		{looking, []string{"+"}, "unfold everything", (*Model).unfoldAll, (*Model).onGraph},
		{looking, []string{"-"}, "fold modules and repetitions", (*Model).foldAll, (*Model).onGraph},
		{looking, []string{"+", "="}, "zoom in: fewer events, wider columns", (*Model).zoomIn, (*Model).onTime},
		{looking, []string{"-"}, "zoom out: more events", (*Model).zoomOut, (*Model).onTime},
		{looking, []string{"v"}, "next view of the graph: lanes, drawing, tree", (*Model).nextView, (*Model).onGraph},
		{looking, []string{"t"}, "tree of the selected node's inputs; again: of its users", (*Model).turn, (*Model).onGraph},
		{looking, []string{"r"}, "pin the selected node as root, or unpin it", (*Model).pinRoot, (*Model).onGraph},
		{looking, []string{"left", "h"}, "scroll left", func(m *Model) tea.Cmd { return m.sideways(-1) }, (*Model).goesSideways},
		{looking, []string{"right"}, "scroll right", func(m *Model) tea.Cmd { return m.sideways(1) }, (*Model).goesSideways},
		{looking, []string{"z"}, "zoom the pane to the whole screen, or back", (*Model).zoom, nil},
		{looking, []string{"]"}, "next rank of a distributed program", func(m *Model) tea.Cmd { return m.nextRank(1) }, (*Model).amongRanks},
		{looking, []string{"["}, "previous rank", func(m *Model) tea.Cmd { return m.nextRank(-1) }, (*Model).amongRanks},
		{looking, []string{"R"}, "compare the ranks", (*Model).compareRanks, (*Model).amongRanks},
		{looking, []string{"/"}, "search tensors, nodes, files and findings", (*Model).openSearch, nil},
		{looking, []string{"p"}, "show the graph as a picture", (*Model).openPicture, (*Model).showsPictures},
		{looking, []string{"p"}, "", (*Model).noPicture, nil},

		{telling, []string{":"}, "command line", (*Model).openCommandLine, nil},
		{telling, []string{"x"}, "explain the selected tensor", (*Model).explain, (*Model).anyTensor},
		{telling, []string{"e"}, "export the graph", (*Model).openExport, func(m *Model) bool { return m.Export != nil }},
		{telling, []string{"y"}, "copy the selection", (*Model).copy, nil},
		{telling, []string{"?", "f1"}, "help", (*Model).openHelp, nil},
		{telling, []string{"ctrl+z"}, "suspend", func(m *Model) tea.Cmd { return tea.Suspend }, nil},
		{telling, []string{"ctrl+c"}, "interrupt the program", (*Model).interrupt, (*Model).runs},
		{telling, []string{"q", "ctrl+c"}, "quit", (*Model).quit, nil},
	}
}

// works reports whether a binding does something here and now.
func (b *binding) works(m *Model) bool { return b.when == nil || b.when(m) }

// label shows the keys of a binding.
func (b *binding) label() string {
	if len(b.keys) > 3 {
		return b.keys[0] + "-" + b.keys[len(b.keys)-1]
	}
	return strings.Join(b.keys, " ")
}

// press takes a key.
func (m *Model) press(key tea.KeyPressMsg) tea.Cmd {
	name := key.String()
	if m.overlay != nil {
		return m.overlay.press(m, key)
	}
	m.notice = notice{}
	if p := m.typing(); p != nil && name != "esc" {
		return p.press(m, key)
	}
	if len(name) == 1 && name[0] >= '1' && name[0] < '1'+byte(paneCount) {
		m.show(paneID(name[0] - '1'))
		return nil
	}
	if name == "esc" {
		m.zoomed = false
		m.arrange()
		return nil
	}
	if b := m.bound(name); b != nil && b.works(m) {
		return b.do(m)
	}
	return nil
}

// bound is the binding of a key, preferably one that does something here and now; nil:
// there is none.
func (m *Model) bound(name string) (found *binding) {
	for i := range m.keys {
		b := &m.keys[i]
		switch {
		case b.do == nil || !slices.Contains(b.keys, name):
		case b.works(m):
			return b
		case found == nil:
			found = b
		}
	}
	return found
}

func (m *Model) page() int { return max(m.layout.panes[m.focus].H-2, 1) }

func (m *Model) moveBy(rows int) tea.Cmd {
	m.panes[m.focus].move(m, rows, m.layout.panes[m.focus].H-1)
	return nil
}

// click chooses what is under the mouse.
func (m *Model) click(mouse tea.Mouse) tea.Cmd {
	if m.overlay != nil || mouse.Button != tea.MouseLeft {
		return nil
	}
	id, column, row, ok := m.layout.at(mouse.X, mouse.Y)
	if !ok {
		return nil
	}
	m.show(id)
	if row < 0 {
		return nil
	}
	return m.panes[id].click(m, column, row)
}

// wheel scrolls what is under the mouse.
func (m *Model) wheel(mouse tea.Mouse) tea.Cmd {
	rows := 3
	switch mouse.Button {
	case tea.MouseWheelUp:
		rows = -rows
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if id, _, _, ok := m.layout.at(mouse.X, mouse.Y); ok && m.overlay == nil {
		m.panes[id].move(m, rows, m.layout.panes[id].H-1)
	}
	return nil
}

func (m *Model) toEnd() tea.Cmd {
	m.following = m.Program != nil || m.More != nil
	return m.goTo(m.tape.Len(), look)
}

func (m *Model) zoom() tea.Cmd {
	m.zoomed = !m.zoomed
	m.arrange()
	return nil
}

func (m *Model) quit() tea.Cmd { return tea.Quit }

func (m *Model) runs() bool      { return m.live() && m.program.running }
func (m *Model) onGraph() bool   { return m.focus == graphPane }
func (m *Model) anyTensor() bool { return m.chosenTensor() != 0 }

// chosenTensor is the tensor that is chosen, or what the chosen node gave in the
// forward pass; 0 for none.
func (m *Model) chosenTensor() graph.TensorID {
	if m.chosen.tensor != 0 {
		return m.chosen.tensor
	}
	n, ok := m.graph().Node(m.chosen.node)
	if !ok {
		return 0
	}
	if n.Variable != 0 {
		return n.Variable
	}
	return m.resultOf(n.ID)
}
