package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// overlaps looks for optimizers that have all parameters of another one and more, and that step in
// turn with it. Parts that two losses share are meant, and so is an optimizer for each phase.
type overlaps struct {
	check    *inspect.Checker
	params   map[uint32][]graph.TensorID // by optimizer
	owners   map[graph.TensorID][]uint32
	unpaired []uint32 // optimizers that were not compared with the others
	pairs    []*sharing
	looked   map[graph.StackID]int // passes, by their line
}

// A sharing is an optimizer with all parameters of a smaller one.
type sharing struct {
	large, small turns
	shared, own  map[graph.TensorID]bool // own: the parameters that no other optimizer has
	last         uint32                  // which of the two stepped last
	changes      int                     // how often it was the other one
	since        course                  // of the passes since then
}

// turns are the steps of an optimizer.
type turns struct {
	number  uint32
	first   graph.Pos
	steps   int
	moves   int // steps that update what both have
	through int // of these, after a gradient that went through what both have to own parameters
	alone   int // after a gradient that did not go to own parameters
	beyond  int // after a gradient that did
}

// A course says where the gradient of a pass goes in a sharing.
type course struct {
	shared, own bool
	through     bool // to own parameters through shared ones, and not the other way
}

// Event follows optimizers, passes and the ends of steps.
func (w *overlaps) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.OptimizerMade:
		w.made(e)
	case *graph.BackwardBegan:
		w.pair()
		const most = 4 // passes of a line: all are alike
		if len(w.pairs) == 0 || e.Flags&graph.GradOnly != 0 || w.looked[head.Stack] == most {
			return
		}
		w.looked[head.Stack]++
		for _, o := range w.pairs {
			c := w.course(o, e.Roots)
			o.since = course{o.since.shared || c.shared, o.since.own || c.own, o.since.through || c.through}
		}
	}
}

func (w *overlaps) made(e *graph.OptimizerMade) {
	const most = 4 // optimizers of a parameter, the newest
	if e.Number == 0 {
		return
	}
	if !slices.Contains(w.unpaired, e.Number) {
		w.unpaired = append(w.unpaired, e.Number)
	}
	w.params[e.Number] = append(w.params[e.Number], e.Params...)
	for _, t := range e.Params {
		known := append(w.owners[t], e.Number)
		w.owners[t] = known[max(0, len(known)-most):]
	}
}

// pair compares the optimizers that were made since with the others.
func (w *overlaps) pair() {
	const most = 64 // pairs
	for _, number := range w.unpaired {
		both := map[uint32]int{}
		for _, t := range w.params[number] {
			for _, other := range w.owners[t] {
				both[other]++
			}
		}
		for _, other := range slices.Sorted(maps.Keys(both)) {
			large, small := other, number
			if len(w.params[large]) < len(w.params[small]) {
				large, small = small, large
			}
			n := both[other]
			if other == number || n != len(w.params[small]) || n == len(w.params[large]) || len(w.pairs) == most {
				continue
			}
			o := &sharing{large: turns{number: large}, small: turns{number: small}, shared: map[graph.TensorID]bool{}, own: map[graph.TensorID]bool{}}
			for _, t := range w.params[small] {
				o.shared[t] = true
			}
			for _, t := range w.params[large] {
				if len(w.owners[t]) == 1 {
					o.own[t] = true
				}
			}
			w.pairs = append(w.pairs, o)
		}
	}
	w.unpaired = nil
}

// course returns where a gradient from some roots goes.
func (w *overlaps) course(o *sharing, roots []graph.Root) (c course) {
	var from, behindShared, behindOwn []graph.NodeID
	for _, r := range roots {
		from = append(from, r.Node)
	}
	c.shared, behindShared = w.search(from, o.shared)
	c.own, behindOwn = w.search(from, o.own)
	if c.shared && c.own {
		own, _ := w.search(behindShared, o.own)
		shared, _ := w.search(behindOwn, o.shared)
		c.through = own && !shared
	}
	return c
}

