package arrange

import "github.com/gradtui/gradtui/graph"

// Nodes are the nodes of a graph, numbered from 0 in an order in which all edges lead the
// same way.
type Nodes interface {
	Len() int
	Graph() *graph.Graph
	// Module is the call of a module that made a node; 0: none did.
	Module(i int) graph.ModuleID
	// Leaf says that a node accumulates the gradient of a leaf.
	Leaf(i int) bool
	// Next is the nodes that a node's edges lead to. The result is valid until the next call.
	Next(i int) []int32
	// What is two numbers that nodes must share to be equal, apart from their edges: their
	// operation and the line of the program. The line is 0 where it does not matter.
	What(i int) (operation, line int)
}

// Options are what the trees of the debugger and of pictures differ in. The package comment
// says why.
type Options struct {
	// Together lets nodes change places so that those of a group are a stretch: the call of
	// a module is one group, wherever its nodes are in the given order, and a leaf is in the
	// innermost group around all nodes that use it. Leaves are not among the nodes that
	// repeat themselves then.
	//
	// Without it the order stays. A call between whose nodes others are has several groups.
	// A leaf belongs to the groups of the nodes around it, and to those which all nodes that
	// use it are in.
	Together bool
	// Between leaves the first and the last step outside of a Repetition and has no Steps.
	Between bool
	// Chains finds nodes in a row. It needs Together.
	Chains bool
	// Roots are nodes that are used from outside: not part of chains, and if they are
	// leaves, in no group. They do not matter without Together and Chains.
	Roots []int32
}

// Build finds the groups of a graph: the calls of modules, one inside another; repetitions
// of what lies directly in a call, outside all calls, in a step, or beside other
// repetitions; and chains of nodes that lie directly in the same group.
func Build(nodes Nodes, opts Options) *Tree {
	b := &builder{Nodes: nodes, opts: opts, n: nodes.Len()}
	b.in = make([]int32, b.n)
	calls := NewCalls(nodes)
	switch {
	case len(calls.List) == 0:
		for i := range b.in {
			b.in[i] = None
		}
	case opts.Together:
		b.gatherCalls(calls)
	default:
		b.cutCalls(calls)
	}
	b.prune()
	b.lay()
	b.repetitions()
	if opts.Chains {
		b.chains()
	}
	b.lay()
	if opts.Together {
		b.placeLeaves()
		b.lay()
	}
	return &Tree{b.groups, b.order}
}

// A builder makes a tree. Until lay completes them, groups have only their own facts and a
// parent.
type builder struct {
	Nodes
	opts   Options
	n      int     // nodes
	in     []int32 // by node: the innermost group that it lies in
	groups []Group
	order  []int32 // nodes by place; nil: as given
	repeater
}

// add adds a group.
func (b *builder) add(g Group) int32 {
	b.groups = append(b.groups, g)
	return int32(len(b.groups) - 1)
}

// node returns the node at a place.
func (b *builder) node(place int) int {
	if b.order != nil {
		return int(b.order[place])
	}
	return place
}

// gatherCalls makes one group of each call.
func (b *builder) gatherCalls(calls *Calls) {
	for _, c := range calls.List {
		b.add(Group{Kind: ModuleCall, Module: c.ID, Parent: int32(c.Outer)})
	}
	for i := range b.n {
		b.in[i] = int32(calls.At(b.Module(i)))
	}
	b.placeLeaves()
}

// placeLeaves puts each leaf into the innermost group around all nodes that use it. A group
// must come before those in it.
func (b *builder) placeLeaves() {
	const unused = None - 1
	for i := range b.n {
		if b.Leaf(i) {
			b.in[i] = unused
		}
	}
	for i := range b.n {
		if b.Leaf(i) {
			continue
		}
		for _, to := range b.Next(i) {
			switch {
			case !b.Leaf(int(to)):
			case b.in[to] == unused:
				b.in[to] = b.in[i]
			default:
				b.in[to] = b.common(b.in[to], b.in[i])
			}
		}
	}
	for i := range b.in {
		b.in[i] = max(b.in[i], None)
	}
	for _, i := range b.opts.Roots {
		if b.Leaf(int(i)) {
			b.in[i] = None
		}
	}
}

// common returns the innermost group around two groups.
func (b *builder) common(g, h int32) int32 {
	for g != h {
		if g < h {
			g, h = h, g
		}
		g = b.groups[g].Parent // the later one cannot be around the other
	}
	return g
}

