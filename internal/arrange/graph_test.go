package arrange_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// Reach visits what a search along the edges finds, the newest first, and leaves out what
// cannot be read and what only that leads to.
func TestReachVisitsWhatTheRootsLeadTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "nodes")
		edges := make([][]graph.Edge, n+1)
		unread := make([]bool, n+1)
		tape := graph.NewTape(graph.Limits{})
		for id := 1; id <= n; id++ {
			for range rapid.IntRange(0, 3).Draw(t, "edges") {
				edges[id] = append(edges[id], graph.Edge{Node: graph.NodeID(rapid.IntRange(0, id-1).Draw(t, "to"))})
			}
			unread[id] = rapid.IntRange(0, 9).Draw(t, "unread") == 0
			tape.Append(graph.Header{}, &graph.NodeCreated{Node: graph.NodeID(id), Name: tape.InternString("Op"), Edges: edges[id]})
		}
		from := []graph.NodeID{0, graph.NodeID(n + 1)}
		for range rapid.IntRange(0, 3).Draw(t, "roots") {
			from = append(from, graph.NodeID(rapid.IntRange(0, n).Draw(t, "root")))
		}
		var want []graph.NodeID
		var search func(id graph.NodeID)
		search = func(id graph.NodeID) {
			if id == 0 || int(id) > n || unread[id] || slices.Contains(want, id) {
				return
			}
			want = append(want, id)
			for _, e := range edges[id] {
				search(e.Node)
			}
		}
		for _, id := range from {
			search(id)
		}
		slices.Sort(want)

		var visited []graph.NodeID
		positions := arrange.Reach(tape.CursorAt(tape.Len()).Graph(), from, func(id graph.NodeID) ([]graph.Edge, bool) {
			if unread[id] {
				return nil, false
			}
			visited = append(visited, id)
			return edges[id], true
		})
		slices.Reverse(visited)
		if !slices.Equal(visited, want) {
			t.Errorf("visited %v, want %v", visited, want)
		}
		for id, position := range positions {
			if at := slices.Index(want, graph.NodeID(id)); int(position) != at+1 {
				t.Errorf("node %d has position %d, want %d", id, position, at+1)
			}
		}
	})
}

// calls enters modules one inside another, and finds the calls around the innermost one.
func calls(depth int) (*arrange.Calls, graph.ModuleID) {
	s := sketched("a = Op\n" + strings.Repeat("enter m M\n", depth) + "b = Op\nc = Op\n")
	return arrange.NewCalls(s), s.modules[1]
}

func TestTheCallsAroundANodeAreItsPath(t *testing.T) {
	c, innermost := calls(3)
	if got := c.Path(nil, c.At(innermost)); !slices.Equal(got, []int{0, 1, 2}) || c.Depth != 3 {
		t.Errorf("path %v of depth %d", got, c.Depth)
	}
	if got := c.Common(2, 1); got != 1 {
		t.Errorf("call %d is around calls 2 and 1", got)
	}
	if got := c.At(0); got != arrange.Outside {
		t.Errorf("a node outside all calls lies in call %d", got)
	}
}

func TestCallsThatAreTooDeepCountAsPartOfTheOneAroundThem(t *testing.T) {
	c, innermost := calls(1000)
	if len(c.List) != c.Depth || c.Depth >= 100 || c.At(innermost) != len(c.List)-1 {
		t.Errorf("%d calls of depth %d, the innermost one has place %d", len(c.List), c.Depth, c.At(innermost))
	}
}
