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

var optimizerMissingParam = inspect.Rule{
	Code:     "optimizer-missing-param",
	Severity: inspect.SeverityWarning,
	Title:    "Parameters receive gradients but belong to no optimizer: they are hidden from it, left out, or were made after it.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return unheldWeights{unsteppedOf(check.History), reportMissing(check, "optimizer-missing-param")}
	},
}

// unheldWeights notes which leaves steps leave out, and looks at them at the end.
type unheldWeights struct {
	*unstepped
	report inspect.AtEnd
}

// End looks back.
func (w unheldWeights) End() { w.report() }

// unheld looks at leaves that get gradients but never change, in programs with optimizers.
func (a *analysis) unheld() {
	steps, groups := a.h.Steps(), a.h.Optimizers()
	if len(steps) < 2 || len(groups) == 0 {
		return
	}
	held := map[graph.TensorID]bool{}
	for _, group := range groups {
		for _, p := range group.Tensors {
			held[p] = true
		}
	}
	for p, changed := range unsteppedOf(a.h).changed {
		held[p] = held[p] || changed
	}
	last := steps[len(steps)-1].At
	for _, p := range slices.Sorted(maps.Keys(a.got)) {
		t := a.h.Tensor(p)
		if held[p] || a.explained[p] || t.Node != 0 || a.rewraps(t) || a.got[p].First > last {
			continue
		}
		g := gap{target: p, at: last, label: "this step does not change it"}
		switch {
		case a.lateFor(p):
			a.late = true
			a.unknownToOptimizer(g, "was made after the optimizer", a.replacement(p))
		case a.hidden(p, held):
			a.unknownToOptimizer(g, "is not registered in its module", a.constructor(p))
		default:
			if group, ok := a.leftOutOf(p, held); ok && !a.onlyVectors(p, held) {
				a.unknownToOptimizer(g, "was left out, while most of its module is trained", a.h.In(group.Stack, group.At, "the parameter is not among these"))
			} else {
				a.leftOut(g, held)
			}
		}
	}
}

// noParameters looks at a program that failed because it gave an optimizer nothing, after it had
// made parameters.
func (a *analysis) noParameters() {
	at, failed := a.h.Failed()
	if !failed || !strings.Contains(a.failure(at), "optimizer got an empty parameter list") {
		return
	}
	var made []graph.TensorID
	for id, t := range a.h.Tensors().All() {
		p := graph.TensorID(id)
		if t.Flags&graph.FlagParameter != 0 && t.Released < 0 && a.h.Graph().RequiresGrad(p) {
			made = append(made, p)
		}
	}
	if len(made) == 0 {
		a.allFrozen(at)
		return
	}
	first := a.h.Tensor(made[0])
	a.report(gap{target: made[0], at: at, label: "it fails here", failed: true}, inspect.Finding{
		Code:    "optimizer-missing-param",
		Message: fmt.Sprintf("the optimizer gets no parameters: %s is not registered in a module that it is given, or an iterator had ended", a.h.Called(made[0])),
		Primary: a.h.At(at, "gets no parameters"),
		Related: append([]inspect.Span{a.h.In(first.Stack, first.Created, "a parameter was made here")}, a.h.Callers(first.Created)...),
		Tensors: names(a.h, made...),
		Help:    "register modules with nn.ModuleList, nn.ModuleDict or as attributes, and call parameters() again for each use",
		Evidence: facts(
			a.h.At(at, "the exception says that the list of parameters is empty"),
			a.h.In(first.Stack, first.Created, fmt.Sprintf("the program had made %s that requires grad", several(len(made), "parameter"))),
		),
	})
}

