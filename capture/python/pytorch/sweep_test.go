package pytorch

import (
	"testing"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// A loop makes a new graph in each iteration and drops the one before.
func TestNodesThatNothingLeadsToAreForgotten(t *testing.T) {
	type tuple = marshal.Tuple
	tape := graph.NewTape(graph.Limits{})
	tr := NewTranslator(tape)
	take := func(records ...any) {
		t.Helper()
		if _, err := tr.Frame(marshal.Append(nil, records)); err != nil {
			t.Fatal(err)
		}
	}
	node := tuple{"MulBackward0", 0, 1, tuple{tuple{0, 0, 0}, tuple{0, 1, 0}}, tuple{}, tuple{}}
	args := tuple{tuple{"", tuple{"t", 0}}, tuple{"", tuple{"t", 1}}}
	take(
		tuple{"meta", 1, "float32", tuple{2}, nil, "cpu", 4},
		tuple{"signature", 1, "mul", args, tuple{tuple{"new", 1, -1, 0, 0, 0, 0, 0}}, tuple{node}, tuple{}, 0},
		tuple{"tensor", 1, 1, 0, 1, 0, 0, 0, nil, 0, 0, nil},
		tuple{1, 0, 0, tuple{1, 1}, tuple{2}, nil, nil, nil}, // which stays
	)
	const loops, length = 200, 100
	next := 3
	for i := range loops {
		previous := 2
		for range length {
			take(tuple{1, 0, next, tuple{previous, 1}, tuple{next}, nil, nil, nil})
			if previous != 2 {
				take(previous)
			}
			previous = next
			next++
		}
		take(tuple{"backward", i, 0, 0, tuple{tuple{previous, 0, nil}}, tuple{}}, tuple{"ended", i, 0}, previous)
	}
	if n := len(tr.nodes.known); n > 2*minSweep {
		t.Errorf("%d nodes are known after %d were made", n, loops*length)
	}
	if n := len(tr.tensors.known); n != 2 {
		t.Errorf("%d tensors are known, not 2", n)
	}
	if tr.find(0) == nil {
		t.Error("a node was forgotten that a tensor leads to")
	}
	for _, p := range graph.Validate(tape, 3) {
		t.Error(p)
	}
}
