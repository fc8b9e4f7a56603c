package query

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/graph"
)

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
