package ui

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// graphView shows the backward graph from the root down: the nodes in the order in
// which backward executes them.
type graphView struct {
	list                     // rows of the view
	view   *dag.View         // of the scope
	counts map[int]dag.Tally // of groups, by their first node, as of at and pass
	at     graph.Pos
	pass   graph.BackwardID
	mark   cells.Flags // of the chosen row: whether the pane is focused

	contrasts contrasts // with moment A

	renderings [3]rendering
	shown      int       // index in renderings
	tree       *treeView // the last of the renderings
}

func newGraph() *graphView {
	v := &graphView{counts: map[int]dag.Tally{}, tree: &treeView{}}
	v.renderings = [...]rendering{&laneView{}, &boxView{}, v.tree}
	return v
}

// forget drops what was computed from the rows, because the rows changed.
func (v *graphView) forget() {
	clear(v.counts)
	v.contrasts.of = nil
	for _, d := range v.renderings {
		d.forget()
	}
}

// A rendering is a way to draw the graph.
type rendering interface {
	name() string
	// about is a remark for the pane's title; may be empty.
	about(s *state) string
	// begin is called when the user switches to this rendering. back asks a tree for the
	// users of the chosen node instead of its inputs.
	begin(v *graphView, back bool)
	// forget drops what was computed from the rows.
	forget()
	draw(s *state, v *graphView, r cells.Region)
	// move chooses another row; a step to the side may be one up or down.
	move(v *graphView, columns, rows int)
	// wheel scrolls, and chooses nothing.
	wheel(v *graphView, rows, page int)
	// rowAt returns the row of the view at a cell.
	rowAt(v *graphView, x, y int) (row int, ok bool)
	// open unfolds the chosen row; false: there is nothing to unfold.
	open(v *graphView) bool
}

func (v *graphView) about(s *state) string {
	g := s.graph()
	n, ok := g.Node(s.scope.root)
	switch {
	case s.scope.view == nil && s.scope.wanted != nil:
		return "laying out…"
	case !ok || s.scope.view == nil:
		return "no grad_fn yet"
	}
	text := fmt.Sprintf("%s n%d", n.Name, n.ID)
	if b, ok := g.Backward(s.scope.pass); ok {
		text = describePass(g, b)
	} else if id := s.resultOf(n.ID); id != 0 {
		if t, ok := g.Tensor(id); ok && t.Name != "" {
			text = t.Name + " ← " + text
		}
	}
	if s.scope.pinned != 0 && s.scope.root == s.scope.pinned {
		text += " · pinned as root"
	}
	text += " · " + plural(s.scope.view.Len(), "node")
	if n := s.scope.view.LeftOut(); n > 0 {
		text += ", " + plural(n, "view") + " folded"
	}
	if about := v.renderings[v.shown].about(s); about != "" {
		text += " · " + about
	}
	if s.scope.wanted != nil {
		text += fmt.Sprintf(" · laying out the graph of n%d", s.scope.wanted[0])
	}
	return console.OneLine(text)
}

// describePass describes a backward pass: its number, its root, its options.
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
	case b.Flags&graph.CreateGraph != 0: // which includes retain_graph
		text += " · create_graph"
	case b.Flags&graph.RetainGraph != 0:
		text += " · retain_graph"
	}
	return text
}

func (v *graphView) refresh(s *state, _ cells.Rect) {
	if v.view != s.scope.view {
		v.view, v.list = s.scope.view, list{}
		v.forget()
	}
	if v.at != s.at() || v.pass != s.scope.pass {
		v.at, v.pass = s.at(), s.scope.pass
		clear(v.counts)
	}
	if v.view != nil && v.view.Attend(s.attention()) {
		v.forget()
	}
	v.follow(s)
}

// attention returns the node that is always visible: the one that is about to run, or that raised the error of the
// pass that is shown; 0 if there is none.
func (s *state) attention() graph.NodeID {
	if id := s.aboutToRun(); id != 0 {
		return id
	}
	if b, ok := s.graph().Backward(s.scope.pass); ok && b.Failed {
		if _, e := s.event(b.Finished); e != nil {
			if e, ok := e.(*graph.BackwardFailed); ok {
				return e.Node
			}
		}
	}
	return 0
}

// follow chooses the row of the selected node.
func (v *graphView) follow(s *state) {
	if v.view != nil && s.chosen.node != 0 {
		if row, ok := v.view.RowOf(s.chosen.node); ok {
			v.chosen = row
		}
	}
}

func (v *graphView) draw(s *state, r cells.Region, focused bool) {
	v.mark = cells.Marked
	if focused {
		v.mark = cells.Chosen
	}
	if s.scope.view == nil && s.scope.wanted != nil {
		r.Fit(1, 0, r.W-1, muted, "Laying out a large graph…")
		return
	}
	if s.atStart() && (v.view == nil || v.view.Len() == 0) {
		s.drawStartPage(r)
		return
	}
	if v.view == nil || v.view.Len() == 0 {
		r.Fit(1, 0, r.W-1, muted, "No operation that requires grad has run yet.")
		r.Fit(1, 1, r.W-1, muted, "s steps to the next operation, n to the next node of a backward pass.")
		return
	}
	v.renderings[v.shown].draw(s, v, v.drawOnlyA(s, r))
}

func (v *graphView) empty() bool { return v.view == nil || v.view.Rows() == 0 }

func (v *graphView) move(_ *state, rows, _ int) intent { return v.step(0, rows) }

func (v *graphView) sideways(_ *state, n int) intent { return v.step(n, 0) }

