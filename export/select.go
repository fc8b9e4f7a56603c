package export

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A selection is the part of a graph that is exported.
type selection struct {
	g     *graph.Graph
	names map[graph.TensorID]string // nil: the names on the tape
	roots []root

	// The nodes that lead to the roots, in order of creation. What is not kept
	// here is read from the graph when it is written: it is needed once, and
	// there may be a million nodes.
	nodes []selected
	edges []graph.Edge
	index []int32 // by NodeID: position in nodes + 1

	// The newest backward pass, if it is running, and which nodes it has yet to
	// reach.
	running graph.BackwardID
	pending []bool

	kinds []opKind // by position, plus 1; 0: not looked up yet

	decoder *graph.Decoder // of the tape, for what the graph does not keep
}

// selected is a node of a selection.
type selected struct {
	id           graph.NodeID
	module       graph.ModuleID
	leaf         graph.TensorID // the variable of an AccumulateGrad node
	saved        uint32         // how many slots hold a tensor
	function     bool           // of a custom Function
	outputs      uint32         // results of the op
	first, edges uint32         // its part of the selection's edges
}

// A root is a tensor that the selection starts from.
type root struct {
	tensor graph.TensorID // zero: a node of a tape that does not know the tensor
	node   graph.NodeID   // zero: it has no grad_fn
	output uint32
}

// selectGraph finds what leads to the roots.
func selectGraph(g *graph.Graph, opts *Options) (*selection, error) {
	s := &selection{g: g, names: opts.Names, decoder: g.Tape().NewDecoder()}
	var err error
	if s.roots, err = findRoots(g, opts); err != nil {
		return nil, err
	}
	s.reach()
	s.findPending()
	return s, nil
}

// bases calls f with the base of each root that is a view, in order, each once.
func (s *selection) bases(f func(base graph.Tensor)) {
	seen := map[graph.TensorID]bool{}
	for _, r := range s.roots {
		t, _ := s.g.Tensor(r.tensor)
		if base, ok := s.g.Tensor(t.Base); ok && !seen[base.ID] {
			seen[base.ID] = true
			f(base)
		}
	}
}

// reach collects the nodes that the roots and their bases lead to.
func (s *selection) reach() {
	var from []graph.NodeID
	for _, r := range s.roots {
		from = append(from, r.node)
	}
	s.bases(func(base graph.Tensor) { from = append(from, base.Node) })
	s.index = arrange.Reach(s.g, from, func(id graph.NodeID) ([]graph.Edge, bool) {
		n, ok := s.g.Node(id)
		if ok {
			s.add(n)
		}
		return n.Edges, ok
	})
	slices.Reverse(s.nodes)
}

func (s *selection) add(n graph.Node) {
	filled := 0
	for _, sv := range n.Saved {
		if sv.Tensor != 0 && !sv.Freed {
			filled++
		}
	}
	s.nodes = append(s.nodes, selected{
		id: n.ID, module: n.Module, leaf: n.Variable, saved: uint32(filled), function: isFunction(&n),
		outputs: uint32(n.Outputs),
		first:   uint32(len(s.edges)), edges: uint32(len(n.Edges)),
	})
	s.edges = append(s.edges, n.Edges...)
}

// at finds a node of the selection; -1: it does not belong to it.
func (s *selection) at(id graph.NodeID) int {
	if int(id) >= len(s.index) {
		return -1
	}
	return int(s.index[id]) - 1
}

// next returns the edges of a node: its next_functions.
func (s *selection) next(i int) []graph.Edge {
	n := s.nodes[i]
	return s.edges[n.first : n.first+n.edges]
}

// findPending says which nodes the newest backward pass has yet to reach, if it is
// running: those between its roots and the tensors it is asked for.
func (s *selection) findPending() {
	id := graph.BackwardID(s.g.BackwardCount())
	pass, ok := s.g.Backward(id)
	if !ok || !pass.Running() {
		return
	}
	s.running = id
	reached := make([]bool, len(s.nodes)) // from its roots
	for _, r := range pass.Roots {
		if i := s.at(r.Node); i >= 0 {
			reached[i] = true
		}
	}
	for i := len(s.nodes) - 1; i >= 0; i-- {
		if !reached[i] {
			continue
		}
		for _, e := range s.next(i) {
			if to := s.at(e.Node); to >= 0 {
				reached[to] = true
			}
		}
	}
	s.pending = reached
	if len(pass.Inputs) == 0 {
		return
	}
	wanted := make([]bool, len(s.nodes)) // leads to one of its inputs
	for _, t := range pass.Inputs {
		if in, ok := s.g.Tensor(t); ok && in.Node != 0 {
			if i := s.at(in.Node); i >= 0 {
				wanted[i] = true
			}
		}
	}
	for i, n := range s.nodes {
		wanted[i] = wanted[i] || n.leaf != 0 && slices.Contains(pass.Inputs, n.leaf)
		for _, e := range s.next(i) {
			if to := s.at(e.Node); to >= 0 && wanted[to] {
				wanted[i] = true
			}
		}
		reached[i] = reached[i] && wanted[i]
	}
}

// status says how far a node is in the newest backward pass; "pending" means that a
// running pass has yet to reach it.
func (s *selection) status(i int, n *graph.Node) string {
	if s.pending != nil && s.pending[i] && (n.Backward != s.running || n.Status == graph.Idle) {
		return statusPending
	}
	return n.Status.String()
}

const statusPending = "pending"

// results are the tensors that each node of a selection is the grad_fn of, in
// order of creation.
type results struct {
	tensors []graph.TensorID
	first   []int32 // by position; one more at the end
}

func (s *selection) findResults() results {
	at := make([]int32, s.g.TensorCount()+1)
	r := results{first: make([]int32, len(s.nodes)+1)}
	for id := range at {
		t, _ := s.g.Tensor(graph.TensorID(id))
		if i := s.at(t.Node); i >= 0 {
			at[id] = int32(i) + 1
			r.first[i+1]++
		}
	}
	for i := range s.nodes {
		r.first[i+1] += r.first[i]
	}
	r.tensors = make([]graph.TensorID, r.first[len(s.nodes)])
	next := slices.Clone(r.first)
	for id, i := range at {
		if i > 0 {
			r.tensors[next[i-1]] = graph.TensorID(id)
			next[i-1]++
		}
	}
	return r
}

// of returns the tensors of a node; none if it does not belong to the selection.
func (r *results) of(i int) []graph.TensorID {
	if i < 0 {
		return nil
	}
	return r.tensors[r.first[i]:r.first[i+1]]
}

// An innerResult is a result of a node that no tensor is, as within an op that others
// are composed of.
type innerResult struct {
	output uint32
	looks  graph.Result
}

// mostInner bounds how many results of one node are looked for that it does not describe.
const mostInner = 64

// innerResults returns the results of a node that none of its tensors is, if it is known
// what they look like.
func (s *selection) innerResults(opts *Options, n *graph.Node, tensors []graph.TensorID) (inner []innerResult) {
	if n.Variable != 0 || n.Outputs == 1 && len(tensors) > 0 {
		return nil
	}
	has := make(map[uint32]bool, len(tensors))
	for _, id := range tensors {
		t, _ := s.g.Tensor(id)
		has[t.Output] = true
	}
	for i := range uint32(min(n.Outputs, max(len(n.Results), mostInner))) {
		if has[i] {
			continue
		}
		looks := n.Result(i)
		if !looks.Known() && opts.Result != nil {
			looks = opts.Result(s.g, graph.Edge{Node: n.ID, Input: i})
		}
		if looks.Known() {
			inner = append(inner, innerResult{i, looks})
		}
	}
	return inner
}
