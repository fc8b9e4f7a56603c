package query

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/syntax"
)

// A typ is what an expression is.
type typ uint8

const (
	truths typ = iota
	numbers
	texts
	tensors
)

func (s typ) String() string {
	return [...]string{"true or false", "a number", "a text", "a tensor"}[s]
}

// A result is what an expression is at a moment. Several tensors have several numbers: a
// comparison holds if it holds for one of them.
type result struct {
	holds   bool
	fresh   bool // the event brought it
	numbers []float64
	texts   []string
	things  []thing
}

// An expr is an expression that can be evaluated.
type expr struct {
	is    typ
	text  string // as it was written, for messages
	place bool   // it is about places only
	fixed bool   // it does not depend on the event
	eval  func(m *moment) result
	needs func(n *Needs)
	// needsText is what a comparison with a pattern needs; nil: what needs says.
	needsText func(n *Needs, pattern string)
	who       *subject // of a tensor with a name
}

func (t *tree) needs() (n Needs) {
	if t.isFinding {
		return n
	}
	ask, _, _ := t.compile()
	if t.line > 0 {
		n.Lines = []Line{{t.file, t.line}}
		return n
	}
	ask.needs(&n)
	return n
}

// compile returns the expression, with what it has to follow.
func (t *tree) compile() (e expr, c compiler, err error) {
	if t.isFinding {
		return expr{needs: func(*Needs) {}, eval: func(*moment) result { return result{} }}, c, nil
	}
	e, err = c.expr(t.root)
	return e, c, err
}

// A compiler makes expressions that keep the state of one matcher.
type compiler struct {
	subjects []*subject
	lines    bool // the query asks where the program has come
}

var errNumber = errors.New("a number is too large")

// expr compiles an expression.
func (c *compiler) expr(x syntax.Expr) (expr, error) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.expr(x.X)
	case *syntax.Literal:
		return literal(x)
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		return c.binary(x)
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.ListExpr:
		return c.list(x.List, x)
	case *syntax.TupleExpr:
		return c.list(x.List, x)
	case *syntax.Ident, *syntax.DotExpr, *syntax.IndexExpr:
		return c.path(x)
	}
	return expr{}, fmt.Errorf("a query cannot say %s", printed(x))
}

func literal(x *syntax.Literal) (e expr, err error) {
	e = expr{text: x.Raw, fixed: true, place: true, needs: func(*Needs) {}}
	switch v := x.Value.(type) {
	case string:
		e.is, e.eval = texts, func(*moment) result { return result{texts: []string{v}} }
	case int64:
		e.is, e.eval = numbers, func(*moment) result { return result{numbers: []float64{float64(v)}} }
	case float64:
		e.is, e.eval = numbers, func(*moment) result { return result{numbers: []float64{v}} }
	default:
		return e, errNumber
	}
	return e, nil
}

// list compiles a list: of sizes, which is a text such as [32, 1], or of texts or numbers to
// choose from, which only the right side of in may be.
func (c *compiler) list(items []syntax.Expr, x syntax.Expr) (expr, error) {
	e := expr{text: printed(x), fixed: true, place: true, needs: func(*Needs) {}}
	var got result
	whole := make([]int, 0, len(items))
	for _, item := range items {
		one, err := c.expr(item)
		if err != nil {
			return e, err
		}
		if !one.fixed {
			return e, fmt.Errorf("a list has numbers or texts, not %s", one.text)
		}
		v := one.eval(nil)
		got.numbers, got.texts = append(got.numbers, v.numbers...), append(got.texts, v.texts...)
		if len(v.numbers) > 0 {
			whole = append(whole, int(v.numbers[0]))
		}
	}
	if _, isList := x.(*syntax.ListExpr); isList && len(got.texts) == 0 {
		e.is, got = texts, result{texts: []string{commas(whole).String()}, numbers: got.numbers}
	} else if len(got.texts) > 0 {
		e.is = texts
	} else {
		e.is = numbers
	}
	e.eval = func(*moment) result { return got }
	return e, nil
}

func (c *compiler) unary(x *syntax.UnaryExpr) (expr, error) {
	of, err := c.expr(x.X)
	if err != nil {
		return of, err
	}
	e := of
	e.text = printed(x)
	switch {
	case x.Op == syntax.NOT && of.is == truths:
		e.eval = func(m *moment) result {
			got := of.eval(m)
			return result{holds: !got.holds, fresh: got.fresh}
		}
	case x.Op == syntax.MINUS && of.is == numbers:
		e.eval = func(m *moment) result {
			got := of.eval(m)
			negated := make([]float64, len(got.numbers))
			for i, n := range got.numbers {
				negated[i] = -n
			}
			got.numbers = negated
			return got
		}
	default:
		return e, fmt.Errorf("%s has no meaning: %s is %s", e.text, of.text, of.is)
	}
	return e, nil
}

