package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

// A binding says what keys do.
type binding struct {
	group string
	keys  []string // as Bubble Tea names them; the first is shown
	help  string   // "": the help does not list it
	do    func(m *Model) tea.Cmd
	when  *condition // nil: the keys always do something
}

// A condition says when keys do something.
type condition struct {
	holds func(m *Model) bool
	why   func(m *Model) string // why they do not, while it does not hold
}

func because(text string) func(*Model) string { return func(*Model) string { return text } }

// The conditions of the bindings.
var (
	onward = &condition{
		func(m *Model) bool { return m.live() || m.at() < m.tape.Len() },
		because("this is the end of the tape"),
	}
	earlier     = &condition{func(m *Model) bool { return m.at() > 0 }, because("this is the beginning of the tape")}
	ifFindings  = &condition{(*Model).anyFindings, (*Model).noFindings}
	ifQueries   = &condition{func(m *Model) bool { return len(m.queries) > 0 }, because("no breakpoint is set; b sets one on the selection, :break QUERY any")}
	ifJumps     = &condition{func(m *Model) bool { return len(m.jumps.back) > 0 }, because("there is no earlier jump")}
	ifJumpsBack = &condition{func(m *Model) bool { return len(m.jumps.forward) > 0 }, because("there is no later jump")}
	ifRunning   = &condition{(*Model).runs, because("the program is not running")}
	ifTensor    = &condition{(*Model).anyTensor, because("no tensor is selected; / finds one")}
	ifGraph     = &condition{func(m *Model) bool { return m.Export != nil && m.scope.root != 0 }, because("there is no graph yet")}
	ifRuns      = &condition{(*Model).amongOthers, because("this is one process; the key is for the ranks of a distributed program, and for forks")}
	ifRanks     = &condition{(*Model).amongRanks, because("this is one process; the key is for the ranks of a distributed program")}
	ifRestart   = &condition{func(m *Model) bool { return m.mayRestart() == nil }, func(m *Model) string { return m.mayRestart().Error() }}
	ifSideways  = &condition{(*Model).goesSideways, because("this pane does not scroll sideways")}
	inGraph     = &condition{func(m *Model) bool { return m.focus == graphPane && !m.panes.graph.empty() }, (*Model).notInGraph}
	inStack     = &condition{focused(stackPane), because("this works in the stack")}
	inTime      = &condition{focused(timelinePane, memoryPane), because("this works in the graph, the timeline and the memory pane")}
	ifPinned    = &condition{func(m *Model) bool { return m.pin != nil }, because(notPinned)}
	ifPictures  = &condition{(*Model).showsPictures, because("this terminal shows no pictures")}
)

func (m *Model) noFindings() string {
	switch {
	case m.findings.report != nil:
		return "there are no findings"
	case m.program.running:
		return "the rules run when the program stops"
	}
	return "the rules are still looking"
}

func (m *Model) notInGraph() string {
	if m.panes.graph.empty() {
		return "there is no graph yet"
	}
	return "this works in the graph: " + graphPane.key() + " goes there"
}

// A keymap is all bindings, in the order of the help. The first one that works wins.
type keymap []binding

// Groups of bindings.
const (
	stepping = "Step"
	moving   = "Move"
	looking  = "Look"
	asking   = "Ask and leave"
)

