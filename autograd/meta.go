package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/repr"
	"github.com/gradtui/gradtui/graph"
)

// IsLeaf reports whether the tensor is a leaf: no recorded operation computed
// it.
func (t *Tensor) IsLeaf() bool {
	fn, err := t.GradFn()
	return err == nil && fn == nil
}

// plainLeaf is IsLeaf as PyTorch's C++ sees it in many places: a view of a
// tensor that got a history later counts as a leaf until its grad_fn is read.
func (t *Tensor) plainLeaf() bool { return t.gradFn == nil }

// RequiresGrad reports whether the tensor requires grad: its flag is set, it
// has a grad_fn, or it is a view of a tensor that requires grad.
func (t *Tensor) RequiresGrad() bool { return t.usable("requires_grad") == nil && t.requiresGrad() }

func (t *Tensor) requiresGrad() bool {
	if t.flags&requiresGradFlag != 0 || t.gradFn != nil {
		return true
	}
	v := t.viewInfo()
	return v != nil && v.base.requiresGrad()
}

// RetainsGrad reports whether RetainGrad was called on the tensor and it is not
// a leaf.
func (t *Tensor) RetainsGrad() bool { return t != nil && t.flags&retainsGradFlag != 0 }

// SetRequiresGrad sets requires_grad, as the assignment t.requires_grad = on.
// It is an error for a non-leaf tensor, and for a dtype that is not floating
// point.
func (t *Tensor) SetRequiresGrad(on bool) error {
	if err := t.usable("requires_grad"); err != nil {
		return err
	}
	switch {
	case !t.plainLeaf() && on:
		return t.raise(fail(RuntimeError, CodeNotLeaf, "you can only change requires_grad flags of leaf variables."))
	case !t.plainLeaf():
		return t.raise(fail(RuntimeError, CodeNotLeaf, "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."))
	case on && !t.dtype.IsFloat():
		return t.raise(fail(RuntimeError, CodeDType, "only Tensors of floating point and complex dtype can require gradients"))
	}
	return t.setRequiresGrad(on)
}

// RequiresGrad_ sets requires_grad and returns the tensor, as
// requires_grad_(on). An error travels in the result.
func (t *Tensor) RequiresGrad_(on bool) *Tensor {
	if err := t.usable("requires_grad_"); err != nil {
		return errTensor(err)
	}
	if !t.plainLeaf() && on {
		return t // allowed, without effect
	}
	if on && !t.dtype.IsFloat() {
		return errTensor(t.raise(fail(RuntimeError, CodeDType, "only Tensors of floating point dtype can require gradients")))
	}
	if err := t.SetRequiresGrad(on); err != nil {
		return errTensor(err)
	}
	return t
}

