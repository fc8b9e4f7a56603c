package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var deadRelu = inspect.Rule{
	Code:     "dead-relu",
	Severity: inspect.SeverityWarning,
	Title:    "All inputs of a ReLU are negative in every iteration, so nothing before it is trained.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		w := &relus{check: check, nodes: map[graph.NodeID]reluCall{}, lines: map[reluCall]*reluLine{}}
		w.Observer = onScale(check.History, w.ended, w.end)
		return w
	},
}

// relus follows what each ReLU between two layers lets through. The gradient shows it: it comes
// in, and nothing goes out.
type relus struct {
	inspect.Observer
	check *inspect.Checker
	nodes map[graph.NodeID]reluCall // the nodes that live
	lines map[reluCall]*reluLine
	order []*reluLine
}

// A reluCall is a place where a program calls a ReLU.
type reluCall struct {
	stack  graph.StackID
	module string // the path of the module that runs
}

// A reluLine is what the passes through one place found.
type reluLine struct {
	passes, alive int
	dead          int              // passes without any gradient, without one between them that lives
	since         graph.BackwardID // the first of them
	looked        bool
	hidden        bool // it is between two layers
	relu, layer   visit
	given         visit // what gave the layer its values last, but for optimizers; at is -1: unknown
	weight        graph.TensorID
}

// Event follows the nodes of ReLUs.
func (w *relus) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.NodeCreated:
		if w.check.Tape().String(e.Name) == "ReluBackward0" {
			call := reluCall{stack: head.Stack}
			if m, ok := w.check.Graph().Module(w.check.Graph().ModuleOf(head.Thread)); ok {
				call.module = m.Path
			}
			w.nodes[e.Node] = call
		}
	case *graph.NodeReleased:
		delete(w.nodes, e.Node)
	}
	w.Observer.Event(p, head, e)
}

// ended looks at a backward pass.
func (w *relus) ended(s *scales) {
	if len(w.nodes) == 0 {
		return
	}
	type flow struct {
		node graph.NodeID
		out  float64
	}
	flows := map[reluCall]flow{}
	var order []reluCall
	for _, n := range s.nodes {
		call, ok := w.nodes[n.node]
		if !ok || n.in == 0 || n.in == overflow {
			continue
		}
		f, again := flows[call]
		if !again {
			order = append(order, call)
		}
		flows[call] = flow{n.node, math.Max(f.out, n.out)}
	}
	for _, call := range order {
		f := flows[call]
		l := w.lines[call]
		if l == nil {
			if f.out > 0 && len(w.lines) > mostFates {
				continue
			}
			l = &reluLine{}
			w.lines[call] = l
			w.order = append(w.order, l)
		}
		l.passes++
		if f.out > 0 {
			l.alive++
			l.dead = 0
			continue
		}
		if l.dead++; l.dead == 1 {
			l.since = s.pass
		}
		if l.dead == enoughPasses && !l.looked {
			l.looked = true
			w.look(l, f.node)
		}
	}
}

// look finds the layers around a ReLU.
func (w *relus) look(l *reluLine, node graph.NodeID) {
	op := w.check.NodeOp(node)
	if op == nil || len(op.Inputs) == 0 || len(op.Outputs) == 0 {
		return
	}
	const few = 8 // elements: fewer may all be negative by chance
	l.relu = visit{op.At, op.Stack}
	layer := w.layerBefore(op.Inputs[0])
	if layer == nil || numel(w.check.Tensor(op.Outputs[0]).Shape) < few || !w.layerAfter(op) {
		return
	}
	l.hidden = true
	l.layer, l.given = visit{layer.At, layer.Stack}, visit{at: -1}
	for _, in := range layer.Inputs {
		if leaf, ok := w.parameter(in); ok {
			if len(w.check.Tensor(leaf).Shape) > 1 {
				l.weight = leaf
			}
			for _, o := range w.check.Ops().All() {
				if o.Step < 0 && o.Pass == 0 && slices.Contains(o.Mutated, leaf) && o.At > l.given.at {
					l.given = visit{o.At, o.Stack}
				}
			}
		}
	}
}

// parameter returns the trained leaf that a tensor is, or shows in another shape.
func (w *relus) parameter(id graph.TensorID) (graph.TensorID, bool) {
	return shown(w.check.History, id, 3, func(t graph.TensorID) bool {
		g, ok := w.check.Graph().Tensor(t)
		return ok && g.Leaf() && g.RequiresGrad
	})
}

