package lookup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

func TestMomentsFollowANameThroughIterations(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("w")
	for range 2 {
		w.SetGrad(nil)
		loss := w.Mul(w).Sum().SetName("loss")
		if err := loss.Backward(); err != nil {
			t.Fatal(err)
		}
		autograd.NoGrad(func() { w.Sub_(w.Grad()) })
	}
	stop()
	g := tape.CursorAt(tape.Len()).Graph()
	contents := func(name string, grads bool) string {
		id, ok := g.Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		var texts []string
		last := graph.Pos(-1)
		for _, m := range lookup.Moments(tape, id, grads) {
			if m.At <= last {
				t.Errorf("%s: event %d comes after %d", name, m.At, last)
			}
			last = m.At
			texts = append(texts, fmt.Sprint(m.Shape, m.Content(tape).First))
		}
		return strings.Join(texts, " ")
	}
	for _, c := range []struct {
		name  string
		grads bool
		want  string
	}{
		{"w", false, "[2] [1 2] [2] [-1 -2] [2] [1 2]"},
		{"w", true, "[2] [2 4] [2] [-2 -4]"},
		{"loss", false, "[] [5] [] [5]"},
		{"loss", true, ""},
	} {
		if diff := cmp.Diff(c.want, contents(c.name, c.grads)); diff != "" {
			t.Errorf("%s, gradients %t: %s", c.name, c.grads, diff)
		}
	}
}
