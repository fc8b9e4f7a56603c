package formula

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// An Expr is a formula: a call of an operator, a list, or a leaf.
type Expr struct {
	// Op is the operator of a call, as the built-in engine names it: mul, mul.Scalar. Of a leaf
	// or a list it is empty.
	Op   string
	Args []Arg // of a call, in the order of the operator's signature; of a list its elements, without names
	Out  int   // which result of the call this is

	// Leaf is the text of a leaf: the name of a value, a number, True, False, None, or a quoted
	// text. It is empty for calls and lists.
	Leaf string
}

// An Arg is an argument of a call. Tensors have no name, everything else has the parameter's.
type Arg struct {
	Name string
	*Expr
}

// Functions of a formula that are not operators.
const (
	shapeOp = "shape" // the shape of a tensor, a list
	numelOp = "numel" // its number of elements
	sizeOp  = "size"  // one of its sizes
	constOp = "const" // a tensor with one value in all places, of a shape

	perChannelOp = "per_channel" // a tensor with a value for each channel, with the dimensions of another one
)

// Names of values that are neither arguments of the operator nor tensors that a node saves.
const (
	Grads = "grads" // the gradients of all results, a list

	// Of a tensor in a list: its place from 0, and where its part of a result that joins the list begins and ends.
	Place = "i"
	Start = "start"
	End   = "end"
)

// Functions of lists of dimensions.
const (
	inverseOp   = "inverse"    // the permutation that undoes one
	reversedOp  = "reversed"   // the list from its end
	lastDimsOp  = "last_dims"  // as many dimensions as the list has, counted from the last one
	batchDimsOp = "batch_dims" // the dimensions of a shape but for the channels
)

// Leaf returns a leaf.
func Leaf(text string) *Expr { return &Expr{Leaf: text} }

// Number returns a leaf that is a number.
func Number(x float64) *Expr { return Leaf(strconv.FormatFloat(x, 'g', -1, 64)) }

// Call returns a call.
func Call(op string, args ...Arg) *Expr { return &Expr{Op: op, Args: args} }

// List returns a list.
func List(elements ...*Expr) *Expr {
	e := &Expr{}
	for _, x := range elements {
		e.Args = append(e.Args, Arg{Expr: x})
	}
	return e
}

// IsList reports whether the expression is a list.
func (e *Expr) IsList() bool { return e.Op == "" && e.Leaf == "" }

// IsName reports whether the expression is the name of a value.
func (e *Expr) IsName() bool {
	if e.Leaf == "" || e.Leaf == "True" || e.Leaf == "False" || e.Leaf == "None" || e.Leaf[0] == '\'' {
		return false
	}
	_, number := e.Number()
	return !number
}

// Number returns the value of a leaf that is a number.
func (e *Expr) Number() (x float64, ok bool) {
	if e.Leaf == "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(e.Leaf, 64)
	return x, err == nil
}

func (e *Expr) is(x float64) bool {
	y, ok := e.Number()
	return ok && x == y
}

// Arg returns the argument with a name, nil if it has its default value.
func (e *Expr) Arg(name string) *Expr {
	for _, a := range e.Args {
		if a.Name == name {
			return a.Expr
		}
	}
	return nil
}

// Size is the number of calls and leaves in the expression.
func (e *Expr) Size() int {
	n := 1
	for _, a := range e.Args {
		n += a.Size()
	}
	return n
}

// Walk calls visit for the expression and all parts of it.
func (e *Expr) Walk(visit func(*Expr)) {
	visit(e)
	for _, a := range e.Args {
		a.Walk(visit)
	}
}

// Map returns the expression with each part replaced by change, leaves first.
func (e *Expr) Map(change func(*Expr) *Expr) *Expr {
	if len(e.Args) > 0 {
		copied := *e
		copied.Args = make([]Arg, len(e.Args))
		for i, a := range e.Args {
			copied.Args[i] = Arg{a.Name, a.Map(change)}
		}
		e = &copied
	}
	return change(e)
}

// String writes the expression as [Parse] reads it: mul.Scalar(grad, other=alpha).
func (e *Expr) String() string {
	if e.Leaf != "" {
		return e.Leaf
	}
	var b strings.Builder
	open, closing := "[", "]"
	if e.Op != "" {
		b.WriteString(e.Op)
		open, closing = "(", ")"
	}
	b.WriteString(open)
	for i, a := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		if a.Name != "" {
			b.WriteString(a.Name + "=")
		}
		b.WriteString(a.Expr.String())
	}
	b.WriteString(closing)
	if e.Out > 0 {
		fmt.Fprintf(&b, "#%d", e.Out)
	}
	return b.String()
}

// Parse reads an expression that [Expr.String] has written.
func Parse(text string) (*Expr, error) {
	p := &parser{text: text}
	e := p.expr()
	if p.at < len(p.text) {
		p.fail()
	}
	return e, p.err
}

type parser struct {
	text string
	at   int
	err  error
}

func (p *parser) fail() {
	if p.err == nil {
		p.err = fmt.Errorf("formula %q: not understood from byte %d on", p.text, p.at)
	}
	p.at = len(p.text)
}

func (p *parser) take(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) word() string {
	start := p.at
	if p.take('\'') {
		for p.at < len(p.text) && !p.take('\'') {
			p.at++
		}
		return p.text[start:p.at]
	}
	for p.at < len(p.text) && !strings.ContainsRune("()[],=# '", rune(p.text[p.at])) {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *parser) expr() *Expr {
	if p.take('[') {
		return &Expr{Args: p.args(']')}
	}
	word := p.word()
	if word == "" {
		p.fail()
		return Leaf("None")
	}
	if !p.take('(') {
		return Leaf(word)
	}
	e := &Expr{Op: word, Args: p.args(')')}
	if p.take('#') {
		var err error
		if e.Out, err = strconv.Atoi(p.word()); err != nil {
			p.fail()
		}
	}
	return e
}

func (p *parser) args(end byte) []Arg {
	var args []Arg
	for !p.take(end) {
		if p.err != nil || len(args) > 0 && !(p.take(',') && p.take(' ')) {
			p.fail()
			return args
		}
		var name string
		start := p.at
		if word := p.word(); p.take('=') {
			name = word
		} else {
			p.at = start
		}
		args = append(args, Arg{name, p.expr()})
	}
	return args
}

// Ints returns a list of integers.
func Ints(list []int) *Expr {
	e := List()
	for _, n := range list {
		e.Args = append(e.Args, Arg{Expr: Leaf(strconv.Itoa(n))})
	}
	return e
}

// Value returns an attribute of a node, or an argument of an operator, as an expression. PyTorch shows negative
// integers as large ones.
func Value(v graph.AttrValue) *Expr {
	switch v.Type {
	case graph.AttrNone:
		return Leaf("None")
	case graph.AttrText:
		return Leaf("'" + strings.ReplaceAll(v.Text, "'", "") + "'")
	case graph.AttrInts, graph.AttrUints, graph.AttrFloats:
		e := List()
		for _, n := range v.Ints {
			e.Args = append(e.Args, Arg{Expr: Leaf(strconv.FormatInt(n, 10))})
		}
		for _, x := range v.Floats {
			e.Args = append(e.Args, Arg{Expr: Number(x)})
		}
		return e
	case graph.AttrBool:
		return Leaf(v.String())
	}
	switch {
	case len(v.Ints) == 1:
		return Leaf(strconv.FormatInt(v.Ints[0], 10))
	case len(v.Floats) == 1:
		return Number(v.Floats[0])
	}
	return Leaf("None")
}
