package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/repr"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/passorder"
)

// The backward engine, after torch/csrc/autograd/engine.cpp (PyTorch 2.6):
//
//  1. Starting from the roots, count the edges that lead to each node.
//  2. Take the ready node with the highest sequence number. AccumulateGrad nodes
//     have the highest of all.
//  3. Run its hooks and the node on its summed gradients, check and cast the
//     results, and free the saved tensors unless the graph is retained.
//  4. Add each gradient to the buffer of the node at the other end of its edge;
//     a node that has received all of its gradients is ready.

// A pass is one run of the engine.
type pass struct {
	keep, create bool
	accumulate   bool // backward() accumulates into .grad; autograd.grad captures
	selective    bool // only nodes that lead to the inputs run
	states       []*passState
	states8      [8]*passState // the first elements of states live here
	queue        passorder.Queue[*passState]
	captured     []*Tensor
	start        uint64 // serial: tensors with a higher serial were made during the pass
	id           graph.BackwardID
	running      *Node
	spent        []*Tensor // gradients that were added to others
	roots        []*Tensor
	inputs       []*Tensor // inputs= of backward, or inputs of autograd.grad
	number       uint64
	reentrable   bool // neither this pass nor one around it is selective
}

// passes counts the backward passes.
var passes uint64

// passState is the state of a node in a pass.
type passState struct {
	node     *Node
	outer    *passState // state in the pass that this one interrupts
	pass     *pass
	waiting  int // edges whose gradient has not arrived
	expected int
	buffer   []*Tensor // sum of the gradients for each result of the forward op
	buffer1  [1]*Tensor
	needed   bool // the node must run
	seen     bool // visited by selectNodes
	captures []capture
	ctx      Ctx // valid while the node runs
}

// A capture receives the gradient that arrives for a result of a node.
type capture struct{ result, index int }

// wanted reports whether the node takes gradients.
func (s *passState) wanted() bool { return s.needed || len(s.captures) > 0 }

// state returns the node's state in the pass, or nil if the pass does not reach
// the node. It is the innermost state unless passes of several threads
// interleave.
func (p *pass) state(n *Node) *passState {
	s := n.state
	for s != nil && s.pass != p {
		s = s.outer
	}
	return s
}

// visit returns the node's state in the pass and makes it on the first visit.
func (p *pass) visit(n *Node) (s *passState, isNew bool) {
	if s = p.state(n); s != nil {
		return s, false
	}
	s = newState()
	s.node, s.outer, s.pass = n, n.state, p
	if len(n.outs) == 1 {
		s.buffer = s.buffer1[:]
	} else {
		s.buffer = make([]*Tensor, len(n.outs))
	}
	n.state = s
	p.states = append(p.states, s)
	return s, true
}

// finish removes the states from the nodes.
func (p *pass) finish() {
	for _, s := range p.states {
		link := &s.node.state
		for *link != s {
			link = &(*link).outer
		}
		*link = s.outer
		s.free()
	}
}

// freeStates is a pool. It needs no lock: the package works on one thread at a
// time.
var freeStates []*passState

// maxFreeStates bounds the pool after the backward pass of a large graph.
const maxFreeStates = 4096

func newState() *passState {
	n := len(freeStates)
	if n == 0 {
		return new(passState)
	}
	s := freeStates[n-1]
	freeStates = freeStates[:n-1]
	return s
}

func (s *passState) free() {
	*s = passState{}
	if len(freeStates) < maxFreeStates {
		freeStates = append(freeStates, s)
	}
}

// count visits the graph below the roots and counts the edges to each node.
func (p *pass) count(roots []Edge) {
	p.states = p.states8[:0]
	var stack []*Node
	follow := func(e Edge, counted bool) {
		if e.Node == nil {
			return
		}
		s, isNew := p.visit(e.Node)
		if counted {
			s.waiting++
		}
		if isNew {
			stack = append(stack, e.Node)
		}
	}
	for _, r := range roots {
		follow(r, len(roots) > 1)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range n.edges {
			follow(e, true)
		}
	}
	for _, s := range p.states {
		s.expected = s.waiting
	}
}

// selectNodes marks the nodes on a path to the inputs; only those run. Inputs
// that are not reached are ignored.
func (p *pass) selectNodes(inputs []Edge) {
	p.selective = true
	for i, e := range inputs {
		if e.Node == nil {
			continue // a view made under no_grad
		}
		s := p.state(e.Node)
		switch {
		case s == nil:
		case p.accumulate:
			s.needed = true
		default:
			s.captures = append(s.captures, capture{e.Input, i})
		}
	}
	// A node is needed if it leads to a wanted node. The search is depth-first,
	// without recursion.
	type frame struct {
		s    *passState
		edge int
	}
	for _, root := range p.states {
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
			next := top.s.node.edges[top.edge].Node
			top.edge++
			if next == nil {
				continue
			}
			switch child := p.state(next); {
			case !child.seen:
				child.seen = true
				stack = append(stack, frame{child, 0})
			case child.wanted():
				top.s.needed = true
			}
		}
	}
}

