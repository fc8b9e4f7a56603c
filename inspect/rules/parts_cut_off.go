package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file looks for a layer whose results are split into parts, such as queries, keys and values, of which some
// never get a gradient: what becomes of them reaches the loss only as constants. The weight of the layer
// has a gradient all the same, whose rows for these parts are zero.

var splitting = words("split chunk unbind unsafe_split unsafe_chunk split_with_sizes tensor_split")

// A partOf is a part of what a layer with a weight computes.
type partOf struct {
	weight graph.TensorID
	stack  graph.StackID
	number int
}

// A deadPart counts what became of a part.
type deadPart struct {
	of          partOf
	alive, dead int
	last        graph.TensorID // the newest one without a gradient
}

type partsCutOff struct {
	check *inspect.Checker
	cuts  map[graph.TensorID][]graph.TensorID // by tensor: its constants
}

// look reports such layers, once for each line that cuts.
func (w *partsCutOff) look() {
	const often = 2 // calls
	seen := map[partOf]*deadPart{}
	for _, op := range w.check.Ops().All() {
		weight, ok := w.splits(op)
		if !ok {
			continue
		}
		for i, out := range op.Outputs {
			key := partOf{weight, op.Stack, i}
			p := seen[key]
			if p == nil {
				p = &deadPart{of: key}
				seen[key] = p
			}
			if alive, used := w.uses(out); alive {
				p.alive++
			} else if used {
				p.dead++
				p.last = out
			}
		}
	}
	parts := make([]*deadPart, 0, len(seen))
	for _, p := range seen {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b *deadPart) int {
		return cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(a.of.weight, b.of.weight), cmp.Compare(a.of.number, b.of.number))
	})
	reported := map[graph.StackID]bool{}
	for _, p := range parts {
		beside := slices.ContainsFunc(parts, func(o *deadPart) bool {
			return o.of.weight == p.of.weight && o.of.stack == p.of.stack && o.alive >= often
		})
		if p.alive > 0 || p.dead < often || !beside {
			continue
		}
		if f, ok := w.cut(p.last); ok && !reported[f.Stack] {
			reported[f.Stack] = true
			w.report(p, f)
		}
	}
}

// splits returns the weight of the layer whose results an operation splits along its features, in a pass that has
// run back.
func (w *partsCutOff) splits(op *inspect.Op) (weight graph.TensorID, ok bool) {
	n := len(op.Outputs)
	if n < 2 || op.Pass != 0 || op.Node == 0 || len(op.Inputs) == 0 || !splitting[op.Name] || !w.ran(op.Node) {
		return 0, false
	}
	id := op.Inputs[0]
	layer := w.check.Maker(id)
	for layer != nil && len(layer.Inputs) > 0 && (sameValues[layer.Name] || layer.Name == "permute" || layer.Name == "transpose") {
		id = layer.Inputs[0]
		layer = w.check.Maker(id)
	}
	if layer == nil || layer.Name != "linear" && layer.Name != "addmm" && layer.Name != "mm" && layer.Name != "matmul" {
		return 0, false
	}
	shape := w.check.Tensor(id).Shape
	if len(shape) < 2 || slices.Contains(shape[:len(shape)-1], n) || op.Inputs[0] == id && slices.Equal(w.check.Tensor(op.Outputs[0]).Shape, shape) {
		return 0, false
	}
	if op.Inputs[0] == id { // split as it is: along the last dimension
		part := w.check.Tensor(op.Outputs[0]).Shape
		if len(part) != len(shape) || !slices.Equal(part[:len(part)-1], shape[:len(shape)-1]) {
			return 0, false
		}
	}
	for _, in := range layer.Inputs {
		if p, found := shown(w.check.History, in, 3, func(t graph.TensorID) bool {
			return w.check.Tensor(t).Flags&graph.FlagParameter != 0 && len(w.check.Tensor(t).Shape) > 1
		}); found {
			_, got := w.check.Gains()[p]
			return p, got
		}
	}
	return 0, false
}

func (w *partsCutOff) ran(id graph.NodeID) bool {
	n, ok := w.check.Graph().Node(id)
	return ok && n.Runs > 0
}

// uses reports whether a gradient came back through an operation that used a tensor, and whether any did.
func (w *partsCutOff) uses(id graph.TensorID) (alive, used bool) {
	for _, i := range w.check.Uses(id) {
		op := w.check.Op(i)
		if op.Node == 0 || op.Pass != 0 {
			continue
		}
		used = true
		alive = alive || w.ran(op.Node)
	}
	return alive, used
}

// cut returns where the values of a part left the graph before they came into the loss.
func (w *partsCutOff) cut(part graph.TensorID) (inspect.Flow, bool) {
	const most = 64 // tensors
	if w.cuts == nil {
		w.cuts = map[graph.TensorID][]graph.TensorID{}
		for id := range w.check.Tensors().All() {
			for _, f := range w.check.Flows(graph.TensorID(id)) {
				if f.Cut == graph.CutDetach || f.Cut == graph.CutData {
					w.cuts[f.From] = append(w.cuts[f.From], graph.TensorID(id))
				}
			}
		}
	}
	queue, seen := []graph.TensorID{part}, map[graph.TensorID]bool{part: true}
	for len(queue) > 0 && len(seen) < most {
		id := queue[0]
		queue = queue[1:]
		for _, constant := range w.cuts[id] {
			if w.reaches(constant) {
				i := slices.IndexFunc(w.check.Flows(constant), func(f inspect.Flow) bool { return f.From == id })
				return w.check.Flows(constant)[i], true
			}
		}
		for _, i := range w.check.Uses(id) {
			op := w.check.Op(i)
			if op.Node == 0 || op.Pass != 0 {
				continue
			}
			for _, out := range op.Outputs {
				if !seen[out] {
					seen[out] = true
					queue = append(queue, out)
				}
			}
		}
	}
	return inspect.Flow{}, false
}

// reaches reports whether a constant goes into an operation that a gradient came back through.
func (w *partsCutOff) reaches(constant graph.TensorID) bool {
	const most = 16 // tensors
	queue := []graph.TensorID{constant}
	for i := 0; i < len(queue) && i < most; i++ {
		for _, use := range w.check.Uses(queue[i]) {
			op := w.check.Op(use)
			if op.Node != 0 && w.ran(op.Node) {
				return true
			}
			queue = append(queue, op.Outputs...)
		}
	}
	return false
}

func (w *partsCutOff) report(p *deadPart, f inspect.Flow) {
	name := w.check.Called(p.of.weight)
	made := w.check.Tensor(p.last)
	w.check.Report(inspect.Finding{
		Message: fmt.Sprintf("only some rows of %s get a gradient: %s cuts the path to the others", name, how[f.Cut]),
		Primary: w.check.In(f.Stack, f.At, "from here on, the values have no history"),
		Related: []inspect.Span{w.check.In(made.Stack, made.Created, "a part of the results of the layer gets no gradient")},
		Tensors: names(w.check.History, p.of.weight),
		Help:    fmt.Sprintf("use %s itself in the loss; detach() only a copy that is kept or printed", w.check.Called(f.From)),
		Evidence: facts(
			w.check.In(f.Stack, f.At, fmt.Sprintf("%s requires grad, and what %s made of it does not", w.check.Called(f.From), how[f.Cut])),
			w.check.In(made.Stack, made.Created, fmt.Sprintf("of this part, a gradient arrived in none of %s; other parts get one", several(p.dead, "call"))),
		),
		At:      f.At,
		Symptom: -1,
	})
}
