package dag_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
)

// rowNames are the names of the nodes that have rows, and after each the views that belong to it.
func rowNames(v *dag.View) (names []string) {
	for i := range v.Rows() {
		row := v.Row(i)
		name := "▸"
		if row.Group == nil {
			n, _ := v.Graph().Node(row.Node)
			name = n.Name
		}
		for _, view := range dag.ViewNames(v.Graph(), v.ViewsOf(i)) {
			name += " " + view
		}
		names = append(names, name)
	}
	return names
}

func viewsSketch() *dag.Dag {
	s := newSketch()
	s.lines("w = leaf\nt = TBackward0 w\nx = leaf\nv = ViewBackward0 x\np = PermuteBackward0 v\nm = MmBackward0 p t\nr = ReluBackward0 m\nu = ViewBackward0 r\nloss = SumBackward0 u\n")
	return s.dag("loss")
}

func TestFoldedViewsBelongToTheirInput(t *testing.T) {
	v := dag.NewView(viewsSketch())
	all := rowNames(v)
	v.FoldViews(true)
	want := []string{"SumBackward0", "ReluBackward0 View", "MmBackward0", "AccumulateGrad View Permute", "AccumulateGrad T"}
	got := rowNames(v)
	slices.Sort(want[3:])
	slices.Sort(got[3:])
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v.LeftOut() != 4 {
		t.Errorf("%d nodes are left out", v.LeftOut())
	}
	for row := range v.Rows() - 2 {
		if len(v.Links(row)) == 0 {
			t.Errorf("row %d leads nowhere", row)
		}
	}
	v.FoldViews(false)
	if diff := cmp.Diff(all, rowNames(v)); diff != "" {
		t.Error(diff)
	}
}

func TestAFoldedViewHasTheRowOfItsNeighbourUntilItIsSearched(t *testing.T) {
	d := viewsSketch()
	v := dag.NewView(d)
	v.FoldViews(true)
	for i := range d.Len() {
		n, _ := d.Graph().Node(d.Node(i))
		row, ok := v.RowOf(d.Node(i))
		if !ok {
			t.Fatalf("%s has no row", n.Name)
		}
		if n.Name != "TBackward0" {
			continue
		}
		if owner, _ := d.Graph().Node(v.Row(row).Node); owner.Variable == 0 {
			t.Errorf("t is in the row of %s", owner.Name)
		}
		if !v.ShowView(d.Node(i)) || v.ShowView(d.Node(i)) {
			t.Error("a view is not shown once")
		}
		if row, _ := v.RowOf(d.Node(i)); v.Row(row).Node != d.Node(i) {
			t.Error("a view that was searched has no row")
		}
	}
	if v.LeftOut() != 3 {
		t.Errorf("%d nodes are left out", v.LeftOut())
	}
	next := dag.NewView(d)
	next.Follow(v)
	if diff := cmp.Diff(rowNames(v), rowNames(next)); diff != "" {
		t.Errorf("a view that follows: %s", diff)
	}
}

func TestTheNodeThatRunsIsShownThoughViewsAreFolded(t *testing.T) {
	d := viewsSketch()
	v := dag.NewView(d)
	v.FoldViews(true)
	before := rowNames(v)
	for i := range d.Len() {
		v.Attend(d.Node(i))
		if row, _ := v.RowOf(d.Node(i)); v.Row(row).Node != d.Node(i) {
			t.Errorf("node %d has no row while it runs", i)
		}
	}
	v.Attend(0)
	if diff := cmp.Diff(before, rowNames(v)); diff != "" {
		t.Error(diff)
	}
}

func TestFoldedViewsAreKeptForAnotherRun(t *testing.T) {
	v := dag.NewView(viewsSketch())
	v.FoldViews(true)
	again := dag.NewView(viewsSketch())
	again.Apply(v.Folds())
	if diff := cmp.Diff(rowNames(v), rowNames(again)); diff != "" || !again.ViewsFolded() {
		t.Error(diff)
	}
}

// A view before a folded group that begins with views is in the row of the group: its gradient goes there first.
func TestAViewInFrontOfAFoldedGroupBelongsToTheGroup(t *testing.T) {
	s := newSketch()
	s.lines("w = leaf\na = MmBackward0 w w\nenter block Block\nu = ViewBackward0 a\nr = ReluBackward0 w\nleave\nv = ViewBackward0 u\nloss = AddBackward0 v r\n")
	v := dag.NewView(s.dag("loss"))
	v.FoldAll(0)
	v.FoldViews(true)
	group := slices.Index(rowNames(v), "▸")
	if group < 0 {
		t.Fatal("no group is folded:", rowNames(v))
	}
	for i := range v.Len() {
		n, _ := v.Graph().Node(v.Node(i))
		if row, _ := v.RowOf(v.Node(i)); n.Name == "ViewBackward0" && row != group {
			t.Errorf("view %d has row %d, the group row %d: %v", i, row, group, rowNames(v))
		}
	}
}

// Every way from a node over views to the next node that has a row is a line between their rows.
func TestLinesGoThroughFoldedViews(t *testing.T) {
	eachView(t, func(t *rapid.T, v *dag.View) {
		v.FoldViews(true)
		for i := range v.Len() {
			from, ok := v.RowOf(v.Node(i))
			if !ok || from < 0 || from >= v.Rows() {
				t.Fatalf("node %d has no row", i)
			}
			for _, next := range v.Next(i) {
				to, _ := v.RowOf(v.Node(int(next)))
				switch {
				case to < from:
					t.Fatalf("a line leads up, from row %d to row %d", from, to)
				case to != from && !slices.ContainsFunc(v.Links(from), func(l dag.Link) bool { return l.Row == to }):
					t.Fatalf("no line from row %d to row %d", from, to)
				}
			}
		}
	})
}
