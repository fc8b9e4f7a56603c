package autograd

import "github.com/gradtui/gradtui/graph"

// Views and in-place operators, after torch/csrc/autograd/variable.cpp and
// VariableTypeUtils.h (PyTorch 2.6):
//
//   - A view remembers its root base, never an intermediate view, and the
//     version at which its grad_fn was valid.
//   - An in-place op on a view rewrites the history of the base: its grad_fn
//     becomes CopySlices, which runs the op's node on the slice.
//   - Reading the grad_fn of a view whose memory has changed since makes a new
//     one, AsStridedBackward0, on top of the base's present history.
//   - How a view was created decides whether that is allowed.

// viewInfo is what a tensor knows about being a view.
type viewInfo struct {
	base *Tensor
	kind graph.ViewKind
	// version is the shared version for which the view's gradFn holds.
	version uint32
	// unseen says that forward mode ignores the base.
	unseen bool
}

func (t *Tensor) viewInfo() *viewInfo {
	if t.ext == nil {
		return nil
	}
	return t.ext.view
}

// asView makes v a view of t, made by an op with views of the given kind.
func (v *Tensor) asView(t *Tensor, kind graph.ViewKind) {
	base := t
	if outer := t.viewInfo(); outer != nil {
		base = outer.base
		if kind == graph.PlainView {
			kind = outer.kind
		}
	}
	if kind != graph.PlainView {
		base.flags |= lentFlag
	}
	info := viewInfo{base: base, kind: kind, version: v.version.v}
	if v.ext != nil {
		v.ext.view = &info
		return
	}
	x := &viewExtension{info: info}
	x.view = &x.info
	v.ext = &x.extension
}

// viewExtension is the extension of a view that needs no other fields.
type viewExtension struct {
	extension
	info viewInfo
}

// viewKind returns the kind of the views that an op makes in the current mode.
func viewKind(several bool) graph.ViewKind {
	switch {
	case inferenceMode():
		return graph.InferenceView
	case !gradMode():
		return graph.NoGradView
	case several:
		return graph.MultiOutputView
	default:
		return graph.PlainView
	}
}

// IsView reports whether the tensor is a view for autograd. The results of
// detach() and .data share memory but are not views.
func (t *Tensor) IsView() bool { return t != nil && t.viewInfo() != nil }

// Base returns the tensor of which this one is a view, or nil.
func (t *Tensor) Base() *Tensor {
	if !t.IsView() {
		return nil
	}
	return t.viewInfo().base
}

// checkInPlace applies the rules for changing t in place. tracked says whether
// grad mode is on and any operand requires grad.
func checkInPlace(t *Tensor, tracked bool) error {
	if !tracked {
		return nil
	}
	if v := t.viewInfo(); v != nil {
		if err := viewError(t, "is being"); err != nil {
			return err
		}
		if t.RequiresGrad() && v.base.gradFn == nil {
			return fail(RuntimeError, CodeLeafInPlace, "a view of a leaf Variable that requires grad is being used in an in-place operation.")
		}
	}
	if t.RequiresGrad() && t.plainLeaf() {
		return fail(RuntimeError, CodeLeafInPlace, "a leaf Variable that requires grad is being used in an in-place operation.")
	}
	return nil
}

// changeAllowed returns an error if t is an inference tensor that must not be
// changed. PyTorch raises it when it counts the change, after the data has been
// changed.
func changeAllowed(t *Tensor) error {
	if t.IsInference() && !inferenceMode() {
		return fail(RuntimeError, CodeInference, "Inplace update to inference tensor outside InferenceMode is not allowed."+
			"You can make a clone to get a normal tensor before doing inplace update."+
			"See https://github.com/pytorch/rfcs/pull/17 for more details.")
	}
	return nil
}

