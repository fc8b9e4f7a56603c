package compare

import (
	"github.com/gradtui/gradtui/graph"
)

// This file and its neighbours ranks_*.go compare the ranks of a distributed program. Each has a
// tape of its own and should do the same with other data.

// A RankDiff says how the ranks of a distributed program differ.
type RankDiff struct {
	Ranks []RankTotals
	// Grads are the parameters that did not get gradients on all ranks alike.
	Grads []RankGrad
	// Graph is the first operation that made nodes of the backward graph and differs; nil if
	// none does. Ops is the first of all operations that differs, if it is another one: often
	// one that logs.
	Graph, Ops *RankFork
}

// Same reports whether gradients and graphs are the same on all ranks.
func (d *RankDiff) Same() bool { return len(d.Grads) == 0 && d.Graph == nil }

// RankTotals are what a rank did as a whole.
type RankTotals struct {
	Info                      graph.Info
	Ops, Nodes, Passes, Steps int
	// Failed is the exception that ended it, "" if none did, and At where it was raised.
	Failed string
	At     graph.Frame
}

// A RankGrad is a parameter, by its name, that got gradients on some ranks and not on others.
type RankGrad struct {
	Name string
	// Steps are the iterations of the main loop in which the ranks differed; 0 is outside the
	// loop. It is empty if the ranks have no loop in common, for example while one of them has
	// not come to it: then the ranks are compared as a whole.
	Steps []int
	// Got lists the ranks where a backward pass reached it. Reduced lists the ranks where its
	// .grad changed although no pass reached it, as by the all-reduce of
	// DistributedDataParallel. Without lists the ranks where no gradient came. Ranks without
	// the parameter are in none of them.
	Got, Reduced, Without []int
	At                    graph.Pos // on the tape of the first of Got: the first time that it was reached
}

// A RankFork is the first operation that is not the same on all ranks.
type RankFork struct {
	Number int // of operations that all did alike before
	Ways   []RankWay
}

// A RankWay is what some ranks did.
type RankWay struct {
	Ranks  []int
	Op     string // "" if they did nothing more
	Module string // the path of the module in whose forward pass it ran
	Stack  graph.Stack
	At     []graph.Pos // on the tapes of these ranks; where one did nothing more, its end
}

// Ranks compares the tapes of ranks, sorted by rank, of which there should be two or
// more.
func Ranks(tapes []*graph.Tape) *RankDiff {
	d := &RankDiff{}
	var looks []*rankLook
	for _, tape := range tapes {
		look := lookAtRank(tape)
		looks = append(looks, look)
		d.Ranks = append(d.Ranks, look.totals)
	}
	d.Grads = compareGrads(looks)
	d.Graph = findFork(tapes, func(e *graph.OpRan) bool { return e.Node != 0 })
	d.Ops = findFork(tapes, func(*graph.OpRan) bool { return true })
	if d.Ops != nil && d.Graph != nil && d.Ops.Ways[0].At[0] == d.Graph.Ways[0].At[0] {
		d.Ops = nil
	}
	return d
}
