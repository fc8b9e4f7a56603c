package lookup

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/packed"
)

// An Index knows a tape: which events are about a node of the backward graph,
// and which about a tensor. With it, the view of one of them at a
// position ([Index.NodeAt], [Index.TensorAt]) costs what happened to it, however long
// the tape is.
//
// An Index knows the events that it was extended to. Its methods extend it to the
// position that they are asked about; on a long tape a caller that must not wait
// calls [Index.Extend] in slices before. An Index serves one goroutine.
type Index struct {
	tape *graph.Tape
	dec  *graph.Decoder // what it returns is valid until it reads again
	pos  graph.Pos      // how many events were taken

	nodes   postings // by NodeID
	tensors postings // by TensorID, without Mutated
	writes  postings // by CounterID: Mutated, through whatever tensor
	forms   postings // by TensorID: Rebased and Reshaped
	values  postings // by TensorID: what says its content after its creation
	grads   postings // by TensorID: what changed its .grad

	counters packed.List[graph.CounterID] // by TensorID
}

// NewIndex returns the index of the first zero events of a tape.
func NewIndex(tape *graph.Tape) *Index { return &Index{tape: tape, dec: tape.NewDecoder()} }

// Pos returns how many events the index knows.
func (t *Index) Pos() graph.Pos { return t.pos }

// Extend takes the events up to a position, or to the end of the tape. It costs what
// is new.
func (t *Index) Extend(to graph.Pos) {
	for to = min(to, t.tape.Len()); t.pos < to; t.pos++ {
		read := t.dec.Brief
		if k, _ := t.dec.Kind(t.pos); k == graph.KindBackwardBegan {
			read = t.dec.ReadUntimed // with its roots
		}
		if _, e, err := read(t.pos); err == nil {
			t.take(e)
		}
	}
}

// Node returns the events about a node, in order: its creation, the operation that made it,
// gradients that arrived, readiness, execution, the freeing of its saved tensors, hooks,
// failures, its end.
func (t *Index) Node(id graph.NodeID) []graph.Pos {
	return inOrder(slices.Collect(t.nodes.before(uint32(id), t.pos)))
}

// Tensor returns the events about a tensor, in order: its creation, the operations that
// made, read or changed it, changes of its memory through another tensor with the same
// version counter, names, nodes that saved it, everything about its .grad, hooks, cuts,
// steps, its end.
func (t *Index) Tensor(id graph.TensorID) []graph.Pos { return t.tensorBefore(id, t.pos) }

func (t *Index) tensorBefore(id graph.TensorID, end graph.Pos) []graph.Pos {
	own := inOrder(slices.Collect(t.tensors.before(uint32(id), end)))
	if len(own) == 0 {
		return nil
	}
	all := make([]graph.Pos, 0, len(own))
	var writes []graph.Pos
	for at := range t.writes.before(uint32(t.counter(id)), end) {
		if at < own[0] {
			break
		}
		writes = append(writes, at)
	}
	for _, at := range slices.Backward(writes) {
		n, _ := slices.BinarySearch(own, at)
		all, own = append(append(all, own[:n]...), at), own[n:]
	}
	return append(all, own...)
}

// Op returns the event of the operation that made a node; ok is false for a node that no
// operation made, such as AccumulateGrad.
func (t *Index) Op(id graph.NodeID) (p graph.Pos, ok bool) {
	for _, at := range t.Node(id) {
		switch k, _ := t.dec.Kind(at); k {
		case graph.KindOpRan:
			return at, true
		case graph.KindGradArrived, graph.KindNodeReady, graph.KindNodeExecuted:
			return -1, false
		}
	}
	return -1, false
}

// Memory returns the approximate size of the index in bytes.
func (t *Index) Memory() int64 {
	total := t.counters.Memory()
	for _, p := range []*postings{&t.nodes, &t.tensors, &t.writes, &t.forms, &t.values, &t.grads} {
		total += p.memory()
	}
	return total
}

func (t *Index) counter(id graph.TensorID) graph.CounterID {
	if int(id) >= t.counters.Len() {
		return 0
	}
	return *t.counters.At(int(id))
}

// maxAhead is by how much an identifier may exceed the number of events: a node is
// recorded before the results that it saved.
const maxAhead = 1024

// post notes that the present event is about something. Identifiers that cannot
// exist are left out, since a tape may hold anything.
func post[ID ~uint32](t *Index, list *postings, ids ...ID) {
	for _, id := range ids {
		if id != 0 && graph.Pos(id) <= t.pos+maxAhead {
			list.add(uint32(id), t.pos)
		}
	}
}

