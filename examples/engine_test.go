package examples_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// The engine of another language uses nothing of ours, so that its tape shows whether
// docs/internals/tape-format.md says all that such an engine has to know.
func TestAnEngineInPythonWritesATapeByTheDocument(t *testing.T) {
	text, err := exec.Command(require.Command(t, "python3"), "engine/scalars.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	tape := graph.NewTape(graph.Limits{})
	if err := tapefile.ReadText(bytes.NewReader(text), tape); err != nil {
		t.Fatal(err)
	}
	for _, problem := range graph.Validate(tape, 10) {
		t.Error(problem)
	}

	var leaves [3]*autograd.Tensor
	for i, x := range []float64{3, 2, 1} {
		leaves[i] = autograd.New(x, autograd.RequiresGrad)
	}
	y := leaves[0].Mul(leaves[1]).Add(leaves[2])
	if err := y.Mul(y).Backward(); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, leaf := range leaves {
		want = append(want, leaf.Grad().String())
	}
	var got []string
	g := tape.CursorAt(tape.Len()).Graph()
	for i := range leaves {
		leaf, _ := g.Tensor(graph.TensorID(i + 1))
		grad, _ := g.Tensor(leaf.Grad)
		got = append(got, fmt.Sprintf("tensor(%g.)", grad.Value.First[0]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gradients (-our engine +this one):\n%s", diff)
	}
}
