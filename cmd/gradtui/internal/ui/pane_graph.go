package ui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// A mark shows how far a node is.
type statusMark struct {
	mark  string
	style cells.Style
	word  string // instead of the mark
	means string
}

// The marks of nodes.
const (
	markIdle = iota
	markWaiting
	markReady
	markRunning
	markDone
	markFailed
	markLeaf
	markFolded
)

var statusMarks = [...]statusMark{
	markIdle:    {"○", muted, "not reached", "a node that no gradient has reached yet"},
	markWaiting: {"◔", warned, "waiting", "some of its gradients have arrived"},
	markReady:   {"◉", running, "ready", "all its gradients have arrived; it will run"},
	markRunning: {"▶", running, "about to run", "about to run"},
	markDone:    {"●", done, "done", "it ran"},
	markFailed:  {"✗", failed, "failed", "it failed; or a saved tensor that was modified"},
	markLeaf:    {"◇", leaf, "leaf", "a leaf: its AccumulateGrad has not run; ◆: it has"},
	markFolded:  {"▸", strong, "folded", "folded nodes; space unfolds them"},
}

// leafDone is the mark of a leaf whose gradient was accumulated.
const leafDone = "◆"

// graphView shows the backward graph from the root down: the nodes in the order in
// which backward executes them.
type graphView struct {
	list
	mode   graphMode
	view   *dag.View // that the choice belongs to
	counts map[int]tally
	at     graph.Pos // that the counts are of
	cells  []dag.Cell
	nodes  []graph.NodeID // that a search found, in the drawing and in the tree
}

func newGraph() *graphView { return &graphView{} }

// graphMode is a way to draw the graph.
type graphMode int

const (
	inLanes graphMode = iota
	drawn
	asTree
	graphModes
)

var graphModeNames = [graphModes]string{"lanes", "drawing", "tree"}

