package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// graphView shows the backward graph from the root down: the nodes in the order in
// which backward executes them.
type graphView struct {
	list             // rows of the view
	view   *dag.View // of the scope
	counts map[int]dag.Tally
	at     graph.Pos // that the counts are of
	pass   graph.BackwardID
	shown  int // index in depictions
	depictions
}

// depictions are the ways to draw the graph.
type depictions [3]depiction

func newGraph() *graphView {
	return &graphView{counts: map[int]dag.Tally{}, depictions: depictions{&inLanes{}, &drawn{}, &asTree{}}}
}

// forget throws away what was computed from the rows, which are others now.
func (v *graphView) forget() {
	clear(v.counts)
	for _, d := range v.depictions {
		d.forget()
	}
}

// A depiction is a way to draw the graph.
type depiction interface {
	name() string
	about(m *Model) string // what the head line says about it
	// begin is called when it comes to be shown.
	begin(v *graphView, back bool)
	// forget throws away what was computed from the rows.
	forget()
	draw(m *Model, v *graphView, r cells.Region)
	// move chooses another row; a step to the side may be one up or down.
	move(v *graphView, columns, rows int)
	// rowAt is the row of the view at a cell.
	rowAt(v *graphView, x, y int) (row int, ok bool)
	// open unfolds what is chosen; false: there is nothing to unfold.
	open(v *graphView) bool
}

func (v *graphView) about(m *Model) string {
	g := m.graph()
	n, ok := g.Node(m.scope.root)
	switch {
	case m.scope.view == nil && m.scope.wanted != nil:
		return "arranging…"
	case !ok || m.scope.view == nil:
		return "no grad_fn yet"
	}
	text := fmt.Sprintf("%s n%d", n.Name, n.ID)
	if b, ok := g.Backward(m.scope.pass); ok {
		text = describePass(g, b)
	} else if id := m.resultOf(n.ID); id != 0 {
		if t, ok := g.Tensor(id); ok && t.Name != "" {
			text = t.Name + " ← " + text
		}
	}
	if m.pinned != 0 && m.scope.root == m.pinned {
		text += " · pinned as root"
	}
	text += " · " + plural(m.scope.view.Len(), "node")
	if about := v.depictions[v.shown].about(m); about != "" {
		text += " · " + about
	}
	if m.scope.wanted != nil {
		text += fmt.Sprintf(" · laying out the graph of n%d", m.scope.wanted[0])
	}
	return console.OneLine(text)
}

// describePass says which backward pass it is, of what, and with which options.
func describePass(g *graph.Graph, b graph.Backward) string {
	what := "backward"
	if b.Flags&graph.GradOnly != 0 {
		what = "autograd.grad"
	}
	text := fmt.Sprintf("%s #%d", what, b.ID)
	for i, r := range b.Roots {
		if t, ok := g.Tensor(r.Tensor); ok && i == 0 {
			text += " of " + tensorName(t)
		}
	}
	switch {
	case b.Running():
		text += " · running"
	case b.Failed:
		text += " · failed"
	default:
		text += " · ended"
	}
	switch {
	case b.Flags&graph.CreateGraph != 0: // which retains it, too
		text += " · create_graph"
	case b.Flags&graph.RetainGraph != 0:
		text += " · retain_graph"
	}
	return text
}

func (v *graphView) refresh(m *Model) {
	if v.view != m.scope.view {
		v.view, v.list = m.scope.view, list{}
		v.forget()
	}
	if v.at != m.at() || v.pass != m.scope.pass {
		v.at, v.pass = m.at(), m.scope.pass
		clear(v.counts)
	}
	if v.view != nil && m.chosen.node != 0 {
		if row, ok := v.view.RowOf(m.chosen.node); ok {
			v.chosen = row
		}
	}
}

func (v *graphView) draw(m *Model, r cells.Region) {
	if m.scope.view == nil && m.scope.wanted != nil {
		r.Fit(1, 0, r.W-1, muted, "Laying out a large graph…")
		return
	}
	if v.view == nil || v.view.Len() == 0 {
		r.Fit(1, 0, r.W-1, muted, "No operation that requires grad has run yet.")
		r.Fit(1, 1, r.W-1, muted, "s steps to the next operation, n to the next node of a backward pass.")
		return
	}
	v.depictions[v.shown].draw(m, v, r)
}

