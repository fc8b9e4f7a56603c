package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var noGradPath = missingRule("no-grad-path", inspect.SeverityWarning,
	"Grad mode was off, or nothing required grad, when the graph should have been recorded.")

// switches matches code that switches grad mode off.
var switches = regexp.MustCompile(`no_grad|set_grad_enabled|inference_mode`)

// random are the operations that draw numbers.
var random = map[string]bool{
	"normal": true, "normal_": true, "bernoulli": true, "bernoulli_": true, "multinomial": true, "poisson": true,
	"rand": true, "randn": true, "rand_like": true, "randn_like": true, "uniform_": true,
}

// switchedOff reports a flow through an operation that ran while grad mode was off.
func (a *analysis) switchedOff(g gap, f inspect.Flow) {
	op := a.h.Op(f.Op)
	off, found := a.offAt(op)
	if span, ok := a.checkpoint(op); ok {
		off, found = span, true
	}
	loss := g.target != 0 && !a.h.Graph().RequiresGrad(g.target)
	if !found || !loss && a.draws(op) {
		a.detached(g, f, off)
		return
	}
	a.report(g, inspect.Finding{
		Code:    "no-grad-path",
		Message: fmt.Sprintf("no gradient reaches %s: grad mode was off when %s ran", a.subject(g, f), op.Name),
		Primary: off,
		Related: []inspect.Span{a.h.In(op.Stack, op.At, "this was not recorded")},
		Tensors: []string{a.h.Called(f.From)},
		Help:    "compute the loss outside no_grad, and use no_grad as a `with` block around evaluation",
		Evidence: facts(
			a.h.In(op.Stack, op.At, fmt.Sprintf("%s ran, and made no node", op.Name)),
			off,
		),
		Instead: []inspect.Alternative{not("grad-none-detached", "no call takes the values out of the graph: it was not recorded")},
	})
}

// inference reports a tensor that was made in inference mode and that the graph cannot hold.
func (a *analysis) inference(r inspect.Raise) {
	for _, id := range r.Tensors {
		t := a.h.Tensor(id)
		op := a.h.Maker(id)
		if t.Flags&graph.FlagInference == 0 || op == nil {
			continue
		}
		if off, ok := a.offAt(op); ok {
			a.report(gap{target: id, at: r.At, label: "it cannot be saved for backward here", failed: true}, inspect.Finding{
				Code:     "no-grad-path",
				Message:  fmt.Sprintf("%s was made in inference mode and cannot be part of a graph", a.h.Called(id)),
				Primary:  off,
				Related:  []inspect.Span{a.h.In(op.Stack, op.At, "it was made here")},
				Tensors:  []string{a.h.Called(id)},
				Help:     "use torch.no_grad() for what is used in training later, or clone() the tensor",
				Evidence: facts(a.h.In(op.Stack, op.At, fmt.Sprintf("%s, which %s made, is marked as an inference tensor", a.h.Called(id), op.Name))),
			})
			return
		}
	}
}

// draws reports whether an operation is part of a draw of random numbers.
func (a *analysis) draws(op *inspect.Op) bool {
	if op.Off < 0 {
		return false
	}
	if random[op.Name] {
		return true
	}
	for _, out := range op.Outputs {
		for _, u := range a.h.Uses(out) {
			use := a.h.Op(u)
			if use.Off == op.Off && (random[use.Name] || a.hasNoise(use, 2)) {
				return true
			}
		}
	}
	return a.hasNoise(op, 3)
}

// hasNoise reports whether random numbers that were drawn while grad mode was off went into an
// operation, at most so many operations before.
func (a *analysis) hasNoise(op *inspect.Op, before int) bool {
	return before > 0 && slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool {
		m := a.h.Maker(in)
		return m != nil && m.Off == op.Off && (random[m.Name] || a.hasNoise(m, before-1))
	})
}

var checkpoints = regexp.MustCompile(`\bcheckpoint\w*\(`)

// checkpoint returns the call of a checkpoint in which an operation ran.
func (a *analysis) checkpoint(op *inspect.Op) (inspect.Span, bool) {
	for _, frame := range a.h.Tape().Stack(op.Stack) {
		if checkpoints.MatchString(a.h.LineText(frame.File, frame.Line)) {
			return inspect.Span{Frame: frame, Label: "no input of this checkpoint requires grad", At: op.At}, true
		}
	}
	return inspect.Span{}, false
}

