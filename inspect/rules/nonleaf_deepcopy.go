package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var nonleafDeepcopy = inspect.Rule{
	Code:     "nonleaf-deepcopy",
	Severity: inspect.SeverityError,
	Title:    "An object with a non-leaf tensor as an attribute was deep-copied.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onRaised(check, reportNonleafCopy, "not-leaf")
	},
}

func reportNonleafCopy(check *inspect.Checker, r inspect.Raise, severity inspect.Severity) {
	if !mentions(r.Message, "deepcopy protocol") {
		return
	}
	copied := firstTensor(r)
	copier := programFrame(check.History, r.Stack)
	label := "keeps a non-leaf tensor"
	kept := attributes(check.History, copied, r.At, label)
	class, name := "", "self.x"
	if t := check.Tensor(copied); t.Known() {
		for _, n := range t.Names {
			if before, _, method := strings.Cut(n.Scope, "."); method && strings.HasPrefix(n.Name, "self.") {
				class, name = before, n.Name
			}
		}
	}
	// The object's other results would be next.
	for id, t := range check.Tensors().Backward(check.TensorCount() + 1) {
		if class == "" {
			break
		}
		now, _ := check.Graph().Tensor(graph.TensorID(id))
		if t.Op < 0 || now.Leaf() || t.Released >= 0 && t.Released < r.At {
			continue
		}
		for _, n := range t.Names {
			if n.Lost < 0 && strings.HasPrefix(n.Name, "self.") && strings.HasPrefix(n.Scope, class+".") {
				kept = append(kept, check.Assigned(n, "keeps another one"))
			}
		}
	}
	kept = inspect.Lines(slices.DeleteFunc(kept, func(s inspect.Span) bool { return inCopyModule(s.Frame) }), 4)
	if len(kept) == 0 {
		return
	}
	check.Report(inspect.Finding{
		Severity: severity,
		Message:  check.Called(copied) + " is the result of an operation, and only leaves can be deep-copied",
		Primary:  kept[0],
		Related:  append(kept[1:], inspect.Span{Frame: copier, Label: "deep-copied here", At: r.At}),
		Tensors:  []string{check.Name(copied)},
		Help:     fmt.Sprintf("compute it where it is used, or keep a leaf: `%[1]s = %[1]s.detach()`", name),
		Evidence: append(facts(
			check.At(created(check.History, copied), check.Called(copied)+" is computed here, with a history"),
			inspect.Span{Frame: copier, Label: "this copy reaches it", At: r.At},
		), caught(check.History, severity, r.At)...),
		At:      r.At,
		Symptom: r.At,
	})
}

// attributes returns the assignments that keep a tensor, those to attributes first.
func attributes(h *inspect.History, id graph.TensorID, before graph.Pos, label string) (spans []inspect.Span) {
	t := h.Tensor(id)
	if !t.Known() {
		return nil
	}
	for _, n := range t.Names {
		span := h.Assigned(n, label)
		if strings.Contains(n.Name, ".") && n.At < before && inspect.Mentions(h.LineText(span.File, span.Line), n.Name) {
			spans = append(spans, span)
		}
	}
	return append(spans, h.Kept(id, 0, before, label)...)
}

// programFrame returns the innermost frame that is not in Python's own copy module.
func programFrame(h *inspect.History, s graph.StackID) graph.Frame {
	stack := h.Tape().Stack(s)
	for _, f := range stack {
		if !inCopyModule(f) {
			return f
		}
	}
	return stack.Top()
}

func inCopyModule(f graph.Frame) bool { return strings.HasSuffix(f.File, "/copy.py") }
