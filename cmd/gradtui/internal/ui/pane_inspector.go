package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// inspectorView tells of the chosen node or tensor, as of the cursor. Rows that stand
// for another node, tensor or event lead there.
type inspectorView struct {
	list
	made facets // what the rows were made for
	rows []fact
}

// facets are what the rows of the inspector depend on.
type facets struct {
	chosen selection
	next   graph.NodeID
	at     graph.Pos
	read   bool             // the trace knows the events up to the cursor
	pass   graph.BackwardID // that is looked at
	width  int              // that long texts are wrapped to
}

// A fact is a row of the inspector, and where it leads.
type fact struct {
	styled
	node   graph.NodeID
	tensor graph.TensorID
	at     graph.Pos // an event; -1: none
}

func (f *fact) leads() bool { return f.node != 0 || f.tensor != 0 || f.at >= 0 }

func (v *inspectorView) about(m *Model) string {
	if m.chosen == (selection{}) {
		return "nothing is selected"
	}
	return m.nameOf(m.chosen)
}

func (v *inspectorView) refresh(m *Model) {
	key := facets{m.chosen, m.aboutToRun(), m.at(), m.trace.Pos() >= m.at(), m.scope.pass, m.layout.panes[inspectorPane].W}
	if key == v.made {
		return
	}
	if key.chosen != v.made.chosen {
		v.list = list{}
	}
	v.made = key
	v.rows = m.facts(key)
}

// facts tells of what is chosen.
func (m *Model) facts(key facets) []fact {
	w := &factWriter{m: m, width: key.width}
	if key.read && key.next != 0 && key.next == key.chosen.node {
		w.ranBefore()
	}
	switch {
	case !key.read:
		w.line(nil, piece{muted, "reading the tape…"})
	case !m.exists(key.chosen):
		w.line(nil, piece{muted, m.nameOf(key.chosen) + " does not exist yet at event " + fmt.Sprint(key.at)})
	case key.chosen.tensor != 0:
		w.tensor(key.chosen.tensor)
		if key.chosen.node != 0 {
			w.line(nil)
			w.node(key.chosen.node)
		}
	case key.chosen.node != 0:
		w.node(key.chosen.node)
	}
	return w.rows
}

// exists reports whether there is what is chosen at the cursor.
func (m *Model) exists(s selection) bool {
	_, tensor := m.graph().Tensor(s.tensor)
	_, node := m.graph().Node(s.node)
	return s == selection{} || tensor || node
}

func (v *inspectorView) draw(m *Model, r cells.Region) {
	v.refresh(m)
	if len(v.rows) == 0 {
		r.Fit(1, 0, r.W-1, muted, "Select a node in the graph, or search for a tensor with /.")
		return
	}
	from, to := v.window(len(v.rows), r.H)
	for i := from; i < to; i++ {
		v.rows[i].write(r, 1, i-from)
		if i == v.chosen && m.focus == inspectorPane {
			r.Flag(i-from, cells.Chosen)
		}
	}
	if to < len(v.rows) {
		r.Text(r.W-1, r.H-1, muted, "↓")
	}
}

func (v *inspectorView) move(m *Model, rows, _ int) { v.list.move(rows, len(v.rows)) }

// open goes to what the chosen row is about.
func (v *inspectorView) open(m *Model) tea.Cmd {
	if v.chosen >= len(v.rows) {
		return nil
	}
	f := v.rows[v.chosen]
	switch {
	case f.at >= 0:
		return m.goToEvent(f.at)
	case f.tensor != 0:
		m.chooseTensor(f.tensor)
	case f.node != 0:
		m.chooseNode(f.node)
	}
	return nil
}

func (v *inspectorView) click(m *Model, _, row int) tea.Cmd {
	if v.chosen == v.top+row {
		return v.open(m)
	}
	v.chosen = v.top + row
	return nil
}
