package query

import (
	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/graph"
)

// A Measure is a quantity of one tensor, at a moment instead of at an event: norm(grad(w)), w.max, or, as
// Python has it, w.max().
type Measure struct {
	Tensor string // its name
	Grad   bool   // of its .grad
	of     quantity
}

// ParseMeasure reads a measure; false: the text is another expression.
func ParseMeasure(text string) (m Measure, ok bool) {
	x, err := (&syntax.FileOptions{}).ParseExpr("", text, 0)
	if err != nil {
		return m, false
	}
	name := ""
	if call, is := x.(*syntax.CallExpr); is && len(call.Args) == 0 {
		x = call.Fn
	}
	switch v := x.(type) {
	case *syntax.DotExpr:
		name, x = v.Name.Name, v.X
	case *syntax.CallExpr:
		if name, ok = pathOf(v.Fn); !ok || len(v.Args) != 1 {
			return m, false
		}
		x = v.Args[0]
	}
	ok = false
	for _, q := range quantities {
		if q.name == name {
			m.of, ok = q, true
		}
	}
	if !ok {
		return m, false
	}
	switch v := x.(type) {
	case *syntax.DotExpr:
		if v.Name.Name == "grad" {
			x, m.Grad = v.X, true
		}
	case *syntax.CallExpr:
		if name, is := pathOf(v.Fn); is && name == "grad" && len(v.Args) == 1 {
			x, m.Grad = v.Args[0], true
		}
	}
	m.Tensor, ok = pathOf(x)
	return m, ok
}

// Of returns the quantity of a tensor of a graph; false: it is not known.
func (m Measure) Of(g *graph.Graph, t graph.Tensor) (x float64, ok bool) {
	return m.of.of(thing{value: t.Value.Completed(), shape: t.Shape, dtype: t.DType, shaped: true, version: g.Version(t.ID), versioned: true})
}
