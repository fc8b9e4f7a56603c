package control

import "slices"

// Wanted is what a gate looks out for, for a program that runs ahead of its events: it has
// to wait after those that the gate may stop it at. It says more rather than less, and
// nothing about conditions.
type Wanted struct {
	Everything bool // any event may be the one
	Nodes      bool // nodes of backward passes
	// Patterns of the names of operations and nodes, and of tensors.
	Ops, Tensors []string
	Lines        []Line
	InPlace      bool // changes in place
	Freed        bool // saved tensors that are freed
	NotFinite    bool
	Errors       bool // errors and warnings
}

// A Line is one of a source file.
type Line struct {
	File string // the end of a path
	Line int
}

// Wanted says what the gate looks out for at present.
func (g *Gate) Wanted() (w Wanted) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Nodes = g.stepping && g.step == StepNode
	w.Everything = g.interrupt || g.stepping && !w.Nodes
	for _, p := range g.points {
		switch p.On {
		case OnOp:
			w.Ops = append(w.Ops, p.Pattern)
		case OnLine:
			w.Lines = append(w.Lines, Line{p.File, p.Line})
		case OnTensor:
			w.Tensors = append(w.Tensors, p.Pattern)
		case OnInPlace:
			w.InPlace = true
		case OnFree:
			w.Freed = true
		case OnNotFinite:
			w.NotFinite = true
		case OnWarning, OnError:
			w.Errors = true
		}
	}
	return w
}

// Equal reports whether both want the same.
func (w Wanted) Equal(v Wanted) bool {
	return w.Everything == v.Everything && w.Nodes == v.Nodes && w.InPlace == v.InPlace &&
		w.Freed == v.Freed && w.NotFinite == v.NotFinite && w.Errors == v.Errors &&
		slices.Equal(w.Ops, v.Ops) && slices.Equal(w.Tensors, v.Tensors) && slices.Equal(w.Lines, v.Lines)
}
