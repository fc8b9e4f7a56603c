package query

import (
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// The expressions without parts: what the words of words.go are at a moment.

// named is the tensors that a subject means.
func (c *compiler) named(who *subject, text string) expr {
	c.subjects = append(c.subjects, who)
	return expr{is: tensors, text: text, who: who, needs: func(n *Needs) { named(n, who) }, eval: func(m *moment) (got result) {
		switch e := m.event.(type) {
		case *graph.NameBound:
			got.fresh = e.Tensor != 0 && who.is(m, e.Tensor)
		case *graph.Mutated:
			got.fresh = who.shares(m, e.Tensor)
		case *graph.Reshaped:
			got.fresh = who.is(m, e.Tensor)
		}
		got.things = who.among(m.run.tensors)
		return got
	}}
}

func gradOf(who *subject, text string) expr {
	return expr{is: tensors, text: text, needs: func(n *Needs) { named(n, who) }, eval: func(m *moment) (got result) {
		switch e := m.event.(type) {
		case *graph.GradAccumulated:
			got.fresh = who.is(m, e.Tensor)
		case *graph.GradAssigned:
			got.fresh = who.is(m, e.Tensor)
		}
		got.things = who.among(m.run.grads)
		return got
	}}
}

func eventTextOf(f eventText) expr {
	return expr{is: texts, text: f.name, needs: func(n *Needs) { n.Everything = true }, needsText: f.wants, eval: func(m *moment) result {
		if m.starts != 0 {
			return result{}
		}
		text, ok := f.of(m)
		if !ok {
			return result{}
		}
		return result{texts: []string{text}, fresh: true}
	}}
}

func placeOf(p place) expr {
	e := expr{text: p.name, place: true, needs: p.wants}
	if p.number != nil {
		e.is = numbers
		e.eval = func(m *moment) result {
			n, ok := p.number(m)
			if !ok {
				return result{}
			}
			return result{numbers: []float64{n}, fresh: p.news(m)}
		}
		return e
	}
	e.is = texts
	e.eval = func(m *moment) result {
		text, ok := p.text(m)
		if !ok {
			return result{}
		}
		return result{texts: []string{text}, fresh: p.news(m)}
	}
	return e
}

func eventTensorOf(t eventTensor) expr {
	return expr{is: tensors, text: t.name, needs: t.wants, eval: func(m *moment) result {
		if m.starts != 0 || !slices.Contains(t.kinds, m.event.Kind()) {
			return result{}
		}
		return result{fresh: true, things: t.of(m)}
	}}
}

// withValues is what the values of a tensor need.
func withValues(of expr) func(n *Needs) {
	return func(n *Needs) {
		of.needs(n)
		n.Values = true
	}
}

func quantityOf(q quantity, of expr, text string) expr {
	return expr{is: numbers, text: text, needs: withValues(of), eval: func(m *moment) result {
		got := of.eval(m)
		r := result{fresh: got.fresh}
		for _, t := range got.things {
			if x, ok := q.of(t); ok && !math.IsNaN(x) {
				r.numbers = append(r.numbers, x)
			}
		}
		return r
	}}
}

func attributeOf(a attribute, of expr, text string) expr {
	return expr{is: texts, text: text, needs: withValues(of), eval: func(m *moment) result {
		got := of.eval(m)
		r := result{fresh: got.fresh}
		for _, t := range got.things {
			if x, ok := a.of(m, t); ok {
				r.texts = append(r.texts, x)
			}
		}
		return r
	}}
}