// cutCalls makes a group of each stretch of nodes that one call made.
func (b *builder) cutCalls(calls *Calls) {
	users := b.firstUsers()
	type run struct {
		call  int
		first int // its first node
		group int32
	}
	var open []run // around the node before, the outermost first
	inside := func() int32 {
		if len(open) == 0 {
			return None
		}
		return open[len(open)-1].group
	}
	var path []int
	for i := 0; i < b.n; {
		leaves := i // leaves from here to i
		for i < b.n && b.Leaf(i) {
			i++
		}
		path = path[:0]
		if i < b.n {
			path = calls.Path(path, calls.At(b.Module(i)))
		}
		common := 0
		for common < min(len(open), len(path)) && open[common].call == path[common] {
			common++
		}
		// A leaf belongs to a run that goes on behind it, and to a run that holds all
		// nodes that use it.
		for ; leaves < i; leaves++ {
			depth := common
			if user := int(users[leaves]); user >= 0 {
				for depth < len(open) && open[depth].first <= user {
					depth++
				}
			}
			open = open[:min(depth, len(open))]
			b.in[leaves] = inside()
		}
		open = open[:common]
		if i < b.n {
			for _, call := range path[common:] {
				open = append(open, run{call, i, b.add(Group{Kind: ModuleCall, Module: calls.List[call].ID, Parent: inside()})})
			}
			b.in[i] = inside()
			i++
		}
	}
}

// firstUsers returns the first node that uses each leaf; None if none does.
func (b *builder) firstUsers() []int32 {
	users := make([]int32, b.n)
	for i := range users {
		users[i] = None
	}
	for i := b.n - 1; i >= 0; i-- {
		for _, to := range b.Next(i) {
			users[to] = int32(i)
		}
	}
	return users
}

// prune removes groups of less than two nodes, and of groups with the same nodes all but
// the outermost one. A group must come before those in it.
func (b *builder) prune() {
	size := make([]int32, len(b.groups))
	for _, g := range b.in {
		if g >= 0 {
			size[g]++
		}
	}
	for i := len(b.groups) - 1; i >= 0; i-- {
		if outer := b.groups[i].Parent; outer >= 0 {
			size[outer] += size[i]
		}
	}
	kept := make([]int32, len(b.groups)) // itself, or the group around it that stays
	for i := range b.groups {
		outer := b.groups[i].Parent
		kept[i] = int32(i)
		same := outer >= 0 && size[outer] == size[i]
		if outer >= 0 {
			outer = kept[outer]
		}
		b.groups[i].Parent = outer
		if same || size[i] < 2 {
			kept[i] = outer
		}
	}
	for i, g := range b.in {
		if g >= 0 {
			b.in[i] = kept[g]
		}
	}
}

// lay numbers the groups so that each is followed by those in it, and completes them. What
// lies directly in a group is in the order of its first node. Groups without nodes go.
func (b *builder) lay() {
	if len(b.groups) == 0 {
		return
	}
	// The items of a group are nodes, and other groups from b.n on.
	next := make([]int32, b.n+len(b.groups))
	head, tail := make([]int32, len(b.groups)+1), make([]int32, len(b.groups)+1) // by group + 1
	for i := range head {
		head[i] = None
	}
	for i := range b.n {
		item := int32(i)
		for g := b.in[i]; ; g = b.groups[g].Parent {
			fresh := head[g+1] == None
			if fresh {
				head[g+1] = item
			} else {
				next[tail[g+1]] = item
			}
			next[item], tail[g+1] = None, item
			if g == None || !fresh {
				break
			}
			item = int32(b.n) + g
		}
	}
	old, was := b.groups, make([]int32, 0, len(b.groups))
	b.groups = make([]Group, 0, len(old))
	if b.opts.Together && b.order == nil {
		b.order = make([]int32, b.n)
	}
	open, place := int32(None), 0
	for item := head[0]; item != None || open != None; {
		switch {
		case item == None:
			g := &b.groups[open]
			g.Last, g.After = place, int32(len(b.groups))
			item, open = next[int32(b.n)+was[open]], g.Parent
		case int(item) < b.n:
			b.in[item] = open
			if b.order != nil {
				b.order[place] = item
			}
			place++
			item = next[item]
		default:
			n := item - int32(b.n)
			g := old[n]
			g.First, g.Level, g.Parent = place, 0, open
			if open != None {
				g.Level = b.groups[open].Inner()
			}
			was, open = append(was, n), b.add(g)
			item = head[n+1]
		}
	}
}
