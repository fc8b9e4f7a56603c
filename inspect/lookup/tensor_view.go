package lookup

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A TensorView shows a tensor at a position.
type TensorView struct {
	Tensor graph.Tensor
	Op     string    // the operation that made it; "" if none did
	OpAt   graph.Pos // its event; -1: none
	// Events are the events about it, in order; [Index.TensorEvent] says what one means.
	Events []graph.Pos
	// Savers are the nodes that saved it, in order. If there are more than MaxShown, or the
	// tensor has a very long history, these are only the newest, and MoreSavers is true.
	Savers     []Saver
	MoreSavers bool
	// Parts lists what its .grad is made of since it was last None or zero; of more than
	// MaxShown parts the newest, and MoreParts is true.
	Parts     []GradPart
	MoreParts bool
}

// A Saver is a node that saved a tensor.
type Saver struct {
	At    graph.Pos
	Node  graph.NodeID
	Name  string            // of the node
	Saved graph.SavedTensor // the slot, as it is at the position
}

// TensorAt returns the view of a tensor at the graph's position; ok is false if there is no such
// tensor.
func (t *Index) TensorAt(g *graph.Graph, id graph.TensorID) (v *TensorView, ok bool) {
	now, ok := g.Tensor(id)
	if !ok {
		return nil, false
	}
	t.Extend(g.Pos())
	v = &TensorView{Tensor: now, Events: t.tensorBefore(id, g.Pos())}
	op, at := t.maker(v.Events, id)
	if v.OpAt = at; op != nil {
		v.Op = t.tape.String(op.Op)
	}
	v.savers(t, g)
	v.Parts, v.MoreParts = t.gradParts(id, g.Pos(), MaxShown)
	return v, true
}

// maker finds the operation whose new result a tensor was, among the events about it: the
// first one that names it.
func (t *Index) maker(history []graph.Pos, id graph.TensorID) (op *graph.OpRan, at graph.Pos) {
	for _, at := range history {
		if k, _ := t.dec.Kind(at); k != graph.KindOpRan {
			continue
		}
		if op, ok := eventAt[*graph.OpRan](t, at); ok && makes(op, id) {
			return op, at
		}
		break
	}
	return nil, -1
}

// makes reports whether a tensor is a new result of an operation.
func makes(op *graph.OpRan, id graph.TensorID) bool {
	return slices.Contains(op.Outputs, id) && !slices.Contains(op.Inputs, id) && !slices.Contains(op.Mutated, id)
}

// maxLooked is how many events about a tensor are searched for nodes that saved it.
const maxLooked = 1 << 12

func (v *TensorView) savers(t *Index, g *graph.Graph) {
	for i, at := range slices.Backward(v.Events) {
		if len(v.Events)-i > maxLooked {
			v.MoreSavers = true
			break
		}
		if k, _ := t.dec.Kind(at); k != graph.KindNodeCreated {
			continue
		}
		_, e, _ := t.dec.ReadUntimed(at)
		made, ok := e.(*graph.NodeCreated)
		if !ok {
			continue
		}
		n, _ := g.Node(made.Node)
		for _, s := range slices.Backward(n.Saved) {
			if s.Tensor != v.Tensor.ID || n.Created != at {
				continue
			}
			if len(v.Savers) == MaxShown {
				v.MoreSavers = true
				break
			}
			v.Savers = append(v.Savers, Saver{At: at, Node: n.ID, Name: n.Name, Saved: s})
		}
		if v.MoreSavers {
			break
		}
	}
	slices.Reverse(v.Savers)
}
