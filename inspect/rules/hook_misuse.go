package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var hookMisuse = inspect.Rule{
	Code:     "hook-misuse",
	Severity: inspect.SeverityError,
	Title:    "A hook interferes with the forward or backward pass that it was registered for.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &hooks{failures: failures{check: check, cause: brokenHook, report: reportBrokenHook}, ran: map[graph.TensorID]bool{}, lines: map[graph.StackID]bool{}}
	},
}

// hooks reports hooks that fail or make others fail, and those that pile up or never
// run.
type hooks struct {
	failures
	ran   map[graph.TensorID]bool
	lines map[graph.StackID]bool // where the hooks that ran were registered
}

// Settle notes which of the hooks that will be forgotten have run.
func (w *hooks) Settle(graph.Pos) {
	for _, hook := range w.check.Hooks() {
		w.lines[hook.Stack] = w.lines[hook.Stack] || w.ran[hook.Tensor]
	}
	maps.DeleteFunc(w.ran, func(id graph.TensorID, _ bool) bool { return !w.check.Tensor(id).Known() })
}

func (w *hooks) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.failures.Event(p, head, e)
	if e, ok := e.(*graph.HookRan); ok {
		for _, t := range hookedBy(w.check.History, e) {
			w.ran[t] = true
		}
	}
}

func (w *hooks) End() {
	w.failures.End()
	for _, r := range w.check.Raised() {
		s := severity(w.check.History, r.At)
		switch {
		case r.CodeName == "view-inplace" && hooked(w.check.History, firstTensor(r)):
			reportHookedView(w.check, r, s)
		case mentions(r.Message, "cannot register a hook on a tensor that doesn't require gradient"):
			reportUnhookable(w.check, r, s)
		}
	}
	if _, failed := w.check.Failed(); !failed {
		reportPile(w.check)
		w.reportIdle()
		reportGradientWrites(w.check)
	}
}

// reportHookedView reports a full backward hook whose module's result is changed in
// place: the hook has put a view in its place.
func reportHookedView(check *inspect.Checker, r inspect.Raise, severity inspect.Severity) {
	view, _ := check.Graph().Tensor(firstTensor(r))
	n, _ := check.Graph().Node(view.Node)
	m, _ := check.Graph().Module(n.Module)
	var spans []inspect.Span
	for _, hook := range check.Hooks() {
		if target := check.Tape().String(hook.Target); hook.At < r.At && hook.Hook == graph.HookModule && (target == m.Type || m.Type == "") &&
			strings.Contains(check.Tape().String(hook.What), "full_backward") {
			spans = append(spans, check.In(hook.Stack, hook.At, "this hook makes views of the module's inputs and outputs"))
		}
	}
	if len(spans) == 0 {
		return
	}
	write := check.In(r.Stack, r.At, "modified in place here")
	if inner, ok := moduleAt(check.History, r.At); ok {
		if s, ok := inPlaceModule(check.History, inner.Type, check.In(r.Stack, r.At, "")); ok {
			spans = append(spans[:1], append([]inspect.Span{s}, spans[1:]...)...)
		}
	}
	check.Report(inspect.Finding{
		Severity: severity,
		Message:  "the result of a module with a full backward hook is modified in place",
		Primary:  spans[0],
		Related:  append(inspect.Lines(spans[1:], 2), write),
		Help:     "make the next module work out of place (inplace=False), or register a tensor hook on the result from a forward hook",
		Evidence: append(facts(
			spans[0],
			check.In(r.Stack, r.At, check.Called(firstTensor(r))+" is a view that the hook made"),
		), caught(check.History, severity, r.At)...),
		At:      r.At,
		Symptom: r.At,
	})
}

// moduleAt returns the module whose forward pass ran at an event.
func moduleAt(h *inspect.History, at graph.Pos) (graph.Module, bool) {
	d := h.Tape().NewDecoder()
	depth := 0
	for p := at; p >= 0; p-- {
		_, e, err := d.Read(p)
		if err != nil {
			continue
		}
		switch e := e.(type) {
		case *graph.ModuleLeft:
			depth++
		case *graph.ModuleEntered:
			if depth == 0 {
				return graph.Module{Path: h.Tape().String(e.Path), Type: h.Tape().String(e.Type), Entered: p}, true
			}
			depth--
		}
	}
	return graph.Module{}, false
}

