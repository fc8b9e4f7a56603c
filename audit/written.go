package audit

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// Memory that is written past autograd.

// reshaped: a tensor shows other memory. A leaf stays what it is for autograd.
func (m *machine) reshaped(o origin, e *graph.Reshaped) {
	t := m.tensors[e.Tensor]
	if t == nil {
		return
	}
	var before content
	follows := m.running && t.requires && t.node == 0 && t.storage != e.Storage && slices.Equal(t.shape, e.Shape)
	if follows {
		before = t.read()
	}
	old := *t
	t.dtype, t.offset, t.recorded = e.DType, int(e.Offset), e.Value
	t.shape, t.strides = slices.Clone(e.Shape), slices.Clone(e.Strides)
	if t.fits() {
		if fresh := m.show(t, e.Storage); fresh {
			m.store(t)
		}
	} else {
		delete(m.tensors, e.Tensor)
		follows = false
	}
	m.leave(&old)
	if m.running && !t.seen() && old.memory != t.memory {
		t.cut = m.cut(o, graph.CutData.String())
	}
	if follows {
		now := t.read()
		m.unseenWrite(o, &now, before.tangents[visible], Written, t)
		t.write(now)
	}
}

// unseenWrite splits the tangents of memory that was written past autograd, which takes the visible part for what it
// was before.
func (m *machine) unseenWrite(o origin, now *content, before []float64, why string, t *tensor) {
	if now.tangents[visible] == nil && before == nil {
		return
	}
	change := content{tangents: map[column][]float64{}}
	n := t.count()
	change.add(visible, pad(now.tangents[visible], n), 1)
	change.add(visible, pad(before, n), -1)
	to := m.cut(o, why)
	if c := change.tangents[visible]; c != nil {
		now.add(to, c, 1)
	}
	if list := now.tangents[t.cut]; t.cut != 0 && t.cut != to && list != nil { // what it read of itself
		delete(now.tangents, t.cut)
		now.add(to, list, 1)
	}
	delete(now.tangents, visible)
	if before != nil {
		now.add(visible, before, 1)
	}
}

// writes says what an operation writes to a tensor: something that depends on other leaves, or what was there in a leaf in
// another form, as a projection does.
func (m *machine) writes(t *tensor, e *graph.OpRan, ins []*operand) string {
	for i, id := range e.Inputs {
		if in := m.tensors[id]; in != nil && in.memory != t.memory && len(ins[i].content.tangents) > 0 && !in.memory.dependsOnly(m.leafIn(t)) {
			return Written
		}
	}
	for _, other := range m.tensors {
		if other.memory == t.memory && other.node != 0 {
			return Written // what autograd has computed
		}
	}
	return Projected
}

// filled: the constants in some memory stand behind the cut at which they were written, not where they were made.
func (m *machine) filled(t *tensor, at column) {
	for _, other := range m.tensors {
		if other.memory == t.memory && !other.seen() {
			other.cut = at
		}
	}
}

// leafIn returns the leaf whose memory a tensor shows; nil if it is not a leaf's.
func (m *machine) leafIn(t *tensor) *tensor {
	if t.requires && t.node == 0 {
		return t
	}
	for _, other := range m.tensors {
		if other.memory == t.memory && other.requires && other.node == 0 {
			return other
		}
	}
	return nil
}

// updated: a leaf was written after a backward pass, as optimizers and averages do; it is a new variable from here on.
func (m *machine) updated(leaf, t *tensor, now *content) {
	now.tangents = map[column][]float64{}
	if v := m.seeds[leaf.id]; v != nil && slices.Equal(leaf.shape, t.shape) {
		now.add(visible, v, 1)
	}
}

// past reports whether an operation wrote to a tensor past autograd, or past the history of the memory: through an alias
// that had none.
func (m *machine) past(t *tensor, e *graph.OpRan) bool {
	before, is := m.rebased[t.id]
	if e.Node == 0 && !is {
		return true
	}
	return is && before == 0 && !t.requires && m.seenElsewhere(t)
}

// seenElsewhere reports whether autograd sees the memory of a tensor through another one, with a history that does not
// have what this one does.
func (m *machine) seenElsewhere(t *tensor) bool {
	for _, other := range m.tensors {
		if other.memory == t.memory && other.family != t.family && other.seen() {
			return true
		}
	}
	return false
}

func pad(list []float64, n int) []float64 {
	if list == nil {
		return make([]float64, n)
	}
	return list
}

// behind: an operation that autograd saw has written to memory that is a constant for it elsewhere, as t.data[0] = h does.
func (m *machine) behind(t *tensor, o origin) {
	for _, other := range m.tensors {
		if other.memory == t.memory && other.family != t.family && !other.seen() && other.cut == 0 {
			other.cut = m.cut(o, Written)
		}
	}
}
