package pytorch

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/passorder"
)

// A pass is a backward pass that runs.
type pass struct {
	id     graph.BackwardID
	header graph.Header // of its events
	flags  graph.BackwardFlags
	roots  []edge
	inputs []*tensor

	states  map[*node]*state // nil: the nodes below the roots were not visited yet
	known   []*state         // the same, by number
	order   passorder.Pass   // of them
	running *node            // as far as it was observed

	// What gradients got into .grad, in the order in which the program said so.
	accumulations []accumulation
	of            map[*node][]int // positions of those that a node made
}

// A state is what a pass knows about a node.
type state struct {
	node   *node
	number int32          // in the order of the pass
	in     []graph.Grad   // what came in, if that was observed
	sums   map[uint32]sum // of what arrived
}

// done reports whether a node has run.
func (p *pass) done(s *state) bool { return p.order.Done(s.number) }

// A sum adds up the gradients that have arrived for a result.
type sum struct {
	grad graph.Grad
	ok   bool // it is known
}

// An accumulation is a gradient that got into .grad.
type accumulation struct {
	x, grad *tensor
	how     graph.AccumulateMode
	value   any
	told    bool
}

// passes are those that run.
type passes struct {
	running map[int]*pass // by the numbers that the program gave them
	last    graph.BackwardID

	// Whether the program lets nodes be observed, of the two sorts: then they run when
	// it says so and not before.
	observed, leavesObserved bool
}

func (ps *passes) init() { ps.running = map[int]*pass{} }

// eachNode visits the nodes from which all nodes of the running passes can be reached.
func (ps *passes) eachNode(visit func(*node)) {
	for _, p := range ps.running {
		for _, r := range p.roots {
			visit(r.to)
		}
		visit(p.running)
		for n := range p.states {
			visit(n)
		}
	}
}

// pass is the running pass with the number that is part i.
func (f *fields) pass(i int) *pass {
	p := f.t.passes.running[f.int(i)]
	f.bad = f.bad || p == nil
	return p
}

// backwardBegan takes the beginning of a pass: number, stack, flags, roots, inputs. A root is
// (tensor or 0, gradient or 0, gradient[, edge]).
func (t *Translator) backwardBegan(f *fields) {
	number, stack := f.int(0), f.int(1)
	flags := enum[graph.BackwardFlags](f, 2, 0, graph.RetainGraph|graph.CreateGraph|graph.GradOnly)
	inputs := f.tensorList(4)
	all := f.inner(3)
	roots := make([]*tensor, len(all.v))
	edges := make([]edge, len(all.v)) // of elements that are not tensors
	for i := range all.v {
		root := all.inner(i)
		if roots[i] = root.tensorOrNone(0); roots[i] == nil {
			edges[i] = root.edge(3)
		}
		f.bad = f.bad || root.bad
	}
	if f.bad = f.bad || all.bad || t.passes.running[number] != nil; f.bad {
		return
	}
	t.at(stack)
	t.passes.last++
	p := &pass{id: t.passes.last, flags: flags, inputs: inputs, of: map[*node][]int{}}
	e := &graph.BackwardBegan{Backward: p.id, Flags: flags, Inputs: identifiers(inputs)}
	for i, x := range roots {
		root := all.inner(i)
		to := edges[i]
		if x != nil {
			to = t.gradEdge(x)
		}
		p.roots = append(p.roots, to)
		e.Roots = append(e.Roots, graph.Root{Tensor: x.tensorID(), Node: to.id(), Output: to.nr, Grad: gradOf(root.any(2))})
	}
	p.header = t.header
	t.passes.running[number] = p
	t.append(e)
}

// inside makes the events that follow part of a pass. It returns a function that restores the
// state before.
func (t *Translator) inside(p *pass) (back func()) {
	before := t.header
	t.header.Stack, t.header.Thread = p.header.Stack, p.header.Thread
	return func() { t.header.Stack, t.header.Thread = before.Stack, before.Thread }
}

// nodeRuns takes a node that is about to run: pass, node, gradients that came in.
func (t *Translator) nodeRuns(f *fields) {
	p, n := f.pass(0), t.node(f.int(1))
	if f.bad || n == nil { // C++ code made it
		return
	}
	defer t.inside(p)()
	if n.variable != nil {
		t.passes.leavesObserved = true
	} else {
		t.passes.observed = true
	}
	s := t.reach(p, n)
	if p.done(s) {
		return // several threads of the engine run nodes in another order
	}
	s.in = gradsOf(f.any(2), n.outputs)
	p.running = n
	t.starts(n)
}

// nodeRan takes a node that has run: pass, node, gradients that went out.
func (t *Translator) nodeRan(f *fields) {
	p, n := f.pass(0), t.node(f.int(1))
	if f.bad || n == nil {
		return
	}
	defer t.inside(p)()
	s := t.reach(p, n)
	p.running = nil
	if !p.done(s) {
		t.execute(p, s, gradsOf(f.any(2), len(n.edges)))
	}
}

