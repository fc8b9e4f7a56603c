package dag_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
)

// tree draws a tree.
func (s *sketch) tree(v *dag.View, t *dag.Tree) string {
	var b strings.Builder
	for i := range t.Lines() {
		l := t.Line(i)
		for _, c := range l.Cells(nil) {
			switch {
			case !c.Mark:
				b.WriteRune(c.Box())
			case l.Reference >= 0:
				b.WriteRune('↑')
			case l.Inner > 0 && !l.Expanded:
				b.WriteRune('▸')
			default:
				b.WriteRune('●')
			}
		}
		b.WriteString(" " + s.label(v, l.Row) + "\n")
	}
	return b.String()
}

// In whatever is expanded, each line but the first one hangs on a line that is
// expanded, no row has two places, and nothing that should be listed is missing.
func TestATreeListsWhatIsExpandedOnce(t *testing.T) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		back := rapid.Bool().Draw(t, "back")
		root := rapid.IntRange(0, v.Rows()-1).Draw(t, "root")
		tree := dag.NewTree(v, root, back)
		hanging := map[int][]int{}
		for i := range v.Rows() {
			for _, l := range v.Links(i) {
				from, to := i, l.Row
				if back {
					from, to = to, from
				}
				hanging[from] = append(hanging[from], to)
			}
		}
		if rapid.Bool().Draw(t, "open") {
			most := rapid.IntRange(1, 40).Draw(t, "most")
			tree.Open(most)
			if n := 1 + len(hanging[root]); tree.Lines() > max(most, n) {
				t.Fatalf("%d lines, not %d", tree.Lines(), most)
			}
		}
		expanded := map[int]bool{}
		for i := range tree.Lines() {
			expanded[tree.Line(i).Row] = expanded[tree.Line(i).Row] || tree.Line(i).Expanded
		}
		for range rapid.IntRange(0, 10).Draw(t, "steps") {
			line, open := rapid.IntRange(0, tree.Lines()-1).Draw(t, "line"), rapid.Bool().Draw(t, "expand")
			row := tree.Line(line).Row
			want := len(hanging[row]) > 0 && expanded[row] != open
			if tree.Expand(line, open) != want {
				t.Fatalf("expanding %d: %v", line, !want)
			}
			if want {
				expanded[row] = open
			}
		}
		// What it should be, by recursion.
		var rows, depths []int
		seen := map[int]bool{}
		var visit func(row, depth int)
		visit = func(row, depth int) {
			rows, depths = append(rows, row), append(depths, depth)
			if seen[row] {
				return
			}
			seen[row] = true
			if !expanded[row] && row != root || row == root && len(hanging[row]) > 0 && !expanded[row] {
				return
			}
			inner := hanging[row]
			if len(inner) > 1 {
				depth++
			}
			for _, to := range inner {
				visit(to, depth)
			}
		}
		visit(root, 0)
		first := map[int]int{}
		for i := range tree.Lines() {
			l := tree.Line(i)
			if i >= len(rows) || l.Row != rows[i] || l.Depth != depths[i] || l.Inner != len(hanging[l.Row]) {
				t.Fatalf("line %d of %v: %+v", i, rows, l)
			}
			place, repeated := first[l.Row]
			if !repeated {
				first[l.Row], place = i, i
			}
			if (l.Reference >= 0) != repeated || repeated && l.Reference != place {
				t.Fatalf("line %d refers to %d, its row is listed at %d", i, l.Reference, place)
			}
			if at, ok := tree.LineOf(l.Row); !ok || at != place {
				t.Fatalf("row %d is at %d, want %d", l.Row, at, place)
			}
			if cells := l.Cells(nil); len(cells) != 2*l.Depth+1 || !cells[2*l.Depth].Mark {
				t.Fatalf("line %d: %+v", i, cells)
			}
		}
		if tree.Lines() != len(rows) {
			t.Fatalf("%d lines, want %v", tree.Lines(), rows)
		}
	})
}

func TestATreeOfALongChainStaysNarrow(t *testing.T) {
	g, root := chain(2000)
	v := dag.NewView(dag.Collect(g, []graph.NodeID{root}))
	v.UnfoldAll()
	tree := dag.NewTree(v, 0, false)
	if tree.Lines() > 3 {
		t.Errorf("%d lines at first", tree.Lines())
	}
	tree.Open(v.Rows() * 2)
	depths := []int{}
	for i := range tree.Lines() {
		depths = append(depths, tree.Line(i).Depth)
	}
	if len(depths) < v.Rows() || slices.Max(depths) > 2000 {
		t.Errorf("%d lines, %d deep, for %d rows", len(depths), slices.Max(depths), v.Rows())
	}
}
