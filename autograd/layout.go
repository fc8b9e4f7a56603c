package autograd

import (
	"encoding/binary"

	"github.com/gradtui/gradtui/graph"
)

// This file supports a front end's predictions: whether an operator will accept
// its arguments, and which metadata its result will have, without running the
// operator.

// AppendLayout appends the part of t that decides this, apart from the
// elements: dtype, sizes, strides, and whether the tensor covers its storage.
// It appends nothing for a tensor for which more matters: an inference tensor,
// a dual tensor, or a view whose history may be forbidden.
func (t *Tensor) AppendLayout(b []byte) []byte {
	if t.flags&(inferenceFlag|numberFlag) != 0 || t.err != nil || t.ext != nil && t.ext.tangent != nil {
		return b
	}
	where := byte(0)
	if t.coversStorage() {
		where = wholeLayout
	}
	if v := t.viewInfo(); v != nil && v.kind != graph.PlainView {
		if v.kind != graph.NoGradView && v.kind != graph.MultiOutputView || t.gradFn != nil || v.base.requiresGrad() {
			return b
		}
		where |= lentLayout
	}
	b = append(b, byte(t.dtype), where)
	for i, n := range t.sizes {
		b = binary.AppendUvarint(b, uint64(n))
		b = binary.AppendVarint(b, int64(t.strides[i]))
	}
	return b
}

// Bits of the second byte of a layout.
const (
	lentLayout  = 1 << iota // a view that operators may refuse later
	wholeLayout             // the elements are exactly the storage, in order
)

// coversStorage reports whether the elements are exactly the storage, in order.
func (t *Tensor) coversStorage() bool {
	return t.flags&contiguousFlag != 0 && t.offset == 0 && t.Numel() == t.st.len()
}

// Apart reports whether one tensor may be changed in place while another is
// read: their layouts show that they share no memory, or all of it.
func Apart(changed, read *Tensor) bool {
	if !changed.coversStorage() || !read.coversStorage() || changed.dtype != read.dtype {
		return false
	}
	return changed.Numel() != read.Numel() || sameSizes(changed.sizes, read.sizes) && sameSizes(changed.strides, read.strides)
}

// LayoutIsLent reports whether a layout belongs to a view that operators accept
// only until its base gets a history; see [LentViewsLost].
func LayoutIsLent(layout string) bool { return layout[1]&lentLayout != 0 }

// SameForm reports whether two layouts have the same dtype, sizes and strides.
func SameForm(a, b string) bool { return a[0] == b[0] && a[2:] == b[2:] }

// lentViewsLost is set when a base with such views gets a history.
var lentViewsLost bool

// LentViewsLost reports whether some views may now be refused by operators,
// because their base has got a history since they were made, or may get one.
func LentViewsLost() bool { return lentViewsLost }

// losesViews records that t requires grad now.
func (t *Tensor) losesViews() { lentViewsLost = lentViewsLost || t.flags&lentFlag != 0 }

// Undisturbed reports whether operators run without calling the program, and
// make tensors for which only the layout matters: no mode of the current thread
// changes that.
func Undisturbed() bool {
	return len(current.savedHooks) == 0 && current.onChange == nil && !current.inference && !current.dual && !current.anomaly && !warnAlways
}

// replacedGrads counts how often a tensor's gradient was replaced or removed.
var replacedGrads uint64

// ReplacedGrads returns how often a tensor's gradient has been replaced or
// removed since the process began.
func ReplacedGrads() uint64 { return replacedGrads }

// setGrad sets the gradient of t, which may be nil.
func (t *Tensor) setGrad(g *Tensor) {
	if t.grad != nil && t.grad != g {
		replacedGrads++
	}
	t.grad = g
}
