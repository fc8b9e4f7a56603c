package rules

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file finds the gradients that a program asks for and that never arrive. Ten
// rules share what it finds: each missing gradient has one cause, so that one rule
// reports it.

// missingRule returns the rule for one cause of missing gradients.
func missingRule(code string, severity inspect.Severity, title string) inspect.Rule {
	return inspect.Rule{Code: code, Severity: severity, Title: title, Watch: func(check *inspect.Checker) inspect.Observer {
		return reportMissing(check, code)
	}}
}

// reportMissing reports the missing gradients of one cause at the end.
func reportMissing(check *inspect.Checker, code string) inspect.AtEnd {
	return func() {
		for _, f := range missing(check.History) {
			if f.Code == code {
				check.Report(f)
			}
		}
	}
}

// missing returns the findings of all these rules: of two findings at a line the first is reported.
func missing(h *inspect.History) []inspect.Finding {
	a := missingOf(h)
	return slices.Concat(a.found, a.hints)
}

// missingOf returns the analysis of all these rules.
func missingOf(h *inspect.History) *analysis {
	return h.Shared("missing gradients", func() any {
		a := &analysis{
			h: h, ways: map[rootAt]*ways{}, got: maps.Clone(h.Gains()),
			updates: map[graph.TensorID]update{}, explained: map[graph.TensorID]bool{},
		}
		a.sum()
		a.findUpdates()
		a.errors()
		a.reads()
		a.assigned()
		a.noParameters()
		if _, failed := h.Failed(); !failed {
			a.asks()
			a.unheld()
			a.held()
			a.zero()
			a.constants()
			a.forgotten()
			a.dropped()
			a.detours()
			a.forgottenTerms()
		}
		return a
	}).(*analysis)
}

// An analysis looks for missing gradients at the end of a program.
type analysis struct {
	h         *inspect.History
	ways      map[rootAt]*ways
	got       map[graph.TensorID]inspect.Gain
	updates   map[graph.TensorID]update // by what an update expression made
	explained map[graph.TensorID]bool   // the tensors whose gradient is accounted for
	late      bool                      // parameters were made that optimizers do not know
	found     []inspect.Finding
	hints     []inspect.Finding
	open      []gap                     // nothing is known that keeps the gradient from its target
	steps     map[uint32][]inspect.Step // by the optimizer's number
	flags     map[graph.TensorID][]inspect.Flagging
}

// A gap is a gradient that a program misses.
type gap struct {
	target graph.TensorID
	at     graph.Pos // where it is missed
	label  string    // of the line at
	failed bool      // the program fails there
	asks   bool      // the program only asks whether there is one
	roots  []rootAt  // where the backward passes began that could have brought it
}

// sum adds the gradients that the program itself assigned to the gradients from backward passes.
func (a *analysis) sum() {
	for t, at := range a.h.AssignedGrads() {
		if _, got := a.got[t]; !got {
			a.got[t] = inspect.Gain{First: at}
		}
	}
}

// report adds a finding about a gap: the lines that matter, and then where the
// gradient is missed.
func (a *analysis) report(g gap, f inspect.Finding) {
	a.explained[g.target] = true
	f.At, f.Symptom = g.at, -1
	if g.failed {
		f.Severity, f.Symptom = inspect.SeverityError, g.at
	}
	f.Related = append(f.Related, a.h.At(g.at, g.label))
	f.Evidence = append(f.Evidence, a.missed(g)...)
	a.found = append(a.found, f)
}

// missed is what shows that a gradient is missing.
func (a *analysis) missed(g gap) (list []inspect.Evidence) {
	name, passes := a.h.Called(g.target), len(a.h.Passes())-1
	_, got := a.got[g.target]
	trainable := a.trainable(g.target)
	switch {
	case g.target == 0:
	case g.failed && !a.h.Graph().RequiresGrad(g.target):
		list = facts(a.h.At(g.at, name+" does not require grad here"))
	case trainable && !got && passes == 1:
		list = facts(a.h.At(g.at, fmt.Sprintf("%s got no gradient in the only backward pass", name)))
	case trainable && !got && passes > 1:
		list = facts(a.h.At(g.at, fmt.Sprintf("%s got no gradient in %d backward passes", name, passes)))
	}
	if g.asks {
		list = append(list, doubts(a.h.At(g.at, "the program asks whether there is a gradient"))...)
	}
	return list
}

