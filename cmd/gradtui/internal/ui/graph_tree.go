package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// asTree draws what a node leads to, or what leads to it, as a tree.
type asTree struct {
	list
	root  graph.NodeID // where the tree begins; 0: where the choice is
	back  bool         // what leads to it is shown
	tree  *dag.Tree    // nil: it is to be made
	cells []dag.Cell
}

func (d *asTree) name() string { return "tree of the node's inputs; t shows its users" }

func (d *asTree) about(m *Model) string {
	name := m.nameOf(selection{node: d.root})
	if n, ok := m.graph().Node(d.root); ok && n.Variable != 0 {
		name = m.nameOf(selection{tensor: n.Variable})
	}
	if d.back {
		return "users of " + name
	}
	return "inputs of " + name
}

func (d *asTree) forget() { d.tree = nil }

// begin makes the chosen row the root.
func (d *asTree) begin(v *graphView, back bool) {
	d.root, d.back, d.tree = 0, back, nil
	d.lay(v)
}

// openLines is how much of a tree is shown at first.
const openLines = 200

// lay makes the tree. One that does not list the chosen row begins there anew.
func (d *asTree) lay(v *graphView) {
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

func (d *asTree) make(v *graphView, row int) {
	d.list, d.tree = list{}, dag.NewTree(v.view, row, d.back)
	d.tree.Open(openLines)
}

func (d *asTree) draw(m *Model, v *graphView, r cells.Region) {
	d.lay(v)
	if d.row() != v.chosen {
		d.list.chosen, _ = d.tree.LineOf(v.chosen)
	}
	from, to := d.window(d.tree.Lines(), r.H)
	for i := from; i < to; i++ {
		line := d.tree.Line(i)
		row := v.view.Row(line.Row)
		mark, text := v.rowText(m, &row)
		d.cells = line.Cells(d.cells[:0])
		x := drawGutter(r, 1, i-from, d.cells, mark)
		switch {
		case line.Reference >= 0:
			text = append(styled{{muted, "see above: "}}, text...)
		case line.Inner > 0 && !line.Expanded:
			text = append(styled{{strong, "+ "}}, text...)
		}
		text.write(r, x+1, i-from)
		if i == d.list.chosen {
			r.Flag(i-from, v.flag(m))
		}
	}
}

// row is the row of the view that the chosen line stands for.
func (d *asTree) row() int {
	if d.tree == nil || d.list.chosen >= d.tree.Lines() {
		return -1
	}
	return d.tree.Line(d.list.chosen).Row
}

func (d *asTree) move(v *graphView, columns, rows int) {
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

func (d *asTree) rowAt(_ *graphView, _, y int) (int, bool) {
	if d.tree == nil || d.top+y >= d.tree.Lines() {
		return 0, false
	}
	d.list.chosen = d.top + y
	return d.row(), true
}

func (d *asTree) open(*graphView) bool {
	return d.tree != nil && d.expand(!d.tree.Line(d.list.chosen).Expanded)
}

func (d *asTree) expand(expanded bool) bool {
	return d.tree != nil && d.tree.Expand(d.list.chosen, expanded)
}

// turn shows the tree of the chosen node, and if it is there already, the other one.
func (m *Model) turn() tea.Cmd {
	v := m.graphOf()
	if v.empty() {
		return nil
	}
	tree := v.tree()
	back := tree.back
	if v.depictions[v.shown] == depiction(tree) {
		back = !back
	}
	v.shown = len(v.depictions) - 1
	tree.begin(v, back)
	return m.say(muted, "tree: "+tree.about(m))
}

// tree is the depiction as a tree, the last one.
func (v *graphView) tree() *asTree { return v.depictions[len(v.depictions)-1].(*asTree) }
