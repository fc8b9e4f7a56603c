package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
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

// call compiles a call: of a predicate, a quantity, or one of the few functions.
func (c *compiler) call(x *syntax.CallExpr) (expr, error) {
	fn, ok := x.Fn.(*syntax.Ident)
	if !ok {
		return expr{}, fmt.Errorf("%s cannot be called", printed(x.Fn))
	}
	if call, ok := functions[fn.Name]; ok {
		return call(c, x)
	}
	for _, p := range predicates {
		if p.name == fn.Name {
			return c.predicate(p, x)
		}
	}
	if of, ok := property(fn.Name); ok {
		tensor, err := c.tensor(x)
		if err != nil {
			return tensor, err
		}
		return of(tensor, printed(x)), nil
	}
	return expr{}, fmt.Errorf("there is no function %s%s; there are %s", fn.Name, suggest.Hint(fn.Name, functionNames()), strings.Join(functionNames(), ", "))
}

// functionNames are the names of what can be called.
func functionNames() (names []string) {
	for _, p := range predicates {
		names = append(names, p.name)
	}
	names = append(names, "changes", "after", "before", "grad", "tensor")
	for _, q := range quantities {
		names = append(names, q.name)
	}
	for _, a := range attributes {
		names = append(names, a.name)
	}
	return names
}

// functions are the calls that are neither predicates nor quantities.
var functions map[string]func(c *compiler, x *syntax.CallExpr) (expr, error)

func init() {
	functions = map[string]func(c *compiler, x *syntax.CallExpr) (expr, error){
		"tensor": func(c *compiler, x *syntax.CallExpr) (expr, error) {
			text, err := c.onlyText(x)
			if err != nil {
				return expr{}, err
			}
			return c.named(&subject{pattern: text, exact: true}, printed(x)), nil
		},
		"grad": func(c *compiler, x *syntax.CallExpr) (expr, error) {
			of, err := c.tensor(x)
			if err != nil {
				return of, err
			}
			if of.who == nil {
				return of, fmt.Errorf("grad takes the name of a tensor, not %s", of.text)
			}
			return gradOf(of.who, printed(x)), nil
		},
		"after":  func(c *compiler, x *syntax.CallExpr) (expr, error) { return c.latched(x, true) },
		"before": func(c *compiler, x *syntax.CallExpr) (expr, error) { return c.latched(x, false) },
		"changes": func(c *compiler, x *syntax.CallExpr) (expr, error) {
			of, err := c.only(x)
			if err != nil {
				return of, err
			}
			if of.is != numbers && of.is != texts {
				return of, fmt.Errorf("changes takes a number or a text, such as changes(loss.shape), not %s, which is %s", of.text, of.is)
			}
			var last string
			known := false
			return expr{is: truths, text: printed(x), needs: of.needs, eval: func(m *moment) result {
				got := of.eval(m)
				if len(got.numbers)+len(got.texts) == 0 {
					return result{}
				}
				now := fmt.Sprint(got.numbers, got.texts)
				changed := known && now != last
				last, known = now, true
				return result{holds: changed, fresh: changed}
			}}, nil
		},
		"at": func(c *compiler, x *syntax.CallExpr) (expr, error) {
			if len(x.Args) != 2 {
				return expr{}, errors.New(`at takes a file and a line, such as at("train.py", 12)`)
			}
			file, err := c.expr(x.Args[0])
			if err != nil {
				return file, err
			}
			line, err := c.expr(x.Args[1])
			if err != nil {
				return line, err
			}
			if !file.fixed || file.is != texts || !line.fixed || line.is != numbers {
				return expr{}, errors.New(`at takes a file and a line, such as at("train.py", 12)`)
			}
			c.lines = true
			f, n := file.eval(nil).texts[0], int(line.eval(nil).numbers[0])
			return expr{is: truths, text: printed(x), place: true, eval: func(m *moment) result {
				top := m.frame()
				return result{holds: top.Line == n && EndsIn(top.File, f), fresh: m.arrives()}
			}, needs: func(needs *Needs) { needs.Lines = append(needs.Lines, Line{f, n}) }}, nil
		},
	}
}

// EndsIn reports whether a file that a user names means a path: the path ends with it.
func EndsIn(path, file string) bool {
	return path == file || strings.HasSuffix(path, "/"+strings.TrimPrefix(file, "./"))
}

// latched compiles after(X) and before(X).
func (c *compiler) latched(x *syntax.CallExpr, after bool) (expr, error) {
	of, err := c.only(x)
	if err != nil {
		return of, err
	}
	if of.is != truths {
		return of, fmt.Errorf("%s is %s; after and before take what can be true, such as after(steps())", of.text, of.is)
	}
	was := false
	return expr{is: truths, text: printed(x), place: true, needs: of.needs, eval: func(m *moment) result {
		before := was
		if got := of.eval(m); got.holds && got.fresh {
			was = true
		}
		return result{holds: before == after, fresh: was != before}
	}}, nil
}