// search looks for the nodes that use some leaves first, on the way back from others. It returns
// the nodes behind them.
func (w *overlaps) search(from []graph.NodeID, leaves map[graph.TensorID]bool) (found bool, behind []graph.NodeID) {
	const most = 1 << 14 // nodes that are looked at
	seen := map[graph.NodeID]bool{0: true}
	for len(from) > 0 && len(seen) < most {
		id := from[0]
		from = from[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		n, _ := w.check.Graph().Node(id)
		var others []graph.NodeID
		uses := false
		for _, e := range n.Edges {
			if leaves[w.leaf(e.Node)] {
				uses = true
			} else {
				others = append(others, e.Node)
			}
		}
		if uses {
			found, behind = true, append(behind, others...)
		} else {
			from = append(from, others...)
		}
	}
	return found, behind
}

// leaf returns the leaf that a gradient goes to from a node without meeting another one; 0: none.
func (w *overlaps) leaf(id graph.NodeID) graph.TensorID {
	const most = 3 // changes of the shape
	for range most {
		n, ok := w.check.Graph().Node(id)
		if !ok || n.Variable != 0 || len(n.Edges) != 1 {
			return n.Variable
		}
		id = n.Edges[0].Node
	}
	return 0
}

// stepped notes a step of an optimizer, while some leaves have gradients.
func (w *overlaps) stepped(p graph.Pos, number uint32, gained map[graph.TensorID]graph.Pos) {
	w.pair()
	for _, o := range w.pairs {
		by := &o.large
		if number == o.small.number {
			by = &o.small
		} else if number != o.large.number {
			continue
		}
		if by.steps++; by.steps == 1 {
			by.first = p
		}
		if o.last != 0 && o.last != number {
			o.changes++
		}
		o.last = number
		if slices.ContainsFunc(w.params[o.small.number], func(t graph.TensorID) bool { return gained[t] > 0 }) {
			by.moves++
			switch {
			case o.since.through:
				by.through++
			case o.since.own:
				by.beyond++
			case o.since.shared:
				by.alone++
			}
		}
		o.since = course{}
	}
}

// inTurn reports whether two optimizers step in turn in most iterations, and not in phases.
func (o *sharing) inTurn() bool {
	const often, run = 3, 8
	return o.changes >= often && o.changes*run >= o.large.steps+o.small.steps
}

// together reports whether a module has both what the optimizers share and what only one has. Then
// its author may train a part of it with a loss of its own, and all of it with another.
func (w *overlaps) together(o *sharing) bool {
	return slices.ContainsFunc(w.check.Modules(), func(m inspect.Params) bool {
		has := func(leaves map[graph.TensorID]bool) bool {
			return slices.ContainsFunc(m.Tensors, func(t graph.TensorID) bool { return leaves[t] })
		}
		return has(o.shared) && has(o.own)
	})
}

// findings returns what is wrong with the pairs.
func (w *overlaps) findings() (found []inspect.Finding) {
	const often = 2
	for _, o := range w.pairs {
		if !o.inTurn() || o.small.moves < often {
			continue
		}
		t := w.params[o.small.number][0]
		name := w.check.Called(t)
		f := inspect.Finding{
			Message:  fmt.Sprintf("two optimizers change %s in turn", name),
			Severity: inspect.SeverityHint,
		}
		switch adverse := o.large.through >= often && o.small.alone >= often && o.small.through+o.small.beyond == 0; {
		case adverse && !w.together(o):
			f.Severity = inspect.SeverityWarning
			f.Message = fmt.Sprintf("two optimizers change %s, one of them by the gradient that goes through it to other parameters", name)
		case o.large.moves == 0:
			f.Severity = inspect.SeverityWarning
			f.Message = fmt.Sprintf("two optimizers have %s, and one of them never gets a gradient for it", name)
		}
		large, ok := groupOf(w.check.History, o.large.number, t)
		small, too := groupOf(w.check.History, o.small.number, t)
		if !ok || !too {
			continue
		}
		f.Primary = w.check.In(large.Stack, large.At, "has the parameters of another optimizer, too")
		f.Related = []inspect.Span{
			w.check.In(small.Stack, small.At, "the other optimizer"),
			w.check.At(o.large.first, "steps in turn with it"),
			w.check.At(o.small.first, "the step of the other one"),
		}
		f.Tensors, f.At, f.Symptom = names(w.check.History, t), o.large.first, -1
		f.Help = "give each parameter to one optimizer: the one whose loss it has to lower"
		f.Evidence = facts(
			fact("the two optimizers share %s, and step in turn %s", several(len(o.shared), "parameter"), times(o.changes)),
			w.check.At(o.small.first, fmt.Sprintf("%s of the smaller one change what both have, and %d of the larger one", several(o.small.moves, "step"), o.large.moves)),
		)
		switch {
		case f.Severity == inspect.SeverityHint:
			f.Evidence = append(f.Evidence, doubts(fact("what two losses share may be trained by both"))...)
		case o.large.moves > 0:
			f.Evidence = append(f.Evidence, facts(w.check.At(o.large.first, fmt.Sprintf("before %s of the larger one, the gradient goes through these to other parameters", several(o.large.through, "step"))))...)
		}
		found = append(found, f)
	}
	return found
}
