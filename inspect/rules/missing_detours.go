package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file finds values that go around autograd in the middle of a forward pass: `x.data + f(x)`.
// Every parameter gets a gradient, by other ways, but not the one of the loss.

// A detour is a use of `.data` whose values go on into a loss.
type detour struct {
	cut inspect.Flow // from the tensor with a history to the one without
	use *inspect.Op  // what computes with the values
}

// detours reports the detours into the first backward pass of each line.
func (a *analysis) detours() {
	for _, root := range a.rootsAfter(-1) {
		for _, b := range a.detoursTo(root) {
			if !a.joins(b, root) {
				continue
			}
			from := a.h.Called(b.cut.From)
			a.report(gap{target: b.cut.From, at: root.at, label: "this gradient lacks a part"}, inspect.Finding{
				Code:    "grad-none-detached",
				Message: fmt.Sprintf("a part of the gradient of %s is missing: .data cuts one of its ways", from),
				Primary: a.h.In(b.cut.Stack, b.cut.At, "from here on, the values have no history"),
				Related: []inspect.Span{a.h.In(b.use.Stack, b.use.At, "computes with them")},
				Tensors: []string{from},
				Help:    fmt.Sprintf("use %s itself; if no gradient should go this way, say so with detach()", from),
				Evidence: facts(
					a.h.In(b.cut.Stack, b.cut.At, from+" requires grad, and its .data does not"),
					a.h.In(b.use.Stack, b.use.At, fmt.Sprintf("%s joins these values with what %s has a gradient through", b.use.Name, from)),
				),
			})
		}
		a.severed(root)
	}
}

// severed looks for a network whose only data is computed with grad mode off from what has a history, by more than
// a copy: the code of an autoencoder, drawn under no_grad. The loss trains what is before by its other terms only.
// Data that another trained layer gets with its history is kept out of this one on purpose.
func (a *analysis) severed(root rootAt) {
	w := a.waysTo(root)
	for _, f := range w.blocks {
		from, _ := a.h.Graph().Tensor(f.From)
		if f.Cut != graph.CutNoGrad || f.Op < 0 || from.Leaf() || !from.DType.IsFloat() || a.explained[f.From] {
			continue
		}
		if other, known := w.of[f.From]; !known || other.blocked > 0 || a.meetsWeights(w, f.From, root) {
			continue
		}
		op := a.h.Op(f.Op)
		off, found := a.offAt(op)
		layer := a.layerAfter(w, f.To, root)
		if !found || layer == nil || !a.h.SameIteration(f.At, root.at) || !a.fromHistory(layer.Inputs[products[layer.Name]-2]) {
			continue
		}
		name := a.h.Called(f.From)
		a.report(gap{target: f.From, at: root.at, label: "this gradient lacks a part"}, inspect.Finding{
			Code:    "no-grad-path",
			Message: fmt.Sprintf("a part of the gradient of %s is missing: grad mode was off when %s ran, and %s has no other data", name, op.Name, layer.Name),
			Primary: off,
			Related: []inspect.Span{
				a.h.In(op.Stack, op.At, "this was not recorded"),
				a.h.In(layer.Stack, layer.At, "no gradient goes back from here"),
			},
			Tensors: []string{name},
			Help:    "compute it with grad mode on, as in mean + std * noise; if no gradient should go this way, say so with detach()",
			Evidence: facts(
				a.h.In(op.Stack, op.At, fmt.Sprintf("%s ran on %s, which has a history, and made no node", op.Name, name)),
				a.h.In(layer.Stack, layer.At, fmt.Sprintf("%s gets what came out of it, and nothing else but weights", layer.Name)),
			),
			Instead: []inspect.Alternative{not("grad-none-detached", "no call takes the values out of the graph: it was not recorded")},
		})
		return
	}
}

// meetsWeights reports whether the way from a tensor to a root goes through an operation with weights.
func (a *analysis) meetsWeights(w *ways, id graph.TensorID, root rootAt) bool {
	for id != root.tensor {
		f := w.of[id].next
		if f.Op < 0 || a.hasWeights(a.h.Op(f.Op)) {
			return true
		}
		id = f.To
	}
	return false
}

