// Package passorder says in which order a backward pass runs the nodes of a graph, as
// torch/csrc/autograd/engine.cpp (PyTorch 2.6) does:
//
//   - Open: a pass counts for each node how many edges lead to it ([Pass.Open]).
//   - Select: if the pass is for some inputs only, the nodes that lead to them run, and
//     no others ([Pass.Select]).
//   - Ready: of the nodes whose gradients have all arrived, the one with the highest
//     sequence number runs first ([Queue], [Pass.First]).
//   - Deliver: a node that has run sends a gradient along each of its edges
//     ([Pass.Deliver]).
//
// Begin with [Pass.Run], which does all of it. The recorder of PyTorch derives what it did
// not observe from a Pass, and the debugger predicts with one. Package autograd has the
// same steps in its engine, where they are part of the work on tensors; it shares the
// Queue, and a test compares the two.
package passorder

// None stands for the node of an edge that leads nowhere.
const None = -1

// A Pass is a backward pass over nodes that are numbered from 0. The zero Pass has none.
type Pass struct {
	nodes     []node
	edges     []int32
	queue     Queue[int32]
	selective bool // only nodes that lead to some inputs run
}

// A node is what a pass knows about a node.
type node struct {
	sequence          uint64
	last              int32 // where its part of edges ends; it begins where the part of the node before ends
	waiting, expected int32 // edges whose gradient has not arrived, and edges at first
	ready, done       bool
	needed            bool // it runs in a selective pass
	captured          bool // a selective pass wants the gradient that arrives, not what the node does with it
	seen              bool // by Select
}

// wanted reports whether a selective pass delivers gradients to the node.
func (n *node) wanted() bool { return n.needed || n.captured }

// New returns a Pass with room for some nodes and edges.
func New(nodes, edges int) *Pass {
	return &Pass{nodes: make([]node, 0, nodes), edges: make([]int32, 0, edges)}
}

// Add adds a node with its sequence number and the nodes that its edges lead to, which may
// be added later, and returns its number.
func (p *Pass) Add(sequence uint64, next ...int32) int32 {
	p.edges = append(p.edges, next...)
	p.nodes = append(p.nodes, node{sequence: sequence, last: int32(len(p.edges))})
	return int32(len(p.nodes) - 1)
}

// Next returns the nodes that the edges of a node lead to. The caller must not change it.
func (p *Pass) Next(i int32) []int32 {
	first := int32(0)
	if i > 0 {
		first = p.nodes[i-1].last
	}
	return p.edges[first:p.nodes[i].last]
}

// Open counts the edges to each node; all nodes must lead from the roots. A single root is
// ready then. Several each get a gradient, as from a node in front of them, that the caller
// has to deliver.
func (p *Pass) Open(roots []int32) {
	expect := func(i int32) {
		if i != None {
			p.nodes[i].waiting++
			p.nodes[i].expected++
		}
	}
	for _, to := range p.edges {
		expect(to)
	}
	if len(roots) != 1 {
		for _, r := range roots {
			expect(r)
		}
	} else if r := roots[0]; r != None {
		p.push(r) // even if it does not lead to the inputs: its hooks run
	}
}

// Select limits the pass to the nodes that lead to some inputs. If the pass captures, it
// ends at the nodes of the inputs, as autograd.grad does; otherwise these run too.
func (p *Pass) Select(inputs []int32, captures bool) {
	p.selective = true
	for _, i := range inputs {
		switch {
		case i == None:
		case captures:
			p.nodes[i].captured = true
		default:
			p.nodes[i].needed = true
		}
	}
	// A node is needed if it leads to one that is wanted: depth first, without recursion.
	type frame struct {
		*node
		next []int32
	}
	var stack []frame
	enter := func(i int32) {
		p.nodes[i].seen = true
		stack = append(stack, frame{&p.nodes[i], p.Next(i)})
	}
	for i := range p.nodes {
		if !p.nodes[i].seen {
			enter(int32(i))
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				stack = stack[:len(stack)-1]
				if top.wanted() && len(stack) > 0 {
					stack[len(stack)-1].needed = true
				}
				continue
			}
			to := top.next[0]
			top.next = top.next[1:]
			switch {
			case to == None:
			case !p.nodes[to].seen:
				enter(to)
			case p.nodes[to].wanted():
				top.needed = true
			}
		}
	}
}

// Deliver notes that a gradient arrives at a node. taken is false if the node waits for
// none, ready is true if it was the last one that the node waited for.
func (p *Pass) Deliver(to int32) (taken, ready bool) {
	if to == None || p.nodes[to].ready {
		return false, false
	}
	n := &p.nodes[to]
	n.waiting--
	if p.selective && !n.wanted() {
		return false, false
	}
	if n.waiting == 0 {
		p.push(to)
	}
	return true, n.ready
}

func (p *Pass) push(i int32) {
	p.nodes[i].ready = true
	p.queue.Push(p.nodes[i].sequence, i)
}

// Waiting returns how many gradients a node still waits for, and for how many it waited at
// first.
func (p *Pass) Waiting(i int32) (waiting, expected int) {
	return int(p.nodes[i].waiting), int(p.nodes[i].expected)
}

// Ready reports whether a node waits for nothing any more.
func (p *Pass) Ready(i int32) bool { return p.nodes[i].ready }

// Assume makes a node ready that was observed to run while the pass waits for gradients of
// it: the graph has edges that are not known.
func (p *Pass) Assume(i int32) { p.nodes[i].ready, p.nodes[i].waiting = true, 0 }

// First returns the ready node that comes next; ok is false if none is ready.
func (p *Pass) First() (i int32, ok bool) {
	for p.queue.Len() > 0 {
		if i := p.queue.First(); !p.nodes[i].done {
			return i, true
		}
		p.queue.Pop() // it was observed to run before others
	}
	return None, false
}

// Finish notes that a node has had its turn.
func (p *Pass) Finish(i int32) {
	p.nodes[i].done = true
	if p.queue.Len() > 0 && p.queue.First() == i {
		p.queue.Pop()
	}
}

// Done reports whether a node has had its turn.
func (p *Pass) Done(i int32) bool { return p.nodes[i].done }

// Runs reports whether a node that is ready runs. The others of a selective pass end there.
func (p *Pass) Runs(i int32) bool { return !p.selective || p.nodes[i].needed }

// Run opens the pass, lets all of it happen and returns the nodes that run, in order.
func (p *Pass) Run(roots []int32) (order []int32) {
	p.Open(roots)
	deliver := func(list []int32) {
		for _, to := range list {
			p.Deliver(to)
		}
	}
	if len(roots) > 1 {
		deliver(roots)
	}
	order = make([]int32, 0, len(p.nodes))
	for i, ok := p.First(); ok; i, ok = p.First() {
		p.Finish(i)
		if p.Runs(i) {
			order = append(order, i)
			deliver(p.Next(i))
		}
	}
	return order
}
