package dag

import (
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A View shows a Dag in rows: one for each node, or for each group that is folded,
// in order of execution.
type View struct {
	*Dag
	tree   *arrange.Tree
	groups []arrange.Group // of the tree
	folded []bool          // by group
	views  hiding

	attended     graph.NodeID // the node of the last Attend
	opened       []int32      // the groups that it unfolded
	attendedView int32        // the place after the node that it shows though views are left out; 0: none

	rows  []rowState
	rowOf []int32 // by node
	links []int32 // the rows that others lead to, each once
	backs []int32 // the other way round
}

// A rowState is what a view keeps of a row, so that each can be drawn without the
// others.
type rowState struct {
	first     int32 // the node; of a group, the first one
	group     int32 // -1: it is a node
	around    int32 // the innermost group that it lies in, or is; -1: none
	links     int32 // where its part of links ends; it begins where the part of the row before ends
	mentioned int32 // the first row that leads to it; -1: none does
	backs     int32 // where its part of backs ends
	consumers int32 // how many rows lead to it
	lanes
}

// unfoldedSize is how large a graph may be to be shown as it is: about two screens.
const unfoldedSize = 60

// A larger graph is folded to at most pleasantRows rows, a screenful, and at least to fewestRows. What is repeated more
// than manyTimes is one row.
const (
	pleasantRows = 30
	fewestRows   = 3
	manyTimes    = 24
)

// NewView returns a view of a graph. If it is large, what is repeated many times is
// folded, and calls of modules are at the level that gives a readable number of rows.
// The graph must not have gone back behind where the nodes were collected.
func NewView(d *Dag) *View {
	v := &View{Dag: d, tree: d.findGroups(), rowOf: make([]int32, d.Len())}
	v.groups = v.tree.Groups
	v.folded = make([]bool, len(v.groups))
	if d.Len() > unfoldedSize {
		v.foldPleasantly()
	}
	v.arrange()
	return v
}

// foldPleasantly folds all groups from a level on: the deepest one that leaves a screenful of rows, or if that would
// leave hardly any, the first one that leaves more.
func (v *View) foldPleasantly() {
	best := 0
	for level, before := 0, 0; level <= v.Levels(); level++ { // each level has more rows than the one before
		v.foldFrom(level)
		rows := 0
		v.walk(func(int, int32, int32) { rows++ })
		if rows > pleasantRows && before >= fewestRows {
			break
		}
		best = level
		if rows > pleasantRows {
			break
		}
		before = rows
	}
	v.foldFrom(best)
}

// foldFrom folds the groups from a level on, those with many repetitions and all that is in them, and calls of modules
// that nothing is in: a head beside blocks is one row, as they are. The other repetitions of the level give way to
// their steps.
func (v *View) foldFrom(level int) {
	many := int32(0) // groups in front of this one are in one with many repetitions
	for i, g := range v.groups {
		if g.Times > manyTimes {
			many = max(many, g.After)
		}
		few := g.Kind == arrange.Repetition && g.Level == level
		alone := g.Kind == arrange.ModuleCall && g.After == int32(i)+1 && level < v.Levels()
		v.folded[i] = int32(i) < many || alone || g.Level >= level && !few
	}
}

// Levels returns how many levels of groups there are.
func (v *View) Levels() int { return v.tree.Levels() }

// FoldAll folds the groups from a level on, counted from 0, and unfolds the groups around
// them.
func (v *View) FoldAll(level int) {
	v.opened = nil
	for i, g := range v.groups {
		v.folded[i] = g.Level >= level
	}
	v.arrange()
}

// UnfoldAll shows each node in a row of its own.
func (v *View) UnfoldAll() { v.FoldAll(math.MaxInt) }

// Fold folds the innermost group around a row, and returns the row that it is now; ok
// is false if there is none.
func (v *View) Fold(row int) (now int, ok bool) {
	if !v.has(row) {
		return row, false
	}
	r := v.rows[row]
	g := r.around
	if r.group >= 0 {
		g = v.groups[r.group].Parent
	}
	if g < 0 {
		return row, false
	}
	v.folded[g] = true
	v.byHand(g)
	v.arrange()
	return int(v.rowOf[r.first]), true
}

// meant reports whether a group is folded, or would be if Attend had not unfolded it.
func (v *View) meant(group int) bool {
	return v.folded[group] || slices.Contains(v.opened, int32(group))
}

// byHand keeps Attend from folding a group.
func (v *View) byHand(group int32) {
	v.opened = slices.DeleteFunc(v.opened, func(g int32) bool { return g == group })
}

// Unfold shows what is in the group of a row, beginning at that row; ok is false if the row
// is a node.
func (v *View) Unfold(row int) (ok bool) {
	if !v.has(row) || v.rows[row].group < 0 {
		return false
	}
	v.folded[v.rows[row].group] = false
	v.byHand(v.rows[row].group)
	v.arrange()
	return true
}

// mostAttended is how large a graph may be for Attend to unfold something: it arranges all rows.
const mostAttended = 20_000

// Attend unfolds what hides a node, and folds again what it had unfolded for the node before and the user has not folded or
// unfolded since. Zero stands for no node. changed reports whether the rows are others now.
func (v *View) Attend(id graph.NodeID) (changed bool) {
	if id == v.attended || v.Len() > mostAttended {
		return false
	}
	v.attended = id
	i, here := v.IndexOf(id)
	within := func(g int32) bool { return here && v.groups[g].First <= i && i < v.groups[g].Last }
	v.opened = slices.DeleteFunc(v.opened, func(g int32) bool {
		if within(g) {
			return false
		}
		changed = changed || !v.folded[g]
		v.folded[g] = true
		return true
	})
	if v.attendedView > 0 && (!here || v.attendedView != int32(i)+1) {
		changed = v.show(v.attendedView-1, false) || changed
		v.attendedView = 0
	}
	if here && v.show(int32(i), true) {
		v.attendedView, changed = int32(i)+1, true
	}
	if here {
		for g := v.innermost(i); g >= 0; g = v.groups[g].Parent {
			if v.folded[g] {
				v.folded[g], changed = false, true
				v.opened = append(v.opened, g)
			}
		}
	}
	if changed {
		v.arrange()
	}
	return changed
}

// innermost returns the innermost group around a node, -1 if there is none.
func (v *View) innermost(i int) int32 {
	found := int32(-1)
	for g := 0; g < len(v.groups) && v.groups[g].First <= i; {
		if i < v.groups[g].Last {
			found = int32(g)
			g++ // its groups follow
		} else {
			g = int(v.groups[g].After)
		}
	}
	return found
}

// Reveal unfolds what hides a node and returns its row; ok is false if the node does
// not belong to the graph.
func (v *View) Reveal(id graph.NodeID) (row int, ok bool) {
	i, ok := v.IndexOf(id)
	if !ok {
		return 0, false
	}
	v.ShowView(id)
	hidden := false
	for g := v.rows[v.rowOf[i]].group; g >= 0 && int(g) < len(v.groups) && v.groups[g].First <= i; g++ {
		if v.folded[g] && i < v.groups[g].Last {
			v.folded[g], hidden = false, true
		}
	}
	if hidden {
		v.arrange()
	}
	return int(v.rowOf[i]), true
}

// RowOf returns the row that shows a node, or a group that it lies in; ok is false if the
// node does not belong to the graph.
func (v *View) RowOf(id graph.NodeID) (row int, ok bool) {
	i, ok := v.IndexOf(id)
	if !ok {
		return 0, false
	}
	return int(v.rowOf[i]), true
}

func (v *View) has(row int) bool { return row >= 0 && row < len(v.rows) }

// walk calls f for each row: the node that it is or begins with, the group that it
// is, and the innermost group that it lies in or is.
func (v *View) walk(f func(first int, group, around int32)) {
	v.tree.Walk(len(v.nodes), v.folded, func(first int, group, around int32) {
		last := first + 1
		if group >= 0 {
			last = v.groups[group].Last
		}
		if !v.views.allHidden(first, last) {
			f(first, group, around)
		}
	})
}

// arrange computes the rows.
func (v *View) arrange() {
	v.rows, v.links = v.rows[:0], v.links[:0]
	v.walk(func(first int, group, around int32) {
		v.rows = append(v.rows, rowState{first: int32(first), group: group, around: around, mentioned: -1})
	})
	after := 0
	for r := range v.rows {
		for ; after < v.first(r); after++ {
			v.rowOf[after] = -1 // it is left out
		}
		for ; after < v.last(r); after++ {
			v.rowOf[after] = int32(r)
		}
	}
	for ; after < v.Len(); after++ {
		v.rowOf[after] = -1
	}
	v.placeHidden()
	seen := make([]int32, len(v.rows)) // by row: the row before which it was linked to last
	for r := range v.rows {
		for i := v.first(r); i < v.last(r); i++ {
			for _, next := range v.Next(i) {
				to := v.rowOf[next]
				if int(to) == r || int(seen[to]) == r+1 {
					continue
				}
				seen[to] = int32(r) + 1
				v.links = append(v.links, to)
				v.rows[to].consumers++
				if v.rows[to].mentioned < 0 {
					v.rows[to].mentioned = int32(r)
				}
			}
		}
		v.rows[r].links = int32(len(v.links))
	}
	v.reverseLinks()
	v.assignLanes()
}

// placeHidden gives the nodes that are left out the row that their gradient goes to: of the node that they belong to, or
// of a folded group in between that one of their kind is in.
func (v *View) placeHidden() {
	if v.views.into == nil {
		return
	}
	for i, row := range slices.Backward(v.rowOf) { // an edge leads to a higher number
		if row < 0 {
			v.rowOf[i] = v.rowOf[v.Next(i)[0]]
		}
	}
}

// reverseLinks lists the rows that lead to each row.
func (v *View) reverseLinks() {
	v.backs = slices.Grow(v.backs[:0], len(v.links))[:len(v.links)]
	end := int32(0)
	for r := range v.rows { // the ends grow from the beginnings
		v.rows[r].backs = end
		end += v.rows[r].consumers
	}
	for r := range v.rows {
		for _, to := range v.linksOf(r) {
			end := &v.rows[to].backs
			v.backs[*end] = int32(r)
			*end++
		}
	}
}

// backsOf returns the rows that lead to a row.
func (v *View) backsOf(row int) []int32 {
	r := &v.rows[row]
	return v.backs[r.backs-r.consumers : r.backs]
}

// first returns the first node of a row, last the node behind its last one.
func (v *View) first(row int) int { return int(v.rows[row].first) }

func (v *View) last(row int) int {
	if g := v.rows[row].group; g >= 0 {
		return v.groups[g].Last
	}
	return v.first(row) + 1
}

// linksOf returns the rows that a row leads to.
func (v *View) linksOf(row int) []int32 {
	first := int32(0)
	if row > 0 {
		first = v.rows[row-1].links
	}
	return v.links[first:v.rows[row].links]
}

// A groupKey names a group across views of the same program at different times.
type groupKey struct {
	kind        arrange.Kind
	first, last graph.NodeID
}

func (v *View) key(g *arrange.Group) groupKey {
	return groupKey{g.Kind, v.Node(g.First), v.Node(g.Last - 1)}
}

// Follow folds what is folded in a view of the graph at another time, and unfolds what
// is unfolded there; groups that the other one does not have stay as they are.
func (v *View) Follow(other *View) {
	folded := make(map[groupKey]bool, len(other.groups))
	for i := range other.groups {
		folded[other.key(&other.groups[i])] = other.meant(i)
	}
	for i := range v.groups {
		if f, ok := folded[v.key(&v.groups[i])]; ok {
			v.folded[i] = f
		}
	}
	v.followViews(other)
	v.arrange()
}
