package inspect

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Hazard is a saved tensor that was modified in place since it was saved: if
// backward reaches the node, it fails.
type Hazard struct {
	Node  graph.NodeID
	Name  string // of the node
	Saved graph.SavedTensor
	// SavedAt is the event that saved the tensor, ModifiedAt the newest one
	// that changed it.
	SavedAt, ModifiedAt graph.Pos
}

// Hazards lists what would make a backward pass fail at the graph's position, in
// the order of the nodes. A node whose saved tensors were freed, or that nothing
// refers to any more, is no hazard, nor is a tensor that was changed before it was
// saved.
func Hazards(g *graph.Graph) (found []Hazard) {
	for n := range g.Nodes() {
		if !n.Released {
			found = append(found, hazardsOf(g, n)...)
		}
	}
	return found
}

func hazardsOf(g *graph.Graph, n graph.Node) (found []Hazard) {
	for _, s := range n.Saved {
		if t, ok := g.Tensor(s.Tensor); ok && s.Modified() {
			found = append(found, Hazard{n.ID, n.Name, s, n.Created, t.Mutated})
		}
	}
	return found
}

// Explain tells what was saved and changed, and at which lines.
func (h *Hazard) Explain(g *graph.Graph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s would fail: its saved tensor was changed in place", h.Name)
	line(&b, h.saved(g), g.Tape(), h.SavedAt)
	line(&b, h.changed(g), g.Tape(), h.ModifiedAt)
	return b.String()
}

func (h *Hazard) saved(g *graph.Graph) string {
	return fmt.Sprintf("it saved %s as %s, at version %d, at", described(g, h.Saved.Tensor), h.Saved.Name, h.Saved.Version)
}

// changed names the tensor that the program changed, which may be another one
// with the same memory.
func (h *Hazard) changed(g *graph.Graph) string {
	_, e, _ := g.Tape().At(h.ModifiedAt)
	m, ok := e.(*graph.Mutated)
	if !ok {
		return fmt.Sprintf("%s was changed in place, to version %d, at", name(g, h.Saved.Tensor), h.Saved.Current)
	}
	by := ""
	if op := mutator(g.Tape(), h.ModifiedAt, m.Tensor); op != "" {
		by = " by " + op
	}
	return fmt.Sprintf("%s was changed in place%s, to version %d, at", related(g, m.Tensor, h.Saved.Tensor), by, h.Saved.Current)
}
