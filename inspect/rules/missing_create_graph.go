package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var missingCreateGraph = inspect.Rule{
	Code:     "missing-create-graph",
	Severity: inspect.SeverityWarning,
	Title:    "A gradient is part of a loss, but was computed without create_graph.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &withoutGraph{failures{check: check, cause: freedForTerm, report: reportFreedForTerm}}
	},
}

// withoutGraph looks at losses that have a gradient without a graph as a term. The gradient is missing,
// or the backward pass of the loss fails, because the one that computed the term has freed the graph.
type withoutGraph struct{ failures }

// End reports both.
func (w *withoutGraph) End() {
	w.failures.End()
	reportMissing(w.check, "missing-create-graph").End()
}

// addsGradient reports whether a pass that freed a graph computed gradients without one of their own that
// are a term of the loss which needs the graph. A gradient that only weighs other terms needs none.
func addsGradient(h *inspect.History, f failure) bool {
	if first := h.Pass(f.freedBy); first.Flags&graph.GradOnly == 0 || first.Flags&graph.CreateGraph != 0 {
		return false
	}
	a := &analysis{h: h, ways: map[rootAt]*ways{}}
	for _, root := range a.rootsOf([]inspect.Pass{*h.Pass(f.pass)}) {
		terms, _, _ := a.terms(root.tensor)
		for _, t := range terms {
			if h.Graph().RequiresGrad(t) {
				continue
			}
			for _, id := range a.waysTo(rootAt{t, root.at}).order {
				if p, ok := a.gradientOf(id); ok && p.At == h.Pass(f.freedBy).At {
					return true
				}
			}
		}
	}
	return false
}

func reportFreedForTerm(check *inspect.Checker, f failure) {
	first := check.Pass(f.freedBy)
	check.Report(inspect.Finding{
		Severity: f.severity,
		Message:  "the loss has a gradient as a term that was computed without create_graph, and its pass freed the graph of the loss",
		Primary:  check.In(first.Stack, first.At, "these gradients have no graph"),
		Related:  append(check.Callers(first.At), check.At(f.at, "this backward pass fails")),
		Help:     "pass create_graph=True where the gradients are computed",
		Evidence: append(facts(
			check.In(first.Stack, first.At, "this autograd.grad() has no create_graph, and freed the graph"),
			check.At(check.Pass(f.pass).At, "the loss of this pass has one of its gradients as a term"),
		), caught(check.History, f.severity, f.at)...),
		Instead: []inspect.Alternative{not("second-backward", "the first pass computed a term of the loss of the second one")},
		At:      f.at,
		Symptom: f.at,
	})
}

// usesGradients reports a loss, or a part of one, into which gradients went that
// have no graph of their own.
func (a *analysis) usesGradients(g gap, w *ways) bool {
	return a.reportGraphless(g, a.graphless(w, func(inspect.Pass) bool { return true }))
}

// throughGradients reports a leaf that only gradients without a graph of their own depend on, which went
// into a loss.
func (a *analysis) throughGradients(g gap) bool {
	for _, r := range g.roots {
		passes := a.graphless(a.waysTo(r), func(p inspect.Pass) bool {
			_, through := a.passable(a.rootsOf([]inspect.Pass{p}), g.target)
			return through
		})
		if a.reportGraphless(g, passes) {
			return true
		}
	}
	return false
}

// graphless returns the passes, one for each line, whose gradients went into a root without a graph of
// their own, of those that a function wants.
func (a *analysis) graphless(w *ways, wanted func(inspect.Pass) bool) (passes []inspect.Pass) {
	seen := map[graph.StackID]bool{}
	for _, id := range w.order {
		p, ok := a.gradientOf(id)
		if ok && !w.of[id].leaf && w.of[id].blocked == 0 && p.Flags&graph.CreateGraph == 0 && !seen[p.Stack] && wanted(p) {
			seen[p.Stack] = true
			passes = append(passes, p)
		}
	}
	return passes
}

