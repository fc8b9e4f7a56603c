package audit

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gradtui/gradtui/graph"
)

// What leaves the tensors for Python, and what comes back.

// An escape is what has left for Python: a number, or the numbers of a list or an array.
type escape struct {
	content
	made origin
	why  graph.CutReason
	back bool // it has come back
}

// A write is a tensor whose memory has changed.
type write struct {
	to   *tensor
	made origin
}

// An exit is an element of an escape.
type exit struct{ escape, element int }

// left: a value left the tensors, or went on without a gradient.
func (m *machine) left(o origin, e *graph.LineageCut) {
	if !m.running || e.Output != 0 {
		switch out := m.tensors[e.Output]; {
		case !m.running || out == nil || len(e.Inputs) == 0:
		case len(e.Inputs) == 1:
			m.passOn(o, m.tensors[e.Inputs[0]], out, e.Why.String())
		default:
			m.joined(o, e, out)
		}
		return
	}
	for _, id := range e.Inputs {
		t := m.tensors[id]
		if t == nil {
			continue
		}
		c := t.read()
		if len(c.tangents) == 0 {
			continue
		}
		for i, x := range c.values {
			if unmistakable(x) {
				m.away[float32(x)] = exit{len(m.escaped), i}
			}
		}
		m.escaped = append(m.escaped, escape{content: c, made: o, why: e.Why})
	}
}

// joined copies numbers of several tensors to one, as torch.tensor([t, u]) does.
func (m *machine) joined(o origin, e *graph.LineageCut, out *tensor) {
	now := content{out.read().values, map[column][]float64{}}
	at := 0
	for _, id := range e.Inputs {
		t := m.tensors[id]
		if t == nil || at+t.count() > len(now.values) {
			return
		}
		c := t.read()
		if !alike(c.values, now.values[at:at+t.count()], roundings*epsilon(graph.Float32)*largest(c.values)) {
			return
		}
		for k, list := range c.tangents {
			moved := make([]float64, len(now.values))
			copy(moved[at:], list)
			now.add(k, moved, 1)
		}
		at += t.count()
	}
	m.hide(&now, m.cut(o, e.Why.String()))
	out.write(now)
}

// passOn copies what a tensor holds to one that was made of it in other memory without an operation, as
// torch.tensor(t) does.
func (m *machine) passOn(o origin, from, to *tensor, why string) {
	if from == nil || from.memory == to.memory {
		if from != nil && from.cut != 0 && !from.seen() {
			to.cut = from.cut
		}
		return
	}
	if from.count() != to.count() || !to.dtype.IsFloat() {
		return
	}
	c := from.read()
	now := to.read()
	now.values = c.values
	if values := to.known(); values != nil && !same(&operand{dtype: from.dtype, content: c}, &operand{dtype: to.dtype, content: content{values: values}}) {
		return
	}
	now.tangents = c.tangents
	if !to.seen() || to.node == 0 {
		m.hide(&now, m.cut(o, why))
	}
	to.write(now)
}

// hide moves what autograd sees behind a cut.
func (m *machine) hide(c *content, to column) {
	if list := c.tangents[visible]; list != nil {
		delete(c.tangents, visible)
		c.add(to, list, 1)
	}
}

// returned gives numbers that come back from Python the tangents that they left with: a list or an array as it was, or else single
// numbers.
func (m *machine) returned(t *tensor) {
	values := t.known()
	if !t.dtype.IsFloat() || values == nil || len(m.escaped) == 0 {
		return
	}
	from := make([]exit, len(values)) // escapes count from 1 here
	if whole := m.wholeEscape(values); whole >= 0 {
		for i := range from {
			from[i] = exit{whole + 1, i}
		}
	} else {
		for i, x := range values {
			if e, ok := m.away[float32(x)]; ok && unmistakable(x) {
				from[i] = exit{e.escape + 1, e.element}
			}
		}
	}
	now := content{values, map[column][]float64{}}
	for i := range m.escaped {
		e := &m.escaped[i]
		came := false
		part := content{tangents: map[column][]float64{}}
		for k, list := range e.tangents {
			moved := make([]float64, len(values))
			for n, f := range from {
				if f.escape == i+1 {
					came, moved[n] = true, list[f.element]
				}
			}
			part.add(k, moved, 1)
		}
		if !came {
			continue
		}
		m.hide(&part, m.cut(e.made, e.why.String()))
		for k, list := range part.tangents {
			now.add(k, list, 1)
		}
		e.back = true
	}
	if len(now.tangents) > 0 {
		t.write(now)
	}
}

// wholeEscape is the last escape that has left with just these numbers; -1 if none has.
func (m *machine) wholeEscape(values []float64) int {
	for i, e := range slices.Backward(m.escaped) {
		if (len(e.values) != 1 || unmistakable(e.values[0])) && alike(e.values, values, 4*epsilon(graph.Float32)*largest(e.values)) {
			return i
		}
	}
	return -1
}

// fromPython looks at tensors that no operation has made: their numbers come from Python. After numbers have left, what Python
// has computed of them may be among them.
func (m *machine) fromPython(e *graph.OpRan) {
	for _, t := range m.fresh {
		if slices.Contains(e.Outputs, t.id) || slices.Contains(e.Mutated, t.id) || !t.dtype.IsFloat() {
			continue
		}
		if len(t.read().tangents) == 0 {
			m.returned(t)
		}
		if m.reread(t) || len(m.escaped) == 0 {
			continue
		}
		for _, x := range t.known() {
			if !unmistakable(x) {
				continue
			}
			if len(t.shape) == 0 && m.linear(t, x) {
				break
			}
			if _, ok := m.away[float32(x)]; !ok && !m.isConstant(x) {
				left := m.frame(m.escaped[len(m.escaped)-1].made.stack)
				m.gap(t.made, "a number of Python", fmt.Sprintf("numbers left the tensors before, last at line %d; if it was computed of them, the derivative through it is missing", left.Line))
				break
			}
		}
	}
}

