package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

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
			var last result
			return expr{is: truths, text: printed(x), needs: of.needs, eval: func(m *moment) result {
				got := of.eval(m)
				if len(got.numbers)+len(got.texts) == 0 {
					return result{}
				}
				known := len(last.numbers)+len(last.texts) > 0
				changed := known && !(slices.EqualFunc(got.numbers, last.numbers, sameNumber) && slices.Equal(got.texts, last.texts))
				last.numbers, last.texts = append(last.numbers[:0], got.numbers...), append(last.texts[:0], got.texts...)
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

// sameNumber reports whether two numbers are equal; a NaN is equal to a NaN.
func sameNumber(a, b float64) bool { return a == b || a != a && b != b }
