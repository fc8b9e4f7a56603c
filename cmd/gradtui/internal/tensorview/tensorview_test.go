package tensorview

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// counting returns a tensor with the elements 0, 1, 2 …, of which the first ones are known.
func counting(known int, shape ...int) *View {
	data := make([]float64, numel(shape))
	for i := range data {
		data[i] = float64(i)
	}
	return New(shape, graph.Summarize(graph.Float32, data, known))
}

// grid writes what a view shows; unknown elements are question marks.
func grid(t *View) string {
	rows, columns := t.Size()
	lines := []string{}
	for r := range rows {
		cells := []string{t.RowLabel(r) + ":"}
		for c := range columns {
			x, known, there := t.At(r, c)
			switch {
			case !there:
			case !known:
				cells = append(cells, "?")
			default:
				cells = append(cells, Number(x))
			}
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "\n")
}

// The elements are what numpy.arange(n).reshape(shape)[slice] is.
func TestSlicesAreWhatNumpyShows(t *testing.T) {
	for _, c := range []struct {
		shape       []int
		slice       string
		shown, want string
		pages       int
	}{
		{nil, "", "", ": 0", 1},
		{[]int{3}, "", "[:]", "0: 0 1 2", 1},
		{[]int{3}, "-1", "[2]", ": 2", 1},
		{[]int{12}, "", "[:]", "0: 0 1 2 3 4 5 6 7 8 9\n10: 10 11", 1},
		{[]int{12}, "1::2", "[1:13:2]", "1: 1 3 5 7 9 11", 1},
		{[]int{2, 3}, "", "[:, :]", "0: 0 1 2\n1: 3 4 5", 1},
		{[]int{2, 3}, "1", "[1, :]", "0: 3 4 5", 1},
		{[]int{2, 3}, ":, 1", "[:, 1]", "0: 1 4", 1},
		{[]int{2, 3}, "[1, -1]", "[1, 2]", ": 5", 1},
		{[]int{2, 3}, "5:", "[2:2, :]", "", 1},
		{[]int{4, 5}, "1:3, ::2", "[1:3, 0:6:2]", "1: 5 7 9\n2: 10 12 14", 1},
		{[]int{2, 2, 3}, "", "[0, :, :]", "0: 0 1 2\n1: 3 4 5", 2},
		{[]int{2, 2, 3}, "0, :, 2", "[0, :, 2]", "0: 2 5", 1},
		{[]int{2, 2, 3}, "..., 2", "[:, :, 2]", "0: 2 5\n1: 8 11", 1},
		{[]int{2, 2, 3}, "1, ...", "[1, :, :]", "0: 6 7 8\n1: 9 10 11", 1},
		{[]int{2, 0}, "", "[:, :]", "0:\n1:", 1},
		{[]int{0, 2, 2}, "", "[0, :, :]", "", 0},
	} {
		v := counting(100, c.shape...)
		if err := v.Slice(c.slice); err != nil {
			t.Errorf("%v[%s]: %v", c.shape, c.slice, err)
		} else if got := grid(v); got != c.want || v.String() != c.shown || v.Pages() != c.pages {
			t.Errorf("%v[%s] is %s of %d:\n%s\nwant %s of %d:\n%s", c.shape, c.slice, v, v.Pages(), got, c.shown, c.pages, c.want)
		}
	}
}

func TestASliceThatDoesNotFitIsExplained(t *testing.T) {
	v := counting(100, 2, 3)
	for slice, want := range map[string]string{
		"2":         "dimension 0: the index 2 is out of range, the size is 2",
		"0, -4":     "dimension 1: the index -4 is out of range, the size is 3",
		"0, 0, 0":   "3 indices, but the tensor has 2 dimensions",
		"a":         `"a" is neither an index nor a range`,
		"0,":        `dimension 1: "" is neither`,
		"::-1":      "a step of -1",
		"1:2:3:4":   "neither",
		"..., ...":  "more than one ...",
		"0, 1, ...": "",
	} {
		err := v.Slice(slice)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("[%s]: %v, want %q", slice, err, want)
		}
	}
}

func TestPagesGoThroughTheLeadingIndices(t *testing.T) {
	v := counting(100, 2, 3, 1, 2)
	seen := []string{}
	for {
		seen = append(seen, v.String())
		if !v.Turn(1) {
			break
		}
	}
	if diff := cmp.Diff([]string{"[0, 0, :, :]", "[0, 1, :, :]", "[0, 2, :, :]", "[1, 0, :, :]", "[1, 1, :, :]", "[1, 2, :, :]"}, seen); diff != "" {
		t.Error(diff)
	}
	if x, _, _ := v.At(0, 1); x != 11 || !v.Turn(-5) || v.Turn(-1) {
		t.Error(x, v)
	}
}

