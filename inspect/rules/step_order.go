package rules

import (
	"fmt"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var stepOrder = inspect.Rule{
	Code:     "step-order",
	Severity: inspect.SeverityWarning,
	Title:    "zero_grad, backward, clipping and step run in an order that leaves one of them without effect.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return trainingRule{h: check.History, AtEnd: func() {
			if _, failed := check.Failed(); failed {
				return
			}
			t := trainingOf(check.History)
			if !reportLostGradients(check, t) && !reportLateBackward(check, t) {
				reportIdleClipping(check, t)
			}
			reportEarlySchedule(check)
		}}
	},
}

// reportLostGradients looks for a parameter whose gradients are always cleared before
// a step could use them.
func reportLostGradients(check *inspect.Checker, t *training) bool {
	for _, leaf := range t.leaves {
		steps := stepsOver(check.History, leaf)
		if len(steps) == 0 {
			continue
		}
		var zeroing, step tally
		var backward moment
		var fresh []moment // the passes since the gradient was cleared
		lost, useful := false, false
		next := 0
		for _, m := range t.of(leaf).All() {
			for ; next < len(steps) && steps[next].At < m.at(); next++ {
				if lost {
					step.add(steps[next].Stack, steps[next].At)
				}
				lost = false
			}
			switch m.kind {
			case gained:
				fresh, lost = append(fresh, m), false
			case cleared:
				own := slices.IndexFunc(fresh, func(pass moment) bool {
					return !t.passedOn(leaf, pass, m.at()) || next < len(steps) && !t.passesBetween(m.at(), steps[next].At)
				})
				if own >= 0 {
					zeroing.add(m.stack, m.at())
					lost, backward = true, fresh[own]
				}
				fresh = fresh[:0]
			case used, readOut:
				useful = useful || len(fresh) > 0
			}
		}
		if lost && next < len(steps) {
			step.add(steps[next].Stack, steps[next].At)
		}
		if _, _, n := step.most(); useful || n == 0 {
			continue
		}
		zero, zeroAt, _ := zeroing.most()
		stack, stepAt, _ := step.most()
		clears := check.In(zero, zeroAt, "clears the gradients before a step uses them")
		idle := check.In(stack, stepAt, "finds no gradient")
		back := check.In(backward.stack, backward.at(), "computes the gradients")
		f := inspect.Finding{
			Message: fmt.Sprintf("no step uses the gradients of %s: zero_grad() runs between backward() and step()", check.Called(leaf)),
			Primary: clears,
			Related: []inspect.Span{idle, back},
			Tensors: names(check.History, leaf),
			Help:    "call zero_grad() before backward() or after step()",
			At:      zeroAt,
			Symptom: -1,
			Evidence: facts(
				check.In(backward.stack, backward.at(), "this pass gives it a gradient"),
				check.In(zero, zeroAt, "the gradient is cleared before any step or reading"),
				fact("no step of %d finds a gradient", len(steps)),
			),
			Instead: []inspect.Alternative{not("optimizer-missing-param", "the optimizer that steps holds it")},
		}
		if steps[0].At < t.firstGain(leaf) {
			f.Message = fmt.Sprintf("no step uses the gradients of %s: step() runs before backward()", check.Called(leaf))
			f.Primary, f.Related = idle, []inspect.Span{clears, back}
			f.Help = "call step() after backward()"
		}
		check.Report(f)
		return true
	}
	return false
}

// passedOn reports whether a gradient was a by-product: before it was cleared, another optimizer stepped,
// and the same backward pass had brought gradients to parameters of that one, as the loss of a generator
// brings some to the discriminator. What the passes before the last iterations brought may be forgotten;
// such a gradient proves nothing.
func (t *training) passedOn(leaf graph.TensorID, backward moment, cleared graph.Pos) bool {
	h := t.h
	reached := h.Pass(backward.pass).Leaves
	if len(reached) == 0 {
		return h.Forgot()
	}
	steps := h.Steps()
	for i := stepsBefore(steps, backward.at()); i < len(steps) && steps[i].At < cleared; i++ {
		if !slices.Contains(steps[i].Params, leaf) && slices.ContainsFunc(reached, func(c inspect.Contribution) bool {
			return slices.Contains(steps[i].Params, c.Tensor) && !t.clearedBetween(c.Tensor, backward.at(), steps[i].At)
		}) {
			return true
		}
	}
	return false
}

