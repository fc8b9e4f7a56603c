package pytorch

import (
	"math"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/graph"
)

// An operation is one that ran, as its record says.
type operation struct {
	*signature
	sequence int // of the newest node
	ins      []*tensor
	versions []uint32 // of ins, before
	changes  []change
	numbers  []int // that the results are called by
	extra    [][2]int
	values   marshal.Tuple // of the results, then of the changed operands

	wrapped []graph.TensorID // what the numbers among the operands became
	made    []*node          // by position in the signature
	outs    []*tensor

	rebased graph.Rebased // the memory of these is used again
	saved   []graph.Saved
	event   graph.OpRan
	cut     graph.LineageCut
}

// A change is an operand that the operation changed.
type change struct {
	x       *tensor
	version uint32
}

// operation takes the record of an operation: stack, newest sequence number, operands,
// results, changed operands, extra references, values.
func (t *Translator) operation(number int, f *fields) {
	o := &t.op
	if o.signature = t.signatures[number]; o.signature == nil || !o.read(t, f) {
		f.bad = true
		return
	}
	stack := f.int(0)
	t.at(stack)
	for i, c := range o.changes {
		v := o.value(len(o.numbers) + i)
		if v == nil && o.zeroes && c.x.layout.extent > 0 {
			v = zerosOf(c.x.layout)
		}
		t.changed(c.x, c.version, v)
		if o.zeroes {
			c.x.zeroed = c.version + 1
		}
	}
	t.wrap(o)
	t.makeNodes(o)
	t.rebase(o)
	t.results(o)
	if !o.hidden {
		t.tell(o)
	}
	t.sites.Name(stack, func(index int) (*tensor, bool) {
		if index < 0 && len(o.outs) == 1 {
			index = 0
		}
		if index < 0 || index >= len(o.outs) {
			return nil, false
		}
		return o.outs[index], true
	})
}

// read reads the record, and reports whether it fits the signature.
func (o *operation) read(t *Translator, f *fields) bool {
	o.sequence = f.bounded(1, -1, math.MaxInt)
	if seconds, ok := f.any(4).(float64); ok { // instead of everything that is not needed here
		t.time(seconds)
		f.v = f.v[:4]
	}
	ins, outs, changed, extra := f.inner(2), f.inner(3), f.innerOrNone(4), f.innerOrNone(5)
	o.values, _ = f.any(6).(marshal.Tuple)
	if f.int(0); f.bad || ins.bad || outs.bad || changed.bad || extra.bad ||
		len(ins.v) < o.needIns || len(outs.v) != len(o.signature.outs) || len(extra.v) < o.needExtra ||
		len(o.nodes) > 0 && o.sequence < o.oldest {
		return false
	}
	o.ins, o.versions = o.ins[:0], o.versions[:0]
	for i := range ins.v {
		x := ins.tensorOrNone(i)
		o.ins, o.versions = append(o.ins, x), append(o.versions, 0)
		if x != nil {
			o.versions[i] = x.counter.version
		}
	}
	o.numbers = o.numbers[:0]
	for i := range outs.v {
		n := outs.int(i)
		o.numbers = append(o.numbers, n)
		if o.signature.outs[i].same < 0 && (n < 0 || t.tensors.known[n] != nil) {
			return false
		}
	}
	o.changes = o.changes[:0]
	for i := range changed.v {
		pair := changed.inner(i)
		k, version := pair.bounded(0, 0, len(o.ins)-1), pair.count(1)
		if pair.bad || o.ins[k] == nil {
			return false
		}
		o.changes = append(o.changes, change{o.ins[k], uint32(version)})
	}
	o.extra = o.extra[:0]
	for i := range extra.v {
		pair := extra.inner(i)
		o.extra = append(o.extra, [2]int{pair.int(0), pair.count(1)})
		extra.bad = extra.bad || pair.bad
	}
	if ins.bad || outs.bad || extra.bad {
		return false
	}
	for _, k := range o.needed {
		if o.ins[k] == nil {
			return false
		}
	}
	for _, i := range o.explicit {
		if t.tensors.known[o.extra[i][0]] == nil {
			return false
		}
	}
	return true
}

