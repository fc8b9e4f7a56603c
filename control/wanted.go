package control

import (
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// Wanted says at which events a gate may stop a program that runs ahead of its events: the
// program waits after these. It names too many rather than too few, and ignores
// conditions.
type Wanted struct {
	Watched    bool // a user looks at the program
	Everything bool // any event may be the one
	Nodes      bool // nodes of backward passes
	// Patterns of the names of operations and nodes, and of tensors.
	Ops, Tensors []string
	// Named are the tensors that have such names now, in order. Unsure says that they are
	// known only when the gate has seen the next event.
	Named     []graph.TensorID
	Unsure    bool
	Lines     []Line
	Freed     []string // likewise, of the names of nodes whose saved tensors are freed
	InPlace   bool     // changes in place of any tensor
	NotFinite bool
	Errors    bool // errors and warnings
}

// A Line is a line of a source file.
type Line struct {
	File string // the end of a path
	Line int
}

// Wanted says what the gate looks out for at present.
func (g *Gate) Wanted() (w Wanted) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Watched = !g.detached
	w.Nodes = g.stepping && g.step == StepNode
	w.Everything = g.interrupt || g.stepping && !w.Nodes
	for _, p := range g.points {
		switch p.On {
		case OnOp:
			w.Ops = append(w.Ops, p.Pattern)
		case OnLine:
			w.Lines = append(w.Lines, Line{p.File, p.Line})
		case OnTensor, OnInPlace:
			if p.namesTensors() {
				w.Tensors = append(w.Tensors, p.Pattern)
			} else {
				w.InPlace = true
			}
		case OnFree:
			pattern := p.Pattern
			if pattern == "" {
				pattern = "*"
			}
			w.Freed = append(w.Freed, pattern)
		case OnNotFinite:
			w.NotFinite = true
		case OnWarning, OnError:
			w.Errors = true
		}
	}
	if len(w.Tensors) > 0 {
		w.Named, w.Unsure = slices.Sorted(maps.Keys(g.awaited)), g.awaited == nil
	}
	return w
}

// Equal reports whether both want the same.
func (w Wanted) Equal(v Wanted) bool {
	return w.Watched == v.Watched && w.Everything == v.Everything && w.Nodes == v.Nodes && w.InPlace == v.InPlace &&
		w.NotFinite == v.NotFinite && w.Errors == v.Errors && w.Unsure == v.Unsure && slices.Equal(w.Named, v.Named) &&
		slices.Equal(w.Ops, v.Ops) && slices.Equal(w.Freed, v.Freed) && slices.Equal(w.Tensors, v.Tensors) && slices.Equal(w.Lines, v.Lines)
}
