package autograd

import (
	"encoding/binary"

	"github.com/gradtui/gradtui/graph"
)

// This file tells a front end what it may foresee: whether an operator will accept
// its arguments, and what form its result will have, without running it.

// AppendLayout appends what decides that, besides the elements: dtype, sizes and
// strides, and whether the tensor has all of its storage. Nothing is appended for a
// tensor for which more counts: one of inference mode, one with a tangent, a view
// whose history may be forbidden.
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

// What the second byte of a layout says.
const (
	lentLayout  = 1 << iota // a view that operators may refuse one day
	wholeLayout             // the elements are those of the storage, in its order
)

// coversStorage reports whether the elements are those of the storage, in its order.
func (t *Tensor) coversStorage() bool {
	return t.flags&contiguousFlag != 0 && t.offset == 0 && t.Numel() == t.st.len()
}

// Apart reports whether a tensor may be changed in place while another is read: their
// layouts say that they share no memory, or all of it.
func Apart(changed, read *Tensor) bool {
	if !changed.coversStorage() || !read.coversStorage() || changed.dtype != read.dtype {
		return false
	}
	return changed.Numel() != read.Numel() || sameSizes(changed.sizes, read.sizes) && sameSizes(changed.strides, read.strides)
}

// LayoutIsLent reports whether a layout is that of a view which operators accept
// only as long as its base has no history; [LentViewsLost] is about these.
func LayoutIsLent(layout string) bool { return layout[1]&lentLayout != 0 }

// SameForm reports whether two layouts have the same dtype, sizes and strides.
func SameForm(a, b string) bool { return a[0] == b[0] && a[2:] == b[2:] }

// lentViewsLost is set when a base with such views got a history.
var lentViewsLost bool

// LentViewsLost reports whether there may be views that operators refuse because
// their base has got a history, or may get one, since they were made.
func LentViewsLost() bool { return lentViewsLost }

// losesViews notes that t requires grad now.
func (t *Tensor) losesViews() { lentViewsLost = lentViewsLost || t.flags&lentFlag != 0 }

// Undisturbed reports whether operators run now without calling the program, and
// make tensors that nothing but their layout matters for: no mode of the current
// thread has it otherwise.
func Undisturbed() bool {
	return len(current.savedHooks) == 0 && current.onChange == nil && !current.inference && !current.dual && !current.anomaly && !warnAlways
}

// replacedGrads counts how often a tensor's gradient has given way to another one, or
// to none.
var replacedGrads uint64

// ReplacedGrads says how often a tensor's gradient has given way to another one, or to
// none, since the process began.
func ReplacedGrads() uint64 { return replacedGrads }

// setGrad makes g, which may be nil, the gradient of t.
func (t *Tensor) setGrad(g *Tensor) {
	if t.grad != nil && t.grad != g {
		replacedGrads++
	}
	t.grad = g
}