// passesBetween reports whether a backward pass began after one event and before another, that may have been
// meant to bring a gradient.
func (t *training) passesBetween(after, before graph.Pos) bool {
	return t.h.Passes()[sortedBefore(t.h.Passes(), before)].At > after
}

// clearedBetween reports whether the gradient of a leaf was cleared after one event and before another.
func (t *training) clearedBetween(leaf graph.TensorID, after, before graph.Pos) bool {
	moments := t.of(leaf)
	for i := sort.Search(moments.Len(), func(i int) bool { return moments.At(i).at() > after }); i < moments.Len() && moments.At(i).at() < before; i++ {
		if moments.At(i).kind == cleared {
			return true
		}
	}
	return false
}

// firstGain returns when a leaf got its first gradient.
func (t *training) firstGain(leaf graph.TensorID) graph.Pos {
	for _, m := range t.of(leaf).All() {
		if m.kind == gained {
			return m.at()
		}
	}
	return -1
}

// stepsOver returns the steps of the optimizer that holds a parameter. On a tape that does not number
// optimizers, these are the steps of an optimizer of the right class whose parameters with gradients are
// in the same group, or that found no gradient at all and are not on a line where another optimizer
// steps.
func stepsOver(h *inspect.History, leaf graph.TensorID) (steps []inspect.Step) {
	var group inspect.Params
	for _, o := range h.Optimizers() {
		if slices.Contains(o.Tensors, leaf) {
			group = o
		}
	}
	if len(group.Tensors) == 0 {
		return nil
	}
	member := map[graph.TensorID]bool{}
	for _, p := range group.Tensors {
		member[p] = true
	}
	others := map[graph.StackID]bool{}
	for _, s := range h.Steps() {
		if len(s.Params) > 0 && !member[s.Params[0]] {
			others[s.Stack] = true
		}
	}
	for _, s := range h.Steps() {
		if group.Number != 0 && s.Number == group.Number || group.Number == 0 && s.Optimizer == group.Class && !others[s.Stack] {
			steps = append(steps, s)
		}
	}
	return steps
}

// reportLateBackward looks for a parameter that each step changes between the forward
// pass and its backward pass: each step uses the gradient of an earlier forward pass.
func reportLateBackward(check *inspect.Checker, t *training) bool {
	for _, leaf := range t.leaves {
		var step, backward tally
		var newest moment
		passes := 0
		for _, m := range t.of(leaf).All() {
			switch m.kind {
			case used:
				newest = m
			case gained:
				passes++
				if root := rootMade(check.History, m.pass); newest.at() > 0 && root >= 0 && root < newest.at() {
					step.add(newest.stack, newest.at())
					backward.add(m.stack, m.at())
				}
			}
		}
		stack, at, n := step.most()
		if n < 2 || n < passes-1 {
			continue
		}
		back, passAt, _ := backward.most()
		check.Report(inspect.Finding{
			Message: fmt.Sprintf("%s is updated between a forward pass and its backward pass: each step uses the previous iteration's gradient", check.Called(leaf)),
			Primary: check.In(stack, at, "updates before this forward pass has a gradient"),
			Related: []inspect.Span{check.In(back, passAt, "computes the gradient")},
			Tensors: names(check.History, leaf),
			Help:    "call step() after backward()",
			Evidence: facts(
				check.In(stack, at, fmt.Sprintf("%s changed it after the loss of the next pass was computed", several(n, "step"))),
				check.In(back, passAt, "this pass gives it a gradient of older values"),
			),
			Instead: []inspect.Alternative{not("stepped-before-backward", "no pass fails: none needs the old values of what was changed")},
			At:      at,
			Symptom: -1,
		})
		return true
	}
	return false
}

// rootMade returns when the node that a pass starts from was made; -1: unknown.
func rootMade(h *inspect.History, id graph.BackwardID) graph.Pos {
	roots := h.Pass(id).Roots
	if len(roots) == 0 {
		return -1
	}
	return h.NodeMade(roots[0].Node)
}

// clipping are the in-place operations that limit a gradient.
var clipping = map[string]bool{"clamp_": true, "clip_": true, "clamp_min_": true, "clamp_max_": true, "mul_": true, "div_": true}

