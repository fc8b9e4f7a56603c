package query_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

// record returns the tape of a program.
func record(t *testing.T, program func()) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	program()
	return tape
}

// training is three iterations of w -= w.grad, and a clamp.
func training() {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("model.w")
	for range 3 {
		w.SetGrad(nil)
		h := w.Mul(w).SetName("h")
		loss := h.Sum().SetName("loss")
		if err := loss.Backward(); err != nil {
			panic(err)
		}
		autograd.NoGrad(func() { w.Mul_(3) })
	}
}

// hits says what lies before each hit of a query.
func hits(t *testing.T, tape *graph.Tape, text string) (found []string) {
	t.Helper()
	q, err := query.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	x := query.NewHits(tape, q)
	for x.Pos() < tape.Len() { // in pieces, as the debugger does
		x.Extend(x.Pos() + 7)
	}
	for _, p := range x.All() {
		_, e, err := tape.At(p - 1)
		if err != nil {
			t.Fatal(err)
		}
		what := e.Kind().String()
		if op, ok := e.(*graph.OpRan); ok {
			what = tape.String(op.Op)
		}
		found = append(found, what)
	}
	return found
}

func TestQueriesHit(t *testing.T) {
	tape := record(t, training)
	three := func(what string) []string { return []string{what, what, what} }
	for text, want := range map[string][]string{
		`op == "sum"`:                                  three("sum"),
		`op == "s*" and max(out) > 40`:                 {"sum", "sum"},
		`op == "sum" and out.item > 40`:                {"sum", "sum"},
		`op in ("sum", "mul_")`:                        {"sum", "mul_", "sum", "mul_", "sum", "mul_"},
		`op == "mul" and min(input) >= 9`:              {"mul"},
		`writes(w)`:                                    nil, // it is called model.w
		`writes(model.w)`:                              three("mutated"),
		`writes(t1)`:                                   three("mutated"),
		`writes()`:                                     three("mutated"),
		`writes(model.w) and max > 20`:                 {"mutated"},
		`max(model.w) > 20`:                            {"mutated"},
		`model.w.max - model.w.min == 3`:               {"mutated"},
		`norm(grad(model.w)) > 10`:                     {"grad-accumulated", "grad-accumulated"},
		`grad(model.w).norm < 10`:                      {"grad-accumulated"},
		`model.w.grad.max == 4`:                        {"grad-accumulated"},
		`zeros(model.w) == 0 and writes(model.w)`:      {"mutated", "mutated", "mutated"},
		`item(loss) > 5`:                               {"name-bound", "name-bound"},
		`binds(loss) and iteration == 2`:               {"name-bound"},
		`binds(loss) in iteration 2`:                   {"name-bound"},
		`binds("lo*")`:                                 three("name-bound"),
		`reads(h)`:                                     three("sum"),
		`reads(h) after backward 1`:                    {"sum", "sum"},
		`touches(loss)`:                                three("name-bound"),
		`runs("MulBackward0") and backward == 2`:       {"node-ready"},
		`iteration == 3`:                               {"backward-ended"},
		`event == "backward-began"`:                    three("backward-began"),
		`out.shape == [2] and op == "mul"`:             three("mul"),
		`out.shape[0] == 2 and dim(out) == 1`:          {"mul", "mul_", "mul", "mul_", "mul", "mul_"},
		`changes(h.max)`:                               {"name-bound", "name-bound"},
		`changes(iteration)`:                           three("backward-ended"),
		`changes(op)`:                                  {"sum", "mul_", "mul", "sum", "mul_", "mul", "sum", "mul_"},
		`op == "mul" and after(writes(model.w))`:       {"mul", "mul"},
		`op == "mul" and before(writes(model.w))`:      {"mul"},
		`not (max(h) > 5) and binds(h)`:                {"name-bound"},
		`"nothing" == op`:                              nil,
		`op mul*`:                                      {"mul", "mul_", "mul", "mul_", "mul", "mul_"},
		`op [mM]ul*`:                                   {"mul", "node-ready", "mul_", "mul", "node-ready", "mul_", "mul", "node-ready", "mul_"},
		`op mul* if max > 100`:                         {"mul"},
		`inplace model.w if version >= 2`:              {"mutated", "mutated"},
		`free MulBackward0`:                            three("saved-freed"),
		`tensor h`:                                     three("name-bound"),
		`nan`:                                          nil,
		`finding nan-grad`:                             nil,
		`max(t1) > 2 or op == "sum"`:                   {"sum", "mutated", "sum", "mutated", "sum", "mutated"},
		`max(grad(model.w)) / max(model.w) == 2`:       three("grad-accumulated"),
		`dtype(loss) == "float32" and loss.numel == 1`: three("name-bound"),
	} {
		if diff := cmp.Diff(want, hits(t, tape, text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// A tape of the first version of the format has the norm of values that are whole only.
func TestNormsAreNotNeededForAllElements(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for _, measured := range []bool{true, false, true} {
		v := graph.Value{DType: graph.Float32, Count: 9, Min: -3, Max: 4, Norm: 5, Zeros: 7, Measured: measured}
		id := graph.TensorID(tape.Len()/2 + 1)
		tape.Append(graph.Header{}, &graph.TensorCreated{Tensor: id, DType: graph.Float32, Shape: []int{9}})
		tape.Append(graph.Header{}, &graph.Mutated{Tensor: id, To: 1, Value: v})
	}
	for text, want := range map[string]int{"norm(t1) == 5": 1, "norm(t2) == 5": 0, "norm(t2) == 0": 0, "zeros(t3) == 7": 1, "zeros(t2) == 0": 0} {
		if got := hits(t, tape, text); len(got) != want {
			t.Errorf("%s: %q, want %d hits", text, got, want)
		}
	}
}
