package rules

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var gradAccumulated = inspect.Rule{
	Code:     "grad-accumulated",
	Severity: inspect.SeverityWarning,
	Title:    "An optimizer step used a gradient that still contained an earlier step's gradient.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return trainingRule{h: check.History, AtEnd: func() {
			t := trainingOf(check.History)
			if slices.ContainsFunc(missing(check.History), func(f inspect.Finding) bool { return f.Code == paramRebound.Code }) {
				return // what clears the gradients has another tensor in its hands
			}
			for _, leaf := range t.leaves {
				if a, ok := accumulates(check.History, t.of(leaf)); ok {
					a.report(check, t, leaf)
					return // the loop's other parameters would repeat it
				}
			}
			reportReadSums(check, t)
		}}
	},
}

// An accumulation is a gradient that several steps used without being zeroed in between.
type accumulation struct {
	backward, step, zeroing tally
	steps                   int    // that used gradients of earlier ones
	first                   moment // of these steps
}

// accumulates follows the gradient of a leaf. A gradient is spent when a step has
// used it; it is stale when a backward pass added to a spent one.
func accumulates(h *inspect.History, moments *moments) (a accumulation, found bool) {
	var spent, stale bool
	var sources []moment // one for each line that added to the spent gradient
	for _, m := range moments.All() {
		switch m.kind {
		case gained:
			if spent && !stale {
				stale, sources = true, sources[:0]
			}
			if stale && !slices.ContainsFunc(sources, func(s moment) bool { return s.stack == m.stack }) {
				sources = append(sources, m)
			}
		case cleared:
			spent, stale = false, false
			a.zeroing.add(m.stack, m.at())
		case scaled:
			if !stale {
				spent = false // decayed on purpose, like a momentum
			}
		case used:
			if stale {
				if a.steps++; a.steps == 1 {
					a.first = m
				}
				source := beside(h, m, sources)
				a.backward.add(source.stack, source.at())
				a.step.add(m.stack, m.at())
			}
			spent, stale = true, false
		}
	}
	return a, a.steps > 0
}

// beside returns the first pass in the function of a step, where the gradient should have been cleared,
// or else the first one: the pass of another loss may bring a gradient before.
func beside(h *inspect.History, step moment, passes []moment) moment {
	if len(passes) > 1 {
		at := h.In(step.stack, step.at(), "").Frame
		for _, m := range passes {
			if f := h.In(m.stack, m.at(), "").Frame; f.File == at.File && f.Func == at.Func {
				return m
			}
		}
	}
	return passes[0]
}

// uncalled is a zero_grad without its parentheses.
var uncalled = regexp.MustCompile(`\.(zero_grad|zero_)\s*$`)

func (a *accumulation) report(check *inspect.Checker, t *training, leaf graph.TensorID) {
	backward, passAt, _ := a.backward.most()
	step, stepAt, _ := a.step.most()
	added := check.In(backward, passAt, "adds to the gradient that the last step already used")
	uses := check.In(step, stepAt, "updates with the sum of this iteration's gradient and earlier ones")
	f := inspect.Finding{
		Message: fmt.Sprintf("the gradients of %s accumulate across iterations: %d steps reused an earlier step's gradient", check.Called(leaf), a.steps),
		Primary: added,
		Related: []inspect.Span{uses},
		Tensors: names(check.History, leaf),
		Help:    "call zero_grad() once per step, before backward()",
		At:      passAt,
		Symptom: -1,
		Evidence: facts(
			check.In(step, stepAt, fmt.Sprintf("a step used a gradient that a step had used before, %s", times(a.steps))),
			check.In(backward, passAt, "this pass adds to it"),
		),
		Instead: []inspect.Alternative{not("accumulation-not-averaged", "a step lies between the passes whose gradients are added up")},
	}
	if _, _, n := a.zeroing.most(); n == 0 {
		f.Evidence = append(f.Evidence, facts(fact("nothing clears the gradient"))...)
	}
	if a.steps == 1 {
		f.Message = fmt.Sprintf("the gradients of %s accumulate: a step reused the previous step's gradient", check.Called(leaf))
	}
	if zero, at, n := a.zeroing.most(); n > 0 {
		f.Primary = check.In(zero, at, "the gradient is cleared here, but not before each backward pass")
		f.Related = []inspect.Span{added, uses}
	} else if s, ok := uncalledZeroing(check.History, added); ok {
		f.Primary, f.Related = s, []inspect.Span{added, uses}
	} else if s, ok := t.clearedForAnother(a.first); ok {
		f.Primary, f.Related = s, []inspect.Span{added, uses}
	} else if s, ok := uselessZeroing(check.History, t); ok {
		f.Primary, f.Related = s, []inspect.Span{added, uses}
	}
	check.Report(f)
}