// reportUnhookable reports a hook on a tensor that gets no gradient.
func reportUnhookable(check *inspect.Checker, r inspect.Raise, severity inspect.Severity) {
	id := firstTensor(r)
	related := []inspect.Span{}
	if t := check.Tensor(id); t.Known() {
		related = append(related, check.At(t.Created, "the tensor was made here"))
	}
	check.Report(inspect.Finding{
		Severity: severity,
		Message:  "a hook is registered on " + check.Called(id) + ", which does not require grad",
		Primary:  check.In(r.Stack, r.At, "registered here"),
		Related:  append(related, check.Callers(r.At)...),
		Tensors:  []string{check.Name(id)},
		Help:     "register the hook on a tensor that requires grad; see where this one lost it",
		Evidence: append(facts(check.In(r.Stack, r.At, check.Called(id)+" does not require grad here")), caught(check.History, severity, r.At)...),
		At:       r.At,
		Symptom:  r.At,
	})
}

// reportBrokenHook reports a hook that made a backward pass fail.
func reportBrokenHook(check *inspect.Checker, f failure) {
	var spans, returns []inspect.Span
	for _, hook := range slices.Backward(check.Hooks()) {
		if hook.At > f.at {
			continue
		}
		t, ok := check.Graph().Tensor(hook.Tensor)
		tensorHook := ok && (t.Node == f.node.ID || f.node.Variable == hook.Tensor)
		moduleHook := hook.Hook == graph.HookModule && !strings.Contains(f.message, "hook '")
		if tensorHook || moduleHook {
			span := check.In(hook.Stack, hook.At, "the hook is registered here")
			spans = append(spans, span)
			returns = append(returns, hookReturn(check.History, span)...)
		}
	}
	if len(spans) == 0 {
		return
	}
	check.Report(inspect.Finding{
		Severity: f.severity,
		Message:  "a hook made the backward pass fail: " + firstLine(f.message),
		Primary:  spans[0],
		Related:  append(inspect.Lines(append(returns, spans[1:]...), 3), check.At(f.at, "this backward pass fails")),
		Help:     "return None, or gradients with the shapes and dtypes of those passed in",
		Evidence: append(facts(
			check.At(f.at, "the error of the pass names a hook"),
			spans[0],
		), caught(check.History, f.severity, f.at)...),
		At:      f.at,
		Symptom: f.at,
	})
}

var registered = regexp.MustCompile(`register_\w*hook\w*\(\s*(?:self\.)?(\w+)`)

// hookReturn returns the return statement of the function that was registered as a hook.
func hookReturn(h *inspect.History, registration inspect.Span) []inspect.Span {
	m := registered.FindStringSubmatch(h.LineText(registration.File, registration.Line))
	if m == nil {
		return nil
	}
	n := len(h.Source(registration.File))
	def, ok := h.Find(registration.File, 1, n, regexp.MustCompile(`^\s*def\s+`+m[1]+`\s*\(`))
	if !ok {
		return nil
	}
	line, ok := h.Find(registration.File, def, h.BlockEnd(registration.File, def), returned)
	if !ok {
		line = def
	}
	return []inspect.Span{h.LineSpan(registration.File, line, "the hook returns this")}
}

// pileHeight is how often a hook has to be registered on one thing.
const pileHeight = 3

var removal = regexp.MustCompile(`\.remove\(|_hooks\.clear\(`)

// reportPile reports a hook that is registered again in each iteration on the same
// tensor or the same modules and never removed.
func reportPile(check *inspect.Checker) {
	for _, file := range check.Sources() {
		if _, ok := check.Find(file, 1, len(check.Source(file)), removal); ok {
			return
		}
	}
	type place struct {
		stack  graph.StackID
		tensor graph.TensorID
		target graph.StringID
	}
	last := map[place]graph.Pos{}
	turns := map[place]int{}
	for _, hook := range check.Hooks() {
		k := place{hook.Stack, hook.Tensor, hook.Target}
		before, again := last[k]
		last[k] = hook.At
		if again && (!passBetween(check.History, before, hook.At) || check.ParameterBetween(before, hook.At)) {
			continue
		}
		if turns[k]++; turns[k] != pileHeight {
			continue
		}
		check.Report(inspect.Finding{
			Severity: inspect.SeverityWarning,
			Message:  "the same hook is registered again in every iteration, and every copy of it runs",
			Primary:  check.In(hook.Stack, hook.At, "registered again here"),
			Related:  check.Callers(hook.At),
			Help:     "register the hook once before the loop, or remove it: handle.remove()",
			Evidence: facts(
				check.In(hook.Stack, hook.At, fmt.Sprintf("it was registered %s on the same thing, with backward passes between", times(pileHeight))),
				fact("no line of the program removes a hook"),
			),
			At:      hook.At,
			Symptom: -1,
		})
	}
}

