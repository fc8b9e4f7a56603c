package graph_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

func TestASummaryMeasuresTheFiniteElements(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for _, c := range []struct {
		data  []float64
		norm  float64
		zeros uint64
	}{
		{nil, 0, 0},
		{[]float64{3, -4}, 5, 0},
		{[]float64{3, 0, math.Copysign(0, -1), 4}, 5, 2},
		{[]float64{nan, inf, 0, 2}, 2, 1},
		{[]float64{nan, nan}, 0, 0},
		{[]float64{1e-200, 0}, 0, 1}, // the square is too small for a double
		{[]float64{1e200}, math.Inf(1), 0},
	} {
		for first := range len(c.data) + 1 {
			v := graph.Summarize(graph.Float64, c.data, first)
			if v.Norm != c.norm || v.Zeros != c.zeros || !v.Measured {
				t.Errorf("%v: norm %v and %d zeros, want %v and %d", c.data, v.Norm, v.Zeros, c.norm, c.zeros)
			}
		}
	}
}

// The norm and the zeros of a value that is not whole are on tapes of format 2 only.
func TestAValueOfAnOlderTapeHasNoNorm(t *testing.T) {
	const statistics = "first=[3,4] min=-1 max=4 mean=2"
	for _, c := range []struct {
		text     string
		measured bool
		norm     float64
		zeros    uint64
	}{
		{"count=3 " + statistics, false, 0, 0},
		{"count=3 whole=measured " + statistics + " norm=5.5 zeros=1", true, 5.5, 1},
		{"count=3 whole=measured " + statistics, true, 0, 0},
		{"count=2 whole=true first=[3,4]", true, 5, 0},
	} {
		tape := graph.NewTape(graph.Limits{})
		line := "+0s mutated tensor=4 to=1 value=(dtype=float32 " + c.text + ")\n"
		if err := tape.ReadText(strings.NewReader(line)); err != nil {
			t.Fatal(err)
		}
		_, e, err := tape.NewDecoder().Read(0)
		if err != nil {
			t.Fatal(err)
		}
		if v := e.(*graph.Mutated).Value; v.Measured != c.measured || v.Norm != c.norm || v.Zeros != c.zeros {
			t.Errorf("%s: %+v", c.text, v)
		}
		var text strings.Builder
		if err := tape.WriteText(&text); err != nil || text.String() != line {
			t.Errorf("got %q, want %q (%v)", text.String(), line, err)
		}
	}
}

func TestAValueOfAnUnknownFormIsAnError(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	err := tape.ReadText(strings.NewReader("+0s mutated tensor=4 to=1 value=(dtype=float32 count=3 whole=3 first=[3,4])\n"))
	if err == nil || !strings.Contains(err.Error(), "unknown form") {
		t.Error(err)
	}
}
