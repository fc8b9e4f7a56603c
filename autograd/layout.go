package autograd

import (
	"encoding/binary"

	"github.com/gradtui/gradtui/graph"
)

// This file tells a front end what it may foresee: whether an operator will accept
// its arguments, and what form its result will have, without running it.

// AppendLayout appends what decides that, besides the elements, for operators that
// do not work in place: dtype, sizes and strides. Nothing is appended for a tensor
// for which more counts: one of inference mode, one with a tangent, a view whose
// history may be forbidden.
func (t *Tensor) AppendLayout(b []byte) []byte {
	if t.flags&(inferenceFlag|numberFlag) != 0 || t.err != nil || t.ext != nil && t.ext.tangent != nil {
		return b
	}
	lent := byte(0)
	if v := t.viewInfo(); v != nil && v.kind != graph.PlainView {
		if v.kind != graph.NoGradView && v.kind != graph.MultiOutputView || t.gradFn != nil || v.base.requiresGrad() {
			return b
		}
		lent = 1
	}
	b = append(b, byte(t.dtype), lent)
	for i, n := range t.sizes {
		b = binary.AppendUvarint(b, uint64(n))
		b = binary.AppendVarint(b, int64(t.strides[i]))
	}
	return b
}

// LayoutIsLent reports whether a layout is that of a view which operators accept
// only as long as its base has no history; [LentViewsLost] is about these.
func LayoutIsLent(layout string) bool { return layout[1] != 0 }

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
