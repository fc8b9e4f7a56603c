package python_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// TestOperationsBehindPythonFunctionsAreRecorded calls functions of torch that are written in
// Python and call C by names that the program does not see.
func TestOperationsBehindPythonFunctionsAreRecorded(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, `
import torch
a = torch.ones(3, 4)
b = torch.ones(4)
torch.einsum("ij,j->i", a, b)
a.split(2)
torch.cdist(a, a)
torch.tensordot(a, b, 1)
x, y = torch.broadcast_tensors(a, b)
x, y = torch.meshgrid(b, b, indexing="ij")
`)
		want := []string{
			"einsum([3 4], [4]) = [3]",
			"split([3 4]) = [2 4], [1 4]",
			"cdist([3 4], [3 4]) = [3 3]",
			"tensordot([3 4], [4]) = [3]",
			"expand([4]) = [3 4]", // the values of a do not go into y, nor those of b into x
			"expand([4]) = [4 4]",
			"expand([4]) = [4 4]",
		}
		if diff := cmp.Diff(want, operationsOf(tape)); diff != "" {
			t.Errorf("-want +recorded:\n%s", diff)
		}
	})
}

// TestAnOperationHasOneName calls operations by other names.
func TestAnOperationHasOneName(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, `
import torch
a = torch.ones(3)
torch.multiply(a, a)
a.subtract(a)
a.clip(max=1.0)
torch.special.expit(a)
torch.concat([a, a])
a.true_divide(2)
a.multiply_(a)
a.greater(a)
`)
		var names []string
		for _, op := range operationsOf(tape) {
			name, _, _ := strings.Cut(op, "(")
			names = append(names, name)
		}
		want := []string{"mul", "sub", "clamp", "sigmoid", "cat", "div", "mul_", "gt"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("-want +recorded:\n%s", diff)
		}
	})
}

// operationsOf lists the operations with operands, with their shapes: "mul([3], [3]) = [3]".
func operationsOf(tape *graph.Tape) (found []string) {
	shapes := map[graph.TensorID]string{}
	of := func(ids []graph.TensorID) string {
		var texts []string
		for _, id := range ids {
			texts = append(texts, shapes[id])
		}
		return strings.Join(texts, ", ")
	}
	eachEvent(tape, func(e graph.Event) {
		switch e := e.(type) {
		case *graph.TensorCreated:
			shapes[e.Tensor] = fmt.Sprint(slices.Clone(e.Shape))
		case *graph.OpRan:
			if len(e.Inputs) > 0 {
				found = append(found, fmt.Sprintf("%s(%s) = %s", tape.String(e.Op), of(e.Inputs), of(e.Outputs)))
			}
		}
	})
	return found
}
