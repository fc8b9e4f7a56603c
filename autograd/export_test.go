package autograd

import (
	"fmt"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// SameMemory reports whether two tensors begin at the same place of the same
// memory, like a comparison of data_ptr().
func SameMemory(a, b *Tensor) bool { return a.st == b.st && a.offset == b.offset }

// A Witness collects every tensor and node that is recorded on a tape.
type Witness struct {
	tape    *graph.Tape
	r       *Recorder
	tensors []*Tensor
	nodes   []*Node
}

// NewWitness watches a recorder that has just started.
func NewWitness(tape *graph.Tape, r *Recorder) *Witness {
	w := &Witness{tape: tape, r: r}
	r.met = func(t *Tensor, n *Node) {
		if t != nil {
			w.tensors = append(w.tensors, t)
		} else {
			w.nodes = append(w.nodes, n)
		}
	}
	return w
}

// Differences compares the folded tape with the engine's own state.
func (w *Witness) Differences() []string {
	c := graph.NewCursor(w.tape)
	if err := c.Seek(w.tape.Len()); err != nil {
		return []string{err.Error()}
	}
	d := &differences{graph: c.Graph(), r: w.r}
	for _, t := range w.tensors {
		d.tensor(t)
	}
	for _, n := range w.nodes {
		d.node(n)
	}
	return d.found
}

type differences struct {
	graph *graph.Graph
	r     *Recorder
	what  string
	found []string
}

// same records a difference if the graph and the engine disagree.
func (d *differences) same(field string, graph, engine any) {
	if fmt.Sprint(graph) != fmt.Sprint(engine) {
		d.found = append(d.found, fmt.Sprintf("%s: %s is %v in the graph, %v in the engine", d.what, field, graph, engine))
	}
}

// tensorID returns the identifier of a tensor on the tape; -1 if it has none.
func (d *differences) tensorID(t *Tensor) int {
	switch {
	case t == nil:
		return 0
	case t.gen != d.r.gen:
		return -1
	}
	return int(t.id)
}

func (d *differences) nodeID(n *Node) int {
	switch {
	case n == nil:
		return 0
	case n.gen != d.r.gen:
		return -1
	}
	return int(n.id)
}

func (d *differences) tensor(t *Tensor) {
	g, ok := d.graph.Tensor(t.id)
	d.what = fmt.Sprintf("tensor %d (%v)", t.id, g.Shape)
	d.same("existence", ok, true)
	d.same("requires_grad", g.RequiresGrad, t.requiresGrad())
	d.same("retains_grad", g.RetainsGrad, t.RetainsGrad())
	d.same("grad_fn", g.Node, d.nodeID(t.gradFn))
	d.same("output_nr", g.Output, t.outputNr)
	d.same("base", g.Base, d.tensorID(t.Base()))
	kind := graph.NotAView
	if v := t.viewInfo(); v != nil {
		kind = v.kind
	}
	d.same("kind of view", g.View, kind)
	d.same("version", g.Version, t.version.v)
	d.same("grad", g.Grad, d.tensorID(t.grad))
	d.same("dtype", g.DType, t.dtype)
	d.same("shape", g.Shape, t.sizes)
	if len(g.Strides) > 0 || !t.IsContiguous() {
		d.same("strides", g.Strides, t.strides)
	}
	d.same("offset", g.Offset, t.offset)
	if n := min(numel(t.sizes), len(g.Value.First)); !g.ValueStale && numel(t.sizes) == t.Numel() {
		var first []float64
		for i := range n {
			first = append(first, t.float(t.at(i)))
		}
		if !slices.EqualFunc(g.Value.First, first, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			d.same("value", g.Value.First, first)
		}
	}
}

func (d *differences) node(n *Node) {
	g, ok := d.graph.Node(n.id)
	d.what = fmt.Sprintf("node %d (%s)", n.id, g.Name)
	d.same("existence", ok, true)
	d.same("name", g.Name, n.ClassName())
	d.same("sequence number", g.Sequence, n.seq)
	d.same("number of outputs", g.Outputs, len(n.outs))
	d.same("variable", g.Variable, d.tensorID(n.Variable()))
	var edges []graph.Edge
	for _, e := range n.edges {
		edges = append(edges, graph.Edge{Node: graph.NodeID(d.nodeID(e.Node)), Input: uint32(e.Input)})
	}
	d.same("edges", g.Edges, edges)
	if c, ok := n.apply.(*copySlices); ok && c.inner != nil {
		d.same("inner node", g.Inner, d.nodeID(c.inner))
	}
	d.same("number of saved tensors", len(g.Saved), len(n.saved))
	saves := false
	for i := range n.saved {
		s, names := &n.saved[i], n.slotNames()
		saves = saves || s.kind != emptySlot
		if i >= len(g.Saved) {
			continue
		}
		gs := g.Saved[i]
		d.same("name of slot", gs.Name, names[i])
		d.same("freeing of slot "+gs.Name, gs.Freed, s.kind == freedSlot)
		if t := s.tensor; t != nil {
			d.same("tensor in slot "+gs.Name, gs.Tensor, d.tensorID(t))
			d.same("saved version in slot "+gs.Name, gs.Version, s.version)
			d.same("present version in slot "+gs.Name, gs.Current, t.version.v)
			d.same("output flag of slot "+gs.Name, gs.Flags&graph.SavedOutput != 0, s.isOutput)
			d.same("copy flag of slot "+gs.Name, gs.Flags&graph.SavedCopy != 0, s.copied)
			d.same("leaf flag of slot "+gs.Name, gs.Flags&graph.SavedLeaf != 0, s.leaf)
		}
	}
	if _, ok := n.apply.(*copySlices); ok || saves {
		d.same("freeing", g.Freed, n.freed)
	}
	names, _ := n.Attrs()
	d.same("number of attributes", len(g.Attrs), len(names))
}
