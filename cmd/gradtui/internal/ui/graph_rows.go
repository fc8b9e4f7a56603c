package ui

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// A mark shows how far a node is.
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

// rowText is the mark and the text of a row.
func (v *graphView) rowText(m *Model, row *dag.Row) (statusMark, styled) {
	if row.Group != nil {
		return statusMarks[markFolded], v.groupText(m, row)
	}
	n, _ := m.graph().Node(row.Node)
	mark := m.markOf(n)
	return mark, v.nodeText(m, n, mark, row.Consumers)
}

// statusOf says how far a node is in the backward pass that is looked at. What an
// earlier pass did to it does not count.
func (m *Model) statusOf(n graph.Node) graph.Status {
	if m.scope.pass != 0 && n.Backward != m.scope.pass {
		return graph.Idle
	}
	return n.Status
}

// markOf says how far a node is at the cursor.
func (m *Model) markOf(n graph.Node) statusMark {
	status := m.statusOf(n)
	switch {
	case n.ID != 0 && n.ID == m.aboutToRun():
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

// nodeText says what a node is, what its operation gave, on which line, and how far it
// is.
func (v *graphView) nodeText(m *Model, n graph.Node, mark statusMark, consumers int) styled {
	g := m.graph()
	var s styled
	add := func(style cells.Style, text string) { s = append(s, piece{style, text}) }
	if t, ok := g.Tensor(n.Variable); ok && n.Variable != 0 {
		add(leaf, tensorName(t))
		add(muted, " "+inspect.ShapeText(t.Shape)+" leaf")
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
		if t, ok := g.Tensor(m.resultOf(n.ID)); ok && t.Name != "" {
			add(strong, " "+tensorName(t))
		}
		if looks := m.trace.Result(g, graph.Edge{Node: n.ID}); looks.Known() {
			add(muted, " "+inspect.ShapeText(looks.Shape))
		}
	}
	if consumers > 1 {
		add(muted, fmt.Sprintf(" ×%d", consumers))
	}
	if n.Waiting > 0 && m.statusOf(n) == graph.Waiting {
		add(warned, fmt.Sprintf(" waiting for %d", n.Waiting))
	}
	switch {
	case m.statusOf(n) == graph.Failed:
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
		add(muted, "  "+lineName(line))
	}
	return s
}

// count counts the nodes of a group by status, once for each position.
func (v *graphView) count(group *dag.Group, pass graph.BackwardID) dag.Tally {
	t, ok := v.counts[group.First]
	if !ok {
		t = v.view.Tally(group.First, group.Last, pass)
		v.counts[group.First] = t
	}
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
	t := v.count(group, m.scope.pass)
	switch ran := t.Status[graph.Done]; {
	case t.Status[graph.Failed] > 0:
		s = append(s, piece{failed, " ✗ failed"})
	case ran == t.Looked:
		s = append(s, piece{done, " ● done"})
	case ran+t.Status[graph.Ready]+t.Status[graph.Waiting] > 0:
		filled := ran * 8 / t.Looked
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