func bindings() keymap {
	return keymap{
		{stepping, []string{"n"}, "next node of the backward pass", func(m *Model) tea.Cmd { return m.forward(byNode) }, onward},
		{stepping, []string{"N"}, "previous node", func(m *Model) tea.Cmd { return m.back(byNode) }, earlier},
		{stepping, []string{"s"}, "next operation", func(m *Model) tea.Cmd { return m.forward(byOp) }, onward},
		{stepping, []string{"S"}, "previous operation", func(m *Model) tea.Cmd { return m.back(byOp) }, earlier},
		{stepping, []string{"u"}, "next line of the program", func(m *Model) tea.Cmd { return m.forward(byLine) }, onward},
		{stepping, []string{"U"}, "previous line", func(m *Model) tea.Cmd { return m.back(byLine) }, earlier},
		{stepping, []string{"B"}, "run to the end of this backward pass, or to the start of the next", func(m *Model) tea.Cmd { return m.forward(byBackward) }, onward},
		{stepping, []string{"o"}, "run out of this module, or into the next", func(m *Model) tea.Cmd { return m.forward(byModule) }, onward},
		{stepping, []string{"O"}, "back to where this module was entered", func(m *Model) tea.Cmd { return m.back(byModule) }, earlier},
		{stepping, []string{"c"}, "continue, to the next hit of a breakpoint", (*Model).proceed, onward},
		{stepping, []string{"C"}, "back to the previous hit of a breakpoint", (*Model).goBack, ifQueries},
		{stepping, []string{"f"}, "go to the next finding", (*Model).nextFinding, ifFindings},
		{stepping, []string{"i"}, "interrupt the program", (*Model).interrupt, ifRunning},
		{stepping, []string{"m"}, "go to the line to change; again: to the next place of the finding", func(m *Model) tea.Cmd { return m.walk(1) }, ifFindings},
		{stepping, []string{"M"}, "previous place of the finding", func(m *Model) tea.Cmd { return m.walk(-1) }, ifFindings},
		{stepping, []string{"<"}, "go to the start of the tape", func(m *Model) tea.Cmd { m.following = false; return m.goTo(0, look) }, earlier},
		{stepping, []string{">"}, "go to the end of the tape", (*Model).toEnd, onward},
		{stepping, []string{"ctrl+o", "alt+left"}, "back to where the last jump began", (*Model).jumpBack, ifJumps},
		{stepping, []string{"ctrl+r", "alt+right"}, "forward again", (*Model).jumpForward, ifJumpsBack},
		{stepping, []string{"R"}, "restart the program, and go back to this place", (*Model).askToRestart, ifRestart},
		{stepping, []string{"`"}, "set a bookmark here, or remove it", (*Model).toggleBookmark, nil},
		{stepping, []string{"'"}, "list the bookmarks, to go to one", (*Model).listBookmarks, nil},
		{stepping, []string{"b"}, "set or clear a breakpoint on the selection", (*Model).toggleBreakpoint, nil},

		{moving, []string{"down", "j"}, "move down", func(m *Model) tea.Cmd { return m.moveBy(1) }, nil},
		{moving, []string{"up", "k"}, "move up", func(m *Model) tea.Cmd { return m.moveBy(-1) }, nil},
		{moving, []string{"pgdown", "ctrl+f"}, "move a page down", func(m *Model) tea.Cmd { return m.moveBy(m.page()) }, nil},
		{moving, []string{"pgup", "ctrl+b"}, "move a page up", func(m *Model) tea.Cmd { return m.moveBy(-m.page()) }, nil},
		{moving, []string{"home", "g"}, "move to the first row", func(m *Model) tea.Cmd { return m.moveBy(-allRows) }, nil},
		{moving, []string{"end", "G"}, "move to the last row", func(m *Model) tea.Cmd { return m.moveBy(allRows) }, nil},
		{moving, []string{"tab"}, "next pane", func(m *Model) tea.Cmd { m.show((m.focus + 1) % paneCount); return nil }, nil},
		{moving, []string{"shift+tab"}, "previous pane", func(m *Model) tea.Cmd { m.show((m.focus + paneCount - 1) % paneCount); return nil }, nil},
		{moving, paneKeys(), "go to a pane", nil, nil},
		{moving, []string{"enter"}, "open the selection", func(m *Model) tea.Cmd { return m.apply(m.panes.all[m.focus].open(&m.state)) }, nil},

		{looking, []string{"space"}, "fold or unfold", onGraph((*graphView).fold), inGraph},
		{looking, []string{"space"}, "show or hide the variables of the frame", func(m *Model) tea.Cmd { return m.apply(m.panes.stack.fold(&m.state)) }, inStack},
		{looking, []string{"+"}, "unfold everything", onGraph((*graphView).unfoldAll), inGraph},
		{looking, []string{"-"}, "fold modules and repetitions", onGraph((*graphView).foldAll), inGraph},
		{looking, []string{"+", "="}, "zoom in: fewer events, wider columns", (*Model).zoomIn, inTime},
		{looking, []string{"-"}, "zoom out: more events", (*Model).zoomOut, inTime},
		{looking, []string{"w"}, "show the norms of values and gradients beside the nodes, or hide them", onGraph((*graphView).toggleFlow), inGraph},
		{looking, []string{"v"}, "next view of the graph: lanes, drawing, tree", onGraph((*graphView).nextRendering), inGraph},
		{looking, []string{"t"}, "tree of the selected node's inputs; again: of its users", onGraph((*graphView).showTree), inGraph},
		{looking, []string{"r"}, "pin the selected node as root, or unpin it", (*Model).pinRoot, inGraph},
		{looking, []string{"left", "h"}, "scroll left", func(m *Model) tea.Cmd { return m.sideways(-1) }, ifSideways},
		{looking, []string{"right", "l"}, "scroll right", func(m *Model) tea.Cmd { return m.sideways(1) }, ifSideways},
		{looking, []string{"z"}, "zoom the pane to the whole screen, or back", (*Model).zoom, nil},
		{looking, []string{"]"}, "next run: another rank, or a fork", func(m *Model) tea.Cmd { return m.nextRun(1) }, ifRuns},
		{looking, []string{"["}, "previous run", func(m *Model) tea.Cmd { return m.nextRun(-1) }, ifRuns},
		{looking, []string{"R"}, "compare the ranks", (*Model).compareRanks, ifRanks},
		{looking, []string{"P"}, "pin the cursor as moment A, which all panes compare later ones with, or unpin it", (*Model).togglePin, nil},
		{looking, []string{"a"}, "swap the cursor and moment A", (*Model).swapPin, ifPinned},
		{looking, []string{"/"}, "search tensors, nodes, files and findings", (*Model).openSearch, nil},
		{looking, []string{"p"}, "show the graph as a picture", (*Model).openPicture, ifPictures},
		{looking, []string{"p"}, "", (*Model).noPicture, nil},

		{asking, []string{":"}, "command line", (*Model).openCommandLine, nil},
		{asking, []string{"W"}, "watch an expression at every stop", (*Model).askForWatch, nil},
		{asking, []string{"V"}, "show the elements of the selected tensor", (*Model).viewChosen, ifTensor},
		{asking, []string{"x"}, "explain the selected tensor", (*Model).explain, ifTensor},
		{asking, []string{"F"}, "run the program again with the fix of the finding, and show what became of it", (*Model).fix, ifFindings},
		{asking, []string{"e"}, "export the graph", (*Model).openExport, ifGraph},
		{asking, []string{"E"}, "open the line of the source pane in $VISUAL or $EDITOR", (*Model).edit, nil},
		{asking, []string{"y"}, "copy the selection", (*Model).copy, nil},
		{asking, []string{"?", "f1"}, "help", (*Model).openHelp, nil},
		{asking, []string{"ctrl+z"}, "suspend", func(m *Model) tea.Cmd { return tea.Suspend }, nil},
		{asking, []string{"ctrl+c"}, "interrupt the program", (*Model).interrupt, ifRunning},
		{asking, []string{"q", "ctrl+c"}, "quit; asks first if the program has not ended", (*Model).askToQuit, nil},
		{asking, []string{"Q"}, "quit without a question", (*Model).quit, nil},
	}
}