// only compiles the one argument of a call.
func (c *compiler) only(x *syntax.CallExpr) (expr, error) {
	if len(x.Args) != 1 {
		return expr{}, fmt.Errorf("%s takes one argument, not %d", printed(x.Fn), len(x.Args))
	}
	return c.expr(x.Args[0])
}

// onlyText compiles an argument that is a text.
func (c *compiler) onlyText(x *syntax.CallExpr) (string, error) {
	of, err := c.only(x)
	if err != nil {
		return "", err
	}
	if of.is != texts || !of.fixed {
		return "", fmt.Errorf("%s takes a text in quotes, not %s", printed(x.Fn), of.text)
	}
	return of.eval(nil).texts[0], nil
}

// tensor compiles an argument that is a tensor.
func (c *compiler) tensor(x *syntax.CallExpr) (expr, error) {
	of, err := c.only(x)
	if err != nil {
		return of, err
	}
	if of.is == texts && of.fixed { // max("layers*.bias")
		return c.named(&subject{pattern: of.eval(nil).texts[0], exact: true}, of.text), nil
	}
	if of.is != tensors {
		return of, fmt.Errorf("%s takes a tensor, such as out or fc1.weight, not %s, which is %s", printed(x.Fn), of.text, of.is)
	}
	return of, nil
}

// predicate compiles a call such as writes(pos).
func (c *compiler) predicate(p predicate, x *syntax.CallExpr) (expr, error) {
	var who *subject
	switch {
	case len(x.Args) > 0 && p.takes == noArgument:
		return expr{}, fmt.Errorf("%s takes no argument, not %d", p.name, len(x.Args))
	case len(x.Args) > 1:
		return expr{}, fmt.Errorf("%s takes at most one argument, not %d", p.name, len(x.Args))
	case len(x.Args) == 1:
		var err error
		if who, err = c.subject(p, x.Args[0]); err != nil {
			return expr{}, err
		}
	}
	kinds := map[graph.Kind]bool{}
	for _, k := range p.kinds {
		kinds[k] = true
	}
	return expr{is: truths, text: printed(x), needs: func(n *Needs) { p.wants(n, who) }, eval: func(m *moment) result {
		ok := (m.starts != 0 || kinds[m.event.Kind()]) && (m.starts == 0 || p.name == "runs") && p.of(m, who)
		return result{holds: ok, fresh: ok}
	}}, nil
}

// subject compiles the argument of a predicate.
func (c *compiler) subject(p predicate, x syntax.Expr) (*subject, error) {
	if lit, ok := x.(*syntax.Literal); ok {
		if text, ok := lit.Value.(string); ok {
			return &subject{pattern: text, exact: p.takes != aName}, nil
		}
	}
	if p.takes == aTensor {
		if of, err := c.expr(x); err != nil {
			return nil, err
		} else if of.who != nil {
			return of.who, nil
		}
		return nil, fmt.Errorf("%s takes the name of a tensor, not %s", p.name, printed(x))
	}
	text, ok := pathOf(x)
	if !ok {
		return nil, fmt.Errorf("%s takes a name, not %s", p.name, printed(x))
	}
	if n, ok := numbered(text, 'n'); ok && p.takes == aNode {
		return &subject{node: graph.NodeID(n)}, nil
	}
	return &subject{pattern: text}, nil
}

// path compiles a name: a fact, a place, a tensor, or an attribute of one.
func (c *compiler) path(x syntax.Expr) (expr, error) {
	text, ok := pathOf(x)
	if !ok {
		return c.partOf(x)
	}
	for _, f := range eventTexts {
		if f.name == text {
			return eventTextOf(f), nil
		}
	}
	for _, p := range places {
		if p.name == text {
			c.lines = true
			return placeOf(p), nil
		}
	}
	for _, t := range eventTensors {
		if t.name == text {
			return eventTensorOf(t), nil
		}
	}
	for _, q := range quantities {
		if q.name == text { // of what the event brings
			return quantityOf(q, eventTensorOf(eventTensors[len(eventTensors)-1]), text), nil
		}
	}
	if e, ok, err := c.dotted(x); ok || err != nil {
		return e, err
	}
	switch text {
	case "grad":
		return expr{}, errors.New("grad takes a tensor: grad(fc1.weight); what arrives at any tensor is it")
	case "True", "False", "None":
		return expr{}, fmt.Errorf("%s means nothing in a query", text)
	}
	if n, ok := numbered(text, 't'); ok {
		return c.named(&subject{tensor: graph.TensorID(n)}, text), nil
	}
	return c.named(&subject{pattern: text}, text), nil
}

