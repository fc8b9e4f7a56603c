package autograd

import (
	"math"

	"github.com/gradtui/gradtui/graph"
)

// This file puts tensors and nodes on the tape.

// firstElements is how many leading elements a summary keeps.
const firstElements = 8

// tensor returns the identifier of a tensor, announcing it first if the tape
// does not know it.
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

// meet announces a tensor that is about to be changed in place while it still
// has its old content and history.
func (r *Recorder) meet(t *Tensor) {
	if t.gen != r.gen && r.muted == 0 {
		r.single(func() graph.Event { r.tensor(t); return nil })
	}
}

// announce appends TensorCreated, after what the tensor refers to. While a node
// is being announced, which may need the tensor first, the tensor's own history
// follows later.
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
		return t.id // announced on the way
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
	*e = graph.TensorCreated{
		Tensor: t.id, Storage: t.st.id, Bytes: uint64(t.st.len() * t.dtype.Size()),
		Counter: t.version.id, Version: t.version.taped, DType: t.dtype, Shape: t.sizes,
		Offset: uint64(t.offset), Flags: extra, Node: node, Output: output,
		Base: base, View: view, Value: r.value(t),
	}
	if t.flags&contiguousFlag == 0 {
		e.Strides = t.strides
	}
	for flag, out := range tensorFlagsOnTape {
		if t.flags&(1<<flag) != 0 {
			e.Flags |= out
		}
	}
	r.append(e)
	if t.ext != nil && t.ext.name != "" {
		r.append(&graph.NameBound{Name: r.batch.String(t.ext.name), Tensor: t.id})
	}
	r.mutation(t)
	return t.id
}

// storage returns the identifier of a storage; a new one gets the next.
func (r *Recorder) storage(s *storage) graph.StorageID {
	if s.gen != r.gen {
		r.storages++
		s.id, s.gen = r.storages, r.gen
	}
	return s.id
}

// mutation tells of changes in place that the tape has not heard of.
func (r *Recorder) mutation(t *Tensor) {
	c := t.version
	if c.taped == c.v {
		return
	}
	r.mutated = graph.Mutated{Tensor: t.id, From: c.taped, To: c.v, Value: r.value(t)}
	c.taped = c.v
	r.append(&r.mutated)
}

// changed tells of a change in place that has just been made; the tensor was at
// version from before.
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

// tensorFlagsOnTape says what a tensor's own flags are called on a tape; the
// index is the bit.
var tensorFlagsOnTape = [...]graph.TensorFlags{graph.FlagRequiresGrad, graph.FlagParameter, graph.FlagInference, 0, graph.FlagNumber, 0}

// value summarises a tensor.
func (r *Recorder) value(t *Tensor) graph.Value {
	n := numel(t.sizes)
	v := graph.Value{DType: t.dtype, Count: uint64(n)}
	start := len(r.floats)
	first := min(n, firstElements)
	for i := range first {
		r.floats = append(r.floats, t.float(t.at(i)))
	}
	v.First = r.floats[start : start+first : start+first]
	if n <= firstElements {
		return v
	}
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	t.eachFloat(func(x float64) {
		switch {
		case x-x == 0:
			lo, hi = min(lo, x), max(hi, x)
			sum += x
		case x != x:
			v.NaN++
		default:
			v.Inf++
		}
	})
	if finite := v.Count - v.NaN - v.Inf; finite > 0 {
		v.Min, v.Max, v.Mean = lo, hi, sum/float64(finite)
	}
	return v
}

// node returns the identifier of a node, announcing it first, and all nodes that
// it leads to, if the tape does not know it. While a node is being announced the
// identifier of an unknown one is zero.
func (r *Recorder) node(n *Node) graph.NodeID {
	switch {
	case n == nil:
		return 0
	case n.gen == r.gen:
		return n.id
	case r.busy:
		return 0
	}
	// Nodes below that were made before recording began: deepest first,
	// without recursion, since chains can be long.
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

// eachBelow calls f for the nodes that an event about n refers to.
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

// announceNode appends NodeCreated for a node whose edges lead to known nodes. a
// are the arguments of the op that made it just now, if they are still there,
// and outs its results.
func (r *Recorder) announceNode(n *Node, a *Args, outs []*Tensor) {
	if n.gen == r.gen {
		return
	}
	// The tensors that the node refers to come first, if need be without
	// their history.
	r.busy = true
	leaf := r.tensor(n.Variable())
	for i := range n.saved {
		if t := n.saved[i].tensor; t != nil && indexOf(outs, t) < 0 {
			r.tensor(t)
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
	*e = graph.NodeCreated{Sequence: n.seq, Outputs: uint32(len(n.outs)), Variable: leaf, Edges: e.Edges[:0], Saved: e.Saved[:0], Attrs: e.Attrs[:0]}
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
			e.Attrs = append(e.Attrs, graph.Attr{Name: names.attrs[i], AttrValue: a.attr(&n.op.attrs[i])})
		}
	}
	if c, ok := n.apply.(*copySlices); ok && c.inner != nil {
		e.Inner = c.inner.id
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

// unknownBefore counts the results in front of t that are not on the tape yet.
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
