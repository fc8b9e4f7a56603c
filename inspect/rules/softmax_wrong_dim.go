package rules

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var softmaxWrongDim = inspect.Rule{
	Code:     "softmax-wrong-dim",
	Severity: inspect.SeverityWarning,
	Title:    "A softmax normalizes over the batch, and classes are taken from another dimension.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &acrossBatch{noted: noted{check: check}, over: map[graph.TensorID]visit{}, reported: map[graph.StackID]bool{}}
	},
}

// acrossBatch looks for softmaxes over the first dimension whose result is used as one
// distribution for each row. What a softmax should normalize over is only known from its use:
// attention over time steps or nodes may well be over the first dimension.
type acrossBatch struct {
	noted
	over     map[graph.TensorID]visit // results of such softmaxes, and what keeps their dimensions
	reported map[graph.StackID]bool
}

// keepsDims are the operations after which a dimension is still the same one.
var keepsDims = map[string]bool{"log": true, "clamp": true, "clamp_min": true, "add": true, "neg": true, "clone": true, "to": true, "_to_copy": true, "detach": true}

// Event follows the results.
func (w *acrossBatch) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorReleased:
		delete(w.over, e.Tensor)
	case *graph.OpRan:
		if len(e.Inputs) == 0 || len(e.Outputs) == 0 {
			return
		}
		name := strings.TrimPrefix(w.check.Tape().String(e.Op), "_")
		from, follows := w.over[e.Inputs[0]]
		switch shape := w.check.Tensor(e.Inputs[0]).Shape; {
		case name == "softmax" || name == "log_softmax":
			if dim, ok := firstInt(e.Attrs); ok && len(shape) == 2 && shape[0] > 1 && shape[1] > 1 && (dim == 0 || dim == -2) {
				w.over[e.Outputs[0]] = visit{p, head.Stack}
			}
		case follows && keepsDims[name]:
			w.over[e.Outputs[0]] = from
		case follows && w.takesRows(name, e):
			w.report(p, head, e.Inputs[0], from)
		}
	}
}

// takesRows reports whether an operation takes each row as a distribution.
func (w *acrossBatch) takesRows(name string, e *graph.OpRan) bool {
	switch {
	case strings.HasPrefix(name, "nll_loss"), name == "multinomial":
		return true
	case name == "argmax":
		dim, ok := firstInt(e.Attrs)
		return ok && (dim == 1 || dim == -1)
	}
	return false
}

// firstInt returns the first argument that is an integer: the dimension of a softmax.
func firstInt(attrs []graph.Attr) (int64, bool) {
	for _, a := range attrs {
		if (a.Type == graph.AttrInt || a.Type == graph.AttrUint) && len(a.Ints) == 1 {
			return a.Ints[0], true
		}
	}
	return 0, false
}

func (w *acrossBatch) report(p graph.Pos, head graph.Header, t graph.TensorID, from visit) {
	if w.reported[from.stack] {
		return
	}
	w.reported[from.stack] = true
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf("the columns of %s add up to 1, not its rows: the softmax is over the batch", w.check.Called(t)),
		Primary: w.check.In(from.stack, from.at, "normalizes over dimension 0"),
		Related: []inspect.Span{w.check.In(head.Stack, p, "takes one distribution from each row")},
		Tensors: names(w.check.History, t),
		Help:    "normalize over the classes: dim=1, or dim=-1",
		At:      p,
		Symptom: -1,
	})
}