// reportIdleClipping looks for a line that only ever clips gradients before they exist, or after
// a step has used them.
func reportIdleClipping(check *inspect.Checker, t *training) {
	type call struct {
		at    graph.Pos
		stack graph.StackID
		what  string
		on    []graph.TensorID
	}
	var calls []call
	for _, c := range check.Calls() {
		if clips(c) {
			calls = append(calls, call{c.At, c.Stack, c.Function, c.Tensors})
		}
	}
	for _, w := range check.Writes().All() {
		leaf, ok := check.GradOf(w.Tensor)
		if !ok || w.Pass != 0 || w.Step >= 0 || w.Op < 0 || !clipping[check.Op(w.Op).Name] {
			continue
		}
		if len(calls) > 0 && calls[len(calls)-1].stack == w.Stack {
			continue // part of a call that is known
		}
		calls = append(calls, call{w.At, w.Stack, check.Op(w.Op).Name, []graph.TensorID{leaf}})
	}
	type verdict struct {
		idle   call
		spent  bool
		step   moment
		useful bool
		n      int
	}
	lines := map[graph.StackID]*verdict{}
	var order []graph.StackID
	for _, c := range calls {
		v := lines[c.stack]
		if v == nil {
			v = &verdict{idle: c}
			lines[c.stack] = v
			order = append(order, c.stack)
		}
		if v.useful {
			continue
		}
		trained := false
		for _, leaf := range c.on {
			before := t.before(leaf, c.at)
			trained = trained || t.trains(leaf)
			v.useful = v.useful || before.kind == gained && before.at() > 0
			if before.kind == used {
				v.spent, v.step = true, before
			}
		}
		if trained {
			v.n++
		}
	}
	for _, s := range order {
		v := lines[s]
		if v.useful || v.n == 0 {
			continue
		}
		f := inspect.Finding{
			Message: fmt.Sprintf("%s runs before backward(): there are no gradients to clip yet", v.idle.what),
			Primary: check.In(s, v.idle.at, "there is no gradient to clip"),
			Help:    "clip between backward() and step()",
			At:      v.idle.at,
			Symptom: -1,
			Evidence: facts(
				check.In(s, v.idle.at, "no parameter that it clips has a gradient that a step will use"),
				fact("it ran %s while parameters were trained, and never between a pass and a step", times(v.n)),
			),
		}
		if v.spent {
			f.Message = fmt.Sprintf("%s runs after step(): the step used the gradients unclipped", v.idle.what)
			f.Primary.Label = "clips gradients that are no longer used"
			f.Related = []inspect.Span{check.In(v.step.stack, v.step.at(), "uses the gradients before they are clipped")}
		}
		check.Report(f)
	}
}

// before returns the newest moment of a leaf before an event that decides what clipping
// does there.
func (t *training) before(leaf graph.TensorID, at graph.Pos) (newest moment) {
	if !t.gained[leaf] {
		return moment{}
	}
	moments := t.of(leaf)
	i := sort.Search(moments.Len(), func(i int) bool { return moments.At(i).at() >= at })
	for i--; i >= 0; i-- {
		if m := moments.At(i); m.kind != readOut && m.kind != scaled {
			return m
		}
	}
	return moment{}
}

// inInnerLoop reports whether a schedule steps several times for each step of the optimizer, which
// is another fault.
func inInnerLoop(check *inspect.Checker, call inspect.Call, steps []inspect.Step) bool {
	if len(steps) < 2 {
		return false
	}
	again := 0
	for _, c := range check.Calls() {
		if c.Function == call.Function && c.Stack == call.Stack && c.At < steps[1].At {
			again++
		}
	}
	return again > 2
}

// reportEarlySchedule looks for a schedule that steps before its optimizer does.
func reportEarlySchedule(check *inspect.Checker) {
	for _, c := range check.Calls() {
		if c.Function != "LRScheduler.step" {
			continue
		}
		steps := check.Steps()
		if len(steps) == 0 || steps[0].At < c.At || inInnerLoop(check, c, steps) {
			return
		}
		check.Report(inspect.Finding{
			Message: "the scheduler steps before the optimizer: the first learning rate is never used",
			Primary: check.In(c.Stack, c.At, "changes the learning rate before the first step"),
			Related: []inspect.Span{check.In(steps[0].Stack, steps[0].At, "the first step")},
			Help:    "call scheduler.step() after optimizer.step()",
			Evidence: facts(
				check.In(c.Stack, c.At, "the scheduler steps here for the first time"),
				check.In(steps[0].Stack, steps[0].At, "the optimizer steps here for the first time, after that"),
			),
			Instead: []inspect.Alternative{not("scheduler-per-batch", "it does not step several times for each step of the optimizer")},
			At:      c.At,
			Symptom: -1,
		})
		return
	}
}
