package python_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// TestNodesAreAliveOnTheTapeAsLongAsInPyTorch compares what the tape says after each pass, and
// when the program has dropped its loss, with what PyTorch says. What only nodes have saved
// is dropped with them.
func TestNodesAreAliveOnTheTapeAsLongAsInPyTorch(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "alive.py"))
	if err != nil {
		t.Fatal(err)
	}
	eachRelease(t, func(t *testing.T, r *release) {
		tape, folder := r.recordSource(t, string(source))
		var want, got []int
		readJSON(t, filepath.Join(folder, "alive.json"), &want)
		series := usage.NewMemorySeries(tape)
		series.Extend(tape.Len())
		roots := map[graph.TensorID]bool{}
		for p := range tape.Len() {
			_, e, err := tape.At(p)
			if err != nil {
				t.Fatal(err)
			}
			switch e := e.(type) {
			case *graph.BackwardBegan:
				roots[e.Roots[0].Tensor] = true
			case *graph.BackwardEnded:
				got = append(got, series.At(p+1).Nodes)
			case *graph.TensorReleased:
				if roots[e.Tensor] {
					got = append(got, series.At(p+1).Nodes)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("nodes after each pass and after its loss was dropped (-PyTorch's +the tape's):\n%s", diff)
		}
		if u := series.At(tape.Len()); u.Graph != 0 {
			t.Errorf("the graph alone keeps %d bytes at the end", u.Graph)
		}
	})
}
