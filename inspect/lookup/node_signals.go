package lookup

import "github.com/gradtui/gradtui/graph"

// operation fills in what the forward operation read and made. Which tensor came in over which
// edge is not recorded: the edges belong to the operands that can have a gradient, in their
// order. So an edge is matched with an operand whose gradient goes where the edge goes. A node
// inside another operation, such as the TBackward0 of linear, has no operands of its own: an
// edge that matches no operand stands for the tensor whose gradient went there, and stays unknown
// only if the program never had one.
func (v *nodeViewer) operation() {
	n := v.view.Node
	v.view.Inputs = make([]NodeInput, min(n.Outputs, MaxShown))
	v.view.Edges = make([]NodeOutput, min(len(n.Edges), MaxShown))
	for i := range v.view.Edges {
		v.view.Edges[i].Edge = n.Edges[i]
		v.view.Edges[i].Target, _ = v.g.Node(n.Edges[i].Node)
	}
	if n.Variable != 0 { // AccumulateGrad
		if len(v.view.Inputs) > 0 {
			v.view.Inputs[0].Result, v.view.Inputs[0].Looks = n.Variable, v.looks(v.g, n.Variable, n.Created)
		}
		return
	}
	v.call()
	for i := range v.view.Edges {
		if e := &v.view.Edges[i]; !e.Forward.Known {
			e.Forward = v.sourceOf(e)
		}
	}
	for i := range v.view.Inputs {
		v.view.Inputs[i].Looks = v.Result(v.g, graph.Edge{Node: n.ID, Input: uint32(i)})
	}
}

// sourceOf returns the tensor whose gradient goes over an edge, as it was when the node was made;
// if the program never had it, what it looked like.
func (v *nodeViewer) sourceOf(e *NodeOutput) Signal {
	made := v.view.Node.Created
	if e.Target.Variable != 0 {
		return v.read(e.Target.Variable, made)
	}
	if at, ok := v.Op(e.Target.ID); ok && at < made {
		if op, ok := eventAt[*graph.OpRan](v.Index, at); ok {
			for _, id := range op.Outputs[:min(len(op.Outputs), MaxShown)] {
				if p, ok := v.past(v.g, id, made); ok && p.fn == e.Edge {
					return v.read(id, made)
				}
			}
		}
	}
	looks := v.Result(v.g, e.Edge)
	return Signal{DType: looks.DType, Shape: looks.Shape}
}

// call fills in what is known from the operation that made the node.
func (v *nodeViewer) call() {
	at, op := v.madeBy(v.g, &v.view.Node)
	if op == nil {
		return
	}
	v.view.Op, v.view.OpAt = v.tape.String(op.Op), at
	v.results(op, at)
	v.signals(op, at)
}

// results finds the tensors whose gradients the node receives.
func (v *nodeViewer) results(op *graph.OpRan, at graph.Pos) {
	for _, id := range wholes(v.g, &v.view.Node, op, op.Outputs[:min(len(op.Outputs), MaxShown)]) {
		p, ok := v.past(v.g, id, at)
		if ok && p.fn.Node == v.view.Node.ID && int(p.fn.Input) < len(v.view.Inputs) {
			v.view.Inputs[p.fn.Input].Result = id
		}
	}
}

func (v *nodeViewer) signals(op *graph.OpRan, at graph.Pos) {
	operands := wholes(v.g, &v.view.Node, op, op.Inputs[:min(len(op.Inputs), 2*MaxShown)])
	ways := make([]graph.Edge, len(operands)) // where the gradient of each goes
	leaf := make([]bool, len(operands))
	for i, id := range operands {
		p, ok := v.past(v.g, id, v.view.Node.Created)
		ways[i], leaf[i] = p.fn, ok && p.fn.Node == 0
	}
	matched := matchEdges(v.view.Node.Edges[:len(v.view.Edges)], len(operands), func(edge, operand int) bool {
		if leaf[operand] {
			return v.view.Edges[edge].Target.Variable == operands[operand]
		}
		return ways[operand] == v.view.Edges[edge].Edge
	})
	for i, k := range matched {
		if k >= 0 {
			v.view.Edges[i].Forward = v.signal(op, operands[k], at)
		}
	}
}

// signal returns a tensor as an operation read it: before the operation changed it, if it
// did.
func (v *nodeViewer) signal(op *graph.OpRan, id graph.TensorID, at graph.Pos) Signal {
	if id == 0 {
		return Signal{Known: true}
	}
	for _, m := range op.Mutated {
		if w := v.writes.newest(uint32(v.counter(id)), at); v.counter(m) == v.counter(id) && w >= 0 {
			at = w
		}
	}
	return v.read(id, at)
}

// read returns a tensor as it was at a position.
func (v *nodeViewer) read(id graph.TensorID, at graph.Pos) Signal {
	now, _ := v.g.Tensor(id)
	p, _ := v.past(v.g, id, at)
	return Signal{Known: true, Tensor: id, Name: now.Name, DType: p.dtype, Shape: p.shape, Value: p.value, Stale: p.stale}
}

// matchEdges finds the operand of each edge, -1 for those that stay unknown. leads says
// whether the gradient of an operand goes over an edge. An edge that leads nowhere
// belongs to an operand that needs no gradient: which one is clear if there are as many
// such edges as operands between two that are known.
func matchEdges(edges []graph.Edge, operands int, leads func(edge, operand int) bool) []int {
	matched := make([]int, len(edges))
	next, inOrder := 0, true
	for i, e := range edges {
		matched[i] = -1
		if e.Node == 0 {
			continue
		}
		k := next
		for k < operands && !leads(i, k) {
			k++
		}
		if k == operands {
			inOrder = false
			continue
		}
		matched[i], next = k, k+1
	}
	if !inOrder {
		return matched
	}
	last, open := -1, 0 // the operand known last, edges without one since
	fill := func(end, upTo int) {
		if upTo-last-1 == open {
			for ; open > 0; open-- {
				matched[end-open] = upTo - open
			}
		}
		last, open = upTo, 0
	}
	for i, k := range matched {
		if k < 0 {
			open++
		} else {
			fill(i, k)
		}
	}
	fill(len(edges), operands)
	return matched
}