// reportGraphless reports passes whose gradients have no graph, if there are some.
func (a *analysis) reportGraphless(g gap, passes []inspect.Pass) bool {
	if len(passes) == 0 {
		return false
	}
	var related []inspect.Span
	for _, p := range passes[1:] {
		related = append(related, a.h.In(p.Stack, p.At, "so are these"))
	}
	a.report(g, inspect.Finding{
		Code:    "missing-create-graph",
		Message: "the loss contains gradients that were computed without create_graph: autograd treats them as constants",
		Primary: a.h.In(passes[0].Stack, passes[0].At, "these gradients have no graph"),
		Related: append(related, a.h.Callers(passes[0].At)...),
		Tensors: []string{a.h.Called(g.target)},
		Help:    "pass create_graph=True where the gradients are computed",
		Evidence: facts(
			a.h.In(passes[0].Stack, passes[0].At, "this pass ran without create_graph"),
			a.h.At(g.at, fmt.Sprintf("the loss is computed from gradients of %s without a graph", several(len(passes), "pass"))),
		),
		Instead: []inspect.Alternative{not("grad-none-detached", "no call cuts the history: the gradients never had one")},
	})
	return true
}

// gradientOf returns the pass that computed a tensor as a gradient.
func (a *analysis) gradientOf(id graph.TensorID) (inspect.Pass, bool) {
	t := a.h.Tensor(id)
	if t.Flags&graph.FlagGradient == 0 {
		return inspect.Pass{}, false
	}
	passes := a.h.Passes()
	for i := sortedBefore(passes, t.Created); i > 0; i-- {
		if p := passes[i]; p.End < 0 || p.End > t.Created {
			return p, true
		}
		if i == 1 || passes[i-1].End < passes[i].At {
			break // not inside a pass
		}
	}
	return inspect.Pass{}, false
}

// constants looks for terms that are plain numbers to a loss although they were computed from
// what the loss trains.
func (a *analysis) constants() {
	passes := a.h.Passes()
	for _, r := range a.rootsBefore(passes[len(passes)-1].At + 1) {
		a.residual(r)
		terms, numbers, factors := a.terms(r.tensor)
		differentiated := map[graph.TensorID]bool{}
		for _, t := range terms {
			if a.h.Graph().RequiresGrad(t) {
				differentiated[t] = true
			}
		}
		for _, t := range terms {
			// A pass that begins from such a leaf trains nothing.
			if f, ok := a.freshLeaf(t, r); ok && (t == r.tensor || a.trainedBy(r, f)) {
				a.rewrapped(gap{target: f.From, at: r.at, label: "it contributes nothing to this gradient"}, f)
			}
			if !differentiated[t] {
				a.constant(gap{target: t, at: r.at, label: "it contributes nothing to this gradient"}, r, differentiated, factors)
			}
		}
		for _, n := range numbers {
			a.number(n, r)
		}
	}
}

// freshLeaf returns the flow into a leaf that the program has made for one loss, of a number that it had
// computed with a gradient: torch.tensor(x.item(), requires_grad=True).
func (a *analysis) freshLeaf(id graph.TensorID, r rootAt) (inspect.Flow, bool) {
	t := a.h.Tensor(id)
	if len(t.Cuts) == 0 || !a.trainable(id) || t.Flags&graph.FlagParameter != 0 || !a.h.SameIteration(t.Created, r.at) {
		return inspect.Flow{}, false
	}
	for _, group := range a.h.Optimizers() {
		if slices.Contains(group.Tensors, id) {
			return inspect.Flow{}, false
		}
	}
	f := t.Cuts[0]
	return f, a.wrapped(f) && a.h.Graph().RequiresGrad(f.From)
}

// linear are the operations that pass gradients of a loss on to its terms.
var linear = map[string]bool{"add": true, "sub": true, "rsub": true, "neg": true, "mul": true, "div": true, "sum": true, "mean": true, "stack": true, "cat": true}

// mostTerms bounds the terms of a loss that are looked at.
const mostTerms = 256

// terms returns what a loss is the sum of, tensors and plain numbers, and the factors of terms
// that have no gradient.
func (a *analysis) terms(root graph.TensorID) (terms []graph.TensorID, numbers []term, factors []graph.TensorID) {
	queue := []graph.TensorID{root}
	for i := 0; i < len(queue) && i < mostTerms; i++ {
		op := a.h.Maker(queue[i])
		t := a.h.Tensor(queue[i])
		if op == nil || !linear[op.Name] || !a.h.Graph().RequiresGrad(queue[i]) || len(t.Cuts) > 0 {
			terms = append(terms, queue[i])
			continue
		}
		factor := op.Name == "mul" || op.Name == "div"
		if _, single := a.onlyGrad(op); factor && !single {
			terms = append(terms, queue[i])
			continue
		}
		for _, in := range op.Inputs {
			t := a.h.Tensor(in)
			switch {
			case !t.Known(), a.detachedSince(op, in):
			case factor && !a.h.Graph().RequiresGrad(in):
				factors = append(factors, in)
			case t.Flags&graph.FlagNumber != 0:
				numbers = append(numbers, term{in, op})
			default:
				queue = append(queue, in)
			}
		}
	}
	return terms, numbers, factors
}

