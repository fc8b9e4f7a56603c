package inspect

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Failure is a backward pass that ended with an error.
type Failure struct {
	Backward graph.BackwardID
	Began    graph.Pos // the event that began the pass
	At       graph.Pos // the event that ended it
	Node     graph.NodeID
	Name     string // of the node; "" if none was running
	Type     string // of the error: "RuntimeError"
	Message  string
	// Modified are the saved tensors of the node that were changed in place
	// since they were saved.
	Modified []Hazard
	// FreedBy is the event of an earlier pass that freed what the node had saved,
	// -1 if there is none.
	FreedBy graph.Pos
}

// Failures finds the backward passes that failed before the graph's position.
func Failures(g *graph.Graph) (list []Failure) {
	c := graph.NewCursor(g.Tape())
	for i := range g.BackwardCount() {
		b, ok := g.Backward(graph.BackwardID(i + 1))
		if !ok || !b.Failed {
			continue
		}
		_, e, err := g.Tape().At(b.Finished)
		failed, ok := e.(*graph.BackwardFailed)
		if err != nil || !ok {
			continue
		}
		f := Failure{
			Backward: b.ID, Began: b.Began, At: b.Finished, Node: failed.Node,
			Type: g.Tape().String(failed.Type), Message: failed.Message, FreedBy: -1,
		}
		if c.Seek(f.At) == nil {
			f.look(c.Graph())
		}
		list = append(list, f)
	}
	return list
}

// look finds what is wrong with the node in the graph at the moment of failure.
func (f *Failure) look(g *graph.Graph) {
	n, ok := g.Node(f.Node)
	if !ok {
		return
	}
	f.Name = n.Name
	f.Modified = hazardsOf(g, n)
	if by, ok := freeingPass(g.Tape(), n.FreedAt); n.Freed && ok && by != f.Backward {
		f.FreedBy = n.FreedAt
	}
}

// Explain tells in a few lines what went wrong and at which lines.
func (f *Failure) Explain(tape *graph.Tape) string {
	var b strings.Builder
	fmt.Fprintf(&b, "backward pass %d failed", f.Backward)
	g := tape.CursorAt(f.At).Graph()
	n, known := g.Node(f.Node)
	if known {
		fmt.Fprintf(&b, " in %s", f.Name)
	}
	if n.Variable != 0 { // AccumulateGrad, which no op made
		fmt.Fprintf(&b, " of %s", name(g, n.Variable))
		known = false
	}
	fmt.Fprintf(&b, " (%s)", f.Type)
	line(&b, "called at", tape, f.Began)
	if known {
		line(&b, "the op ran"+module(g, n.Module)+" at", tape, n.Created)
	}
	for _, h := range f.Modified {
		line(&b, h.saved(g), tape, h.SavedAt)
		line(&b, h.changed(g), tape, h.ModifiedAt)
	}
	if len(f.Modified) == 0 && f.FreedBy < 0 {
		b.WriteString("\n  " + excerpt(f.Message))
	}
	if f.FreedBy >= 0 {
		if by, ok := freeingPass(tape, f.FreedBy); ok {
			began, _ := g.Backward(by)
			line(&b, fmt.Sprintf("its saved tensors were freed by backward pass %d, called at", by), tape, began.Began)
		}
	}
	return b.String()
}

func freeingPass(tape *graph.Tape, p graph.Pos) (graph.BackwardID, bool) {
	_, e, err := tape.At(p)
	freed, ok := e.(*graph.SavedFreed)
	if err != nil || !ok {
		return 0, false
	}
	return freed.Backward, freed.Backward != 0
}
