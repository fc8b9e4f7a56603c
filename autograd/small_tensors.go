package autograd

// This file allocates small tensors. Most tensors of programs in a debugger are
// small, and most tensors that a backward pass makes are gradients that live
// until the next node. Their memory is reused.

// smallElements and middleElements are the most float32 elements that share an
// allocation with their tensor.
const (
	smallElements  = 8
	middleElements = 64
)

type smallTensor struct {
	Tensor
	storage
	elements [smallElements]float32
}

type middleTensor struct {
	Tensor
	storage
	elements [middleElements]float32
}

// freeSmall and freeMiddle are pools of unreferenced tensors.
var freeSmall, freeMiddle []*Tensor

// maxFree is the most tensors in a pool.
const maxFree = 64

// newSmall makes a tensor of n float32 zeros, at most middleElements.
func newSmall(n int) *Tensor {
	if n <= smallElements {
		if len(freeSmall) > 0 {
			return again(&freeSmall, n)
		}
		s := new(smallTensor)
		s.f32 = s.elements[:n]
		s.Tensor.st = &s.storage
		return &s.Tensor
	}
	if len(freeMiddle) > 0 {
		return again(&freeMiddle, n)
	}
	s := new(middleTensor)
	s.f32 = s.elements[:n]
	s.Tensor.st = &s.storage
	return &s.Tensor
}

// again makes a tensor of n zeros from the last tensor of a pool.
func again(list *[]*Tensor, n int) *Tensor {
	last := len(*list) - 1
	t := (*list)[last]
	*list = (*list)[:last]
	st := t.st
	*t, *st = Tensor{st: st}, storage{f32: st.f32[:n], writes: st.writes + 1}
	clear(st.f32)
	return t
}

// buried is for tests: it gets the tensors instead of the pool.
var buried func(t *Tensor)

// reuse returns an unreferenced tensor to its pool. It does nothing if the
// tensor is not small or is connected to other tensors.
func (t *Tensor) reuse() {
	st := t.st
	if st.aliased || t.version != &st.ver || t.gradFn != nil || t.grad != nil || t.ext != nil || t.err != nil {
		return
	}
	var list *[]*Tensor
	switch cap(st.f32) {
	case smallElements:
		list = &freeSmall
	case middleElements:
		list = &freeMiddle
	default:
		return
	}
	t.refs = -1 // prevents a second reuse
	if buried != nil {
		buried(t)
	} else if len(*list) < maxFree {
		*list = append(*list, t)
	}
}
