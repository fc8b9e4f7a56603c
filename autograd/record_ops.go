package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/graph"
)

// This file records what a program does besides backward.

// opNames holds the interned names of an op, on the tape of recorder generation
// gen.
type opNames struct {
	gen               uint32
	op, inPlace, node graph.StringID
	slots             []graph.StringID
	attrs             []graph.StringID
	params            []graph.StringID
}

func (r *Recorder) opNames(o *Op) *opNames {
	if o.names.gen == r.gen {
		return &o.names
	}
	o.names = opNames{gen: r.gen, op: r.batch.String(o.schema.Name), node: r.batch.String(o.Node)}
	n := &o.names
	n.inPlace = n.op
	if o.Mutate == nil {
		n.inPlace = r.batch.String(o.schema.Name + "_")
	}
	for _, s := range o.slots {
		n.slots = append(n.slots, r.batch.String(s.name))
	}
	for _, a := range o.attrs {
		n.attrs = append(n.attrs, r.batch.String(a.name))
	}
	for _, p := range o.schema.Params {
		n.params = append(n.params, r.batch.String(p.Name))
	}
	return n
}

// op records a call: its node, its results and the call itself. self is the
// tensor that an in-place call changed, from its version before the call.
func (r *Recorder) op(a *Args, outs []*Tensor, n *Node, self *Tensor, from uint32) {
	if r.muted > 0 {
		r.waiting = false
		r.forgetHeld()
		return
	}
	r.begin()
	defer r.end()
	o := a.op
	names := r.opNames(o)
	if self != nil {
		r.changed(self, from)
	}
	inputs := r.ran.Inputs[:0]
	a.each(func(t *Tensor) error {
		inputs = append(inputs, r.tensor(t))
		return nil
	})
	var node graph.NodeID
	if n != nil {
		for _, e := range n.edges {
			r.node(e.Node)
		}
		r.announceNode(n, a, outs)
		node = n.id
	}
	r.flushRebases()
	outputs := r.ran.Outputs[:0]
	for i, t := range outs {
		if t == nil {
			continue
		}
		id := t.id
		if t.gen != r.gen {
			if len(outs) > 1 {
				r.result = i
			}
			id = r.announce(t, 0)
			r.result = -1
		}
		outputs = append(outputs, id)
		if rule := t.rule(); rule > 0 && n != nil {
			n.extend().rule = rule
		}
	}
	e := &r.ran
	e.Op, e.Inputs, e.Outputs, e.Node = names.op, inputs, outputs, node
	e.Mutated, e.Attrs = e.Mutated[:0], e.Attrs[:0]
	if self != nil {
		e.Op = names.inPlace
		e.Mutated = append(e.Mutated, self.id)
	}
	for i := range o.schema.Params {
		p, v := &o.schema.Params[i], &a.values[i]
		if v.set && p.Type != schema.Tensor && !isDefault(p, v) {
			e.Attrs = append(e.Attrs, graph.Attr{Name: names.params[i], AttrValue: attrOf(p, v, false, &r.attrs)})
		}
	}
	if r.part.Name != 0 {
		e.Attrs = append(e.Attrs, r.part)
	}
	r.append(e)
	if o.Cut != 0 && len(outs) > 0 {
		r.append(&graph.LineageCut{Why: o.Cut, Inputs: inputs, Output: outs[0].id})
	}
}

func isDefault(p *schema.Param, v *value) bool {
	switch d := p.Default.(type) {
	case int64:
		return !p.List && int64(v.n) == d
	case float64:
		return v.n == math.Float64bits(d)
	case bool:
		return (v.n != 0) == d
	case string:
		return v.x == d
	}
	return false
}

// leafMade records a tensor that the program made without an operator.
func (r *Recorder) leafMade(t *Tensor) {
	if r.muted > 0 {
		return
	}
	r.begin()
	defer r.end()
	r.announce(t, 0)
}

// function records a call of a custom Function.
func (r *Recorder) function(c *FunctionCtx, n *Node, outs []*Tensor) {
	if r.muted > 0 {
		return
	}
	r.begin()
	defer r.end()
	r.ran.Inputs = r.ran.Inputs[:0]
	for _, t := range c.inputs {
		if t != nil {
			r.ran.Inputs = append(r.ran.Inputs, r.tensor(t))
		}
	}
	var node graph.NodeID
	if n != nil {
		for _, e := range n.edges {
			r.node(e.Node)
		}
		r.announceNode(n, nil, outs)
		node = n.id
	}
	r.flushRebases()
	r.ran = graph.OpRan{Op: r.batch.String(c.fn.Name), Inputs: r.ran.Inputs, Outputs: r.ran.Outputs[:0], Mutated: r.ran.Mutated[:0], Node: node}
	for _, t := range outs {
		if t != nil {
			r.ran.Outputs = append(r.ran.Outputs, r.tensor(t))
		}
	}
	for _, t := range c.dirty {
		r.ran.Mutated = append(r.ran.Mutated, r.tensor(t))
	}
	r.append(&r.ran)
}

// holdRebases delays the recording of changes of history until the node of the
// current op is complete and on the tape.
func (r *Recorder) holdRebases() { r.waiting = true }

// flushRebases records the delayed changes. The tape must be locked.
func (r *Recorder) flushRebases() {
	r.waiting = false
	for i := range r.held {
		r.rebased(&r.held[i])
	}
	r.forgetHeld()
}

