package inspect

import (
	"math"
	"sort"

	"github.com/gradtui/gradtui/graph"
)

// Flows returns the ways by which values came into a tensor: what the operation that
// made it read, what was written into it later (but not by optimizers), and what bypassed
// autograd.
func (h *History) Flows(id graph.TensorID) (flows []Flow) {
	t := h.Tensor(id)
	if !t.Known() {
		return nil
	}
	flows = append(flows, t.Cuts...)
	cut := map[graph.TensorID]bool{}
	for _, f := range flows {
		cut[f.From] = true
	}
	add := func(i int) {
		op := h.ops.find(i)
		if op == nil || shapeOnly[op.Name] {
			return
		}
		for _, in := range op.Inputs {
			if in != 0 && in != id && !cut[in] {
				flows = append(flows, Flow{From: in, To: id, At: op.At, Stack: op.Stack, Op: i, Cut: h.cutBy(op, in, id)})
			}
		}
	}
	if t.Op >= 0 {
		add(t.Op)
	}
	for _, i := range h.changed[t.Counter] { // through this tensor, or through another view
		if i != t.Op && h.ops.At(i).At > t.Created { // what was written before came with what it shows
			add(i)
		}
	}
	return flows
}

// shapeOnly are operations whose results hold none of their inputs' values.
var shapeOnly = map[string]bool{
	"zeros_like": true, "ones_like": true, "empty_like": true, "full_like": true,
	"rand_like": true, "randn_like": true, "randint_like": true,
	"new_zeros": true, "new_ones": true, "new_empty": true, "new_full": true, "new_empty_strided": true,
}

// cutBy says why no gradient goes back through an operation from a result to an
// input that could have one; 0 if a gradient does go back, or if the input needs none.
func (h *History) cutBy(op *Op, in, result graph.TensorID) graph.CutReason {
	g := h.Graph()
	if !g.RequiresGrad(in) || op.Node != 0 && g.RequiresGrad(result) {
		return 0
	}
	if !op.GradMode {
		return graph.CutNoGrad
	}
	return graph.CutInteger
}

// link finds where values that had become plain numbers came back: a number or
// a new tensor that holds what item(), tolist() or numpy() returned before. It looks at
// the tensors that were made before an event, and once at each.
func (h *History) link(before graph.Pos) {
	for ; h.linked < h.tensors.Len(); h.linked++ {
		t := h.tensors.find(h.linked)
		if t == nil || h.linked == 0 {
			continue
		}
		if t.Created >= before {
			return
		}
		if t.Op >= 0 || t.Node != 0 || t.Base != 0 || len(t.Cuts) > 0 || h.exits.Len() == 0 || t.Flags&graph.FlagGradient != 0 {
			continue
		}
		_, e, err := h.dec.ReadUntimed(t.Created)
		if made, ok := e.(*graph.TensorCreated); err == nil && ok {
			t.Cuts = h.returned(graph.TensorID(h.linked), t.Created, made.Value.First)
		}
	}
}

// returned returns the flows by which values came back into a tensor, if all of them
// had left before; small whole numbers and simple fractions, such as a margin of 0.5, say nothing.
func (h *History) returned(id graph.TensorID, created graph.Pos, values []float64) (flows []Flow) {
	const parts = 64
	known := map[graph.TensorID]bool{}
	for _, v := range values {
		exits := h.numbers[v]
		n := sort.Search(len(exits), func(i int) bool { return h.exits.At(exits[i]).At > created })
		if n == 0 || v*parts == math.Trunc(v*parts) && math.Abs(v) < 1e6 {
			return nil
		}
		exit := h.exits.At(exits[n-1])
		if !known[exit.Tensor] {
			known[exit.Tensor] = true
			flows = append(flows, Flow{From: exit.Tensor, To: id, At: exit.At, Stack: exit.Stack, Op: -1, Cut: exit.Why})
		}
	}
	return flows
}

// maxVisited bounds how many tensors a search looks at.
const maxVisited = 1 << 20

// Ancestry returns the tensors whose values went into some tensors, with the flow that
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

// Path returns a way by which values went from one tensor into another, first step
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

// Cuts returns the flows on a path by which no gradient comes back.
func Cuts(path []Flow) (cuts []Flow) {
	for _, f := range path {
		if f.Cut != 0 {
			cuts = append(cuts, f)
		}
	}
	return cuts
}
