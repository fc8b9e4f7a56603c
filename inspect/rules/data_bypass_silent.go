package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var dataBypassSilent = inspect.Rule{
	Code:     "data-bypass-silent",
	Severity: inspect.SeverityWarning,
	Title:    "A saved tensor was modified without its version counter noticing.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &bypasses{
			check: check, holders: map[graph.StorageID][]holder{}, saves: map[graph.TensorID][]holder{},
			writes: map[graph.NodeID]bypass{}, leaves: map[graph.TensorID]graph.StorageID{},
		}
	},
}

// bypasses knows which nodes hold which memory for backward.
type bypasses struct {
	check   *inspect.Checker
	saves   map[graph.TensorID][]holder // by a tensor that is still to be announced
	holders map[graph.StorageID][]holder
	writes  map[graph.NodeID]bypass            // that a node has not noticed
	leaves  map[graph.TensorID]graph.StorageID // the storage of a saved leaf
}

// A holder is a node that saved a tensor.
type holder struct {
	node   graph.NodeID
	tensor graph.TensorID
	leaf   bool
}

// A bypass is a change of saved memory that moved another version counter.
type bypass struct {
	at    graph.Pos
	stack graph.StackID
	holder
}

// maxHolders bounds how many nodes are remembered for one storage: nodes of a forward pass that
// is never differentiated stay for ever.
const maxHolders = 256

func (b *bypasses) End() {}

// Settle drops what was forgotten, or is empty.
func (b *bypasses) Settle(graph.Pos) {
	known := func(id graph.TensorID) bool { return b.check.Tensor(id).Known() }
	for s, all := range b.holders {
		b.holders[s] = slices.DeleteFunc(all, func(held holder) bool { return !known(held.tensor) })
		if len(b.holders[s]) == 0 {
			delete(b.holders, s)
		}
	}
	maps.DeleteFunc(b.leaves, func(id graph.TensorID, s graph.StorageID) bool { return !known(id) || b.holders[s] == nil })
	maps.DeleteFunc(b.writes, func(_ graph.NodeID, w bypass) bool { return !known(w.tensor) })
}

func (b *bypasses) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.NodeCreated:
		for _, s := range e.Saved {
			if s.Tensor == 0 || s.Flags&graph.SavedCopy != 0 {
				continue
			}
			held := holder{e.Node, s.Tensor, s.Flags&graph.SavedLeaf != 0}
			if t := b.check.Tensor(s.Tensor); t.Known() {
				b.hold(t.Storage, held)
			} else {
				b.saves[s.Tensor] = append(b.saves[s.Tensor], held) // a result: it comes next
			}
		}
	case *graph.TensorCreated:
		for _, held := range b.saves[e.Tensor] {
			b.hold(e.Storage, held)
		}
		delete(b.saves, e.Tensor)
	case *graph.Mutated:
		b.written(p, head, e)
	case *graph.Reshaped:
		b.replaced(p, head, e)
	case *graph.SavedFreed:
		b.free(e.Node)
	case *graph.NodeExecuted:
		if w, ok := b.writes[e.Node]; ok {
			delete(b.writes, e.Node)
			b.report(w, p)
		}
	}
}

func (b *bypasses) hold(s graph.StorageID, held holder) {
	all := b.holders[s]
	if len(all) >= maxHolders {
		all = slices.Delete(all, 0, maxHolders/2)
	}
	b.holders[s] = append(all, held)
	if held.leaf {
		b.leaves[held.tensor] = s
	}
}

// free forgets a node.
func (b *bypasses) free(id graph.NodeID) {
	n, ok := b.check.Graph().Node(id)
	if !ok {
		return
	}
	for _, s := range n.Saved {
		if t := b.check.Tensor(s.Tensor); t.Known() {
			b.holders[t.Storage] = slices.DeleteFunc(b.holders[t.Storage], func(held holder) bool { return held.node == id })
		}
	}
}