// onGraph makes an action of a method of the graph pane.
func onGraph(do func(*graphView, *state) intent) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.apply(do(m.panes.graph, &m.state)) }
}

// focused reports whether one of some panes is focused.
func focused(panes ...paneID) func(*Model) bool {
	return func(m *Model) bool { return slices.Contains(panes, m.focus) }
}

// sideways scrolls the focused pane to the side, or moves the cursor where time goes to
// the right.
func (m *Model) sideways(n int) tea.Cmd {
	if p, ok := m.panes.all[m.focus].(sideScroller); ok {
		return m.apply(p.sideways(&m.state, n))
	}
	return nil
}

func (m *Model) goesSideways() bool {
	_, ok := m.panes.all[m.focus].(sideScroller)
	return ok
}

// works reports whether a binding does something at the moment.
func (b *binding) works(m *Model) bool { return b.when == nil || b.when.holds(m) }

// label shows the keys of a binding.
func (m *Model) label(b *binding) string {
	keys := m.keysOf(b)
	if len(keys) > 3 {
		return keys[0] + "-" + keys[len(keys)-1]
	}
	return strings.Join(keys, " ")
}

// press takes a key.
func (m *Model) press(key tea.KeyPressMsg) tea.Cmd {
	name := key.String()
	if m.overlay != nil {
		return m.overlay.press(m, key)
	}
	if m.endRepeat() && !m.program.running {
		return nil
	}
	m.notice = notice{}
	if p := m.typing(); p != nil && name != "esc" {
		return m.apply(p.press(key))
	}
	if i := slices.Index(paneKeys(), name); i >= 0 {
		m.show(paneID(i))
		return nil
	}
	if name == "esc" {
		m.zoomed = false
		m.refresh()
		return nil
	}
	switch b := m.bound(name); {
	case b == nil:
		return m.say(muted, name+" is not a key; ? lists the keys")
	case !b.works(m):
		return m.say(muted, b.when.why(m))
	default:
		if m.starts() && b.group == stepping && b.keys[0] != "i" {
			return m.later(b)
		}
		return b.do(m)
	}
}

// bound returns the binding of a key, preferably one that works at the moment; nil if the
// key is not bound.
func (m *Model) bound(name string) (found *binding) {
	for i := range m.keys {
		b := &m.keys[i]
		switch {
		case b.do == nil || !slices.Contains(m.keysOf(b), name):
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
	return m.apply(m.panes.all[m.focus].move(&m.state, rows, m.layout.panes[m.focus].H-1))
}

func (m *Model) toEnd() tea.Cmd {
	m.following = m.Program != nil || m.More != nil
	return m.goTo(m.tape.Len(), look)
}

func (m *Model) zoom() tea.Cmd {
	m.zoomed = !m.zoomed
	m.refresh()
	return nil
}

func (m *Model) quit() tea.Cmd { return tea.Quit }

// askToQuit quits, after a question if that ends a program.
func (m *Model) askToQuit() tea.Cmd {
	if !m.live() {
		return m.quit()
	}
	m.overlay = &question{
		title: "Quit?", text: "The program has not ended: quitting ends it.",
		answers: "y, q or enter quits · any other key goes on", yes: []string{"y", "q", "enter", "ctrl+c"}, do: (*Model).quit,
	}
	return nil
}

func (s *state) runs() bool      { return s.live() && (s.program.running || s.asked.working > 0) }
func (s *state) anyTensor() bool { return s.chosenTensor() != 0 }

// chosenTensor returns the selected tensor, or the result of the selected node; 0 for none.
func (s *state) chosenTensor() graph.TensorID {
	if s.chosen.tensor != 0 {
		return s.chosen.tensor
	}
	n, ok := s.graph().Node(s.chosen.node)
	if !ok {
		return 0
	}
	if n.Variable != 0 {
		return n.Variable
	}
	return s.resultOf(n.ID)
}