// leftOut reports a leaf that steps leave out again and again, although it gets gradients together
// with what they update.
func (a *analysis) leftOut(g gap, held map[graph.TensorID]bool) {
	out := unsteppedOf(a.h).of(g.target)
	out.number = a.nearest(g.target, out.number)
	made, ok := a.optimizer(out.number)
	isParameter := a.h.Tensor(g.target).Flags&graph.FlagParameter != 0
	if out.times < oftenLeftOut || !ok || !isParameter && (out.origin != initial || unsteppedOf(a.h).asked[g.target]) {
		return
	}
	if a.h.Tensor(g.target).Created > made.At {
		a.unknownToOptimizer(g, "was made after the optimizer", a.replacement(g.target))
	} else {
		a.unknownToOptimizer(g, "was left out", a.h.In(made.Stack, made.At, "the parameter is not among these"))
	}
	doubt := ""
	switch {
	case out.asleep:
		doubt = "its module is in evaluation mode"
	case a.readsGradient(g.target):
		doubt = "the program computes something with its gradient"
	case out.origin == given:
		doubt = "its values come from outside the program, such as a file"
	case !a.unmeant(g.target, out, held):
		doubt = "it belongs to a part of the model that may be meant to keep its values"
	}
	if doubt != "" {
		last := len(a.found) - 1
		a.found[last].Severity = inspect.SeverityHint
		a.found[last].Evidence = append(a.found[last].Evidence, doubts(fact("%s", doubt))...)
		a.hints = append(a.hints, a.found[last])
		a.found = a.found[:last]
	}
}

// unmeant reports whether a leaf that an optimizer does not have was left out by mistake: it keeps
// the values that it was initialised with, while what it is used with is trained. A part of a
// module that is trained alone, by its name, is meant to be, unless what was left out are a few layers
// nearer to the loss.
func (a *analysis) unmeant(p graph.TensorID, out leaving, held map[graph.TensorID]bool) bool {
	switch {
	case out.origin == given:
		return false
	case a.besideMatrices(p, held) || a.listedForNothing(out.number):
		return true
	case a.onlyVectors(p, held):
		return false
	}
	for _, m := range a.h.Modules() {
		if left, trained := a.parts(m, held); slices.Contains(m.Tensors, p) && trained > 0 {
			return out.last == out.times && left <= 2*trained || a.picksOut(out.number, picking)
		}
	}
	return out.origin == initial && (a.minority(p, out) || a.picksOut(out.number, slicing))
}

// onlyVectors reports whether a leaf is a matrix, and optimizers have only biases, scales and shifts of its modules:
// a program that trains these alone has chosen them.
func (a *analysis) onlyVectors(p graph.TensorID, held map[graph.TensorID]bool) bool {
	if !a.matrix(p) {
		return false
	}
	trained := 0
	for _, m := range a.h.Modules() {
		if !slices.Contains(m.Tensors, p) {
			continue
		}
		for _, t := range m.Tensors {
			if held[t] && a.matrix(t) {
				return false
			} else if held[t] {
				trained++
			}
		}
	}
	return trained > 1
}

func (a *analysis) matrix(t graph.TensorID) bool { return len(a.h.Tensor(t).Shape) > 1 }

// besideMatrices reports whether a leaf is a bias, or a scale or shift of a norm, and several layers have their matrices
// trained and their biases left out. Who trains some kinds of parameters only chooses the biases or the norms.
func (a *analysis) besideMatrices(p graph.TensorID, held map[graph.TensorID]bool) bool {
	const several = 2
	if a.matrix(p) {
		return false
	}
	split := map[graph.TensorID]bool{} // the biases
	for _, m := range a.h.Modules() {
		const most = 8 // parameters of one layer
		if len(m.Tensors) > most {
			continue
		}
		trained, whole := 0, 0
		var left []graph.TensorID
		for _, t := range m.Tensors {
			switch _, got := a.got[t]; {
			case got && !held[t] && a.matrix(t), got && held[t] && !a.matrix(t):
				whole++
			case got && held[t]:
				trained++
			case got:
				left = append(left, t)
			}
		}
		if trained > 0 && whole == 0 {
			for _, t := range left {
				split[t] = true
			}
		}
	}
	return len(split) >= several
}

