package pytorch

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/passorder"
)

// This file derives what was not observed of a backward pass: which nodes run, when each is
// ready, and which comes first. Package passorder knows the order; here it becomes events.

// open visits the nodes below the roots and begins with the roots.
func (t *Translator) open(p *pass) {
	p.states = map[*node]*state{}
	visit := func(n *node) int32 {
		if n == nil {
			return passorder.None
		}
		s := p.states[n]
		if s == nil {
			s = p.know(n)
		}
		return s.number
	}
	roots := make([]int32, len(p.roots))
	for i, r := range p.roots {
		roots[i] = visit(r.to)
	}
	var next []int32
	for i := 0; i < len(p.known); i++ { // the nodes that the edges lead to become known
		s := p.known[i]
		next = next[:0]
		for _, e := range s.node.edges {
			next = append(next, visit(e.to))
		}
		p.order.Add(s.node.sequence, next...)
	}
	if len(p.inputs) > 0 {
		var inputs []int32
		for _, x := range p.inputs {
			if s := p.states[x.gradNode()]; s != nil {
				inputs = append(inputs, s.number)
			}
		}
		p.order.Select(inputs, p.flags&graph.GradOnly != 0)
	}
	p.order.Open(roots)
	if len(roots) == 1 {
		if s := p.states[p.roots[0].to]; s != nil {
			t.ready(p, s)
		}
		return
	}
	for i, r := range p.roots {
		t.deliver(p, nil, i, r, graph.Grad{}, false)
	}
}

// know makes the state of a node that the pass has not seen before.
func (p *pass) know(n *node) *state {
	s := &state{node: n, number: int32(len(p.known))}
	p.known = append(p.known, s)
	p.states[n] = s
	return s
}

// first returns the node that runs next; nil if none is ready.
func (p *pass) first() *state {
	if i, ok := p.order.First(); ok {
		return p.known[i]
	}
	return nil
}

// ready records that a node waits for nothing any more.
func (t *Translator) ready(p *pass, s *state) {
	t.append(&graph.NodeReady{Backward: p.id, Node: s.node.id})
}

// reach derives what comes before a node runs, and returns the state of the node, which is
// ready then.
func (t *Translator) reach(p *pass, n *node) *state {
	if p.states == nil {
		t.open(p)
	}
	target := p.states[n]
	known := target != nil
	if !known { // the edges that lead to it are not known
		target = p.know(n)
		p.order.Add(n.sequence)
	}
	for known && !p.done(target) {
		next := p.first()
		if next == nil || next == target {
			break
		}
		// The program will say when those that are observed run.
		observed := t.passes.observed
		if next.node.variable != nil {
			observed = t.passes.leavesObserved
		}
		if p.order.Ready(target.number) && observed {
			break
		}
		t.derive(p, next)
	}
	if !p.order.Ready(target.number) {
		p.order.Assume(target.number)
		t.ready(p, target)
	}
	return target
}

// rest derives what has not been observed of a pass that is over.
func (t *Translator) rest(p *pass) {
	func() {
		defer t.inside(p)()
		if p.states == nil {
			t.open(p)
		}
		for s := p.first(); s != nil; s = p.first() {
			t.derive(p, s)
		}
	}()
	t.leftOver(p)
}

// derive lets a node run whose gradients were not seen.
func (t *Translator) derive(p *pass, s *state) {
	if p.order.Runs(s.number) {
		t.starts(s.node)
	}
	t.execute(p, s, nil)
	if t.derived++; t.derived%lockedNodes == 0 {
		t.unlock() // those who read the tape do not wait for the end of a large pass
		t.lock()
	}
	t.pause()
}

// lockedNodes is after how many nodes the tape is unlocked for a moment.
const lockedNodes = 256

// starts lets the gate stop the program before a node runs.
func (t *Translator) starts(n *node) {
	if t.Gate != nil && t.Gate.Starts(t.batch, t.header, n.id) {
		t.stopping = true
	}
	t.pause()
}

// execute records that a node ran, and where the gradients went that it sent.
func (t *Translator) execute(p *pass, s *state, out []graph.Grad) {
	p.order.Finish(s.number)
	t.accumulate(p, s)
	if !p.order.Runs(s.number) {
		return
	}
	n := s.node
	sent := slices.Clone(out)
	for i := range sent {
		if n.edges[i].to == nil {
			sent[i] = graph.Grad{}
		}
	}
	t.append(&graph.NodeExecuted{Backward: p.id, Node: n.id, In: s.in, Out: sent})
	if p.flags&graph.RetainGraph == 0 && n.saves {
		t.append(&graph.SavedFreed{Backward: p.id, Node: n.id})
	}
	for i, e := range n.edges {
		if sent == nil {
			t.deliver(p, n, i, e, graph.Grad{}, false)
		} else {
			t.deliver(p, n, i, e, sent[i], true)
		}
	}
	s.sums = nil
}

// deliver hands a gradient, which may be unknown, to the node at the end of an edge.
func (t *Translator) deliver(p *pass, from *node, index int, e edge, g graph.Grad, known bool) {
	s := p.states[e.to]
	if s == nil {
		return
	}
	taken, ready := p.order.Deliver(s.number)
	if !taken {
		return
	}
	if waiting, expected := p.order.Waiting(s.number); expected > 1 {
		arrived := &graph.GradArrived{Backward: p.id, Node: e.to.id, Input: e.nr, Index: uint32(index), Waiting: uint32(waiting), Grad: g}
		if from != nil {
			arrived.From = from.id
		}
		arrived.Sum = s.add(e.nr, g, known)
		t.append(arrived)
	}
	if ready {
		t.ready(p, s)
	}
}

// add is the sum of what has arrived for a result, if all of it is known.
func (s *state) add(nr uint32, g graph.Grad, known bool) graph.Grad {
	if s.sums == nil {
		s.sums = map[uint32]sum{}
	}
	now, ok := s.sums[nr]
	if !ok {
		now = sum{g, known}
	} else {
		now.grad, now.ok = added(now.grad, g, now.ok && known)
	}
	s.sums[nr] = now
	if !now.ok {
		return graph.Grad{}
	}
	return now.grad
}

// added is the sum of two gradients, if both are known and each of their elements is.
func added(a, b graph.Grad, known bool) (graph.Grad, bool) {
	switch {
	case !known:
		return graph.Grad{}, false
	case !b.Defined():
		return a, true
	case !a.Defined():
		return b, true
	case !a.Value.Whole() || !b.Value.Whole() || len(a.Value.First) != len(b.Value.First) || a.Value.DType != b.Value.DType || !slices.Equal(a.Shape, b.Shape):
		return graph.Grad{}, false
	}
	total := a
	total.Value.First = make([]float64, len(a.Value.First))
	for i := range total.Value.First {
		switch x := a.Value.First[i] + b.Value.First[i]; a.Value.DType {
		case graph.Float64:
			total.Value.First[i] = x
		case graph.Float32:
			total.Value.First[i] = float64(float32(x))
		default:
			return graph.Grad{}, false
		}
	}
	return total, true
}
