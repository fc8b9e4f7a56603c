package rules

import (
	"fmt"
	"regexp"
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

// penalises matches the name of a term of a loss, and measures the name of what is only shown.
var (
	penalises = regexp.MustCompile(`(?i)penalty|loss|regular|(^|[_.])(gp|reg)([_.\d]|$)`)
	measures  = regexp.MustCompile(`(?i)val|test|eval|metric|log|error`)
)

// forgottenTerms looks for terms of a loss that were forgotten: in each iteration gradients are computed with a graph, and go
// into a number with the name of a penalty, in the function that calls backward(); and nothing that it went into
// is differentiated.
func (a *analysis) forgottenTerms() {
	passes := map[graph.StackID][]inspect.Pass{}
	var order []graph.StackID
	for _, p := range a.h.Passes()[1:] {
		if p.Flags&graph.GradOnly == 0 || p.Flags&graph.CreateGraph == 0 || p.End < 0 {
			continue
		}
		if len(passes[p.Stack]) == 0 {
			order = append(order, p.Stack)
		}
		passes[p.Stack] = append(passes[p.Stack], p)
	}
	for _, s := range order {
		last := passes[s][max(0, len(passes[s])-mostRoots):]
		p := last[len(last)-1]
		id, _ := a.penalty(p)
		used := func(p inspect.Pass) bool { _, differentiated := a.penalty(p); return differentiated }
		if id == 0 || slices.ContainsFunc(last, used) {
			continue
		}
		for _, b := range a.h.Passes()[1:] {
			if b.Flags&graph.GradOnly != 0 || b.At < p.At || a.h.Visits(s) < max(often, a.h.Visits(b.Stack)) {
				continue
			}
			t := a.h.Tensor(id)
			here, there := a.h.In(t.Stack, t.Created, "").Func, a.h.In(b.Stack, b.At, "").Func
			if scope := t.Names[0].Scope; !within(here, scope, there) {
				continue
			}
			name := a.h.Called(id)
			a.report(gap{target: id, at: b.At, label: "no gradient of it is computed here"}, inspect.Finding{
				Code:    "grad-none-unreached",
				Message: fmt.Sprintf("no loss depends on %s, which was computed from gradients with a graph of their own", name),
				Primary: a.h.Assigned(t.Names[0], "this is computed in each iteration, and nothing trains it"),
				Related: []inspect.Span{a.h.In(b.Stack, b.At, "the loss of this pass does not contain it")},
				Tensors: []string{name},
				Help:    "add it to the loss; if it is only to be shown, compute it without create_graph",
				Evidence: facts(
					a.h.In(p.Stack, p.At, fmt.Sprintf("create_graph=True, %s", times(a.h.Visits(s)))),
					fact("no backward pass begins from %s or from what was computed from it", name),
				),
				Instead: []inspect.Alternative{not("missing-create-graph", "the gradients have a graph")},
			})
			return
		}
	}
}

// within reports whether one of two functions is where a pass begins.
func within(made, named, function string) bool { return made == function || named == function }

// penalty returns the number with the name of a term of a loss that gradients of a pass went into, and whether a
// backward pass began from anything that they went into.
func (a *analysis) penalty(p inspect.Pass) (found graph.TensorID, differentiated bool) {
	seen := map[graph.TensorID]bool{}
	var queue []graph.TensorID
	looked := 0
	for _, op := range a.h.Ops().From(p.End) {
		if looked++; looked > mostExits {
			break
		}
		for _, in := range op.Inputs {
			if t := a.h.Tensor(in); t.Created > p.At && t.Created <= p.End && !seen[in] {
				seen[in] = true
				queue = append(queue, in)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		t := a.h.Tensor(id)
		if t.Rooted != 0 || len(seen) > mostTerms {
			return 0, true
		}
		if len(t.Shape) == 0 && len(t.Names) > 0 && penalises.MatchString(t.Names[0].Name) && !measures.MatchString(t.Names[0].Name) && a.h.Graph().RequiresGrad(id) {
			found = id
		}
		for _, i := range a.h.Uses(id) {
			for _, out := range a.h.Op(i).Outputs {
				if a.h.Op(i).Pass == 0 && !seen[out] {
					seen[out] = true
					queue = append(queue, out)
				}
			}
		}
	}
	return found, false
}