// take adds the event at t.pos to the lists of what it is about.
func (t *Index) take(e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		t.created(e)
	case *graph.OpRan:
		post(t, &t.nodes, e.Node)
		post(t, &t.tensors, e.Inputs...)
		post(t, &t.tensors, e.Outputs...)
		post(t, &t.tensors, e.Mutated...)
	case *graph.Mutated:
		post(t, &t.writes, t.counter(e.Tensor))
		if e.Value.Known() {
			post(t, &t.values, e.Tensor)
		}
	case *graph.Rebased:
		post(t, &t.tensors, e.Tensor)
		post(t, &t.forms, e.Tensor)
	case *graph.Reshaped:
		post(t, &t.tensors, e.Tensor)
		post(t, &t.forms, e.Tensor)
		post(t, &t.values, e.Tensor)
	case *graph.ValueRead:
		post(t, &t.tensors, e.Tensor)
		if len(e.Part) == 0 && e.Value.Known() {
			post(t, &t.values, e.Tensor)
		}
	case *graph.LineageCut:
		post(t, &t.tensors, e.Inputs...)
		post(t, &t.tensors, e.Output)
	case *graph.NameBound:
		post(t, &t.tensors, e.Tensor)
	case *graph.TensorHeld:
		post(t, &t.tensors, e.Tensor)
	case *graph.RequiresGrad:
		post(t, &t.tensors, e.Tensor)
	case *graph.RetainGrad:
		post(t, &t.tensors, e.Tensor)
	case *graph.TensorReleased:
		post(t, &t.tensors, e.Tensor)
	case *graph.OptimizerMade:
		post(t, &t.tensors, e.Params...)
	case *graph.OptimizerStepped:
		post(t, &t.tensors, e.Params...)
	case *graph.Called:
		post(t, &t.tensors, e.Tensors...)
	case *graph.Raised:
		post(t, &t.tensors, e.Tensors...)
	default:
		t.takeGradients(e)
	}
}

// takeGradients adds an event about nodes or gradients.
func (t *Index) takeGradients(e graph.Event) {
	switch e := e.(type) {
	case *graph.NodeCreated:
		post(t, &t.nodes, e.Node)
		post(t, &t.tensors, e.Variable)
		for _, s := range e.Saved {
			post(t, &t.tensors, s.Tensor)
		}
	case *graph.BackwardBegan:
		post(t, &t.tensors, e.Inputs...)
		for _, r := range e.Roots {
			post(t, &t.tensors, r.Tensor)
		}
	case *graph.GradArrived:
		post(t, &t.nodes, e.Node)
	case *graph.NodeReady:
		post(t, &t.nodes, e.Node)
	case *graph.NodeExecuted:
		post(t, &t.nodes, e.Node)
	case *graph.SavedFreed:
		post(t, &t.nodes, e.Node)
	case *graph.BackwardFailed:
		post(t, &t.nodes, e.Node)
	case *graph.NodeReleased:
		post(t, &t.nodes, e.Node)
	case *graph.HookRegistered:
		post(t, &t.nodes, e.Node)
		post(t, &t.tensors, e.Tensor)
	case *graph.HookRan:
		post(t, &t.nodes, e.Node)
		post(t, &t.tensors, e.Tensor)
	case *graph.GradAccumulated:
		post(t, &t.tensors, e.Tensor, e.Grad)
		post(t, &t.grads, e.Tensor)
		if e.Value.Known() {
			post(t, &t.values, e.Grad)
		}
	case *graph.GradAssigned:
		post(t, &t.tensors, e.Tensor, e.Grad)
		post(t, &t.grads, e.Tensor)
	case *graph.GradsZeroed:
		post(t, &t.tensors, e.Params...)
	case *graph.GradRead:
		post(t, &t.tensors, e.Tensor)
	}
}

func (t *Index) created(e *graph.TensorCreated) {
	post(t, &t.tensors, e.Tensor)
	if id := int(e.Tensor); graph.Pos(id) <= t.pos+maxAhead && t.counter(e.Tensor) == 0 {
		for id >= t.counters.Len() {
			t.counters.Push(0)
		}
		*t.counters.Change(id) = e.Counter
		t.counters.Settle()
	}
}

// inOrder reverses positions that were found newest first.
func inOrder(positions []graph.Pos) []graph.Pos {
	slices.Reverse(positions)
	return positions
}
