package export

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// findRoots resolves what opts says about roots.
func findRoots(g *graph.Graph, opts *Options) ([]root, error) {
	if g.TensorCount() == 0 {
		return nil, &EmptyError{Pos: g.Pos(), Len: g.Tape().Len()}
	}
	var roots []root
	for _, id := range opts.Roots {
		r, ok := rootAt(g, id)
		if !ok {
			return nil, &RootError{Name: tensorID(id)}
		}
		roots = append(roots, r)
	}
	nodes, err := nodeRoots(g, opts.RootNodes)
	if err != nil {
		return nil, err
	}
	roots = append(roots, nodes...)
	for _, name := range opts.RootNames {
		r, ok := lookup(g, opts.Names, name)
		if !ok {
			return nil, &RootError{Name: name, Near: nearNames(g, opts.Names, name)}
		}
		roots = append(roots, r)
	}
	if roots == nil {
		roots = defaultRoots(g)
	}
	return distinct(roots), nil
}

func rootAt(g *graph.Graph, id graph.TensorID) (root, bool) {
	t, ok := g.Tensor(id)
	return root{tensor: id, node: t.Node, output: t.Output}, ok
}

// nodeRoots finds the tensors whose grad_fn nodes are, the newest one of each output. A
// node without any is a root itself.
func nodeRoots(g *graph.Graph, ids []graph.NodeID) ([]root, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	results := map[graph.NodeID][]root{}
	for _, id := range ids {
		if _, ok := g.Node(id); !ok {
			return nil, &RootError{Name: nodeID(id)}
		}
		results[id] = nil
	}
	for id := graph.TensorID(g.TensorCount()); id > 0; id-- {
		t, ok := g.Tensor(id)
		known, wanted := results[t.Node]
		if !ok || !wanted || slices.ContainsFunc(known, func(r root) bool { return r.output == t.Output }) {
			continue
		}
		results[t.Node] = append(known, root{id, t.Node, t.Output})
	}
	var roots []root
	for _, id := range ids {
		if len(results[id]) == 0 {
			results[id] = []root{{node: id}}
		}
		slices.SortFunc(results[id], func(a, b root) int { return cmp.Compare(a.output, b.output) })
		roots = append(roots, results[id]...)
	}
	return roots, nil
}

// distinct drops what occurs a second time.
func distinct(roots []root) []root {
	seen := map[root]bool{}
	return slices.DeleteFunc(roots, func(r root) bool {
		if seen[r] {
			return true
		}
		seen[r] = true
		return false
	})
}

// lookup finds the tensor or node that a name means. Names come before
// identifiers: a program may call a tensor t1.
func lookup(g *graph.Graph, names map[graph.TensorID]string, name string) (root, bool) {
	if name == "" {
		return root{}, false
	}
	var found graph.TensorID // the newest one, if several have the name
	for id, n := range names {
		if n == name {
			found = max(found, id)
		}
	}
	if r, ok := rootAt(g, found); ok {
		return r, true
	}
	if id, ok := g.Lookup(name); ok {
		return rootAt(g, id)
	}
	number, err := strconv.ParseUint(name[1:], 10, 32)
	if err != nil {
		return root{}, false
	}
	switch name[0] {
	case 't':
		return rootAt(g, graph.TensorID(number))
	case 'n':
		_, ok := g.Node(graph.NodeID(number))
		return root{node: graph.NodeID(number)}, ok
	}
	return root{}, false
}

// defaultRoots are the roots of the newest backward pass; before the first one,
// the newest results that lead to nothing else.
func defaultRoots(g *graph.Graph) []root {
	pass, _ := g.Backward(graph.BackwardID(g.BackwardCount()))
	var roots []root
	for _, r := range pass.Roots {
		_, known := g.Tensor(r.Tensor)
		_, exists := g.Node(r.Node)
		if !known {
			r.Tensor = 0
		}
		if !exists {
			r.Node = 0
		}
		if known || exists {
			roots = append(roots, root{r.Tensor, r.Node, r.Output})
		}
	}
	if roots == nil {
		roots = unconsumed(g)
	}
	return roots
}

// unconsumed finds the newest tensor with a grad_fn that no node consumes, and
// the other such results of that op. A graph without any gives its newest tensor,
// preferably one that requires grad.
func unconsumed(g *graph.Graph) []root {
	consumed := map[graph.Edge]bool{}
	next := graph.NodeID(g.NodeCount()) // the node to look at next
	var op graph.Node
	var roots []root
	for id := graph.TensorID(g.TensorCount()); id > 0; id-- {
		t, ok := g.Tensor(id)
		if !ok {
			continue
		}
		if op.ID != 0 && t.Created < op.Created {
			break // no later result of the op follows
		}
		for ; next > t.Node && t.Node != 0; next-- { // only newer nodes can consume it
			n, _ := g.Node(next)
			for _, e := range n.Edges {
				consumed[e] = true
			}
		}
		if t.Node == 0 || consumed[graph.Edge{Node: t.Node, Input: t.Output}] || op.ID != 0 && t.Node != op.ID {
			continue
		}
		if op.ID == 0 {
			if op, ok = g.Node(t.Node); !ok {
				continue
			}
		}
		roots = append(roots, root{id, t.Node, t.Output})
	}
	if roots == nil {
		return newestTensor(g)
	}
	slices.Reverse(roots)
	return roots
}

// newestTensor is the newest tensor that requires grad, or else the newest one.
func newestTensor(g *graph.Graph) []root {
	for id := graph.TensorID(g.TensorCount()); id > 0; id-- {
		if g.RequiresGrad(id) {
			r, _ := rootAt(g, id)
			return []root{r}
		}
	}
	r, _ := rootAt(g, graph.TensorID(g.TensorCount()))
	return []root{r}
}

// nearNames finds names that look like one.
func nearNames(g *graph.Graph, names map[graph.TensorID]string, name string) []string {
	known := slices.Collect(maps.Values(names))
	for b := range g.Bindings() {
		known = append(known, b.Name)
	}
	return suggest.Words(name, known)
}
