package graph

import "fmt"

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
	v := validator{cursor: NewCursor(t), limit: limit}
	d := t.NewDecoder()
	for p := Pos(0); p < t.Len() && len(v.problems) < limit; p++ {
		h, e, err := d.Read(p)
		v.pos = p
		v.kind, _ = d.Kind(p)
		if err != nil {
			v.problem("%v", err)
		} else {
			v.check(h, e)
		}
		v.cursor.Next()
	}
	return v.problems
}

type validator struct {
	cursor   *Cursor
	pos      Pos
	kind     Kind
	limit    int
	problems []Problem
}

func (v *validator) problem(format string, args ...any) {
	if len(v.problems) < v.limit {
		v.problems = append(v.problems, Problem{v.pos, v.kind, fmt.Sprintf(format, args...)})
	}
}

// must notes a problem unless the condition holds.
func (v *validator) must(ok bool, format string, args ...any) bool {
	if !ok {
		v.problem(format, args...)
	}
	return ok
}

func (v *validator) tensors(what string, list ...TensorID) {
	for _, t := range list {
		v.must(t == 0 || has(v.cursor.graph.tensors, t), "%s %d does not exist", what, t)
	}
}

func (v *validator) node(n NodeID) bool {
	return v.must(has(v.cursor.graph.nodes, n), "node %d does not exist", n)
}

func (v *validator) check(h Header, e Event) {
	g := v.cursor.graph
	switch e := e.(type) {
	case *TensorCreated:
		v.must(int(e.Tensor) == len(g.tensors), "tensor %d follows %d", e.Tensor, len(g.tensors)-1)
		v.must(e.Storage > 0 && int(e.Storage) <= len(g.storages), "storage %d follows %d", e.Storage, len(g.storages)-1)
		if v.must(e.Counter > 0 && int(e.Counter) <= len(g.counters), "counter %d follows %d", e.Counter, len(g.counters)-1) && has(g.counters, e.Counter) {
			now := g.counters[e.Counter].version
			v.must(e.Version == now, "version %d, but counter %d is at %d", e.Version, e.Counter, now)
		}
		v.must(e.Node == 0 || has(g.nodes, e.Node), "node %d does not exist", e.Node)
		v.tensors("base", e.Base)
		v.must(!has(g.tensors, e.Base) || g.tensors[e.Base].base == 0, "base %d is itself a view", e.Base)
	case *NodeCreated:
		v.must(int(e.Node) == len(g.nodes), "node %d follows %d", e.Node, len(g.nodes)-1)
		for _, edge := range e.Edges {
			v.must(edge.Node == 0 || has(g.nodes, edge.Node), "edge to node %d, which does not exist", edge.Node)
		}
		for _, s := range e.Saved {
			if s.Flags&SavedOutput == 0 {
				v.tensors("saved tensor", s.Tensor)
			}
		}
		v.tensors("variable", e.Variable)
	case *OpRan:
		v.tensors("input", e.Inputs...)
		v.tensors("output", e.Outputs...)
		v.tensors("mutated input", e.Mutated...)
		v.must(e.Node == 0 || has(g.nodes, e.Node), "node %d does not exist", e.Node)
	case *Mutated:
		v.tensors("tensor", e.Tensor)
		v.must(e.To > e.From, "version %d does not follow %d", e.To, e.From)
		now := g.Version(e.Tensor)
		v.must(e.From == now, "from version %d, but the counter is at %d", e.From, now)
	case *Rebased:
		v.tensors("tensor", e.Tensor)
		v.must(e.Node == 0 || has(g.nodes, e.Node), "node %d does not exist", e.Node)
		if has(g.tensors, e.Tensor) {
			now := NodeID(g.tensors[e.Tensor].node)
			v.must(e.OldNode == now, "old grad_fn %d, but it was %d", e.OldNode, now)
		}
	case *LineageCut:
		v.tensors("input", e.Inputs...)
		v.tensors("output", e.Output)
	case *RequiresGrad:
		v.tensors("tensor", e.Tensor)
	case *RetainGrad:
		v.tensors("tensor", e.Tensor)
	case *GradAssigned:
		v.tensors("tensor", e.Tensor, e.Grad)
	case *NameBound:
		v.tensors("tensor", e.Tensor)
	case *TensorReleased:
		v.tensors("tensor", e.Tensor)
	case *NodeReleased:
		v.node(e.Node)
	case *ModuleLeft:
		v.must(g.threads[g.thread(h.Thread)].module != 0, "no module was entered")
	default:
		v.checkBackward(e)
	}
}

func (v *validator) running(b BackwardID) bool {
	g := v.cursor.graph
	if !v.must(has(g.backwards, b), "backward pass %d has not begun", b) {
		return false
	}
	s := g.backwards[b]
	return v.must(s.ended == 0 && s.failed == 0, "backward pass %d has ended", b)
}

func (v *validator) checkBackward(e Event) {
	g := v.cursor.graph
	inPass := func(b BackwardID, n NodeID) (Node, bool) {
		if !v.running(b) || !v.node(n) {
			return Node{}, false
		}
		node, _ := g.Node(n)
		if node.Backward != b {
			node.Status = Idle
		}
		return node, true
	}
	switch e := e.(type) {
	case *BackwardBegan:
		v.must(int(e.Backward) == len(g.backwards), "backward pass %d follows %d", e.Backward, len(g.backwards)-1)
		v.tensors("input", e.Inputs...)
	case *GradArrived:
		if n, ok := inPass(e.Backward, e.Node); ok {
			v.must(n.Status == Idle || n.Status == Waiting, "node %d is %s and waits for no gradient", e.Node, n.Status)
		}
	case *NodeReady:
		if n, ok := inPass(e.Backward, e.Node); ok {
			v.must(n.Status == Idle || n.Status == Waiting, "node %d is %s already", e.Node, n.Status)
		}
	case *NodeExecuted:
		if n, ok := inPass(e.Backward, e.Node); ok {
			v.must(n.Status == Ready, "node %d is %s, not ready", e.Node, n.Status)
		}
	case *SavedFreed:
		if n, ok := inPass(e.Backward, e.Node); ok {
			v.must(n.Status == Done, "node %d is %s, not done", e.Node, n.Status)
		}
	case *GradAccumulated:
		v.running(e.Backward)
		v.tensors("tensor", e.Tensor, e.Grad)
	case *BackwardEnded:
		v.running(e.Backward)
	case *BackwardFailed:
		v.running(e.Backward)
	case *HookRan:
		v.tensors("tensor", e.Tensor)
		v.must(e.Node == 0 || has(g.nodes, e.Node), "node %d does not exist", e.Node)
	}
}