func (v *graphView) step(columns, rows int) intent {
	if v.empty() {
		return nil
	}
	v.renderings[v.shown].move(v, columns, rows)
	return v.choose()
}

// choose is the intent to select the node of the chosen row.
func (v *graphView) choose() intent {
	if v.empty() || v.chosen >= v.view.Rows() {
		return nil
	}
	return choose{node: v.view.Row(v.chosen).Node}
}

// open unfolds a group, or shows a node in the inspector.
func (v *graphView) open(*state) intent {
	switch {
	case v.empty():
		return nil
	case v.renderings[v.shown].open(v):
		return v.choose()
	}
	return inOrder{v.choose(), showPane(inspectorPane)}
}

func (v *graphView) click(s *state, column, row int) intent {
	if v.empty() {
		return nil
	}
	at, ok := v.renderings[v.shown].rowAt(v, column, row)
	if !ok {
		return nil
	}
	if v.chosen == at && v.view.Row(at).Group != nil {
		return v.open(s)
	}
	v.chosen = at
	return v.choose()
}

// unfold unfolds the chosen row, if it is a group.
func (v *graphView) unfold() bool {
	if v.view.Row(v.chosen).Group == nil {
		return false
	}
	v.view.Unfold(v.chosen)
	v.forget()
	return true
}

// fold unfolds the chosen row, or folds the innermost group around it.
func (v *graphView) fold(s *state) intent {
	if v.empty() {
		return nil
	}
	s.scope.byHand = true
	if v.unfold() {
		return nil
	}
	now, ok := v.view.Fold(v.chosen)
	if !ok {
		return saying(muted, "this node is not part of a module call or a repetition")
	}
	v.chosen = now
	v.forget()
	return nil
}

func (v *graphView) unfoldAll(s *state) intent { return v.foldFrom(s, 1<<30) }

func (v *graphView) foldAll(s *state) intent { return v.foldFrom(s, 0) }

// foldFrom folds the groups that are nested this deep or deeper.
func (v *graphView) foldFrom(s *state, level int) intent {
	if v.empty() {
		return nil
	}
	if v.view.Levels() == 0 {
		return saying(muted, "nothing to fold: no module calls, no repetitions")
	}
	s.scope.byHand = true
	v.view.FoldAll(level)
	v.forget()
	v.follow(s)
	return nil
}

// nextRendering draws the graph in another way.
func (v *graphView) nextRendering(*state) intent {
	v.shown = (v.shown + 1) % len(v.renderings)
	v.renderings[v.shown].begin(v, false)
	return saying(muted, "view: "+v.renderings[v.shown].name())
}

// settleAs draws the graph in the way of another view.
func (v *graphView) settleAs(other *graphView) {
	v.shown = other.shown
	v.renderings[v.shown].begin(v, false)
}

func (v *graphView) breakpoint(s *state) string {
	if v.empty() || v.view.Row(v.chosen).Group != nil {
		return ""
	}
	return s.breakOnNode(v.view.Row(v.chosen).Node)
}

func (v *graphView) words(s *state) (lines []string) {
	if v.view == nil || v.view.Len() == 0 {
		return []string{"No operation that requires grad has run yet."}
	}
	from, to := around(v.chosen, v.view.Rows())
	if from > 0 {
		lines = append(lines, fmt.Sprintf("%s above.", plural(from, "row")))
	}
	for i := from; i < to; i++ {
		row := v.view.Row(i)
		text := ""
		if row.Group != nil {
			text = "folded: " + v.groupText(s, &row).words()
		} else {
			n, _ := s.graph().Node(row.Node)
			text = fmt.Sprintf("n%d, %s", n.ID, v.inWords(s, n, row.Consumers))
			if names, count := v.viewsOf(&row); names != "" {
				text += ", read through " + names + inWords(count)
			}
		}
		if differs := v.contrast(s, &row); differs.mark != "" {
			text = differs.inWords() + ": " + text
		}
		if i == v.chosen {
			text = "selected: " + text
		}
		lines = append(lines, text)
	}
	if rest := v.view.Rows() - to; rest > 0 {
		lines = append(lines, fmt.Sprintf("%s below.", plural(rest, "row")))
	}
	if text := s.onlyA(); text != "" {
		lines = append(lines, inWords(text)+".")
	}
	return lines
}

// inWords says what a node is and how far it is.
func (v *graphView) inWords(s *state, n graph.Node, consumers int) string {
	mark := s.markOf(n)
	row := append(v.nodeText(s, n, mark, 0), piece{plain, " "})
	row = append(row, s.trouble(n)...)
	if line := s.lineOf(n); line.Line > 0 && n.Variable == 0 {
		row = append(row, piece{muted, " " + lineName(line)})
	}
	text := row.words()
	if !strings.Contains(text, mark.word) {
		text = mark.word + ": " + text
	}
	if consumers > 1 {
		text += fmt.Sprintf(", read by %d nodes", consumers)
	}
	for _, e := range n.Edges {
		if to, ok := s.graph().Node(e.Node); ok {
			text += fmt.Sprintf(", to n%d", to.ID)
		}
	}
	return text
}

func (v *graphView) rowCount(s *state) int {
	switch {
	case v.shown != 0: // a drawing or a tree takes what it gets
		return allRows
	case s.scope.view == nil || s.scope.view.Len() == 0:
		if s.atStart() {
			return len(s.startPage())
		}
		return 0
	}
	return s.scope.view.Rows()
}

func (v *graphView) wheel(_ *state, rows, page int) {
	if !v.empty() {
		v.renderings[v.shown].wheel(v, rows, page)
	}
}
