package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var explodingGrad = inspect.Rule{
	Code:     "exploding-grad",
	Severity: inspect.SeverityWarning,
	Title:    "A repeated operation makes the gradient larger each time.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		x := &explosions{check: check}
		return onScale(check.History, x.ended, x.end)
	},
}

// enoughGrowth is by how much the gradient of the loss has to grow on its way to a
// leaf, and through one operation.
const enoughGrowth = 1e4

// explosions collects the passes in which gradients grew by a steady factor.
type explosions struct {
	check *inspect.Checker
	pass  graph.BackwardID // the first of these passes
	by    repeat
	leaf  graph.TensorID
}

func (x *explosions) ended(s *scales) {
	all := swellingsOf(x.check.History)
	if all.ended(s) {
		return
	}
	_, most := s.extremes()
	if len(s.nodes) == 0 || most < enoughGrowth*max(s.nodes[0].in, 1e-30) {
		return
	}
	for _, r := range s.repeats(x.check.History) {
		// A sum of many gradients grows as well, but not by a factor.
		factor := math.Pow(r.last/r.first, 1/float64(r.nodes))
		if r.gain > 0 && r.last >= enoughGrowth*r.first && factor > 1.1 && 10*r.larger >= 6*(r.nodes-1) {
			if all.grown++; all.grown == 1 {
				x.pass, x.by = s.pass, *r
				for leaf, m := range s.leaves {
					if m == most && (x.leaf == 0 || leaf < x.leaf) {
						x.leaf = leaf
					}
				}
			}
			return
		}
	}
}

func (x *explosions) end() {
	check := x.check
	all := swellingsOf(check.History)
	if v := all.first; v != nil && all.grown == 0 {
		check.Report(inspect.Finding{
			Message: fmt.Sprintf("values grow from %.2g to %.2g over %d runs of %s, and then overflow, as do the gradients", v.first, v.last, v.runs, v.name),
			Primary: check.In(v.stack, v.at, fmt.Sprintf("makes the values about %.2g times as large, each time", v.factor())),
			Related: []inspect.Span{check.In(v.pass.Stack, v.pass.At, "the loss or gradients of this backward pass are not finite")},
			Help:    "scale the weights down, or normalise between the runs",
			Evidence: facts(
				check.In(v.stack, v.at, fmt.Sprintf("%d of %d runs gave larger values than the run before", v.larger, v.runs-1)),
				check.In(v.pass.Stack, v.pass.At, "the loss or a gradient of this pass overflows"),
			),
			Instead: []inspect.Alternative{not("nan-grad", "values grow before anything overflows, so no single operation is to blame")},
			At:      v.at,
			Symptom: -1,
		})
		return
	}
	if all.grown == 0 || !all.explain() {
		return
	}
	pass := check.Pass(x.pass)
	at := check.FirstVisit(x.by.stack)
	check.Report(inspect.Finding{
		Message: fmt.Sprintf("the gradient grows from %.2g to %.2g over %d runs of %s", x.by.first, x.by.last, x.by.nodes, x.by.name),
		Primary: check.In(x.by.stack, at, fmt.Sprintf("multiplies the gradient by %.2g each time", math.Exp(x.by.gain))),
		Related: []inspect.Span{check.In(pass.Stack, pass.At, "in this backward pass"), check.At(created(check.History, x.leaf), "receives the gradient")},
		Tensors: names(check.History, x.leaf),
		Help:    "scale the weights down, normalise between the runs, or clip the gradient with clip_grad_norm_",
		Evidence: facts(
			check.In(x.by.stack, at, fmt.Sprintf("%d of %d runs got a larger gradient than the run before", x.by.larger, x.by.nodes-1)),
			check.In(pass.Stack, pass.At, fmt.Sprintf("gradients grow like this in %s", several(all.grown, "pass"))),
		),
		Instead: []inspect.Alternative{not("nan-grad", "the gradient grows by a steady factor before it overflows")},
		At:      at,
		Symptom: -1,
	})
}

// limitsGradients reports whether the program clips gradients.
func limitsGradients(h *inspect.History) bool {
	return slices.ContainsFunc(h.Calls(), clips)
}

// clips reports whether a call limits gradients.
func clips(c inspect.Call) bool {
	return c.Function == "clip_grad_norm_" || c.Function == "clip_grad_value_"
}

// created returns when a tensor was made; -1: unknown.
func created(h *inspect.History, id graph.TensorID) graph.Pos {
	return h.Tensor(id).Created
}
