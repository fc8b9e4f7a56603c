package formula

import (
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// A Gradient is how a node computes the gradient of one of its inputs.
type Gradient struct {
	Edge  int    // index in the node's next_functions, and in the view's Edges
	Input string // the operator's parameter: self, mat2
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
		c.attrs[tape.String(a.Name)] = Value(a.AttrValue)
	}
	edge := 0
	for _, in := range n.inputs {
		if strings.HasSuffix(in, "*") {
			edge += len(v.Edges) - len(n.inputs) + 1
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
		i := c.edges[r.input]
		if v.Edges[i].Target.ID == 0 || !c.holds(r.when) {
			continue
		}
		e, err := Parse(r.text)
		if err != nil {
			panic(err)
		}
		all = append(all, Gradient{Edge: i, Input: r.input, Expr: e.In(c.env()), node: c})
	}
	return all
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

// fact returns None or given for an argument, 0 or given for dim of a tensor; empty: not known.
func (c *call) fact(name string) string {
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

func (c *call) env() Env {
	return Env{
		Attr: func(name string) (*Expr, bool) {
			if s, ok := c.saved[name]; ok && s.Tensor == 0 {
				return Leaf("None"), true
			}
			a, ok := c.attrs[name]
			return a, ok
		},
		Shape: c.shape,
	}
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
		switch e := c.view.Edges[i]; {
		case e.Back.Defined():
			return e.Back.Shape, true
		case e.Forward.Known || e.Forward.DType != graph.NoDType:
			return e.Forward.Shape, true
		}
	}
	return nil, false
}

// Value returns the elements that a name in the formula stands for, as the tape has them at the position. They are
// not Known for a tensor that was modified since it was saved.
func (g *Gradient) Value(name string) graph.Value {
	if in, ok := g.node.result(name); ok {
		return gradient(in).Value
	}
	s, ok := g.node.saved[name]
	if !ok || s.Modified() {
		return graph.Value{}
	}
	t, ok := g.node.graph.Tensor(s.Tensor)
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
