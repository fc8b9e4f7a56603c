package dag_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
)

// randomSketch draws a graph with calls of modules and the names of its roots.
func randomSketch(t *rapid.T) (s *sketch, roots []string) {
	s = newSketch()
	depth, n := 0, rapid.IntRange(1, 60).Draw(t, "lines")
	loop := rapid.IntRange(1, 8).Draw(t, "loop") // edges repeat themselves after that many nodes
	names := []string{"w"}
	s.line("w = leaf")
	backs := make([]int, loop)
	for i := range backs {
		backs[i] = rapid.IntRange(1, 12).Draw(t, "back")
	}
	for i := range n {
		name := fmt.Sprint("n", i)
		switch kind := rapid.IntRange(0, 14).Draw(t, "kind"); {
		case kind == 0:
			s.line(name + " = leaf")
		case kind == 1:
			s.line(fmt.Sprint("enter m", i, " M"))
			depth++
			continue
		case kind == 2 && depth > 0:
			s.line("leave")
			depth--
			continue
		case kind == 3: // many edges
			line := name + " = Cat"
			for range rapid.IntRange(0, 30).Draw(t, "edges") {
				line += " " + rapid.SampledFrom(names).Draw(t, "to")
			}
			s.line(line)
		case kind == 4:
			s.line(fmt.Sprintf("%s = ViewBackward0 %s", name, names[max(len(names)-backs[i%loop], 0)]))
		default:
			back := names[max(len(names)-backs[i%loop], 0)]
			s.line(fmt.Sprintf("%s = Op%d %s %s @%d", name, i%loop, back, names[len(names)-1], i%loop))
		}
		names = append(names, name)
	}
	roots = names[len(names)-1:]
	for range rapid.IntRange(0, 2).Draw(t, "roots") {
		roots = append(roots, rapid.SampledFrom(names).Draw(t, "root"))
	}
	return s, roots
}

// eachView checks a law on views of random graphs, folded at random.
func eachView(t *testing.T, law func(t *rapid.T, v *dag.View)) {
	rapid.Check(t, func(t *rapid.T) {
		s, roots := randomSketch(t)
		v := dag.NewView(s.dag(roots...))
		if rapid.Bool().Draw(t, "fold all") {
			v.FoldAll(rapid.IntRange(0, v.Levels()).Draw(t, "level"))
		}
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			row := rapid.IntRange(0, v.Rows()-1).Draw(t, "row")
			if rapid.Bool().Draw(t, "fold") {
				v.Fold(row)
			} else {
				v.Unfold(row)
			}
		}
		law(t, v)
	})
}

// gutter is all cells of a view, a list for each row.
func gutter(v *dag.View) (rows [][]dag.Cell) {
	places := v.Places(0, v.Rows())
	for i := range v.Rows() {
		r := v.Row(i)
		rows = append(rows, r.Cells(nil, places))
	}
	return rows
}

// reached follows the lines from the mark of a row to the marks of others. far says
// that one of them goes to the place that lanes beyond MaxLanes share.
func reached(t *rapid.T, cells [][]dag.Cell, row int) (rows []int, far bool) {
	own := slices.IndexFunc(cells[row], func(c dag.Cell) bool { return c.Mark })
	down := func(x int) {
		if x == 2*dag.MaxLanes {
			far = true
			return
		}
		for y := row + 1; ; y++ {
			c := cells[y][x]
			if c.Dir&dag.North == 0 {
				t.Fatalf("the line from row %d ends above row %d", row, y)
			}
			if c.Mark {
				rows = append(rows, y)
				return
			}
			if c.Dir&dag.South == 0 {
				t.Fatalf("the line from row %d ends in row %d", row, y)
			}
		}
	}
	if cells[row][own].Dir&dag.South != 0 {
		down(own)
	}
	for _, way := range []struct {
		out, in dag.Dir
		step    int
	}{{dag.East, dag.West, 1}, {dag.West, dag.East, -1}} {
		for x := own; cells[row][x].Dir&way.out != 0; {
			x += way.step
			c := cells[row][x]
			if c.Dir&way.in == 0 {
				t.Fatalf("a line of row %d is broken at %d", row, x)
			}
			if c.Dir&dag.South != 0 && c.Dir&dag.Bridge == 0 {
				down(x)
			}
		}
	}
	slices.Sort(rows)
	return rows, far
}