func (t *Tensor) setRequiresGrad(on bool) error {
	if on && t.IsInference() && !inferenceMode() {
		return t.raise(fail(RuntimeError, CodeInference, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."))
	}
	if on {
		t.flags |= requiresGradFlag
		t.losesViews()
	} else {
		t.flags &^= requiresGradFlag
	}
	if recording() {
		recordRequiresGrad(t, on)
	}
	return nil
}

// raise records an error on the tape and returns it.
func (t *Tensor) raise(e *Error) error {
	recordError(e)
	return e
}

// Grad returns the accumulated gradient, or nil. It warns for a non-leaf tensor
// that does not retain its gradient.
func (t *Tensor) Grad() *Tensor {
	if t == nil {
		return errTensor(noneError("grad"))
	}
	if t.err != nil {
		return t
	}
	if t.grad == nil && t.flags&retainsGradFlag == 0 && !t.plainLeaf() {
		warnFrom("./build/aten/src/ATen/core/TensorBody.h:489", "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations.")
	}
	return t.grad
}

// SetGrad assigns .grad: nil, or a tensor of the same shape and dtype, which is
// not copied.
func (t *Tensor) SetGrad(g *Tensor) error {
	if err := t.usable("grad"); err != nil {
		return err
	}
	if g != nil && g.err != nil {
		return g.err
	}
	switch {
	case g == nil:
	case g == t:
		return t.raise(fail(RuntimeError, CodeGradAssign, "can't assign Variable as its own grad"))
	case g.dtype != t.dtype:
		return t.raise(fail(RuntimeError, CodeGradAssign, "attempting to assign a gradient with dtype '%s' to a tensor with dtype '%s'. Please ensure that the gradient and the tensor have the same dtype", cTypeNames[g.dtype], cTypeNames[t.dtype]))
	case !sameSizes(g.sizes, t.sizes):
		return t.raise(fail(RuntimeError, CodeGradAssign, "attempting to assign a gradient of size '%s' to a tensor of size '%s'. Please ensure that the gradient and the tensor are the same size", repr.List(g.sizes), repr.List(t.sizes)))
	}
	t.setGrad(g)
	if recording() {
		recordGradAssigned(t, g)
	}
	return nil
}

// RetainGrad makes a non-leaf tensor store its gradient in .grad; on a leaf it
// has no effect. It is an error if the tensor does not require grad.
func (t *Tensor) RetainGrad() error {
	if err := t.usable("retain_grad"); err != nil {
		return err
	}
	if !t.RequiresGrad() {
		return t.raise(fail(RuntimeError, CodeNoGrad, "can't retain_grad on Tensor that has requires_grad=False"))
	}
	if t.plainLeaf() || t.flags&retainsGradFlag != 0 {
		return nil
	}
	fn, err := t.GradFn()
	if err != nil {
		return err
	}
	t.flags |= retainsGradFlag
	fn.extend().retainers = append(fn.extend().retainers, t)
	if recording() {
		recordRetainGrad(t)
	}
	return nil
}

// moveRetainedGrad moves retain_grad to the new grad_fn of a tensor after an
// in-place op.
func moveRetainedGrad(t *Tensor, old *Node) {
	if t.flags&retainsGradFlag == 0 || old == nil || old.ext == nil {
		return
	}
	for i, r := range old.ext.retainers {
		if r == t {
			old.ext.retainers = append(old.ext.retainers[:i:i], old.ext.retainers[i+1:]...)
			t.gradFn.extend().retainers = append(t.gradFn.extend().retainers, t)
			return
		}
	}
}

// Data is t.data: a tensor over the same memory, with its own version counter
// and without history. Autograd does not notice changes through it.
func (t *Tensor) Data() *Tensor {
	if err := t.usable("data"); err != nil {
		return errTensor(err)
	}
	d := t.shallow(t.sizes, t.strides, t.offset)
	d.version = new(counter)
	recordCut(graph.CutData, d, t)
	return d
}

// SetData makes t use the storage, shape and dtype of src, as the assignment
// t.data = src. The version counter stays.
func (t *Tensor) SetData(src *Tensor) error {
	if err := t.usable("data"); err != nil {
		return err
	}
	if err := src.usable("data"); err != nil {
		return err
	}
	if t.requiresGrad() && t.dtype != src.dtype && !src.dtype.IsFloat() {
		return t.raise(fail(RuntimeError, CodeDType, "data set to a tensor that requires gradients must be floating point or complex dtype"))
	}
	t.st, t.sizes, t.strides, t.offset, t.dtype = src.st, src.sizes, src.strides, src.offset, src.dtype
	t.flags = t.flags&^contiguousFlag | src.flags&contiguousFlag
	if t.ext != nil && t.ext.accumulator != nil {
		t.ext.accumulator.setOutput(0, t)
	}
	recordReshaped(t)
	recordCut(graph.CutData, t, src)
	return nil
}

// Detach_ cuts the tensor from its history in place.
func (t *Tensor) Detach_() error {
	if err := t.usable("detach_"); err != nil {
		return err
	}
	if t.IsView() && !inferenceMode() {
		return t.raise(fail(RuntimeError, CodeViewInPlace, "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."))
	}
	old, oldNr := t.gradFn, t.outputNr
	t.setHistory(nil, 0)
	if t.ext != nil {
		t.ext.tangent = nil
	}
	if t.flags&requiresGradFlag != 0 {
		t.setRequiresGrad(false)
	}
	if old != nil {
		recordRebase(t, old, oldNr, graph.RebasedDetach)
	}
	return nil
}
