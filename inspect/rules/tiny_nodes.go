package rules

import (
	"fmt"
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// crumbs count the nodes that each line adds to the growing graph, to find loops over single
// elements: thousands of nodes for tensors of a few elements that do not depend on each other.
type crumbs struct {
	check *inspect.Checker
	depth []int32 // by NodeID: the longest way down to a leaf
	lines map[line]*crumb
	where map[graph.StackID]line
	order []line
	found bool
}

type line struct {
	file string
	line int
}

type crumb struct {
	stack graph.StackID
	nodes int
	numel int // of the largest result
}

const (
	enoughCrumbs = 1000 // nodes of one line in one graph
	tiny         = 32   // elements
	abreast      = 8    // nodes of the line for each level of the graph
)

func newCrumbs(check *inspect.Checker) *crumbs {
	return &crumbs{check: check, depth: make([]int32, 1), lines: map[line]*crumb{}, where: map[graph.StackID]line{}}
}

// add counts a node.
func (c *crumbs) add(s graph.StackID, e *graph.NodeCreated) {
	if int(e.Node) != len(c.depth) {
		return
	}
	var deepest int32
	for _, edge := range e.Edges {
		if int(edge.Node) < len(c.depth) {
			deepest = max(deepest, c.depth[edge.Node])
		}
	}
	c.depth = append(c.depth, deepest+1)
	if e.Variable == 0 {
		c.at(s).nodes++
	}
}

func (c *crumbs) at(s graph.StackID) *crumb {
	k, known := c.where[s]
	if !known {
		top := c.check.In(s, -1, "")
		k = line{top.File, top.Line}
		c.where[s] = k
	}
	if c.lines[k] == nil {
		c.lines[k] = &crumb{stack: s}
		c.order = append(c.order, k)
	}
	return c.lines[k]
}

// size notes how large a result is.
func (c *crumbs) size(e *graph.TensorCreated) {
	if made := c.check.StackAt(c.check.NodeMade(e.Node)); made != 0 {
		n := 1
		for _, d := range e.Shape {
			n *= d
		}
		at := c.at(made)
		at.numel = max(at.numel, n)
	}
}

// judge looks at the graph that has grown, which ends in some roots, and begins to
// count again.
func (c *crumbs) judge(roots []graph.Root) {
	var nodes []graph.NodeID
	for _, r := range roots {
		nodes = append(nodes, r.Node)
	}
	c.verdict(nodes)
	clear(c.lines)
	c.order = c.order[:0]
}

// atEnd looks at the graphs that the program still has.
func (c *crumbs) atEnd() {
	var nodes []graph.NodeID
	for _, t := range c.check.Tensors().All() {
		if t.Node != 0 && t.Released < 0 {
			nodes = append(nodes, t.Node)
		}
	}
	c.verdict(nodes)
}

func (c *crumbs) verdict(roots []graph.NodeID) {
	if c.found {
		return
	}
	var most, second *crumb
	for _, k := range c.order {
		l := c.lines[k]
		if l.nodes < enoughCrumbs || l.numel > tiny {
			continue
		}
		switch {
		case most == nil || l.nodes > most.nodes:
			most, second = l, most
		case second == nil || l.nodes > second.nodes:
			second = l
		}
	}
	if most == nil {
		return
	}
	here := c.check.In(most.stack, c.check.FirstVisit(most.stack), "")
	n, levels := c.reach(roots, here)
	if n < enoughCrumbs || n < abreast*levels {
		return
	}
	c.found = true
	here.Label = fmt.Sprintf("adds %d nodes to one graph", n)
	f := inspect.Finding{
		Message: fmt.Sprintf("one line adds %d operations to one graph, on tensors of at most %d elements", n, most.numel),
		Primary: here,
		Help:    "compute all elements with one operation on a larger tensor",
		At:      here.At,
		Symptom: -1,
		Evidence: facts(
			labelled(here, fmt.Sprintf("one graph has %d nodes of this line, and is %d nodes deep", n, levels)),
			labelled(here, fmt.Sprintf("their results have at most %d elements", most.numel)),
		),
	}
	if second != nil {
		f.Related = []inspect.Span{c.check.In(second.stack, -1, fmt.Sprintf("%d more nodes", second.nodes))}
	}
	c.check.Report(f)
}

// reach counts the nodes of a line in the graph behind some nodes, and the levels of
// the graph.
func (c *crumbs) reach(roots []graph.NodeID, at inspect.Span) (n, levels int) {
	seen := map[graph.NodeID]bool{}
	queue := roots
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if id == 0 || seen[id] || int(id) >= len(c.depth) {
			continue
		}
		seen[id] = true
		levels = max(levels, int(c.depth[id]))
		made := c.check.At(c.check.NodeMade(id), "")
		if made.Line == at.Line && made.File == at.File {
			n++
		}
		if node, ok := c.check.Graph().Node(id); ok {
			for _, edge := range node.Edges {
				queue = append(queue, edge.Node)
			}
		}
	}
	return n, levels
}

// graphAtLeast reports whether the graph behind a node has at least so many nodes, not counting
// nodes of leaves.
func graphAtLeast(h *inspect.History, root graph.NodeID, n int) bool {
	seen := map[graph.NodeID]bool{}
	queue := []graph.NodeID{root}
	count := 0
	for len(queue) > 0 && count < n {
		id := queue[0]
		queue = queue[1:]
		node, ok := h.Graph().Node(id)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		if node.Variable == 0 {
			count++
		}
		for _, edge := range node.Edges {
			queue = append(queue, edge.Node)
		}
	}
	return count >= n
}

// countBefore returns the number of sorted events up to p.
func countBefore(events []graph.Pos, p graph.Pos) int {
	return sort.Search(len(events), func(i int) bool { return events[i] > p })
}

// passAt returns the number of the newest backward pass before an event.
func passAt(h *inspect.History, p graph.Pos) int {
	passes := h.Passes()
	return sort.Search(len(passes)-1, func(i int) bool { return passes[i+1].At > p })
}
