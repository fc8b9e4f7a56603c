package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var gradNoneNotLeaf = missingRule("grad-none-not-leaf", inspect.SeverityWarning,
	"The program asks for the gradient of a tensor that is not a leaf.")

// notLeaf reports that the program took a result for a leaf.
func (a *analysis) notLeaf(g gap) {
	name := a.h.Called(g.target)
	maker := a.h.Maker(g.target)
	if maker == nil || !g.failed && a.readsLeaf(g) {
		return
	}
	f := inspect.Finding{
		Code:    "grad-none-not-leaf",
		Message: fmt.Sprintf("%s is not a leaf (it is the result of %s), so its gradient is not retained", name, maker.Name),
		Primary: a.h.In(maker.Stack, maker.At, "this makes it a non-leaf"),
		Tensors: []string{name},
		Evidence: facts(
			a.h.In(maker.Stack, maker.At, fmt.Sprintf("%s computed it, so it has a grad_fn", maker.Name)),
			a.h.At(g.at, "it does not retain its gradient"),
		),
		Instead: []inspect.Alternative{not("grad-none-detached", "it requires grad, so its history is complete")},
		Help:    "read the gradient of the leaf it was computed from, or call retain_grad() on it",
	}
	if g.failed {
		f.Help = "compute the values first, then make the result a leaf: `(...).detach().requires_grad_()`"
	}
	if device, ok := a.movedTo(maker, g.target); ok {
		f.Message = fmt.Sprintf("%s is not a leaf (%s copied it to %s), so its gradient is not retained", name, maker.Name, device)
		f.Help = fmt.Sprintf("create the leaf on %s with `device=`, or call `requires_grad_()` after the move", device)
	}
	// Where the leaf became a result, if more has happened since.
	id, first := g.target, maker
	for range mostRoots {
		in, ok := a.onlyGrad(first)
		op := a.h.Maker(in)
		if !ok || op == nil {
			break
		}
		id, first = in, op
	}
	if id != g.target {
		f.Related = append(f.Related, a.h.In(first.Stack, first.At, "it stopped being a leaf here"))
	}
	f.Related = append(f.Related, a.h.Callers(maker.At)...)
	a.report(g, f)
}

// movedTo returns the device of a result that is a copy of a tensor on another device.
func (a *analysis) movedTo(op *inspect.Op, result graph.TensorID) (device string, moved bool) {
	g := a.h.Graph()
	n, _ := g.Node(op.Node)
	in, ok := a.onlyGrad(op)
	from, _ := g.Tensor(in)
	to, _ := g.Tensor(result)
	return to.Device, ok && n.Name == "ToCopyBackward0" && from.Device != to.Device
}

// readsLeaf reports whether the program also reads the gradient of a leaf of the target:
// then it shows the difference.
func (a *analysis) readsLeaf(g gap) bool {
	w := a.waysTo(rootAt{g.target, g.at})
	lines := a.h.Source(a.h.At(g.at, "").File)
	for _, id := range w.order {
		if !a.trainable(id) || w.of[id].blocked > 0 {
			continue
		}
		for _, n := range a.h.Tensor(id).Names {
			if slices.ContainsFunc(a.h.Tensor(g.target).Names, func(own inspect.Naming) bool { return own.Name == n.Name }) {
				continue // which of the two a line means is not known
			}
			if slices.ContainsFunc(lines, func(line string) bool { return inspect.Mentions(line, n.Name+".grad") }) {
				return true
			}
		}
	}
	return false
}

// onlyGrad returns the input of an operation that requires grad, if only one does.
func (a *analysis) onlyGrad(op *inspect.Op) (only graph.TensorID, ok bool) {
	for _, in := range op.Inputs {
		if a.h.Graph().RequiresGrad(in) {
			if ok {
				return 0, false
			}
			only, ok = in, true
		}
	}
	return only, ok
}