// detachedSince reports whether a tensor that has no history now had one when an operation read
// it.
func (a *analysis) detachedSince(op *inspect.Op, in graph.TensorID) bool {
	was := a.h.Tensor(in).Node
	if was == 0 || a.h.Graph().RequiresGrad(in) {
		return false
	}
	n, _ := a.h.Graph().Node(op.Node)
	return slices.ContainsFunc(n.Edges, func(e graph.Edge) bool { return e.Node == was })
}

// A term is a plain number that an operation added to a loss.
type term struct {
	number graph.TensorID
	op     *inspect.Op
}

// constant looks at a term of a loss that has no gradient. What weights other terms as well is
// meant to be a target, such as the p of p * (log p - log q); and a comparison of values for
// equality is meant to be a mask.
func (a *analysis) constant(g gap, r rootAt, differentiated map[graph.TensorID]bool, factors []graph.TensorID) {
	w := a.waysTo(rootAt{g.target, g.at})
	if a.reportGraphless(g, a.graphless(w, func(p inspect.Pass) bool { return a.weighted(p, p.Inputs) })) {
		return
	}
	f, ok := a.frontier(w, g.at)
	if ok && !a.h.SameIteration(f.At, g.at) {
		return // values of an earlier iteration, such as an average of weights
	}
	if !ok || differentiated[f.From] || a.explained[f.From] || equality[a.h.Op(f.Op).Name] || !a.trainedBy(r, f) {
		return
	}
	if a.h.InLibrary(f.Stack) {
		return // the program only calls what computes this loss
	}
	weighs := func(factor graph.TensorID) bool {
		_, ok := a.waysTo(rootAt{factor, g.at}).of[f.To]
		return ok
	}
	if slices.ContainsFunc(factors, weighs) {
		return
	}
	a.explained[f.From] = true
	a.cut(g, f)
}

var equality = map[string]bool{"eq": true, "ne": true, "isclose": true}

// trainedBy reports whether the source of a flow depends on a leaf to which gradients come from
// a root.
func (a *analysis) trainedBy(r rootAt, f inspect.Flow) bool {
	w, from := a.waysTo(rootAt{f.From, f.At}), a.waysTo(r)
	return slices.ContainsFunc(w.order, func(id graph.TensorID) bool {
		if _, got := a.got[id]; !got || w.of[id].blocked > 0 {
			return false
		}
		way, found := from.of[id]
		// PyTorch does not show the operations of a backward pass, such as the one of a gradient penalty.
		return found && way.blocked == 0 || reaches(a.h, []inspect.Root{{Tensor: r.tensor, Node: a.h.Tensor(r.tensor).Node}}, id)
	})
}

// number looks at a plain number in a loss that is always the same multiple of a value that
// became a plain number just before.
func (a *analysis) number(n term, r rootAt) {
	if cuts := a.h.Tensor(n.number).Cuts; len(cuts) > 0 {
		if f := cuts[0]; a.h.Graph().RequiresGrad(f.From) && a.trainedBy(r, f) && !a.explained[f.From] {
			a.explained[f.From] = true
			a.detached(gap{target: f.From, at: r.at, label: "it contributes nothing to this gradient"}, f)
		}
		return
	}
	if exit, ok := a.multiple(n); ok && a.trainedBy(r, inspect.Flow{From: exit.Tensor, At: exit.At}) {
		a.left(gap{target: exit.Tensor, at: r.at, label: "it contributes nothing to this gradient"}, exit)
	}
}

// multiple finds the exit of whose values a number is a multiple, by the same factor in two
// iterations. The values of one iteration are added up.
func (a *analysis) multiple(n term) (inspect.Exit, bool) {
	var times []*inspect.Op // the newest first
	for _, op := range a.h.Ops().Backward(a.h.Ops().Len()) {
		if op.Stack == n.op.Stack && op.Name == n.op.Name {
			if times = append(times, op); len(times) == 4 {
				break
			}
		}
	}
	factors := map[graph.StackID]float64{}
	for i := range max(len(times)-1, 0) {
		value, ok := a.numberOf(times[i])
		if !ok || value == 0 {
			continue
		}
		exits, sums := a.exitsBetween(times[i+1].At, times[i].At)
		for _, e := range exits {
			factor := value / sums[e.Stack]
			if known, again := factors[e.Stack]; again && abs(known-factor) <= 1e-6*abs(factor) {
				return e, true
			}
			factors[e.Stack] = factor
		}
	}
	return inspect.Exit{}, false
}

