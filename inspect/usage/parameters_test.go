package usage_test

import (
	"math"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

func TestParametersAreFollowedFromStepToStep(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	whole := func(x ...float64) graph.Value { return graph.Summarize(graph.Float64, x, len(x)) }
	part := graph.Summarize(graph.Float64, []float64{6, 8, 0}, 1)
	w := tape.InternString("w")
	for _, e := range []graph.Event{
		&graph.TensorCreated{Tensor: 1, Storage: 1, Counter: 1, DType: graph.Float64, Shape: []int{2}, Flags: graph.FlagRequiresGrad, Value: whole(3, 4)},
		&graph.NameBound{Name: w, Tensor: 1},
		&graph.TensorCreated{Tensor: 2, Storage: 2, Counter: 2, DType: graph.Float64, Shape: []int{3}, Flags: graph.FlagRequiresGrad, Value: part},
		&graph.TensorCreated{Tensor: 3, Storage: 3, Counter: 3, DType: graph.Float64, Shape: []int{2}, Value: whole(0, 2)},
		&graph.GradAssigned{Tensor: 1, Grad: 3},
		&graph.OptimizerStepped{Params: []graph.TensorID{1, 2}},
		&graph.Mutated{Tensor: 1, To: 1, Value: whole(3, 3)},
		&graph.OptimizerStepped{Params: []graph.TensorID{1, 2}, Done: true},
		&graph.OptimizerStepped{Params: []graph.TensorID{1}},
		&graph.Mutated{Tensor: 1, To: 2}, // of which no value was taken
		&graph.OptimizerStepped{Params: []graph.TensorID{1}, Done: true},
	} {
		tape.Append(graph.Header{}, e)
	}
	all := usage.Parameters(tape, tape.Len())
	if len(all) != 2 || all[0].Name != "w" || all[1].Tensor != 2 || len(all[0].Steps) != 2 || len(all[1].Steps) != 1 {
		t.Fatalf("%+v", all)
	}
	close := func(got, want float64) bool {
		return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) < 1e-12
	}
	nan := math.NaN()
	for i, c := range []struct {
		got  usage.ParameterStep
		want usage.ParameterStep
	}{
		{all[0].Steps[0], usage.ParameterStep{Norm: math.Sqrt(18), Gradient: 2, Ratio: 0.2}},
		{all[0].Steps[1], usage.ParameterStep{Norm: nan, Gradient: 2, Ratio: nan}},
		{all[1].Steps[0], usage.ParameterStep{Norm: 10, Gradient: nan, Ratio: nan}},
	} {
		if !close(c.got.Norm, c.want.Norm) || !close(c.got.Gradient, c.want.Gradient) || !close(c.got.Ratio, c.want.Ratio) {
			t.Errorf("step %d: %+v, want %+v", i, c.got, c.want)
		}
	}
	if early := usage.Parameters(tape, 8); len(early) != 2 || len(early[0].Steps) != 1 {
		t.Errorf("of the first events: %+v", early)
	}
}
