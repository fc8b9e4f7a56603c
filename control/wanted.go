package control

import (
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

// Wanted says at which events a gate may stop a program that runs ahead of its events: the
// program waits after these. It names too many rather than too few, and ignores
// conditions.
type Wanted struct {
	Watched bool // a user looks at the program
	query.Needs
	// Named are the tensors that have the names in Tensors now, in order. Unsure says that they
	// are known only when the gate has seen the next event.
	Named  []graph.TensorID
	Unsure bool
}

// Wanted says what the gate looks out for at present.
func (g *Gate) Wanted() (w Wanted) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Watched = !g.detached
	w.Nodes = g.stepping && g.step == StepNode
	w.Everything = g.interrupt || g.stepping && !w.Nodes
	for _, p := range g.points {
		w.Add(p.needs)
	}
	w.Values = false // the program need not know
	if len(w.Tensors) > 0 {
		w.Named, w.Unsure = slices.Sorted(maps.Keys(g.awaited)), g.awaited == nil
	}
	return w
}

// Equal reports whether both want the same.
func (w Wanted) Equal(v Wanted) bool {
	return w.Watched == v.Watched && w.Unsure == v.Unsure && slices.Equal(w.Named, v.Named) && w.Needs.Equal(v.Needs)
}