func (r *Recorder) forgetHeld() {
	clear(r.held)
	r.held = r.held[:0]
}

// settle ends holdRebases if the op failed.
func (r *Recorder) settle() {
	if !r.waiting {
		return
	}
	r.begin()
	defer r.end()
	r.flushRebases()
}

// A change of history: output oldNr of old was the tensor's grad_fn before.
type change struct {
	t     *Tensor
	old   *Node
	oldNr uint32
	why   graph.RebaseReason
}

func (r *Recorder) rebased(c *change) {
	// The announced tensor must have its old history.
	t := c.t
	id := t.id
	if t.gen != r.gen {
		fn, nr := t.gradFn, t.outputNr
		t.gradFn, t.outputNr = c.old, c.oldNr
		id = r.tensor(t)
		t.gradFn, t.outputNr = fn, nr
	}
	e := &r.rebase
	*e = graph.Rebased{Tensor: id, OldNode: r.node(c.old), OldOutput: c.oldNr, Why: c.why}
	if t.gradFn != nil {
		e.Node, e.Output = r.node(t.gradFn), t.outputNr
	}
	if v := t.viewInfo(); v != nil {
		e.View = v.kind
	}
	r.append(e)
}

// recordRebase records that a tensor got another grad_fn. A tensor on the tape
// belongs to the program, even if a backward pass without create_graph reaches
// it.
func recordRebase(t *Tensor, old *Node, oldNr uint32, why graph.RebaseReason) {
	r := recorder
	switch {
	case r == nil || r.muted > 0 && t.gen != r.gen:
	case r.waiting && r.muted == 0:
		r.held = append(r.held, change{t, old, oldNr, why})
	default:
		r.single(func() graph.Event { r.rebased(&change{t, old, oldNr, why}); return nil })
	}
}

// recordAdopted records that a tensor on the tape, which forward of a Function
// made, became a result of the Function.
func recordAdopted(t *Tensor, old *Node, oldNr uint32) {
	if r := recorder; r != nil && t.gen == r.gen {
		recordRebase(t, old, oldNr, graph.RebasedFunction)
	}
}

// recordReshaped records that a tensor has other memory, or another layout. A
// tensor that is not on the tape will be announced in its present state.
func recordReshaped(t *Tensor) {
	r := recorder
	if r == nil || t.gen != r.gen {
		return
	}
	r.single(func() graph.Event {
		e := &graph.Reshaped{
			Tensor: t.id, Storage: r.storage(t.st), Bytes: uint64(t.st.len() * t.dtype.Size()),
			DType: t.dtype, Shape: t.sizes, Offset: uint64(t.offset), Value: r.value(t),
		}
		if t.flags&contiguousFlag == 0 {
			e.Strides = t.strides
		}
		return e
	})
}

func recordName(t *Tensor, name string) {
	if r := recorder; r != nil {
		r.single(func() graph.Event {
			if t.gen != r.gen {
				r.tensor(t) // which binds the name
				return nil
			}
			r.append(&graph.NameBound{Name: r.batch.String(name), Tensor: t.id})
			if r.amounts != nil {
				r.bound(t, name)
			}
			return nil
		})
	}
}

func recordRequiresGrad(t *Tensor, on bool) {
	r := recorder
	if t.gen != r.gen && t.flags&requiresGradFlag != 0 == on {
		r.single(func() graph.Event { r.tensor(t); return nil })
		return
	}
	r.single(func() graph.Event { return &graph.RequiresGrad{Tensor: r.tensor(t), To: on} })
}

func recordGradAssigned(t, g *Tensor) {
	r := recorder
	r.single(func() graph.Event { return &graph.GradAssigned{Tensor: r.tensor(t), Grad: r.tensor(g)} })
}

func recordRetainGrad(t *Tensor) {
	r := recorder
	r.single(func() graph.Event { return &graph.RetainGrad{Tensor: r.tensor(t)} })
}

// recordCut records that values went from one tensor to another without a path
// for the gradient. to is nil if they left the world of tensors.
func recordCut(why graph.CutReason, to *Tensor, from ...*Tensor) {
	r := recorder
	if r == nil || r.muted > 0 {
		return
	}
	r.single(func() graph.Event {
		e := &graph.LineageCut{Why: why}
		for _, t := range from {
			e.Inputs = append(e.Inputs, r.tensor(t))
		}
		e.Output = r.tensor(to)
		return e
	})
}

// recordMutated records an in-place change without an operator's event.
func recordMutated(t *Tensor, from uint32) {
	if r := recorder; r != nil && r.muted == 0 {
		r.single(func() graph.Event { r.changed(t, from); return nil })
	}
}

// recordError records an error when it reaches the program, once.
func recordError(e *Error) {
	r := recorder
	if r == nil || r.muted > 0 || e.gen == r.gen {
		return
	}
	e.gen = r.gen
	r.single(func() graph.Event {
		raised := &graph.Raised{Type: r.batch.String(string(e.Type)), Code: r.batch.String(string(e.Code)), Op: r.batch.String(e.Op), Message: e.Text}
		if r.operands != nil {
			raised.Tensors = r.tensorIDs(r.operands())
		}
		return raised
	})
}

func recordMode(m graph.Mode, on bool) {
	if r := recorder; r != nil {
		r.single(func() graph.Event { return &graph.ModeChanged{Mode: m, To: on} })
	}
}
