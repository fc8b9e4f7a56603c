package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/repr"
	"github.com/gradtui/gradtui/graph"
)

// The backward engine, after torch/csrc/autograd/engine.cpp (PyTorch 2.6):
//
//  1. From the roots, count for every node how many edges of the graph lead to
//     it.
//  2. Take the ready node with the highest sequence number. AccumulateGrad nodes
//     have the highest of all.
//  3. Run its hooks and the node with its summed gradients, check and cast what
//     comes out, free what the node saved unless the graph is retained.
//  4. Add each gradient to the buffer of the node at the other end of its edge;
//     a node that has received all of its gradients is ready.

// A pass is one run of the engine.
type pass struct {
	keep, create bool
	accumulate   bool // backward(): fill .grad; else autograd.grad: capture
	selective    bool // only nodes that lead to the inputs run
	states       []*passState
	queue        readyQueue
	captured     []*Tensor
	start        uint64 // serial: tensors with a higher one were made during the pass
	id           graph.BackwardID
	running      *Node
	roots        []*Tensor
	inputs       []*Tensor // of inputs= or of autograd.grad
}

// passState is what a pass knows about a node.
type passState struct {
	node     *Node
	outer    *passState // of a pass that this one interrupts
	pass     *pass
	waiting  int // edges whose gradient has not arrived
	expected int
	buffer   []*Tensor // sum of the gradients for each result of the forward op
	buffer1  [1]*Tensor
	needed   bool
	captures []capture
}

// A capture takes the gradient that arrives for a result of a node.
type capture struct{ result, index int }

func (s *passState) wanted() bool { return s.needed || len(s.captures) > 0 }

// state returns what the pass knows about a node, making it on the first visit.
func (p *pass) state(n *Node) (s *passState, isNew bool) {
	if n.state != nil && n.state.pass == p {
		return n.state, false
	}
	s = &passState{node: n, outer: n.state, pass: p}
	if len(n.outs) == 1 {
		s.buffer = s.buffer1[:]
	} else {
		s.buffer = make([]*Tensor, len(n.outs))
	}
	n.state = s
	p.states = append(p.states, s)
	return s, true
}

// finish restores what outer passes knew about the nodes.
func (p *pass) finish() {
	for _, s := range p.states {
		s.node.state = s.outer
	}
}

// count visits the graph below the roots and counts the edges to each node.
func (p *pass) count(roots []Edge) {
	var stack []*Node
	visit := func(e Edge, counted bool) {
		if e.Node == nil {
			return
		}
		s, isNew := p.state(e.Node)
		if counted {
			s.waiting++
		}
		if isNew {
			stack = append(stack, e.Node)
		}
	}
	for _, r := range roots {
		visit(r, len(roots) > 1)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range n.edges {
			visit(e, true)
		}
	}
	for _, s := range p.states {
		s.expected = s.waiting
	}
}

// selectNodes marks the nodes on a path to the inputs; only those run. An input
// that is not reached is left out.
func (p *pass) selectNodes(inputs []Edge) {
	p.selective = true
	for i, e := range inputs {
		if e.Node == nil || e.Node.state == nil || e.Node.state.pass != p {
			continue
		}
		if p.accumulate {
			e.Node.state.needed = true
		} else {
			e.Node.state.captures = append(e.Node.state.captures, capture{e.Input, i})
		}
	}
	// Children before parents: a node is needed if any of its edges leads to
	// one that is.
	type frame struct {
		s    *passState
		edge int
	}
	seen := make(map[*passState]bool, len(p.states))
	for _, root := range p.states {
		if seen[root] {
			continue
		}
		seen[root] = true
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.edge == len(top.s.node.edges) {
				for _, e := range top.s.node.edges {
					if e.Node != nil && e.Node.state.wanted() {
						top.s.needed = true
					}
				}
				stack = stack[:len(stack)-1]
				continue
			}
			e := top.s.node.edges[top.edge]
			top.edge++
			if e.Node != nil && !seen[e.Node.state] {
				seen[e.Node.state] = true
				stack = append(stack, frame{e.Node.state, 0})
			}
		}
	}
}

// run executes the pass.
func (p *pass) run(roots []Edge, grads []*Tensor) (err error) {
	defer p.finish()
	defer quietly(p.create)()
	p.start = serials
	if recorder != nil {
		recorder.beginBackward(p, roots, grads)
		defer func() { recorder.endBackward(p, err) }()
	}
	if len(roots) == 1 {
		s := roots[0].Node.state
		hold(grads[0])
		s.buffer[roots[0].Input] = grads[0]
		p.push(s)
	} else {
		current.sequence++ // of PyTorch's GraphRoot
		for i, e := range roots {
			hold(grads[i]) // the caller has it too
			if err := p.deliver(nil, i, e, grads[i], nil); err != nil {
				return err
			}
		}
	}
	for len(p.queue) > 0 {
		s := p.queue.pop()
		p.running = s.node
		if err := p.evaluate(s); err != nil {
			return err
		}
	}
	p.running = nil
	return nil
}

func (p *pass) push(s *passState) {
	if p.selective && !s.wanted() {
		return
	}
	if recorder != nil {
		recorder.ready(p, s.node)
	}
	p.queue.push(s)
}

// hold notes that something besides the buffers of the engine refers to a
// gradient, so that it must not be changed in place.
func hold(g *Tensor) {
	if g != nil {
		g.refs++
	}
}