// uncalledZeroing returns a line of the function that trains which names zero_grad and
// does not call it.
func uncalledZeroing(h *inspect.History, backward inspect.Span) (inspect.Span, bool) {
	first, last := h.Function(backward.File, backward.Line)
	line, ok := h.Find(backward.File, first, last, uncalled)
	if !ok {
		return inspect.Span{}, false
	}
	return h.LineSpan(backward.File, line, "names the method but does not call it"), true
}

// uselessZeroing returns a zero_grad() that never cleared a gradient: it may have been
// meant for the parameters that are never cleared.
func uselessZeroing(h *inspect.History, t *training) (inspect.Span, bool) {
	for _, s := range t.useless.order {
		if !t.useful[s] && t.useless.count[s] > 1 {
			return h.In(s, t.useless.first[s], "clears other gradients, and there are none"), true
		}
	}
	return inspect.Span{}, false
}

// clearedForAnother returns a zero_grad() between a step and the one before it that cleared only gradients
// which were cleared again before a step used them: the wrong optimizer's, where the step needed its own.
func (t *training) clearedForAnother(step moment) (span inspect.Span, ok bool) {
	previous := graph.Pos(-1)
	for _, s := range t.h.Steps() {
		if s.End >= 0 && s.End < step.at() && s.At > previous {
			previous = s.At
		}
	}
	var calls tally
	needed := map[graph.StackID]bool{}
	for _, leaf := range t.leaves {
		last := moment{kind: used}
		for _, m := range t.of(leaf).All() {
			within := last.kind == cleared && last.at() > previous && last.at() < step.at()
			switch {
			case m.kind != cleared && m.kind != used:
				continue
			case within && m.kind == used:
				needed[last.stack] = true
			case within && last.stack != m.stack && (t.useful[last.stack] || t.useless.count[last.stack] > 0):
				calls.add(last.stack, last.at())
			}
			last = m
		}
	}
	for _, s := range calls.order {
		if !needed[s] {
			return t.h.In(s, calls.first[s], "clears gradients that no step uses before they are cleared again"), true
		}
	}
	return inspect.Span{}, false
}

// reportReadSums looks for a gradient that the program reads after each of several
// backward passes, and never clears: every reading but the first holds a sum. Where
// a step uses the gradient in the end, the sum is what is meant.
func reportReadSums(check *inspect.Checker, t *training) {
	const enough = 3
	for _, leaf := range t.leaves {
		if t.of(leaf).otherThan(gained, readOut) {
			continue
		}
		var backward, reading tally
		read := false
		for _, m := range t.of(leaf).All() {
			if m.kind == readOut {
				read = true
				reading.add(m.stack, m.at())
			} else if read {
				read = false
				backward.add(m.stack, m.at())
			}
		}
		pass, at, n := backward.most()
		if n+1 < enough {
			continue
		}
		s, readAt, _ := reading.most()
		check.Report(inspect.Finding{
			Message: fmt.Sprintf("the gradients of %s accumulate: each value read after the first is the sum of several backward passes", check.Called(leaf)),
			Primary: check.In(pass, at, "adds to the gradient of the earlier passes"),
			Related: []inspect.Span{check.In(s, readAt, "read here")},
			Tensors: names(check.History, leaf),
			Help:    "clear the gradient before each backward(), or use torch.autograd.grad()",
			Evidence: facts(
				check.In(pass, at, fmt.Sprintf("%s added to the gradient after it was read", several(n, "pass"))),
				check.In(s, readAt, "the program reads the gradient"),
				fact("nothing clears the gradient, and no step uses it"),
			),
			At:      at,
			Symptom: -1,
		})
		return
	}
}
