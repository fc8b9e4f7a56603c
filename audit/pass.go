package audit

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// backward takes the events of backward passes.
func (m *machine) backward(o origin, e graph.Event) {
	switch e := e.(type) {
	case *graph.BackwardBegan:
		if e.Flags&graph.GradOnly != 0 || m.pass != nil {
			m.within++
			m.creates = m.creates || e.Flags&graph.CreateGraph != 0
			return
		}
		m.pass = &pass{
			id: e.Backward, made: o, executed: map[graph.NodeID]*graph.NodeExecuted{}, share: map[column]float64{}, own: map[graph.NodeID]graph.StackID{},
			roots: slices.Clone(e.Roots),
		}
		m.passes = append(m.passes, m.pass)
		m.begun(e)
	case *graph.NodeExecuted:
		if p := m.pass; p != nil && p.id == e.Backward {
			p.ran(e)
			if p.inside != 0 {
				p.own[e.Node], p.inside = p.inside, 0
			}
		}
	case *graph.HookRan:
		if p := m.pass; p != nil && p.id == e.Backward && e.Replaced {
			p.hooks = append(p.hooks, hook{*e, o})
		}
	case *graph.GradAccumulated:
		if p := m.pass; p != nil && p.id == e.Backward && e.How != graph.AccumulateRetain {
			v := m.seeds[e.Tensor]
			m.missing = m.missing || v != nil && !e.Added.Value.Whole()
			if v != nil {
				sum, size := dot(e.Added.Value.First, v)
				p.sum, p.size = p.sum+sum, p.size+size
			}
		}
	case *graph.BackwardEnded:
		m.ended(e.Backward)
	case *graph.BackwardFailed:
		m.ended(e.Backward)
	}
}

// ran notes a node that the pass executed.
func (p *pass) ran(e *graph.NodeExecuted) {
	copied := *e
	copied.In, copied.Out = slices.Clone(e.In), slices.Clone(e.Out)
	p.executed[e.Node] = &copied
	p.order = append(p.order, e.Node)
}

func (m *machine) ended(id graph.BackwardID) {
	if m.pass != nil && m.pass.id == id {
		m.pass = nil
	} else if m.within > 0 {
		m.within--
		m.gradient, m.creates = m.gradient || m.creates && len(m.made) > 0, false
	}
}

// begun computes the derivative of what a pass starts from, by columns.
func (m *machine) begun(e *graph.BackwardBegan) {
	for _, r := range e.Roots {
		t := m.tensors[r.Tensor]
		if t == nil {
			continue
		}
		m.missing = m.missing || !r.Grad.Value.Whole()
		for k, tangent := range t.read().tangents {
			sum, _ := dot(r.Grad.Value.First, tangent)
			m.pass.share[k] += sum
		}
	}
}