// layerBefore returns the product with a weight that a tensor comes from; nil: there is none.
func (w *relus) layerBefore(id graph.TensorID) *inspect.Op {
	const most = 6 // operations between
	for range most {
		op := w.check.Maker(id)
		if op == nil || len(op.Inputs) == 0 {
			return nil
		}
		if products[op.Name] != 0 {
			if slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { _, ok := w.parameter(in); return ok }) {
				return op
			}
			return nil
		}
		if !sameValues[op.Name] && !normalises[op.Name] && !linearInAll[plain(op)] {
			return nil
		}
		id = op.Inputs[0]
	}
	return nil
}

// layerAfter reports whether the result of an operation goes into a product with a weight.
func (w *relus) layerAfter(op *inspect.Op) bool {
	const most = 200 // operations after it
	reached := map[graph.TensorID]bool{op.Outputs[0]: true}
	n := 0
	for _, o := range w.check.Ops().From(op.At + 1) {
		if n++; n > most {
			break
		}
		if !slices.ContainsFunc(o.Inputs, func(in graph.TensorID) bool { return reached[in] }) {
			continue
		}
		if products[o.Name] != 0 {
			if slices.ContainsFunc(o.Inputs, func(in graph.TensorID) bool { _, ok := w.parameter(in); return ok }) {
				return true
			}
			continue
		}
		if sameValues[o.Name] || pools[o.Name] || normalises[o.Name] || strings.Contains(o.Name, "dropout") || elementwise[plain(o)] {
			for _, out := range o.Outputs {
				reached[out] = true
			}
		}
	}
	return false
}

// deadRelus are the call stacks of ReLUs that this rule reports, for the rule about gradients that vanish.
func deadRelus(h *inspect.History) map[graph.StackID]bool {
	return h.Shared("dead relus", func() any { return map[graph.StackID]bool{} }).(map[graph.StackID]bool)
}

func (w *relus) end() {
	const late = 5 // passes without gradient after others with one
	for _, l := range w.order {
		if !l.hidden || l.dead < enoughPasses || l.alive > 0 && (l.dead < late || 4*l.dead < l.passes) {
			continue
		}
		deadRelus(w.check.History)[l.relu.stack] = true
		pass := w.check.Pass(l.since)
		f := inspect.Finding{
			Message: fmt.Sprintf("all inputs of this ReLU are negative in each of %d backward passes: %s gets no gradient", l.dead, w.check.Called(l.weight)),
			Primary: w.check.In(l.relu.stack, l.relu.at, "lets nothing through"),
			Related: []inspect.Span{w.check.In(l.layer.stack, l.layer.at, "computes the inputs")},
			Tensors: names(w.check.History, l.weight),
			Help:    "start biases at zero, scale the inputs of the network, lower the learning rate, or use leaky_relu",
			Evidence: facts(
				w.check.In(pass.Stack, pass.At, fmt.Sprintf("a gradient comes in, and none goes out, in %d passes in a row from this one on", l.dead)),
				w.check.In(l.layer.stack, l.layer.at, "the inputs come from a layer with weights, and the result goes into one"),
			),
			Instead: []inspect.Alternative{not("vanishing-grad", "the gradient ends at once at this operation, for all elements")},
			At:      l.relu.at,
			Symptom: -1,
		}
		if l.alive == 0 {
			if l.given.at >= 0 {
				f.Related = append(f.Related, w.check.In(l.given.stack, l.given.at, "gave the layer its values"))
			}
		} else {
			f.Evidence = append(f.Evidence, facts(fact("%d of its %d passes let a gradient through before", l.alive, l.passes))...)
			f.Message = fmt.Sprintf("this ReLU has died: all its inputs are negative in %d backward passes in a row, and %s gets no gradient",
				l.dead, w.check.Called(l.weight))
			if n := stepsBefore(w.check.Steps(), pass.At); n > 0 {
				step := w.check.Steps()[n-1]
				f.Related = append(f.Related, w.check.In(step.Stack, step.At, "a step moved its inputs below zero"))
				for _, o := range w.check.Optimizers() {
					if slices.Contains(o.Tensors, l.weight) {
						f.Related = append(f.Related, w.check.In(o.Stack, o.At, "with the learning rate of this optimizer"))
					}
				}
			}
		}
		w.check.Report(f)
	}
}
