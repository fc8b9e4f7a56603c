package graph

// Status says how far a node is in the backward pass that touched it last.
type Status uint8

// The statuses of a node.
const (
	Idle    Status = iota // no gradient has reached it
	Waiting               // some of the gradients that it waits for have arrived
	Ready                 // all have; it will run
	Done                  // it ran
	Failed                // it raised an error
)

var statusNames = []string{"idle", "waiting", "ready", "done", "failed"}

func (s Status) String() string { return enumName(uint8(s), statusNames) }

// A Node is a node of the backward graph as it is at the graph's position.
type Node struct {
	ID       NodeID
	Name     string
	Sequence uint64
	Outputs  int
	Variable TensorID // AccumulateGrad: the leaf
	Edges    []Edge   // next_functions
	Saved    []SavedTensor
	Attrs    []Attr
	Inner    NodeID   // CopySlices: the node that it applies to a part of the gradient
	Results  []Result // one for each of Outputs, or empty; see [NodeCreated]
	Module   ModuleID // the module whose forward pass created it
	Status   Status
	Backward BackwardID // the pass that Status belongs to
	Waiting  int        // gradients it still waits for in that pass
	Runs     int        // how often it ran, over all passes
	Freed    bool       // its saved tensors were freed
	FreedAt  Pos        // by this event; -1: not freed
	Executed Pos        // its newest run; -1: none
	Released bool
	Created  Pos
}

// Result is what a result of the node's forward operation looks like as far as the node
// itself says, which it does where no tensor of the program is that result.
func (n *Node) Result(i uint32) Result {
	if uint64(i) < uint64(len(n.Results)) {
		return n.Results[i]
	}
	return Result{}
}

// ModuleID names one call of a module; zero is outside all modules.
type ModuleID uint32

// A SavedTensor is one slot of what a node keeps for backward.
type SavedTensor struct {
	Name    string
	Tensor  TensorID // zero: the slot is empty
	Flags   SavedFlags
	Version uint32 // when it was saved
	Current uint32 // now
	Freed   bool
}

// Modified reports whether the tensor was changed in place since it was saved,
// so that backward will raise when it reads the slot.
func (s SavedTensor) Modified() bool {
	return s.Tensor != 0 && !s.Freed && s.Version != s.Current
}

// Node returns the node with the given identifier; ok is false when it does not
// exist (yet).
func (g *Graph) Node(id NodeID) (n Node, ok bool) {
	if !g.nodes.has(id) {
		return Node{}, false
	}
	s := g.nodes.at(id)
	e, ok := decodeAs[*NodeCreated](g, Pos(s.created))
	if !ok {
		return Node{}, false
	}
	n = Node{
		ID: id, Name: g.tape.String(e.Name), Sequence: e.Sequence, Outputs: int(e.Outputs),
		Variable: e.Variable, Edges: e.Edges, Attrs: e.Attrs, Inner: e.Inner, Results: e.Results,
		Module: ModuleID(s.module), Status: s.status(), Backward: BackwardID(s.backward),
		Waiting: int(s.waiting), Runs: int(s.runs),
		Freed: s.freed != 0, FreedAt: Pos(s.freed) - 1, Executed: Pos(s.executed) - 1,
		Released: s.released != 0, Created: Pos(s.created),
	}
	n.Saved = make([]SavedTensor, len(e.Saved))
	for i, sv := range e.Saved {
		n.Saved[i] = SavedTensor{
			Name: g.tape.String(sv.Name), Tensor: sv.Tensor, Flags: sv.Flags,
			Version: sv.Version, Current: sv.Version, Freed: n.Freed && sv.Tensor != 0,
		}
		if g.tensors.has(sv.Tensor) { // a result of the op is created after the node
			n.Saved[i].Current = g.Version(sv.Tensor)
		}
	}
	return n, true
}

func (s *nodeState) status() Status {
	switch {
	case s.failed != 0:
		return Failed
	case s.ready != 0 && s.executed >= s.ready:
		return Done
	case s.ready != 0:
		return Ready
	case s.waiting > 0:
		return Waiting
	default:
		return Idle
	}
}

// NodeOrigin returns the event that created a node, without its attributes,
// inner node and results, and the header of the event without the time. The event is valid
// until the next call. This is for those who go through all nodes: it allocates
// nothing and takes a fraction of the time of [Graph.Node].
func (g *Graph) NodeOrigin(id NodeID) (Header, *NodeCreated, bool) {
	if !g.nodes.has(id) {
		return Header{}, nil, false
	}
	h, e := g.scan.readBrief(Pos(g.nodes.at(id).created))
	n, ok := e.(*NodeCreated)
	return h, n, ok
}

// NodeModule is the module whose forward pass created a node; zero: outside
// all modules, or no such node.
func (g *Graph) NodeModule(id NodeID) ModuleID {
	if !g.nodes.has(id) {
		return 0
	}
	return ModuleID(g.nodes.at(id).module)
}

// NodeStatus is how far a node is in the pass that touched it last, which pass that
// is, and whether its saved tensors were freed, without what else [Graph.Node] reads.
func (g *Graph) NodeStatus(id NodeID) (status Status, pass BackwardID, freed bool) {
	if !g.nodes.has(id) {
		return Idle, 0, false
	}
	s := g.nodes.at(id)
	return s.status(), BackwardID(s.backward), s.freed != 0
}

// ModuleOuter is the call around a call of a module; zero: outside all modules.
func (g *Graph) ModuleOuter(id ModuleID) ModuleID {
	if !g.modules.has(id) {
		return 0
	}
	return ModuleID(g.modules.at(id).outer)
}