func (a *analysis) hasWeights(op *inspect.Op) bool {
	return slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { return learned(a.h, in) || a.trainable(in) })
}

// layerAfter returns the layer that what was not recorded goes into first; nil if it goes elsewhere.
func (a *analysis) layerAfter(w *ways, id graph.TensorID, root rootAt) *inspect.Op {
	for id != root.tensor {
		f := w.of[id].next
		if f.Op < 0 {
			return nil
		}
		op := a.h.Op(f.Op)
		switch {
		case op.Node == 0:
		case products[op.Name] >= 2 && op.Inputs[products[op.Name]-2] == id && a.hasWeights(op):
			return op
		default:
			return nil
		}
		id = f.To
	}
	return nil
}

// fromHistory reports whether a tensor without a history was computed, with grad mode off, from two or more tensors
// with one, or from one and from random numbers, and from no other data.
func (a *analysis) fromHistory(id graph.TensorID) bool {
	sources, drawn := 0, false
	seen := map[graph.TensorID]bool{id: true}
	for queue := []graph.TensorID{id}; len(queue) > 0 && len(seen) < mostExits; queue = queue[1:] {
		op := a.h.Maker(queue[0])
		switch {
		case a.h.Graph().RequiresGrad(queue[0]):
			sources++
			continue
		case op == nil:
			return false
		case random[op.Name]:
			drawn = true
			continue
		case len(a.tensors(op)) == 0:
			return false
		}
		for _, in := range a.tensors(op) {
			if !seen[in] {
				seen[in] = true
				queue = append(queue, in)
			}
		}
	}
	return sources > 1 || sources == 1 && drawn
}

// detoursTo returns the uses of `.data` by which values came into a root.
func (a *analysis) detoursTo(root rootAt) (found []detour) {
	type step struct {
		id  graph.TensorID
		use *inspect.Op
	}
	seen := map[graph.TensorID]bool{root.tensor: true}
	for queue := []step{{id: root.tensor}}; len(queue) > 0 && len(seen) < mostTensors; queue = queue[1:] {
		at := queue[0]
		for _, f := range a.h.Flows(at.id) {
			switch {
			case f.At > root.at || !a.h.Tensor(f.From).DType.IsFloat():
				continue
			case a.blocks(f):
				if f.Cut == graph.CutData && at.use != nil && !a.trainable(f.From) {
					found = append(found, detour{f, at.use})
				}
				continue
			case seen[f.From]:
				continue
			}
			use := at.use
			if f.Op >= 0 {
				op := a.h.Op(f.Op)
				if a.steers(op, f) {
					continue
				}
				if beside := use != nil && collecting[use.Name] && op.Node == 0; !a.onlyScales(op) && !beside {
					use = op // or it is where the result stands beside others
				}
			}
			seen[f.From] = true
			queue = append(queue, step{f.From, use})
		}
	}
	return found
}

// steering are the operations in which a tensor without a history is a target, a baseline, a weight
// or a normaliser rather than a part of the value.
var steering = map[string]bool{
	"sub": true, "rsub": true, "mul": true, "div": true, "true_divide": true, "pow": true, "where": true, "lerp": true,
	"masked_fill": true, "cosine_similarity": true, "kl_div": true, "dist": true, "pairwise_distance": true, "cdist": true,
}

// steers reports whether a flow brings a tensor without a history where it only steers how a gradient
// goes through the other operand.
func (a *analysis) steers(op *inspect.Op, f inspect.Flow) bool {
	g := a.h.Graph()
	return !g.RequiresGrad(f.From) && g.RequiresGrad(f.To) && (steering[op.Name] || strings.Contains(op.Name, "loss") || strings.Contains(op.Name, "cross_entropy"))
}

// onlyScales reports whether an operation leaves the values of its first operand as they are, or
// scales them with a number.
func (a *analysis) onlyScales(op *inspect.Op) bool {
	if op.Name == "mul" || op.Name == "div" {
		return len(a.tensors(op)) == 1
	}
	return sameValues[op.Name]
}

// tensors returns the inputs of an operation that are not numbers.
func (a *analysis) tensors(op *inspect.Op) (ids []graph.TensorID) {
	for _, in := range op.Inputs {
		if in != 0 && a.h.Tensor(in).Flags&graph.FlagNumber == 0 {
			ids = append(ids, in)
		}
	}
	return ids
}