// elementError says which root of a backward pass has no history.
var elementError = regexp.MustCompile(`^element (\d+) of (?:tensors|variables) does not require grad`)

// errors looks at the errors that say that a gradient has no way back.
func (a *analysis) errors() {
	for _, r := range a.h.Raised() {
		switch {
		case strings.Contains(r.Message, "can't optimize a non-leaf Tensor") && len(r.Tensors) > 0:
			a.notLeaf(gap{target: r.Tensors[0], at: r.At, label: "it is passed to the optimizer here", failed: true})
		case r.CodeName == "no-grad":
			if m := elementError.FindStringSubmatch(r.Message); m != nil {
				if i, _ := strconv.Atoi(m[1]); i < len(r.Tensors) {
					a.withoutHistory(gap{target: r.Tensors[i], at: r.At, label: "this backward pass has no graph to run through", failed: true}, true)
				}
				continue
			}
			for _, t := range r.Tensors {
				if !a.h.Graph().RequiresGrad(t) {
					a.withoutHistory(gap{target: t, at: r.At, label: "its gradient is requested here", failed: true}, false)
				}
			}
		case r.CodeName == "unused":
			a.unused(r.At)
		case strings.HasPrefix(r.Message, "Inference tensors cannot be saved for backward"):
			a.inference(r)
		}
	}
	p, failed := a.h.Failed()
	switch {
	case failed && strings.Contains(a.failure(p), "NoneType"):
		a.unused(p)
	case failed && strings.Contains(a.failure(p), "Expected to have finished reduction in the prior iteration"):
		a.unreduced(p)
	}
}

// unreduced looks at a failure of DistributedDataParallel, which waits for the gradients of all
// parameters and names the missing ones by their index.
func (a *analysis) unreduced(at graph.Pos) {
	roots := a.rootsBefore(at)
	for _, m := range a.h.Modules() {
		got := func(p graph.TensorID) bool { _, ok := a.got[p]; return ok }
		if !slices.ContainsFunc(m.Tensors, got) {
			continue
		}
		for _, p := range m.Tensors {
			if !got(p) && !a.explained[p] && a.h.Graph().RequiresGrad(p) {
				a.explain(gap{target: p, at: at, label: "DistributedDataParallel waits for its gradient", failed: true, roots: roots})
			}
		}
	}
}

// failure returns what the exception says that ended the program.
func (a *analysis) failure(p graph.Pos) string {
	_, e, err := a.h.Tape().At(p)
	if f, ok := e.(*graph.ProgramFailed); ok && err == nil {
		return f.Message
	}
	return ""
}

// unused looks at an autograd.grad that failed, or after which the program failed: the program
// asked for gradients of tensors that its outputs do not depend on.
func (a *analysis) unused(at graph.Pos) {
	passes := a.h.Passes()
	i := sortedBefore(passes, at)
	if i < 1 || passes[i].Flags&graph.GradOnly == 0 {
		return
	}
	root := a.rootsOf(passes[i : i+1])
	for _, in := range passes[i].Inputs {
		if !reaches(a.h, passes[i].Roots, in) {
			a.explain(gap{target: in, at: at, label: "its gradient is requested here", failed: true, roots: root})
		}
	}
}

// sortedBefore returns the index of the newest pass before p.
func sortedBefore(passes []inspect.Pass, p graph.Pos) int {
	i, _ := slices.BinarySearchFunc(passes[1:], p, func(pass inspect.Pass, p graph.Pos) int { return cmp.Compare(pass.At, p) })
	return i
}

// reaches reports whether backward goes from some roots to a tensor.
func reaches(h *inspect.History, roots []inspect.Root, target graph.TensorID) bool {
	g := h.Graph()
	t, _ := g.Tensor(target)
	seen := map[graph.NodeID]bool{0: true}
	var queue []graph.NodeID
	for _, r := range roots {
		queue = append(queue, r.Node)
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		n, ok := g.Node(id)
		if n.Variable == target || ok && id == t.Node {
			return true
		}
		for _, e := range n.Edges {
			queue = append(queue, e.Node)
		}
	}
	return false
}

var (
	readsGrad   = regexp.MustCompile(`\.grad(?:[^\w(]|$)`)
	asksForNone = regexp.MustCompile(`\.grad\s+is\s+(?:not\s+)?None`)
	// guarded matches code that expects that there may be no gradient.
	guarded = regexp.MustCompile(`\bif\b.*\.grad\b|\ball\(.*\.grad\s+is\s+None|\bassert\b.*\.grad\s+is\s+None|\bassertIsNone\b`)
)

