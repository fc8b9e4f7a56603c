package rules

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func init() {
	register(inspect.Rule{
		Code:     "hook-misuse",
		Severity: inspect.SeverityError,
		Title:    "A hook interferes with the forward or backward pass that it was registered for.",
		Watch: func(h *inspect.History) inspect.Observer {
			return &hooks{failures: failures{h: h, cause: brokenHook, report: reportBrokenHook}, ran: map[graph.TensorID]bool{}, lines: map[graph.StackID]bool{}}
		},
	})
}

// hooks reports hooks that fail or make others fail, and those that pile up or never
// run.
type hooks struct {
	failures
	ran   map[graph.TensorID]bool
	lines map[graph.StackID]bool // where hooks were registered that ran
}

// Settle notes which of the hooks that will be forgotten have run.
func (w *hooks) Settle(graph.Pos) {
	for _, hook := range w.h.Hooks() {
		w.lines[hook.Stack] = w.lines[hook.Stack] || w.ran[hook.Tensor]
	}
	maps.DeleteFunc(w.ran, func(id graph.TensorID, _ bool) bool { return !w.h.Tensor(id).Known() })
}

func (w *hooks) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.failures.Event(p, head, e)
	if e, ok := e.(*graph.HookRan); ok {
		for _, t := range hookedBy(w.h, e) {
			w.ran[t] = true
		}
	}
}

func (w *hooks) End() {
	w.failures.End()
	for _, r := range w.h.Raised() {
		s := severity(w.h, r.At)
		switch {
		case r.CodeName == "view-inplace" && hooked(w.h, firstTensor(r)):
			reportHookedView(w.h, r, s)
		case mentions(r.Message, "cannot register a hook on a tensor that doesn't require gradient"):
			reportUnhookable(w.h, r, s)
		}
	}
	if _, failed := w.h.Failed(); !failed {
		reportPile(w.h)
		w.reportIdle()
		reportGradientWrites(w.h)
	}
}

// reportHookedView reports a full backward hook whose module's result is changed in
// place: the hook has put a view in its place.
func reportHookedView(h *inspect.History, r inspect.Raise, severity inspect.Severity) {
	view, _ := h.Graph().Tensor(firstTensor(r))
	n, _ := h.Graph().Node(view.Node)
	m, _ := h.Graph().Module(n.Module)
	var spans []inspect.Span
	for _, hook := range h.Hooks() {
		if target := h.Tape().String(hook.Target); hook.At < r.At && hook.Hook == graph.HookModule && (target == m.Type || m.Type == "") &&
			strings.Contains(h.Tape().String(hook.What), "full_backward") {
			spans = append(spans, h.In(hook.Stack, hook.At, "this hook makes views of the module's inputs and outputs"))
		}
	}
	if len(spans) == 0 {
		return
	}
	write := h.In(r.Stack, r.At, "modified in place here")
	if inner, ok := moduleAt(h, r.At); ok {
		if s, ok := constructed(h, inner.Type, `.*\b(inplace\s*=\s*True|True\s*\))`, "this module works in place"); ok {
			spans = append(spans[:1], append([]inspect.Span{s}, spans[1:]...)...)
		}
	}
	h.Report(inspect.Finding{
		Severity: severity,
		Message:  "the result of a module with a full backward hook is modified in place",
		Primary:  spans[0],
		Related:  append(inspect.Lines(spans[1:], 2), write),
		Help:     "make the next module work out of place (inplace=False), or register a tensor hook on the result from a forward hook",
		At:       r.At,
		Symptom:  r.At,
	})
}

// moduleAt is the module whose forward pass ran at an event.
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
func reportUnhookable(h *inspect.History, r inspect.Raise, severity inspect.Severity) {
	id := firstTensor(r)
	related := []inspect.Span{}
	if t := h.Tensor(id); t.Known() {
		related = append(related, h.At(t.Created, "the tensor was made here"))
	}
	h.Report(inspect.Finding{
		Severity: severity,
		Message:  "a hook is registered on " + h.Called(id) + ", which does not require grad",
		Primary:  h.In(r.Stack, r.At, "registered here"),
		Related:  append(related, h.Callers(r.At, "called here")...),
		Tensors:  []string{h.Name(id)},
		Help:     "register the hook on a tensor that requires grad; see where this one lost it",
		At:       r.At,
		Symptom:  r.At,
	})
}