// flag is how the chosen row is marked.
func (v *graphView) flag(m *Model) cells.Flags {
	if m.focus == graphPane {
		return cells.Chosen
	}
	return cells.Marked
}

func (v *graphView) empty() bool { return v.view == nil || v.view.Rows() == 0 }

func (v *graphView) move(m *Model, rows, _ int) { v.step(m, 0, rows) }

func (v *graphView) sideways(m *Model, n int) tea.Cmd {
	v.step(m, n, 0)
	return nil
}

func (v *graphView) step(m *Model, columns, rows int) {
	if v.empty() {
		return
	}
	v.depictions[v.shown].move(v, columns, rows)
	v.choose(m)
}

// choose makes the row's node the one that the inspector tells of.
func (v *graphView) choose(m *Model) {
	if v.empty() || v.chosen >= v.view.Rows() {
		return
	}
	chosen := v.chosen
	m.chooseNode(v.view.Row(chosen).Node)
	v.chosen = chosen
}

// open unfolds a group, or shows a node in the inspector.
func (v *graphView) open(m *Model) tea.Cmd {
	if v.empty() {
		return nil
	}
	if v.depictions[v.shown].open(v) {
		v.choose(m)
		return nil
	}
	v.choose(m)
	m.show(inspectorPane)
	return nil
}

func (v *graphView) click(m *Model, column, row int) tea.Cmd {
	if v.empty() {
		return nil
	}
	at, ok := v.depictions[v.shown].rowAt(v, column, row)
	if !ok {
		return nil
	}
	if v.chosen == at && v.view.Row(at).Group != nil {
		return v.open(m)
	}
	v.chosen = at
	v.choose(m)
	return nil
}

// graphOf is the pane of the graph.
func (m *Model) graphOf() *graphView { return m.panes[graphPane].(*graphView) }

// unfold unfolds the chosen row, if it is a group.
func (v *graphView) unfold() bool {
	if v.view.Row(v.chosen).Group == nil {
		return false
	}
	v.view.Unfold(v.chosen)
	v.forget()
	return true
}

// fold folds what the chosen row lies in, or unfolds it.
func (m *Model) fold() tea.Cmd {
	v := m.graphOf()
	if v.empty() {
		return nil
	}
	m.scope.byHand = true
	if v.unfold() {
		return nil
	}
	now, ok := v.view.Fold(v.chosen)
	if !ok {
		return m.say(muted, "this node is not part of a module call or a repetition")
	}
	v.chosen = now
	v.forget()
	return nil
}

func (m *Model) unfoldAll() tea.Cmd { return m.foldFrom(1 << 30) }

// foldAll folds everything that can be folded.
func (m *Model) foldAll() tea.Cmd { return m.foldFrom(0) }

func (m *Model) foldFrom(level int) tea.Cmd {
	v := m.graphOf()
	if v.empty() {
		return nil
	}
	if v.view.Levels() == 0 {
		return m.say(muted, "there is nothing to fold: no module calls, no repetitions")
	}
	m.scope.byHand = true
	v.view.FoldAll(level)
	v.forget()
	v.refresh(m)
	return nil
}

// nextView draws the graph in another way.
func (m *Model) nextView() tea.Cmd {
	v := m.graphOf()
	v.shown = (v.shown + 1) % len(v.depictions)
	v.depictions[v.shown].begin(v, false)
	return m.say(muted, "view: "+v.depictions[v.shown].name())
}

// sideways scrolls a pane to the side, or moves the cursor where time goes to the right.
func (m *Model) sideways(n int) tea.Cmd {
	if s, ok := m.panes[m.focus].(sidler); ok {
		return s.sideways(m, n)
	}
	return nil
}

// A sidler is a pane in which there is something to the left and to the right.
type sidler interface {
	sideways(m *Model, n int) tea.Cmd
}

func (m *Model) goesSideways() bool {
	_, ok := m.panes[m.focus].(sidler)
	return ok
}