// changes finds where a pass delivered something else than the derivative. What they add up to is the difference
// between what backward delivered and the visible part of the derivative.
func (m *machine) changes(p *pass, tolerance float64) (list []Change) {
	arrived := m.arrivals(p)
	asked := map[*operation]bool{}
	for _, id := range p.order {
		n := m.nodes[id]
		if n == nil {
			continue
		}
		for i, in := range p.executed[id].In {
			if c, ok := m.replaced(p, id, graph.Edge{Node: id, Input: uint32(i)}, in, arrived, tolerance); ok {
				list = append(list, c)
			}
		}
		if n.op != nil && !asked[n.op] {
			asked[n.op] = true
			if c, ok := m.lies(p, n.op, arrived, tolerance); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

// arrivals sums up what nodes sent to each input of a node.
func (m *machine) arrivals(p *pass) map[graph.Edge][]float64 {
	sums := map[graph.Edge][]float64{}
	add := func(to graph.Edge, g graph.Grad) {
		if !g.Value.Whole() {
			return
		}
		if sums[to] == nil {
			sums[to] = make([]float64, len(g.Value.First))
		}
		for i := range min(len(sums[to]), len(g.Value.First)) {
			sums[to][i] += g.Value.First[i]
		}
	}
	for _, r := range p.roots {
		add(graph.Edge{Node: r.Node, Input: r.Output}, r.Grad)
	}
	for _, id := range p.order {
		n, ran := m.nodes[id], p.executed[id]
		if n == nil {
			continue
		}
		for i, edge := range n.edges {
			if edge.Node != 0 && i < len(ran.Out) {
				add(edge, ran.Out[i])
			}
		}
	}
	return sums
}

// replaced compares what a node got with what was sent to it: a hook may have changed it.
func (m *machine) replaced(p *pass, id graph.NodeID, at graph.Edge, in graph.Grad, arrived map[graph.Edge][]float64, tolerance float64) (Change, bool) {
	sent, tangent := arrived[at], m.tangentAt(at)
	if !in.Value.Whole() || sent == nil || len(sent) != len(in.Value.First) || tangent == nil {
		return Change{}, false
	}
	expected, size := dot(sent, tangent)
	delivered, more := dot(in.Value.First, tangent)
	if abs(expected-delivered) <= tolerance*max(size, more, p.size/100) {
		return Change{}, false
	}
	c := Change{Name: "a hook", Node: id, At: p.made.at, Stack: p.made.stack, Frame: m.frame(p.made.stack), Expected: expected, Delivered: delivered, Hook: true}
	for _, h := range p.hooks {
		if t := m.tensors[h.Tensor]; h.Node == id || h.Tensor != 0 && (m.nodes[id].variable == h.Tensor || t != nil && t.node == id) {
			if f := m.frame(h.made.stack); f.File != "" {
				c.At, c.Stack, c.Frame = h.made.at, h.made.stack, f
			}
		}
	}
	return c, true
}

// tangentAt is the visible tangent of a result of a node's operation, or of a leaf.
func (m *machine) tangentAt(at graph.Edge) []float64 {
	n := m.nodes[at.Node]
	if n.variable != 0 {
		return m.seeds[n.variable]
	}
	if n.op == nil {
		return nil
	}
	for _, out := range n.op.outs {
		if out.edge == at {
			return out.tangent
		}
	}
	return nil
}

// lies compares what comes into an operation's nodes, along its tangent, with what goes out, along the tangents of
// its arguments: ⟨u, J v⟩ and ⟨Jᵀ u, v⟩.
func (m *machine) lies(p *pass, op *operation, arrived map[graph.Edge][]float64, tolerance float64) (Change, bool) {
	if op.rebased {
		return Change{}, false
	}
	expected, delivered, size := 0.0, 0.0, 0.0
	for _, out := range op.outs {
		if ran := p.executed[out.edge.Node]; ran != nil {
			sum, s := dot(came(ran, out.edge, arrived), out.tangent)
			expected, size = expected+sum, size+s
		}
	}
	for _, id := range op.nodes {
		ran := p.executed[id]
		if ran == nil {
			continue
		}
		for i, edge := range m.nodes[id].edges {
			if edge.Node == 0 || i >= len(ran.Out) {
				continue
			}
			if slices.Contains(op.nodes, edge.Node) { // what its own nodes sent to a result did not come from outside
				sum, s := dot(ran.Out[i].Value.First, m.tangentAt(edge))
				expected, size = expected-sum, size+s
				continue
			}
			tangent, ok := op.tangent(m, edge)
			if !ok {
				return Change{}, false
			}
			sum, s := dot(ran.Out[i].Value.First, tangent)
			delivered, size = delivered+sum, size+s
		}
	}
	if abs(expected-delivered) <= tolerance*max(size, p.size/100) {
		return Change{}, false
	}
	c := Change{
		Name: op.name, At: op.made.at, Stack: op.made.stack, Frame: m.frame(op.made.stack), Expected: expected, Delivered: delivered,
		Purpose: op.custom && (op.identity || abs(expected) <= tolerance*size),
	}
	for _, id := range op.nodes {
		c.Node, c.Name = id, m.nodes[id].name
		if s, ok := p.own[id]; ok {
			c.Backward = m.frame(s)
		}
	}
	return c, true
}

// came is the gradient that a node got for one of its results: what was sent to it, where the tape does not have what
// arrived. PyTorch 1.13 shows that to nodes with one result only.
func came(ran *graph.NodeExecuted, at graph.Edge, arrived map[graph.Edge][]float64) []float64 {
	if int(at.Input) < len(ran.In) {
		return ran.In[at.Input].Value.First
	}
	return arrived[at]
}

// tangent is the visible tangent of the argument that an edge leads to.
func (op *operation) tangent(m *machine, edge graph.Edge) ([]float64, bool) {
	variable := m.nodes[edge.Node]
	for _, in := range op.ins {
		if in.edge == edge || variable != nil && variable.variable != 0 && variable.variable == in.tensor {
			return in.tangent, true
		}
	}
	return nil, false
}

func abs(x float64) float64 { return max(x, -x) }
