package compare

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
	"github.com/gradtui/gradtui/inspect/usage"
)

// A view is a part of a tape, prepared for the comparison.
type view struct {
	part      Part
	kindNames // at the end of the part
	totals    [totalCount]int64

	kinds  []nodeKind       // in the order of their first node
	count  map[nodeKind]int // the nodes that the part made, and the leaves that they lead to
	frames map[nodeKind]graph.Frame
	upkeep graph.StackID // of the optimizer's step or zero_grad() that may still run; 0: none does

	edgeKinds []edgeKind
	edges     map[edgeKind]int

	names   []string // of the tensors that the part has to do with
	byName  map[string]graph.TensorID
	changes map[graph.CounterID]int
	nodes   map[graph.NodeID]nodeKind // including nodes from before the part
	first   graph.NodeID              // the first node of the part
}

type edgeKind struct {
	from  nodeKind
	input int
	to    string
	// target is the kind of the node that it leads to.
	target nodeKind
}

// A touch is something that happened to a tensor, perhaps in the upkeep of an optimizer.
type touch struct {
	tensor graph.TensorID
	upkeep bool
}

// A madeNode is a node that the part made.
type madeNode struct {
	id    graph.NodeID
	edges []graph.Edge
}

// lookAt reads a part. place returns the name that a line of the program has in both parts.
func lookAt(part Part, place func(graph.Frame) string) *view {
	v := &view{
		part: part, kindNames: newKindNames(part.Tape.CursorAt(part.To).Graph(), place),
		count: map[nodeKind]int{}, frames: map[nodeKind]graph.Frame{}, edges: map[edgeKind]int{},
		byName:  map[string]graph.TensorID{},
		changes: map[graph.CounterID]int{}, nodes: map[graph.NodeID]nodeKind{},
	}
	m := usage.NewMemory(part.Tape)
	var made []madeNode
	var touched []touch
	d := part.Tape.NewDecoder()
	for p := range part.To {
		head, e, err := d.Read(p)
		if err != nil {
			continue
		}
		m.Take(p, head, e)
		inside := p >= part.From
		v.notice(head, e)
		switch e := e.(type) {
		case *graph.NodeCreated:
			k := v.kind(head.Stack, e)
			v.nodes[e.Node] = k
			if _, ok := v.frames[k]; !ok {
				v.frames[k] = part.Tape.Stack(head.Stack).Top()
			}
			if inside {
				made = append(made, madeNode{e.Node, append([]graph.Edge(nil), e.Edges...)})
				v.countNode(k)
			}
		case *graph.NameBound:
			v.bound(e)
			if inside {
				touched = append(touched, touch{e.Tensor, false})
			}
		case *graph.Mutated:
			if counter, ok := m.Written(e); ok && inside {
				if v.upkeep == 0 {
					v.totals[totalWrites]++
				}
				v.changes[counter]++
				touched = append(touched, touch{e.Tensor, v.upkeep != 0})
			}
		case *graph.GradAccumulated:
			if inside {
				touched = append(touched, touch{e.Tensor, false})
			}
		case *graph.OpRan:
			if inside && v.upkeep == 0 {
				v.totals[totalOps]++
			}
		case *graph.BackwardBegan:
			if inside {
				v.totals[totalPasses]++
			}
		case *graph.TensorCreated:
			if inside && e.Base == 0 {
				v.totals[totalMade] += int64(e.Bytes)
			}
		}
	}
	v.totals[totalAlive], v.totals[totalInUse] = int64(m.Now().Nodes), m.Now().Bytes
	v.countEdges(made)
	v.name(touched)
	return v
}

// notice follows where steps of optimizers and zero_grad() run. What these do differs from iteration to
// iteration of a healthy program, which makes buffers and gradients once.
func (v *view) notice(head graph.Header, e graph.Event) {
	switch e.(type) {
	case *graph.GradsZeroed, *graph.OptimizerStepped:
		v.upkeep = head.Stack
	default:
		if head.Stack != v.upkeep && head.Stack != 0 {
			v.upkeep = 0
		}
	}
}

func (v *view) countNode(k nodeKind) {
	v.totals[totalNodes]++
	if v.count[k]++; v.count[k] == 1 {
		v.kinds = append(v.kinds, k)
	}
}

// countEdges counts the edges of the nodes that the part made. Leaves that were made before belong to
// its graph, too: a program makes AccumulateGrad nodes once.
func (v *view) countEdges(made []madeNode) {
	if len(made) == 0 {
		return
	}
	v.first = made[0].id
	leaves := map[graph.NodeID]bool{}
	for _, n := range made {
		from := v.nodes[n.id]
		for i, e := range n.edges {
			to := v.nodes[e.Node]
			if e.Node < v.first && to.leaf && !leaves[e.Node] {
				leaves[e.Node] = true
				v.countNode(to)
			}
			k := edgeKind{from, i, v.target(e.Node), to}
			if v.edges[k]++; v.edges[k] == 1 {
				v.edgeKinds = append(v.edgeKinds, k)
			}
			if e.Node != 0 {
				v.totals[totalEdges]++
			}
		}
	}
}

// target describes the node that an edge leads to.
func (v *view) target(id graph.NodeID) string {
	k, ok := v.nodes[id]
	switch {
	case !ok:
		return none
	case k.leaf:
		return k.name
	}
	line, _, _ := strings.Cut(k.place, " < ")
	text := k.name + " (" + line + ")"
	if id < v.first {
		text += " made before"
	}
	return text
}

func (v *view) bound(e *graph.NameBound) {
	if e.Tensor == 0 {
		return
	}
	tape := v.part.Tape
	name := tape.String(e.Name)
	if scope := tape.String(e.Scope); scope != "" {
		name = scope + "." + name
	}
	v.called[e.Tensor] = name
	v.byName[name] = e.Tensor
}

// name lists the tensors that the part has to do with, by their names.
func (v *view) name(touched []touch) {
	for _, one := range touched {
		name := v.called[one.tensor]
		if name == "" {
			if t, _ := v.graph.Tensor(one.tensor); one.upkeep && t.Name == "" {
				continue // a buffer of an optimizer, a gradient
			}
			name = v.nameOf(one.tensor)
			v.byName[name] = one.tensor
		}
		v.names = append(v.names, name)
	}
	v.names = both(v.names, nil)
}

const (
	none    = "None" // as Python says it
	missing = "missing"
)

// tensorFacts are the properties of tensors that are compared.
var tensorFacts = [...]string{"tensor", "requires_grad", "grad_fn", "changes in place", gradFact: "grad"}

const gradFact = 4

// tensor returns the facts about the tensor with a name.
func (v *view) tensor(name string) (facts [len(tensorFacts)]string) {
	t, ok := v.graph.Tensor(v.byName[name])
	if !ok {
		facts[0] = missing
		return facts
	}
	facts[0] = fmt.Sprintf("%v %s", t.DType, inspect.ShapeText(t.Shape))
	facts[1] = fmt.Sprint(t.RequiresGrad)
	facts[2] = none
	if n, ok := v.graph.Node(t.Node); ok {
		facts[2] = n.Name
	}
	facts[3] = fmt.Sprint(v.changes[t.Counter])
	facts[gradFact] = none
	if g, ok := v.graph.Tensor(t.Grad); ok {
		facts[gradFact] = phrase.Contents(g.Value)
	}
	return facts
}
