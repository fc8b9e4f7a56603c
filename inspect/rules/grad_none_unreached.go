package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var gradNoneUnreached = inspect.Rule{
	Code:     "grad-none-unreached",
	Severity: inspect.SeverityWarning,
	Title:    "The program asks for the gradient of a tensor that the output does not depend on.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &asking{reportMissing(check, "grad-none-unreached"), check, askedOf(check.History)}
	},
}

// asking notes on the way what autograd.grad() is asked for.
type asking struct {
	inspect.AtEnd
	check *inspect.Checker
	asked *asked
}

func (w *asking) Event(_ graph.Pos, head graph.Header, e graph.Event) {
	if first := w.asked.event(head, e); first >= 0 {
		w.check.Remember(first)
	}
}

// asked follows the calls of autograd.grad() with allow_unused that return None: the call stacks at which no
// output ever depends on a tensor that is not a parameter.
type asked struct {
	h     *inspect.History
	of    map[graph.StackID]*question
	order []graph.StackID
}

// A question is what a line asks for.
type question struct {
	target graph.TensorID
	pass   graph.BackwardID // the first
	times  int
	given  bool // some output did depend on it, or a pass failed
}

// often is how many times a line has to ask in vain: once may be a test.
const often = 3

func askedOf(h *inspect.History) *asked {
	return h.Shared("asked gradients", func() any { return &asked{h: h, of: map[graph.StackID]*question{}} }).(*asked)
}

// event looks at an event, and returns the first pass of a line that may ask in vain; -1 for others.
func (a *asked) event(head graph.Header, e graph.Event) graph.Pos {
	switch e := e.(type) {
	case *graph.BackwardBegan:
		if e.Flags&graph.GradOnly == 0 || len(e.Inputs) == 0 {
			break
		}
		q := a.of[head.Stack]
		if q == nil {
			q = &question{target: e.Inputs[0], pass: e.Backward}
			a.of[head.Stack] = q
			a.order = append(a.order, head.Stack)
		}
		if q.given {
			break
		}
		var roots []inspect.Root
		for _, r := range e.Roots {
			roots = append(roots, inspect.Root{Tensor: r.Tensor, Node: r.Node})
		}
		q.times++
		for _, in := range e.Inputs {
			if t := a.h.Tensor(in); t.Flags&graph.FlagParameter != 0 || reaches(a.h, roots, in) {
				q.given = true
			}
		}
		if !q.given && q.times == 1 {
			return a.h.Pass(e.Backward).At
		}
	case *graph.BackwardFailed:
		if q := a.of[a.h.Pass(e.Backward).Stack]; q != nil {
			q.given = true // the error says so
		}
	}
	return -1
}

// asks looks at calls of autograd.grad() that never get what they ask for, and hide it with allow_unused.
func (a *analysis) asks() {
	asked := askedOf(a.h)
	for _, s := range asked.order {
		q := asked.of[s]
		if q.given || q.times < often || a.explained[q.target] {
			continue
		}
		pass := *a.h.Pass(q.pass)
		a.explain(gap{target: q.target, at: pass.At, label: "its gradient is requested here, and is None each time", roots: a.rootsOf([]inspect.Pass{pass})})
	}
}

// unreached reports a tensor whose values went into no loss.
func (a *analysis) unreached(g gap) {
	t := a.h.Tensor(g.target)
	parameter := t.Flags&graph.FlagParameter != 0
	if parameter && !a.used(g) {
		a.unusedParameter(g)
		return
	}
	name := a.h.Called(g.target)
	f := inspect.Finding{
		Code:     "grad-none-unreached",
		Message:  fmt.Sprintf("the output does not depend on %s", name),
		Primary:  a.h.In(t.Stack, t.Created, "this tensor is not on the path to the output"),
		Tensors:  []string{name},
		Help:     "ask for the gradient of the tensor the output was computed from, or compute the output from this one",
		Evidence: facts(fact("no tensor that a backward pass began from depends on it: %d followed back", len(g.roots))),
		Instead:  []inspect.Alternative{not("grad-none-detached", "the values do not come to the output by any way, with or without a history")},
	}
	if dead, ok := a.deadEnd(g); !ok && parameter && t.Read != 0 {
		return // what used it was forgotten
	} else if ok && parameter {
		f.Primary = a.h.In(dead.Stack, dead.At, "the result computed here is used in no loss")
	} else if other, ok := a.other(g); ok {
		o := a.h.Tensor(other)
		f.Related = append(f.Related, a.h.In(o.Stack, o.Created, "the output was computed from this tensor"))
	}
	a.report(g, f)
}

// used reports whether an operation before the backward pass read a tensor.
func (a *analysis) used(g gap) bool {
	return a.h.Tensor(g.target).Read&inspect.ReadInUse != 0 || slices.ContainsFunc(a.h.Uses(g.target), func(i int) bool {
		op := a.h.Op(i)
		return op.At < g.at && op.Step < 0 && !inspect.Copies(op.Name)
	})
}

// deadEnd returns the operation that used a tensor, and whose result nothing uses.
func (a *analysis) deadEnd(g gap) (*inspect.Op, bool) {
	seen := map[graph.TensorID]bool{}
	queue := []graph.TensorID{g.target}
	for len(queue) > 0 && len(seen) < mostExits {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		uses := a.h.Uses(id)
		if len(uses) == 0 && id != g.target && a.h.Tensor(id).Read == 0 {
			return a.h.Maker(id), a.h.Maker(id) != nil
		}
		for _, i := range uses {
			if op := a.h.Op(i); op.Step < 0 {
				queue = append(queue, op.Outputs...)
			}
		}
	}
	return nil, false
}

// other returns the tensor from which the output was computed instead: one that the target was
// computed from, one with its name, or a leaf of its shape.
func (a *analysis) other(g gap) (graph.TensorID, bool) {
	name, shape := a.h.Name(g.target), a.h.Tensor(g.target).Shape
	for _, r := range g.roots {
		for _, id := range a.waysTo(r).order {
			t, _ := a.h.Graph().Tensor(id)
			if id != g.target && t.RequiresGrad && (t.Leaf() || name != "" && a.h.Name(id) == name) && slices.Equal(t.Shape, shape) {
				return id, true
			}
		}
	}
	return 0, false
}
