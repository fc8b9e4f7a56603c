package python_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// TestEqualNumbersOfDifferentTypesStayApart calls an operation with numbers that Python takes for
// the same key.
func TestEqualNumbersOfDifferentTypesStayApart(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, `
import torch
x = torch.ones(2)
for number in [1, 1.0, True, 1, 1.0, True]:
    x.clamp(number)
`)
		want := []graph.AttrType{graph.AttrInt, graph.AttrFloat, graph.AttrBool, graph.AttrInt, graph.AttrFloat, graph.AttrBool}
		var got []graph.AttrType
		for p := range tape.Len() {
			_, e, err := tape.At(p)
			if err != nil {
				t.Fatal(err)
			}
			if op, ok := e.(*graph.OpRan); ok && tape.String(op.Op) == "clamp" {
				got = append(got, op.Attrs[0].Type)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
