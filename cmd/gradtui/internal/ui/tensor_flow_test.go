package ui

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// fading is a pass whose gradient is multiplied by 1e-5, then by 1e5, then by zero.
func fading() error {
	w := autograd.New([]float64{3, 4}, autograd.RequiresGrad).SetName("w")
	v := autograd.New([]float64{1, 1}, autograd.RequiresGrad).SetName("v")
	h := w.MulScalar(0).Add(v).MulScalar(1e5).MulScalar(1e-5)
	return h.Sum().Backward()
}

func TestTheNormsBesideTheNodesShowWhereAGradientFades(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, fading); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 80, 30)
	d.Press("1", "w")
	var rows []string
	for line := range strings.Lines(d.Screen()) {
		if fields := strings.Fields(line); strings.Contains(line, "Backward") && strings.Contains(line, ":") && !strings.Contains(line, "Graph") || strings.Contains(line, " leaf") {
			_, norms, _ := strings.Cut(strings.Join(fields, " "), ":")
			if norms == "" {
				norms = strings.Join(fields[len(fields)-4:], " ")
			}
			rows = append(rows, strings.TrimLeft(norms, "0123456789 "))
		}
	}
	want := []string{
		"▁ 2.0e+00 ▇ 1.0e+00",   // sum: the seed
		"▁ 1.4e+00 █ 1.4e+00 -", // h, times 1e-5: the root of two ones
		"█ 1.4e+05 ▁ 1.4e-05 +", // times 1e5
		"▁ 1.4e+00 █ 1.4e+00",   // the sum of both
		"▁ 1.4e+00 █ 1.4e+00",   // v
		"▏ 0 █ 1.4e+00 -",       // times zero
		"▁ 5.0e+00 ▏ 0",         // w
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	d.Press("w")
	if after := d.Screen(); strings.Contains(after, "1.4e-05") {
		t.Errorf("the norms are still there:\n%s", after)
	}
}

// A repetition that is one row shows by how much each step multiplies: 2 stays 2 in h/2 + 1, and the gradient
// is halved.
func TestARepetitionShowsItsFactor(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, func() error {
		h := autograd.New([]float64{2, 2}, autograd.RequiresGrad).SetName("w")
		for range 12 {
			h = h.MulScalar(0.5).AddScalar(1)
		}
		return h.Sum().Backward()
	}); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 100, 30)
	d.Press("1", "w", "-")
	row := ""
	for line := range strings.Lines(d.Screen()) {
		if strings.Contains(line, "2 nodes each") {
			line, _, _ = strings.Cut(line, "│")
			row = strings.Join(strings.Fields(line), " ")
		}
	}
	if !strings.HasSuffix(row, "×1 each ×0.5 each -") {
		t.Errorf("the row is %q, in\n%s", row, d.Screen())
	}
}

func TestANormThatIsNotKnownIsNoJump(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		of   flow
		want string
	}{
		{flow{nan, nan, nan}, ""},
		{flow{1, 1, 999}, ""},
		{flow{1, 1, 1000}, "+"},
		{flow{1, 1, inf}, "+"},
		{flow{1, inf, nan}, ""},
		{flow{1, inf, 0}, ""},
		{flow{1, 1, 0}, "-"},
		{flow{1, 0, nan}, ""},
	} {
		if _, got := c.of.mark(); got != c.want {
			t.Errorf("%+v is marked %q, want %q", c.of, got, c.want)
		}
	}
	known := graph.Grad{Shape: []int{2}, Value: graph.Summarize(graph.Float32, []float32{3, 4}, 2)}
	unknown := graph.Grad{Shape: []int{9}, Value: graph.Value{DType: graph.Float32, Count: 9}}
	bad := graph.Grad{Shape: []int{1}, Value: graph.Summarize(graph.Float32, []float32{float32(nan)}, 1)}
	if got := normOf([]graph.Grad{known, {}, known}); math.Abs(got-math.Sqrt(50)) > 1e-12 {
		t.Error(got)
	}
	if got := normOf([]graph.Grad{known, bad}); !math.IsInf(got, 1) {
		t.Error(got)
	}
	if got := normOf([]graph.Grad{known, unknown}); !math.IsNaN(got) {
		t.Error(got)
	}
	if got := normOf([]graph.Grad{{}}); !math.IsNaN(got) {
		t.Error(got)
	}
}