// accumulated takes a gradient that got into .grad: pass, tensor, gradient, how, value.
func (t *Translator) accumulated(f *fields) {
	b, x, g := f.int(0), f.tensor(1), f.tensor(2)
	how := enum(f, 3, graph.AccumulateSteal, graph.AccumulateRetain)
	if f.bad {
		return
	}
	p := t.passes.running[b]
	if p == nil {
		t.append(&graph.GradAssigned{Tensor: x.id, Grad: g.id})
		return
	}
	n := x.gradNode()
	p.of[n] = append(p.of[n], len(p.accumulations))
	p.accumulations = append(p.accumulations, accumulation{x: x, grad: g, how: how, value: f.any(4)})
	if n != nil && p.running == n {
		defer t.inside(p)()
		t.accumulate(p, p.states[n])
	}
}

// accumulate tells what the gradients that a node got did to .grad, as far as the program
// has said so.
func (t *Translator) accumulate(p *pass, s *state) {
	for _, i := range p.of[s.node] {
		t.gradAccumulated(p, &p.accumulations[i], s)
	}
	delete(p.of, s.node)
}

// gradAccumulated reports a gradient that got into .grad. s is the leaf's node in the pass; nil: the pass has
// not come to it, so something else has set .grad, such as the reduction over ranks.
func (t *Translator) gradAccumulated(p *pass, a *accumulation, s *state) {
	if a.told {
		return
	}
	a.told = true
	e := &graph.GradAccumulated{Backward: p.id, Tensor: a.x.id, Grad: a.grad.id, How: a.how, Value: valueOf(a.value, a.grad.layout.dtype)}
	if nr := int(a.x.edge.nr); s != nil && nr < len(s.in) {
		e.Added = s.in[nr]
	}
	if s != nil && !e.Added.Defined() && e.Value.Known() && a.alone() {
		e.Added = graph.Grad{Shape: a.grad.layout.shape, Value: e.Value}
	}
	t.append(e)
}

// alone reports whether .grad holds nothing but what this pass has added: it was None before, or zero.
func (a *accumulation) alone() bool {
	switch a.how {
	case graph.AccumulateSteal, graph.AccumulateCopy:
		return true
	case graph.AccumulateInPlace:
		return a.grad.zeroed > 0 && a.grad.counter.version == a.grad.zeroed
	}
	return false
}

// hookRan takes a hook that ran: pass or 0, kind, tensor or 0, node or None, whether it
// returned another gradient, gradient.
func (t *Translator) hookRan(f *fields) {
	b, kind, x := f.int(0), enum(f, 1, graph.HookTensor, graph.HookModule), f.tensorOrNone(2)
	var n *node
	if f.given(3) {
		n = t.node(f.int(3))
	}
	replaced := f.bool(4)
	if f.bad {
		return
	}
	e := &graph.HookRan{Hook: kind, Tensor: x.tensorID(), Replaced: replaced, Grad: gradOf(f.any(5))}
	if n != nil {
		e.Node = n.id
	}
	if p := t.passes.running[b]; p != nil {
		defer t.inside(p)()
		e.Backward = p.id
		if n == nil && x != nil {
			n = x.gradNode()
		}
		if n != nil && p.running != n {
			t.reach(p, n) // what comes before it has happened
		}
	}
	t.append(e)
}

// backwardEnded takes the end of a pass: number, stack.
func (t *Translator) backwardEnded(f *fields) {
	p, stack := f.pass(0), f.int(1)
	if f.bad {
		return
	}
	t.rest(p)
	t.at(stack)
	t.append(&graph.BackwardEnded{Backward: p.id})
	delete(t.passes.running, f.int(0))
}

// backwardFailed takes the end of a pass by an error: number, stack, type, message, node or
// None.
func (t *Translator) backwardFailed(f *fields) {
	p, stack, kind, message := f.pass(0), f.int(1), f.text(2), f.text(3)
	e := &graph.BackwardFailed{}
	var n *node
	if f.given(4) {
		n = t.node(f.int(4))
	}
	if f.bad {
		return
	}
	if n == nil {
		n = p.running
	}
	if n != nil {
		e.Node = n.id
		func() {
			defer t.inside(p)()
			t.reach(p, n)
		}()
	}
	t.leftOver(p)
	t.at(stack)
	e.Backward, e.Type, e.Message = p.id, t.String(kind), message
	t.append(e)
	delete(t.passes.running, f.int(0))
}

// leftOver tells what got into .grad and that no node that ran explains.
func (t *Translator) leftOver(p *pass) {
	defer t.inside(p)()
	for i := range p.accumulations {
		a := &p.accumulations[i]
		t.gradAccumulated(p, a, p.states[a.x.gradNode()])
	}
}