// passBetween reports whether a backward pass began between two events.
func passBetween(h *inspect.History, after, before graph.Pos) bool {
	passes := h.Passes()[1:]
	i, _ := slices.BinarySearchFunc(passes, after, func(p inspect.Pass, at graph.Pos) int { return int(p.At - at) })
	return i < len(passes) && passes[i].At < before
}

// reportIdle hints at hooks on tensors that no backward pass has come to.
func (w *hooks) reportIdle() {
	check := w.check
	w.Settle(check.Graph().Pos())
	for _, hook := range check.Hooks() {
		if hook.Tensor == 0 || w.lines[hook.Stack] || check.InLibrary(hook.Stack) || !passBetween(check.History, hook.At, check.Graph().Pos()) {
			continue
		}
		check.Report(inspect.Finding{
			Severity: inspect.SeverityHint,
			Message:  "no backward pass reached " + check.Called(hook.Tensor) + ", so its hook never ran",
			Primary:  check.In(hook.Stack, hook.At, "registered here"),
			Tensors:  []string{check.Name(hook.Tensor)},
			Help:     "register the hook on a tensor that the loss depends on, before backward()",
			Evidence: append(facts(check.In(hook.Stack, hook.At, "a backward pass ran after the registration, and the hook did not")),
				doubts(fact("the tensor may be one that this run does not need"))...),
			At:      hook.At,
			Symptom: -1,
		})
	}
}

// reportGradientWrites reports hooks that change their gradient in place: as warnings if another
// tensor gets the same one.
func reportGradientWrites(check *inspect.Checker) {
	functions := functionsOf(check.History)
	for _, w := range check.Writes().All() {
		class, _, _ := strings.Cut(check.Tape().Stack(w.Stack).Top().Func, ".")
		if _, custom := functions[class]; custom || w.Pass == 0 || w.Op < 0 || check.Tensor(w.Tensor).Op >= 0 {
			continue
		}
		pass := check.Pass(w.Pass)
		if w.Stack == pass.Stack {
			continue // the engine's own work
		}
		hook, ok := hookAt(check.History, w.At)
		if !ok {
			continue
		}
		s, seen := gradientWrite(check.History, *w, sharesGradient(check.History, hook))
		check.Report(inspect.Finding{
			Severity: s,
			Message:  "a hook modifies the gradient of " + check.Called(hook) + " in place",
			Primary:  check.In(w.Stack, w.At, "other operations may receive the same tensor"),
			Related:  check.HookLines(hook, "registered here"),
			Tensors:  []string{check.Name(hook)},
			Help:     "return a new gradient from the hook",
			Evidence: seen,
			At:       w.At,
			Symptom:  -1,
		})
	}
}

// hookedBy returns the tensors on which a hook that ran may be registered.
func hookedBy(h *inspect.History, e *graph.HookRan) []graph.TensorID {
	if e.Tensor != 0 {
		return []graph.TensorID{e.Tensor}
	}
	if op := h.NodeOp(e.Node); op != nil && e.Hook == graph.HookTensor {
		return op.Outputs
	}
	return nil
}

// hookAt returns the tensor whose hook ran at an event. The event of the hook follows.
func hookAt(h *inspect.History, at graph.Pos) (graph.TensorID, bool) {
	d := h.Tape().NewDecoder()
	for p := at; p < h.Tape().Len() && p < at+50; p++ {
		_, e, err := d.Read(p)
		if err != nil {
			continue
		}
		switch e := e.(type) {
		case *graph.HookRan:
			if tensors := hookedBy(h, e); len(tensors) > 0 {
				return tensors[0], true
			}
			return 0, false
		case *graph.NodeExecuted:
			return 0, false
		}
	}
	return 0, false
}