// run executes the pass.
func (p *pass) run(roots []Edge, grads []*Tensor) (err error) {
	defer p.finish()
	defer quietly(p.create)()
	p.start = serials
	outer := current.pass
	passes++
	p.number, p.reentrable = passes, !p.selective && (outer == nil || outer.reentrable)
	current.pass = p
	defer func() { current.pass = outer }()
	if recorder != nil {
		recorder.beginBackward(p, roots, grads)
		err = fail(RuntimeError, CodeProgram, "a function of the program panicked")
		defer func() { recorder.endBackward(p, err) }()
	}
	return p.loop(roots, grads)
}

func (p *pass) loop(roots []Edge, grads []*Tensor) error {
	hold(grads...) // the caller has them too
	if len(roots) == 1 {
		s := p.state(roots[0].Node)
		hold(grads[0])
		s.buffer[roots[0].Input] = grads[0]
		notifyWatchers(nil, 0, roots[0], grads[0], nil)
		p.push(s) // its hooks run even if it does not lead to the inputs
	} else {
		current.sequence++ // for PyTorch's GraphRoot
		for i, e := range roots {
			hold(grads[i])
			if err := p.deliver(nil, i, e, grads[i], nil); err != nil {
				return err
			}
		}
	}
	for p.queue.Len() > 0 {
		s := p.queue.Pop()
		outer := current.running
		p.running, current.running = s.node, s.node
		err := p.evaluate(s)
		current.running = outer
		if err != nil {
			if anomalyMode() {
				warnForward(s.node)
			}
			return err
		}
	}
	p.running = nil
	return nil
}

func (p *pass) push(s *passState) {
	if recorder != nil {
		recorder.ready(p, s.node)
	}
	p.queue.Push(s.node.seq, s)
}

// hold counts one more reference to each gradient. The engine counts its own
// references, in buffers and in the results of a node, and the references of
// the program that it knows of. A gradient with another reference must not be
// changed in place, and must be copied to become a .grad.
func hold(grads ...*Tensor) {
	for _, g := range grads {
		if g != nil {
			g.refs++
		}
	}
}

// drop undoes hold.
func drop(grads ...*Tensor) {
	for _, g := range grads {
		if g != nil {
			g.refs--
		}
	}
}

// evaluate runs a node that has received all its gradients.
func (p *pass) evaluate(s *passState) error {
	n := s.node
	if p.selective && !s.needed {
		grads, err := p.tensorHooks(n, s.buffer)
		if err == nil {
			p.capture(s, grads)
			drop(s.buffer...)
			clear(s.buffer)
		}
		return err
	}
	if recorder != nil {
		recorder.starts(n)
	}
	p.capture(s, s.buffer) // PyTorch runs the hooks of a node that also runs later
	raw, results, err := p.runNode(s)
	if err != nil {
		return err
	}
	if anomalyMode() && current.checkNaN {
		if err := checkNaN(n, results); err != nil {
			return err
		}
	}
	hold(results...)
	drop(s.buffer...)
	for i, g := range results {
		var unreduced *Tensor
		if i < len(raw) && raw[i] != nil && g != nil && !sameSizes(raw[i].sizes, g.sizes) {
			unreduced = raw[i]
		}
		if err := p.deliver(n, i, n.edges[i], g, unreduced); err != nil {
			return err
		}
	}
	p.reuse(s.buffer)
	p.reuse(p.spent)
	p.spent = p.spent[:0]
	return nil
}

// reuse returns the memory of unreferenced gradients to the pool and clears the
// list.
func (p *pass) reuse(list []*Tensor) {
	for i, g := range list {
		if g != nil && g.refs == 0 && p.owns(g, 0) {
			g.reuse()
		}
		list[i] = nil
	}
}

// capture stores the gradients that autograd.grad returns.
func (p *pass) capture(s *passState, grads []*Tensor) {
	for _, c := range s.captures {
		hold(grads[c.result])
		p.captured[c.index] = grads[c.result]
	}
}

// runNode runs the node with its hooks, and frees its saved tensors unless the
// graph is retained. raw holds the gradients that the node returned, results
// the gradients that are sent on.
func (p *pass) runNode(s *passState) (raw, results []*Tensor, err error) {
	n := s.node
	grads, err := p.tensorHooks(n, s.buffer)
	if err != nil {
		return nil, nil, err
	}
	if grads, err = p.preHooks(n, grads); err != nil {
		return nil, nil, err
	}
	if raw, err = p.call(&s.ctx, n, grads); err != nil {
		return nil, nil, err
	}
	if results, err = validate(n, raw); err != nil {
		return nil, nil, err
	}
	if results, err = p.postHooks(n, results, grads); err != nil {
		return nil, nil, err
	}
	if !p.keep {
		n.release()
	}
	if recorder != nil {
		recorder.executed(p, n, grads, results)
	}
	return raw, results, nil
}