// numberOf returns the plain number that an operation read.
func (a *analysis) numberOf(op *inspect.Op) (float64, bool) {
	for _, in := range op.Inputs {
		if t, ok := a.h.Graph().Tensor(in); ok && t.Flags&graph.FlagNumber != 0 && len(t.Value.First) == 1 {
			return t.Value.First[0], true
		}
	}
	return 0, false
}

// exitsBetween returns the single values with a gradient that became plain numbers between two
// events, one for each call stack, with the sum of all such values there.
func (a *analysis) exitsBetween(after, before graph.Pos) (found []inspect.Exit, sums map[graph.StackID]float64) {
	sums = map[graph.StackID]float64{}
	for _, e := range a.h.Exits().From(after + 1) {
		if e.At >= before {
			break
		}
		if len(e.First) != 1 || !a.h.Graph().RequiresGrad(e.Tensor) {
			continue
		}
		if _, again := sums[e.Stack]; !again {
			found = append(found, *e)
		}
		sums[e.Stack] += e.First[0]
	}
	return found, sums
}

func abs(x float64) float64 { return max(x, -x) }

// residual looks at a loss of a differential equation: a gradient of the network's output with
// respect to its input has no graph and is added to a tensor that has one. A gradient that
// updates the tensor it was computed for, as in an adversarial attack or in the inner loop of
// meta-learning, needs no graph, and neither does one of a function without weights, such as a known force.
func (a *analysis) residual(r rootAt) {
	w := a.waysTo(r)
	for _, id := range w.order {
		p, ok := a.gradientOf(id)
		inputs := p.Inputs
		if leaf, ok := a.h.GradOf(id); ok {
			inputs = append(slices.Clone(inputs), leaf)
		}
		if !ok || w.of[id].leaf || w.of[id].blocked > 0 || p.Flags&graph.CreateGraph != 0 || a.anyParameter(inputs) || !a.addedTo(w, id, r, inputs) || !a.weighted(p, inputs) {
			continue
		}
		a.usesGradients(gap{target: r.tensor, at: r.at, label: "this gradient is incomplete"}, w)
		return
	}
}

// weighted reports whether a pass with some inputs differentiated what weights take part in: as inputs, or as
// other leaves.
func (a *analysis) weighted(p inspect.Pass, inputs []graph.TensorID) bool {
	got := func(id graph.TensorID) bool { _, ok := a.got[id]; return ok }
	return slices.ContainsFunc(inputs, got) || a.anyParameter(inputs) || slices.ContainsFunc(a.rootsOf([]inspect.Pass{p}), func(r rootAt) bool {
		w := a.waysTo(r)
		return w.lost || slices.ContainsFunc(w.order, func(id graph.TensorID) bool {
			return a.trainable(id) && !w.of[id].leaf && !slices.Contains(inputs, id)
		})
	})
}

// additive are the operations that add what they are given, or compare it.
var additive = map[string]bool{"add": true, "sub": true, "rsub": true, "mse_loss": true, "l1_loss": true, "smooth_l1_loss": true, "huber_loss": true}

// addedTo reports whether a gradient is added to a tensor with a graph and meets neither a weight
// nor the tensor whose gradient it is on its way to the root.
func (a *analysis) addedTo(w *ways, id graph.TensorID, r rootAt, inputs []graph.TensorID) bool {
	joined := false
	for id != r.tensor {
		f := w.of[id].next
		if f.Op < 0 {
			return false
		}
		op := a.h.Op(f.Op)
		if a.anyParameter(op.Inputs) || slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { return slices.Contains(inputs, in) }) || !joined && op.Node != 0 && !additive[op.Name] {
			return false
		}
		joined = joined || op.Node != 0
		id = f.To
	}
	return joined
}

// anyParameter reports whether a parameter, or a view of one, is among tensors.
func (a *analysis) anyParameter(tensors []graph.TensorID) bool {
	return slices.ContainsFunc(tensors, func(id graph.TensorID) bool {
		t := a.h.Tensor(id)
		if t.Base != 0 {
			t = a.h.Tensor(t.Base)
		}
		return t.Flags&graph.FlagParameter != 0
	})
}
