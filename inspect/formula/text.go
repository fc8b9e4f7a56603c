package formula

import (
	"math"
	"strconv"
	"strings"
)

// Words says how the leaves of a formula are written: names of values by names of the program, or by
// numbers. ok is false for a leaf that is written as it stands.
type Words func(leaf *Expr) (text string, ok bool)

// Text writes the formula as mathematics: grad ⋅ 2 ⋅ self, selfᵀ @ grad. words may be nil.
func (e *Expr) Text(words Words) string {
	w := &writer{words: words}
	return w.text(e).s
}

// How tightly the outermost operator of a text binds.
const (
	bindsOr = iota
	bindsAnd
	bindsCompare
	bindsSum
	bindsProduct
	bindsMatrix
	bindsSign
	bindsPower
	bindsAtom
)

type written struct {
	s     string
	binds int
}

// in returns the text as an operand of an operator that binds as given.
func (t written) in(binds int) string {
	if t.binds < binds {
		return "(" + t.s + ")"
	}
	return t.s
}

type writer struct{ words Words }

// infix holds the operators that stand between their operands.
var infix = map[string]struct {
	sign  string
	binds int
}{
	"add": {" + ", bindsSum}, "sub": {" - ", bindsSum},
	"mm": {" @ ", bindsMatrix}, "bmm": {" @ ", bindsMatrix}, "mv": {" @ ", bindsMatrix},
	"eq": {" == ", bindsCompare}, "ne": {" != ", bindsCompare}, "lt": {" < ", bindsCompare},
	"le": {" <= ", bindsCompare}, "gt": {" > ", bindsCompare}, "ge": {" >= ", bindsCompare},
	"logical_and": {" and ", bindsAnd}, "logical_or": {" or ", bindsOr},
}

var exponents = map[string]string{"2": "²", "3": "³", "-1": "⁻¹"}

func (w *writer) text(e *Expr) written {
	if e.Op == "" && w.words != nil {
		if text, ok := w.words(e); ok {
			return atom(text)
		}
	}
	switch {
	case e.Leaf != "":
		if x, ok := e.Number(); ok {
			return atom(NumberText(x))
		}
		return atom(e.Leaf)
	case e.IsList():
		var parts []string
		for _, a := range e.Args {
			parts = append(parts, w.text(a.Expr).s)
		}
		return written{"[" + strings.Join(parts, ", ") + "]", bindsAtom}
	case e.Out > 0:
		return w.call(e)
	}
	op := base(e.Op)
	if sign, ok := infix[op]; ok && len(e.Args) == 2 {
		return written{w.text(e.Args[0].Expr).in(sign.binds) + sign.sign + w.text(e.Args[1].Expr).in(sign.binds+1), sign.binds}
	}
	switch {
	case (op == "mul" || op == "div") && len(e.Args) == 2:
		return w.product(e)
	case op == "neg":
		return written{"-" + w.text(e.Args[0].Expr).in(bindsSign), bindsSign}
	case op == "reciprocal":
		return written{"1 / " + w.text(e.Args[0].Expr).in(bindsMatrix), bindsProduct}
	case op == "logical_not":
		return written{"not " + w.text(e.Args[0].Expr).in(bindsCompare+1), bindsCompare}
	case op == "t":
		return written{w.text(e.Args[0].Expr).in(bindsAtom) + "ᵀ", bindsAtom}
	case op == "abs":
		return written{"|" + w.text(e.Args[0].Expr).s + "|", bindsAtom}
	case op == "pow" && len(e.Args) == 2:
		x, n := w.text(e.Args[0].Expr), w.text(e.Args[1].Expr)
		if high, ok := exponents[n.s]; ok {
			return written{x.in(bindsAtom) + high, bindsPower}
		}
		return written{x.in(bindsAtom) + "^" + n.in(bindsAtom), bindsPower}
	case op == "zeros_like":
		return atom("0")
	case op == "ones_like":
		return atom("1")
	case op == constOp:
		return w.text(e.Args[0].Expr)
	case op == perChannelOp:
		return w.text(e.Args[0].Expr)
	case op == "slice" || op == "select":
		if where, ok := w.place(e); ok {
			return atom(w.text(e.Args[0].Expr).in(bindsAtom) + where)
		}
	case op == "slice_scatter" || op == "select_scatter":
		if where, ok := w.place(e); ok {
			return atom(op + "(" + w.text(e.Args[0].Expr).s + where + " = " + w.text(e.Args[1].Expr).s + ")")
		}
	case op == numelOp:
		return atom("numel(" + w.text(e.Args[0].Expr).s + ")")
	case op == shapeOp:
		return atom(w.text(e.Args[0].Expr).in(bindsAtom) + ".shape")
	case op == "masked_fill" && len(e.Args) == 3: // the value where the mask holds, the tensor elsewhere
		return w.call(Call("where", e.Args[1], Arg{Expr: e.Args[2].Expr}, e.Args[0]))
	}
	return w.call(e)
}

