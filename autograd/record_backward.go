package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// This file records backward passes.

func (r *Recorder) beginBackward(p *pass, roots []Edge, grads []*Tensor) {
	r.begin()
	defer r.end()
	r.passes++
	p.id = r.passes
	e := &graph.BackwardBegan{Backward: p.id}
	for i, root := range roots {
		node := r.node(root.Node)
		e.Roots = append(e.Roots, graph.Root{Tensor: r.tensor(p.roots[i]), Node: node, Output: uint32(root.Input)})
	}
	for _, t := range p.inputs {
		e.Inputs = append(e.Inputs, r.tensor(t))
	}
	for i := range roots {
		e.Roots[i].Grad = r.grad(grads[i], r.firstFor(roots[i].Node))
	}
	e.Flags = p.flags()
	r.append(e)
	if !p.create {
		r.muted++
	}
}

// flags returns the options of a pass as a tape shows them.
func (p *pass) flags() (f graph.BackwardFlags) {
	if p.keep {
		f |= graph.RetainGraph
	}
	if p.create {
		f |= graph.CreateGraph
	}
	if !p.accumulate {
		f |= graph.GradOnly
	}
	return f
}

func (r *Recorder) endBackward(p *pass, err error) {
	if !p.create {
		r.muted--
	}
	r.begin()
	defer r.end()
	if err == nil {
		for _, g := range p.captured {
			if g != nil && g.gen != r.gen {
				r.announce(g, graph.FlagGradient)
			}
		}
		r.append(&graph.BackwardEnded{Backward: p.id})
		return
	}
	e := asError(err)
	failed := graph.NodeID(0)
	if p.running != nil && p.running.gen == r.gen {
		failed = p.running.id
	}
	r.append(&graph.BackwardFailed{Backward: p.id, Node: failed, Type: r.batch.String(string(e.Type)), Message: e.Text})
}

// grad describes a gradient with so many leading elements. The summaries of one event share
// scratch memory.
func (r *Recorder) grad(g *Tensor, first int) (d graph.Grad) {
	if g != nil {
		d.Shape = g.sizes
		r.describe(&d.Value, g, first)
	}
	return d
}

// grads describes gradients in the memory of a list. Gradients without an edge
// of n are left out.
func (r *Recorder) grads(list []graph.Grad, gs []*Tensor, n *Node, first int) []graph.Grad {
	list = slices.Grow(list[:0], len(gs))[:len(gs)]
	for i, g := range gs {
		if g == nil || n != nil && n.edges[i].Node == nil {
			list[i] = graph.Grad{}
			continue
		}
		list[i].Shape = g.sizes
		r.describe(&list[i].Value, g, first)
	}
	return list
}

func (r *Recorder) ready(p *pass, n *Node) {
	r.begin()
	defer r.end()
	r.readyEv = graph.NodeReady{Backward: p.id, Node: n.id}
	r.append(&r.readyEv)
}

// starts lets the gate stop the program before a node runs.
func (r *Recorder) starts(n *Node) {
	if r.gate == nil {
		return
	}
	r.begin()
	defer r.end()
	r.stopping = r.gate.Starts(r.batch, r.header, n.id)
}

func (r *Recorder) executed(p *pass, n *Node, in, out []*Tensor) {
	r.begin()
	defer r.end()
	e := &r.done
	e.Backward, e.Node = p.id, n.id
	e.In, e.Out = r.grads(e.In, in, nil, r.firstFor(n)), r.grads(e.Out, out, n, r.first)
	r.append(e)
	if !p.keep {
		r.freed(p, n)
	}
}

// freed records that a node dropped its saved tensors. The tape must be locked.
func (r *Recorder) freed(p *pass, n *Node) {
	if _, isCopySlices := n.apply.(*copySlices); len(n.saved) == 0 && !isCopySlices {
		return
	}
	r.freedEv = graph.SavedFreed{Backward: p.id, Node: n.id}
	r.append(&r.freedEv)
}

func (r *Recorder) arrived(s *passState, from *Node, index int, e Edge, g, unreduced *Tensor) {
	r.begin()
	defer r.end()
	ev, first := &r.arrive, r.firstFor(e.Node)
	*ev = graph.GradArrived{
		Backward: s.pass.id, Node: e.Node.id, Input: uint32(e.Input), Index: uint32(index),
		Waiting: uint32(s.waiting), Grad: r.grad(g, first), Sum: r.grad(s.buffer[e.Input], first),
	}
	if from != nil {
		ev.From = from.id
	}
	if unreduced != nil {
		ev.Raw = unreduced.sizes
	}
	r.append(ev)
}

func (r *Recorder) accumulated(p *pass, t, g *Tensor, how graph.AccumulateMode, from uint32) {
	r.begin()
	defer r.end()
	e := &r.added
	id := r.tensor(t)
	r.inherit(t.grad, t)
	if t.grad.gen != r.gen {
		if how == graph.AccumulateInPlace {
			r.changed(t.grad, from)
		} else {
			r.announce(t.grad, graph.FlagGradient)
		}
	}
	if c := t.grad.version; c.taped != c.v {
		r.append(&graph.Mutated{Tensor: t.grad.id, From: c.taped, To: c.v})
		c.taped = c.v
	}
	*e = graph.GradAccumulated{Backward: p.id, Tensor: id, Grad: t.grad.id, How: how, Added: r.grad(g, r.firstOf(t)), Value: r.value(t.grad)}
	r.append(e)
}

func (r *Recorder) hookRan(p *pass, kind graph.HookKind, t *Tensor, n *Node, replaced bool, g *Tensor) {
	r.begin()
	defer r.end()
	e := &graph.HookRan{Hook: kind, Tensor: r.tensor(t), Replaced: replaced}
	if p != nil {
		e.Backward = p.id
	}
	if n != nil {
		e.Node = n.id
	}
	e.Grad = r.grad(g, r.firstFor(n))
	r.append(e)
}
