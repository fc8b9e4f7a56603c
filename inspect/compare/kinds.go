package compare

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A nodeKind is what nodes have in common that are compared with each other.
type nodeKind struct {
	place string // the lines of its call stack; "" for leaves
	name  string
	leaf  bool // AccumulateGrad, of one tensor
}

// kindNames name nodes and tensors of a tape as the other tape names them.
type kindNames struct {
	graph  *graph.Graph
	place  func(graph.Frame) string // the name that a line of the program has on both
	places map[graph.StackID]string
	called map[graph.TensorID]string // names with their scopes
}

func newKindNames(g *graph.Graph, place func(graph.Frame) string) kindNames {
	return kindNames{g, place, map[graph.StackID]string{}, map[graph.TensorID]string{}}
}

// kind returns the kind of a node. AccumulateGrad nodes are distinguished by their tensors, which
// may get their names later.
func (v *kindNames) kind(stack graph.StackID, e *graph.NodeCreated) nodeKind {
	name := v.graph.Tape().String(e.Name)
	if e.Variable != 0 {
		return nodeKind{name: fmt.Sprintf("%s of %s", name, v.nameOf(e.Variable)), leaf: true}
	}
	text, ok := v.places[stack]
	if !ok {
		var lines []string
		for _, f := range v.graph.Tape().Stack(stack) {
			lines = append(lines, v.place(f))
		}
		text = strings.Join(lines, " < ")
		v.places[stack] = text
	}
	return nodeKind{place: text, name: name}
}

// nameOf returns a name of a tensor in both parts: the program's name for it, or else the line
// that made it.
func (v *kindNames) nameOf(id graph.TensorID) string {
	t, ok := v.graph.Tensor(id)
	if !ok {
		return none
	}
	if t.Name != "" {
		return t.Name
	}
	if name, ok := v.called[id]; ok {
		return name
	}
	return fmt.Sprintf("a tensor %s of %s", inspect.ShapeText(t.Shape), v.place(v.line(t.Created)))
}

// line returns the line of the program at an event.
func (v *kindNames) line(at graph.Pos) graph.Frame {
	head, _, err := v.graph.Tape().At(at)
	if err != nil {
		return graph.Frame{}
	}
	return v.graph.Tape().Stack(head.Stack).Top()
}