// evaluate runs a node that has all its gradients.
func (p *pass) evaluate(s *passState) error {
	n := s.node
	grads, err := p.tensorHooks(n, s.buffer)
	if err != nil {
		return err
	}
	if p.selective {
		for _, c := range s.captures {
			hold(grads[c.result])
			p.captured[c.index] = grads[c.result]
		}
		if !s.needed {
			s.drop()
			return nil
		}
	}
	if grads, err = p.preHooks(n, grads); err != nil {
		return err
	}
	results, err := p.call(n, grads)
	if err != nil {
		if anomalyMode() {
			warnForward(n)
		}
		return err
	}
	raw := results
	if results, err = validate(n, results); err != nil {
		return err
	}
	if results, err = p.postHooks(n, results, grads); err != nil {
		return err
	}
	if recorder != nil {
		recorder.executed(p, n, grads, results)
	}
	if !p.keep {
		n.release()
		if recorder != nil {
			recorder.freed(p, n)
		}
	}
	if anomalyMode() && current.checkNaN {
		if err := checkNaN(n, results); err != nil {
			return err
		}
	}
	s.drop()
	for i, g := range results {
		var unreduced *Tensor
		if i < len(raw) && raw[i] != g {
			unreduced = raw[i]
		}
		if err := p.deliver(n, i, n.edges[i], g, unreduced); err != nil {
			return err
		}
	}
	return nil
}

// call runs the node itself.
func (p *pass) call(n *Node, grads []*Tensor) (results []*Tensor, err error) {
	if n.apply != nil {
		return n.apply.backward(n, grads)
	}
	defer func() {
		if r := recover(); r != nil {
			results, err = nil, internalError(n.op.Node, r)
		}
	}()
	return n.op.backward(n, grads)
}

// drop lets go of the gradients that a node has consumed.
func (s *passState) drop() {
	for i, g := range s.buffer {
		if g != nil {
			g.refs--
		}
		s.buffer[i] = nil
	}
}

// validate checks the gradients that a node returned: a shape that is not that
// of the input is summed down to it if broadcasting explains it, and the dtype
// is cast. The slice that was returned stays as it is.
func validate(n *Node, grads []*Tensor) ([]*Tensor, error) {
	if len(grads) != len(n.edges) {
		if len(grads) == 0 {
			return make([]*Tensor, len(n.edges)), nil
		}
		return nil, fail(RuntimeError, CodeFunction, "Function %s returned an incorrect number of gradients (expected %d, got %d)", n.Name(), len(n.edges), len(grads))
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

// fitGrad makes a gradient fit the input that it belongs to.
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

// deliver adds a gradient to the buffer of the node at the end of an edge.
// unreduced is the gradient before broadcasting was undone, if that was needed.
func (p *pass) deliver(from *Node, index int, e Edge, g, unreduced *Tensor) error {
	if e.Node == nil {
		return nil
	}
	s := e.Node.state
	s.waiting--
	if p.selective && !s.wanted() {
		return nil
	}
	if g != nil {
		if err := s.add(e.Input, g); err != nil {
			return err
		}
	}
	notifyWatchers(from, index, e, g, unreduced)
	if recorder != nil && (s.expected > 1 || unreduced != nil) {
		recorder.arrived(p, from, index, e, g, unreduced)
	}
	if s.waiting == 0 {
		p.push(s)
	}
	return nil
}

// add sums gradients in order of arrival. A sum that nobody else refers to is
// updated in place.
func (s *passState) add(i int, g *Tensor) error {
	old := s.buffer[i]
	if old == nil {
		g.refs++
		s.buffer[i] = g
		return nil
	}
	if s.pass.owns(old, 1) && !old.st.aliased && isDense(old.sizes, old.strides) {
		return old.addGrad(g)
	}
	sum := old.Add(g)
	if sum.err != nil {
		return sum.err
	}
	old.refs--
	sum.refs++
	s.buffer[i] = sum
	return nil
}

// owns reports whether the engine made a gradient during this pass and holds
// all refs references to it.
func (p *pass) owns(g *Tensor, refs int32) bool {
	return !gradMode() && g.serial > p.start && g.refs <= refs
}

// addGrad adds to a gradient in place.
func (t *Tensor) addGrad(g *Tensor) error {
	return t.Add_(g)
}

// checkNaN looks for NaN in the gradients that a node returned.
func checkNaN(n *Node, grads []*Tensor) error {
	for i, g := range grads {
		if g == nil {
			continue
		}
		for j := range g.Numel() {
			if math.IsNaN(g.element(g.at(j)).Float()) {
				warnForward(n)
				return fail(RuntimeError, CodeAnomaly, "Function '%s' returned nan values in its %dth output.", n.Name(), i)
			}
		}
	}
	return nil
}

// A readyQueue is a binary heap on sequence numbers with the mechanics of C++'s
// std::push_heap and std::pop_heap: they decide in which order nodes with equal
// numbers run.
type readyQueue []*passState

func (q *readyQueue) push(s *passState) {
	*q = append(*q, s)
	q.siftUp(len(*q)-1, s)
}

func (q *readyQueue) siftUp(hole int, s *passState) {
	a := *q
	for hole > 0 {
		parent := (hole - 1) / 2
		if a[parent].node.seq >= s.node.seq {
			break
		}
		a[hole] = a[parent]
		hole = parent
	}
	a[hole] = s
}

func (q *readyQueue) pop() *passState {
	a := *q
	top, last := a[0], a[len(a)-1]
	a[len(a)-1] = nil
	a = a[:len(a)-1]
	*q = a
	n := len(a)
	if n == 0 {
		return top
	}
	// The hole sinks to the bottom along the larger children, the right one
	// unless it is smaller; then the last element rises from there.
	hole, child := 0, 0
	for child < (n-1)/2 {
		child = 2 * (child + 1)
		if a[child].node.seq < a[child-1].node.seq {
			child--
		}
		a[hole] = a[child]
		hole = child
	}
	if n%2 == 0 && child == (n-2)/2 {
		child = 2*child + 1
		a[hole] = a[child]
		hole = child
	}
	q.siftUp(hole, last)
	return top
}