// reads looks at where the program itself read a .grad and got None after a
// backward pass, in code that does not expect that.
func (a *analysis) reads() {
	failed, _ := a.h.Failed()
	for _, r := range a.h.MissingGrads() {
		line := a.h.In(r.Stack, r.At, "").Frame
		text := a.h.LineText(line.File, line.Line)
		if !readsGrad.MatchString(text) || guarded.MatchString(text) || a.explained[r.Tensor] || a.got[r.Tensor].First > 0 {
			continue
		}
		g := gap{target: r.Tensor, at: r.At, label: "its gradient is None here", asks: asksForNone.MatchString(text), roots: a.rootsBefore(r.At)}
		if len(g.roots) == 0 {
			continue
		}
		if failedAt := a.h.In(a.h.StackAt(failed), failed, "").Frame; failed > r.At && failedAt.Line == line.Line && failedAt.File == line.File {
			g.failed, g.at = true, failed
		}
		t, _ := a.h.Graph().Tensor(r.Tensor)
		switch {
		case a.updated(g):
		case t.RequiresGrad && t.Leaf(), t.RetainsGrad:
			a.explain(g)
		case t.RequiresGrad:
			a.notLeaf(g)
		case t.Flags&graph.FlagParameter == 0:
			a.withoutHistory(g, false)
		}
	}
}

// held looks at the parameters that an optimizer holds and that never got a
// gradient although it has stepped.
func (a *analysis) held() {
	for _, group := range a.h.Optimizers() {
		last, ok := a.lastStep(group)
		if !ok {
			continue
		}
		roots := a.rootsBefore(last)
		if len(roots) == 0 {
			continue // gradient-never-arrives says so
		}
		for _, p := range group.Tensors {
			if _, got := a.got[p]; got || a.explained[p] || a.late && !a.registered(p) {
				continue
			}
			if !a.h.Graph().RequiresGrad(p) {
				if step, ok := a.lastBeforeFreezing(group, p); ok {
					a.explain(gap{target: p, at: step, label: "this step does not change it", roots: a.rootsBefore(step)})
				}
				continue
			}
			if slices.ContainsFunc(a.flaggings(p), func(f inspect.Flagging) bool { return f.To && f.At > last }) {
				continue // it was frozen until now
			}
			if gone := a.h.Tensor(p).Released; gone >= 0 && gone < last {
				continue // a module that moved has put another tensor into the object that the optimizer holds
			}
			a.explain(gap{target: p, at: last, label: "this step does not change it", roots: a.unfrozen(p, roots)})
		}
	}
}