// listOfParameters matches a statement that gives a name to a list of parameters, emptyLists one that gives names to
// empty lists; the names are in the first group. filling matches code that only puts something into a list.
var (
	listOfParameters = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*=\s*(?:\[.*parameters\(\)|(?:list|tuple)\(.*parameters\(\))`)
	emptyLists       = regexp.MustCompile(`^\s*([A-Za-z_][\w, ]*)=\s*\[\](?:\s*,\s*\[\])*\s*$`)
	filling          = regexp.MustCompile(`\.(?:append|extend)\(`)
)

// listedForNothing reports whether the function that makes an optimizer lists parameters under a name that no code
// uses.
func (a *analysis) listedForNothing(number uint32) bool {
	made, ok := a.optimizer(number)
	if !ok {
		return false
	}
	at := a.h.In(made.Stack, made.At, "").Frame
	first, _ := a.h.Function(at.File, at.Line)
	lines := a.h.Source(at.File)
	for n := first; n < at.Line && n <= len(lines); n++ {
		if match := listOfParameters.FindStringSubmatch(lines[n-1]); match != nil && !a.mentioned(at.File, n, match[1], false) {
			return true
		}
		match := emptyLists.FindStringSubmatch(lines[n-1])
		if match == nil {
			continue
		}
		for name := range strings.SplitSeq(match[1], ",") {
			if !a.mentioned(at.File, n, strings.TrimSpace(name), true) {
				return true
			}
		}
	}
	return false
}

// mentioned reports whether lines of a file after one mention a name. filled: other than to put parameters into it, which
// some of them do.
func (a *analysis) mentioned(file string, after int, name string, filled bool) bool {
	puts := false
	for i, line := range a.h.Source(file)[after:] {
		switch loop, ok := a.h.LoopAround(file, after+1+i); {
		case !inspect.Mentions(line, name):
		case filled && ok && filling.MatchString(line) && strings.Contains(a.h.LineText(file, loop), "parameters()"):
			puts = true
		default:
			return true
		}
	}
	return filled && !puts
}

// minority reports whether an optimizer trains most of what gets gradients and is like a leaf: a
// parameter, or a tensor that is not one. Who trains an input, or a prompt, keeps most as it is. A half is
// enough if the gradient gets to the leaf through what is trained: then it does not only judge the results.
func (a *analysis) minority(p graph.TensorID, out leaving) bool {
	u := unsteppedOf(a.h)
	parameter := func(t graph.TensorID) bool { return a.h.Tensor(t).Flags&graph.FlagParameter != 0 }
	left, trained := 0, 0
	for t, l := range u.leftOut {
		if l.number == out.number && parameter(t) {
			left++
		}
	}
	for _, group := range a.h.Optimizers() {
		for _, t := range group.Tensors {
			if _, got := a.got[t]; got && group.Number == out.number && parameter(t) == parameter(p) {
				trained++
			}
		}
	}
	return left < trained || left == trained && parameter(p) && out.last == 0
}

// picking matches code that picks some parameters out of others, slicing if it does so by their number.
var (
	picking = regexp.MustCompile(`parameters\(\)\)*\s*\[|\bfor\b.*\bin\b|\bfilter\(|\bislice\(`)
	slicing = regexp.MustCompile(`parameters\(\)\)*\s*\[`)
)

// picksOut reports whether an optimizer was given parameters that code of a kind picked out of a list,
// rather than a part of the model by its name.
func (a *analysis) picksOut(number uint32, code *regexp.Regexp) bool {
	return slices.ContainsFunc(a.h.Optimizers(), func(group inspect.Params) bool {
		return group.Number == number && code.MatchString(a.h.Text(a.h.In(group.Stack, group.At, "").Frame))
	})
}

// readsGradient reports whether the program computed something with the gradient of a leaf,
// and not only its norm to clip it.
func (a *analysis) readsGradient(p graph.TensorID) bool {
	for _, m := range trainingOf(a.h).of(p).All() {
		if m.kind == readOut && !strings.Contains(a.h.Text(a.h.In(m.stack, m.at(), "").Frame), "clip_grad") {
			return true
		}
	}
	return false
}

// nearest returns the optimizer that holds most of the smallest module with a parameter; number if none does. A
// discriminator gets gradients from the loss of its generator, too, and the generator's optimizer is not meant.
func (a *analysis) nearest(p graph.TensorID, number uint32) uint32 {
	smallest := 0
	for _, m := range a.h.Modules() {
		if !slices.Contains(m.Tensors, p) || smallest > 0 && len(m.Tensors) >= smallest {
			continue
		}
		most := 0
		for _, group := range a.h.Optimizers() {
			n := 0
			for _, t := range group.Tensors {
				if slices.Contains(m.Tensors, t) {
					n++
				}
			}
			if n > most && group.Number != 0 {
				most, smallest, number = n, len(m.Tensors), group.Number
			}
		}
	}
	return number
}

// optimizer returns what the optimizer with a number got first.
func (a *analysis) optimizer(number uint32) (made inspect.Params, ok bool) {
	i := slices.IndexFunc(a.h.Optimizers(), func(group inspect.Params) bool { return number != 0 && group.Number == number })
	if i < 0 {
		return made, false
	}
	return a.h.Optimizers()[i], true
}

// leftOutOf returns the group of an optimizer that holds most of what gets gradients in the module
// of a parameter; ok is false if none does. Who trains only the last layers of a module may
// have meant to leave the others out.
func (a *analysis) leftOutOf(p graph.TensorID, held map[graph.TensorID]bool) (group inspect.Params, ok bool) {
	if a.got[p].Zero || a.h.Tensor(p).Flags&graph.FlagParameter == 0 {
		return group, false
	}
	for _, m := range a.h.Modules() {
		if !slices.Contains(m.Tensors, p) {
			continue
		}
		left, trained := a.parts(m, held)
		if left >= trained {
			return group, false
		}
		most := 0
		for _, g := range a.h.Optimizers() {
			n := 0
			for _, o := range g.Tensors {
				if _, got := a.got[o]; got && slices.Contains(m.Tensors, o) {
					n++
				}
			}
			if n > most {
				most, group, ok = n, g, true
			}
		}
	}
	return group, ok
}

// parts counts the parameters of a module that get gradients, without and with an optimizer.
func (a *analysis) parts(m inspect.Params, held map[graph.TensorID]bool) (left, trained int) {
	for _, t := range m.Tensors {
		if _, got := a.got[t]; got && held[t] {
			trained++
		} else if got {
			left++
		}
	}
	return left, trained
}

// rewraps reports whether a leaf was made of the values of a tensor that requires grad: then the
// fault is that it was made at all.
func (a *analysis) rewraps(t *inspect.Tensor) bool {
	return slices.ContainsFunc(t.Cuts, func(f inspect.Flow) bool { return a.h.Graph().RequiresGrad(f.From) })
}

func (a *analysis) unknownToOptimizer(g gap, why string, primary inspect.Span) {
	t, name := a.h.Tensor(g.target), a.h.Called(g.target)
	related := []inspect.Span{a.h.In(t.Stack, t.Created, "it was made here")}
	related = append(related, a.h.Callers(t.Created)...)
	for _, group := range a.h.Optimizers()[:1] {
		related = append(related, a.h.In(group.Stack, group.At, "the optimizer was made here"))
	}
	gained := a.h.At(a.got[g.target].First, fmt.Sprintf("%s gets its first gradient in this pass", name))
	if a.got[g.target].First < 0 {
		gained = fact("%s gets gradients", name)
	}
	all := 0
	for _, group := range a.h.Optimizers() {
		all += len(group.Tensors)
	}
	seen := facts(gained, fact("it is not among the %s that optimizers got", several(all, "tensor")))
	if n := unsteppedOf(a.h).of(g.target).times; n > 0 {
		seen = append(seen, facts(a.h.At(g.at, fmt.Sprintf("%s left it out, after passes that gave it a gradient", several(n, "step"))))...)
	}
	a.report(g, inspect.Finding{
		Code:     "optimizer-missing-param",
		Message:  fmt.Sprintf("%s receives gradients, but no optimizer has it: it %s", name, why),
		Primary:  primary,
		Related:  related,
		Tensors:  []string{name},
		Help:     "register modules with nn.ModuleList, nn.ModuleDict or as attributes, and give the optimizer model.parameters() when all of them exist",
		Evidence: seen,
		Instead: []inspect.Alternative{
			not("frozen-by-mistake", "it requires grad, and gets gradients"),
			not("param-rebound", "no operation makes a new tensor of it and its gradient"),
		},
	})
}

// lateFor reports whether a parameter was made after the optimizers that could know it and replaces an
// older one: a module now holds both it and parameters of the optimizers, or a parameter of an optimizer
// never got a gradient.
func (a *analysis) lateFor(p graph.TensorID) bool {
	t := a.h.Tensor(p)
	if t.Flags&graph.FlagParameter == 0 {
		return false
	}
	beside := false // there is an optimizer of other parameters in its module
	for _, group := range a.h.Optimizers() {
		if !a.shareModule(p, group.Tensors) {
			continue
		}
		if group.At > t.Created {
			return false
		}
		beside = true
	}
	return beside || a.replacesHeld(p)
}

// shareModule reports whether a module has registered a parameter and one of some others.
func (a *analysis) shareModule(p graph.TensorID, others []graph.TensorID) bool {
	return slices.ContainsFunc(a.h.Modules(), func(m inspect.Params) bool {
		return slices.Contains(m.Tensors, p) && slices.ContainsFunc(others, func(o graph.TensorID) bool { return slices.Contains(m.Tensors, o) })
	})
}

// replacesHeld reports whether an optimizer holds a parameter of the same shape that
// never got a gradient.
func (a *analysis) replacesHeld(p graph.TensorID) bool {
	shape := a.h.Tensor(p).Shape
	for _, group := range a.h.Optimizers() {
		if group.At > a.h.Tensor(p).Created {
			break
		}
		for _, o := range group.Tensors {
			if _, got := a.got[o]; !got && slices.Equal(a.h.Tensor(o).Shape, shape) {
				return true
			}
		}
	}
	return false
}

// replacement returns the line that makes a parameter after the optimizers: where the program,
// on its way from the function that made the last of them, begins to construct something, or comes
// to a line that has made parameters of theirs, too.
func (a *analysis) replacement(p graph.TensorID) inspect.Span {
	t, groups := a.h.Tensor(p), a.h.Optimizers()
	if later := slices.IndexFunc(groups, func(group inspect.Params) bool { return group.At > t.Created }); later > 0 {
		groups = groups[:later]
	}
	stack := a.h.Tape().Stack(t.Stack)
	from, ok := a.h.Meeting(t.Stack, groups[len(groups)-1].Stack)
	at := slices.Index(stack, from)
	if !ok || at < 0 {
		at = len(stack) - 1
	}
	before := map[graph.Frame]bool{}
	for _, group := range groups {
		for _, held := range group.Tensors {
			for _, f := range a.h.Tape().Stack(a.h.Tensor(held).Stack) {
				before[f] = true
			}
		}
	}
	for at > 0 && !constructs(stack[at-1]) && !before[stack[at-1]] && !inspect.IsLibrary(stack[at-1].File) {
		at--
	}
	return inspect.Span{Frame: stack[at], Label: "the optimizer does not know this parameter", At: t.Created}
}

// constructs reports whether a frame is a constructor.
func constructs(f graph.Frame) bool {
	_, method, ok := strings.Cut(f.Func, ".__init__")
	return ok && (method == "" || method[0] == '.')
}

// registered reports whether a module that was called holds a parameter.
func (a *analysis) registered(p graph.TensorID) bool {
	return slices.ContainsFunc(a.h.Modules(), func(m inspect.Params) bool { return slices.Contains(m.Tensors, p) })
}

// hidden reports whether a leaf is used in the forward pass of a module that has
// not registered it, and whose other parameters an optimizer holds.
func (a *analysis) hidden(p graph.TensorID, held map[graph.TensorID]bool) bool {
	if a.asked(p) {
		return false
	}
	users := a.users(p) // and others of their classes
	registers := func(m inspect.Params) bool { return slices.Contains(m.Tensors, p) }
	holds := func(m inspect.Params) bool {
		return slices.ContainsFunc(m.Tensors, func(o graph.TensorID) bool { return held[o] })
	}
	return !slices.ContainsFunc(users, registers) && slices.ContainsFunc(users, holds) && a.constructor(p).Known()
}

// asked reports whether a tensor that is not a parameter is not for training: autograd.grad() was asked
// for its gradient, as at the points of a differential equation, or it was made to require grad after an
// optimizer was made for its module, such as a constant buffer with which a sum of losses begins.
func (a *analysis) asked(p graph.TensorID) bool {
	t := a.h.Tensor(p)
	if t.Flags&graph.FlagParameter != 0 {
		return false
	}
	return unsteppedOf(a.h).asked[p] || slices.ContainsFunc(a.h.Flaggings(), func(f inspect.Flagging) bool {
		return f.Tensor == p && f.To && slices.ContainsFunc(a.h.Optimizers(), func(group inspect.Params) bool {
			return group.At > t.Created && group.At < f.At
		})
	})
}

// users returns the outermost modules in whose forward pass a tensor is read.
func (a *analysis) users(p graph.TensorID) (found []inspect.Params) {
	const most = 8
	g := a.h.Graph()
	for _, i := range a.h.Uses(p)[:min(most, len(a.h.Uses(p)))] {
		n, ok := g.Node(a.h.Op(i).Node)
		if !ok {
			continue
		}
		m, ok := g.Module(n.Module)
		for ok && m.Outer != 0 {
			m, ok = g.Module(m.Outer)
		}
		for _, params := range a.h.Modules() {
			if ok && params.At < m.Entered && params.Class == m.Type {
				found = append(found, params)
			}
		}
	}
	return found
}

// constructor returns the line in a constructor at which a leaf was made: the constructor of the
// outermost module that uses it, or else the innermost constructor.
func (a *analysis) constructor(p graph.TensorID) inspect.Span {
	t := a.h.Tensor(p)
	classes := map[string]bool{}
	for _, m := range a.users(p) {
		classes[m.Class] = true
	}
	found := inspect.Span{At: -1}
	for _, frame := range a.h.Tape().Stack(t.Stack) {
		class, method, _ := strings.Cut(frame.Func, ".")
		if strings.HasPrefix(method, "__init__") && (!found.Known() || classes[class]) {
			found = inspect.Span{Frame: frame, Label: "made here, and not registered", At: t.Created}
		}
	}
	if line, ok := plainContainer(a.h, found.Frame); ok {
		return a.h.LineSpan(found.File, line, "this container registers nothing that is in it")
	}
	return found
}

var (
	// putInto matches code that puts something into a container: an attribute, or a local variable.
	putInto = regexp.MustCompile(`^\s*((?:self\.)?\w+)(?:\[[^\]]*\]\s*=[^=]|\.(?:append|insert|extend|setdefault|update)\(|\s*\+=\s*[\[(])`)
	// aContainer matches the value of a new container.
	aContainer = `\s*(?::[^=]+)?=\s*(?:\[|\{|(?:\w+\.)?(?:OrderedDict|defaultdict|dict|list|deque)\b)`
)

// plainContainer returns the line that gives a module the plain container into which a line of its
// constructor puts what it makes.
func plainContainer(h *inspect.History, at graph.Frame) (line int, ok bool) {
	m := putInto.FindStringSubmatch(h.LineText(at.File, at.Line))
	first, last := h.Function(at.File, at.Line)
	if m == nil || first == 0 {
		return 0, false
	}
	name := regexp.QuoteMeta(m[1])
	made, ok := h.Find(at.File, first, at.Line, regexp.MustCompile(`^\s*`+name+aContainer))
	if !ok || strings.HasPrefix(m[1], "self.") {
		return made, ok
	}
	return h.Find(at.File, at.Line, last, regexp.MustCompile(`^\s*self\.\w+\s*=\s*(?:(?:tuple|list|dict|OrderedDict)\()?`+name+`\)?\s*$`))
}
