package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// onScale watches how large gradients are on their way through a backward pass, and
// reports each pass that has ended.
func onScale(h *inspect.History, ended func(*scales), end func()) inspect.Observer {
	w := h.Shared("scales", func() any { return &scaleWatch{h: h, running: map[graph.BackwardID]*scales{}} }).(*scaleWatch)
	w.ended = append(w.ended, ended)
	return scaleRule{w, end}
}

// A scaleRule is a rule about scales. All rules follow them together.
type scaleRule struct {
	*scaleWatch
	end func()
}

// End looks back.
func (r scaleRule) End() { r.end() }

type scaleWatch struct {
	turn
	h       *inspect.History
	ended   []func(*scales)
	running map[graph.BackwardID]*scales
}

// scales are the magnitudes of the gradients of a backward pass.
type scales struct {
	pass   graph.BackwardID
	nodes  []scale // in the order in which they ran
	leaves map[graph.TensorID]float64
}

// A scale says how a node changed the gradient: the largest magnitudes of what came
// in and of what went out, in all and along each edge.
type scale struct {
	node    graph.NodeID
	in, out float64
	edges   []float64
}

// overflow is the magnitude of a gradient that is not finite.
const overflow = math.MaxFloat32

func magnitude(v graph.Value) float64 {
	if !v.Finite() {
		return overflow
	}
	return math.Max(v.Max, -v.Min)
}

func largest(grads []graph.Grad) (most float64) {
	for _, g := range grads {
		if g.Defined() {
			most = max(most, magnitude(g.Value))
		}
	}
	return most
}

// Event follows gradients. Each rule shows it all events.
func (w *scaleWatch) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	if !w.first(p) {
		return
	}
	switch e := e.(type) {
	case *graph.BackwardBegan:
		w.running[e.Backward] = &scales{pass: e.Backward, leaves: map[graph.TensorID]float64{}}
	case *graph.NodeExecuted:
		if s := w.running[e.Backward]; s != nil && len(e.Out) > 0 {
			edges := make([]float64, len(e.Out))
			for i := range e.Out {
				edges[i] = largest(e.Out[i : i+1])
			}
			s.nodes = append(s.nodes, scale{e.Node, largest(e.In), slices.Max(edges), edges})
		}
	case *graph.GradAccumulated:
		if s := w.running[e.Backward]; s != nil && e.Added.Defined() {
			s.leaves[e.Tensor] = max(s.leaves[e.Tensor], magnitude(e.Added.Value))
		}
	case *graph.TensorCreated: // what autograd.grad gives
		if p := graph.BackwardID(len(w.h.Passes()) - 1); e.Flags&graph.FlagGradient != 0 && e.Value.Known() && w.running[p] != nil {
			if pass := w.h.Pass(p); pass.Flags&graph.GradOnly != 0 && len(pass.Inputs) == 1 {
				w.running[p].leaves[pass.Inputs[0]] = magnitude(e.Value)
			}
		}
	case *graph.BackwardEnded:
		if s := w.running[e.Backward]; s != nil {
			delete(w.running, e.Backward)
			for _, ended := range w.ended {
				ended(s)
			}
		}
	case *graph.BackwardFailed:
		delete(w.running, e.Backward)
	}
}

// A repeat stands for the nodes of one operation of the program that ran several times in one
// pass.
type repeat struct {
	stack  graph.StackID
	name   string
	nodes  int
	first  float64 // what came into the node that ran first
	last   float64 // what went out of the last one
	larger int     // nodes that got more than the one before
	gain   float64 // the mean logarithm of what a node makes of its gradient
	newest float64
}

const enoughRepeats = 6

// repeats returns the operations of a pass that ran often enough to speak of growth.
func (s *scales) repeats(h *inspect.History) (found []*repeat) {
	if len(s.nodes) < enoughRepeats {
		return nil
	}
	type key struct {
		stack graph.StackID
		name  string
	}
	groups := map[key]*repeat{}
	for _, n := range s.nodes {
		if n.in == 0 || n.out == 0 {
			continue
		}
		node, ok := h.Graph().Node(n.node)
		if !ok {
			continue
		}
		out := n.edges[mainEdge(h, node)%len(n.edges)]
		if out == 0 {
			continue
		}
		k := key{h.StackAt(node.Created), node.Name}
		r := groups[k]
		if r == nil {
			r = &repeat{stack: k.stack, name: k.name, first: n.in, newest: n.in}
			groups[k] = r
			found = append(found, r)
		}
		if n.in > r.newest {
			r.larger++
		}
		r.nodes++
		r.newest, r.last = n.in, out
		r.gain += math.Log(out / n.in)
	}
	found = slices.DeleteFunc(found, func(r *repeat) bool { return r.nodes < enoughRepeats })
	for _, r := range found {
		r.gain /= float64(r.nodes)
	}
	slices.SortStableFunc(found, func(a, b *repeat) int { return -cmp.Compare(math.Abs(a.gain), math.Abs(b.gain)) })
	return found
}

// mainEdge returns the edge of a node that goes furthest back: to the oldest operation,
// not to a weight.
func mainEdge(h *inspect.History, n graph.Node) (edge int) {
	oldest := uint64(graph.MaxSequence)
	for i, e := range n.Edges {
		if target, ok := h.Graph().Node(e.Node); ok && target.Sequence < oldest {
			edge, oldest = i, target.Sequence
		}
	}
	return edge
}

// extremes returns the smallest and the largest gradient of the leaves of a pass.
func (s *scales) extremes() (least, most float64) {
	least = math.Inf(1)
	for _, m := range s.leaves {
		least, most = min(least, m), max(most, m)
	}
	return least, most
}
