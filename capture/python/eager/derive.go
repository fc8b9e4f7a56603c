package eager

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// This file works out what a backward pass does, as the engine of package autograd does it
// and PyTorch's does: which nodes run, when each is ready, and which comes first.

// open counts, for each node below the roots, the edges that lead to it, and begins with the
// roots.
func (t *Translator) open(p *pass) {
	p.states = map[*node]*state{}
	var todo []*node
	follow := func(e edge, counted bool) {
		if e.to == nil {
			return
		}
		s, isNew := p.visit(e.to)
		if counted {
			s.waiting++
			s.expected++
		}
		if isNew {
			todo = append(todo, e.to)
		}
	}
	for _, r := range p.roots {
		follow(r, len(p.roots) > 1)
	}
	var order []*node
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		order = append(order, n)
		for _, e := range n.edges {
			follow(e, true)
		}
	}
	if len(p.inputs) > 0 {
		p.selectNodes(order)
	}
	if len(p.roots) == 1 {
		if s := p.states[p.roots[0].to]; s != nil {
			t.push(p, s)
		}
		return
	}
	for i, r := range p.roots {
		t.deliver(p, nil, i, r, graph.Grad{}, false)
	}
}

// visit is what the pass knows about a node.
func (p *pass) visit(n *node) (s *state, isNew bool) {
	if s = p.states[n]; s != nil {
		return s, false
	}
	s = &state{node: n}
	p.states[n] = s
	return s, true
}

// selectNodes marks the nodes on a path to the inputs of the pass; only those run.
func (p *pass) selectNodes(order []*node) {
	for _, x := range p.inputs {
		if s := p.states[x.gradNode()]; s != nil {
			if p.flags&graph.GradOnly != 0 {
				s.captured = true
			} else {
				s.needed = true
			}
		}
	}
	type frame struct {
		s    *state
		edge int
	}
	for _, n := range order {
		root := p.states[n]
		if root.seen {
			continue
		}
		root.seen = true
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.edge == len(top.s.node.edges) {
				stack = stack[:len(stack)-1]
				if top.s.wanted() && len(stack) > 0 {
					stack[len(stack)-1].s.needed = true
				}
				continue
			}
			child := p.states[top.s.node.edges[top.edge].to]
			top.edge++
			switch {
			case child == nil:
			case !child.seen:
				child.seen = true
				stack = append(stack, frame{child, 0})
			case child.wanted():
				top.s.needed = true
			}
		}
	}
}

// wanted reports whether gradients have to be delivered to the node.
func (s *state) wanted() bool { return s.needed || s.captured }

// runs reports whether a node that is ready runs.
func (p *pass) runs(s *state) bool { return len(p.inputs) == 0 || s.needed }

func (t *Translator) push(p *pass, s *state) {
	s.ready = true
	t.append(&graph.NodeReady{Backward: p.id, Node: s.node.id})
	p.queue.Push(s.node.sequence, s)
}

// first is the node that runs next; nil if none is ready.
func (p *pass) first() *state {
	for p.queue.Len() > 0 {
		if s := p.queue.First(); !s.done {
			return s
		}
		p.queue.Pop() // it was observed to run before others
	}
	return nil
}

// reach derives what comes before a node runs, and returns what is known about the node,
// which is ready.
func (t *Translator) reach(p *pass, n *node) *state {
	if p.states == nil {
		t.open(p)
	}
	target, unknown := p.visit(n)
	for !target.done && !unknown {
		next := p.first()
		if next == nil || next == target {
			break
		}
		// Those that are observed will be told of.
		observed := t.passes.observed
		if next.node.variable != nil {
			observed = t.passes.leavesObserved
		}
		if target.ready && observed {
			break
		}
		t.derive(p, next)
	}
	if !target.ready { // edges lead to it that are not known
		target.ready, target.waiting = true, 0
		t.append(&graph.NodeReady{Backward: p.id, Node: n.id})
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

// derive lets a node run whose gradients nobody has seen.
func (t *Translator) derive(p *pass, s *state) {
	if p.runs(s) {
		t.starts(s.node)
	}
	t.execute(p, s, nil)
	t.pause()
}

// starts lets the gate stop the program before a node runs.
func (t *Translator) starts(n *node) {
	if t.Gate != nil && t.Gate.Starts(t.batch, t.header, n.id) {
		t.stopping = true
	}
	t.pause()
}

// execute tells that a node ran, and what became of the gradients that it sent.
func (t *Translator) execute(p *pass, s *state, out []graph.Grad) {
	if s.done = true; p.queue.Len() > 0 && p.queue.First() == s {
		p.queue.Pop()
	}
	t.accumulate(p, s)
	if !p.runs(s) {
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
	s.in, s.sums = nil, nil
}

// deliver hands a gradient, which may be unknown, to the node at the end of an edge.
func (t *Translator) deliver(p *pass, from *node, index int, e edge, g graph.Grad, known bool) {
	s := p.states[e.to]
	if s == nil || s.ready {
		return
	}
	s.waiting--
	if len(p.inputs) > 0 && !s.wanted() {
		return
	}
	if s.expected > 1 {
		arrived := &graph.GradArrived{Backward: p.id, Node: e.to.id, Input: e.nr, Index: uint32(index), Waiting: uint32(s.waiting), Grad: g}
		if from != nil {
			arrived.From = from.id
		}
		arrived.Sum = s.add(e.nr, g, known)
		t.append(arrived)
	}
	if s.waiting == 0 {
		t.push(p, s)
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
