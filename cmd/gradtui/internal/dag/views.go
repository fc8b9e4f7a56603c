package dag

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// hiding is which nodes a view leaves out because they only change how elements are addressed. Such a node belongs to
// the row of the node that its gradient goes to, as in pictures of the style layers.
type hiding struct {
	on    bool
	shown map[int32]bool // nodes that are shown nevertheless
	into  []int32        // by node: the node that it belongs to, itself if it is not left out; nil: none is
	// count is, by node, how many of those in front of it are left out; of and ends list them by the node they belong to.
	count, of, ends []int32
}

// FoldViews leaves out the nodes that only change how elements are addressed, or shows them again.
func (v *View) FoldViews(on bool) {
	if on != v.views.on || len(v.views.shown) > 0 {
		v.views.on, v.views.shown = on, nil
		v.hide()
		v.arrange()
	}
}

// ViewsFolded reports whether such nodes are left out.
func (v *View) ViewsFolded() bool { return v.views.on }

// LeftOut returns how many nodes the view leaves out.
func (v *View) LeftOut() int {
	if v.views.into == nil {
		return 0
	}
	return int(v.views.count[v.Len()])
}

// ShowView gives a node that is left out a row, until views are folded again. It reports whether it was left out.
func (v *View) ShowView(id graph.NodeID) bool {
	i, ok := v.IndexOf(id)
	if !ok || !v.show(int32(i), true) {
		return false
	}
	v.arrange()
	return true
}

// ViewsOf returns the nodes that a row of one node stands for besides that node, in the order in which the program made
// them. It is empty for groups.
func (v *View) ViewsOf(row int) (nodes []graph.NodeID) {
	if !v.has(row) || v.views.into == nil || v.rows[row].group >= 0 {
		return nil
	}
	i := v.rows[row].first
	first := int32(0)
	if i > 0 {
		first = v.views.ends[i-1]
	}
	for _, j := range slices.Backward(v.views.of[first:v.views.ends[i]]) {
		if int(v.rowOf[j]) == row { // it is not in a folded group
			nodes = append(nodes, v.Node(int(j)))
		}
	}
	return nodes
}

// hide finds out which nodes are left out.
func (v *View) hide() {
	h := &v.views
	h.into = nil
	if !h.on {
		return
	}
	n := v.Len()
	h.into = make([]int32, n)
	names := map[graph.StringID]bool{}
	left := 0
	for i := n - 1; i >= 0; i-- { // an edge leads to a higher number
		h.into[i] = int32(i)
		node, next := &v.nodes[i], v.Next(i)
		if node.leaf || len(next) != 1 || h.shown[int32(i)] {
			continue
		}
		is, known := names[node.name]
		if !known {
			is = arrange.IsView(v.g.Tape().String(node.name))
			names[node.name] = is
		}
		if is {
			h.into[i] = h.into[next[0]]
			left++
		}
	}
	h.count, h.ends = make([]int32, n+1), make([]int32, n)
	for i, to := range h.into {
		h.count[i+1] = h.count[i]
		if int(to) != i {
			h.count[i+1]++
			h.ends[to]++
		}
	}
	end := int32(0)
	for i, size := range h.ends {
		h.ends[i] = end
		end += size
	}
	h.of = make([]int32, left)
	for i, to := range h.into { // the ends grow from the beginnings
		if int(to) != i {
			h.of[h.ends[to]] = int32(i)
			h.ends[to]++
		}
	}
}

// allHidden reports whether all nodes from one up to, not including, another one are left out.
func (h *hiding) allHidden(first, last int) bool {
	return h.into != nil && int(h.count[last]-h.count[first]) == last-first
}

// show shows a node that is left out. It reports whether that changes anything.
func (v *View) show(i int32, shown bool) (changed bool) {
	h := &v.views
	if !h.on || h.shown[i] == shown || shown && h.into[i] == i {
		return false
	}
	if h.shown == nil {
		h.shown = map[int32]bool{}
	}
	h.shown[i] = shown
	v.hide()
	return true
}

// followViews leaves out what another view leaves out.
func (v *View) followViews(other *View) {
	if v.views.on == other.views.on && len(other.views.shown) == 0 {
		return
	}
	v.views.on, v.views.shown = other.views.on, nil
	for i, shown := range other.views.shown {
		if at, ok := v.IndexOf(other.Node(int(i))); ok && shown && other.attendedView != i+1 {
			if v.views.shown == nil {
				v.views.shown = map[int32]bool{}
			}
			v.views.shown[int32(at)] = true
		}
	}
	v.hide()
}

// ViewNames returns the names of some nodes without their ends, each once, in order.
func ViewNames(g *graph.Graph, nodes []graph.NodeID) (names []string) {
	for _, id := range nodes {
		n, _ := g.Node(id)
		if name := arrange.Operation(n.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
