package lookup

import "github.com/gradtui/gradtui/graph"

// A NodeView shows a node of the backward graph at a position: what
// it saved, which backward passes reached it and, for one of them, what came in, what
// went out and what changed.
type NodeView struct {
	Node   graph.Node
	Op     string    // the operation that made it; "" for AccumulateGrad
	OpAt   graph.Pos // its event; -1: none
	Saved  []SavedSlot
	Runs   []NodeRun    // the passes that reached it, newest first, at most MaxRuns
	Run    *NodeRun     // the one that the rest is about; nil: none reached it
	Inputs []NodeInput  // one for each result of the forward operation
	Edges  []NodeOutput // one for each of next_functions
	Hooks  []HookCall   // that ran, in order
	Error  string       // what the error says that it raised

	// Accumulated is what an AccumulateGrad node did to .grad in this run, nil if nothing
	// yet. Parts lists everything that .grad is made of at the position, since it was None
	// or zero; of more than MaxShown parts the newest, and MoreParts is true.
	Accumulated *GradPart
	Parts       []GradPart
	MoreParts   bool
}

// Bounds of the lists in a view: a program may have very many of these things.
const (
	MaxRuns  = 32   // passes that reached a node
	MaxShown = 1024 // edges, inputs, gradients that arrived, parts of a .grad
)

// A NodeRun says how far a node is, or got, in a backward pass.
type NodeRun struct {
	Pass     graph.Backward
	Status   graph.Status
	Ready    graph.Pos // it entered the ready queue; -1: not yet
	Executed graph.Pos // it ran; -1: it did not
	Failed   graph.Pos // it raised an error; -1: it did not
	Freed    graph.Pos // this pass freed what it had saved; -1: it did not
	// Captured: the node does not run, since autograd.grad was asked for the gradient
	// that reached it.
	Captured bool

	events []graph.Pos // newest first
}

// A NodeInput is what a node receives for one result of its forward operation.
type NodeInput struct {
	Result   graph.TensorID // zero: unknown, or the program does not have it
	Looks    graph.Result   // what that result looks like, if it is known
	Arrivals []Arrival      // the contributions, in order; of more than MaxShown the newest
	Used     graph.Grad     // what the node was run with, after hooks
}

// Result returns the node's only result, zero if the node has several or the program does not have it.
func (v *NodeView) Result() graph.TensorID {
	if len(v.Inputs) != 1 {
		return 0
	}
	return v.Inputs[0].Result
}

// Sum returns the gradient that has arrived so far; undefined if none has.
func (in NodeInput) Sum() graph.Grad {
	if n := len(in.Arrivals); n > 0 {
		return in.Arrivals[n-1].Sum
	}
	return graph.Grad{}
}

// An Arrival is one contribution to the gradient of a result.
type Arrival struct {
	At      graph.Pos
	From    graph.NodeID // zero: a root of the pass, which has its gradient from outside
	Edge    int          // which of the sender's next_functions, or which root
	Grad    graph.Grad   // the contribution; undefined when the sender had none
	Sum     graph.Grad   // of the contributions so far
	Waiting int          // how many more the node waited for after it
	Raw     []int        // the shape before broadcasting was undone; nil: the same
}

// A NodeOutput is an edge of a node: a signal went forward over it, and a gradient
// comes back.
type NodeOutput struct {
	Edge    graph.Edge
	Target  graph.Node // as it is at the position; the zero Node for an input that needs no gradient
	Forward Signal
	Back    graph.Grad
	// Sent is the event by which Back went out; -1: it has not. Unseen says that it went
	// out and the recorder did not see it; otherwise an undefined Back is a gradient that
	// is None.
	Sent   graph.Pos
	Unseen bool
}

// A Signal is the tensor that a forward operation read, as it was when it ran.
type Signal struct {
	Known  bool           // otherwise it is a tensor that the tape does not have, of which DType and Shape may be known
	Tensor graph.TensorID // zero: the argument was None
	Name   string         // the newest that the program gave it
	DType  graph.DType
	Shape  []int
	Value  graph.Value
	Stale  bool // the memory had been changed through another tensor since Value was taken
}

// A SavedSlot is a saved tensor of a node, and what became of it.
type SavedSlot struct {
	graph.SavedTensor
	Changed graph.Pos // the first change in place since it was saved; -1: none
	FreedAt graph.Pos // -1: it is still there
	FreedBy graph.BackwardID
	Read    bool // the run read it: it was executed
}

// A HookCall is a call of a hook of the program.
type HookCall struct {
	At       graph.Pos
	Hook     graph.HookKind
	Tensor   graph.TensorID
	Replaced bool       // it returned another gradient
	Before   graph.Grad // what it was given; undefined if that is not known
	After    graph.Grad
}

// NodeAt returns the view of a node at the graph's position, in the backward
// pass that reached it last. ok is false if there is no such node.
func (t *Index) NodeAt(g *graph.Graph, id graph.NodeID) (v *NodeView, ok bool) {
	return t.NodeIn(g, id, 0)
}

// NodeIn returns [Index.NodeAt] for one of the passes that reached the node; zero stands for
// the last one.
func (t *Index) NodeIn(g *graph.Graph, id graph.NodeID, pass graph.BackwardID) (v *NodeView, ok bool) {
	n, ok := g.Node(id)
	if !ok {
		return nil, false
	}
	t.Extend(g.Pos())
	b := &nodeViewer{Index: t, g: g, view: &NodeView{Node: n, OpAt: -1}}
	b.runs()
	b.choose(pass)
	b.operation()
	b.backward()
	b.saved()
	if n.Variable != 0 {
		b.view.Parts, b.view.MoreParts = t.gradParts(n.Variable, g.Pos(), MaxShown)
	}
	return b.view, true
}
