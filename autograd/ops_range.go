package autograd

import "math"

// rangeOps make sequences of evenly spaced numbers.
var rangeOps = []Op{
	{
		Schema: "arange(Scalar end, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return arange(a, IntScalar(0), a.Scalar("end"), IntScalar(1)) },
	},
	{
		Schema: "arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) {
			return arange(a, a.Scalar("start"), a.Scalar("end"), a.Scalar("step"))
		},
	},
	{
		Schema: "linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) {
			t, err := evenlySpaced(a, a.Scalar("start"), a.Scalar("end"))
			if err != nil {
				return nil, err
			}
			return a.created(t)
		},
	},
	{
		Schema: "logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			t, err := evenlySpaced(a, a.Scalar("start"), a.Scalar("end"))
			if err != nil {
				return nil, err
			}
			for i := range t.Numel() {
				t.setElement(i, asDType(FloatScalar(math.Pow(a.Float("base"), t.float(i))), t.dtype))
			}
			return a.created(t)
		},
	},
	{
		Schema: "range(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			warn("UserWarning", "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).")
			from, to, by := a.Scalar("start").Float(), a.Scalar("end").Float(), a.Scalar("step").Float()
			switch {
			case by == 0 || by != by:
				return nil, fail(RuntimeError, CodeArgument, "step must be nonzero")
			case math.IsInf(from-from, 0) || from-from != 0 || to-to != 0:
				return nil, fail(RuntimeError, CodeArgument, "unsupported range: %s -> %s", cppFloat(from), cppFloat(to))
			case by > 0 && to < from || by < 0 && to > from:
				return nil, fail(RuntimeError, CodeArgument, "upper bound and lower bound inconsistent with step sign")
			}
			t := alloc(a.DType("dtype", defaultDType), []int{int((to-from)/by + 1)})
			for i := range t.Numel() {
				t.setElement(i, asDType(FloatScalar(from+by*float64(i)), t.dtype))
			}
			return a.created(t)
		},
	}}

func arange(a *Args, start, end, step Scalar) ([]*Tensor, error) {
	d := Int64
	if start.IsFloat() || end.IsFloat() || step.IsFloat() {
		d = defaultDType
	}
	d = a.DType("dtype", d)
	switch {
	case d == Bool:
		return nil, undefined("arange_cpu", d)
	case d.IsInteger():
		start, end, step = asDType(start, d), asDType(end, d), asDType(step, d)
	}
	from, to, by := start.Float(), end.Float(), step.Float()
	switch {
	case by == 0 || by != by:
		return nil, fail(RuntimeError, CodeArgument, "step must be nonzero")
	case math.IsInf(from-from, 0) || from-from != 0 || to-to != 0:
		return nil, fail(RuntimeError, CodeArgument, "unsupported range: %s -> %s", cppFloat(from), cppFloat(to))
	case by > 0 && to < from || by < 0 && to > from:
		return nil, fail(RuntimeError, CodeArgument, "upper bound and larger bound inconsistent with step sign")
	}
	n := math.Ceil((to - from) / by)
	if n < 0 || n > math.MaxInt64/8 {
		return nil, fail(RuntimeError, CodeArgument, "invalid size, possible overflow?")
	}
	t := alloc(d, []int{int(n)})
	for i := range t.Numel() {
		switch {
		case d.IsInteger():
			t.setElement(i, IntScalar(start.Int()+int64(i)*step.Int()))
		case d == Float32 && i < int(n)-int(n)%lanes:
			// The vector loop computes eight numbers from one rounded start.
			base := float64(float32(from + by*float64(i-i%8)))
			t.setElement(i, FloatScalar(base+by*float64(i%8)))
		default:
			t.setElement(i, FloatScalar(from+by*float64(i)))
		}
	}
	return a.created(t)
}

// lanes is the number of float32 elements in an iteration of PyTorch's vector
// loops: two AVX2 registers.
const lanes = 16

// cppFloat formats a number as a C++ stream does.
func cppFloat(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case x != x:
		return "nan"
	}
	return FloatScalar(x).String()
}

// evenlySpaced is linspace. It counts from both ends towards the middle, so
// that the last number is exactly end.
func evenlySpaced(a *Args, start, end Scalar) (*Tensor, *Error) {
	n := a.Int("steps")
	if n < 0 {
		return nil, fail(RuntimeError, CodeArgument, "number of steps must be non-negative")
	}
	d := a.DType("dtype", defaultDType)
	t := alloc(d, []int{n})
	if n == 1 {
		t.setElement(0, asDType(start, d))
		return t, nil
	}
	if d == Float64 || d.IsInteger() {
		from, to := start.Float(), end.Float()
		step := (to - from) / float64(n-1)
		for i := range n {
			x := from + step*float64(i)
			if i >= n/2 {
				x = to - step*float64(n-i-1)
			}
			t.setElement(i, asDType(FloatScalar(x), d))
		}
		return t, nil
	}
	from, to := float32(start.Float()), float32(end.Float())
	step := (to - from) / float32(n-1)
	for i := range n {
		x := fma32(step, float32(i), from)
		if i >= n/2 {
			x = fma32(-step, float32(n-i-1), to)
		}
		t.setElement(i, FloatScalar(float64(x)))
	}
	return t, nil
}
