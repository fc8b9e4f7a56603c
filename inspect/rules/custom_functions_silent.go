package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// silentFunctions finds custom Functions of the program whose gradients are wrong although nothing
// fails.
func silentFunctions(check *inspect.Checker) {
	functions := functionsOf(check.History)
	maps.DeleteFunc(functions, func(_ string, f function) bool { return inspect.IsLibrary(f.file) })
	if len(functions) == 0 {
		return
	}
	applied := map[string][]int{} // by class: the ops
	for i, op := range check.Ops().All() {
		if _, ok := functions[op.Name]; ok {
			applied[op.Name] = append(applied[op.Name], i)
		}
	}
	classes := make([]string, 0, len(applied))
	for class := range applied {
		classes = append(classes, class)
	}
	sort.Strings(classes)
	for _, class := range classes {
		ignoredGradient(check, functions[class], applied[class])
		forgottenMean(check, functions[class], applied[class])
	}
	for _, w := range check.Writes().All() {
		if w.Op < 0 {
			continue // found later, where it was not made: the engine adds up gradients in place, too
		}
		class, method, _ := strings.Cut(check.Tape().Stack(w.Stack).Top().Func, ".")
		switch f, ok := functions[class]; {
		case !ok:
		case method == "forward" && w.Pass == 0:
			unmarkedInput(check, f, applied[class], *w)
		case method == "backward" && w.Pass != 0:
			changedGradient(check, f, applied[class], *w)
		}
	}
}

var zeroes = regexp.MustCompile(`^\s*return\s+(\(?\s*(None|torch\.zeros\w*\(.*\))\s*,?\s*)+\)?\s*$`)

// ignoredGradient finds a backward method that returns a gradient without looking at the
// incoming one.
func ignoredGradient(check *inspect.Checker, f function, applied []int) {
	first, last, params := f.method("backward")
	if first == 0 || len(params) == 0 || strings.HasPrefix(params[0], "*") {
		return
	}
	for line := first + 1; line <= last; line++ {
		text := check.LineText(f.file, line)
		if slices.ContainsFunc(params, func(p string) bool { return inspect.Mentions(text, p) }) {
			return
		}
	}
	ran := slices.IndexFunc(applied, func(i int) bool {
		n, ok := check.Graph().Node(check.Op(i).Node)
		return ok && n.Runs > 0
	})
	returns := f.lines("backward", returned, "does not use `"+params[0]+"`")
	if ran < 0 || len(returns) == 0 || zeroes.MatchString(check.LineText(f.file, returns[0].Line)) {
		return
	}
	op := check.Op(applied[ran])
	check.Report(inspect.Finding{
		Severity: inspect.SeverityWarning,
		Message:  "backward of the custom Function `" + f.class + "` ignores the incoming gradient",
		Primary:  returns[0],
		Related:  append(returns[1:], check.LineSpan(f.file, first, "the incoming gradient is this argument"), check.In(op.Stack, op.At, "applied here")),
		Help:     "multiply the derivative by `" + params[0] + "` (the chain rule)",
		Evidence: facts(
			check.LineSpan(f.file, first, "no line of backward reads `"+params[0]+"`"),
			check.In(op.Stack, op.At, "a backward pass ran through what this call made"),
		),
		At:      op.At,
		Symptom: -1,
	})
}

// forgottenMean finds a forward method that ends in a mean over several elements, and a backward method that divides
// by nothing: it returns the gradient of their sum.
func forgottenMean(check *inspect.Checker, f function, applied []int) {
	var mean, applies, back *inspect.Op
	inForward, inBackward := f.within("forward"), f.within("backward")
	for i, op := range check.Ops().All() {
		if op.Name == f.class && slices.Contains(applied, i) {
			applies = op
			continue
		}
		at := check.Tape().Stack(op.Stack).Top()
		switch {
		case inForward(at) && op.Pass == 0 && applies == nil:
			if mean != nil || scalesBy(check, op) && op.Name != "mean" {
				return // the mean is not the last step, or a factor is in what was saved
			}
			if op.Name == "mean" && len(op.Outputs) == 1 && numel(check.Tensor(op.Outputs[0]).Shape) == 1 && numel(check.Tensor(op.Inputs[0]).Shape) > 1 {
				mean = op
			}
		case inBackward(at) && op.Pass != 0:
			if scalesBy(check, op) {
				return
			}
			back = op
		}
	}
	returns := f.lines("backward", returned, "returns a gradient that is not divided by the number of elements")
	if mean == nil || applies == nil || back == nil || len(returns) == 0 {
		return
	}
	n := numel(check.Tensor(mean.Inputs[0]).Shape)
	check.Report(inspect.Finding{
		Severity: inspect.SeverityWarning,
		Message:  fmt.Sprintf("backward of the custom Function `%s` returns the gradient of a sum, and forward a mean of %d elements", f.class, n),
		Primary:  returns[0],
		Related:  append(returns[1:], check.In(mean.Stack, mean.At, "the mean is taken here"), check.In(applies.Stack, applies.At, "applied here")),
		Help:     "divide the gradient by the number of elements, as the mean does",
		Evidence: facts(
			check.In(mean.Stack, mean.At, fmt.Sprintf("the last operation of forward is a mean of %d elements", n)),
			fact("no operation of backward divides, or multiplies by a number"),
		),
		At:      mean.At,
		Symptom: -1,
	})
}