// The lines of the gutter lead from each row to the rows that it has links to, and
// to no others.
func TestTheLinesLeadToWhatTheNodesLeadTo(t *testing.T) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		cells := gutter(v)
		for i := range v.Rows() {
			var want []int
			wantFar := false
			for _, l := range v.Links(i) {
				if l.Row <= i {
					t.Fatalf("row %d leads up to row %d", i, l.Row)
				}
				if l.Lane < dag.MaxLanes {
					want = append(want, l.Row)
				} else {
					wantFar = true
				}
			}
			slices.Sort(want)
			got, far := reached(t, cells, i)
			if v.Row(i).Lane >= dag.MaxLanes && far && !wantFar {
				far = false // the place below its own belongs to other lanes
			}
			if !slices.Equal(got, want) || far != wantFar {
				t.Fatalf("row %d leads to %v (far: %v), want %v (%v)", i, got, far, want, wantFar)
			}
		}
	})
}

// What leaves a row downwards is what enters the next one from above.
func TestTheRowsFitTogether(t *testing.T) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		cells := gutter(v)
		for y := range cells {
			for x, c := range cells[y] {
				south := y+1 < len(cells) && cells[y+1][x].Dir&dag.North != 0
				if (c.Dir&dag.South != 0) != south {
					t.Fatalf("rows %d and %d differ at %d", y, y+1, x)
				}
				if y == 0 && c.Dir&dag.North != 0 {
					t.Fatalf("something comes from above the first row at %d", x)
				}
			}
		}
	})
}

// The rows are the nodes in order, the nodes of one row are in one group, and two rows are
// linked if nodes in them are.
func TestTheRowsAreAContractionOfTheGraph(t *testing.T) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		var nodes []int
		for i := range v.Rows() {
			r := v.Row(i)
			for n := r.First; n < r.Last; n++ {
				nodes = append(nodes, n)
				if row, _ := v.RowOf(v.Node(n)); row != i {
					t.Fatalf("node %d is in row %d, not in %d", n, row, i)
				}
			}
			if g := r.Group; g != nil && (g.First != r.First || g.Last != r.Last || g.Len() < 2) || g == nil && r.Last != r.First+1 {
				t.Fatalf("row %d: %+v", i, r)
			}
		}
		for i, n := range nodes {
			if i != n {
				t.Fatalf("%v are the nodes of the rows", nodes)
			}
		}
		if len(nodes) != v.Len() {
			t.Fatalf("%d nodes of %d", len(nodes), v.Len())
		}
		consumers := make([]int, v.Rows())
		for i := range v.Rows() {
			r, want := v.Row(i), map[int]bool{}
			for n := r.First; n < r.Last; n++ {
				for _, to := range v.Next(n) {
					if to, _ := v.RowOf(v.Node(int(to))); to != i {
						want[to] = true
					}
				}
			}
			got := map[int]bool{}
			for _, l := range v.Links(i) {
				got[l.Row] = true
				if l.Join != (consumers[l.Row] > 0) || l.Lane != v.Row(l.Row).Lane {
					t.Fatalf("row %d has %+v", i, l)
				}
				consumers[l.Row]++
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("row %d: - should, + does lead to\n%s", i, diff)
			}
		}
		for i, n := range consumers {
			if v.Row(i).Consumers != n {
				t.Fatalf("row %d has %d consumers, not %d", i, n, v.Row(i).Consumers)
			}
		}
	})
}

// Folding and unfolding undo each other.
func TestFoldingCanBeUndone(t *testing.T) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		shape := func() (rows [][2]int) {
			for i := range v.Rows() {
				rows = append(rows, [2]int{v.Row(i).First, v.Row(i).Last})
			}
			return rows
		}
		before := shape()
		row := rapid.IntRange(0, v.Rows()-1).Draw(t, "row")
		node := v.Row(row).Node
		other := dag.NewView(v.Dag)
		other.Follow(v)
		now, ok := v.Fold(row)
		if ok {
			if r, _ := v.RowOf(node); r != now || v.Row(now).Group == nil {
				t.Fatalf("row %d is row %d now, which is %+v", row, now, v.Row(now))
			}
			if !v.Unfold(now) {
				t.Fatal("it cannot be unfolded")
			}
		}
		if diff := cmp.Diff(before, shape()); diff != "" {
			t.Fatalf("after folding (%v) and unfolding row %d:\n%s", ok, row, diff)
		}
		v.Follow(other)
		if diff := cmp.Diff(before, shape()); diff != "" {
			t.Fatalf("another view that followed differs:\n%s", diff)
		}
		if row, ok = v.Reveal(node); !ok || v.Row(row).Group != nil || v.Row(row).Node != node {
			t.Fatalf("node %d is not in row %d", node, row)
		}
		v.UnfoldAll()
		if v.Rows() != v.Len() {
			t.Fatalf("%d rows for %d nodes", v.Rows(), v.Len())
		}
	})
}