// call runs the node itself. Its formulas may use the memory of c.
func (p *pass) call(c *Ctx, n *Node, grads []*Tensor) (results []*Tensor, err error) {
	if n.apply != nil {
		defer rescue(&err)
		return n.apply.backward(p, n, grads)
	}
	defer func() {
		if r := recover(); r != nil {
			results, err = nil, panicError(n.op.Node, r)
		}
	}()
	return n.op.backward(c, n, grads)
}

// validate checks the gradients that a node returned. A gradient whose shape
// differs from the input's shape is summed down if broadcasting explains the
// difference, and the dtype is cast. The given slice is not changed.
func validate(n *Node, grads []*Tensor) ([]*Tensor, error) {
	if len(grads) != len(n.edges) {
		if len(grads) == 0 {
			return make([]*Tensor, len(n.edges)), nil
		}
		return nil, fail(RuntimeError, CodeInternal, "Function %s returned an invalid number of gradients - expected %d, but got %d", n.Name(), len(n.edges), len(grads))
	}
	out := grads
	for i, e := range n.edges {
		if e.Node == nil || grads[i] == nil {
			continue
		}
		g, err := fitGrad(grads[i], e, i)
		if err != nil {
			err.Text = "Function " + n.Name() + " returned an " + err.Text
			return nil, err
		}
		if g != grads[i] {
			if &out[0] == &grads[0] {
				out = append([]*Tensor(nil), grads...)
			}
			out[i] = g
		}
	}
	return out, nil
}

// fitGrad converts a gradient to the shape and dtype of its input.
func fitGrad(g *Tensor, e Edge, i int) (*Tensor, *Error) {
	if g.err != nil {
		return nil, g.err
	}
	want := &e.Node.outs[e.Input]
	if !sameSizes(g.sizes, want.sizes) {
		if !expandable(want.sizes, g.sizes) {
			return nil, fail(RuntimeError, CodeShape, "invalid gradient at index %d - got %s but expected shape compatible with %s", i, repr.List(g.sizes), repr.List(want.sizes))
		}
		g = sumTo(g, want.sizes)
	}
	if g.dtype != want.dtype {
		g = g.To(want.dtype)
	}
	if g.err != nil {
		return nil, g.err
	}
	return g, nil
}

// deliver passes a gradient, with the engine's reference to it, to the node at
// the end of an edge. unreduced is the gradient before broadcasting was undone,
// or nil.
func (p *pass) deliver(from *Node, index int, e Edge, g, unreduced *Tensor) error {
	if e.Node == nil {
		drop(g)
		return nil
	}
	s := p.state(e.Node)
	s.waiting--
	if p.selective && !s.wanted() {
		drop(g)
		return nil
	}
	if g != nil {
		if err := s.add(e.Input, g); err != nil {
			return err
		}
	}
	notifyWatchers(from, index, e, g, unreduced)
	if recorder != nil && (s.expected > 1 || unreduced != nil) {
		recorder.arrived(s, from, index, e, g, unreduced)
	}
	if s.waiting == 0 {
		p.push(s)
	}
	return nil
}

// add sums gradients in order of arrival. A sum without other references is
// updated in place.
func (s *passState) add(i int, g *Tensor) error {
	old := s.buffer[i]
	if old == nil {
		s.buffer[i] = g
		return nil
	}
	if s.pass.owns(old, 1) && !old.st.aliased && isDense(old.sizes, old.strides) {
		err := old.Add_(g)
		s.pass.spend(g)
		return err
	}
	sum := old.Add(g)
	if sum.err != nil {
		return sum.err
	}
	s.pass.spend(old)
	s.pass.spend(g)
	hold(sum)
	s.buffer[i] = sum
	return nil
}

// spend drops a gradient whose memory may be reused when the current node is
// done.
func (p *pass) spend(g *Tensor) {
	drop(g)
	p.spent = append(p.spent, g)
}

// owns reports whether the engine made the gradient during this pass and it has
// at most refs references.
func (p *pass) owns(g *Tensor, refs int32) bool {
	return !gradMode() && g.serial > p.start && g.refs <= refs
}

// checkNaN returns an error if a node returned a gradient with a NaN.
func checkNaN(n *Node, grads []*Tensor) error {
	for i, g := range grads {
		if g == nil {
			continue
		}
		for j := range g.Numel() {
			if math.IsNaN(g.element(g.at(j)).Float()) {
				return fail(RuntimeError, CodeAnomaly, "Function '%s' returned nan values in its %dth output.", n.Name(), i)
			}
		}
	}
	return nil
}
