package lookup_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// record runs a program on a leaf of 256 float32, 1024 bytes, and returns the
// graph in the end.
func record(t *testing.T, program func(x *autograd.Tensor)) *graph.Graph {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	x := autograd.Full([]int{256}, 0.5)
	check(x.SetRequiresGrad(true))
	program(x)
	return tape.CursorAt(tape.Len()).Graph()
}

// check stops a test program that does not do what it says.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

func withoutGrad(f func() error) {
	autograd.NoGrad(func() { check(f()) })
}

func hazards(g *graph.Graph) string {
	var found []string
	for _, h := range lookup.Hazards(g) {
		found = append(found, fmt.Sprintf("%s.%s %d->%d", h.Name, h.Saved.Name, h.Saved.Version, h.Saved.Current))
	}
	return strings.Join(found, ", ")
}

func TestHazardsAreSavedTensorsThatChangedSince(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(x *autograd.Tensor)
		want    string
	}{
		{"nothing", func(x *autograd.Tensor) {}, ""},
		{"a result that is saved", func(x *autograd.Tensor) {
			y := x.Exp()
			check(y.Add_(1))
		}, "ExpBackward0.result 0->1"},
		{"a tensor that no node saved", func(x *autograd.Tensor) {
			y := x.Neg()
			check(y.Add_(1))
		}, ""},
		{"a change before it is saved", func(x *autograd.Tensor) {
			y := x.Neg()
			check(y.Add_(1))
			y.Sin()
		}, ""},
		{"two nodes and two changes", func(x *autograd.Tensor) {
			y := x.Exp()
			y.Sin()
			check(y.Add_(1))
			check(y.Add_(1))
		}, "ExpBackward0.result 0->2, SinBackward0.self 0->2"},
		{"one of two operands", func(x *autograd.Tensor) {
			y, z := x.Neg(), x.Neg()
			y.Mul(z)
			check(z.Zero_())
		}, "MulBackward0.other 0->1"},
		{"through a view", func(x *autograd.Tensor) {
			y := x.Exp()
			check(y.Narrow(0, 0, 1).Zero_())
		}, "ExpBackward0.result 0->1"},
		{"through a detached tensor", func(x *autograd.Tensor) {
			y := x.Exp()
			check(y.Detach().Zero_())
		}, "ExpBackward0.result 0->1"},
		{"a parameter that an update changes", func(x *autograd.Tensor) {
			x.Mul(x)
			withoutGrad(func() error { return x.Sub_(1) })
		}, "MulBackward0.other 0->1, MulBackward0.self 0->1"},
		{"after the graph was freed", func(x *autograd.Tensor) {
			check(x.Mul(x).Sum().Backward())
			withoutGrad(func() error { return x.Sub_(1) })
		}, ""},
		{"after the graph was retained", func(x *autograd.Tensor) {
			check(x.Mul(x).Sum().Backward(autograd.RetainGraph))
			withoutGrad(func() error { return x.Sub_(1) })
		}, "MulBackward0.other 0->1, MulBackward0.self 0->1"},
		{"an operator that works in place and keeps a copy", func(x *autograd.Tensor) {
			y := x.Neg()
			check(y.Pow_(2))
			check(y.Mul_(3))
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := record(t, c.program)
			if got := hazards(g); got != c.want {
				t.Errorf("hazards %q, want %q", got, c.want)
			}
			for _, h := range lookup.Hazards(g) {
				_, saved, _ := g.Tape().At(h.SavedAt)
				_, changed, _ := g.Tape().At(h.ModifiedAt)
				if n, ok := saved.(*graph.NodeCreated); !ok || n.Node != h.Node {
					t.Errorf("%s is saved by %v", h.Name, saved)
				}
				if m, ok := changed.(*graph.Mutated); !ok || m.To != h.Saved.Current {
					t.Errorf("%s is changed by %v", h.Name, changed)
				}
			}
		})
	}
}

// A hazard is what makes backward fail.
func TestBackwardFailsWhereTheHazardIs(t *testing.T) {
	g := record(t, func(x *autograd.Tensor) {
		y := x.Exp()
		loss := y.Sum()
		check(y.Add_(1))
		if loss.Backward() == nil {
			t.Error("backward does not fail")
		}
	})
	h := lookup.Hazards(g)
	if len(h) != 1 {
		t.Fatalf("%d hazards", len(h))
	}
	if n, _ := g.Node(h[0].Node); n.Status != graph.Failed {
		t.Errorf("the node is %v", n.Status)
	}
}

func TestAHazardExistsFromTheChangeOn(t *testing.T) {
	g := record(t, func(x *autograd.Tensor) {
		y := x.Exp()
		check(y.Add_(1))
		x.Sin()
	})
	at := lookup.Hazards(g)[0].ModifiedAt
	for p, want := range map[graph.Pos]int{at: 0, at + 1: 1} { // a position is behind the events before it
		if got := len(lookup.Hazards(g.Tape().CursorAt(p).Graph())); got != want {
			t.Errorf("%d hazards at %d, want %d", got, p, want)
		}
	}
}

