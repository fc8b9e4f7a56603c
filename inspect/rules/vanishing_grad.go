package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var vanishingGrad = inspect.Rule{
	Code:     "vanishing-grad",
	Severity: inspect.SeverityWarning,
	Title:    "An operation blocks the gradient, or shrinks it each time it runs.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		v := &vanishings{check: check, fates: map[graph.TensorID]*fate{}}
		return onScale(check.History, v.ended, v.end)
	},
}

const (
	enoughLoss = 1e-6 // the fraction that is left of a gradient that has vanished
	nothing    = 1e-7 // what a saturated operation lets through

	// A few units may be dead by chance in a small example: it takes this many passes, or
	// elements of the leaf, to report a cause.
	enoughPasses   = 3
	enoughElements = 3
)

// saturating are the operations whose derivative is zero, or close to it, for some values, by
// prefixes of their nodes' names.
var saturating = []string{
	"Relu", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "Clamp", "Hardtanh", "Hardsigmoid", "Hardswish", "Threshold",
	"Elu", "Gelu", "Silu", "Softplus", "Erf", "Exp", "LogSigmoid", "Maximum", "Minimum",
}

func saturates(name string) bool {
	return slices.ContainsFunc(saturating, func(s string) bool {
		rest, ok := strings.CutPrefix(name, s)
		return ok && strings.HasPrefix(rest, "Backward")
	})
}

// vanishings knows of each leaf whether any pass gave it a gradient.
type vanishings struct {
	check *inspect.Checker
	fates map[graph.TensorID]*fate
	order []graph.TensorID
}

// A fate is what happened to the gradients of a leaf.
type fate struct {
	lives  bool // it got a gradient of a useful size
	passes int
	pass   graph.BackwardID // the first one
	killer graph.NodeID     // the node that let nothing through
	by     repeat           // or what made it smaller and smaller
}

// mostFates is how many leaves there may be before forgotten ones are dropped.
const mostFates = 1 << 14

func (v *vanishings) ended(s *scales) {
	var killers []graph.NodeID
	var repeats []*repeat
	looked := false
	_, most := s.extremes()
	if len(s.nodes) == 0 {
		return
	}
	if len(v.order) > mostFates {
		v.order = slices.DeleteFunc(v.order, func(leaf graph.TensorID) bool { return !v.check.Tensor(leaf).Known() })
		maps.DeleteFunc(v.fates, func(leaf graph.TensorID, _ *fate) bool { return !v.check.Tensor(leaf).Known() })
	}
	root := s.nodes[0].in
	for leaf, m := range s.leaves {
		f := v.fates[leaf]
		if f == nil {
			f = &fate{pass: s.pass}
			v.fates[leaf] = f
			v.order = append(v.order, leaf)
		}
		f.passes++
		if f.lives = f.lives || m > enoughLoss*max(most, root*1e-2); f.lives {
			continue
		}
		if !looked {
			killers, repeats, looked = v.killers(s), s.repeats(v.check.History), true
		}
		switch {
		case f.killer != 0 || f.by.nodes > 0:
		case m <= nothing*max(most, nothing) && v.killerOf(killers, leaf) != 0:
			f.killer = v.killerOf(killers, leaf)
			v.check.Remember(v.check.Pass(s.pass).At)
		default:
			i := slices.IndexFunc(repeats, func(r *repeat) bool {
				return r.gain < 0 && r.last <= enoughLoss*r.first && 10*r.larger <= 3*r.nodes
			})
			if i >= 0 {
				f.by = *repeats[i]
			} else {
				f.lives = true // nothing is known to be wrong
			}
		}
	}
}

// killers returns the saturated operations of a pass.
func (v *vanishings) killers(s *scales) (found []graph.NodeID) {
	for _, n := range s.nodes {
		if n.in > 0 && n.out <= nothing*n.in {
			if node, ok := v.check.Graph().Node(n.node); ok && saturates(node.Name) {
				found = append(found, n.node)
			}
		}
	}
	return found
}