func TestElementsThatTheTapeLeavesOutAreUnknown(t *testing.T) {
	v := counting(4, 2, 3)
	if got := grid(v); got != "0: 0 1 2\n1: 3 ? ?" || v.Complete() {
		t.Error(got)
	}
	if s := v.Stats(); s.Whole || s.Known != 4 || s.Max != 3 {
		t.Errorf("%+v", s)
	}
	ones := New([]int{2, 3}, graph.Summarize(graph.Float32, []float32{1, 1, 1, 1, 1, 1}, 2))
	if got := grid(ones); got != "0: 1 1 1\n1: 1 1 1" || !ones.Complete() {
		t.Error(got)
	}
	for _, none := range []*View{New([]int{2}, graph.Value{}), New([]int{1 << 40, 1 << 40}, graph.Value{})} {
		if _, known, there := none.At(0, 0); known || !there || none.Complete() {
			t.Error("something is known of nothing")
		}
		if s := none.Stats(); s.Whole || s.Known > 0 {
			t.Errorf("%+v", s)
		}
	}
}

// Recorded from numpy 1.24 for the finite elements: x.min(), x.max(), x.mean(), x.std(), np.linalg.norm(x).
func TestStatisticsAreWhatNumpyComputes(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	data := []float64{0.5, -2, nan, 0, 3.25, inf, 0, -1.75}
	s := New([]int{2, 4}, graph.Summarize(graph.Float64, data, 8)).Stats()
	want := Stats{Whole: true, Known: 8, Zeros: 2, NaN: 1, Inf: 1, Min: -2, Max: 3.25, Mean: 0, Std: 1.7260262647673315, Norm: 4.227883631321941}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
}

// numpy.histogram([1, 2, 2, 3, 4, 4, 4, 5], bins=4) is [1, 2, 1, 4].
func TestAHistogramIsNumpys(t *testing.T) {
	data := []float64{1, 2, 2, 3, 4, 4, 4, 5, math.NaN(), math.Inf(-1)}
	v := New([]int{10}, graph.Summarize(graph.Float64, data, 10))
	want := []Bin{{1, 2, 1}, {2, 3, 2}, {3, 4, 1}, {4, 5, 4}}
	if diff := cmp.Diff(want, v.Histogram(4)); diff != "" {
		t.Error(diff)
	}
	one := New([]int{2}, graph.Summarize(graph.Float64, []float64{7, 7}, 2))
	if diff := cmp.Diff([]Bin{{7, 7, 2}}, one.Histogram(4)); diff != "" {
		t.Error(diff)
	}
	wide := New([]int{3}, graph.Summarize(graph.Float64, []float64{-math.MaxFloat64, 0, math.MaxFloat64}, 3))
	if got := wide.Histogram(2); len(got) != 2 || got[0].Count != 1 || got[1].Count != 2 {
		t.Errorf("%+v", got)
	}
	if got := New([]int{2}, graph.Value{}).Histogram(4); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestADifferenceNeedsTheSameShape(t *testing.T) {
	a, b := counting(6, 2, 3), counting(4, 2, 3)
	d, ok := a.Minus(b)
	if got := grid(d); !ok || got != "0: 0 0 0\n1: 0 ? ?" {
		t.Error(got)
	}
	zeros := New([]int{2, 3}, graph.Summarize(graph.Float32, make([]float32, 6), 1))
	if d, _ := a.Minus(zeros); grid(d) != grid(a) {
		t.Error(grid(d))
	}
	if _, ok := a.Minus(counting(6, 3, 2)); ok {
		t.Error("shapes that differ have a difference")
	}
}

func TestMarksShowSignAndSizeWithoutColour(t *testing.T) {
	got := ""
	for _, x := range []float64{0, 0.0001, 0.05, 0.4, 1, math.NaN(), math.Inf(1), -0.0001, -0.05, -0.4, -1} {
		got += Mark(x, 1)
	}
	if got != "·'+▒█?∞,-=≡" {
		t.Error(got)
	}
	if text := fmt.Sprint(Number(-1.23456e-100), Number(1e5), Number(12)); text != "-1.235e-1001e+0512" {
		t.Error(text)
	}
}