func TestReleasedNodesAreNoHazardAndHoldNothing(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	err := tape.ReadText(strings.NewReader(`+0s tensor-created tensor=1 storage=1 bytes=64 counter=1 version=0 dtype=float32 shape=[16]
+0s node-created node=1 name="SinBackward0" outputs=1 saved=[(name="self" tensor=1)]
+0s mutated tensor=1 from=0 to=1
`))
	if err != nil {
		t.Fatal(err)
	}
	g := tape.CursorAt(tape.Len()).Graph()
	if h, b := hazards(g), lookup.HeldBytes(g); h != "SinBackward0.self 0->1" || b != 64 {
		t.Fatalf("before: hazards %q, %d bytes", h, b)
	}
	tape.Append(graph.Header{}, &graph.NodeReleased{Node: 1})
	g = tape.CursorAt(tape.Len()).Graph()
	if h, b := hazards(g), lookup.HeldBytes(g); h != "" || b != 0 {
		t.Errorf("after: hazards %q, %d bytes", h, b)
	}
}

func TestHeldBytesCountAStorageOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(x *autograd.Tensor)
		want    uint64
	}{
		{"nothing saved", func(x *autograd.Tensor) { x.Neg() }, 0},
		{"one operand twice", func(x *autograd.Tensor) { x.Mul(x) }, 1024},
		{"two nodes", func(x *autograd.Tensor) { x.Sin(); x.Cos() }, 1024},
		{"views", func(x *autograd.Tensor) { x.View([]int{16, 16}).Sin(); x.Narrow(0, 0, 2).Sin() }, 1024},
		{"two storages", func(x *autograd.Tensor) { x.Mul(x.Neg()) }, 2048},
		{"a result", func(x *autograd.Tensor) { x.Exp() }, 1024},
		{"no graph", func(x *autograd.Tensor) { withoutGrad(func() error { return x.Sin().Err() }) }, 0},
		{"freed", func(x *autograd.Tensor) { check(x.Mul(x.Exp()).Sum().Backward()) }, 0},
		{"retained", func(x *autograd.Tensor) { check(x.Mul(x.Exp()).Sum().Backward(autograd.RetainGraph)) }, 2048},
		{"freed in part", func(x *autograd.Tensor) {
			y := x.Exp()
			z := y.Sin()
			check(y.Sum().Backward())
			_ = z
		}, 1024},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lookup.HeldBytes(record(t, c.program)); got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
}

func TestASummaryCounts(t *testing.T) {
	g := record(t, func(x *autograd.Tensor) {
		w := autograd.New([]float64{1}, autograd.RequiresGrad)
		y := x.Mul(w).Exp() // tensors 3 and 4
		loss := y.Sum()
		check(loss.Backward())
		if loss.Backward() == nil {
			t.Error("the second backward does not fail")
		}
		z := x.Exp()
		check(z.Add_(1))
	})
	s := lookup.Summarize(g)
	if s.Events != int(g.Tape().Len()) || s.Tensors != g.TensorCount() || s.Nodes != g.NodeCount() || s.Leaves != 2 {
		t.Errorf("%+v", s)
	}
	if s.Backwards != 2 || s.Failed != 1 || s.Mutations != 1 || s.Freed != 2 || len(s.Hazards) != 1 || s.HeldBytes != 1024 {
		t.Errorf("%+v", s)
	}
	if s.Stopped != "" {
		t.Errorf("stopped: %s", s.Stopped)
	}
}

func TestASummaryOfNothing(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	want := "0 events, 0 tensors (0 leaves that require grad)\n0 nodes (0 freed), 0 backward passes\n0 changes in place; saved tensors hold 0 B"
	if got := lookup.Summarize(tape.CursorAt(0).Graph()).String(); got != want {
		t.Errorf("summary\n%s\nwant\n%s", got, want)
	}
}

func TestASummaryReads(t *testing.T) {
	s := lookup.Summary{Events: 1, Tensors: 1, Leaves: 1, Nodes: 1, Backwards: 1, Failed: 1, Mutations: 1, Freed: 1, Hazards: make([]lookup.Hazard, 1), HeldBytes: 1536, Stopped: "the limit of 1 event"}
	want := `1 event, 1 tensor (1 leaf that requires grad)
1 node (1 freed), 1 backward pass (1 failed)
1 change in place; saved tensors hold 1.5 KiB
1 saved tensor was changed in place since: backward would fail there
the recording is not complete: the limit of 1 event`
	if got := s.String(); got != want {
		t.Errorf("summary\n%s\nwant\n%s", got, want)
	}
	const many = 123_456_789
	s = lookup.Summary{Events: many, Tensors: many, Leaves: many, Nodes: many, Backwards: many, Failed: many, Mutations: many, Freed: many, Hazards: make([]lookup.Hazard, many/100), HeldBytes: math.MaxUint64}
	for line := range strings.SplitSeq(s.String(), "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("more than 80 columns: %s", line)
		}
	}
}

func TestGradientsAddedInPlaceAreNoChangesOfTheProgram(t *testing.T) {
	g := record(t, func(x *autograd.Tensor) {
		for range 3 {
			check(x.Sum().Backward())
		}
		check(x.Grad().Zero_())
	})
	if n := lookup.Summarize(g).Mutations; n != 1 {
		t.Errorf("%d changes, want only the one by zero_", n)
	}
}
