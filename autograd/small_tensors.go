package autograd

// This file makes the memory of small tensors. Most tensors of the programs that
// are looked at in a debugger are small, and most of what a backward pass makes
// are gradients that live until the next node: their memory is used again.

// smallElements and middleElements are how many float32 elements share an
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

// freeSmall and freeMiddle are tensors that nothing refers to.
var freeSmall, freeMiddle []*Tensor

// maxFree is how many of a kind are kept.
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

// again makes a tensor of n zeros from the last of a list.
func again(list *[]*Tensor, n int) *Tensor {
	last := len(*list) - 1
	t := (*list)[last]
	*list = (*list)[:last]
	st := t.st
	*t, *st = Tensor{st: st}, storage{f32: st.f32[:n], writes: st.writes + 1}
	clear(st.f32)
	return t
}

// buried is for tests: it takes the tensors that would be used again.
var buried func(t *Tensor)

// reuse gives back the memory of a tensor that nothing refers to. It does
// nothing for a tensor that is not small or has anything to do with others.
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
	t.refs = -1 // not twice
	if buried != nil {
		buried(t)
	} else if len(*list) < maxFree {
		*list = append(*list, t)
	}
}
