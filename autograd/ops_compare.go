package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Comparisons. Their results are bool and have no history.

var (
	eqKernel = compareKernel{f32: kernel.Eq[float32], f64: kernel.Eq[float64], i64: kernel.Eq[int64], b: kernel.Eq[bool]}
	neKernel = compareKernel{f32: kernel.Ne[float32], f64: kernel.Ne[float64], i64: kernel.Ne[int64], b: kernel.Ne[bool]}
	ltKernel = compareKernel{f32: kernel.Lt[float32], f64: kernel.Lt[float64], i64: kernel.Lt[int64],
		b: func(d, a, b []bool, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y bool) bool { return !x && y })
		}}
	leKernel = compareKernel{f32: kernel.Le[float32], f64: kernel.Le[float64], i64: kernel.Le[int64],
		b: func(d, a, b []bool, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y bool) bool { return !x || y })
		}}
	gtKernel = compareKernel{f32: kernel.Gt[float32], f64: kernel.Gt[float64], i64: kernel.Gt[int64],
		b: func(d, a, b []bool, sa, sb int) { ltKernel.b(d, b, a, sb, sa) }}
	geKernel = compareKernel{f32: kernel.Ge[float32], f64: kernel.Ge[float64], i64: kernel.Ge[int64],
		b: func(d, a, b []bool, sa, sb int) { leKernel.b(d, b, a, sb, sa) }}
)

var compareOps = []Op{
	{
		Schema: "eq.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__eq__", InPlace: true, InPlaceNode: "EqBackward1", Predicted: ByValues,
		Forward: comparing(&eqKernel),
	},
	{
		Schema: "eq.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__eq__", InPlace: true, InPlaceNode: "EqBackward0", Predicted: ByValues,
		Forward: comparingNumber(&eqKernel),
	},
	{
		Schema: "ne.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "not_equal __ne__", InPlace: true, InPlaceNode: "NeBackward1", Predicted: ByValues,
		Forward: comparing(&neKernel),
	},
	{
		Schema: "ne.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "not_equal __ne__", InPlace: true, InPlaceNode: "NeBackward0", Predicted: ByValues,
		Forward: comparingNumber(&neKernel),
	},
	{
		Schema: "lt.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "less __lt__", InPlace: true, InPlaceNode: "LtBackward1", Predicted: ByValues,
		Forward: comparing(&ltKernel),
	},
	{
		Schema: "lt.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "less __lt__", InPlace: true, InPlaceNode: "LtBackward0", Predicted: ByValues,
		Forward: comparingNumber(&ltKernel),
	},
	{
		Schema: "le.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "less_equal __le__", InPlace: true, InPlaceNode: "LeBackward1", Predicted: ByValues,
		Forward: comparing(&leKernel),
	},
	{
		Schema: "le.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "less_equal __le__", InPlace: true, InPlaceNode: "LeBackward0", Predicted: ByValues,
		Forward: comparingNumber(&leKernel),
	},
	{
		Schema: "gt.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "greater __gt__", InPlace: true, InPlaceNode: "GtBackward1", Predicted: ByValues,
		Forward: comparing(&gtKernel),
	},
	{
		Schema: "gt.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "greater __gt__", InPlace: true, InPlaceNode: "GtBackward0", Predicted: ByValues,
		Forward: comparingNumber(&gtKernel),
	},
	{
		Schema: "ge.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "greater_equal __ge__", InPlace: true, InPlaceNode: "GeBackward1", Predicted: ByValues,
		Forward: comparing(&geKernel),
	},
	{
		Schema: "ge.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "greater_equal __ge__", InPlace: true, InPlaceNode: "GeBackward0", Predicted: ByValues,
		Forward: comparingNumber(&geKernel),
	},
	{
		Schema:  "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return isClose(a) },
	},
	{
		Schema: "allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool",
		Compose: func(a *Args) ([]*Tensor, error) {
			near, err := isClose(a)
			if err != nil || near[0].err != nil {
				return near, err
			}
			return a.One(truthTensor(allTrue(near[0])))
		},
	},
	{
		Schema: "equal(Tensor self, Tensor other) -> bool",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			if !sameSizes(x.sizes, y.sizes) {
				return a.One(truthTensor(false))
			}
			same, err := a.compare(x, y, &eqKernel)
			if err != nil {
				return nil, err
			}
			return a.One(truthTensor(allTrue(same[0])))
		},
	},
	{
		Schema: "is_same_size(Tensor self, Tensor other) -> bool",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.One(truthTensor(sameSizes(a.Self().sizes, a.Tensor("other").sizes)))
		},
	},
}

// comparing makes the Forward of a comparison of two tensors.
func comparing(k *compareKernel) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) { return a.compare(a.Self(), a.Tensor("other"), k) }
}

// comparingNumber makes the Forward of a comparison with a number.
func comparingNumber(k *compareKernel) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) { return a.compare(a.Self(), numberTensor(a.Scalar("other")), k) }
}

// isClose computes |self - other| <= atol + rtol·|other| for each element.
func isClose(a *Args) ([]*Tensor, error) {
	x, y := a.Self(), a.Tensor("other")
	rtol, atol := a.Float("rtol"), a.Float("atol")
	switch {
	case x.dtype != y.dtype:
		return nil, fail(RuntimeError, CodeDType, "%s did not match %s", scalarTypeName(x.dtype), scalarTypeName(y.dtype))
	case !(rtol >= 0):
		return nil, fail(RuntimeError, CodeArgument, "rtol must be greater than or equal to zero, but got %v", rtol)
	case !(atol >= 0):
		return nil, fail(RuntimeError, CodeArgument, "atol must be greater than or equal to zero, but got %v", atol)
	}
	near := x.Eq(y)
	if x.dtype.IsFloat() && a.Bool("equal_nan") {
		if err := near.BitwiseOr_(x.Isnan().BitwiseAnd(y.Isnan())); err != nil {
			return nil, err
		}
	}
	if rtol == 0 && atol == 0 {
		return a.One(near)
	}
	if !x.dtype.IsFloat() {
		y = y.To(defaultDType)
	}
	off := x.Sub(y).Abs()
	allowed := y.MulScalar(rtol).Abs().AddScalar(atol)
	return []*Tensor{near}, near.BitwiseOr_(off.Isfinite().BitwiseAnd(off.Le(allowed)))
}

// truthTensor returns a bool as a 0-d tensor.
func truthTensor(b bool) *Tensor {
	t := alloc(Bool, nil)
	t.st.other.b[0] = b
	return t
}

// allTrue reports whether all elements of a bool tensor are true.
func allTrue(t *Tensor) bool {
	all := true
	walk(t, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			all = all && t.st.other.b[p]
		}
	})
	return all
}