// reportBrokenHook reports a hook that made a backward pass fail.
func reportBrokenHook(h *inspect.History, f failure) {
	var spans, returns []inspect.Span
	for _, hook := range slices.Backward(h.Hooks()) {
		if hook.At > f.at {
			continue
		}
		t, ok := h.Graph().Tensor(hook.Tensor)
		tensorHook := ok && (t.Node == f.node.ID || f.node.Variable == hook.Tensor)
		moduleHook := hook.Hook == graph.HookModule && !strings.Contains(f.message, "hook '")
		if tensorHook || moduleHook {
			span := h.In(hook.Stack, hook.At, "the hook is registered here")
			spans = append(spans, span)
			returns = append(returns, hookReturn(h, span)...)
		}
	}
	if len(spans) == 0 {
		return
	}
	h.Report(inspect.Finding{
		Severity: f.severity,
		Message:  "a hook made the backward pass fail: " + firstLine(f.message),
		Primary:  spans[0],
		Related:  append(inspect.Lines(append(returns, spans[1:]...), 3), h.At(f.at, "this backward pass fails")),
		Help:     "return None, or gradients with the shapes and dtypes of those passed in",
		At:       f.at,
		Symptom:  f.at,
	})
}

var registered = regexp.MustCompile(`register_\w*hook\w*\(\s*(?:self\.)?(\w+)`)

// hookReturn is the return statement of the function that was registered as a hook.
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
func reportPile(h *inspect.History) {
	for _, file := range h.Sources() {
		if _, ok := h.Find(file, 1, len(h.Source(file)), removal); ok {
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
	for _, hook := range h.Hooks() {
		k := place{hook.Stack, hook.Tensor, hook.Target}
		before, again := last[k]
		last[k] = hook.At
		if again && (!passBetween(h, before, hook.At) || h.ParameterBetween(before, hook.At)) {
			continue
		}
		if turns[k]++; turns[k] != pileHeight {
			continue
		}
		h.Report(inspect.Finding{
			Severity: inspect.SeverityWarning,
			Message:  "the same hook is registered again in every iteration, and every copy of it runs",
			Primary:  h.In(hook.Stack, hook.At, "registered again here"),
			Related:  h.Callers(hook.At, "called here"),
			Help:     "register the hook once before the loop, or remove it: handle.remove()",
			At:       hook.At,
			Symptom:  -1,
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
	h := w.h
	w.Settle(h.Graph().Pos())
	for _, hook := range h.Hooks() {
		if hook.Tensor == 0 || w.lines[hook.Stack] || !passBetween(h, hook.At, h.Graph().Pos()) {
			continue
		}
		h.Report(inspect.Finding{
			Severity: inspect.SeverityHint,
			Message:  "no backward pass reached " + h.Called(hook.Tensor) + ", so its hook never ran",
			Primary:  h.In(hook.Stack, hook.At, "registered here"),
			Tensors:  []string{h.Name(hook.Tensor)},
			Help:     "register the hook on a tensor that the loss depends on, before backward()",
			At:       hook.At,
			Symptom:  -1,
		})
	}
}

// reportGradientWrites reports hooks that change the gradient they are given in place:
// as warnings if another tensor gets the same one.
func reportGradientWrites(h *inspect.History) {
	functions := functionsOf(h)
	for _, w := range h.Writes().All() {
		class, _, _ := strings.Cut(h.Tape().Stack(w.Stack).Top().Func, ".")
		if _, custom := functions[class]; custom || w.Pass == 0 || h.Tensor(w.Tensor).Op >= 0 {
			continue
		}
		pass := h.Pass(w.Pass)
		if w.Stack == pass.Stack {
			continue // the engine's own work
		}
		hook, ok := hookAt(h, w.At)
		if !ok {
			continue
		}
		s := inspect.SeverityHint
		if sharesGradient(h, hook) {
			s = inspect.SeverityWarning
		}
		h.Report(inspect.Finding{
			Severity: s,
			Message:  "a hook modifies the gradient of " + h.Called(hook) + " in place",
			Primary:  h.In(w.Stack, w.At, "other operations may receive the same tensor"),
			Related:  h.HookLines(hook, "registered here"),
			Tensors:  []string{h.Name(hook)},
			Help:     "return a new gradient from the hook",
			At:       w.At,
			Symptom:  -1,
		})
	}
}

// hookedBy are the tensors that a hook which ran may hang on.
func hookedBy(h *inspect.History, e *graph.HookRan) []graph.TensorID {
	if e.Tensor != 0 {
		return []graph.TensorID{e.Tensor}
	}
	if op := h.NodeOp(e.Node); op != nil && e.Hook == graph.HookTensor {
		return op.Outputs
	}
	return nil
}

// hookAt is the tensor whose hook ran at an event: the event of the hook follows.
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
