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
	written []bypass                           // changes by an operation that is still to be announced
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
	via    graph.TensorID // what was written to
	unsure bool           // whether what was saved is among the elements that were written
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
		b.mutated(p, head, e)
	case *graph.OpRan:
		b.ran(e)
	case *graph.Reshaped:
		b.replaced(p, head, e)
	case *graph.SavedFreed:
		b.free(e.Node)
	case *graph.NodeExecuted:
		b.ran(&graph.OpRan{})
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

// mutated looks for nodes that saved memory which was changed through a tensor with
// another version counter.
func (b *bypasses) mutated(p graph.Pos, head graph.Header, e *graph.Mutated) {
	t := b.check.Tensor(e.Tensor)
	if !t.Known() {
		return
	}
	for _, held := range b.holders[t.Storage] {
		saved := b.check.Tensor(held.tensor)
		if saved.Counter != t.Counter && saved.Storage == t.Storage && b.changed(held.tensor, e) {
			b.written = append(b.written, bypass{at: p, stack: head.Stack, holder: held, via: e.Tensor})
		}
	}
}

// ran finds out which of the nodes hold elements that an operation has changed.
func (b *bypasses) ran(e *graph.OpRan) {
	g := b.check.Graph()
	for _, w := range b.written {
		saved, ok1 := g.Tensor(w.tensor)
		via, ok2 := g.Tensor(w.via)
		if !ok1 || !ok2 || !overlap(saved, via) {
			continue
		}
		if slices.Contains(e.Mutated, w.via) && partly[b.check.Tape().String(e.Op)] {
			var value graph.Tensor
			if len(e.Inputs) > 1 {
				value, _ = g.Tensor(e.Inputs[1])
			}
			parts := assignedParts(via, e, value)
			hit := func(p part) bool {
				return slices.ContainsFunc(p, func(t graph.Tensor) bool { return overlap(saved, t) })
			}
			switch {
			case len(parts) == 0:
				w.unsure = saved.Numel() < via.Numel()
			case !slices.ContainsFunc(parts, hit):
				continue
			default:
				w.unsure = slices.ContainsFunc(parts, func(p part) bool { return !hit(p) })
			}
		}
		b.note(w)
	}
	b.written = b.written[:0]
}

// replaced looks for nodes that saved a leaf which shows other memory now: x.data = y.
func (b *bypasses) replaced(p graph.Pos, head graph.Header, e *graph.Reshaped) {
	storage, saved := b.leaves[e.Tensor]
	if !saved || storage == e.Storage {
		return
	}
	for _, held := range b.holders[storage] {
		if held.tensor == e.Tensor && held.leaf {
			b.note(bypass{at: p, stack: head.Stack, holder: held})
		}
	}
}

// note keeps the first change of what a node holds, a sure one if there is one, until the node runs.
func (b *bypasses) note(w bypass) {
	if first, known := b.writes[w.node]; !known || first.unsure && !w.unsure {
		b.writes[w.node] = w
	}
}

// changed reports whether the values that were saved differ from those that were
// written, as far as is known.
func (b *bypasses) changed(saved graph.TensorID, e *graph.Mutated) bool {
	t, ok := b.check.Graph().Tensor(saved)
	before, after := t.Value, e.Value
	return !ok || !after.Known() || before.Count != after.Count || before.Min != after.Min || before.Max != after.Max ||
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
		Evidence: facts(
			check.At(node.Created, fmt.Sprintf("%s saved it", node.Name)),
			check.In(w.stack, w.at, "its memory changes, and its version does not"),
			check.At(used, fmt.Sprintf("%s runs in a backward pass after that", node.Name)),
		),
		Instead: []inspect.Alternative{not("inplace-saved-tensor", "the version counter has not noticed, so nothing fails")},
	}
	if w.unsure {
		f.Evidence = append(f.Evidence, doubts(check.In(w.stack, w.at, "what was saved is a part of this memory, and the write may miss that part"))...)
		f.Severity = inspect.SeverityHint
		f.Message = fmt.Sprintf("%s may have been modified after %s saved it, without its version counter noticing: then the gradients are wrong", check.Called(w.tensor), node.Name)
	}
	check.Report(f)
}