// viewError returns the error for a view whose creation forbids rewriting its
// history, or nil. what is "is being" for a change of the view itself, or says
// that its base was changed.
func viewError(t *Tensor, what string) error {
	kind := t.viewInfo().kind
	if kind == graph.PlainView {
		return nil
	}
	var text string
	switch mode := viewModes[kind]; {
	case t.gradFn != nil && mode.made == "":
		text = "Output " + itoa(int(t.outputNr)) + " of " + t.gradFn.Name() + " is a view and " + what + " modified inplace."
	case t.gradFn != nil:
		text = "Output " + itoa(int(t.outputNr)) + " of " + t.gradFn.Name() + " is a view of a view which was created in " + mode.made + " mode and " + what + " modified inplace " + mode.changed + "."
	default:
		if mode.made == "" {
			mode = viewModes[graph.NoGradView]
		}
		text = "A view was created in " + mode.made + " mode and " + what + " modified inplace " + mode.changed + "."
	}
	return fail(RuntimeError, CodeViewInPlace, "%s", text+viewModes[kind].advice)
}

// viewModes holds the parts of the messages for each kind of view.
var viewModes = map[graph.ViewKind]struct{ made, changed, advice string }{
	graph.NoGradView: {"no_grad", "with grad mode enabled",
		" Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
	graph.InferenceView: {"inference", "in normal mode",
		" Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the inference_mode block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
	graph.MultiOutputView: {advice: " This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one."},
	graph.FunctionView:    {advice: " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."},
}

// rebase makes t, which an op has just changed in place, output nr of n.
func rebase(t *Tensor, n *Node, nr int, why graph.RebaseReason) {
	v := t.viewInfo()
	if v == nil {
		old := t.gradFn
		t.replaceHistory(n, nr, why)
		moveRetainedGrad(t, old)
		return
	}
	old := v.base.gradFn
	v.base.replaceHistory(newCopySlices(v.base, t, n), 0, graph.RebasedBase)
	moveRetainedGrad(v.base, old)
	t.GradFn() // updates the view itself
}

// replaceHistory makes t output nr of n, even if t is a view. A retained
// gradient stays with the old history.
func (t *Tensor) replaceHistory(n *Node, nr int, why graph.RebaseReason) {
	old, oldNr := t.gradFn, t.outputNr
	t.setHistory(n, nr)
	recordRebase(t, old, oldNr, why)
}

// setHistory makes t output nr of n.
func (t *Tensor) setHistory(n *Node, nr int) {
	t.gradFn, t.outputNr = n, uint32(nr)
	t.losesViews()
	if v := t.viewInfo(); v != nil {
		v.version = t.version.v
	}
}

// GradFn returns the node that computed the tensor, or nil for a leaf. It is an
// error for a view that must not be modified in place, after its base was
// modified.
func (t *Tensor) GradFn() (*Node, error) {
	if err := t.usable("grad_fn"); err != nil {
		return nil, err
	}
	v := t.viewInfo()
	if v == nil || t.flags&inferenceFlag != 0 || v.version == t.version.v || t.gradFn == nil && !v.base.requiresGrad() {
		return t.gradFn, nil
	}
	if err := viewError(t, "its base or another view of its base has been"); err != nil {
		return nil, err
	}
	old, oldNr := t.gradFn, t.outputNr
	t.setHistory(newAsStrided(t, v.base), 0)
	recordRebase(t, old, oldNr, graph.RebasedStaleView)
	moveRetainedGrad(t, old)
	return t.gradFn, nil
}

// keepSavedShape is for operators that change the shape of t in place. If its
// node has saved t as a result, it must find the old shape.
func (t *Tensor) keepSavedShape() {
	n := t.gradFn
	if v := t.viewInfo(); v != nil && v.base.gradFn != nil {
		if c, ok := v.base.gradFn.apply.(*copySlices); ok {
			n = c.inner
		}
	}
	if n == nil {
		return
	}
	for i := range n.saved {
		s := &n.saved[i]
		if s.tensor == t && s.kind == resultSlot {
			s.tensor = t.shallow(t.sizes, t.strides, t.offset)
			s.tensor.gradFn, s.tensor.outputNr = t.gradFn, t.outputNr
		}
	}
}
