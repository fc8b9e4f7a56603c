package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/formula"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/console"
)

// mostNumbers is how many elements a tensor may have whose numbers are written into a formula.
const mostNumbers = 6

// formulas says how a node computes the gradient of each input: in names of the program, then in numbers or, if
// there are too many, in shapes. Before them is the sum of the contributions to its own gradient.
func (w *factWriter) formulas(v *lookup.NodeView) {
	all := formula.Of(w.s.tape, w.s.graph(), v)
	sums := w.sums(v)
	if len(all)+len(sums) == 0 {
		return
	}
	head := "formula"
	if result, ok := w.s.graph().Tensor(v.Result()); ok && result.Name != "" && len(all) > 0 && tensorName(result) != w.rootName(v) {
		head += ", grad = " + partial(w.rootName(v), tensorName(result))
	}
	w.head(head)
	for _, equation := range sums {
		w.equation(nil, "  ", equation...)
	}
	if !w.equations("  ", v, all) && v.Run != nil && v.Run.Executed >= 0 {
		w.line(nil, piece{muted, "  the numbers were not recorded; --values full records them"})
	}
}

// equations writes formulas. It returns false if the tape lacks numbers that would be shown.
func (w *factWriter) equations(indent string, v *lookup.NodeView, all []formula.Gradient) (complete bool) {
	complete = true
	for i := range all {
		parts, missing := w.formula(v, &all[i])
		w.equation(toNode(v.Edges[all[i].Edge].Target.ID), indent, parts...)
		complete = complete && !missing
	}
	return complete
}

func partial(of, by string) string { return "∂" + of + "/∂" + by }

// formula returns what stands between the equals signs of a formula. missing reports whether its numbers would be
// shown and are not on the tape.
func (w *factWriter) formula(v *lookup.NodeView, g *formula.Gradient) (parts []string, missing bool) {
	e := v.Edges[g.Edge]
	name := g.Input
	if e.Forward.Name != "" {
		name = console.OneLine(e.Forward.Name)
	}
	parts = []string{partial(w.rootName(v), name), g.Expr.Text(w.symbol(g))}
	summed := ""
	if shape, ok := g.Shape(g.Expr); ok && e.Back.Defined() && !slices.Equal(shape, e.Back.Shape) {
		summed = ", summed to " + inspect.ShapeText(e.Back.Shape)
	}
	switch numbers, small, known := numbersOf(g); {
	case small && known:
		if numbers != parts[1] {
			parts = append(parts, numbers)
		}
		parts[len(parts)-1] += summed
		if result := e.Back.Value; e.Sent >= 0 && result.Whole() && result.Count <= mostNumbers {
			if text := valueText(result); text != numbers {
				parts = append(parts, text)
			}
		}
	case small:
		missing = true
	default:
		if shapes := shapesOf(g); shapes != "" {
			parts[1] += " : " + shapes + summed
		} else {
			parts[1] += summed
		}
	}
	return parts, missing
}

// symbol writes a saved tensor by its name in the program, or by its value if it is a number of the program.
func (w *factWriter) symbol(g *formula.Gradient) formula.Words {
	return func(leaf *formula.Expr) (string, bool) {
		t, ok := w.s.graph().Tensor(g.Tensor(leaf.Leaf))
		switch {
		case !ok:
			return "", false
		case t.Name != "":
			return console.OneLine(t.Name), true
		case len(t.Shape) == 0 && t.Leaf() && !w.s.graph().RequiresGrad(t.ID) && g.Value(leaf.Leaf).Whole():
			return valueText(g.Value(leaf.Leaf)), true
		}
		return "", false
	}
}