// scaling are the operations by which a factor such as 1/n comes into a gradient.
var scaling = words("div true_divide mean reciprocal pow softmax normalize std var norm")

// scalesBy reports whether an operation divides, or multiplies by one number.
func scalesBy(check *inspect.Checker, op *inspect.Op) bool {
	if scaling[plain(op)] {
		return true
	}
	return plain(op) == "mul" && (len(op.Inputs) < 2 || slices.ContainsFunc(op.Inputs[1:], func(in graph.TensorID) bool {
		return in == 0 || check.Tensor(in).Flags&graph.FlagNumber != 0
	}))
}

// unmarkedInput finds a forward method that modifies an input in place and does not
// say so.
func unmarkedInput(check *inspect.Checker, f function, applied []int, w inspect.Write) {
	i := sort.Search(len(applied), func(i int) bool { return check.Op(applied[i]).At > w.At })
	if i == len(applied) {
		return
	}
	op := check.Op(applied[i])
	if !slices.Contains(op.Inputs, w.Tensor) {
		changedSaved(check, f, *op, w)
		return
	}
	if op.Node == 0 || len(f.lines("forward", dirtying, "")) > 0 || !check.Graph().RequiresGrad(w.Tensor) {
		return
	}
	check.Report(inspect.Finding{
		Severity: inspect.SeverityWarning,
		Message:  "forward of the custom Function `" + f.class + "` modifies its input in place without mark_dirty",
		Primary:  check.In(w.Stack, w.At, "modifies an input in place"),
		Related:  append(f.lines("forward", returned, "returned here"), check.In(op.Stack, op.At, "applied here")),
		Tensors:  []string{check.Name(w.Tensor)},
		Help:     "call ctx.mark_dirty(...) and return the input, or compute out of place",
		Evidence: facts(
			check.In(w.Stack, w.At, fmt.Sprintf("the version of %s, an input, went from %d to %d", check.Called(w.Tensor), w.From, w.To)),
			fact("no line of forward calls mark_dirty"),
		),
		At:      w.At,
		Symptom: -1,
	})
}

// changedSaved finds a forward method that changes a tensor after it gave it to
// save_for_backward, which keeps the tensor and not its values.
func changedSaved(check *inspect.Checker, f function, op inspect.Op, w inspect.Write) {
	n, _ := check.Graph().Node(op.Node)
	saves := f.lines("forward", saving, "saved here, before it is modified")
	at := check.Tape().Stack(w.Stack).Top() // in a library, it is not the line that the finding shows
	if len(saves) == 0 || at.File != f.file || saves[0].Line >= at.Line || !slices.ContainsFunc(n.Saved, func(s graph.SavedTensor) bool { return s.Tensor == w.Tensor }) {
		return
	}
	check.Report(inspect.Finding{
		Severity: inspect.SeverityWarning,
		Message:  "forward of the custom Function `" + f.class + "` modifies a tensor that it saved for backward",
		Primary:  check.In(w.Stack, w.At, "modifies what was saved"),
		Related:  append(saves, check.In(op.Stack, op.At, "applied here")),
		Help:     "compute out of place, or save a clone",
		Evidence: facts(
			saves[0],
			check.In(w.Stack, w.At, fmt.Sprintf("the version of what it saved went from %d to %d", w.From, w.To)),
		),
		At:      w.At,
		Symptom: -1,
	})
}

// changedGradient finds a backward method that changes the incoming gradient, which another
// operation gets as well.
func changedGradient(check *inspect.Checker, f function, applied []int, w inspect.Write) {
	t := check.Tensor(w.Tensor)
	if t.Op >= 0 {
		return
	}
	shared := slices.ContainsFunc(applied, func(i int) bool {
		return slices.ContainsFunc(check.Op(i).Outputs, func(out graph.TensorID) bool { return sharesGradient(check.History, out) })
	})
	s, seen := gradientWrite(check.History, w, shared)
	first, _, _ := f.method("backward")
	check.Report(inspect.Finding{
		Severity: s,
		Message:  "backward of the custom Function `" + f.class + "` modifies the incoming gradient in place",
		Primary:  check.In(w.Stack, w.At, "other operations may receive the same tensor"),
		Related:  []inspect.Span{check.LineSpan(f.file, first, "the incoming gradient is this argument")},
		Help:     "work on a copy: grad_output.clone()",
		Evidence: seen,
		At:       w.At,
		Symptom:  -1,
	})
}

// sharesGradient reports whether another tensor gets the same gradient object later: both are
// terms of one sum.
func sharesGradient(h *inspect.History, id graph.TensorID) bool {
	executed := func(id graph.TensorID) graph.Pos {
		t, _ := h.Graph().Tensor(id)
		if n, ok := h.Graph().Node(t.Node); ok {
			return n.Executed
		}
		return -1
	}
	return slices.ContainsFunc(h.Uses(id), func(i int) bool {
		op := h.Op(i)
		if !strings.HasPrefix(strings.Trim(op.Name, "_"), "add") && op.Name != "__radd__" || op.Node == 0 {
			return false
		}
		return slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool {
			return in != 0 && in != id && slices.Equal(h.Tensor(in).Shape, h.Tensor(id).Shape) && executed(in) > executed(id)
		})
	})
}
