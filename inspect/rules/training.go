package rules

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A moment is something that happened to the gradient of a leaf.
type moment struct {
	at    graph.Pos
	stack graph.StackID
	kind  momentKind
	pass  graph.BackwardID // that gained it
	call  bool             // cleared by zero_grad()
	step  int              // that used it: index of the optimizer's step; -1: the program did
}

type momentKind uint8

const (
	gained  momentKind = iota // a backward pass added to it
	cleared                   // it became None or zero
	used                      // the leaf was updated by it
	scaled                    // the program changed it in place
	readOut                   // the program computed something with it
)

// A training is what happened to the gradients of all leaves that got one.
type training struct {
	leaves  []graph.TensorID // in order of their first gradient
	moments map[graph.TensorID][]moment
	trained map[graph.TensorID]bool // leaves that were updated by their gradient
}

// trainingOf is computed once for all rules, at the end.
func trainingOf(h *inspect.History) *training {
	return h.Shared("training", func() any { return newTraining(h) }).(*training)
}

func newTraining(h *inspect.History) *training {
	t := &training{moments: map[graph.TensorID][]moment{}, trained: map[graph.TensorID]bool{}}
	for id, pass := range h.Passes() {
		for _, c := range pass.Leaves {
			if c.How == graph.AccumulateRetain {
				continue
			}
			if t.moments[c.Tensor] == nil {
				t.leaves = append(t.leaves, c.Tensor)
			}
			t.add(c.Tensor, moment{at: c.At, stack: pass.Stack, kind: gained, pass: graph.BackwardID(id), step: -1})
		}
	}
	for _, z := range h.Zeroings() {
		t.addKnown(z.Tensor, moment{at: z.At, stack: z.Stack, kind: cleared, call: z.Called, step: -1})
	}
	for _, u := range h.Updates() {
		if t.moments[u.Tensor] != nil && usesGrad(h, u) {
			t.trained[u.Tensor] = true
			t.add(u.Tensor, moment{at: u.At, stack: u.Stack, kind: used, step: u.Step})
		}
	}
	for _, w := range h.Writes() {
		if leaf, ok := h.GradOf(w.Tensor); ok && w.Pass == 0 && w.Step < 0 {
			t.addKnown(leaf, moment{at: w.At, stack: w.Stack, kind: scaled, step: -1})
		}
	}
	for i := range h.Ops() {
		op := &h.Ops()[i]
		if op.Pass != 0 || op.Step >= 0 {
			continue
		}
		for _, in := range op.Inputs {
			if leaf, ok := h.GradOf(in); ok && !slices.Contains(op.Mutated, in) {
				t.addKnown(leaf, moment{at: op.At, stack: op.Stack, kind: readOut, step: -1})
			}
		}
	}
	for _, leaf := range t.leaves {
		slices.SortStableFunc(t.moments[leaf], func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	}
	return t
}

func (t *training) add(leaf graph.TensorID, m moment) { t.moments[leaf] = append(t.moments[leaf], m) }

// addKnown adds a moment of a leaf that got a gradient.
func (t *training) addKnown(leaf graph.TensorID, m moment) {
	if t.moments[leaf] != nil {
		t.add(leaf, m)
	}
}

// usesGrad reports whether an update took the leaf's gradient: an optimizer's does,
// the program's does if the gradient went into what was written.
func usesGrad(h *inspect.History, u inspect.Update) bool {
	if u.Step >= 0 {
		return slices.Contains(h.Steps()[u.Step].Params, u.Tensor) || len(h.Steps()[u.Step].Params) == 0
	}
	from := []graph.TensorID{u.Via}
	if u.Write >= 0 {
		if op := h.Writes()[u.Write].Op; op >= 0 {
			from = h.Ops()[op].Inputs
		}
	}
	const near = 64 // tensors that an update is made of, at most
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

// names are those of a tensor, for a finding.
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

// most is the most frequent stack, the earlier of two that are equal, with its
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
