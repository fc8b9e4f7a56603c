package formula

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// A Gradient is how a node computes the gradient of one of its inputs.
type Gradient struct {
	Edge  int    // index in the node's next_functions, and in the view's Edges
	Input string // the operator's parameter: self, mat2, tensors[1]
	Expr  *Expr  // with the arguments of this call put in

	node *call
}

// A call is what a tape has of the call that made a node.
type call struct {
	graph *graph.Graph
	view  *lookup.NodeView
	saved map[string]lookup.SavedSlot
	lists map[string]bool
	attrs map[string]*Expr
	edges map[string]int
	list  listed // for the edge of a list whose formula is read
}

// A listed is a tensor in a list that an operator takes.
type listed struct {
	name  string // of the list; empty: the edge is not of one
	first int    // the edge of the first tensor
	at    int    // the place of this one
	count int    // how many there are
}

// Of returns how a node computes the gradients of its inputs, for those that have a formula. It is empty for nodes that
// no operator made, and for calls that the table does not cover.
func Of(tape *graph.Tape, g *graph.Graph, v *lookup.NodeView) []Gradient {
	n := table()[v.Node.Name]
	if n == nil {
		return nil
	}
	c := &call{graph: g, view: v, saved: map[string]lookup.SavedSlot{}, lists: map[string]bool{}, attrs: map[string]*Expr{}, edges: map[string]int{}}
	for _, s := range v.Saved {
		if list, _, ok := strings.Cut(s.Name, "["); ok {
			c.lists[list] = true
		} else {
			c.saved[s.Name] = s
		}
	}
	for _, a := range v.Node.Attrs {
		name := tape.String(a.Name)
		c.attrs[name] = Meant(name, Value(a.AttrValue))
	}
	edge := 0
	for _, in := range n.inputs {
		if strings.HasSuffix(in, "*") {
			list := strings.TrimSuffix(in, "*")
			c.list = listed{name: list, first: edge, count: len(v.Edges) - len(n.inputs) + 1}
			c.edges[list] = edge
			edge += c.list.count
			continue
		}
		c.edges[in] = edge
		edge++
	}
	if edge != len(v.Edges) {
		return nil
	}
	var all []Gradient
	for _, r := range n.rows {
		if c.list.count > 0 && r.input == c.list.name {
			for c.list.at = range c.list.count {
				all = c.appendGradient(all, r, c.list.first+c.list.at)
			}
		} else {
			all = c.appendGradient(all, r, c.edges[r.input])
		}
	}
	return all
}

// appendGradient appends the gradient of a row of the table, if the row holds for the call.
func (c *call) appendGradient(all []Gradient, r row, edge int) []Gradient {
	if c.view.Edges[edge].Target.ID == 0 || !c.holds(r.when) {
		return all
	}
	e, err := Parse(r.text)
	if err != nil {
		panic(err)
	}
	input := r.input
	if c.list.count > 0 && input == c.list.name {
		input += "[" + strconv.Itoa(c.list.at) + "]"
	}
	return append(all, Gradient{Edge: edge, Input: input, Expr: e.In(c.env()), node: c})
}

func (c *call) holds(facts []fact) bool {
	for _, f := range facts {
		if f.value != c.fact(f.name) {
			if a := c.attrs[f.name]; a == nil || a.String() != f.value {
				return false
			}
		}
	}
	return true
}

// fact returns None or given for an argument, 0 or given for dim of a tensor, no or yes for zero of one, what kind of
// number is says of an argument; empty: not known.
func (c *call) fact(name string) string {
	if arg, ok := strings.CutPrefix(name, "is("); ok {
		if a := c.attrs[strings.TrimSuffix(arg, ")")]; a != nil {
			return Class(strings.TrimSuffix(arg, ")"), a)
		}
		return ""
	}
	if tensor, ok := strings.CutPrefix(name, "zero("); ok {
		return c.zero(strings.TrimSuffix(tensor, ")"))
	}
	if tensor, ok := strings.CutPrefix(name, "dim("); ok {
		shape, ok := c.shape(strings.TrimSuffix(tensor, ")"))
		switch {
		case !ok:
			return ""
		case len(shape) == 0:
			return "0"
		}
		return "given"
	}
	if a := c.attrs[name]; a != nil {
		if a.Leaf == "None" || name == "dim" && a.IsList() && len(a.Args) == 0 { // as PyTorch shows a dim of None
			return "None"
		}
		return "given"
	}
	if c.lists[name] {
		return "given"
	}
	if s, ok := c.saved[name]; ok {
		if s.Tensor == 0 {
			return "None"
		}
		return "given"
	}
	return ""
}

// zero reports whether a saved tensor has a zero; empty: its values are not on the tape.
func (c *call) zero(name string) string {
	v := c.value(name)
	switch {
	case !v.Whole():
		return ""
	case slices.Contains(v.First, 0):
		return "yes"
	}
	return "no"
}

