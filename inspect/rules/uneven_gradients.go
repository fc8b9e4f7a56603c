package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var unevenGradients = inspect.Rule{
	Code:     "uneven-gradients",
	Severity: inspect.SeverityWarning,
	Title:    "In every backward pass one weight gets next to nothing, or far more than the weights behind it.",
	Last:     true,
	Watch: func(check *inspect.Checker) inspect.Observer {
		u := &uneven{check: check, of: map[graph.TensorID]*share{}}
		return onScale(check.History, u.ended, u.end)
	},
}

const (
	faint    = 1e-7 // the part of the largest gradient that is next to nothing
	swollen  = 1e4  // by how much a gradient is far larger than the ones behind it
	mostGone = 64   // nodes that are looked at for one leaf
)

// uneven follows the gradients of parameters with two dimensions or more. The gradients of others may cancel out, as
// for a bias in front of a norm or of the keys of attention.
type uneven struct {
	check *inspect.Checker
	of    map[graph.TensorID]*share
}

// A share is how large the gradient of a weight is beside the others of its passes.
type share struct {
	passes        int
	faint, zero   int // passes in which it was next to nothing, or nothing
	large         int // passes in which it was far larger than the gradients behind it
	pass          graph.BackwardID
	gets, besides float64 // in this pass
	by            graph.NodeID
	factor        float64 // of the node that shrinks or swells the gradient most
}

// always reports whether the gradient was uneven in each pass, and in the same way.
func (x *share) always() bool { return x.faint+x.zero == x.passes || x.large == x.passes }

// ended looks at a pass.
func (u *uneven) ended(s *scales) {
	if len(u.of) > mostFates {
		maps.DeleteFunc(u.of, func(leaf graph.TensorID, _ *share) bool { return !u.check.Tensor(leaf).Known() })
	}
	var weights []graph.TensorID
	most, newest := 0.0, graph.TensorID(0)
	for leaf, m := range s.leaves {
		t := u.check.Tensor(leaf)
		if t.Flags&graph.FlagParameter == 0 || m >= overflow {
			continue
		}
		if most = max(most, m); len(t.Shape) > 1 {
			weights = append(weights, leaf)
		}
	}
	if len(weights) < 2 || most == 0 {
		return
	}
	slices.Sort(weights)
	// Gradients arrive at what is nearest to the loss first.
	for _, c := range u.check.Pass(s.pass).Leaves {
		if newest == 0 && slices.Contains(weights, c.Tensor) {
			newest = c.Tensor
		}
	}
	for _, leaf := range weights {
		x, m := u.of[leaf], s.leaves[leaf]
		if x == nil {
			x = &share{}
			u.of[leaf] = x
		}
		x.passes++
		switch {
		case m == 0:
			x.zero++
		case m < faint*most:
			x.faint++
		case newest != 0 && leaf != newest && m > swollen*max(s.leaves[newest], 1e-30):
			x.large++
		default:
			continue
		}
		if x.passes == enoughPasses && x.always() {
			x.pass, x.gets, x.besides = s.pass, m, most
			if m > 0 && m >= faint*most {
				x.besides = s.leaves[newest]
			}
			x.by, x.factor = u.step(s, leaf, m < faint*most)
		}
	}
}

// step returns the node that shrinks, or swells, the gradient of a leaf most.
func (u *uneven) step(s *scales, leaf graph.TensorID, shrinks bool) (by graph.NodeID, factor float64) {
	looked := 0
	for _, n := range s.nodes {
		if n.in == 0 || looked == mostGone {
			continue
		}
		node, ok := u.check.Graph().Node(n.node)
		if !ok {
			continue
		}
		for i, e := range node.Edges {
			if i >= len(n.edges) || e.Node == 0 {
				continue
			}
			f := n.edges[i] / n.in
			if better := by == 0 || shrinks && f < factor || !shrinks && f > factor; !better {
				continue
			}
			looked++
			if reaches(u.check.History, []inspect.Root{{Node: e.Node}}, leaf) {
				by, factor = n.node, f
			}
		}
	}
	return by, factor
}

// end reports the weight whose gradient differs most.
func (u *uneven) end() {
	check := u.check
	if _, failed := check.Failed(); failed || explained(check, "uneven-gradients") {
		return
	}
	for _, leaf := range slices.Sorted(maps.Keys(u.of)) {
		x := u.of[leaf]
		if x.by == 0 || !x.always() {
			continue
		}
		node, _ := check.Graph().Node(x.by)
		pass, t, name := check.Pass(x.pass), check.Tensor(leaf), check.Called(leaf)
		f := inspect.Finding{
			Message: fmt.Sprintf("the gradient of %s is at most %.2g, beside %.2g of another parameter", name, x.gets, x.besides),
			Primary: check.At(node.Created, fmt.Sprintf("%s makes the gradient %.2g times as large", node.Name, x.factor)),
			Related: []inspect.Span{check.In(t.Stack, t.Created, "receives the gradient"), check.In(pass.Stack, pass.At, "in this backward pass")},
			Tensors: names(check.History, leaf),
			Help:    "look at the scale of the values and weights at this line; normalise between the layers",
			At:      node.Created,
			Symptom: -1,
			Evidence: facts(
				check.At(node.Created, fmt.Sprintf("no other node on the way changes the gradient more: by a factor of %.2g", x.factor)),
				fact("it is so in all of %d passes", x.passes),
			),
			Instead: []inspect.Alternative{
				not("vanishing-grad", "no operation that runs again and again shrinks it, and none is saturated"),
				not("exploding-grad", "no operation that runs again and again makes it larger"),
			},
		}
		switch {
		case x.zero == x.passes:
			f.Severity = inspect.SeverityHint
			f.Message = fmt.Sprintf("the gradient of %s is zero in all of %d passes", name, x.passes)
			f.Evidence = append(f.Evidence, doubts(fact("a factor of zero may be meant"))...)
		case x.large == x.passes:
			f.Severity = inspect.SeverityHint
			f.Help = "scale the weights down, normalise between the layers, or clip the gradient"
			f.Evidence = append(f.Evidence, doubts(fact("nothing overflows"))...)
		}
		check.Report(f)
		return
	}
}
