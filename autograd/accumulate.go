package autograd

import "github.com/gradtui/gradtui/graph"

// accumulateGrad is the node that adds the gradient of a leaf to the leaf's
// .grad, after torch/csrc/autograd/functions/accumulate_grad.h (PyTorch 2.6).
type accumulateGrad struct{ leaf *Tensor }

func (*accumulateGrad) className() string { return "AccumulateGrad" }
func (*accumulateGrad) fullName() string  { return "torch::autograd::AccumulateGrad" }
func (*accumulateGrad) release(*Node)     {}

func (a *accumulateGrad) backward(p *pass, _ *Node, grads []*Tensor) ([]*Tensor, error) {
	t, g := a.leaf, grads[0]
	if g == nil {
		return nil, nil
	}
	if t.gradFn != nil {
		return nil, fail(RuntimeError, CodeNotLeaf, "leaf variable has been moved into the graph interior")
	}
	if t.flags&requiresGradFlag == 0 {
		return nil, nil
	}
	var from uint32
	if t.grad != nil {
		from = t.grad.version.v
	}
	how, err := accumulate(p, t, g)
	if err != nil {
		return nil, err
	}
	if recorder != nil {
		recorder.accumulated(p, t, g, how, from)
	}
	return nil, p.runPostAccumulate(t)
}

// accumulate adds g to t.grad. If the engine holds the only reference to g, g
// itself becomes .grad; otherwise a copy does, because later passes change
// .grad in place.
func accumulate(p *pass, t, g *Tensor) (graph.AccumulateMode, error) {
	switch {
	case t.grad == nil && p.owns(g, 1) && sameLayout(g, t):
		t.grad = g.shallow(g.sizes, g.strides, g.offset)
		return graph.AccumulateSteal, nil
	case t.grad == nil && !isDense(t.sizes, t.strides):
		copied := g.Clone(Kw("memory_format", "contiguous"))
		if copied.err != nil {
			return 0, copied.err
		}
		t.grad = copied
		return graph.AccumulateCopy, nil
	case t.grad == nil:
		copied := allocStridedAs(t, g.dtype)
		if err := copied.Copy_(g); err != nil {
			return 0, err
		}
		t.grad = copied
		return graph.AccumulateCopy, nil
	case !gradMode():
		return graph.AccumulateInPlace, t.grad.Add_(g)
	default:
		sum := t.grad.Add(g)
		if sum.err != nil {
			return 0, sum.err
		}
		t.setGrad(sum)
		return graph.AccumulateNew, nil
	}
}

// sameLayout reports whether a gradient has the strides that .grad must have:
// the leaf's strides if the leaf is dense, else row-major strides.
func sameLayout(g, t *Tensor) bool {
	if !isDense(t.sizes, t.strides) {
		return g.flags&contiguousFlag != 0
	}
	for d, n := range g.sizes {
		// A stride of 0 means that the tensor is expanded.
		if n != 1 && g.strides[d] != t.strides[d] || n == 1 && g.strides[d] == 0 {
			return false
		}
	}
	return true
}

// allocStridedAs makes a tensor with the strides of a dense tensor.
func allocStridedAs(t *Tensor, d DType) *Tensor { return allocLaidOut(d, t.sizes, t.strides) }