// sums returns, for each result whose gradient has several contributions, their sum; of a leaf also the sum of
// what backward passes have added to .grad.
func (w *factWriter) sums(v *lookup.NodeView) (all [][]string) {
	for i, in := range v.Inputs {
		var terms []graph.Value
		for _, a := range in.Arrivals {
			terms = append(terms, a.Grad.Value)
		}
		name := fmt.Sprintf("result %d", i)
		if t, ok := w.s.graph().Tensor(in.Result); ok && t.Name != "" {
			name = tensorName(t)
		}
		if sum := sumOf(terms, in.Sum().Value); sum != nil && v.Node.Waiting == 0 {
			all = append(all, append([]string{partial(w.rootName(v), name)}, sum...))
		}
	}
	var terms []graph.Value
	for _, p := range v.Parts {
		if p.Kind != graph.KindGradAccumulated || v.MoreParts {
			return all
		}
		terms = append(terms, p.Added.Value)
	}
	if t, ok := w.s.graph().Tensor(v.Node.Variable); ok && len(terms) > 0 {
		if sum := sumOf(terms, v.Parts[len(terms)-1].After); sum != nil {
			all = append(all, append([]string{tensorName(t) + ".grad"}, sum...))
		}
	}
	return all
}

// sumOf writes a sum of two or more values and what it comes to; nil if they are too large, or not known.
func sumOf(terms []graph.Value, total graph.Value) []string {
	var texts []string
	for _, v := range append(slices.Clone(terms), total) {
		if !v.Whole() || v.Count > mostNumbers {
			return nil
		}
		texts = append(texts, valueText(v))
	}
	if len(terms) < 2 || len(terms) > mostNumbers {
		return nil
	}
	return []string{strings.Join(texts[:len(terms)], " + "), texts[len(terms)]}
}

// rootName is what the node's gradients are gradients of: the only root of the backward pass, L if it has no name.
func (w *factWriter) rootName(v *lookup.NodeView) string {
	if v.Run != nil && len(v.Run.Pass.Roots) == 1 {
		if t, ok := w.s.graph().Tensor(v.Run.Pass.Roots[0].Tensor); ok && t.Name != "" {
			return console.OneLine(t.Name)
		}
	}
	return "L"
}

// numbersOf writes a formula in numbers. small reports whether all its tensors have few elements, known whether the
// tape has them.
func numbersOf(g *formula.Gradient) (text string, small, known bool) {
	small, known = true, true
	for _, name := range g.Names() {
		shape, ok := g.Shape(formula.Leaf(name))
		t := graph.Tensor{Shape: shape}
		small = small && ok && len(shape) <= 1 && t.Numel() <= mostNumbers
		known = known && g.Value(name).Whole()
	}
	if !small || !known {
		return "", small, known
	}
	return g.Expr.Text(func(leaf *formula.Expr) (string, bool) {
		v := g.Value(leaf.Leaf)
		return valueText(v), v.Known()
	}), true, true
}

// shapesOf writes the shapes of a formula: of the factors of a product of matrices, and of what comes out. It is empty
// if they are not known.
func shapesOf(g *formula.Gradient) string {
	out, ok := g.Shape(g.Expr)
	if !ok {
		return ""
	}
	text := inspect.ShapeText(out)
	product := g.Expr
	for len(product.Args) > 0 && (product.Op == "neg" || product.Op == "mul.Scalar") {
		product = product.Args[0].Expr
	}
	if product.Op == "mm" || product.Op == "bmm" || product.Op == "mv" {
		a, ok := g.Shape(product.Args[0].Expr)
		b, also := g.Shape(product.Args[1].Expr)
		if ok && also {
			return inspect.ShapeText(a) + " @ " + inspect.ShapeText(b) + " → " + text
		}
	}
	return text
}

// equation writes what is equal, in one line if there is room; otherwise from the second equals sign on below the first.
func (w *factWriter) equation(to lead, indent string, parts ...string) {
	line := strings.Join(parts, " = ")
	if console.Width(indent+line) < w.width {
		w.line(to, piece{plain, indent}, piece{gradient, line})
		return
	}
	under := strings.Repeat(" ", min(console.Width(indent+parts[0])+1, max(w.width/2, 4)))
	lines := []string{parts[0] + " = " + parts[1]}
	for _, part := range parts[2:] {
		lines = append(lines, "= "+part)
	}
	for i, line := range lines {
		prefix := under
		if i == 0 {
			prefix = indent
		}
		for _, part := range console.Wrap(line, max(w.width-1-console.Width(under), 20)) {
			w.line(to, piece{plain, prefix}, piece{gradient, part})
			prefix = under + "  "
		}
	}
}
