package ui

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A flow is how large the signals of a node are. NaN: not known.
type flow struct {
	value    float64 // the norm of its result, or of the leaf that it accumulates into
	gradient float64 // the norm of the gradient that it ran with
	change   float64 // how many times larger the gradients are that it sent
}

// flows shows norms beside the nodes of the graph. They are computed for the rows that are drawn,
// once for each position.
type flows struct {
	on   bool
	at   graph.Pos
	pass graph.BackwardID
	of   map[graph.NodeID]flow
}

const (
	flowColumns = 22
	flowJump    = 1e3 // a change by this factor is marked
)

// toggleFlow shows or hides the norms.
func (v *graphView) toggleFlow(*state) intent {
	d := v.renderings[0].(*laneView)
	d.flows.on = !d.flows.on
	if !d.flows.on {
		return saying(muted, "norms are hidden")
	}
	v.shown = 0
	return saying(muted, "norms of values and of gradients; + and - mark where a gradient becomes 1000 times larger or smaller")
}

// node returns the norms of a node at the cursor.
func (f *flows) node(s *state, id graph.NodeID) flow {
	if f.of == nil || f.at != s.at() || f.pass != s.scope.pass {
		f.at, f.pass, f.of = s.at(), s.scope.pass, map[graph.NodeID]flow{}
	}
	found, ok := f.of[id]
	if !ok {
		found = s.flowOf(id)
		f.of[id] = found
	}
	return found
}

func (s *state) flowOf(id graph.NodeID) flow {
	f := flow{math.NaN(), math.NaN(), math.NaN()}
	n, ok := s.graph().Node(id)
	if !ok || s.index.lookup.Pos() < s.at() {
		return f
	}
	of := n.Variable
	if of == 0 {
		of = s.resultOf(id)
	}
	if t, ok := s.graph().Tensor(of); ok && of != 0 && t.Value.Measured {
		f.value = t.Value.Norm
	}
	v, ok := s.index.lookup.NodeIn(s.graph(), id, s.scope.pass)
	if !ok || v.Run == nil || v.Run.Executed < 0 {
		return f
	}
	_, e := s.event(v.Run.Executed)
	if ran, ok := e.(*graph.NodeExecuted); ok {
		f.gradient = normOf(ran.In)
		f.change = normOf(ran.Out) / f.gradient
	}
	return f
}

// repetition returns by how much the norms grow from one step of a repetition to the next: of values
// forward, of gradients backward. All steps have the same nodes; the first that tell are compared.
func (f *flows) repetition(s *state, v *graphView, row dag.Row) (value, gradient float64) {
	value, gradient = math.NaN(), math.NaN()
	g := row.Group
	if g.Kind != arrange.Repetition || g.Times < 2 || g.Len() != g.Times*g.Each {
		return value, gradient
	}
	each := func(from, to float64) float64 {
		if !(from > 0) || !(to > 0) || math.IsInf(from, 0) || math.IsInf(to, 0) {
			return math.NaN()
		}
		return math.Pow(to/from, 1/float64(g.Times-1))
	}
	for i := range min(g.Each, mostCompared) {
		upper, lower := v.view.Node(row.First+i), v.view.Node(row.Last-g.Each+i)
		if lower >= upper { // the rows begin with the newest step
			continue
		}
		near, far := f.node(s, upper), f.node(s, lower)
		if math.IsNaN(value) {
			value = each(far.value, near.value)
		}
		if math.IsNaN(gradient) {
			gradient = each(near.gradient, far.gradient)
		}
	}
	return value, gradient
}

// mostCompared is how many nodes of two steps are compared.
const mostCompared = 16

// factorText is a factor, in at most 9 columns.
func factorText(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	text := fmt.Sprintf("×%.2g", x)
	if full := text + " each"; len(full) <= 10 { // × has two bytes
		return full
	}
	return text
}

// normOf returns the norm of gradients taken together; NaN if one norm is not known, infinite if
// one has elements that are not finite.
func normOf(grads []graph.Grad) float64 {
	squares, some := 0.0, false
	for _, g := range grads {
		if !g.Defined() {
			continue
		}
		norm := g.Value.KnownNorm()
		if math.IsNaN(norm) || math.IsInf(norm, 0) {
			return norm
		}
		squares, some = squares+norm*norm, true
	}
	if !some {
		return math.NaN()
	}
	return math.Sqrt(squares)
}

// draw draws the norms of the rows from one to another at the right of the graph.
func (f *flows) draw(s *state, v *graphView, r cells.Region, from, to int) {
	if !f.on || r.W < 2*flowColumns {
		return
	}
	r = r.Part(cells.Rect{X: r.W - flowColumns, W: flowColumns, H: r.H})
	rows := make([]flow, 0, to-from)
	values, gradients := newLogScale(), newLogScale()
	for i := from; i < to; i++ {
		row := v.view.Row(i)
		one := flow{math.NaN(), math.NaN(), math.NaN()}
		if row.Group == nil {
			one = f.node(s, row.Node)
		}
		values.add(one.value)
		gradients.add(one.gradient)
		rows = append(rows, one)
	}
	for y, one := range rows {
		part := r.Part(cells.Rect{Y: y, W: r.W, H: 1})
		part.Clear()
		row := v.view.Row(from + y)
		if row.Group != nil {
			value, grad := f.repetition(s, v, row)
			part.Text(1, 0, saved, factorText(value))
			part.Text(11, 0, gradient, factorText(grad))
			one.change = math.Pow(grad, float64(row.Group.Times-1))
			style, mark := one.mark()
			part.Text(r.W-1, 0, style, mark)
			if from+y == v.chosen {
				part.Flag(0, v.mark)
			}
			continue
		}
		part.Text(1, 0, saved, values.text(one.value))
		style, mark := one.mark()
		part.Text(11, 0, gradient, gradients.text(one.gradient))
		part.Text(r.W-1, 0, style, mark)
		if from+y == v.chosen {
			part.Flag(0, v.mark)
		}
	}
}

// mark marks a node that makes the gradient much larger or smaller.
func (f flow) mark() (cells.Style, string) {
	switch {
	case math.IsInf(f.gradient, 0): // it was too large before
	case f.change >= flowJump:
		return failed, "+"
	case f.change <= 1/flowJump:
		return keycap, "-"
	}
	return plain, ""
}

// A logScale turns positive numbers into bars.
type logScale struct{ lo, hi float64 }

func newLogScale() *logScale { return &logScale{math.Inf(1), math.Inf(-1)} }

func (l *logScale) add(x float64) {
	if x > 0 && !math.IsInf(x, 0) {
		l.lo, l.hi = min(l.lo, math.Log10(x)), max(l.hi, math.Log10(x))
	}
}

// text is a bar and the number, in 9 columns.
func (l *logScale) text(x float64) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	switch {
	case math.IsNaN(x):
		return "·"
	case math.IsInf(x, 0):
		return "█ inf"
	case x == 0:
		return "▏ 0"
	}
	at := len(bars) - 1
	if l.hi-l.lo > 0.3 {
		at = int((math.Log10(x) - l.lo) / (l.hi - l.lo) * float64(len(bars)-1))
	}
	return fmt.Sprintf("%c %.1e", bars[max(min(at, len(bars)-1), 0)], x)
}