// reread gives a tensor that was made of Python data the tangents of one that has the same numbers, as a file has that a tensor was
// written to.
func (m *machine) reread(t *tensor) bool {
	values := t.known()
	if len(values) < 2 || !slices.ContainsFunc(values, unmistakable) || len(t.read().tangents) > 0 {
		return false
	}
	var from *tensor
	for _, other := range m.tensors {
		if other.memory != t.memory && other.dtype == t.dtype && slices.Equal(other.shape, t.shape) && slices.Equal(other.known(), values) &&
			len(other.read().tangents) > 0 && (from == nil || other.id < from.id) {
			from = other
		}
	}
	if from != nil {
		m.passOn(t.made, from, t, graph.CutCopy.String())
	}
	return from != nil
}

// linear finds out whether a number is a multiple of one that has left by a factor with few digits, or differs from it by such a
// number, to the last bits of double precision: 0.1 * loss.item(), 1 - p.item().
func (m *machine) linear(t *tensor, x float64) bool {
	for _, e := range slices.Backward(m.escaped) {
		if len(e.values) != 1 || !unmistakable(e.values[0]) {
			continue
		}
		y, factor := e.values[0], 0.0
		switch {
		case fewDigits(x/y) && abs(rounded(x/y)*y-x) <= bits*abs(x):
			factor = rounded(x / y)
		case fewDigits(x-y) && abs(rounded(x-y)+y-x) <= bits*max(abs(x), abs(y)):
			factor = 1
		case fewDigits(x+y) && abs(rounded(x+y)-y-x) <= bits*max(abs(x), abs(y)):
			factor = -1
		default:
			continue
		}
		part := content{tangents: map[column][]float64{}}
		for k, list := range e.tangents {
			part.add(k, list, factor)
		}
		m.hide(&part, m.cut(e.made, e.why.String()))
		t.write(content{t.known(), part.tangents})
		return true
	}
	return false
}

// bits are the last bits of double precision that a Python program may lose in an operation.
const bits = 0x1p-51

// rounded is the number with three significant digits that is next.
func rounded(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	if err != nil {
		return x
	}
	return r
}

// fewDigits reports whether a number has three significant digits, up to roundings.
func fewDigits(x float64) bool {
	return x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) && abs(rounded(x)-x) <= 64*bits*max(abs(x), 1)
}

// isConstant reports whether a number comes from Python elsewhere, too: in any tensor before the first number left, or by itself
// behind the step.
func (m *machine) isConstant(x float64) bool {
	if m.constants == nil {
		m.constants = map[float32]bool{}
		m.findConstants()
	}
	return m.constants[float32(x)]
}

// mostAfter bounds how many events behind a step are searched for constants.
const mostAfter = 1 << 18

func (m *machine) findConstants() {
	dec := m.tape.NewDecoder()
	storages := map[graph.StorageID]bool{}
	fresh := map[graph.TensorID][]float64{} // since the last operation
	for p := range min(m.tape.Len(), m.step.End+mostAfter) {
		_, e, err := dec.Read(p)
		if err != nil {
			return
		}
		switch e := e.(type) {
		case *graph.TensorCreated:
			switch v := e.Value; {
			case !e.DType.IsFloat() || storages[e.Storage] || !v.Whole():
			case p < m.escaped[0].made.at:
				fresh[e.Tensor] = slices.Clone(v.First)
			case p >= m.step.End && e.Flags&graph.FlagNumber != 0 && len(v.First) == 1:
				m.constants[float32(v.First[0])] = true
			}
			storages[e.Storage] = true
		case *graph.OpRan:
			for id, values := range fresh {
				if !slices.Contains(e.Outputs, id) && !slices.Contains(e.Mutated, id) {
					for _, x := range values {
						if unmistakable(x) {
							m.constants[float32(x)] = true
						}
					}
				}
			}
			clear(fresh)
		}
	}
}

// overwrite: memory was written, and the tape names no operation that did it, as with out= on the built-in engine. The numbers come from
// the result of the operation before, or from Python.
func (m *machine) overwrite(e *graph.OpRan) {
	for _, w := range m.written {
		t := w.to
		if slices.Contains(e.Outputs, t.id) || slices.Contains(e.Mutated, t.id) || t.known() == nil || t.seen() {
			continue
		}
		m.store(t)
		m.returned(t)
		for _, from := range m.last {
			if slices.Equal(from.shape, t.shape) && slices.Equal(from.known(), t.known()) {
				m.passOn(w.made, from, t, graph.CutNoGrad.String())
			}
		}
	}
}

// unmistakable reports whether a number is hardly equal to another by chance: it has more than three decimals.
func unmistakable(x float64) bool {
	return math.Abs(x*1000-math.Round(x*1000)) > 1e-6*math.Abs(x*1000)
}

// lost notes the arrays that left and did not come back as they were: what the program computed with them is
// not known. Single numbers leave to be printed.
func (m *machine) lost() {
	for _, e := range m.escaped {
		if e.why == graph.CutNumpy && !e.back {
			m.gap(e.made, "numpy", "the values leave the tensors, and do not come back unchanged")
		}
	}
}
