package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var gradientNeverArrives = inspect.Rule{
	Code:     "gradient-never-arrives",
	Severity: inspect.SeverityWarning,
	Title:    "The program uses a gradient, or an optimizer waits for one, that no backward pass gives.",
	Last:     true,
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &waiting{check: check}
	},
}

// waiting looks at the end for gradients that are missing. Until the first backward pass it notes what a pass could
// begin from, and then the nodes that return no gradient.
type waiting struct {
	check  *inspect.Checker
	silent []graph.NodeID // one for each call stack
	scalar graph.TensorID // the newest scalar that was computed from what requires grad
	made   visit
	count  int
}

// Event notes scalars and nodes.
func (w *waiting) Event(p graph.Pos, head graph.Header, e graph.Event) {
	if e, ok := e.(*graph.NodeExecuted); ok {
		w.ran(e)
		return
	}
	op, ok := e.(*graph.OpRan)
	if !ok || op.Node == 0 || len(op.Outputs) == 0 || len(w.check.Passes()) > 1 {
		return
	}
	if t := w.check.Tensor(op.Outputs[0]); t.Known() && len(t.Shape) == 0 {
		w.scalar, w.made = op.Outputs[0], visit{p, head.Stack}
		w.count++
	}
}

// ran notes a node that gets a gradient and returns none where it has an edge.
func (w *waiting) ran(e *graph.NodeExecuted) {
	const most = 16
	undefined := func(g graph.Grad) bool { return !g.Defined() }
	if len(w.silent) == most || !slices.ContainsFunc(e.Out, undefined) || !slices.ContainsFunc(e.In, graph.Grad.Defined) {
		return
	}
	node, ok := w.check.Graph().Node(e.Node)
	if !ok || len(node.Edges) != len(e.Out) {
		return
	}
	line := w.check.StackAt(node.Created)
	known := slices.ContainsFunc(w.silent, func(n graph.NodeID) bool { return w.check.StackAt(w.check.NodeMade(n)) == line })
	for i, g := range e.Out {
		if node.Edges[i].Node != 0 && !g.Defined() && !known {
			w.silent = append(w.silent, e.Node)
			return
		}
	}
}

// End reports what waits for a gradient.
func (w *waiting) End() {
	if w.fails() {
		return
	}
	if _, failed := w.check.Failed(); failed || explained(w.check, gradientNeverArrives.Code) {
		return
	}
	if w.neverBegins() {
		return
	}
	for _, g := range missingOf(w.check.History).open {
		if w.notGiven(g) {
			return
		}
	}
}

// fails reports a program that fails where it reads a gradient that is None.
func (w *waiting) fails() bool {
	check := w.check
	at, failed := check.Failed()
	if !failed || slices.ContainsFunc(check.Before(), func(f inspect.Finding) bool { return check.Explains(&f) }) {
		return false
	}
	end := failedWith(check.History, at)
	if end == nil || !strings.Contains(end.Message, "NoneType") {
		return false
	}
	i := slices.IndexFunc(check.MissingGrads(), func(r inspect.MissingGrad) bool {
		return r.At < at && slices.ContainsFunc(check.Tape().Stack(check.StackAt(at)), func(f graph.Frame) bool {
			read := check.In(r.Stack, r.At, "").Frame
			return f.File == read.File && f.Line == read.Line
		})
	})
	if i < 0 {
		return false
	}
	read := check.MissingGrads()[i]
	name := check.Called(read.Tensor)
	f := inspect.Finding{
		Severity: inspect.SeverityError,
		Message:  fmt.Sprintf("the gradient of %s is None where the program uses it", name),
		Primary:  check.In(read.Stack, read.At, "reads a gradient that is not there"),
		Tensors:  names(check.History, read.Tensor),
		Help:     "call backward() before this line",
		Evidence: facts(check.In(read.Stack, read.At, ".grad is None here, and the program fails")),
		At:       read.At,
		Symptom:  at,
	}
	if len(check.Passes()) == 1 {
		f.Evidence = append(f.Evidence, facts(fact("no backward pass has run"))...)
		if w.scalar != 0 {
			f.Related = append(f.Related, check.In(w.made.stack, w.made.at, "backward() is not called from this result"))
		}
	}
	for _, m := range trainingOf(check.History).of(read.Tensor).All() {
		if m.kind == cleared && m.at() < read.At {
			f.Help = "read the gradient before zero_grad()"
			f.Related = append(f.Related[:0], check.In(m.stack, m.at(), "the gradient is cleared here"))
		}
	}
	check.Report(f)
	return true
}

