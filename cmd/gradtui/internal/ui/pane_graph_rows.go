package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/arrange"
	"github.com/gradtui/gradtui/internal/console"
)

// A statusMark shows how far a node is.
type statusMark struct {
	mark  string
	style cells.Style
	word  string // instead of the mark, where nothing is drawn
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
	markFailed:  {"✗", failed, "failed", "it failed, or a saved tensor was modified"},
	markLeaf:    {"◇", leaf, "leaf", "a leaf: its AccumulateGrad has not run; ◆: it has"},
	markFolded:  {"▸", strong, "folded", "folded nodes; space unfolds them"},
}

// leafDone is the mark of a leaf whose gradient was accumulated.
const leafDone = "◆"

// rowText returns the mark and the text of a row.
func (v *graphView) rowText(s *state, row *dag.Row) (statusMark, styled) {
	if row.Group != nil {
		return statusMarks[markFolded], v.groupText(s, row)
	}
	n, _ := s.graph().Node(row.Node)
	mark := s.markOf(n)
	return mark, append(v.nodeText(s, n, mark, row.Consumers), v.viewsText(row)...)
}

// statusOf returns how far a node is in the backward pass that is shown. Earlier passes do
// not count.
func (s *state) statusOf(n graph.Node) graph.Status {
	if s.scope.pass != 0 && n.Backward != s.scope.pass {
		return graph.Idle
	}
	return n.Status
}

// markOf returns the mark of a node at the cursor.
func (s *state) markOf(n graph.Node) statusMark {
	status := s.statusOf(n)
	switch {
	case n.ID != 0 && n.ID == s.aboutToRun():
		return statusMarks[markRunning]
	case status == graph.Failed:
		return statusMarks[markFailed]
	case n.Variable != 0:
		mark := statusMarks[markLeaf]
		if status == graph.Done {
			mark.mark, mark.word = leafDone, "done"
		}
		return mark
	}
	switch status {
	case graph.Waiting:
		return statusMarks[markWaiting]
	case graph.Ready:
		return statusMarks[markReady]
	case graph.Done:
		return statusMarks[markDone]
	}
	return statusMarks[markIdle]
}

// trouble says what is wrong with a node.
func (s *state) trouble(n graph.Node) (text styled) {
	if s.statusOf(n) == graph.Failed {
		text = append(text, piece{failed, "failed "})
	}
	for _, slot := range n.Saved {
		if slot.Modified() && !slot.Freed {
			return append(text, piece{failed, fmt.Sprintf("✗ %s v%d→v%d ", console.OneLine(slot.Name), slot.Version, slot.Current)})
		}
	}
	return text
}

// drawRow draws the text of a row: what is wrong with it first, and its line at the right, without the file
// if that is the file of the row above. It returns the file.
func (v *graphView) drawRow(s *state, r cells.Region, x, y int, row *dag.Row, text styled, above string) string {
	n, ok := s.graph().Node(row.Node)
	if row.Group != nil || !ok {
		text.write(r, x, y)
		return above
	}
	line := s.lineOf(n)
	if line.Line > 0 && n.Variable == 0 {
		where := lineName(line)
		if line.File == above {
			where = fmt.Sprintf(":%d", line.Line)
		}
		above = line.File
		left := r.W - 1 - console.Width(where)
		r.Text(left, y, muted, where)
		r = r.Part(cells.Rect{W: left - 1, H: r.H})
	}
	x = s.trouble(n).write(r, x, y)
	text.write(r, x, y)
	return above
}

