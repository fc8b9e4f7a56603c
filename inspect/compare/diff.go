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
	Values  []ValueDiff // in the order in which A made them; what it had before comes last
}

// Same reports whether nothing differs.
func (d *Diff) Same() bool { return d.SameButValues() && len(d.Values) == 0 && !d.BytesDiffer() }

// SameButValues reports whether nothing differs except values, and the bytes of what was made for them.
func (d *Diff) SameButValues() bool {
	return len(d.Nodes)+len(d.Edges)+len(d.Tensors) == 0 && !d.differ(false)
}

// BytesDiffer reports whether a total of bytes differs.
func (d *Diff) BytesDiffer() bool { return d.differ(true) }

// differ reports whether a total differs, of bytes or of anything else.
func (d *Diff) differ(bytes bool) bool {
	return slices.ContainsFunc(d.Totals, func(t Total) bool { return t.Bytes == bytes && t.A != t.B })
}

// Largest returns the index of the value with the largest known relative distance; -1: no distance is known.
func (d *Diff) Largest() int {
	best := -1
	for i, v := range d.Values {
		if v.Known && (best < 0 || v.Relative > d.Values[best].Relative) {
			best = i
		}
	}
	return best
}

// A Total is a number that both parts have.
type Total struct {
	What  string
	A, B  int64
	Bytes bool
}

// A NodeDiff is a kind of node of which the graph of one part has more.
type NodeDiff struct {
	graph.Frame // the line that made them, as A has it if it has
	Name        string
	A, B        int
}

// An EdgeDiff is a kind of edge of which one part has more, between nodes of which both have equally many.
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

// A TensorFact is what differs between two tensors: "changes in place", "0", "1".
type TensorFact struct{ What, A, B string }

// A ValueDiff is a tensor with the same name and shape in both parts, but with other values.
type ValueDiff struct {
	graph.Frame // the line that made the value in A
	Name        string
	What        string // "value", or "grad" for its .grad
	A, B        graph.Value
	Distance
	Known bool // Distance is
	made  graph.Pos
}

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
		if p, q := x.count[k], y.count[k]; p != q {
			d.Nodes = append(d.Nodes, NodeDiff{frameOf(x, y, k), k.name, p, q})
		}
	}
}

// An edgeSlot is an input of a kind of node.
type edgeSlot struct {
	from  nodeKind
	input int
}

// edges compares the edges where nodes agree: of nodes that both parts have equally many of, unless they
// lead to others that do not agree.
func (d *Diff) edges(x, y *view) {
	differ := func(k nodeKind) bool { return x.count[k] != y.count[k] }
	all := both(x.edgeKinds, y.edgeKinds)
	follows := map[edgeSlot]bool{} // from what is listed as a node
	for _, k := range all {
		if differ(k.from) || differ(k.target) {
			follows[edgeSlot{k.from, k.input}] = true
		}
	}
	for _, k := range all {
		if p, q := x.edges[k], y.edges[k]; p != q && !follows[edgeSlot{k.from, k.input}] {
			d.Edges = append(d.Edges, EdgeDiff{frameOf(x, y, k.from), k.from.name, k.input, k.to, p, q})
		}
	}
}

// tensors compares the tensors that either part has to do with.
func (d *Diff) tensors(x, y *view) {
	for _, name := range both(x.names, y.names) {
		a, b := x.tensor(name), y.tensor(name)
		var facts []TensorFact
		for i, what := range tensorFacts {
			if a[i] != b[i] && (i != gradFact || a[i] == none || b[i] == none) {
				facts = append(facts, TensorFact{what, a[i], b[i]})
			}
			if a[0] == missing || b[0] == missing {
				break
			}
		}
		if len(facts) > 0 {
			d.Tensors = append(d.Tensors, TensorDiff{name, facts})
		}
		if a[0] == b[0] && a[0] != missing {
			d.values(x, y, name)
		}
	}
	slices.SortStableFunc(d.Values, func(a, b ValueDiff) int { return cmp.Compare(a.made, b.made) })
}

// values compares the values of a tensor and of its .grad.
func (d *Diff) values(x, y *view, name string) {
	t, _ := x.graph.Tensor(x.byName[name])
	u, _ := y.graph.Tensor(y.byName[name])
	d.value(x, name, "value", t, u)
	g, ok := x.graph.Tensor(t.Grad)
	if h, also := y.graph.Tensor(u.Grad); ok && also {
		d.value(x, name, "grad", g, h)
	}
}

func (d *Diff) value(x *view, name, what string, a, b graph.Tensor) {
	if SameValue(a.Value, b.Value) {
		return
	}
	v := ValueDiff{Frame: x.line(a.Created), Name: name, What: what, A: a.Value, B: b.Value, made: a.Created}
	if v.made < x.part.From {
		v.made = x.part.To
	}
	v.Distance, v.Known = Between(v.A, v.B)
	d.Values = append(d.Values, v)
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