// property returns what makes a number or a text of a tensor.
func property(name string) (of func(tensor expr, text string) expr, ok bool) {
	for _, q := range quantities {
		if q.name == name {
			return func(tensor expr, text string) expr { return quantityOf(q, tensor, text) }, true
		}
	}
	for _, a := range attributes {
		if a.name == name {
			return func(tensor expr, text string) expr { return attributeOf(a, tensor, text) }, true
		}
	}
	return nil, false
}

// dotted compiles loss.shape, out.max and grad(w).norm.
func (c *compiler) dotted(x syntax.Expr) (e expr, ok bool, err error) {
	dot, ok := x.(*syntax.DotExpr)
	if !ok {
		return e, false, nil
	}
	if has, ok := property(dot.Name.Name); ok {
		of, err := c.expr(dot.X)
		if err == nil && of.is != tensors {
			err = fmt.Errorf("%s is %s, which has no %s", of.text, of.is, dot.Name.Name)
		}
		if err != nil {
			return of, true, err
		}
		return has(of, printed(x)), true, nil
	}
	if dot.Name.Name == "grad" {
		of, err := c.expr(dot.X)
		if err == nil && of.who == nil {
			err = fmt.Errorf("%s has no .grad", of.text)
		}
		return gradOf(of.who, printed(x)), true, err
	}
	return e, false, nil
}

// partOf compiles what is not a name: grad(w).norm, out.shape[0].
func (c *compiler) partOf(x syntax.Expr) (expr, error) {
	if index, ok := x.(*syntax.IndexExpr); ok {
		return c.size(index)
	}
	if e, ok, err := c.dotted(x); ok || err != nil {
		return e, err
	}
	return expr{}, fmt.Errorf("a query cannot say %s", printed(x))
}

// size compiles out.shape[0].
func (c *compiler) size(x *syntax.IndexExpr) (expr, error) {
	shape, isShape := x.X.(*syntax.DotExpr)
	if !isShape || shape.Name.Name != "shape" {
		return expr{}, fmt.Errorf("a query cannot say %s", printed(x))
	}
	of, err := c.expr(shape.X)
	if err != nil {
		return of, err
	}
	which, err := c.expr(x.Y)
	if err != nil {
		return which, err
	}
	if of.is != tensors || !which.fixed || which.is != numbers {
		return expr{}, fmt.Errorf("%s: a size has a number, as in out.shape[0]", printed(x))
	}
	i := int(which.eval(nil).numbers[0])
	return quantityOf(quantity{of: func(t thing) (float64, bool) {
		at := i
		if at < 0 {
			at += len(t.shape)
		}
		if at < 0 || at >= len(t.shape) {
			return 0, false
		}
		return float64(t.shape[at]), true
	}}, of, printed(x)), nil
}

func numbered(text string, letter byte) (n uint64, ok bool) {
	if len(text) < 2 || text[0] != letter {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:], 10, 32)
	return n, err == nil && n > 0
}

// pathOf is a name as programs write it: layers[0].weight.
func pathOf(x syntax.Expr) (string, bool) {
	switch x := x.(type) {
	case *syntax.Ident:
		return x.Name, true
	case *syntax.DotExpr:
		head, ok := pathOf(x.X)
		return head + "." + x.Name.Name, ok
	case *syntax.IndexExpr:
		head, ok := pathOf(x.X)
		lit, isLiteral := x.Y.(*syntax.Literal)
		if !ok || !isLiteral {
			return "", false
		}
		if strings.HasSuffix(head, ".shape") || head == "shape" {
			return "", false
		}
		return head + "[" + lit.Raw + "]", true
	}
	return "", false
}

// printed is an expression as it may have been written.
func printed(x syntax.Node) string {
	if e, ok := x.(syntax.Expr); ok {
		if text, ok := pathOf(e); ok {
			return text
		}
	}
	switch x := x.(type) {
	case *syntax.Literal:
		return x.Raw
	case *syntax.CallExpr:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = printed(a)
		}
		return printed(x.Fn) + "(" + strings.Join(args, ", ") + ")"
	case *syntax.ParenExpr:
		return "(" + printed(x.X) + ")"
	case *syntax.BinaryExpr:
		return printed(x.X) + " " + x.Op.String() + " " + printed(x.Y)
	case *syntax.UnaryExpr:
		return x.Op.String() + " " + printed(x.X)
	case *syntax.DotExpr:
		return printed(x.X) + "." + x.Name.Name
	case *syntax.IndexExpr:
		return printed(x.X) + "[" + printed(x.Y) + "]"
	case *syntax.ListExpr:
		return "[…]"
	}
	return "such an expression"
}
