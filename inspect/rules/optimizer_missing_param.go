package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var optimizerMissingParam = missingRule("optimizer-missing-param", inspect.SeverityWarning,
	"Parameters receive gradients but belong to no optimizer: they are hidden from it, left out, or were made after it.")

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
	for _, u := range a.h.Updates().All() {
		if c, ok := a.got[u.Tensor]; ok && u.At > c.First {
			held[u.Tensor] = true // by the program
		}
	}
	last := steps[len(steps)-1].At
	for _, p := range slices.Sorted(maps.Keys(a.got)) {
		t := a.h.Tensor(p)
		if held[p] || a.explained[p] || t.Node != 0 || a.rewraps(t) || a.got[p].First > last {
			continue
		}
		g := gap{target: p, at: last, label: "this step does not change it"}
		switch {
		case a.lateFor(p, held):
			a.late = true
			a.unknownToOptimizer(g, "was made after the optimizer", a.h.In(t.Stack, t.Created, "the optimizer does not know this parameter"))
		case a.hidden(p, held):
			a.unknownToOptimizer(g, "is not registered in its module", a.constructor(p))
		default:
			if group, ok := a.leftOutOf(p, held); ok {
				a.unknownToOptimizer(g, "was left out, while most of its module is trained", a.h.In(group.Stack, group.At, "the parameter is not among these"))
			}
		}
	}
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
		left, trained := 0, map[graph.TensorID]bool{}
		for _, o := range m.Tensors {
			if _, got := a.got[o]; got && held[o] {
				trained[o] = true
			} else if got {
				left++
			}
		}
		if left >= len(trained) {
			return group, false
		}
		most := 0
		for _, g := range a.h.Optimizers() {
			n := 0
			for _, o := range g.Tensors {
				if trained[o] {
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

// rewraps reports whether a leaf was made of the values of a tensor that requires grad: then the
// fault is that it was made at all.
func (a *analysis) rewraps(t *inspect.Tensor) bool {
	return slices.ContainsFunc(t.Cuts, func(f inspect.Flow) bool { return a.h.Graph().RequiresGrad(f.From) })
}

func (a *analysis) unknownToOptimizer(g gap, why string, primary inspect.Span) {
	t, name := a.h.Tensor(g.target), a.h.Called(g.target)
	related := []inspect.Span{a.h.In(t.Stack, t.Created, "it was made here")}
	related = append(related, a.h.Callers(t.Created, "called here")...)
	for _, group := range a.h.Optimizers()[:1] {
		related = append(related, a.h.In(group.Stack, group.At, "the optimizer was made here"))
	}
	a.report(g, inspect.Finding{
		Code:    "optimizer-missing-param",
		Message: fmt.Sprintf("%s receives gradients, but no optimizer has it: it %s", name, why),
		Primary: primary,
		Related: related,
		Tensors: []string{name},
		Help:    "register modules with nn.ModuleList, nn.ModuleDict or as attributes, and give the optimizer model.parameters() when all of them exist",
	})
}

// lateFor reports whether a parameter was made after all optimizers got their parameters and
// replaces an older one: a module now holds both it and parameters of the optimizers, or a
// parameter of an optimizer never got a gradient.
func (a *analysis) lateFor(p graph.TensorID, held map[graph.TensorID]bool) bool {
	t := a.h.Tensor(p)
	if t.Flags&graph.FlagParameter == 0 {
		return false
	}
	for _, group := range a.h.Optimizers() {
		if group.At > t.Created {
			return false
		}
	}
	for _, m := range a.h.Modules() {
		if slices.Contains(m.Tensors, p) && (slices.ContainsFunc(m.Tensors, func(o graph.TensorID) bool { return held[o] })) {
			return true
		}
	}
	return a.replacesHeld(p)
}

// replacesHeld reports whether an optimizer holds a parameter of the same shape that
// never got a gradient.
func (a *analysis) replacesHeld(p graph.TensorID) bool {
	shape := a.h.Tensor(p).Shape
	for _, group := range a.h.Optimizers() {
		for _, o := range group.Tensors {
			if _, got := a.got[o]; !got && slices.Equal(a.h.Tensor(o).Shape, shape) {
				return true
			}
		}
	}
	return false
}

// registered reports whether a module that was called holds a parameter.
func (a *analysis) registered(p graph.TensorID) bool {
	return slices.ContainsFunc(a.h.Modules(), func(m inspect.Params) bool { return slices.Contains(m.Tensors, p) })
}

// hidden reports whether a leaf is used in the forward pass of a module that has
// not registered it, and whose other parameters an optimizer holds.
func (a *analysis) hidden(p graph.TensorID, held map[graph.TensorID]bool) bool {
	users := a.users(p) // and others of their classes
	registers := func(m inspect.Params) bool { return slices.Contains(m.Tensors, p) }
	holds := func(m inspect.Params) bool {
		return slices.ContainsFunc(m.Tensors, func(o graph.TensorID) bool { return held[o] })
	}
	return !slices.ContainsFunc(users, registers) && slices.ContainsFunc(users, holds) && a.constructor(p).Known()
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
	return found
}