// NumberText writes a number with four digits, or a large integer in full.
func NumberText(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// atom returns the text of a leaf. A negative number is not one.
func atom(text string) written {
	if strings.HasPrefix(text, "-") {
		return written{text, bindsSign}
	}
	return written{text, bindsAtom}
}

// shownWords is how many arguments that are not tensors a call is written with. One with bounds has all.
const shownWords = 2

func (w *writer) call(e *Expr) written {
	var parts []string
	named := 0
	bounded := e.Arg("start") != nil && e.Arg("end") != nil
	for _, a := range e.Args {
		text := w.text(a.Expr).s
		if a.Leaf == "None" {
			continue
		}
		if a.Name != "" {
			if named++; named > shownWords && !bounded {
				continue
			}
			if a.Name != "size" && e.Op != "arange" {
				text = a.Name + "=" + text
			}
		}
		parts = append(parts, text)
	}
	if named > shownWords && !bounded {
		parts = append(parts, "…")
	}
	text := strings.TrimLeft(base(e.Op), "_") + "(" + strings.Join(parts, ", ") + ")"
	if e.Out > 0 {
		text += "[" + Number(float64(e.Out)).Leaf + "]"
	}
	return written{text, bindsAtom}
}

// place writes which part of a tensor an operator takes or replaces, as Python does: [:, 1:3], [..., 0].
func (w *writer) place(e *Expr) (text string, ok bool) {
	dim := 0
	if d := e.Arg("dim"); d != nil {
		x, known := d.Number()
		if dim = int(x); !known {
			return "", false
		}
	}
	at := ""
	if index := e.Arg("index"); index != nil {
		at = w.text(index).s
	} else {
		start, end, step := w.bound(e.Arg("start")), w.bound(e.Arg("end")), w.bound(e.Arg("step"))
		if start == "0" {
			start = ""
		}
		if at = start + ":" + end; step != "" && step != "1" {
			at += ":" + step
		}
	}
	if dim < 0 {
		return "[..., " + at + strings.Repeat(", :", -1-dim) + "]", true
	}
	return "[" + strings.Repeat(":, ", dim) + at + "]", true
}

// bound writes where a slice begins or ends; empty: at the beginning or the end of the tensor.
func (w *writer) bound(e *Expr) string {
	if e == nil || e.Leaf == "None" {
		return ""
	}
	if x, ok := e.Number(); ok && x > math.MaxInt32 {
		return ""
	}
	return w.text(e).s
}

// product writes nested products and quotients in one line: what contains the gradient first, then numbers,
// then the rest, and the divisors at the end.
func (w *writer) product(e *Expr) written {
	var factors, divisors []*Expr
	scalars := map[*Expr]bool{}
	negative := false
	var collect func(e *Expr, below bool)
	collect = func(e *Expr, below bool) {
		switch op := base(e.Op); {
		case e.Out == 0 && len(e.Args) == 2 && op == "mul" && !below:
			if e.Op == "mul.Scalar" {
				scalars[e.Args[1].Expr] = true
			}
			collect(e.Args[0].Expr, below)
			collect(e.Args[1].Expr, below)
		case e.Out == 0 && len(e.Args) == 2 && op == "div" && !below:
			collect(e.Args[0].Expr, false)
			collect(e.Args[1].Expr, true)
		case op == "neg":
			negative = !negative
			collect(e.Args[0].Expr, below)
		case below:
			divisors = append(divisors, e)
		default:
			factors = append(factors, e)
		}
	}
	collect(e, false)
	var first, numbers, rest []string
	for _, f := range factors {
		text := w.text(f).in(bindsSign)
		_, number := f.Number()
		switch {
		case f.hasGrad():
			first = append(first, text)
		case number || scalars[f]:
			numbers = append(numbers, text)
		default:
			rest = append(rest, text)
		}
	}
	text := strings.Join(append(append(first, numbers...), rest...), " ⋅ ")
	if negative {
		text = "-" + text
	}
	for _, d := range divisors {
		text += " / " + w.text(d).in(bindsSign)
	}
	return written{text, bindsProduct}
}

// hasGrad reports whether the expression contains the gradient that came in.
func (e *Expr) hasGrad() bool {
	found := false
	e.Walk(func(x *Expr) { found = found || IsGrad(x.Leaf) })
	return found
}

// IsGrad reports whether a leaf is a gradient of a result: grad, or one of grad0, grad1 and so on.
func IsGrad(leaf string) bool {
	rest, ok := strings.CutPrefix(leaf, "grad")
	return ok && strings.Trim(rest, "0123456789") == ""
}