// neverBegins reports a program that steps without a backward pass.
func (w *waiting) neverBegins() bool {
	check := w.check
	if len(check.Passes()) > 1 || len(check.AssignedGrads()) > 0 || len(check.Steps()) == 0 || w.scalar == 0 {
		return false
	}
	behind := check.Ancestry([]graph.TensorID{w.scalar}, nil)
	i := slices.IndexFunc(check.Optimizers(), func(o inspect.Params) bool {
		return slices.ContainsFunc(o.Tensors, func(p graph.TensorID) bool { _, ok := behind[p]; return ok })
	})
	if i < 0 {
		return false
	}
	step, name := check.Steps()[0], check.Called(w.scalar)
	f := inspect.Finding{
		Message: fmt.Sprintf("no backward pass runs: backward() is not called from %s", name),
		Primary: check.In(w.made.stack, w.made.at, "this is computed from parameters that an optimizer holds"),
		Related: []inspect.Span{
			check.In(step.Stack, step.At, "this step has no gradients"),
			check.At(check.Optimizers()[i].At, "this optimizer holds the parameters"),
		},
		Tensors: names(check.History, w.scalar),
		Help:    "call backward() on the loss before step()",
		At:      w.made.at,
		Symptom: -1,
		Evidence: facts(
			fact("the optimizer steps %s, and no backward pass runs in the whole program", times(len(check.Steps()))),
			check.In(w.made.stack, w.made.at, fmt.Sprintf("%s requires grad", name)),
		),
		Instead: []inspect.Alternative{not("step-order", "there is no gradient at any time")},
	}
	if len(check.Steps()) < 2 || w.count < 2 {
		f.Severity = inspect.SeverityHint
		f.Evidence = append(f.Evidence, doubts(fact("it happens only once"))...)
	}
	check.Report(f)
	return true
}

// notGiven reports a parameter that an optimizer holds, that a loss depends on, and that no pass gives a gradient.
func (w *waiting) notGiven(g gap) bool {
	const enough = 2 // passes
	check := w.check
	t, passes := check.Tensor(g.target), check.Passes()[1:]
	late := func(f inspect.Flagging) bool { return f.Tensor == g.target && f.At > t.Created }
	i := holding(check.History, g.target)
	if i < 0 || len(g.roots) == 0 || len(passes) < enough || slices.ContainsFunc(check.Flaggings(), late) {
		return false
	}
	name, group := check.Called(g.target), check.Optimizers()[i]
	holds := check.In(group.Stack, group.At, "this optimizer waits for its gradient")
	f := inspect.Finding{
		Message: fmt.Sprintf("%s never gets a gradient, although the loss depends on it", name),
		Primary: check.In(t.Stack, t.Created, "its gradient does not arrive"),
		Related: []inspect.Span{holds},
		Tensors: names(check.History, g.target),
		Help:    "look for hooks and functions between the loss and the parameter that return no gradient",
		At:      g.at,
		Symptom: -1,
		Evidence: facts(
			fact("none of %d backward passes gives it a gradient", len(passes)),
			check.At(g.roots[0].at, "this pass begins from a loss that was computed from it"),
			holds,
		),
		Instead: []inspect.Alternative{
			not("unused-parameter", "operations read it"),
			not("grad-none-detached", "every step from it to the loss can be differentiated"),
		},
	}
	for _, n := range w.silent {
		node, _ := check.Graph().Node(n)
		if !reaches(check.History, []inspect.Root{{Node: n}}, g.target) {
			continue
		}
		f.Primary = check.At(node.Created, fmt.Sprintf("%s returns no gradient for an operand", node.Name))
		f.Related = append(f.Related, check.In(t.Stack, t.Created, "it was made here"))
		f.Evidence = append(f.Evidence, facts(check.At(node.Created, fmt.Sprintf("a gradient comes into %s, and none goes on to %s", node.Name, name)))...)
		break
	}
	for _, pass := range passes {
		if len(pass.Inputs) > 0 && pass.Flags&graph.GradOnly == 0 && !slices.Contains(pass.Inputs, g.target) {
			f.Primary = check.In(pass.Stack, pass.At, "the inputs= of this pass leave it out")
			f.Related = append(f.Related, check.In(t.Stack, t.Created, "it was made here"))
			f.Help = "add it to inputs=, or call backward() without them"
			f.Evidence = append(f.Evidence, facts(check.In(pass.Stack, pass.At, fmt.Sprintf("backward() is given %s as inputs, without it", several(len(pass.Inputs), "tensor"))))...)
			break
		}
	}
	check.Report(f)
	return true
}
