package rules

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A failure is a backward pass that ended with an error, and the cause of that. Each
// failure has one cause, so that one rule reports it.
type failure struct {
	at      graph.Pos
	pass    graph.BackwardID
	node    graph.Node // that failed, in the graph at that moment
	cause   cause
	freedBy graph.BackwardID // the pass that freed what the node had saved
	saved   graph.SavedTensor
	write   inspect.Write // the first change of the saved tensor after it was saved
}

// A cause says why a backward pass failed.
type cause uint8

const (
	otherCause           cause = iota
	freedInThisIteration       // an earlier pass of the same iteration freed the graph
	staleGraph                 // part of the graph is from an earlier iteration, or from before the loop
	steppedSince               // an optimizer, or the program in its stead, changed a weight
	modifiedSince              // the program changed a saved tensor in place
)

// onFailure watches for backward passes that fail.
func onFailure(h *inspect.History, report func(failure)) inspect.Observer {
	return failures{h, report}
}

type failures struct {
	h      *inspect.History
	report func(failure)
}

func (w failures) End() {}

func (w failures) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	if failed, ok := e.(*graph.BackwardFailed); ok {
		w.report(classify(w.h, p, failed))
	}
}

// classify finds the cause of a failure.
func classify(h *inspect.History, at graph.Pos, e *graph.BackwardFailed) failure {
	f := failure{at: at, pass: e.Backward}
	n, ok := h.Graph().Node(e.Node)
	if !ok {
		return f
	}
	f.node = n
	began := h.Passes()[e.Backward].At
	for _, s := range n.Saved {
		if s.Modified() {
			f.saved = s
			break
		}
	}
	by := passOf(h.Tape(), n)
	switch {
	case by != 0 && by != e.Backward:
		f.freedBy = by
		f.cause = freedInThisIteration
		if !h.SameIteration(n.Created, began) {
			f.cause = staleGraph
		}
	case f.saved.Tensor != 0:
		w, found := firstWrite(h, f.saved)
		f.write = w
		switch {
		case !found:
		case !h.SameIteration(n.Created, began):
			f.cause = staleGraph
		case w.Step >= 0:
			f.cause = steppedSince
		default:
			f.cause = modifiedSince
		}
	}
	return f
}

// firstWrite is the change that moved a saved tensor's version away from the one
// that was saved.
func firstWrite(h *inspect.History, s graph.SavedTensor) (inspect.Write, bool) {
	t := h.Tensor(s.Tensor)
	if t == nil {
		return inspect.Write{}, false
	}
	for _, w := range h.Writes() {
		if w.From >= s.Version && h.Tensor(w.Tensor).Counter == t.Counter {
			return w, true
		}
	}
	return inspect.Write{}, false
}
