package rules

import (
	"fmt"
	"regexp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var staleGraphAcrossIterations = inspect.Rule{
	Code:     "stale-graph-across-iterations",
	Severity: inspect.SeverityError,
	Title:    "A tensor with history from an earlier iteration, or from before the loop, is used again.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onFailure(check, staleGraph, reportStaleGraph)
	},
}

// maxKept bounds how many lines are named for one tensor that was kept.
const maxKept = 3

func reportStaleGraph(check *inspect.Checker, f failure) {
	pass := check.Pass(f.pass)
	old := func(n graph.Node) bool { return n.Variable == 0 && !check.SameIterationAsPass(n.Created, pass.At) }
	hang := joints(check.History, f, old)
	finding := inspect.Finding{
		Severity: f.severity,
		Message:  fmt.Sprintf("%s comes from an earlier iteration, whose graph was freed", f.node.Name),
		Help:     "cut the history between iterations: keep the tensor's .detach()",
		At:       f.at,
		Symptom:  f.at,
		Evidence: facts(check.At(f.node.Created, fmt.Sprintf("%s was made before this iteration began", f.node.Name))),
	}
	made := check.At(f.node.Created, "the old graph was built here")
	var kept []inspect.Span
	for _, j := range hang {
		kept = append(kept, check.Kept(j.tensor, check.StackAt(j.reader), j.reader, "keeps a tensor with its history for the next iteration")...)
	}
	if len(kept) > 0 && hang[0].tensor != 0 {
		t := hang[0].tensor
		finding.Tensors = append(finding.Tensors, check.Name(t))
		finding.Message = check.Called(t) + " carries the graph of an earlier iteration into this one"
		name := check.Name(t)
		if m := target.FindStringSubmatch(check.LineText(kept[0].File, kept[0].Line)); m != nil {
			name = m[1]
		}
		if name != "" {
			finding.Help = fmt.Sprintf("cut the history where the iteration begins: `%[1]s = %[1]s.detach()`, or recompute it", name)
		}
		if once(check.History, hang[0].node) {
			finding.Message = check.Called(t) + " was computed once before the loop, and each iteration needs its graph"
			if leaf, ok := foreignLeaf(check.History, hang[0].node); ok {
				kept = append([]inspect.Span{check.At(check.Tensor(leaf).Created, "the history begins here: this leaf requires grad"), made}, kept...)
				finding.Help = "create the constant without requires_grad, or detach what was computed from it"
			}
		}
	}
	if len(hang) > 0 {
		kept = append(droppedDetach(check.History, hang[0].tensor), kept...)
	}
	kept = append(inspect.Lines(kept, maxKept), made)
	finding.Primary = kept[0]
	finding.Related = kept[1:]
	if len(hang) > 0 {
		finding.Related = append(finding.Related, check.At(hang[0].reader, "used again here"))
	}
	finding.Related = append(finding.Related, check.At(f.at, "this backward pass fails"))
	if first := check.Pass(f.freedBy); f.freedBy != 0 {
		finding.Evidence = append(finding.Evidence, facts(check.In(first.Stack, first.At, "this pass freed what it had saved"))...)
		finding.Instead = []inspect.Alternative{not("second-backward", "the two passes are of different iterations")}
	} else if len(f.writes) > 0 {
		w := f.writes[0]
		finding.Evidence = append(finding.Evidence, facts(check.In(w.Stack, w.At, fmt.Sprintf("%s, which it had saved, went from version %d to %d", check.Called(w.Tensor), w.From, w.To)))...)
		finding.Instead = []inspect.Alternative{
			not("inplace-saved-tensor", "the change would do no harm if each iteration had a graph of its own"),
			not("stepped-before-backward", "the change would do no harm if each iteration had a graph of its own"),
		}
	}
	if len(hang) > 0 {
		finding.Evidence = append(finding.Evidence, facts(check.At(hang[0].reader, "this iteration builds on its result"))...)
	}
	finding.Evidence = append(finding.Evidence, caught(check.History, f.severity, f.at)...)
	check.Report(finding)
}

// droppedDetach returns the statement that detaches a tensor and drops the result: `h.detach()`.
func droppedDetach(h *inspect.History, id graph.TensorID) []inspect.Span {
	for i, t := range h.Tensors().All() {
		for _, f := range t.Cuts {
			if f.From != id || f.Cut != graph.CutDetach || len(t.Names) > 0 || len(h.Uses(graph.TensorID(i))) > 0 {
				continue
			}
			line := h.In(f.Stack, f.At, "the result is dropped: detach() does not change the tensor itself")
			if discarding.MatchString(h.LineText(line.File, line.Line)) {
				return []inspect.Span{line}
			}
		}
	}
	return nil
}

// discarding is a statement that is nothing but calls of detach().
var discarding = regexp.MustCompile(`^\s*(?:[\w.\[\]]+\.detach\(\)[\s,;]*)+(?:#.*)?$`)

// target is the name on the left of an assignment.
var target = regexp.MustCompile(`^\s*([A-Za-z_][\w.]*)\s*=[^=]`)

// once reports whether the program came to a node's line one time only.
func once(h *inspect.History, n graph.Node) bool {
	op := h.NodeOp(n.ID)
	return op != nil && h.Visits(op.Stack) == 1
}

// foreignLeaf returns a leaf behind a node that requires grad but is never updated.
func foreignLeaf(h *inspect.History, n graph.Node) (graph.TensorID, bool) {
	trained := map[graph.TensorID]bool{}
	for _, u := range h.Updates().All() {
		if u.At > n.Created {
			trained[u.Tensor] = true
		}
	}
	for _, p := range append(h.Optimizers(), h.Modules()...) {
		for _, t := range p.Tensors {
			trained[t] = true
		}
	}
	queue, seen := []graph.NodeID{n.ID}, map[graph.NodeID]bool{0: true}
	for ; len(queue) > 0; queue = queue[1:] {
		n, ok := h.Graph().Node(queue[0])
		if !ok || seen[n.ID] {
			continue
		}
		seen[n.ID] = true
		if n.Variable != 0 && !trained[n.Variable] {
			return n.Variable, true
		}
		for _, e := range n.Edges {
			queue = append(queue, e.Node)
		}
	}
	return 0, false
}
