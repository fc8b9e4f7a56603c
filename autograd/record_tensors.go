package autograd

import (
	"math/bits"

	"github.com/gradtui/gradtui/graph"
)

// This file puts tensors and nodes on the tape.

// tensor returns the identifier of a tensor, and announces the tensor first if
// it is not on the tape.
func (r *Recorder) tensor(t *Tensor) graph.TensorID {
	switch {
	case t == nil:
		return 0
	case t.gen == r.gen:
		r.mutation(t)
		return t.id
	}
	if t.serial > r.serial {
		return r.announce(t, 0)
	}
	return r.announce(t, graph.FlagExisting)
}

// meet announces a tensor that is about to be changed in place, while it still
// has its old values and history.
func (r *Recorder) meet(t *Tensor) {
	if t.gen != r.gen && r.muted == 0 {
		r.single(func() graph.Event { r.tensor(t); return nil })
	}
}

// announce appends TensorCreated, after everything that the tensor refers to.
// While a node is being announced, which may need the tensor first, the
// tensor's own history follows later.
func (r *Recorder) announce(t *Tensor, extra graph.TensorFlags) graph.TensorID {
	node, output := r.node(t.gradFn), t.outputNr
	if node == 0 {
		output = 0
		if t.gradFn != nil {
			r.early = append(r.early, t)
		}
	}
	var base graph.TensorID
	var view graph.ViewKind
	if v := t.viewInfo(); v != nil {
		base, view = r.tensor(v.base), v.kind
	}
	if t.gen == r.gen {
		return t.id // announced by one of these
	}
	r.storage(t.st)
	if t.version.gen != r.gen {
		r.counters++
		t.version.id, t.version.gen, t.version.taped = r.counters, r.gen, t.version.v
	}
	r.tensors++
	t.id, t.gen = r.tensors, r.gen
	if r.met != nil {
		r.met(t, nil)
	}
	e := &r.created
	e.Tensor, e.Storage, e.Counter = t.id, t.st.id, t.version.id
	e.Bytes, e.Version, e.DType = uint64(t.st.len()*t.dtype.Size()), t.version.taped, t.dtype
	e.Shape, e.Strides, e.Offset = t.sizes, nil, uint64(t.offset)
	e.Flags, e.Node, e.Output, e.Base, e.View = extra|t.flags.onTape(), node, output, base, view
	if t.flags&contiguousFlag == 0 {
		e.Strides = t.strides
	}
	if r.amounts != nil && extra == 0 {
		r.choose(t)
	}
	r.summarize(&e.Value, t)
	r.append(e)
	if r.inOp && extra == 0 && t.flags&numberFlag == 0 {
		r.inner = append(r.inner, t)
	}
	if t.ext != nil && t.ext.name != "" {
		r.append(&graph.NameBound{Name: r.batch.String(t.ext.name), Tensor: t.id})
	}
	r.mutation(t)
	return t.id
}

// storage returns the identifier of a storage, a new one if it is not on the
// tape.
func (r *Recorder) storage(s *storage) graph.StorageID {
	if s.gen != r.gen {
		r.storages++
		s.id, s.gen = r.storages, r.gen
	}
	return s.id
}

// mutation records in-place changes that are not on the tape.
func (r *Recorder) mutation(t *Tensor) {
	c := t.version
	if c.taped == c.v {
		return
	}
	r.mutated.Tensor, r.mutated.From, r.mutated.To = t.id, c.taped, c.v
	r.summarize(&r.mutated.Value, t)
	c.taped = c.v
	r.append(&r.mutated)
}

// changed records an in-place change that has just been made. from is the
// tensor's version before it.
func (r *Recorder) changed(t *Tensor, from uint32) {
	if t.gen != r.gen {
		now := t.version.v
		t.version.v = from
		r.tensor(t)
		t.version.v = now
	}
	if t.flags&inferenceFlag != 0 {
		r.append(&graph.Mutated{Tensor: t.id, From: t.version.v, To: t.version.v, Value: r.value(t)})
		return
	}
	r.mutation(t)
}

// tensorFlagsOnTape maps a tensor's flags to flags of the tape; the index is
// the bit.
var tensorFlagsOnTape = [...]graph.TensorFlags{graph.FlagRequiresGrad, graph.FlagParameter, graph.FlagInference, 0, graph.FlagNumber}

func (f tensorFlags) onTape() (out graph.TensorFlags) {
	for f &^= contiguousFlag | releasedFlag | lentFlag; f != 0; f &= f - 1 {
		out |= tensorFlagsOnTape[bits.TrailingZeros8(uint8(f))]
	}
	return out
}

// node returns the identifier of a node. If the node is not on the tape, it
// first announces the node and all nodes to which it leads. While a node is
// being announced, the identifier of an unknown node is zero.
func (r *Recorder) node(n *Node) graph.NodeID {
	switch {
	case n == nil:
		return 0
	case n.gen == r.gen:
		return n.id
	case r.busy:
		return 0
	}
	// Nodes below that were made before recording began are announced deepest
	// first, without recursion, because chains can be long.
	stack := []*Node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		waits := len(stack)
		top.eachBelow(func(next *Node) {
			if next.gen != r.gen && top.gen != r.gen {
				stack = append(stack, next)
			}
		})
		if len(stack) == waits {
			stack = stack[:waits-1]
			r.announceNode(top, nil, nil)
		}
	}
	return n.id
}