func (c *call) env() Env {
	return Env{
		Attr: func(name string) (*Expr, bool) {
			if s, ok := c.saved[name]; ok && s.Tensor == 0 {
				return Leaf("None"), true
			}
			if a, ok := c.attrs[name]; ok {
				return a, true
			}
			if name == Grads {
				return c.grads(), true
			}
			return c.placed(name)
		},
		Shape: c.shape,
	}
}

// grads returns the gradients of all results, as a list.
func (c *call) grads() *Expr {
	list := List()
	for i := range c.view.Inputs {
		list.Args = append(list.Args, Arg{Expr: Leaf("grad" + strconv.Itoa(i))})
	}
	return list
}

// placed returns the place of a tensor in the list that the operator takes, and where its part of a result that joins
// the list begins and ends.
func (c *call) placed(name string) (*Expr, bool) {
	if c.list.count == 0 || name != Place && name != Start && name != End {
		return nil, false
	}
	if name == Place {
		return Number(float64(c.list.at)), true
	}
	dim, start := c.attrs["dim"], 0
	if dim == nil {
		return nil, false
	}
	d, _ := dim.Number()
	for i := range c.list.at + 1 {
		shape, ok := c.edgeShape(c.list.first + i)
		if !ok {
			return nil, false
		}
		size := 0
		if len(shape) != 1 || shape[0] != 0 { // cat skips such a tensor, whatever the other ones are
			at := int(d)
			if at < 0 {
				at += len(shape)
			}
			if at < 0 || at >= len(shape) {
				return nil, false
			}
			size = shape[at]
		}
		if i == c.list.at && name == Start {
			break
		}
		start += size
	}
	return Number(float64(start)), true
}

// input returns which result of the node a gradient is for.
func (c *call) result(grad string) (lookup.NodeInput, bool) {
	if !IsGrad(grad) {
		return lookup.NodeInput{}, false
	}
	i, _ := strconv.Atoi(strings.TrimPrefix(grad, "grad"))
	if i >= len(c.view.Inputs) {
		return lookup.NodeInput{}, false
	}
	return c.view.Inputs[i], true
}

// grad returns the gradient that the node computes with.
func gradient(in lookup.NodeInput) graph.Grad {
	if in.Used.Defined() {
		return in.Used
	}
	return in.Sum()
}

func (c *call) shape(name string) ([]int, bool) {
	if s, ok := c.saved[name]; ok && s.Tensor != 0 {
		if t, ok := c.graph.Tensor(s.Tensor); ok {
			return t.Shape, true
		}
	}
	if in, ok := c.result(name); ok {
		if g := gradient(in); g.Defined() {
			return g.Shape, true
		}
		return in.Looks.Shape, in.Looks.Known()
	}
	if i, ok := c.edges[name]; ok {
		return c.edgeShape(i)
	}
	return nil, false
}

// edgeShape returns the shape of an input.
func (c *call) edgeShape(edge int) ([]int, bool) {
	switch e := c.view.Edges[edge]; {
	case e.Back.Defined():
		return e.Back.Shape, true
	case e.Forward.Known || e.Forward.DType != graph.NoDType:
		return e.Forward.Shape, true
	}
	return nil, false
}

// Value returns the elements that a name in the formula stands for, as the tape has them at the position. They are
// not Known for a tensor that was modified since it was saved.
func (g *Gradient) Value(name string) graph.Value {
	if in, ok := g.node.result(name); ok {
		return gradient(in).Value
	}
	return g.node.value(name)
}

// value returns the elements of a saved tensor.
func (c *call) value(name string) graph.Value {
	s, ok := c.saved[name]
	if !ok || s.Modified() {
		return graph.Value{}
	}
	t, ok := c.graph.Tensor(s.Tensor)
	if !ok || t.ValueStale {
		return graph.Value{}
	}
	return t.Value
}

// Tensor returns the saved tensor that a name in the formula stands for, zero if it stands for something else.
func (g *Gradient) Tensor(name string) graph.TensorID { return g.node.saved[name].Tensor }

// Shape returns the shape of what a part of the formula computes, if it is known.
func (g *Gradient) Shape(e *Expr) (shape []int, ok bool) { return e.Shape(g.node.env()) }

// Names returns the tensors in the formula, each once, in order.
func (g *Gradient) Names() (names []string) {
	seen := map[string]bool{}
	g.Expr.Walk(func(e *Expr) {
		if _, tensor := g.node.saved[e.Leaf]; (tensor || IsGrad(e.Leaf)) && e.Leaf != "" && !seen[e.Leaf] {
			seen[e.Leaf] = true
			names = append(names, e.Leaf)
		}
	})
	return names
}
