package graph

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Dump writes all that the graph says, in a form for people and for comparing
// two graphs: equal graphs give equal text, however their cursors got there.
func (g *Graph) Dump(w io.Writer) error {
	d := dumper{Writer: bufio.NewWriter(w), g: g}
	fmt.Fprintf(d, "graph at %d\n", g.pos)
	for t := range g.Tensors() {
		d.tensor(t)
	}
	for n := range g.Nodes() {
		d.node(n)
	}
	for id := StorageID(1); g.storages.has(id); id++ {
		bytes, live := g.Storage(id)
		fmt.Fprintf(d, "storage %d: %d bytes, %d live\n", id, bytes, live)
	}
	for id := CounterID(1); g.counters.has(id); id++ {
		c := g.counters.at(id)
		fmt.Fprintf(d, "counter %d: version %d, mutated by %d\n", id, c.version, Pos(c.mutated)-1)
	}
	for id := BackwardID(1); g.backwards.has(id); id++ {
		d.backward(id)
	}
	for id := ModuleID(1); g.modules.has(id); id++ {
		m, _ := g.Module(id)
		fmt.Fprintf(d, "module %d: %+v\n", id, m)
	}
	d.threads()
	for i := uint32(1); g.bindings.has(i); i++ {
		if b, name := g.bindings.at(i), g.names[i]; b.bound != 0 {
			fmt.Fprintf(d, "name %q of %q: tensor %d, bound by %d\n", g.tape.String(name.name), g.tape.String(name.scope), b.tensor, Pos(b.bound)-1)
		}
	}
	if e, p, ok := g.Iteration(); ok {
		fmt.Fprintf(d, "iteration %d %q, by %d\n", e.Number, g.tape.String(e.Label), p)
	}
	return d.Flush()
}

type dumper struct {
	*bufio.Writer
	g *Graph
}

func (d dumper) tensor(t Tensor) {
	fmt.Fprintf(d, "tensor %d: %q %s%v on %q strides %v offset %d flags %#x requires_grad %t retains %t",
		t.ID, t.Name, t.DType, t.Shape, t.Device, t.Strides, t.Offset, t.Flags, t.RequiresGrad, t.RetainsGrad)
	fmt.Fprintf(d, " grad_fn %d:%d base %d %s storage %d counter %d version %d grad %d released %t created by %d mutated by %d\n",
		t.Node, t.Output, t.Base, t.View, t.Storage, t.Counter, t.Version, t.Grad, t.Released, t.Created, t.Mutated)
	if t.Value.Known() {
		fmt.Fprintf(d, "  value stale %t %+v\n", t.ValueStale, t.Value)
	}
}

func (d dumper) node(n Node) {
	fmt.Fprintf(d, "node %d: %q sequence %d outputs %d variable %d inner %d module %d %s in %d waiting %d runs %d freed by %d executed by %d released %t created by %d\n",
		n.ID, n.Name, n.Sequence, n.Outputs, n.Variable, n.Inner, n.Module, n.Status, n.Backward, n.Waiting, n.Runs, n.FreedAt, n.Executed, n.Released, n.Created)
	for i, e := range n.Edges {
		fmt.Fprintf(d, "  edge %d: node %d input %d\n", i, e.Node, e.Input)
	}
	for _, s := range n.Saved {
		fmt.Fprintf(d, "  saved %+v\n", s)
	}
	for _, a := range n.Attrs {
		fmt.Fprintf(d, "  %s=%s\n", d.g.tape.String(a.Name), a)
	}
}

func (d dumper) backward(id BackwardID) {
	b, _ := d.g.Backward(id)
	fmt.Fprintf(d, "backward %d: flags %#x inputs %v outer %d began by %d finished by %d failed %t\n",
		id, b.Flags, b.Inputs, b.Outer, b.Began, b.Finished, b.Failed)
	for _, r := range b.Roots {
		fmt.Fprintf(d, "  root %+v\n", r)
	}
}

// threads prints the threads that are in a state other than that at the start:
// which threads a graph has met depends on where its cursor has been.
func (d dumper) threads() {
	for _, id := range slices.Sorted(maps.Keys(d.g.threadIDs)) {
		i := d.g.threadIDs[id]
		if int(i) >= d.g.threads.len() {
			continue
		}
		if t := d.g.threads.at(i); t.module|t.backward|t.modes != 0 {
			fmt.Fprintf(d, "thread %d: in module %d, in backward %d, modes %#b\n", id, t.module, t.backward, t.modes)
		}
	}
}
