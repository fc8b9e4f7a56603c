package autograd

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file holds what scatter_reduce and index_reduce share.

func knownReduction(name string) bool {
	switch name {
	case "sum", "prod", "mean", "amax", "amin":
		return true
	}
	return false
}

// neutral returns the number that a reduction starts from.
func neutral(reduce string, d DType) Scalar {
	switch reduce {
	case "prod":
		return IntScalar(1)
	case "amax":
		if d.IsFloat() {
			return FloatScalar(math.Inf(-1))
		}
		return IntScalar(math.MinInt64)
	case "amin":
		if d.IsFloat() {
			return FloatScalar(math.Inf(1))
		}
		return IntScalar(math.MaxInt64)
	}
	return IntScalar(0)
}

// reduceBlocks reduces the elements of src into the elements of dst. With an
// empty name it stores them.
func reduceBlocks(dst, src *Tensor, b *kernel.Blocks, reduce string, includeSelf bool) {
	if !includeSelf {
		start := alloc(dst.dtype, nil)
		start.setElement(0, neutral(reduce, dst.dtype))
		moveBlocks(dst, start, &kernel.Blocks{
			DstBlock: b.DstBlock, SrcBlock: make([]int, len(b.DstBlock)),
			DstElement: b.DstElement, SrcElement: make([]int, len(b.DstElement)),
		})
	}
	switch reduce {
	case "":
		moveBlocks(dst, src, b)
	case "sum":
		addBlocks(dst, src, b)
	case "mean":
		addBlocks(dst, src, b)
		divideByCounts(dst, b, includeSelf)
	default:
		combineBlocks(dst, src, b, combiners[reduce])
	}
}

var combiners = map[string]func(old, x Scalar) Scalar{
	"prod": func(old, x Scalar) Scalar {
		if old.IsFloat() {
			return FloatScalar(old.Float() * x.Float())
		}
		return IntScalar(old.Int() * x.Int())
	},
	"amax": func(old, x Scalar) Scalar {
		if old.Float() != old.Float() || old.Float() >= x.Float() {
			return old
		}
		return x
	},
	"amin": func(old, x Scalar) Scalar {
		if old.Float() != old.Float() || old.Float() <= x.Float() {
			return old
		}
		return x
	},
}

// divideByCounts turns sums into means: it divides each sum by the number of
// its terms.
func divideByCounts(dst *Tensor, b *kernel.Blocks, includeSelf bool) {
	counts := map[int]int{}
	for _, d := range b.DstBlock {
		counts[d]++
	}
	for d, n := range counts {
		if includeSelf {
			n++
		}
		for _, e := range b.DstElement {
			s := dst.element(d + e)
			if s.IsFloat() {
				dst.setElement(d+e, FloatScalar(s.Float()/float64(n)))
			} else {
				dst.setElement(d+e, IntScalar(floorDiv(s.Int(), int64(n))))
			}
		}
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// A scattering holds the operations in which the formulas of scatter_reduce and
// index_reduce differ: how they move between self and the values.
type scattering struct {
	name   string
	pickUp func(t *Tensor) *Tensor         // the elements of t at the index
	add    func(t, src *Tensor) *Tensor    // t with src added
	reduce func(self, src *Tensor) *Tensor // the operator itself
	clear  func(t *Tensor) *Tensor         // t with zeros at the index
}

// reduceBackward returns the gradients of self and of the values
// (scatter_reduce_backward and index_reduce_backward in FunctionsManual.cpp).
func reduceBackward(c *Ctx, values string, r *scattering) []*Tensor {
	grad, self, src, result := c.Grad(), c.Saved("self"), c.Saved(values), c.Saved("result")
	var toSelf, toSrc *Tensor
	switch c.Args().Str("reduce") {
	case "sum":
		toSelf, toSrc = grad, r.pickUp(grad)
	case "prod":
		toSelf, toSrc = prodBackward(grad, self, src, result, values, r)
	case "mean":
		n := grad.ZerosLike()
		if c.Args().Bool("include_self") {
			n = grad.OnesLike()
		}
		n = mutated(r.add(n, src.OnesLike()), func(n *Tensor) error { return n.MaskedFill_(n.Eq(0), 1) })
		toSelf, toSrc = grad.Div(n), r.pickUp(grad).Div(r.pickUp(n))
	case "amax", "amin":
		// Equal elements share the gradient evenly.
		isSelf, isSrc := self.Eq(result), src.Eq(r.pickUp(result))
		n := r.add(isSelf.To(self.dtype), isSrc.To(self.dtype))
		each := grad.Div(n)
		toSelf, toSrc = isSelf.Mul(each), isSrc.Mul(r.pickUp(each))
	}
	if !c.Args().Bool("include_self") {
		toSelf = r.clear(toSelf)
	}
	return []*Tensor{toSelf, toSrc}
}

// prodBackward avoids division by zero: if exactly one factor is zero, its
// gradient is the product of the others.
func prodBackward(grad, self, src, result *Tensor, values string, r *scattering) (toSelf, toSrc *Tensor) {
	maskedSelf := self.MaskedFill(self.Eq(0), 1)
	toSelf = grad.Mul(r.reduce(maskedSelf, src)).Div(maskedSelf)
	zero := src.Eq(0)
	zeros := r.pickUp(r.add(self.ZerosLike(), zero.To(self.dtype)))
	single := zero.BitwiseAnd(zeros.Eq(1))
	others := r.reduce(self, src.MaskedFill(single, 1))
	toSrc = Where(single, r.pickUp(grad.Mul(others)),
		r.pickUp(grad.Mul(result)).Div(src.MaskedFill(zero, 1)))
	if many := zeros.Gt(1); gradMode() && many.err == nil && len(trueIndices(many)) > 0 {
		text := fmt.Sprintf("%s(): Double backward is unsupported for %s when >1 zeros in %[2]s are scattered to the same position in self", r.name, values)
		toSrc = forbidden(toSrc, text)
	}
	return toSelf, toSrc
}

// forbidden returns t with a history that raises when it is differentiated.
func forbidden(t *Tensor, text string) *Tensor {
	if t.err != nil {
		return t
	}
	d := t.shallow(t.sizes, t.strides, t.offset)
	(&Node{apply: delayedError{text}}).init().addOutput(d)
	return d
}
