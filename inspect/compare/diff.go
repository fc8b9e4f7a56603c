package compare

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Part is a tape, or a piece of one such as an iteration.
type Part struct {
	Tape     *graph.Tape
	From, To graph.Pos // the first event, and the one after the last
}

// A Diff says how two parts differ.
type Diff struct {
	Totals  []Total // all, also those that are the same
	Nodes   []NodeDiff
	Edges   []EdgeDiff
	Tensors []TensorDiff
}

// Same reports whether nothing differs.
func (d *Diff) Same() bool {
	return len(d.Nodes)+len(d.Edges)+len(d.Tensors) == 0 &&
		!slices.ContainsFunc(d.Totals, func(t Total) bool { return t.A != t.B })
}

// A Total is a number that both parts have.
type Total struct {
	What  string
	A, B  int64
	Bytes bool
}

// A NodeDiff is a kind of node of which one part made more.
type NodeDiff struct {
	graph.Frame // the line that made them, as A has it if it has
	Name        string
	A, B        int
}

// An EdgeDiff is a kind of edge of which one part has more, from nodes that both made.
type EdgeDiff struct {
	graph.Frame // the line that made the node which the edge leaves
	From        string
	Input       int    // its index in next_functions
	To          string // the node that it leads to, with its line; "None"
	A, B        int
}

// A TensorDiff is a tensor that has the same name in both parts and differs.
type TensorDiff struct {
	Name  string
	Facts []TensorFact
}

// A TensorFact is what differs between two tensors: "version", "0", "1".
type TensorFact struct{ What, A, B string }

// Parts compares two parts. Nodes are of one kind if they have the same name and
// came from the same lines, from the innermost call to the outermost; a line of two
// programs is the same one if its text is, wherever the file has it.
func Parts(a, b Part) *Diff {
	lines := alignLines(sourcesOf(a.Tape), sourcesOf(b.Tape))
	x := lookAt(a, lines.ofA)
	y := lookAt(b, lines.ofB)
	d := &Diff{}
	for i, name := range totalNames {
		d.Totals = append(d.Totals, Total{name, x.totals[i], y.totals[i], i >= firstBytes})
	}
	d.nodes(x, y)
	d.edges(x, y)
	d.tensors(x, y)
	return d
}

// The totals.
const (
	totalOps = iota
	totalNodes
	totalEdges
	totalWrites
	totalPasses
	totalAlive
	totalMade
	totalInUse
	totalCount
	firstBytes = totalMade
)

var totalNames = [totalCount]string{
	"ops", "nodes", "edges", "changes in place", "backward passes", "nodes alive", "bytes made", "bytes in use",
}

func (d *Diff) nodes(x, y *view) {
	for _, k := range both(x.kinds, y.kinds) {
		if p, q := x.made[k], y.made[k]; p != q {
			d.Nodes = append(d.Nodes, NodeDiff{frameOf(x, y, k), k.name, p, q})
		}
	}
}

// edges compares the edges of nodes that both parts have equally many of.
func (d *Diff) edges(x, y *view) {
	for _, k := range both(x.edgeKinds, y.edgeKinds) {
		p, q := x.edges[k], y.edges[k]
		if p != q && x.made[k.from] == y.made[k.from] {
			d.Edges = append(d.Edges, EdgeDiff{frameOf(x, y, k.from), k.from.name, k.input, k.to, p, q})
		}
	}
}

// tensors compares the tensors that either part has to do with. Tensors that differ in more than
// the values of their gradients come first.
func (d *Diff) tensors(x, y *view) {
	for _, name := range both(x.names, y.names) {
		a, b := x.tensor(name), y.tensor(name)
		var facts []TensorFact
		for i, what := range tensorFacts {
			if a[i] != b[i] {
				facts = append(facts, TensorFact{what, a[i], b[i]})
			}
			if a[0] == missing || b[0] == missing {
				break
			}
		}
		if len(facts) > 0 {
			d.Tensors = append(d.Tensors, TensorDiff{name, facts})
		}
	}
	slices.SortStableFunc(d.Tensors, func(a, b TensorDiff) int { return cmp.Compare(a.rank(), b.rank()) })
}

// rank returns 1 if only the values of a gradient differ.
func (t TensorDiff) rank() int {
	if f := t.Facts[0]; len(t.Facts) == 1 && f.What == "grad" && f.A != none && f.B != none {
		return 1
	}
	return 0
}

// both returns the elements of two lists, each once, in the order of their first mention.
func both[T comparable](a, b []T) (list []T) {
	seen := map[T]bool{}
	for _, from := range [][]T{a, b} {
		for _, x := range from {
			if !seen[x] {
				seen[x] = true
				list = append(list, x)
			}
		}
	}
	return list
}

func frameOf(x, y *view, k nodeKind) graph.Frame {
	if f, ok := x.frames[k]; ok {
		return f
	}
	return y.frames[k]
}