var (
	adding      = map[string]bool{"add": true, "add_": true}
	collecting  = map[string]bool{"cat": true, "stack": true}
	multiplying = map[string]bool{"matmul": true, "mm": true, "bmm": true, "mv": true, "einsum": true}
)

// joins reports whether a detour meets, in the function that has made it, what was computed from the
// same values with a history. Code that keeps a gradient out on purpose gives the values to another
// module or to a loss, or adds them to a difference, as a straight-through estimator does.
func (a *analysis) joins(b detour, root rootAt) bool {
	cut, use := a.h.In(b.cut.Stack, b.cut.At, ""), a.h.In(b.use.Stack, b.use.At, "")
	if cut.File != use.File || cut.Func != use.Func || !adding[b.use.Name] && !multiplying[b.use.Name] && !collecting[b.use.Name] || a.straightThrough(b) {
		return false
	}
	forward := cut.Func == "forward" || strings.HasSuffix(cut.Func, ".forward")
	lone := true
	for _, other := range a.tensors(b.use) {
		if !a.h.Graph().RequiresGrad(other) {
			continue
		}
		lone = false
		ways := a.waysTo(rootAt{other, b.use.At})
		if w, ok := ways.of[b.cut.From]; ok && w.blocked == 0 {
			return true
		}
		if forward && a.common(ways, b.cut) {
			return true
		}
	}
	w, known := a.waysTo(root).of[b.cut.From]
	return forward && lone && adding[b.use.Name] && known && w.blocked == 0
}

// common reports whether a result with a history that depends on the data, not only on parameters, is
// behind a tensor and behind a cut.
func (a *analysis) common(of *ways, cut inspect.Flow) bool {
	behind := a.waysTo(rootAt{cut.From, cut.At})
	for _, id := range of.order {
		w, ok := behind.of[id]
		t, _ := a.h.Graph().Tensor(id)
		if ok && w.blocked == 0 && of.of[id].blocked == 0 && t.RequiresGrad && !t.Leaf() && a.readsData(id) {
			return true
		}
	}
	return false
}

// readsData reports whether a tensor was computed from one without a history.
func (a *analysis) readsData(id graph.TensorID) bool {
	return slices.ContainsFunc(a.waysTo(rootAt{id, a.h.Tensor(id).Created + 1}).order, func(from graph.TensorID) bool {
		return !a.h.Graph().RequiresGrad(from) && a.h.Tensor(from).Flags&graph.FlagNumber == 0
	})
}

// straightThrough reports whether a detour is part of an estimator whose value comes from one tensor and
// whose gradient goes to another one, `x + (q - x).data`, `q.data + (x - x.data)`, `x.round().data + …`, or
// whose gradient is scaled, `s * x + (1 - s) * x.data`.
func (a *analysis) straightThrough(b detour) bool {
	scaled := a.unscaled(b.cut.From)
	for _, id := range append(a.tensors(b.use), b.cut.From) {
		if id != b.cut.From && a.unscaled(id) == scaled {
			return true
		}
		for op := a.h.Maker(id); op != nil; op = a.h.Maker(op.Inputs[0]) {
			if op.Name == "sub" || op.Name == "rsub" {
				return id == b.cut.From || a.selfCancels(op)
			}
			if id == b.cut.From && zeroOps[op.Name] {
				return true
			}
			if !sameValues[op.Name] || len(op.Inputs) == 0 {
				break
			}
		}
	}
	return false
}

// unscaled returns what a tensor is a multiple of.
func (a *analysis) unscaled(id graph.TensorID) graph.TensorID {
	for op := a.h.Maker(id); op != nil && (op.Name == "neg" || a.onlyScales(op)); op = a.h.Maker(id) {
		inputs := a.tensors(op)
		if len(inputs) != 1 {
			break
		}
		id = inputs[0]
	}
	return id
}

// selfCancels reports whether a difference is one of a tensor and its own detached values.
func (a *analysis) selfCancels(op *inspect.Op) bool {
	return slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool {
		cuts := a.h.Tensor(in).Cuts
		return len(cuts) == 1 && slices.Contains(op.Inputs, cuts[0].From)
	})
}
