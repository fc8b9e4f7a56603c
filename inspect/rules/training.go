package rules

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/packed"
)

// A moment is something that happened to the gradient of a leaf. There are many.
type moment struct {
	when  uint32 // the event
	stack graph.StackID
	pass  graph.BackwardID // that gained it
	kind  momentKind
}

// Moments are in order.
type moments struct{ packed.Sequence[moment] }

// otherThan reports whether one of the moments is of none of some kinds.
func (m *moments) otherThan(kinds ...momentKind) bool {
	for _, x := range m.All() {
		if !slices.Contains(kinds, x.kind) {
			return true
		}
	}
	return false
}

func (m moment) at() graph.Pos { return graph.Pos(m.when) }

type momentKind uint8

const (
	gained  momentKind = iota // a backward pass added to it
	cleared                   // it became None or zero
	used                      // the leaf was updated by it
	scaled                    // the program changed it in place
	readOut                   // the program computed something with it, other than to clip or to measure it
)

// A training is what happened to the gradients of all leaves.
type training struct {
	h       *inspect.History
	leaves  []graph.TensorID // that got a gradient, in order of the first one
	gained  map[graph.TensorID]bool
	moments map[graph.TensorID]*moments
	trained map[graph.TensorID]bool // leaves that were updated by their gradient
	useless tally                   // calls of zero_grad() that cleared no gradient
	useful  map[graph.StackID]bool  // calls of it that did
	until   graph.Pos               // the events before were looked at
	calls   int                     // how many calls were looked at

	clipping map[graph.StackID]bool // calls that clip gradients
	pass     int                    // the first pass that ended later
}

// trains reports whether a leaf got gradients and was updated by them.
func (t *training) trains(leaf graph.TensorID) bool { return t.gained[leaf] && t.trained[leaf] }

// trainingOf returns what happened until now, for all rules.
func trainingOf(h *inspect.History) *training {
	t := sharedTraining(h)
	t.look(h.Graph().Pos())
	return t
}

func sharedTraining(h *inspect.History) *training {
	return h.Shared("training", func() any {
		return &training{
			h: h, gained: map[graph.TensorID]bool{}, moments: map[graph.TensorID]*moments{},
			trained: map[graph.TensorID]bool{}, useful: map[graph.StackID]bool{}, pass: 1, clipping: map[graph.StackID]bool{},
		}
	}).(*training)
}

// A trainingRule looks back at the training at the end. It notes what events did to gradients
// before they are forgotten.
type trainingRule struct {
	inspect.AtEnd
	h *inspect.History
}

// Settle looks at the events that will be forgotten.
func (r trainingRule) Settle(before graph.Pos) { sharedTraining(r.h).look(before) }

// look adds the events before one that it has not looked at.
func (t *training) look(before graph.Pos) {
	h, from := t.h, t.until
	if before <= from {
		return
	}
	t.until = before
	found := map[graph.TensorID][]moment{}
	add := func(leaf graph.TensorID, m moment) { found[leaf] = append(found[leaf], m) }
	for id := t.pass; id < len(h.Passes()) && h.Passes()[id].At < before; id++ {
		pass := &h.Passes()[id]
		if id == t.pass && pass.End >= 0 && pass.End < before {
			t.pass++
		}
		for _, c := range pass.Leaves {
			if c.How == graph.AccumulateRetain || c.At < from || c.At >= before {
				continue
			}
			if !t.gained[c.Tensor] {
				t.gained[c.Tensor] = true
				t.leaves = append(t.leaves, c.Tensor)
			}
			add(c.Tensor, moment{uint32(c.At), pass.Stack, graph.BackwardID(id), gained})
		}
	}
	for _, z := range h.Zeroings().From(from) {
		if z.At >= before {
			break
		}
		t.clears(z)
		add(z.Tensor, moment{uint32(z.At), z.Stack, 0, cleared})
	}
	for _, u := range h.Updates().From(from) {
		if u.At >= before {
			break
		}
		if usesGrad(h, u) {
			t.trained[u.Tensor] = true
			add(u.Tensor, moment{uint32(u.At), u.Stack, 0, used})
		}
	}
	for _, w := range h.Writes().From(from) {
		if w.At >= before {
			break
		}
		if leaf, ok := h.GradOf(w.Tensor); ok && w.Pass == 0 && w.Step < 0 {
			add(leaf, moment{uint32(w.At), w.Stack, 0, scaled})
		}
	}
	for ; t.calls < len(h.Calls()); t.calls++ {
		if c := h.Calls()[t.calls]; clips(c) {
			t.clipping[c.Stack] = true
		}
	}
	for _, op := range h.Ops().From(from) {
		if op.At >= before {
			break
		}
		if op.Pass != 0 || op.Step >= 0 || t.clipping[op.Stack] {
			continue
		}
		for _, in := range op.Inputs {
			if leaf, ok := h.GradOf(in); ok && !slices.Contains(op.Mutated, in) && !t.measures(op) {
				add(leaf, moment{uint32(op.At), op.Stack, 0, readOut})
			}
		}
	}
	for leaf, list := range found {
		slices.SortStableFunc(list, func(a, b moment) int { return cmp.Compare(a.when, b.when) })
		all := t.moments[leaf]
		if all == nil {
			all = new(moments)
			t.moments[leaf] = all
		}
		for _, m := range list {
			all.Append(m)
		}
	}
}

