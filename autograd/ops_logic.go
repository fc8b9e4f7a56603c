package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Logical operators and elementwise tests. Their results are bool and have no
// history.

var (
	andKernel = boolKernel("logical_and_cpu", func(x, y bool) bool { return x && y })
	orKernel  = boolKernel("logical_or_cpu", func(x, y bool) bool { return x || y })
	xorKernel = boolKernel("logical_xor_cpu", func(x, y bool) bool { return x != y })
	notKernel = unaryKernel{name: "logical_not_cpu", b: func(d, a []bool, sa int) {
		kernel.Map1(d, a, sa, func(x bool) bool { return !x })
	}}
)

func boolKernel(name string, f func(x, y bool) bool) binaryKernel {
	return binaryKernel{name: name, b: func(d, a, b []bool, sa, sb int) { kernel.Map2(d, a, b, sa, sb, f) }}
}

var logicOps = []Op{
	{
		Schema: "logical_and(Tensor self, Tensor other) -> Tensor", InPlace: true, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.binary(a.Self(), a.Tensor("other"), Bool, &andKernel) },
	},
	{
		Schema: "logical_or(Tensor self, Tensor other) -> Tensor", InPlace: true, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.binary(a.Self(), a.Tensor("other"), Bool, &orKernel) },
	},
	{
		Schema: "logical_xor(Tensor self, Tensor other) -> Tensor", InPlace: true, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.binary(a.Self(), a.Tensor("other"), Bool, &xorKernel) },
	},
	{
		Schema: "logical_not(Tensor self) -> Tensor", InPlace: true, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.unary(a.Self(), Bool, &notKernel) },
	},
	{
		Schema: "isnan(Tensor self) -> Tensor", Predicted: ByValues,
		Forward: test(func(x float64) bool { return x != x }),
	},
	{
		Schema: "isinf(Tensor self) -> Tensor", Predicted: ByValues,
		Forward: test(func(x float64) bool { return math.IsInf(x, 0) }),
	},
	{
		Schema: "isfinite(Tensor self) -> Tensor", Predicted: ByValues,
		Forward: test(func(x float64) bool { return x-x == 0 }),
	},
	{
		Schema:   "isposinf(Tensor self) -> Tensor",
		OutDType: onlyBoolean,
		Forward:  test(func(x float64) bool { return math.IsInf(x, 1) }),
	},
	{
		Schema:   "isneginf(Tensor self) -> Tensor",
		OutDType: onlyBoolean,
		Forward:  test(func(x float64) bool { return math.IsInf(x, -1) }),
	},
	{
		Schema:   "signbit(Tensor self) -> Tensor",
		OutDType: onlyBoolean,
		Forward:  test(math.Signbit),
	},
	{
		Schema:  "isreal(Tensor self) -> Tensor",
		Forward: test(func(float64) bool { return true }),
	},
	{
		Schema: "isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor", In: Torch, OutDType: expectedOutDType, Go: "Isin",
		Forward: func(a *Args) ([]*Tensor, error) { return a.isIn(a.Tensor("elements"), a.Tensor("test_elements")) },
	},
	{
		Schema: "isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor", In: Torch, OutDType: expectedOutDType, Go: "Isin",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.isIn(a.Tensor("elements"), numberTensor(a.Scalar("test_element")))
		},
	},
	{
		Schema: "isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor", In: Torch, OutDType: expectedOutDType, Go: "Isin",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.isIn(numberTensor(a.Scalar("element")), a.Tensor("test_elements"))
		},
	},
	{
		Schema: "is_nonzero(Tensor self) -> bool",
		Compose: func(a *Args) ([]*Tensor, error) {
			yes, err := a.Self().Truth()
			if err != nil {
				return nil, err
			}
			return a.One(truthTensor(yes))
		},
	},
	{
		Schema: "is_floating_point(Tensor self) -> bool", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.One(truthTensor(a.Self().dtype.IsFloat())) },
	},
}

// test makes the Forward of an operator that tests each element.
func test(f func(float64) bool) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) {
		t := a.Self()
		out := a.output(t.sizes, Bool, t)
		switch classOf(t.dtype) {
		case f32Class:
			runUnary(out, t, func(d []bool, a []float32, sa int) {
				kernel.Map1(d, a, sa, func(x float32) bool { return f(float64(x)) })
			})
		default:
			runUnary(out, as(t, Float64), func(d []bool, a []float64, sa int) { kernel.Map1(d, a, sa, f) })
		}
		return a.One(out)
	}
}

// isIn reports for each element of t whether it occurs in among.
func (a *Args) isIn(t, among *Tensor) ([]*Tensor, error) {
	for _, x := range []*Tensor{t, among} {
		if x.dtype == Bool {
			return nil, fail(RuntimeError, CodeDType, "Unsupported input type encountered for isin(): Bool")
		}
	}
	d := resultType(t, among)
	t, among = as(t, d), as(among, d)
	known := make(map[Scalar]bool, among.Numel())
	walk(among, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			known[plainZero(among.element(p))] = true
		}
	})
	out := alloc(Bool, t.sizes)
	invert := a.Bool("invert")
	for i := range out.st.other.b {
		x := t.element(t.at(i))
		found := known[plainZero(x)] && x.Float() == x.Float()
		out.st.other.b[i] = found != invert
	}
	return a.One(out)
}

// plainZero maps -0 to 0, so that both are the same key.
func plainZero(s Scalar) Scalar {
	if s.IsFloat() && s.Float() == 0 {
		return FloatScalar(0)
	}
	return s
}