func (v *graphView) about(m *Model) string {
	g := m.graph()
	n, ok := g.Node(m.scope.root)
	if !ok {
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
		text += " · chosen as root"
	}
	return console.OneLine(fmt.Sprintf("%s · %s", text, plural(m.scope.view.Len(), "node")))
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
	for _, f := range []struct {
		flag graph.BackwardFlags
		name string
	}{{graph.RetainGraph, "retain_graph"}, {graph.CreateGraph, "create_graph"}} {
		if b.Flags&f.flag != 0 {
			text += " · " + f.name
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
	return text
}

func (v *graphView) refresh(m *Model) {
	if v.view != m.scope.view {
		v.view, v.list = m.scope.view, list{}
	}
	if v.at != m.at() || v.counts == nil {
		v.at, v.counts = m.at(), map[int]tally{}
	}
	if v.view != nil && m.chosen.node != 0 {
		if row, ok := v.view.RowOf(m.chosen.node); ok {
			v.chosen = row
		}
	}
}

func (v *graphView) draw(m *Model, r cells.Region) {
	if v.view == nil || v.view.Len() == 0 {
		r.Fit(1, 0, r.W-1, muted, "No operation that requires grad has run yet.")
		r.Fit(1, 1, r.W-1, muted, "s steps to the next operation, n to the next node of a backward pass.")
		return
	}
	if v.mode != inLanes {
		v.drawOther(m, r)
		return
	}
	from, to := v.window(v.view.Rows(), r.H)
	places := min(v.view.Places(from, to), max((r.W/3+1)/2, 2))
	next := m.aboutToRun()
	for i := from; i < to; i++ {
		row := v.view.Row(i)
		v.drawRow(m, r, i-from, &row, places, next)
		if i == v.chosen {
			flag := cells.Marked
			if m.focus == graphPane {
				flag = cells.Chosen
			}
			r.Flag(i-from, flag)
		}
	}
}

// drawRow draws the lanes, the mark and the text of a row.
func (v *graphView) drawRow(m *Model, r cells.Region, y int, row *dag.Row, places int, next graph.NodeID) {
	g := m.graph()
	n, _ := g.Node(row.Node)
	mark := v.markOf(g, n, next)
	if row.Group != nil {
		mark = statusMarks[markFolded]
	}
	v.cells = row.Cells(v.cells[:0], places)
	x := 1
	for _, c := range v.cells {
		if c.Mark {
			r.Text(x, y, mark.style, mark.mark)
		} else {
			r.Text(x, y, lanes, boxText(c.Dir))
		}
		x++
	}
	if row.More > 0 {
		x = r.Text(x, y, muted, fmt.Sprintf("+%d", row.More))
	}
	x += 1 + 2*row.Level
	if row.Group != nil {
		v.groupText(m, row).write(r, x, y)
		return
	}
	v.nodeText(m, n, mark, row.Consumers).write(r, x, y)
}

// boxTexts are the characters of lines, as strings.
var boxTexts = func() (texts [32]string) {
	for i := range texts {
		texts[i] = string(dag.Dir(i).Box())
	}
	return texts
}()

func boxText(d dag.Dir) string { return boxTexts[d%32] }

// markOf says how far a node is at the cursor.
func (v *graphView) markOf(g *graph.Graph, n graph.Node, next graph.NodeID) statusMark {
	switch {
	case n.ID == next:
		return statusMarks[markRunning]
	case n.Status == graph.Failed:
		return statusMarks[markFailed]
	case n.Variable != 0:
		mark := statusMarks[markLeaf]
		if n.Status == graph.Done {
			mark.mark, mark.word = leafDone, "leaf, done"
		}
		return mark
	}
	switch n.Status {
	case graph.Waiting:
		return statusMarks[markWaiting]
	case graph.Ready:
		return statusMarks[markReady]
	case graph.Done:
		return statusMarks[markDone]
	}
	return statusMarks[markIdle]
}

// nodeText says what a node is, what its operation gave, on which line, and how far it
// is.
func (v *graphView) nodeText(m *Model, n graph.Node, mark statusMark, consumers int) styled {
	g := m.graph()
	var s styled
	add := func(style cells.Style, text string) { s = append(s, piece{style, text}) }
	if t, ok := g.Tensor(n.Variable); ok && n.Variable != 0 {
		add(leaf, tensorName(t))
		add(muted, " "+shapeText(t.Shape)+" leaf")
		if t.Grad != 0 {
			add(gradient, " has .grad")
		}
	} else {
		style := plain
		if n.ID == m.scope.root {
			style = output
		}
		if n.Released {
			style = freed
		}
		add(style, console.OneLine(n.Name))
		if t, ok := g.Tensor(m.resultOf(n.ID)); ok {
			if t.Name != "" {
				add(strong, " "+tensorName(t))
			}
			add(muted, " "+shapeText(t.Shape))
		}
	}
	if consumers > 1 {
		add(muted, fmt.Sprintf(" ×%d", consumers))
	}
	if n.Waiting > 0 && n.Status == graph.Waiting {
		add(warned, fmt.Sprintf(" waits for %d", n.Waiting))
	}
	switch {
	case n.Status == graph.Failed:
		add(failed, " failed")
	case n.Freed:
		add(freed, " freed")
	}
	for _, slot := range n.Saved {
		if slot.Modified() && !slot.Freed {
			add(failed, fmt.Sprintf(" ✗ %s v%d→v%d", console.OneLine(slot.Name), slot.Version, slot.Current))
			break
		}
	}
	if line := m.lineOf(n); line.Line > 0 && n.Variable == 0 {
		add(muted, fmt.Sprintf("  %s:%d", console.OneLine(filepath.Base(line.File)), line.Line))
	}
	return s
}

// tally is how many nodes of a group are in which state.
type tally struct{ seen, done, failed, ready int }

// tallied bounds how many nodes of a group are looked at.
const tallied = 64

// count looks at the nodes of a group, or at some of them if there are many.
func (v *graphView) count(m *Model, group *dag.Group) (t tally) {
	if known, ok := v.counts[group.First]; ok && known.seen > 0 {
		return known
	}
	step := max(group.Len()/tallied, 1)
	for i := group.First; i < group.Last; i += step {
		status, _ := m.graph().NodeStatus(v.view.Node(i))
		t.seen++
		switch status {
		case graph.Done:
			t.done++
		case graph.Failed:
			t.failed++
		case graph.Ready, graph.Waiting:
			t.ready++
		}
	}
	v.counts[group.First] = t
	return t
}

// groupText says what is folded.
func (v *graphView) groupText(m *Model, row *dag.Row) styled {
	g, group := m.graph(), row.Group
	var s styled
	switch group.Kind {
	case dag.ModuleCall:
		call, _ := g.Module(group.Module)
		path := call.Path
		if path == "" {
			path = "(root module)"
		}
		s = append(s, piece{strong, console.OneLine(path)}, piece{muted, " " + console.OneLine(call.Type)})
	case dag.Repetition:
		s = append(s, piece{strong, fmt.Sprintf("×%d", group.Times)}, piece{muted, fmt.Sprintf(" %s each", plural(group.Each, "node"))})
	case dag.Step:
		s = append(s, piece{strong, fmt.Sprintf("repetition %d", group.Number)})
	}
	s = append(s, piece{muted, " · " + plural(group.Len(), "node")})
	t := v.count(m, group)
	switch {
	case t.failed > 0:
		s = append(s, piece{failed, " ✗ failed"})
	case t.done == t.seen:
		s = append(s, piece{done, " ● done"})
	case t.done > 0 || t.ready > 0:
		filled := t.done * 8 / t.seen
		s = append(s, piece{running, " " + strings.Repeat("▰", filled) + strings.Repeat("▱", 8-filled)})
	}
	if group.Kind != dag.ModuleCall {
		var names []string
		for i := group.First; i < min(group.Last, group.First+max(group.Each, 3)) && len(names) < 4; i++ {
			n, _ := g.Node(v.view.Node(i))
			names = append(names, strings.TrimSuffix(n.Name, "Backward0"))
		}
		s = append(s, piece{muted, "  " + console.OneLine(strings.Join(names, " "))})
	}
	return s
}

func (v *graphView) move(m *Model, rows, _ int) {
	if v.view == nil {
		return
	}
	v.list.move(rows, v.view.Rows())
	v.choose(m)
}

// choose makes the row's node the one that the inspector tells of.
func (v *graphView) choose(m *Model) {
	if v.view == nil || v.chosen >= v.view.Rows() {
		return
	}
	chosen := v.chosen
	m.chooseNode(v.view.Row(chosen).Node)
	v.chosen = chosen
}

// open unfolds a group, or shows a node in the inspector.
func (v *graphView) open(m *Model) tea.Cmd {
	if v.view == nil || v.chosen >= v.view.Rows() {
		return nil
	}
	if row := v.view.Row(v.chosen); row.Group != nil {
		v.view.Unfold(v.chosen)
		v.choose(m)
		return nil
	}
	v.choose(m)
	m.show(inspectorPane)
	return nil
}

func (v *graphView) click(m *Model, _, row int) tea.Cmd {
	if v.view == nil || v.top+row >= v.view.Rows() {
		return nil
	}
	if v.chosen == v.top+row && v.view.Row(v.chosen).Group != nil {
		return v.open(m)
	}
	v.chosen = v.top + row
	v.choose(m)
	return nil
}

// graphOf is the pane of the graph.
func (m *Model) graphOf() *graphView { return m.panes[graphPane].(*graphView) }

// fold folds what the chosen row lies in, or unfolds it.
func (m *Model) fold() tea.Cmd {
	v := m.graphOf()
	if v.view == nil || v.chosen >= v.view.Rows() {
		return nil
	}
	if v.view.Row(v.chosen).Group != nil {
		v.view.Unfold(v.chosen)
	} else if now, ok := v.view.Fold(v.chosen); ok {
		v.chosen = now
	} else {
		return m.say(muted, "this node belongs to no module call and to no repetition")
	}
	v.counts = map[int]tally{}
	return nil
}

func (m *Model) unfoldAll() tea.Cmd {
	v := m.graphOf()
	if v.view != nil {
		v.view.UnfoldAll()
		v.refresh(m)
	}
	return nil
}

// foldAll folds the outermost groups; again it goes one level deeper.
func (m *Model) foldAll() tea.Cmd {
	v := m.graphOf()
	if v.view == nil {
		return nil
	}
	if v.view.Levels() == 0 {
		return m.say(muted, "there is nothing to fold: no module calls, no repetitions")
	}
	v.view.FoldAll(0)
	v.refresh(m)
	return nil
}

// nextView draws the graph in another way.
func (m *Model) nextView() tea.Cmd {
	v := m.graphOf()
	v.mode = (v.mode + 1) % graphModes
	return m.say(muted, "view: "+graphModeNames[v.mode])
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

// drawOther draws the views that are not lanes.
func (v *graphView) drawOther(m *Model, r cells.Region) {}
