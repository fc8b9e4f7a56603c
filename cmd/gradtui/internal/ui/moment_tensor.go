package ui

import (
	"github.com/gradtui/gradtui/cmd/gradtui/internal/tensorview"
	"github.com/gradtui/gradtui/inspect/compare"
)

// compareWithA pins the value that the tensor had at moment A, if it had another one.
func (v *tensorView) compareWithA(m *Model) {
	if m.pin == nil || v.tensor == 0 || !m.pin.known() {
		return
	}
	a, ok := m.pin.tensor(&m.state, v.tensor)
	if ok && v.grads {
		a, ok = m.pin.graph().Tensor(a.Grad)
	}
	switch {
	case !ok:
		v.said = "it is not there at moment A"
	case !a.Value.Known() || !v.value.Known():
	case compare.SameValue(a.Value, v.value):
		v.said = "it was the same at moment A"
	default:
		v.pinned, v.pin = tensorview.New(a.Shape, a.Value), "moment A, "+m.pin.momentText()
		v.pinned.Like(v.own)
		v.refresh()
	}
}
