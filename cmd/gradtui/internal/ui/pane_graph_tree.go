package ui

import (
	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// treeView draws the inputs of a node, and theirs, as a tree; or its users.
type treeView struct {
	list
	root  graph.NodeID // 0: the chosen node
	back  bool         // users instead of inputs
	tree  *dag.Tree    // nil: not made yet
	cells []dag.Cell
}

func (d *treeView) name() string { return "tree of the node's inputs; t shows its users" }

func (d *treeView) about(s *state) string {
	name := s.nameOf(selection{node: d.root})
	if n, ok := s.graph().Node(d.root); ok && n.Variable != 0 {
		name = s.nameOf(selection{tensor: n.Variable})
	}
	if d.back {
		return "users of " + name
	}
	return "inputs of " + name
}

func (d *treeView) forget() { d.tree = nil }

// begin makes the chosen row the root.
func (d *treeView) begin(v *graphView, back bool) {
	d.root, d.back, d.tree = 0, back, nil
	d.lay(v)
}

// openLines is how many lines of a tree are unfolded at first.
const openLines = 200

// lay makes the tree. If it does not list the chosen row, a new one begins there.
func (d *treeView) lay(v *graphView) {
	if v.empty() {
		return
	}
	if row, ok := v.view.RowOf(d.root); d.tree == nil && ok {
		d.make(v, row)
	}
	if d.tree != nil {
		if _, ok := d.tree.LineOf(v.chosen); ok {
			return
		}
	}
	d.make(v, v.chosen)
	d.root = v.view.Row(v.chosen).Node
}

func (d *treeView) make(v *graphView, row int) {
	d.list, d.tree = list{}, dag.NewTree(v.view, row, d.back)
	d.tree.Open(openLines)
}

func (d *treeView) draw(s *state, v *graphView, r cells.Region) {
	d.lay(v)
	if d.row() != v.chosen {
		d.list.chosen, _ = d.tree.LineOf(v.chosen)
	}
	from, to := d.window(d.tree.Lines(), r.H)
	file := ""
	for i := from; i < to; i++ {
		line := d.tree.Line(i)
		row := v.view.Row(line.Row)
		mark, text := v.rowText(s, &row)
		differs := v.contrast(s, &row)
		differs.draw(r, 0, i-from)
		text = append(text, differs.note()...)
		d.cells = line.Cells(d.cells[:0])
		x := drawGutter(r, 1, i-from, d.cells, mark)
		switch {
		case line.Reference >= 0:
			text = append(styled{{muted, "see above: "}}, text...)
		case line.Inner > 0 && !line.Expanded:
			text = append(styled{{strong, "+ "}}, text...)
		}
		file = v.drawRow(s, r, x+1, i-from, &row, text, file)
		if i == d.list.chosen {
			r.Flag(i-from, v.mark)
		}
	}
	drawScrollBar(r, from, d.tree.Lines())
}

// row returns the row of the view that the chosen line stands for.
func (d *treeView) row() int {
	if d.tree == nil || d.list.chosen >= d.tree.Lines() {
		return -1
	}
	return d.tree.Line(d.list.chosen).Row
}

func (d *treeView) move(v *graphView, columns, rows int) {
	if d.tree == nil {
		return
	}
	if columns != 0 {
		d.expand(columns > 0)
		return
	}
	d.list.move(rows, d.tree.Lines())
	v.chosen = d.row()
}

func (d *treeView) rowAt(_ *graphView, _, y int) (int, bool) {
	if d.tree == nil || d.top+y >= d.tree.Lines() {
		return 0, false
	}
	d.list.chosen = d.top + y
	return d.row(), true
}

func (d *treeView) open(*graphView) bool {
	return d.tree != nil && d.expand(!d.tree.Line(d.list.chosen).Expanded)
}

func (d *treeView) expand(expanded bool) bool {
	return d.tree != nil && d.tree.Expand(d.list.chosen, expanded)
}

// showTree shows the tree of the chosen node's inputs, or of its users if the tree of the
// inputs is shown already.
func (v *graphView) showTree(s *state) intent {
	if v.empty() {
		return nil
	}
	back := v.tree.back
	if v.renderings[v.shown] == rendering(v.tree) {
		back = !back
	}
	v.shown = len(v.renderings) - 1
	v.tree.begin(v, back)
	return saying(muted, "tree: "+v.tree.about(s))
}

func (d *treeView) wheel(_ *graphView, rows, page int) {
	if d.tree != nil {
		d.scroll(rows, d.tree.Lines(), page)
	}
}
