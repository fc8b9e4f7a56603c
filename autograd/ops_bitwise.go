package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Bitwise operators on integers; logical operators on bools.

var (
	bitAndKernel = bitKernel("bitwise_and_cpu", func(x, y int64) int64 { return x & y }, andKernel.b)
	bitOrKernel  = bitKernel("bitwise_or_cpu", func(x, y int64) int64 { return x | y }, orKernel.b)
	bitXorKernel = bitKernel("bitwise_xor_cpu", func(x, y int64) int64 { return x ^ y }, xorKernel.b)
	bitNotKernel = unaryKernel{
		name: "bitwise_not_cpu", b: notKernel.b,
		i64: func(d, a []int64, sa int) { kernel.Map1(d, a, sa, func(x int64) int64 { return ^x }) },
	}
	// A shift by a negative number, or by at least the number of bits, shifts
	// all bits out.
	lshiftKernel = bitKernel("lshift_cpu", func(x, n int64) int64 { return x << min(uint64(n), 64) }, nil)
	rshiftKernel = bitKernel("rshift_cpu", func(x, n int64) int64 { return x >> min(uint64(n), 63) }, nil)
)

func bitKernel(name string, f func(x, y int64) int64, b func(d, a, b []bool, sa, sb int)) binaryKernel {
	return binaryKernel{name: name, b: b, i64: func(d, a, b []int64, sa, sb int) { kernel.Map2(d, a, b, sa, sb, f) }}
}

var bitwiseOps = []Op{
	{
		Schema: "bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__and__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) { return a.bits(a.Self(), a.Tensor("other"), &bitAndKernel) },
	},
	{
		Schema: "bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__and__ __rand__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(a.Self(), numberTensor(a.Scalar("other")), &bitAndKernel)
		},
	},
	{
		Schema: "bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(numberTensor(a.Scalar("self")), a.Tensor("other"), &bitAndKernel)
		},
	},
	{
		Schema: "bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__or__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) { return a.bits(a.Self(), a.Tensor("other"), &bitOrKernel) },
	},
	{
		Schema: "bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__or__ __ror__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(a.Self(), numberTensor(a.Scalar("other")), &bitOrKernel)
		},
	},
	{
		Schema: "bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(numberTensor(a.Scalar("self")), a.Tensor("other"), &bitOrKernel)
		},
	},
	{
		Schema: "bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__xor__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) { return a.bits(a.Self(), a.Tensor("other"), &bitXorKernel) },
	},
	{
		Schema: "bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__xor__ __rxor__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(a.Self(), numberTensor(a.Scalar("other")), &bitXorKernel)
		},
	},
	{
		Schema: "bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(numberTensor(a.Scalar("self")), a.Tensor("other"), &bitXorKernel)
		},
	},
	{
		Schema: "bitwise_not(Tensor self) -> Tensor", InPlace: true, OutDType: foundDType,
		Forward: func(a *Args) ([]*Tensor, error) { return a.unary(a.Self(), a.Self().dtype, &bitNotKernel) },
	},
	{
		Schema: "__invert__(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Self().dtype.IsFloat() {
				return nil, fail(TypeError, CodeDType, "~ (operator.invert) is only implemented on integer and Boolean-type tensors")
			}
			return a.One(a.Self().BitwiseNot())
		},
	},
	{
		Schema: "bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__lshift__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) { return a.bits(a.Self(), a.Tensor("other"), &lshiftKernel) },
	},
	{
		Schema: "bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__lshift__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(a.Self(), numberTensor(a.Scalar("other")), &lshiftKernel)
		},
	},
	{
		Schema: "bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(numberTensor(a.Scalar("self")), a.Tensor("other"), &lshiftKernel)
		},
	},
	{
		Schema: "__rlshift__(Tensor self, Scalar other) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return Call("bitwise_left_shift", []any{a.Scalar("other"), a.Self()})
		},
	},
	{
		Schema: "bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__rshift__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) { return a.bits(a.Self(), a.Tensor("other"), &rshiftKernel) },
	},
	{
		Schema: "bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__rshift__", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(a.Self(), numberTensor(a.Scalar("other")), &rshiftKernel)
		},
	},
	{
		Schema: "bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.bits(numberTensor(a.Scalar("self")), a.Tensor("other"), &rshiftKernel)
		},
	},
	{
		Schema: "__rrshift__(Tensor self, Scalar other) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return Call("bitwise_right_shift", []any{a.Scalar("other"), a.Self()})
		},
	},
}

func (a *Args) bits(x, y *Tensor, k *binaryKernel) ([]*Tensor, error) {
	return a.binary(x, y, resultType(x, y), k)
}