// value is the recorded value of result i, or of a changed operand.
func (o *operation) value(i int) any {
	if i < len(o.values) {
		return o.values[i]
	}
	return nil
}

// makeNodes announces the nodes that the operation made, and before that what they lead to
// and what they keep.
func (t *Translator) makeNodes(o *operation) {
	clear(o.made)
	o.made = o.made[:0]
	if len(o.nodes) == 0 {
		return
	}
	all := make([]node, len(o.nodes))
	for i := range all {
		n := &o.nodes[i]
		all[i] = node{sequence: uint64(o.sequence - n.back), outputs: n.outputs, saves: n.frees, edges: make([]edge, len(n.edges))}
		o.made = append(o.made, &all[i])
	}
	o.saved = o.saved[:0]
	for i := range all {
		for j := range o.nodes[i].edges {
			all[i].edges[j] = t.edgeOf(o, &o.nodes[i].edges[j])
		}
		for j := range o.nodes[i].saved {
			switch s := &o.nodes[i].saved[j]; s.kind {
			case protocol.SavedPrivate:
				o.saved = append(o.saved, graph.Saved{Name: s.name, Tensor: t.private(s.saved, s.nr, nil), Version: s.nr, Flags: o.privately()})
			case protocol.SavedView:
				o.saved = append(o.saved, graph.Saved{Name: s.name, Tensor: t.private(s.saved, 0, o.ins[s.nr]), Version: o.versions[s.nr], Flags: leafFlag(o.ins[s.nr])})
			}
		}
	}
	private := o.saved
	for _, i := range o.order {
		n := &o.nodes[i]
		e := &t.nodes.made
		*e = graph.NodeCreated{Name: n.name, Edges: e.Edges, Saved: e.Saved[:0], Attrs: n.attrs, Results: n.results}
		for j := range n.saved {
			s := &n.saved[j]
			if s.kind == protocol.SavedPrivate || s.kind == protocol.SavedView {
				e.Saved = append(e.Saved, private[s.index])
				continue
			}
			e.Saved = append(e.Saved, t.savedOf(o, s))
		}
		t.announce(o.made[i])
		t.register(o.sequence-n.back, o.made[i])
	}
	t.releasePrivate()
}

// privately are the flags of a saved tensor that only the graph holds. An operation in
// place keeps a copy of what it overwrites.
func (o *operation) privately() graph.SavedFlags {
	if len(o.changes) > 0 {
		return graph.SavedCopy
	}
	return graph.SavedLeaf
}

// edgeOf is an edge of a node. Operands still have their old history.
func (t *Translator) edgeOf(o *operation, e *formRef) edge {
	switch e.kind {
	case protocol.EdgeOperand:
		return t.gradEdge(o.ins[e.index])
	case protocol.EdgeInner:
		return edge{o.made[e.index], e.nr}
	case protocol.EdgeAbsolute:
		to := o.extra[e.index]
		return t.edgeTo(to[0], to[1])
	}
	return edge{}
}

// savedOf is a saved tensor of a node. New results will get the next identifiers.
func (t *Translator) savedOf(o *operation, s *formRef) graph.Saved {
	slot := graph.Saved{Name: s.name}
	switch s.kind {
	case protocol.SavedOperand:
		x := o.ins[s.index]
		slot.Tensor, slot.Version, slot.Flags = x.id, o.versions[s.index], leafFlag(x)
	case protocol.SavedOutput:
		out := &o.signature.outs[s.index]
		slot.Flags = graph.SavedOutput
		switch {
		case out.same >= 0:
			slot.Tensor, slot.Version = o.ins[out.same].id, o.ins[out.same].counter.version
		default:
			slot.Tensor, slot.Version = t.tensors.last+graph.TensorID(1+out.fresh), out.at
			if out.counts {
				slot.Version = o.ins[out.from].counter.version
			}
			if out.node < 0 {
				slot.Flags |= graph.SavedLeaf
			}
		}
	case savedNumber:
		slot.Tensor, slot.Flags = o.wrapped[s.index], graph.SavedLeaf
	case protocol.SavedExplicit:
		x := t.tensors.known[o.extra[s.index][0]]
		slot.Tensor, slot.Version, slot.Flags = x.id, uint32(o.extra[s.index][1]), leafFlag(x)
	}
	return slot
}