// written looks for nodes that saved memory which was changed through a tensor with
// another version counter.
func (b *bypasses) written(p graph.Pos, head graph.Header, e *graph.Mutated) {
	t := b.check.Tensor(e.Tensor)
	if !t.Known() {
		return
	}
	for _, held := range b.holders[t.Storage] {
		saved := b.check.Tensor(held.tensor)
		if saved.Counter != t.Counter && saved.Storage == t.Storage && b.overlap(held.tensor, e.Tensor) && b.changed(held.tensor, e) {
			b.note(p, head, held)
		}
	}
}

// replaced looks for nodes that saved a leaf whose storage was replaced since: x.data = y.
func (b *bypasses) replaced(p graph.Pos, head graph.Header, e *graph.Reshaped) {
	storage, saved := b.leaves[e.Tensor]
	if !saved || storage == e.Storage {
		return
	}
	for _, held := range b.holders[storage] {
		if held.tensor == e.Tensor && held.leaf {
			b.note(p, head, held)
		}
	}
}

// note keeps the first change of what a node holds, until the node runs.
func (b *bypasses) note(p graph.Pos, head graph.Header, held holder) {
	if _, known := b.writes[held.node]; !known {
		b.writes[held.node] = bypass{p, head.Stack, held}
	}
}

// overlap reports whether two tensors in one storage share elements.
func (b *bypasses) overlap(x, y graph.TensorID) bool {
	t, ok1 := b.check.Graph().Tensor(x)
	u, ok2 := b.check.Graph().Tensor(y)
	if !ok1 || !ok2 {
		return false
	}
	if len(t.Strides) == 0 && len(u.Strides) == 0 || t.Numel() > maxElements || u.Numel() > maxElements {
		return t.Offset <= lastElement(u) && u.Offset <= lastElement(t)
	}
	at := map[uint64]bool{}
	eachElement(t, func(offset uint64) bool { at[offset] = true; return true })
	shared := false
	eachElement(u, func(offset uint64) bool { shared = at[offset]; return !shared })
	return shared
}

// maxElements bounds how many elements are compared one by one.
const maxElements = 1 << 14

// eachElement calls f with the offset of each element in the storage, until it
// returns false.
func eachElement(t graph.Tensor, f func(offset uint64) bool) {
	n := t.Numel()
	for i := range n {
		offset, rest := t.Offset, i
		if len(t.Strides) == 0 {
			offset += uint64(i)
		}
		for d := len(t.Strides) - 1; d >= 0; d-- {
			offset += uint64(rest % t.Shape[d] * t.Strides[d])
			rest /= t.Shape[d]
		}
		if !f(offset) {
			return
		}
	}
}

// lastElement returns the offset of a tensor's last element in its storage.
func lastElement(t graph.Tensor) uint64 {
	if len(t.Strides) == 0 {
		return t.Offset + uint64(max(t.Numel(), 1)) - 1
	}
	last := t.Offset
	for i, n := range t.Shape {
		last += uint64((n - 1) * t.Strides[i])
	}
	return last
}

// changed reports whether the saved values differ from the written values, as far as is known.
func (b *bypasses) changed(saved graph.TensorID, e *graph.Mutated) bool {
	t, ok := b.check.Graph().Tensor(saved)
	before, after := t.Value, e.Value
	return !ok || before.Count != after.Count || before.Min != after.Min || before.Max != after.Max ||
		before.Mean != after.Mean || !slices.Equal(before.First, after.First)
}

func (b *bypasses) report(w bypass, used graph.Pos) {
	check := b.check
	if check.StackAt(used) == w.stack {
		return // one call does both, like gradcheck, which restores the values
	}
	node, _ := check.Graph().Node(w.node)
	f := inspect.Finding{
		Message: fmt.Sprintf("%s was modified after %s saved it, without its version counter noticing: the gradients are wrong", check.Called(w.tensor), node.Name),
		Primary: check.In(w.stack, w.at, "modifies values that backward needs"),
		Related: []inspect.Span{
			check.At(node.Created, "saved here for the backward pass"),
			check.At(used, "this backward pass uses the modified values"),
		},
		Tensors: names(check.History, w.tensor),
		Help:    "make a new tensor instead of writing through .data, or write before the forward pass",
		At:      w.at,
		Symptom: -1,
	}
	check.Report(f)
}