// measures reports whether an operation makes a single number of a larger tensor, such as a norm for a log.
func (t *training) measures(op *inspect.Op) bool {
	return len(op.Outputs) == 1 && numel(t.h.Tensor(op.Outputs[0]).Shape) == 1 && numel(t.h.Tensor(op.Inputs[0]).Shape) > 1
}

// of returns the moments of a leaf, in order.
func (t *training) of(leaf graph.TensorID) *moments {
	if m := t.moments[leaf]; m != nil {
		return m
	}
	return new(moments)
}

// clears notes whether a call of zero_grad() cleared a gradient.
func (t *training) clears(z *inspect.Zeroing) {
	if !z.Called || t.useful[z.Stack] {
		return
	}
	if g, ok := t.h.Gains()[z.Tensor]; ok && g.First < z.At {
		t.useful[z.Stack] = true
		return
	}
	t.useless.add(z.Stack, z.At)
}

// usesGrad reports whether an update used the leaf's gradient. An optimizer's update does; the
// program's does if the gradient went into the written values.
func usesGrad(h *inspect.History, u *inspect.Update) bool {
	if u.Step >= 0 {
		return slices.Contains(h.Steps()[u.Step].Params, u.Tensor) || len(h.Steps()[u.Step].Params) == 0
	}
	from := []graph.TensorID{u.Via}
	if u.Write >= 0 {
		if op := h.Writes().At(u.Write).Op; op >= 0 {
			from = h.Op(op).Inputs
		}
	}
	const near = 64 // how many tensors behind an update are searched
	seen := map[graph.TensorID]bool{u.Tensor: true}
	for len(from) > 0 && len(seen) < near {
		id := from[0]
		from = from[1:]
		if id == u.Tensor {
			continue
		}
		if leaf, ok := h.GradOf(id); ok && leaf == u.Tensor {
			return true
		}
		for _, f := range h.Flows(id) {
			if !seen[f.From] {
				seen[f.From] = true
				from = append(from, f.From)
			}
		}
	}
	return false
}

// names returns the names of tensors, for a finding.
func names(h *inspect.History, ids ...graph.TensorID) (names []string) {
	for _, id := range ids {
		if n := h.Name(id); n != "" {
			names = append(names, n)
		}
	}
	return names
}

// A tally counts call stacks and knows the most frequent one.
type tally struct {
	count map[graph.StackID]int
	first map[graph.StackID]graph.Pos
	order []graph.StackID
}

func (t *tally) add(s graph.StackID, at graph.Pos) {
	if t.count == nil {
		t.count, t.first = map[graph.StackID]int{}, map[graph.StackID]graph.Pos{}
	}
	if t.count[s] == 0 {
		t.order = append(t.order, s)
		t.first[s] = at
	}
	t.count[s]++
}

// most returns the most frequent stack, the earlier of two that are equal, with its
// first event.
func (t *tally) most() (s graph.StackID, at graph.Pos, n int) {
	at = -1
	for _, o := range t.order {
		if t.count[o] > n {
			s, at, n = o, t.first[o], t.count[o]
		}
	}
	return s, at, n
}
