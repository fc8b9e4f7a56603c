package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var unexplainedError = inspect.Rule{
	Code:     "unexplained-error",
	Severity: inspect.SeverityError,
	Title:    "The program ended with an error of PyTorch that no other rule explains.",
	Last:     true,
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &lastError{check: check}
	},
}

// lastError keeps the newest error of PyTorch, with what the operation that failed was given. At the end
// the tensors may be gone.
type lastError struct {
	check   *inspect.Checker
	at      graph.Pos
	kind    graph.StringID
	message string
	given   []inspect.Evidence
	tensors []graph.TensorID
}

// Event notes an error.
func (w *lastError) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.Raised:
		if w.kind == e.Type && w.message == e.Message && len(e.Tensors) == 0 {
			return // a backward pass hands it on
		}
		w.at, w.kind, w.message = p, e.Type, e.Message
		w.takes(e.Tensors)
	case *graph.BackwardFailed:
		w.at, w.kind, w.message = p, e.Type, e.Message
		w.takes(nil)
		if n, ok := w.check.Graph().Node(e.Node); ok {
			w.given = facts(w.check.At(n.Created, fmt.Sprintf("the pass fails at %s, which was made here", n.Name)))
		}
	}
}

// takes notes the tensors that an operation was given.
func (w *lastError) takes(tensors []graph.TensorID) {
	const most = 4
	w.given, w.tensors = nil, nil
	for _, id := range tensors[:min(most, len(tensors))] {
		t, ok := w.check.Graph().Tensor(id)
		if !ok {
			continue
		}
		if t.Flags&graph.FlagNumber != 0 {
			continue
		}
		name := "an operand"
		if len(names(w.check.History, id, w.check.Tensor(id).Base)) > 0 {
			name = w.check.Called(id)
		}
		what := fmt.Sprintf("%s has the shape %s and the dtype %s, on %s", name, inspect.ShapeText(t.Shape), t.DType, t.Device)
		w.given = append(w.given, facts(w.check.At(created(w.check.History, id), what))...)
		w.tensors = append(w.tensors, id)
	}
}

// End reports the error if it ended the program and nothing explains it.
func (w *lastError) End() {
	p, failed := w.check.Failed()
	if !failed || w.message == "" {
		return
	}
	end := failedWith(w.check.History, p)
	explained := func(f inspect.Finding) bool { return w.check.Explains(&f) }
	if end == nil || end.Type != w.kind || end.Message != w.message || slices.ContainsFunc(w.check.Before(), explained) {
		return
	}
	f := inspect.Finding{
		Message:  fmt.Sprintf("the program ends with %s: %s", w.check.Tape().String(end.Type), firstLine(end.Message)),
		Primary:  w.check.At(p, "fails here"),
		Related:  w.check.Callers(p),
		Tensors:  names(w.check.History, w.tensors...),
		Evidence: append(facts(w.check.At(w.at, "PyTorch raises this error, and nothing catches it")), w.given...),
		Help:     "follow the error from this line back to what it is about",
		At:       w.at,
		Symptom:  w.at,
	}
	if len(w.tensors) > 0 {
		f.Help = "compare the shapes, dtypes and devices of what this line is given with what the error asks for"
	}
	for i, id := range w.tensors {
		s := w.given[i].Span
		s.Label = fmt.Sprintf("%s, of shape %s, was made here", w.check.Called(id), inspect.ShapeText(w.check.Tensor(id).Shape))
		f.Related = append(f.Related, s)
	}
	w.check.Report(f)
}