func (a *analysis) checkpointed(f inspect.Flow) bool {
	_, ok := a.checkpoint(a.h.Op(f.Op))
	return ok
}

// offAt returns the line that switched grad mode off for an operation: the statement, or
// the decorator of a function that called it. found is false if our own library did.
func (a *analysis) offAt(op *inspect.Op) (span inspect.Span, found bool) {
	span = a.h.In(a.h.StackAt(op.Off), op.Off, "grad mode is off from here")
	text := a.h.LineText(span.File, span.Line)
	if switches.MatchString(text) {
		return span, true
	}
	for _, frame := range append(a.h.Tape().Stack(op.Stack), a.h.Tape().Stack(a.h.StackAt(op.Off))...) {
		def, _ := a.h.Function(frame.File, frame.Line)
		for n := def - 1; n > 0 && strings.HasPrefix(strings.TrimSpace(a.h.LineText(frame.File, n)), "@"); n-- {
			if switches.MatchString(a.h.LineText(frame.File, n)) {
				span = a.h.LineSpan(frame.File, n, "grad mode is off in this function")
				span.At = op.Off
				return span, true
			}
		}
	}
	at := a.h.In(op.Stack, op.At, "")
	return span, span.Line != at.Line || span.File != at.File
}

// allFrozen reports that an optimizer got nothing because the program has switched requires_grad off for all
// parameters that it has. Without them the message of the exception says it all.
func (a *analysis) allFrozen(at graph.Pos) {
	flags := a.h.Flaggings()
	i := len(flags) - 1
	for i >= 0 && (flags[i].To || a.h.Tensor(flags[i].Tensor).Flags&graph.FlagParameter == 0) {
		i--
	}
	if i < 0 {
		return
	}
	name, off := a.h.Called(flags[i].Tensor), a.h.In(flags[i].Stack, flags[i].At, "requires_grad is switched off here")
	a.report(gap{at: at, label: "it fails here", failed: true}, inspect.Finding{
		Code:    "no-grad-path",
		Message: fmt.Sprintf("the optimizer gets no parameters: requires_grad is off for all of them, last of all for %s", name),
		Primary: off,
		Related: a.h.Callers(flags[i].At),
		Tensors: []string{name},
		Help:    "freeze only what you do not want to train, before new layers are added or by its name",
		Evidence: facts(
			off,
			a.h.At(at, "the exception says that the list of parameters is empty"),
		),
	})
}

// frozen reports a loss that depends on no tensor that requires grad, because the program has
// switched requires_grad off for all of them.
func (a *analysis) frozen(g gap, w *ways) {
	off := map[graph.TensorID]inspect.Flagging{}
	for _, f := range a.h.Flaggings() {
		if f.At < g.at && !f.To {
			off[f.Tensor] = f
		}
	}
	for _, id := range w.order {
		f, ok := off[id]
		if t, _ := a.h.Graph().Tensor(id); !ok || t.RequiresGrad {
			continue
		}
		primary, related := switchedOff(a.h, visit{f.At, f.Stack})
		a.report(g, inspect.Finding{
			Code:    "no-grad-path",
			Message: fmt.Sprintf("the loss depends on nothing that requires grad: it was switched off for %s", a.h.Called(id)),
			Primary: primary,
			Related: related,
			Tensors: []string{a.h.Called(id)},
			Help:    "leave requires_grad on for what you want to train",
			Evidence: facts(
				a.h.In(f.Stack, f.At, fmt.Sprintf("requires_grad of %s is set to False", a.h.Called(id))),
				fact("nothing that the loss was computed from requires grad"),
			),
			Instead: []inspect.Alternative{not("grad-none-detached", "no history is cut between the parameters and the loss")},
		})
		return
	}
}

// switchedOff returns the line that switches requires_grad off, and the ones that lead there: of a function that
// switches it on as well, by an argument, the call.
func switchedOff(h *inspect.History, v visit) (primary inspect.Span, related []inspect.Span) {
	const label = "requires_grad is switched off here"
	primary, related = h.In(v.stack, v.at, label), h.Callers(v.at)
	if len(related) > 0 && !strings.Contains(h.LineText(primary.File, primary.Line), "False") {
		called := related[0]
		called.Label = label
		related[0], primary = primary, called
	}
	return primary, related
}
