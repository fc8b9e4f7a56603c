package ui

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// inspectorView shows the selected node or tensor, as of the cursor. Rows about another
// node, tensor or event lead there.
type inspectorView struct {
	list
	made facets // what the rows were made for
	rows []fact

	width    int // of the pane
	unfolded bool
}

// facets are all that the rows of the inspector depend on.
type facets struct {
	chosen selection
	next   graph.NodeID
	at     graph.Pos
	read   bool             // the index knows the events up to the cursor
	pass   graph.BackwardID // the pass that is shown
	width  int              // long texts are wrapped to it
	// unfolded shows details.
	unfolded bool
	pin      pinKey // moment A
}

// A fact is a row of the inspector, and where it leads.
type fact struct {
	styled
	node   graph.NodeID
	tensor graph.TensorID
	at     graph.Pos // an event; -1: none
	holds  *held     // what enter shows; nil: it goes to what the row leads to
	// details folds the details, or unfolds them.
	details bool
}

func (f *fact) leads() bool { return f.node != 0 || f.tensor != 0 || f.at >= 0 }

func (v *inspectorView) about(s *state) string {
	if s.chosen == (selection{}) {
		return "nothing selected"
	}
	return s.nameOf(s.chosen)
}

func (v *inspectorView) refresh(s *state, body cells.Rect) {
	v.width = body.W
	v.make(s)
}

// make makes the rows, if something that they depend on has changed.
func (v *inspectorView) make(s *state) {
	key := facets{s.chosen, s.aboutToRun(), s.at(), s.index.lookup.Pos() >= s.at(), s.scope.pass, v.width, v.unfolded, s.pinKey()}
	if key == v.made {
		return
	}
	if key.chosen != v.made.chosen {
		v.list = list{}
	}
	v.made = key
	v.rows = s.facts(key)
}

// exists reports whether a selection exists at the cursor. So does an empty one.
func (s *state) exists(what selection) bool {
	_, tensor := s.graph().Tensor(what.tensor)
	_, node := s.graph().Node(what.node)
	return what == selection{} || tensor || node
}

func (v *inspectorView) draw(s *state, r cells.Region, focused bool) {
	v.make(s)
	if len(v.rows) == 0 {
		r.Fit(1, 0, r.W-1, muted, "Select a node in the graph, or search for a tensor with /.")
		return
	}
	from, to := v.window(len(v.rows), r.H)
	for i := from; i < to; i++ {
		v.rows[i].write(r, 1, i-from)
		if i == v.chosen && focused {
			r.Flag(i-from, cells.Chosen)
		}
	}
	drawScrollBar(r, from, len(v.rows))
}

// words returns the rows without breaking long ones.
func (v *inspectorView) words(s *state) (rows []string) {
	v.width = math.MaxInt32
	v.make(s)
	for _, f := range v.rows[:min(len(v.rows), 4*maxRows)] {
		if text := f.styled.words(); text != "" {
			rows = append(rows, text)
		}
	}
	return rows
}

func (v *inspectorView) move(_ *state, rows, _ int) intent {
	v.list.move(rows, len(v.rows))
	return nil
}

// open shows the elements of what the chosen row is about, or goes there.
func (v *inspectorView) open(s *state) intent {
	if v.chosen >= len(v.rows) {
		return nil
	}
	f := v.rows[v.chosen]
	if f.details {
		v.unfolded = !v.unfolded
		v.make(s)
		return nil
	}
	if f.holds != nil {
		return showTensor(f)
	}
	return f.intent()
}

// intent goes to what the row leads to.
func (f *fact) intent() intent {
	switch {
	case f.at >= 0:
		return after(f.at)
	case f.tensor != 0:
		return choose{tensor: f.tensor}
	case f.node != 0:
		return choose{node: f.node}
	}
	return nil
}

// chosenFact returns the chosen row.
func (v *inspectorView) chosenFact() fact {
	if v.chosen >= len(v.rows) {
		return fact{at: -1}
	}
	return v.rows[v.chosen]
}

func (v *inspectorView) click(s *state, _, row int) intent {
	if v.chosen == v.top+row {
		return v.open(s)
	}
	v.chosen = v.top + row
	return nil
}

// facts returns the rows about the selection.
func (s *state) facts(key facets) []fact {
	w := &factWriter{s: s, width: key.width, unfolded: key.unfolded}
	if key.read && key.next != 0 && key.next == key.chosen.node {
		w.ranBefore()
	}
	switch {
	case !key.read:
		w.line(nil, piece{muted, "reading the tape…"})
	case !s.exists(key.chosen):
		w.line(nil, piece{muted, s.nameOf(key.chosen) + " does not exist yet at event " + fmt.Sprint(key.at)})
	case key.chosen.tensor != 0:
		w.moments(key.chosen)
		w.tensor(key.chosen.tensor)
		if key.chosen.node != 0 {
			w.line(nil)
			w.node(key.chosen.node)
		}
	case key.chosen.node != 0:
		w.moments(key.chosen)
		w.node(key.chosen.node)
	}
	return w.rows
}

// breakpoint is on what the row leads to, or on what all rows are about.
func (v *inspectorView) breakpoint(s *state) string {
	about := fact{node: s.chosen.node, tensor: s.chosen.tensor, at: -1}
	if v.chosen < len(v.rows) && v.rows[v.chosen].leads() {
		about = v.rows[v.chosen]
	}
	switch {
	case about.at >= 0:
		return breakOnLine(s.line(about.at))
	case about.tensor != 0:
		if asked := s.breakOnTensor(about.tensor); asked != "" {
			return asked
		}
		t, _ := s.graph().Tensor(about.tensor)
		return s.breakOnNode(t.Node)
	}
	return s.breakOnNode(about.node)
}

func (v *inspectorView) copied(*state) string {
	if v.chosen >= len(v.rows) {
		return ""
	}
	return strings.TrimSpace(v.rows[v.chosen].text())
}

func (v *inspectorView) wheel(_ *state, rows, page int) { v.scroll(rows, len(v.rows), page) }
