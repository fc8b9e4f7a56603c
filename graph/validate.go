package graph

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// A Problem is something that a well-ordered tape does not contain.
type Problem struct {
	Pos  Pos
	Kind Kind
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("event %d (%s): %s", p.Pos, p.Kind, p.Text) }

// Validate checks that a tape is well ordered: identifiers are dense and exist
// before they are used, versions follow each other, nodes run inside their
// backward pass after they became ready and free afterwards, modules are left
// in the order in which they were entered. It returns at most limit problems.
//
// A graph can be folded from any tape; a problem means that the producer is
// wrong or the tape damaged, and that some events had no effect.
func Validate(t *Tape, limit int) []Problem {
	c := NewCursor(t)
	g := c.graph
	v := validator{graph: g, limit: limit, passes: map[BackwardID]map[NodeID]Status{}, devices: map[StorageID]string{}}
	d := t.NewDecoder()
	for ; len(v.problems) < limit; c.passed() {
		h, e, err := d.Read(g.pos)
		switch {
		case errors.Is(err, ErrPosition):
			return v.problems
		case err != nil:
			v.kind, _ = d.Kind(g.pos)
			v.problem("%v", err)
		default:
			v.kind = e.Kind()
			v.check(h, e)
			g.apply(h, e)
		}
	}
	return v.problems
}

// A validator checks events against the graph before them.
type validator struct {
	graph    *Graph
	kind     Kind
	limit    int
	problems []Problem
	moved    bool // a tensor went to another storage: views may be elsewhere than their bases

	devices map[StorageID]string // of storages that are not on the CPU

	// How far each node is in the passes that are running. Passes of several
	// threads may share nodes; the graph only knows the one that came last.
	passes map[BackwardID]map[NodeID]Status
}

func (v *validator) problem(format string, args ...any) {
	if len(v.problems) < v.limit {
		v.problems = append(v.problems, Problem{v.graph.pos, v.kind, fmt.Sprintf(format, args...)})
	}
}

// must notes a problem unless the condition holds.
func (v *validator) must(ok bool, format string, args ...any) bool {
	if !ok {
		v.problem(format, args...)
	}
	return ok
}

// tensor checks a reference that cannot be zero, tensors those that can.
func (v *validator) tensor(what string, t TensorID) bool {
	return v.must(v.graph.tensors.has(t), "%s %d does not exist", what, t)
}

func (v *validator) tensors(what string, list ...TensorID) {
	for _, t := range list {
		v.must(t == 0 || v.graph.tensors.has(t), "%s %d does not exist", what, t)
	}
}

func (v *validator) node(what string, n NodeID) bool {
	return v.must(v.graph.nodes.has(n), "%s %d does not exist", what, n)
}

func (v *validator) nodeOrNone(what string, n NodeID) {
	v.must(n == 0 || v.graph.nodes.has(n), "%s %d does not exist", what, n)
}

func (v *validator) check(h Header, e Event) {
	g := v.graph
	switch e := e.(type) {
	case *TensorCreated:
		v.checkTensor(e)
	case *NodeCreated:
		v.checkNode(e)
	case *OpRan:
		v.tensors("input", e.Inputs...)
		v.tensors("output", e.Outputs...)
		v.tensors("mutated input", e.Mutated...)
		v.nodeOrNone("node", e.Node)
	case *Mutated:
		if v.tensor("tensor", e.Tensor) {
			now := g.Version(e.Tensor)
			v.must(e.From == now, "from version %d, but the counter is at %d", e.From, now)
			t, _ := g.Tensor(e.Tensor)
			v.must(e.To > e.From || e.To == e.From && t.Flags&FlagInference != 0, "version %d does not follow %d", e.To, e.From)
		}
	case *Rebased:
		v.nodeOrNone("node", e.Node)
		if v.tensor("tensor", e.Tensor) {
			s := g.tensors.at(e.Tensor)
			v.must(uint32(e.OldNode) == s.node && e.OldOutput == s.output,
				"old grad_fn is output %d of node %d, but it was output %d of node %d", e.OldOutput, e.OldNode, s.output, s.node)
		}
	case *Reshaped:
		if v.tensor("tensor", e.Tensor) && g.tensors.at(e.Tensor).storage != e.Storage {
			v.moved = true
		}
		v.checkStorage(e.Storage, e.Device)
	case *ValueRead:
		if v.tensor("tensor", e.Tensor) {
			now := g.Version(e.Tensor)
			v.must(e.Version == now, "version %d was read, but the counter is at %d", e.Version, now)
			t, _ := g.Tensor(e.Tensor)
			v.must(len(e.Part) == 0 || len(e.Part) == 3*len(t.Shape), "a part of %d dimensions, but the tensor has %d", len(e.Part)/3, len(t.Shape))
		}
	case *LineageCut:
		v.tensors("input", e.Inputs...)
		v.tensors("output", e.Output)
	case *RequiresGrad:
		v.tensor("tensor", e.Tensor)
	case *RetainGrad:
		v.tensor("tensor", e.Tensor)
	case *GradAssigned:
		v.tensor("tensor", e.Tensor)
		v.tensors("gradient", e.Grad)
	case *OptimizerStepped:
		v.tensors("parameter", e.Params...)
	case *GradsZeroed:
		v.tensors("parameter", e.Params...)
	case *NameBound:
		v.tensors("tensor", e.Tensor)
	case *TensorHeld:
		v.tensors("tensor", e.Tensor)
	case *TensorReleased:
		if v.tensor("tensor", e.Tensor) {
			v.must(g.tensors.at(e.Tensor).flags&tensorReleased == 0, "tensor %d was released already", e.Tensor)
		}
	case *NodeReleased:
		if v.node("node", e.Node) {
			v.must(g.nodes.at(e.Node).released == 0, "node %d was released already", e.Node)
		}
	case *ModuleLeft:
		v.must(g.threads.at(g.thread(h.Thread)).module != 0, "no module was entered")
	case *ModeChanged:
		v.must(e.Mode >= GradMode && e.Mode <= AutocastMode, "there is no mode %d", e.Mode)
	default:
		v.checkBackward(e)
	}
}

