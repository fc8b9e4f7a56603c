package autograd

import "slices"

// SetFrontEnd stores an object of a front end for the lifetime of the node.
func (n *Node) SetFrontEnd(v any) { n.extend().front = v }

// FrontEnd returns the object of SetFrontEnd, or nil.
func (n *Node) FrontEnd() any {
	if n.ext == nil {
		return nil
	}
	return n.ext.front
}

// Function returns the Function call to which the node belongs, or nil.
func (n *Node) Function() *FunctionCtx {
	if f, ok := n.apply.(*functionNode); ok {
		return f.ctx
	}
	return nil
}

// Node returns the node of the call, or nil if the call is not recorded, or not
// yet.
func (c *FunctionCtx) Node() *Node { return c.node }

// ReachesOthers reports whether the gradient of t flows to a leaf that is not
// among the given ones.
func (t *Tensor) ReachesOthers(leaves []*Tensor) (bool, error) {
	e, err := gradEdge(t)
	if err != nil || e.Node == nil {
		return false, err
	}
	seen := map[*Node]bool{e.Node: true}
	stack := []*Node{e.Node}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if leaf := n.Variable(); leaf != nil && !slices.Contains(leaves, leaf) {
			return true, nil
		}
		for _, e := range n.edges {
			if e.Node != nil && !seen[e.Node] {
				seen[e.Node] = true
				stack = append(stack, e.Node)
			}
		}
	}
	return false, nil
}

// AttributeNames returns the names of the attributes for saved values, without
// the attributes for slots.
func (n *Node) AttributeNames() []string {
	var names []string
	add := func(prefix, name string) {
		if name = prefix + name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, slot := range n.slotNames() {
		add("_saved_", slotBase(slot))
		add("_raw_saved_", slotBase(slot))
	}
	if n.Variable() != nil {
		add("", "variable")
	}
	attrs, _ := n.Attrs()
	for _, name := range attrs {
		add("_saved_", name)
	}
	return names
}
