package repr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func constant(v float64) Floats { return func(int) float64 { return v } }

func TestASummaryReadsOnlyTheElementsItShows(t *testing.T) {
	read := map[int]bool{}
	String(Tensor{
		Shape: []int{1000, 1000, 1000},
		DType: "float32",
		Values: Floats(func(i int) float64 {
			read[i] = true
			return 0
		}),
	}, DefaultOptions())
	if want := 6 * 6 * 6; len(read) != want {
		t.Errorf("%d elements were read, want %d", len(read), want)
	}
	for i := range read {
		for _, at := range []int{i % 1000, i / 1000 % 1000, i / 1000000} {
			if at >= 3 && at < 997 {
				t.Errorf("element %d was read", i)
			}
		}
	}
}

func TestASizeBelowZeroCountsAsZero(t *testing.T) {
	got := String(Tensor{Shape: []int{2, -3}, DType: "float32", Values: constant(1)}, DefaultOptions())
	if want := "tensor([], size=(2, -3))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAShapeTooLargeForAnIntWithoutElementsPrints(t *testing.T) {
	shape := []int{math.MaxInt, math.MaxInt, 0}
	got := String(Tensor{Shape: shape, DType: "float32", Values: constant(1)}, DefaultOptions())
	if want := "tensor([], size=" + Tuple(shape) + ")"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAppendLeavesTheTextBeforeAlone(t *testing.T) {
	tensor := Tensor{Shape: []int{2}, DType: "float64", Values: constant(1.5), RequiresGrad: true}
	before := "a line that is long enough to matter if it were counted as one with the rest: "
	got := string(Append([]byte(before), tensor, DefaultOptions()))
	if want := before + "tensor([1.5000, 1.5000], dtype=torch.float64, requires_grad=True)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNegativeOptionsCountAsZero(t *testing.T) {
	negative, zero := DefaultOptions(), DefaultOptions()
	negative.Precision, negative.EdgeItems, negative.Threshold = -4, -1, 2
	zero.Precision, zero.EdgeItems, zero.Threshold = 0, 0, 2
	for _, shape := range [][]int{{}, {2}, {3}, {3, 3}} {
		tensor := Tensor{Shape: shape, DType: "float32", Values: constant(1.25)}
		if got, want := String(tensor, negative), String(tensor, zero); got != want {
			t.Errorf("shape %v: got %s, want %s", shape, got, want)
		}
	}
}

func TestSetTakesTheProfileFirstAndForgetsTheSciMode(t *testing.T) {
	o := DefaultOptions()
	o.DefaultDType = "float64"
	o.SciMode = SciOn
	digits := 7
	got := o.Set(Change{Profile: "short", Precision: &digits})
	want := Options{Precision: 7, Threshold: 1000, EdgeItems: 2, LineWidth: 80, DefaultDType: "float64"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if full := got.Set(Change{Profile: "full"}); !math.IsInf(full.Threshold, 1) {
		t.Errorf("profile full has threshold %v, want inf", full.Threshold)
	}
	if same := got.Set(Change{Profile: "none such"}); same != got {
		t.Errorf("an unknown profile gives %+v, want %+v", same, got)
	}
}

func TestOnlyAScalarTakesAFormatSpec(t *testing.T) {
	half := constant(0.5)
	tests := []struct {
		name   string
		tensor Tensor
		spec   string
		want   string
		err    string
	}{
		{name: "scalar", tensor: Tensor{DType: "float32", Values: half}, spec: ".2f", want: "0.50"},
		{name: "plain scalar", tensor: Tensor{DType: "float32", Values: half}, want: "0.5"},
		{name: "int scalar", tensor: Tensor{DType: "int64", Values: Ints(func(int) int64 { return 42 })}, spec: "x", want: "2a"},
		{name: "bool scalar", tensor: Tensor{DType: "bool", Values: Bools(func(int) bool { return true })}, want: "True"},
		{name: "vector", tensor: Tensor{Shape: []int{1}, DType: "float32", Values: half}, want: "tensor([0.5000])"},
		{name: "vector with a spec", tensor: Tensor{Shape: []int{1}, DType: "float32", Values: half}, spec: ".2f",
			err: "TypeError: unsupported format string passed to Tensor.__format__"},
		{name: "parameter", tensor: Tensor{DType: "float32", Values: half, Parameter: true},
			want: "Parameter containing:\ntensor(0.5000)"},
		{name: "parameter with a spec", tensor: Tensor{DType: "float32", Values: half, Parameter: true}, spec: ".2f",
			err: "TypeError: unsupported format string passed to Parameter.__format__"},
		{name: "no storage", tensor: Tensor{DType: "float32"}, want: "tensor(..., device='meta', size=())"},
		{name: "no storage with a spec", tensor: Tensor{DType: "float32"}, spec: ".2f",
			err: "TypeError: unsupported format string passed to Tensor.__format__"},
		{name: "bad spec", tensor: Tensor{DType: "float32", Values: half}, spec: "d",
			err: "ValueError: Unknown format code 'd' for object of type 'float'"},
		{name: "too wide", tensor: Tensor{DType: "float32", Values: half}, spec: "5000000000", err: "MemoryError"},
		{name: "too precise", tensor: Tensor{DType: "float32", Values: half}, spec: ".5000000f", err: "MemoryError"},
	}
	for _, test := range tests {
		got, err := Format(test.tensor, DefaultOptions(), test.spec)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if got != test.want || message != test.err {
			t.Errorf("%s: got %q, %q, want %q, %q", test.name, got, message, test.want, test.err)
		}
	}
}

func TestSequencesPrintAsInPython(t *testing.T) {
	tests := []struct {
		items             []int
		list, tuple, size string
	}{
		{nil, "[]", "()", "torch.Size([])"},
		{[]int{3}, "[3]", "(3,)", "torch.Size([3])"},
		{[]int{2, -3, 40}, "[2, -3, 40]", "(2, -3, 40)", "torch.Size([2, -3, 40])"},
	}
	for _, test := range tests {
		got := []string{List(test.items), Tuple(test.items), Size(test.items)}
		if want := []string{test.list, test.tuple, test.size}; !slices.Equal(got, want) {
			t.Errorf("%v: got %q, want %q", test.items, got, want)
		}
	}
}

func BenchmarkString(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := make([]float64, 1000)
	for i := range numbers {
		numbers[i] = float64(float32(rng.NormFloat64()))
	}
	at := Floats(func(i int) float64 { return numbers[i%len(numbers)] })
	thousandth := Floats(func(i int) float64 { return at(i) * 1e-3 })
	tests := []struct {
		name   string
		tensor Tensor
	}{
		{"fixed1000", Tensor{Shape: []int{10, 100}, DType: "float32", Values: at}},
		{"scientific1000", Tensor{Shape: []int{10, 100}, DType: "float32", Values: thousandth}},
		{"int1000", Tensor{Shape: []int{1000}, DType: "int64", Values: Ints(func(i int) int64 { return int64(i) })}},
		{"summary", Tensor{Shape: []int{4096, 4096}, DType: "float32", Values: at}},
		{"scalar", Tensor{DType: "float32", Values: at}},
	}
	for _, test := range tests {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				String(test.tensor, DefaultOptions())
			}
		})
	}
}
