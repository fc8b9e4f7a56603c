package lookup

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// Result says what a result of a node's forward operation looks like, according to the node
// itself, or its tensor, or the first gradient that came for it, which has its shape. It is not
// Known before any of them is on the tape.
func (t *Index) Result(g *graph.Graph, of graph.Edge) graph.Result {
	n, ok := g.Node(of.Node)
	if !ok {
		return graph.Result{}
	}
	if looks := n.Result(of.Input); looks.Known() {
		return looks
	}
	t.Extend(g.Pos())
	if n.Variable != 0 {
		return t.looks(g, n.Variable, n.Created)
	}
	if at, op := t.madeBy(g, &n); op != nil {
		for _, id := range wholes(g, &n, op, op.Outputs[:min(len(op.Outputs), MaxShown)]) {
			if p, ok := t.past(g, id, at); ok && p.fn == of {
				return graph.Result{DType: p.dtype, Shape: p.shape}
			}
		}
	}
	return t.firstGradient(g, of)
}

// looks returns what a tensor looked like after the events before end.
func (t *Index) looks(g *graph.Graph, id graph.TensorID, end graph.Pos) graph.Result {
	p, _ := t.past(g, id, end)
	return graph.Result{DType: p.dtype, Shape: p.shape}
}

// firstGradient returns what the first gradient for a result looked like.
func (t *Index) firstGradient(g *graph.Graph, of graph.Edge) graph.Result {
	for _, at := range inOrder(slices.Collect(t.nodes.before(uint32(of.Node), g.Pos()))) {
		var grad graph.Grad
		switch _, e, _ := t.dec.ReadUntimed(at); e := e.(type) {
		case *graph.GradArrived:
			if e.Input == of.Input {
				grad = e.Grad
			}
		case *graph.NodeExecuted:
			if int(of.Input) < len(e.In) {
				grad = e.In[of.Input]
			}
		}
		if grad.Defined() {
			return graph.Result{DType: grad.Value.DType, Shape: slices.Clone(grad.Shape)}
		}
	}
	return graph.Result{}
}

// madeBy returns the operation that made a node, nil if that is not known at the graph's
// position.
func (t *Index) madeBy(g *graph.Graph, n *graph.Node) (at graph.Pos, op *graph.OpRan) {
	at, ok := t.Op(n.ID)
	if !ok && n.Inner != 0 {
		at, ok = t.Op(n.Inner)
	}
	if !ok || at >= g.Pos() {
		return -1, nil
	}
	op, _ = eventAt[*graph.OpRan](t, at)
	return at, op
}

// wholes returns tensors of the operation that made a node. A CopySlices node stands for an
// operation that changed a view as one that changed the view's base.
func wholes(g *graph.Graph, n *graph.Node, op *graph.OpRan, ids []graph.TensorID) []graph.TensorID {
	if n.Inner == 0 {
		return ids
	}
	ids = slices.Clone(ids)
	for i, id := range ids {
		if view, _ := g.Tensor(id); view.Base != 0 && slices.Contains(op.Mutated, id) {
			ids[i] = view.Base
		}
	}
	return ids
}
