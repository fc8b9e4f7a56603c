package ui

import (
	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// asTree draws what the chosen node leads to as a tree.
type asTree struct {
	list
	tree  *dag.Tree
	cells []dag.Cell
}

func (d *asTree) name() string { return "tree of what the node leads to" }

// openLines is how much of a tree is shown at first.
const openLines = 200

func (d *asTree) draw(m *Model, v *graphView, r cells.Region) {
	if d.tree == nil {
		d.tree = dag.NewTree(v.view, v.chosen, false)
		d.tree.Open(openLines)
	}
	if line, ok := d.tree.LineOf(v.chosen); ok && d.row() != v.chosen {
		d.list.chosen = line
	}
	from, to := d.window(d.tree.Lines(), r.H)
	next := m.aboutToRun()
	for i := from; i < to; i++ {
		line := d.tree.Line(i)
		row := v.view.Row(line.Row)
		mark, text := v.rowText(m, &row, next)
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
		d.tree.Expand(d.list.chosen, columns > 0)
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

func (d *asTree) open(v *graphView) bool {
	line := d.tree.Line(d.list.chosen)
	return d.tree.Expand(d.list.chosen, !line.Expanded)
}