// killerOf returns the first of some nodes from which a gradient would go to a leaf.
func (v *vanishings) killerOf(killers []graph.NodeID, leaf graph.TensorID) graph.NodeID {
	for _, k := range killers {
		seen := map[graph.NodeID]bool{}
		queue := []graph.NodeID{k}
		for len(queue) > 0 {
			id := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			node, ok := v.check.Graph().Node(id)
			if !ok || seen[id] {
				continue
			}
			if node.Variable == leaf {
				return k
			}
			seen[id] = true
			for _, e := range node.Edges {
				queue = append(queue, e.Node)
			}
		}
	}
	return 0
}

func (v *vanishings) end() {
	check := v.check
	slices.Sort(v.order)
	for _, leaf := range v.order {
		f := v.fates[leaf]
		t := check.Tensor(leaf)
		if f.lives || !t.Known() || f.passes < enoughPasses && numel(t.Shape) < enoughElements {
			continue
		}
		if node, ok := check.Graph().Node(f.killer); ok && strings.Contains(node.Name, "Relu") && f.passes < enoughPasses {
			continue // all units may be off for one batch
		}
		pass := check.Pass(f.pass)
		in := check.In(pass.Stack, pass.At, "in this backward pass")
		gets := check.At(t.Created, "receives no gradient")
		if f.killer != 0 {
			node, _ := check.Graph().Node(f.killer)
			if deadRelus(check.History)[check.StackAt(node.Created)] {
				return // a rule of its own has said so
			}
			check.Report(inspect.Finding{
				Message: fmt.Sprintf("%s blocks the gradient: the gradient of %s is zero in every backward pass", node.Name, check.Called(leaf)),
				Primary: check.At(node.Created, "saturated: its derivative is zero for all of these values"),
				Related: append(feeding(check.History, node, "computes the inputs"), gets, in),
				Tensors: names(check.History, leaf),
				Help:    "keep the inputs where the derivative is not zero: scale or normalise them, or use another operation",
				Evidence: facts(
					check.At(node.Created, fmt.Sprintf("a gradient comes into %s, and less than %.0e of it goes out", node.Name, nothing)),
					check.At(t.Created, fmt.Sprintf("%s got next to nothing in %s", check.Called(leaf), several(f.passes, "pass"))),
				),
				At:      node.Created,
				Symptom: -1,
			})
			return
		}
		at := check.FirstVisit(f.by.stack)
		check.Report(inspect.Finding{
			Message: fmt.Sprintf("the gradient shrinks from %.2g to %.2g in %d runs of %s", f.by.first, f.by.last, f.by.nodes, f.by.name),
			Primary: check.In(f.by.stack, at, fmt.Sprintf("multiplies the gradient by %.2g each time", math.Exp(f.by.gain))),
			Related: []inspect.Span{gets, in},
			Tensors: names(check.History, leaf),
			Help:    "use an operation with a larger derivative, skip connections or normalisation",
			Evidence: facts(
				check.In(f.by.stack, at, fmt.Sprintf("%d of %d runs got a larger gradient than the run before", f.by.larger, f.by.nodes-1)),
				check.At(t.Created, fmt.Sprintf("%s got next to nothing in %s", check.Called(leaf), several(f.passes, "pass"))),
			),
			Instead: []inspect.Alternative{not("dead-relu", "each run lets a part of the gradient through")},
			At:      at,
			Symptom: -1,
		})
		return
	}
}

// feeding returns the place that made the inputs of a node's operation.
func feeding(h *inspect.History, node graph.Node, label string) (spans []inspect.Span) {
	op := h.NodeOp(node.ID)
	if op == nil {
		return nil
	}
	for _, in := range op.Inputs {
		if t := h.Tensor(in); t.Node != 0 {
			return []inspect.Span{h.At(t.Created, label)}
		}
	}
	return nil
}
