package dag_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
)

// groupsOf are what the folded rows of a view are.
func groupsOf(v *dag.View) (titles []string) {
	for i := range v.Rows() {
		if g := v.Row(i).Group; g != nil {
			titles = append(titles, title(v, g))
		}
	}
	return titles
}

func TestALongLoopReadsAsOneStepManyTimes(t *testing.T) {
	g, root := chain(5000)
	v := dag.NewView(dag.Collect(g, []graph.NodeID{root}))
	want := []string{"×4998 · 3 each: TanhBackward0 AddBackward0 MulBackward0"}
	if diff := cmp.Diff(want, groupsOf(v)); diff != "" || v.Rows() > 10 {
		t.Fatalf("%d rows\n%s", v.Rows(), diff)
	}
	row := slices.IndexFunc(v.All(), func(i int) bool { return v.Row(i).Group != nil })
	v.Unfold(row)
	if got := groupsOf(v); len(got) != 4998 || got[1] != "step 2 · 3" {
		t.Errorf("%d steps", len(got))
	}
	if now, ok := v.Fold(row + 7); !ok || now != row {
		t.Errorf("row %d (%v), want %d", now, ok, row)
	}
}

// layers are modules one after the other: two operators each inside three modules, and one
// outside these.
func layers(n int) *dag.Dag { return layersAfter(newSketch(), n) }

// layersAfter continues a sketch.
func layersAfter(s *sketch, n int) *dag.Dag {
	s.lines("x = leaf\nenter - Net\n")
	last := "x"
	for i := range n {
		s.line(fmt.Sprintf("enter layers.%d Layer", i))
		for _, part := range []string{"a", "b", "c"} {
			s.lines(fmt.Sprintf("w%d%s = leaf\nenter layers.%d.%s Linear\n", i, part, i, part))
			s.lines(fmt.Sprintf("m%d%s = Addmm w%d%s %s @1\nr%d%s = Relu m%d%s @2\nleave\n", i, part, i, part, last, i, part, i, part))
			last = fmt.Sprint("r", i, part)
		}
		s.lines(fmt.Sprintf("s%d = Add %s %s @3\nleave\n", i, last, last))
		last = fmt.Sprint("s", i)
	}
	s.lines("leave\nloss = Mean " + last + " x\n")
	return s.dag("loss")
}

// What is folded in one run is folded in another one, although its nodes have other numbers.
func TestFoldsSurviveAnotherRun(t *testing.T) {
	first, second := dag.NewView(layers(30)), dag.NewView(layersAfter(newSketch().lines("y = leaf\nz = Relu y\nz2 = Relu z\n"), 30))
	first.FoldAll(1)
	first.Unfold(3)
	if second.UnfoldAll(); first.Rows() == second.Rows() || len(groupsOf(first)) == 0 {
		t.Fatal("nothing is folded")
	}
	second.Apply(first.Folds())
	if diff := cmp.Diff(groupsOf(first), groupsOf(second)); diff != "" {
		t.Error(diff)
	}
}

func TestALargeNetworkReadsAsItsLayers(t *testing.T) {
	names := func(from, to int) (list []string) {
		for i := from; i >= to; i-- {
			list = append(list, fmt.Sprintf("layers.%d (Layer) · 10", i))
		}
		return list
	}
	v := dag.NewView(layers(30))
	if diff := cmp.Diff([]string{"×30 · 10 each: Add Relu Addmm AccumulateGrad"}, groupsOf(v)); diff != "" {
		t.Error(diff)
	}
	v.Unfold(slices.IndexFunc(v.All(), func(i int) bool { return v.Row(i).Group != nil }))
	if diff := cmp.Diff(names(29, 0), groupsOf(v)); diff != "" {
		t.Errorf("unfolded:\n%s", diff)
	}
	if diff := cmp.Diff(names(23, 0), groupsOf(dag.NewView(layers(24)))); diff != "" {
		t.Errorf("a few are shown one by one:\n%s", diff)
	}
}

// What many calls of modules lie in one another, a node in each or at the end of all,
// is arranged in time and memory that do not depend on how deep.
func TestDeepModulesDoNoHarm(t *testing.T) {
	s := newSketch().lines("x = leaf")
	last := "x"
	for i := range 20_000 {
		s.line("enter m M")
		if i%50 == 0 {
			s.lines(fmt.Sprintf("a%d = Mul %s\nb%d = Add a%d\n", i, last, i, i))
			last = fmt.Sprint("b", i)
		}
	}
	v := dag.NewView(s.dag(last))
	if v.Levels() > 100 || v.Len() != 801 {
		t.Errorf("%d levels, %d nodes", v.Levels(), v.Len())
	}
	v.UnfoldAll()
	if v.Rows() != 801 {
		t.Errorf("%d rows", v.Rows())
	}
}

