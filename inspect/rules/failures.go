package rules

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// A failure is a backward pass that ended with an error, and its cause. Each failure has one
// cause, so that one rule reports it.
type failure struct {
	at       graph.Pos
	pass     graph.BackwardID
	node     graph.Node // that failed, in the graph at that moment
	message  string
	cause    cause
	class    string           // the custom Function that is to blame; "": the one of the node, if any
	freedBy  graph.BackwardID // the pass that freed what the node had saved
	saved    graph.SavedTensor
	writes   []inspect.Write // the changes of the saved tensor after it was saved
	severity inspect.Severity
}

// A cause says why a backward pass failed.
type cause uint8

const (
	otherCause           cause = iota
	freedInThisIteration       // an earlier pass of the same iteration freed the graph
	freedForTerm               // an autograd.grad() freed the graph, and the loss has its result as a term
	staleGraph                 // part of the graph is from an earlier iteration, or from before the loop
	steppedSince               // an optimizer, or the program in its stead, changed a weight
	modifiedSince              // the program changed a saved tensor in place
	brokenFunction             // a custom Function broke its contract
	brokenHook                 // a hook did
)

// onFailure reports the backward passes that failed with a cause, at the end, when
// all sources are known.
func onFailure(check *inspect.Checker, of cause, report func(*inspect.Checker, failure)) inspect.Observer {
	return &failures{check: check, cause: of, report: report}
}

type failures struct {
	check  *inspect.Checker
	cause  cause
	report func(*inspect.Checker, failure)
	found  []failure
}

func (w *failures) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	if failed, ok := e.(*graph.BackwardFailed); ok {
		if f := classify(w.check.History, p, failed); f.cause == w.cause {
			w.found = append(w.found, f)
			w.check.Remember(p)
		}
	}
}

func (w *failures) End() {
	for _, f := range w.found {
		f.severity = severity(w.check.History, f.at)
		w.report(w.check, f)
	}
}

// classify finds the cause of a failure.
func classify(h *inspect.History, at graph.Pos, e *graph.BackwardFailed) failure {
	f := failure{at: at, pass: e.Backward, message: e.Message}
	n, ok := h.Graph().Node(e.Node)
	if !ok {
		return f
	}
	f.node = n
	for _, s := range n.Saved {
		if s.Modified() {
			f.saved, f.writes = s, writesSince(h, s)
			break
		}
	}
	f.freedBy = lookup.FreedBy(h.Tape(), n)
	began := h.Pass(e.Backward).At
	switch {
	case strings.Contains(e.Message, "backward through the graph a second time") && f.freedBy != 0 && f.freedBy != e.Backward:
		f.cause = freedInThisIteration
		if !h.SameIterationAsPass(n.Created, began) && !builtAhead(h, e.Backward) {
			f.cause = staleGraph
		} else if addsGradient(h, f) {
			f.cause = freedForTerm
		}
	case strings.Contains(e.Message, "modified by an inplace operation") && len(f.writes) > 0:
		if f.class = unmarked(h, f.writes[0]); f.class != "" {
			f.cause = brokenFunction
			break
		}
		f.cause = causeOfWrite(h, f, began)
	case strings.Contains(e.Message, "hook"):
		f.cause = brokenHook
	case customFunction(n.Name) != "":
		f.cause = brokenFunction
	}
	return f
}

// unmarked returns the custom Function whose forward method modified a tensor in place and does not
// call mark_dirty; "" if none did.
func unmarked(h *inspect.History, w inspect.Write) string {
	if _, method, _ := strings.Cut(h.Tape().Stack(w.Stack).Top().Func, "."); method != "forward" {
		return ""
	}
	class := classOf(h, w.Stack)
	if class == "" || len(functionsOf(h)[class].lines("forward", dirtying, "")) > 0 {
		return ""
	}
	return class
}

func causeOfWrite(h *inspect.History, f failure, began graph.Pos) cause {
	w := f.writes[0]
	top := h.Tape().Stack(w.Stack).Top()
	class := customFunction(f.node.Name)
	switch {
	case class != "" && (top.Func == class+".forward" || top.Func == class+".backward"):
		return brokenFunction
	case !h.SameIterationAsPass(f.node.Created, began) && !builtAhead(h, f.pass):
		return staleGraph
	case w.Step >= 0 || usesGradient(h, w):
		return steppedSince
	}
	return modifiedSince
}

// builtAhead reports whether a loop has reached a loss that is one of several computed before the
// loop and had no backward pass yet.
func builtAhead(h *inspect.History, pass graph.BackwardID) bool {
	p := h.Pass(pass)
	others := false
	for _, root := range p.Roots {
		if h.SameIterationAsPass(h.Tensor(root.Tensor).Created, p.At) {
			return false
		}
		for _, earlier := range h.Passes()[1:max(1, min(int(pass), len(h.Passes())))] {
			if slices.ContainsFunc(earlier.Roots, func(r inspect.Root) bool { return r.Tensor == root.Tensor }) {
				return false
			}
			others = others || earlier.Stack == p.Stack && len(earlier.Roots) > 0 && h.Tensor(earlier.Roots[0].Tensor).Created < p.At
		}
	}
	return others
}

// usesGradient reports whether a change of a leaf takes its values from a gradient, as in a
// training step without an optimizer.
func usesGradient(h *inspect.History, w inspect.Write) bool {
	if w.Op < 0 {
		return false
	}
	op := h.Op(w.Op)
	var inputs []graph.TensorID
	for _, in := range op.Inputs {
		if in != 0 && in != w.Tensor {
			inputs = append(inputs, in)
		}
	}
	updated := func(f inspect.Flow) bool { return f.From == w.Tensor }
	for id := range h.Ancestry(inputs, updated) {
		if _, ok := h.GradOf(id); ok || h.Tensor(id).Flags&graph.FlagGradient != 0 {
			return true
		}
	}
	return false
}

// writesSince returns the changes of a saved tensor after it was saved.
func writesSince(h *inspect.History, s graph.SavedTensor) (since []inspect.Write) {
	t := h.Tensor(s.Tensor)
	if !t.Known() {
		return nil
	}
	for _, w := range h.Writes().All() {
		if w.From >= s.Version && h.Tensor(w.Tensor).Counter == t.Counter {
			since = append(since, *w)
		}
	}
	return since
}

// customFunction returns the class of the autograd.Function that a node belongs to; "" for
// the node of an operator, whose name ends with a digit.
func customFunction(node string) string {
	class, ok := strings.CutSuffix(node, "Backward")
	if !ok || class == "BackwardHookFunction" {
		return ""
	}
	return class
}