// rebase gives operands, or what they are views of, other grad_fns.
func (t *Translator) rebase(o *operation) {
	for _, r := range o.rebases {
		x := o.ins[r.operand]
		if r.base {
			x = x.viewed()
		}
		to := edge{}
		if r.node >= 0 {
			to = edge{o.made[r.node], r.nr}
		}
		t.rebased(x, to, r.why)
	}
}

// rebased gives a tensor another grad_fn.
func (t *Translator) rebased(x *tensor, to edge, why graph.RebaseReason) {
	e := &t.op.rebased
	*e = graph.Rebased{Tensor: x.id, OldNode: x.edge.id(), OldOutput: x.edge.nr, Node: to.id(), Output: to.nr, Why: why, View: x.view}
	x.edge = to
	t.append(e)
}

// results announces the results that are new.
func (t *Translator) results(o *operation) {
	clear(o.outs)
	o.outs = o.outs[:0]
	for i := range o.signature.outs {
		out := &o.signature.outs[i]
		if out.same >= 0 {
			o.outs = append(o.outs, o.ins[out.same])
			continue
		}
		x := &tensor{layout: out.layout, view: out.view}
		if out.node >= 0 {
			x.edge = edge{o.made[out.node], out.nr}
		}
		if out.from >= 0 {
			from := o.ins[out.from]
			x.storage = from.storage
			if out.counts {
				x.counter = from.counter
			}
			if out.view != graph.NotAView {
				x.base = from.viewed()
			}
		} else {
			x.storage = t.tensors.newStorage(x.layout, 0)
		}
		if x.counter == nil {
			x.counter = t.tensors.newCounter(out.at)
		}
		t.create(o.numbers[i], x, out.offset, out.flags, o.value(i))
		o.outs = append(o.outs, x)
	}
}

// tell announces the operation itself.
func (t *Translator) tell(o *operation) {
	if o.apart && len(o.inputs) == len(o.outs) {
		for i, x := range o.outs {
			if o.signature.outs[i].same < 0 {
				t.announceOp(o, o.inputs[i:i+1], []*tensor{x})
			}
		}
		return
	}
	t.announceOp(o, o.inputs, o.outs)
}

// announceOp announces that some operands became some results.
func (t *Translator) announceOp(o *operation, inputs []int, outs []*tensor) {
	e := &o.event
	*e = graph.OpRan{Op: o.op, Inputs: e.Inputs[:0], Outputs: e.Outputs[:0], Mutated: e.Mutated[:0], Attrs: o.attrs}
	for _, k := range inputs {
		if k < 0 {
			e.Inputs = append(e.Inputs, o.wrapped[-1-k])
			continue
		}
		e.Inputs = append(e.Inputs, o.ins[k].tensorID())
	}
	before := t.nodes.last - graph.NodeID(len(o.made))
	for _, x := range outs {
		e.Outputs = append(e.Outputs, x.id)
		if id := x.edge.id(); e.Node == 0 && id > before {
			e.Node = id
		}
	}
	for _, c := range o.changes {
		e.Mutated = append(e.Mutated, c.x.id)
	}
	t.append(e)
	if o.detach && len(outs) > 0 {
		o.cut = graph.LineageCut{Why: graph.CutDetach, Inputs: e.Inputs, Output: outs[0].id}
		t.append(&o.cut)
	}
}
