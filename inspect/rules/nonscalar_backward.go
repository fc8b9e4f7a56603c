package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var nonscalarBackward = inspect.Rule{
	Code:     "nonscalar-backward",
	Severity: inspect.SeverityError,
	Title:    "backward() was called on a tensor with more than one element, without an initial gradient.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onRaised(check, reportNonscalar, "non-scalar")
	},
}

func reportNonscalar(check *inspect.Checker, r inspect.Raise, severity inspect.Severity) {
	root := firstNonscalar(check.History, r.Tensors)
	t := check.Tensor(root)
	if !t.Known() {
		return
	}
	loss := unreduced(check.History, root)
	made := check.At(check.Tensor(loss).Created, "made here, and not reduced")
	spans := returns(check.History, loss, r.Stack)
	assigned := assignments(check.History, loss, r.At)
	if len(spans) == 0 {
		spans, assigned = assigned, nil
	}
	spans = append(spans, made)
	if s, ok := reduction(check.History); ok {
		spans = append(spans, s)
	}
	spans = append(spans, assigned...)
	back := check.In(r.Stack, r.At, "backward() needs a scalar here")
	related := append(spans[1:], back)
	if loss != root {
		related = append(related, check.At(t.Created, "it became part of the loss here"))
	}
	name := check.Name(loss)
	help := "reduce the loss: .mean() or .sum()"
	if name != "" {
		help = fmt.Sprintf("reduce the loss: `%[1]s.mean()` or `%[1]s.sum()`", name)
	}
	check.Report(inspect.Finding{
		Severity: severity,
		Message:  fmt.Sprintf("%s has %d elements, and backward() starts from a scalar", check.Called(loss), numel(check.Tensor(loss).Shape)),
		Primary:  spans[0],
		Related:  related,
		Tensors:  []string{name},
		Help:     help,
		Evidence: append(facts(
			check.At(check.Tensor(loss).Created, fmt.Sprintf("%s is made with the shape %s", check.Called(loss), inspect.ShapeText(check.Tensor(loss).Shape))),
			check.In(r.Stack, r.At, "this call gives no initial gradient"),
		), caught(check.History, severity, r.At)...),
		At:      r.At,
		Symptom: r.At,
	})
}

// firstNonscalar returns the first tensor with several elements.
func firstNonscalar(h *inspect.History, tensors []graph.TensorID) graph.TensorID {
	i := slices.IndexFunc(tensors, func(id graph.TensorID) bool { return numel(h.Tensor(id).Shape) != 1 })
	if i < 0 {
		return 0
	}
	return tensors[i]
}

func numel(shape []int) int {
	n := 1
	for _, size := range shape {
		n *= size
	}
	return n
}

// unreduced follows a sum of scalar terms and one term with several elements to that
// term.
func unreduced(h *inspect.History, id graph.TensorID) graph.TensorID {
	for range 100 {
		op := h.Maker(id)
		if op == nil || !slices.Contains([]string{"add", "sub", "mul", "div", "__add__", "__radd__", "neg"}, op.Name) {
			return id
		}
		next, scalars, wide := graph.TensorID(0), 0, 0
		for _, in := range op.Inputs {
			switch t := h.Tensor(in); {
			case !t.Known():
			case numel(t.Shape) != 1:
				next, wide = in, wide+1
			case h.Graph().RequiresGrad(in):
				scalars++
			}
		}
		weighted := h.Name(id) == "" && op.Name != "add" && op.Name != "sub"
		if wide != 1 || scalars == 0 && !weighted {
			return id
		}
		id = next
	}
	return id
}

// assignments returns the lines that gave a tensor its name outside the function that made it.
func assignments(h *inspect.History, id graph.TensorID, before graph.Pos) (spans []inspect.Span) {
	t := h.Tensor(id)
	for _, n := range t.Names {
		s := h.Assigned(n, "computed here, and not reduced")
		if n.At < before && s.Func != h.Tape().Stack(t.Stack).Top().Func {
			spans = append(spans, s)
		}
	}
	return inspect.Lines(spans, 1)
}

var returning = regexp.MustCompile(`^\s*return\b`)

// returns finds the return statements by which a tensor left functions that do not call
// backward.
func returns(h *inspect.History, id graph.TensorID, backward graph.StackID) (spans []inspect.Span) {
	t := h.Tensor(id)
	callers := map[string]bool{}
	for _, f := range h.Tape().Stack(backward) {
		callers[f.File+f.Func] = true
	}
	for _, f := range h.Tape().Stack(t.Stack) {
		if callers[f.File+f.Func] || strings.HasSuffix(f.Func, "<lambda>") {
			break
		}
		_, last := h.Function(f.File, f.Line)
		if line, ok := h.Find(f.File, f.Line, last, returning); ok {
			spans = append(spans, h.LineSpan(f.File, line, "returned here, and not reduced"))
		}
	}
	return inspect.Lines(spans, 2)
}

var unreducing = regexp.MustCompile(`reduction\s*=\s*["']none["']|\breduce\s*=\s*False`)

// reduction returns the line that switches off the reduction of a loss.
func reduction(h *inspect.History) (inspect.Span, bool) {
	for _, file := range h.Sources() {
		if n, ok := h.Find(file, 1, len(h.Source(file)), unreducing); ok {
			return h.LineSpan(file, n, "the reduction is switched off here"), true
		}
	}
	return inspect.Span{}, false
}