// eachBelow calls f for the nodes to which an event about n refers.
func (n *Node) eachBelow(f func(*Node)) {
	for _, e := range n.edges {
		if e.Node != nil {
			f(e.Node)
		}
	}
	if c, ok := n.apply.(*copySlices); ok && c.inner != nil {
		f(c.inner)
	}
}

// announceNode appends NodeCreated for a node whose edges lead to known nodes.
// a holds the arguments of the op that has just made it, if they still exist,
// and outs its results.
func (r *Recorder) announceNode(n *Node, a *Args, outs []*Tensor) {
	if n.gen == r.gen {
		return
	}
	// The tensors to which the node refers come first, without their history if
	// need be. Among its own results these are the ones without a history: the
	// statistics of a normalization.
	r.busy = true
	leaf := r.tensor(n.Variable())
	for i := range n.saved {
		s := &n.saved[i]
		if s.tensor != nil && (!s.isOutput || indexOf(outs, s.tensor) < 0) {
			r.tensor(s.tensor)
		}
	}
	r.busy = false
	r.appendNode(n, a, outs, leaf)
	for len(r.early) > 0 {
		t := r.early[0]
		r.early = r.early[1:]
		r.append(&graph.Rebased{Tensor: t.id, Node: r.node(t.gradFn), Output: t.outputNr, Why: graph.RebasedExisting})
	}
}

func (r *Recorder) appendNode(n *Node, a *Args, outs []*Tensor, leaf graph.TensorID) {
	e := &r.made
	e.Sequence, e.Outputs, e.Variable, e.Inner = n.seq, uint32(len(n.outs)), leaf, 0
	e.Edges, e.Saved, e.Attrs, e.Results = e.Edges[:0], e.Saved[:0], e.Attrs[:0], e.Results[:0]
	for _, edge := range n.edges {
		to := graph.NodeID(0)
		if edge.Node != nil {
			to = edge.Node.id
		}
		e.Edges = append(e.Edges, graph.Edge{Node: to, Input: uint32(edge.Input)})
	}
	if n.apply != nil {
		e.Name = r.batch.String(n.ClassName())
		r.savedSlots(n, n.slotNames(), nil, outs)
	} else {
		names := r.opNames(n.op)
		e.Name = names.node
		if n.op.plainSlots != nil {
			r.savedSlots(n, nil, names.slots, outs)
		} else {
			r.savedSlots(n, n.slotNames(), nil, outs)
		}
		if a == nil {
			a = n.args
		}
		for i := range n.op.attrs {
			e.Attrs = append(e.Attrs, graph.Attr{Name: names.attrs[i], AttrValue: a.attr(&n.op.attrs[i], &r.attrs)})
		}
	}
	if c, ok := n.apply.(*copySlices); ok && c.inner != nil {
		e.Inner = c.inner.id
	}
	if len(outs) == 0 && leaf == 0 { // perhaps no result is on the tape
		for i := range n.outs {
			e.Results = append(e.Results, graph.Result{DType: n.outs[i].dtype, Shape: n.outs[i].sizes})
		}
	}
	r.nodes++
	n.id, n.gen = r.nodes, r.gen
	if r.met != nil {
		r.met(nil, n)
	}
	e.Node = n.id
	r.append(e)
}

func indexOf(list []*Tensor, t *Tensor) int {
	for i, x := range list {
		if x == t {
			return i
		}
	}
	return -1
}

// savedSlots fills in the saved tensors of r.made. A result that is not on the
// tape yet will get one of the next identifiers.
func (r *Recorder) savedSlots(n *Node, names []string, ids []graph.StringID, outs []*Tensor) {
	for i := range n.saved {
		s := &n.saved[i]
		slot := graph.Saved{Version: s.version}
		if ids != nil {
			slot.Name = ids[i]
		} else if i < len(names) {
			slot.Name = r.batch.String(names[i])
		}
		if t := s.tensor; t != nil {
			if t.gen == r.gen {
				slot.Tensor = t.id
			} else {
				slot.Tensor = r.tensors + 1 + graph.TensorID(r.unknownBefore(outs, t))
			}
			if s.isOutput {
				slot.Flags |= graph.SavedOutput
			}
			if s.leaf {
				slot.Flags |= graph.SavedLeaf
			}
			if s.copied {
				slot.Flags |= graph.SavedCopy
			}
		}
		r.made.Saved = append(r.made.Saved, slot)
	}
}

// unknownBefore counts the results before t that are not on the tape yet.
func (r *Recorder) unknownBefore(outs []*Tensor, t *Tensor) int {
	n := 0
	for _, o := range outs {
		if o == t {
			break
		}
		if o != nil && o.gen != r.gen {
			n++
		}
	}
	return n
}