func (v *validator) checkTensor(e *TensorCreated) {
	g := v.graph
	v.must(int(e.Tensor) == g.tensors.len(), "tensor %d follows %d", e.Tensor, g.tensors.len()-1)
	v.checkStorage(e.Storage, e.Device)
	v.must(e.Counter > 0 && int(e.Counter) <= g.counters.len(), "counter %d follows %d", e.Counter, g.counters.len()-1)
	if g.counters.has(e.Counter) {
		now := g.counters.at(e.Counter).version
		v.must(e.Version == now, "version %d, but counter %d is at %d", e.Version, e.Counter, now)
	}
	v.nodeOrNone("node", e.Node)
	v.tensors("base", e.Base)
	if g.tensors.has(e.Base) {
		base := g.tensors.at(e.Base)
		v.must(base.base == 0, "base %d is itself a view", e.Base)
		v.must(base.storage == e.Storage || v.moved, "storage %d, but base %d is in storage %d", e.Storage, e.Base, base.storage)
	}
}

// checkStorage checks the storage of a tensor, which is on the tensor's device.
func (v *validator) checkStorage(s StorageID, device StringID) {
	last, name := v.graph.storages.len()-1, v.graph.tape.Device(device)
	if !v.must(s > 0 && int(s) <= last+1, "storage %d follows %d", s, last) {
		return
	}
	if int(s) > last && name != CPU {
		v.devices[s] = name
	}
	on := cmp.Or(v.devices[s], CPU)
	v.must(name == on, "it is on %s, but storage %d on %s", name, s, on)
}

func (v *validator) checkNode(e *NodeCreated) {
	g := v.graph
	v.must(int(e.Node) == g.nodes.len(), "node %d follows %d", e.Node, g.nodes.len()-1)
	for _, edge := range e.Edges {
		v.must(edge.Node == 0 || g.nodes.has(edge.Node), "edge to node %d, which does not exist", edge.Node)
	}
	for _, s := range e.Saved {
		if s.Flags&SavedOutput == 0 {
			v.tensors("saved tensor", s.Tensor)
		}
	}
	v.tensors("variable", e.Variable)
	v.nodeOrNone("inner node", e.Inner)
	v.must(len(e.Results) == 0 || len(e.Results) == int(e.Outputs), "%d results are described of %d", len(e.Results), e.Outputs)
}

func (v *validator) running(b BackwardID) bool {
	if !v.must(v.graph.backwards.has(b), "backward pass %d has not begun", b) {
		return false
	}
	return v.must(!v.graph.backwards.at(b).over(), "backward pass %d has ended", b)
}

// move checks that a node of a running pass is in one of the given statuses and
// puts it into the next one.
func (v *validator) move(b BackwardID, n NodeID, next Status, from ...Status) {
	if !v.running(b) || !v.node("node", n) {
		return
	}
	if v.passes[b] == nil {
		v.passes[b] = map[NodeID]Status{}
	}
	s := v.passes[b][n]
	v.must(slices.Contains(from, s), "node %d is %s, not %s", n, s, from[0])
	v.passes[b][n] = next
}

func (v *validator) checkBackward(e Event) {
	g := v.graph
	switch e := e.(type) {
	case *BackwardBegan:
		v.must(int(e.Backward) == g.backwards.len(), "backward pass %d follows %d", e.Backward, g.backwards.len()-1)
		for _, r := range e.Roots {
			v.tensors("root", r.Tensor)
			v.nodeOrNone("root node", r.Node)
		}
		v.tensors("input", e.Inputs...)
	case *GradArrived:
		v.move(e.Backward, e.Node, Waiting, Idle, Waiting)
		v.nodeOrNone("sender", e.From)
	case *NodeReady:
		v.move(e.Backward, e.Node, Ready, Idle, Waiting)
	case *NodeExecuted:
		v.move(e.Backward, e.Node, Done, Ready)
		v.checkGrads(e)
	case *SavedFreed:
		v.move(e.Backward, e.Node, Done, Done)
	case *GradAccumulated:
		v.running(e.Backward)
		v.tensor("tensor", e.Tensor)
		v.tensors("gradient", e.Grad)
	case *BackwardEnded:
		v.running(e.Backward)
		delete(v.passes, e.Backward)
	case *BackwardFailed:
		v.running(e.Backward)
		v.nodeOrNone("node", e.Node)
		delete(v.passes, e.Backward)
	case *HookRan:
		v.must(e.Backward == 0 || g.backwards.has(e.Backward), "backward pass %d has not begun", e.Backward)
		v.tensors("tensor", e.Tensor)
		v.nodeOrNone("node", e.Node)
	}
}

// checkGrads checks the number of gradients that a node got and gave; a recorder
// that does not see them leaves them out.
func (v *validator) checkGrads(e *NodeExecuted) {
	n, ok := v.graph.Node(e.Node)
	if !ok {
		return
	}
	v.must(len(e.In) == 0 || len(e.In) == n.Outputs, "%d gradients came in, but node %d has %d outputs", len(e.In), e.Node, n.Outputs)
	v.must(len(e.Out) == 0 || len(e.Out) == len(n.Edges), "%d gradients went out, but node %d has %d edges", len(e.Out), e.Node, len(n.Edges))
}