// nodeText describes a node: its name, its result, how far it is.
func (v *graphView) nodeText(s *state, n graph.Node, mark statusMark, consumers int) styled {
	g := s.graph()
	var text styled
	add := func(style cells.Style, said string) { text = append(text, piece{style, said}) }
	if t, ok := g.Tensor(n.Variable); ok && n.Variable != 0 {
		add(leaf, tensorName(t))
		add(muted, " "+inspect.ShapeText(t.Shape)+" leaf")
		if t.Grad != 0 {
			add(gradient, " has .grad")
		}
	} else {
		style := plain
		if n.ID == s.scope.root {
			style = output
		}
		if n.Released {
			style = freed
		}
		add(style, console.OneLine(n.Name))
		if t, ok := g.Tensor(s.resultOf(n.ID)); ok && t.Name != "" {
			add(strong, " "+tensorName(t))
		}
		if looks := s.index.lookup.Result(g, graph.Edge{Node: n.ID}); looks.Known() {
			add(muted, " "+inspect.ShapeText(looks.Shape))
		}
	}
	if consumers > 1 {
		add(muted, fmt.Sprintf(" ×%d", consumers))
	}
	if n.Waiting > 0 && s.statusOf(n) == graph.Waiting {
		add(warned, fmt.Sprintf(" waiting for %d", n.Waiting))
	}
	if n.Freed && s.statusOf(n) != graph.Failed {
		add(freed, " freed")
	}
	return text
}

// count counts the nodes of a group by status. It counts once for each position.
func (v *graphView) count(group *arrange.Group, pass graph.BackwardID) dag.Tally {
	t, ok := v.counts[group.First]
	if !ok {
		t = v.view.Tally(group.First, group.Last, pass)
		v.counts[group.First] = t
	}
	return t
}

// someNodes is how many nodes of a call are looked at for the names of parameters.
const someNodes = 200

// variableOf returns the name that the program has for a root module, as far as its parameters have it as well: out
// for the call whose parameters are out.weight and out.bias. It is empty if they have nothing in common.
func (v *graphView) variableOf(s *state, group *arrange.Group) (name string) {
	found := false
	for i := group.First; i < min(group.Last, group.First+someNodes); i++ {
		for _, next := range v.view.Next(i) {
			n, _ := s.graph().Node(v.view.Node(int(next)))
			t, ok := s.graph().Tensor(n.Variable)
			owner, _, dotted := cutLast(t.Name, ".")
			switch {
			case !ok || n.Variable == 0 || !dotted:
			case !found:
				name, found = owner, true
			default:
				name = commonOwner(name, owner)
			}
		}
	}
	return name
}

// commonOwner returns what two paths such as model[0].a and model[2] begin with, up to a dot or bracket.
func commonOwner(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	ends := func(path string) bool { return len(path) == n || path[n] == '.' || path[n] == '[' }
	for n > 0 && !(ends(a) && ends(b)) {
		n--
	}
	return a[:n]
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// groupText describes folded nodes.
func (v *graphView) groupText(s *state, row *dag.Row) styled {
	g, group := s.graph(), row.Group
	var text styled
	name, about := group.Name(g, strconv.Itoa)
	if m, ok := g.Module(group.Module); ok && group.Kind == arrange.ModuleCall && m.Path == "" {
		if variable := v.variableOf(s, group); variable != "" {
			name, about = variable, m.Type
		}
	}
	text = append(text, piece{strong, console.OneLine(name)})
	if about != "" {
		text = append(text, piece{muted, " " + console.OneLine(about)})
	}
	text = append(text, piece{muted, " · " + plural(group.Len(), "node")})
	t := v.count(group, s.scope.pass)
	switch ran := t.Status[graph.Done]; {
	case t.Status[graph.Failed] > 0:
		text = append(text, piece{failed, " ✗ failed"})
	case ran == t.Looked:
		text = append(text, piece{done, " ● done"})
	case ran+t.Status[graph.Ready]+t.Status[graph.Waiting] > 0:
		filled := ran * 8 / t.Looked
		text = append(text, piece{running, " " + strings.Repeat("▰", filled) + strings.Repeat("▱", 8-filled)})
	}
	if group.Kind != arrange.ModuleCall {
		var names []string
		for i := group.First; i < min(group.Last, group.First+max(group.Each, 3)) && len(names) < 4; i++ {
			n, _ := g.Node(v.view.Node(i))
			names = append(names, strings.TrimSuffix(n.Name, "Backward0"))
		}
		text = append(text, piece{muted, "  " + console.OneLine(strings.Join(names, " "))})
	}
	return text
}