// unfrozen returns the passes that could have brought a gradient to a leaf: the ones that began while it required
// grad, or all if there were none.
func (a *analysis) unfrozen(p graph.TensorID, roots []rootAt) []rootAt {
	flags := a.flaggings(p)
	if len(flags) == 0 {
		return roots
	}
	var found []rootAt
	for _, r := range roots {
		on := !flags[0].To
		for _, f := range flags {
			if f.At < r.at {
				on = f.To
			}
		}
		if on {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return roots
	}
	return found
}

// lastBeforeFreezing returns the last of several steps that an optimizer made over a parameter before it was
// frozen for good; ok is false if there were none.
func (a *analysis) lastBeforeFreezing(group inspect.Params, p graph.TensorID) (last graph.Pos, ok bool) {
	on, off := group.At, graph.Pos(-1)
	for _, f := range a.flaggings(p) {
		switch {
		case f.To:
			on, off = max(on, f.At), -1
		case off < 0:
			off = f.At
		}
	}
	steps := a.stepsOf(group)
	first, end := stepsBefore(steps, on), stepsBefore(steps, off)
	if off < 0 || end-first < 2 {
		return 0, false
	}
	return steps[end-1].At, true
}

// flaggings returns the changes of requires_grad of a tensor, in order.
func (a *analysis) flaggings(id graph.TensorID) []inspect.Flagging {
	if a.flags == nil {
		a.flags = map[graph.TensorID][]inspect.Flagging{}
		for _, f := range a.h.Flaggings() {
			a.flags[f.Tensor] = append(a.flags[f.Tensor], f)
		}
	}
	return a.flags[id]
}

// lastStep returns the last step that an optimizer may have made; ok is false if there is none.
// A program that has stepped and comes again to the line that made the optimizer has replaced it
// there, as the next fold or run of a training does.
func (a *analysis) lastStep(group inspect.Params) (p graph.Pos, ok bool) {
	steps := a.stepsOf(group)
	first := stepsBefore(steps, group.At)
	if first == len(steps) {
		return 0, false
	}
	for _, next := range a.h.Optimizers() {
		if next.Stack == group.Stack && next.At > steps[first].At {
			return steps[stepsBefore(steps, next.At)-1].At, true
		}
	}
	return steps[len(steps)-1].At, true
}

// stepsOf returns the steps that an optimizer may have made.
func (a *analysis) stepsOf(group inspect.Params) []inspect.Step {
	if a.steps == nil {
		a.steps = map[uint32][]inspect.Step{}
		for _, s := range a.h.Steps() {
			a.steps[s.Number] = append(a.steps[s.Number], s)
		}
	}
	if group.Number == 0 || len(a.steps[0]) > 0 {
		return a.h.Steps()
	}
	return a.steps[group.Number]
}

// stepsBefore counts the steps before p.
func stepsBefore(steps []inspect.Step, p graph.Pos) int {
	n, _ := slices.BinarySearchFunc(steps, p, func(s inspect.Step, p graph.Pos) int { return cmp.Compare(s.At, p) })
	return n
}

// zero looks at leaves whose gradients were all exactly zero because of an operation whose
// derivative is zero everywhere.
func (a *analysis) zero() {
	passes := a.h.Passes()
	if len(passes) < 2 {
		return
	}
	roots := a.rootsBefore(passes[len(passes)-1].At + 1)
	for _, t := range slices.Sorted(maps.Keys(a.got)) {
		if c := a.got[t]; c.Zero && !a.explained[t] {
			if f, ok := a.firstBlock(roots, t); ok && a.zeroDerivative(f) {
				a.notDifferentiable(gap{target: t, at: c.First, label: "its gradient is zero here"}, f)
			}
		}
	}
}

// explain finds what keeps the gradient of a gap from its target, which could have
// one.
func (a *analysis) explain(g gap) {
	if _, open := a.passable(g.roots, g.target); open {
		a.open = append(a.open, g)
		return
	}
	if a.partial(g.roots) {
		// No pass brought a gradient, and perhaps it is known what the first ones lacked.
		g.roots = a.rootsAfter(a.h.Tensor(g.target).Created)
		if _, open := a.passable(g.roots, g.target); open || len(g.roots) == 0 || a.partial(g.roots) {
			return
		}
	}
	if f, ok := a.firstBlock(g.roots, g.target); ok {
		a.cut(g, f)
		return
	}
	if a.throughGradients(g) {
		return
	}
	if exit, ok := a.exit(g); ok {
		a.left(g, exit)
		return
	}
	a.unreached(g)
}

// cut reports the flow that a gradient cannot go back through.
func (a *analysis) cut(g gap, f inspect.Flow) {
	switch {
	case g.asks && (f.Cut == graph.CutDetach || f.Cut == graph.CutNoGrad): // to see that it is kept out
	case f.Cut == graph.CutInteger && a.checkpointed(f):
		a.switchedOff(g, f)
	case a.zeroDerivative(f), f.Cut == graph.CutInteger:
		a.notDifferentiable(g, f)
	case f.Cut == graph.CutNoGrad:
		a.switchedOff(g, f)
	case f.Cut == graph.CutParameter, f.Cut == graph.CutCopy, f.Cut == graph.CutDeepcopy, a.wrapped(f), a.deepCopied(f):
		a.rewrapped(g, f)
	default:
		a.detached(g, f)
	}
}

// withoutHistory looks at a tensor that does not require grad and from which, or to
// which, a gradient should go. loss: it is where a backward pass was to begin.
func (a *analysis) withoutHistory(g gap, loss bool) {
	if a.updated(g) || loss && a.usesUpdate(g) {
		return
	}
	w := a.waysTo(rootAt{g.target, g.at})
	if loss && a.usesGradients(g, w) {
		return
	}
	if f, ok := a.frontier(w, g.at); ok {
		a.cut(g, f)
		return
	}
	if loss {
		a.frozen(g, w)
	}
}
