package compare_test

import (
	"fmt"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
)

// matched lists the nodes of b with their counterparts in a.
func matched(m *compare.Match, nodes int) (pairs string) {
	for id := graph.NodeID(1); int(id) <= nodes; id++ {
		if a, ok := m.InA(id); ok {
			pairs += fmt.Sprintf("%d=%d ", id, a)
		}
	}
	return pairs
}

func TestNodesOfTwoIterationsCorrespondByWhatMadeThem(t *testing.T) {
	parts := partsOf(t, sumOf(1, false, 4), sumOf(2, true, 3))
	tape := parts[0].Tape
	a := compare.Moment{At: parts[0].To, Roots: []graph.NodeID{3}}
	b := compare.Moment{At: parts[1].To, Roots: []graph.NodeID{6}}
	m := compare.NewMatcher(tape, tape)
	for range 2 { // a matcher goes back and forth
		found := m.Nodes(a, b)
		if got, want := matched(found, 6), "1=1 4=2 6=3 "; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := fmt.Sprint(found.OnlyA, found.OnlyB), "[] [5]"; got != want {
			t.Errorf("only at one: %s, want %s", got, want)
		}
		back := m.Nodes(b, a)
		if got, want := fmt.Sprint(back.OnlyA, back.OnlyB), "[5] []"; got != want {
			t.Errorf("only at one: %s, want %s", got, want)
		}
		if other, ok := found.InB(3); !ok || other != 6 {
			t.Errorf("node 3 is node %d", other)
		}
	}
}

// The graph of an earlier moment of the forward pass is a part of the later one.
func TestNodesOfOneGraphCorrespondToThemselves(t *testing.T) {
	parts := partsOf(t, sumOf(1, true, 4))
	m := compare.NewMatcher(parts[0].Tape, parts[0].Tape)
	found := m.Nodes(compare.Moment{At: parts[0].To, Roots: []graph.NodeID{2}}, compare.Moment{At: parts[0].To, Roots: []graph.NodeID{4}})
	if got, want := matched(found, 4)+fmt.Sprint(found.OnlyB), "1=1 2=2 [3 4]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