func (c *compiler) binary(x *syntax.BinaryExpr) (expr, error) {
	a, err := c.expr(x.X)
	if err != nil {
		return a, err
	}
	b, err := c.expr(x.Y)
	if err != nil {
		return b, err
	}
	e := expr{text: printed(x), place: a.place && b.place, fixed: a.fixed && b.fixed}
	e.needs = func(n *Needs) {
		for _, side := range []expr{a, b} {
			var own Needs
			side.needs(&own)
			n.Add(own)
		}
	}
	switch x.Op {
	case syntax.AND, syntax.OR:
		for _, side := range []expr{a, b} {
			if side.is != truths {
				return e, fmt.Errorf("%s is %s; compare it with something, or ask writes(%s)", side.text, side.is, side.text)
			}
		}
		e.is = truths
		if x.Op == syntax.AND {
			e.eval, e.needs = conjunction(a, b), conjunctionNeeds(a, b)
		} else {
			e.eval = disjunction(a, b)
		}
		return e, nil
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH:
		if a.is != numbers || b.is != numbers {
			return e, fmt.Errorf("%s has no meaning: %s is %s, %s is %s", e.text, a.text, a.is, b.text, b.is)
		}
		e.is, e.eval = numbers, arithmetic(x.Op, a, b)
		return e, nil
	}
	return compare(e, x.Op, a, b)
}

// conjunction is and. A place is no news beside something that happens.
func conjunction(a, b expr) func(m *moment) result {
	return func(m *moment) result {
		x, y := a.eval(m), b.eval(m)
		fresh := x.fresh || y.fresh
		if a.place != b.place {
			fresh = a.place && y.fresh || b.place && x.fresh
		}
		return result{holds: x.holds && y.holds, fresh: fresh}
	}
}

// conjunctionNeeds is what the side that can hit needs; both, if both can.
func conjunctionNeeds(a, b expr) func(n *Needs) {
	return func(n *Needs) {
		for _, side := range []expr{a, b} {
			var own Needs
			side.needs(&own)
			if side.place && !(a.place && b.place) {
				own = Needs{Values: own.Values}
			}
			n.Add(own)
		}
	}
}

func disjunction(a, b expr) func(m *moment) result {
	return func(m *moment) result {
		x, y := a.eval(m), b.eval(m)
		return result{holds: x.holds || y.holds, fresh: x.holds && x.fresh || y.holds && y.fresh}
	}
}

// mostPairs bounds the pairs of numbers that are computed with.
const mostPairs = 256

func arithmetic(op syntax.Token, a, b expr) func(m *moment) result {
	return func(m *moment) result {
		x, y := a.eval(m), b.eval(m)
		got := result{fresh: x.fresh || y.fresh}
		for _, p := range x.numbers {
			for _, q := range y.numbers {
				if len(got.numbers) == mostPairs {
					return got
				}
				n := 0.0
				switch op {
				case syntax.PLUS:
					n = p + q
				case syntax.MINUS:
					n = p - q
				case syntax.STAR:
					n = p * q
				case syntax.SLASH:
					n = p / q
				}
				got.numbers = append(got.numbers, n)
			}
		}
		return got
	}
}

var comparisons = map[syntax.Token]func(a, b float64) bool{
	syntax.LT:  func(a, b float64) bool { return a < b },
	syntax.LE:  func(a, b float64) bool { return a <= b },
	syntax.EQL: func(a, b float64) bool { return a == b },
	syntax.IN:  func(a, b float64) bool { return a == b },
	syntax.GE:  func(a, b float64) bool { return a >= b },
	syntax.GT:  func(a, b float64) bool { return a > b },
	// These are negated.
	syntax.NEQ:    func(a, b float64) bool { return a == b },
	syntax.NOT_IN: func(a, b float64) bool { return a == b },
}

// compare compiles a comparison, which holds if it holds for one of the numbers or texts on
// each side; != and not in hold if their opposites do not, for one on the left.
func compare(e expr, op syntax.Token, a, b expr) (expr, error) {
	is, ok := comparisons[op]
	switch {
	case !ok:
		return e, fmt.Errorf("a query compares with <, <=, ==, !=, >=, > and in, not with %s", op)
	case a.is == tensors || b.is == tensors:
		which := a
		if b.is == tensors {
			which = b
		}
		return e, fmt.Errorf("%s is a tensor; compare a quantity of it, such as max(%s) or %s.shape", which.text, which.text, which.text)
	case a.is != b.is || a.is == truths:
		return e, fmt.Errorf("%s is %s and %s is %s: they cannot be compared", a.text, a.is, b.text, b.is)
	}
	negated := op == syntax.NEQ || op == syntax.NOT_IN
	e.is = truths
	if a.is == numbers {
		e.eval = func(m *moment) result {
			x, y := a.eval(m), b.eval(m)
			return result{fresh: x.fresh || y.fresh, holds: some(x.numbers, y.numbers, is, negated)}
		}
		return e, nil
	}
	if !negated && op != syntax.EQL && op != syntax.IN {
		return e, fmt.Errorf("texts are compared with == and !=, not with %s", op)
	}
	e.eval = func(m *moment) result {
		x, y := a.eval(m), b.eval(m)
		return result{fresh: x.fresh || y.fresh, holds: some(x.texts, y.texts, func(text, pattern string) bool { return Matches(pattern, text) }, negated)}
	}
	if a.needsText != nil && b.fixed && !negated {
		patterns := b.eval(nil).texts
		e.needs = func(n *Needs) {
			for _, p := range patterns {
				a.needsText(n, p)
			}
		}
	}
	return e, nil
}

// some reports whether one of the values on the left compares with one on the right; or, negated, with none of them.
// What is compared with something unknown never holds.
func some[T any](left, right []T, is func(a, b T) bool, negated bool) bool {
	return len(right) > 0 && slices.ContainsFunc(left, func(a T) bool {
		return slices.ContainsFunc(right, func(b T) bool { return is(a, b) }) != negated
	})
}