// The counts of a large group are shares that are right up to a percent or two, also
// for loops.
func TestTheStatusesOfAGroupAreCounted(t *testing.T) {
	g, root := chain(4000)
	tape := g.Tape()
	d := dag.Collect(g, []graph.NodeID{root})
	const done = 3000 // in order of execution; every third one is freed
	tape.Append(graph.Header{}, &graph.BackwardBegan{Backward: 1, Roots: []graph.Root{{Node: root}}})
	for i := range done {
		tape.Append(graph.Header{}, &graph.NodeReady{Backward: 1, Node: d.Node(i)})
		tape.Append(graph.Header{}, &graph.NodeExecuted{Backward: 1, Node: d.Node(i)})
		if i%3 == 0 {
			tape.Append(graph.Header{}, &graph.SavedFreed{Backward: 1, Node: d.Node(i)})
		}
	}
	d = dag.Collect(tape.CursorAt(tape.Len()).Graph(), []graph.NodeID{root})
	small := d.Tally(done-10, done+20, 0)
	want := dag.Tally{Nodes: 30, Looked: 30, Freed: 3}
	want.Status[graph.Done], want.Status[graph.Idle] = 10, 20
	if diff := cmp.Diff(want, small); diff != "" {
		t.Error(diff)
	}
	all := d.Tally(0, d.Len(), 0)
	share := func(n int) float64 { return float64(n) / float64(all.Looked) }
	near := func(got, want float64) bool { return got > want-0.02 && got < want+0.02 }
	if n := float64(d.Len()); all.Nodes != d.Len() || all.Looked >= all.Nodes ||
		!near(share(all.Status[graph.Done]), done/n) || !near(share(all.Freed), done/3/n) {
		t.Errorf("%+v", all)
	}
	if empty := d.Tally(-3, 0, 0); empty.Nodes != 0 {
		t.Errorf("%+v", empty)
	}
}

// TestALargeGraphBeginsAtAReadableLevel checks that neither everything is one row nor there are many screens of rows if
// there is a level between.
func TestALargeGraphBeginsAtAReadableLevel(t *testing.T) {
	for _, n := range []int{9, 12, 24, 60} {
		if rows := dag.NewView(layers(n)).Rows(); rows < 3 || n <= 24 && rows > 30 {
			t.Errorf("%d layers begin as %d rows", n, rows)
		}
	}
	s := newSketch()
	s.lines("x = leaf\nenter - Net\n")
	last := "x"
	for i := range 80 { // all different
		s.lines(fmt.Sprintf("n%d = Op%d %s @%d\n", i, i, last, i))
		last = fmt.Sprint("n", i)
	}
	s.lines("leave\n")
	if rows := dag.NewView(s.dag(last)).Rows(); rows < 80 {
		t.Errorf("a graph without parts begins as %d rows", rows)
	}
}

// TestAttendedNodesAreVisible checks that groups open for the node that is attended to, and close again behind it,
// unless the user has changed them.
func TestAttendedNodesAreVisible(t *testing.T) {
	v := dag.NewView(layers(12))
	began := v.Rows()
	visible := func(id graph.NodeID) bool {
		row, ok := v.RowOf(id)
		return ok && v.Row(row).Group == nil
	}
	for i := range v.Len() {
		id := v.Node(i)
		if v.Attend(id); !visible(id) {
			t.Fatalf("node %d is hidden", i)
		}
		if v.Attend(id) {
			t.Fatalf("node %d: attending again changes rows", i)
		}
	}
	if v.Attend(0); v.Rows() != began {
		t.Errorf("%d rows are left, there were %d", v.Rows(), began)
	}
	id := v.Node(v.Len() / 2)
	v.Attend(id)
	row, _ := v.RowOf(id)
	if now, ok := v.Fold(row); !ok || visible(id) || v.Attend(id) {
		t.Errorf("row %d does not stay folded by hand", now)
	}
	row, _ = v.RowOf(id)
	v.Unfold(row)
	open := v.Rows()
	if v.Attend(v.Node(0)); v.Rows() > open || !visible(id) {
		t.Errorf("what was unfolded by hand is folded")
	}
}

// A network whose blocks are nested one level deeper than its head: both are single rows.
func TestACallThatNothingIsInIsFoldedBesideDeeperOnes(t *testing.T) {
	s := newSketch()
	s.lines("x = leaf\nenter - Net\n")
	last := "x"
	for stage := range 4 {
		s.line(fmt.Sprintf("enter stage%d Sequential", stage))
		for block := range 2 {
			s.line(fmt.Sprintf("enter stage%d.%d Block", stage, block))
			for part := range 4 {
				name := fmt.Sprintf("n%d%d%d", stage, block, part)
				s.lines(fmt.Sprintf("enter stage%d.%d.%d Conv\nw%s = leaf\n%s = Conv w%s %s\na%s = Relu %s\nleave\n", stage, block, part, name, name, name, last, name, name))
				last = "a" + name
			}
			s.line("leave")
		}
		s.line("leave")
	}
	s.lines("enter head Linear\nw = leaf\nb = leaf\ny = Addmm w b " + last + "\nleave\nleave\nloss = Sum y\n")
	v := dag.NewView(s.dag("loss"))
	groups := groupsOf(v)
	if len(groups) != 9 || groups[0] != "head (Linear) · 3" {
		t.Errorf("%d rows: %q", v.Rows(), groups)
	}
	v.UnfoldAll()
	if got := groupsOf(v); len(got) != 0 {
		t.Errorf("unfolded: %q", got)
	}
}
