package inspect

import "github.com/gradtui/gradtui/graph"

// Flows are the ways by which values came into a tensor: what the operation that
// made it read, what was written into it later, and what went past autograd.
func (h *History) Flows(id graph.TensorID) (flows []Flow) {
	t := h.Tensor(id)
	if t == nil {
		return nil
	}
	flows = append(flows, t.Cuts...)
	cut := map[graph.TensorID]bool{}
	for _, f := range flows {
		cut[f.From] = true
	}
	add := func(i int) {
		op := &h.ops[i]
		for _, in := range op.Inputs {
			if in != 0 && in != id && !cut[in] {
				flows = append(flows, Flow{From: in, To: id, At: op.At, Stack: op.Stack, Op: i, Cut: h.cutBy(op, in)})
			}
		}
	}
	if t.Op >= 0 {
		add(t.Op)
	}
	for _, w := range t.Writes {
		if i := h.writes[w].Op; i >= 0 && i != t.Op {
			add(i)
		}
	}
	if t.Base != 0 { // written through another view
		for _, other := range h.storages[t.Storage] {
			if o := h.Tensor(other); other != id && o.Counter == t.Counter {
				for _, w := range o.Writes {
					if i := h.writes[w].Op; i >= 0 {
						add(i)
					}
				}
			}
		}
	}
	return flows
}

// cutBy says why no gradient goes back through an operation to an input that could
// have one; 0 if it does, or if the input needs none.
func (h *History) cutBy(op *Op, in graph.TensorID) graph.CutReason {
	if op.Node != 0 || !h.Graph().RequiresGrad(in) {
		return 0
	}
	if !op.GradMode {
		return graph.CutNoGrad
	}
	return graph.CutInteger
}

// maxVisited bounds how many tensors a search looks at.
const maxVisited = 1 << 20

// Ancestry are the tensors whose values went into some tensors, with the flow that
// each was reached by; the tensors themselves have none. stop ends the search at a
// flow; nil: nothing does.
func (h *History) Ancestry(of []graph.TensorID, stop func(Flow) bool) map[graph.TensorID]Flow {
	found := map[graph.TensorID]Flow{}
	queue := append([]graph.TensorID(nil), of...)
	for _, t := range of {
		found[t] = Flow{To: t, At: -1, Op: -1}
	}
	for len(queue) > 0 && len(found) < maxVisited {
		id := queue[0]
		queue = queue[1:]
		for _, f := range h.Flows(id) {
			if _, known := found[f.From]; known || stop != nil && stop(f) {
				continue
			}
			found[f.From] = f
			queue = append(queue, f.From)
		}
	}
	return found
}

// Path is a way by which values went from one tensor into another, first step
// first; nil if they did not.
func (h *History) Path(from, to graph.TensorID) (path []Flow) {
	found := h.Ancestry([]graph.TensorID{to}, nil)
	if _, ok := found[from]; !ok {
		return nil
	}
	for id := from; id != to; {
		f := found[id]
		path = append(path, f)
		id = f.To
	}
	return path
}

// Cuts are the flows on a path by which no gradient comes back.
func Cuts(path []Flow) (cuts []Flow) {
	for _, f := range path {
		if f.Cut != 0 {
			cuts = append(cuts, f)
		}
	}
	return cuts
}
