package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var frozenNormUpdates = inspect.Rule{
	Code:     "frozen-norm-updates",
	Severity: inspect.SeverityWarning,
	Title:    "A frozen batch normalization was put into evaluation mode, and train() has undone it.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &thawedNorm{
			noted: noted{check: check}, frozen: map[graph.TensorID]bool{}, evaluated: map[graph.TensorID]visit{},
			undone: map[graph.TensorID]visit{}, reported: map[graph.StackID]bool{},
		}
	},
}

// thawedNorm looks for batch normalization whose weight is frozen, that eval() was called for, and
// that trains again. One that was never in evaluation mode may be meant to follow the data.
type thawedNorm struct {
	noted
	frozen    map[graph.TensorID]bool
	evaluated map[graph.TensorID]visit // parameters by the last eval() of their module
	undone    map[graph.TensorID]visit // by the train() after it
	reported  map[graph.StackID]bool
}

// Event follows flags and modes, and looks at normalizations.
func (w *thawedNorm) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.RequiresGrad:
		w.frozen[e.Tensor] = !e.To
	case *graph.Called:
		switch w.check.Tape().String(e.Function) {
		case "Module.eval":
			for _, t := range e.Tensors {
				w.evaluated[t] = visit{p, head.Stack}
				delete(w.undone, t)
			}
		case "Module.train":
			for _, t := range e.Tensors {
				if _, ok := w.evaluated[t]; ok {
					w.undone[t] = visit{p, head.Stack}
				}
			}
		}
	case *graph.OpRan:
		if strings.HasSuffix(w.check.Tape().String(e.Op), "batch_norm") && w.check.Graph().ModeOn(head.Thread, graph.GradMode) && trainsNorm(w.check, head.Thread) {
			w.look(p, e.Inputs)
		}
	}
}

// trainsNorm reports whether a batch normalization in training mode runs in a thread.
func trainsNorm(check *inspect.Checker, thread graph.ThreadID) bool {
	m, ok := check.Graph().Module(check.Graph().ModuleOf(thread))
	return ok && m.Mode == graph.ModeTraining && strings.Contains(m.Type, "BatchNorm")
}

func (w *thawedNorm) look(p graph.Pos, inputs []graph.TensorID) {
	for _, t := range inputs {
		call, undone := w.undone[t]
		if !undone || !w.frozen[t] || w.reported[call.stack] {
			continue
		}
		w.reported[call.stack] = true
		eval := w.evaluated[t]
		if call.stack == eval.stack {
			continue
		}
		primary := w.check.In(eval.stack, eval.at, "its evaluation mode does not last")
		second := w.check.In(call.stack, call.at, "switches all modules back to training mode")
		help := "call .eval() of the frozen modules after each .train(), or override train() of the model"
		if w.overridden(eval.stack, second.Frame) {
			primary, second = second, primary
			help = "call super().train(mode) first, and then .eval() of the frozen modules"
		}
		w.found = append(w.found, inspect.Finding{
			Message: "a frozen batch normalization normalizes by the batch again and updates its running averages",
			Primary: primary,
			Related: []inspect.Span{second, w.check.At(p, "runs in training mode")},
			Tensors: names(w.check.History, t),
			Help:    help,
			Evidence: facts(
				w.check.At(p, "the module is in training mode here, and its weight does not require grad"),
				w.check.In(eval.stack, eval.at, "eval() was called for it"),
				w.check.In(call.stack, call.at, "train() was called for it after that"),
			),
			At:      p,
			Symptom: -1,
		})
		return
	}
}

// overridden reports whether a call of train() is of the base class, in a method train() that has called
// eval() at a stack before it.
func (w *thawedNorm) overridden(eval graph.StackID, train graph.Frame) bool {
	if !baseTrain.MatchString(w.check.Text(train)) {
		return false
	}
	return slices.ContainsFunc(w.check.Tape().Stack(eval), func(f graph.Frame) bool {
		return f.File == train.File && f.Func == train.Func && f.Line < train.Line
	})
}

// baseTrain matches a call of the method train() of a base class.
var baseTrain = regexp.MustCompile(`\bsuper\(.*\)\.train\(|\bModule\.train\(`)
