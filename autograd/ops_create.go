package autograd

func init() { register(createOps) }

var createOps = []Op{
	{
		Schema:  "zeros(int[] size, *, ScalarType? dtype=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), defaultDType, 0) },
	},
	{
		Schema:  "ones(int[] size, *, ScalarType? dtype=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), defaultDType, 1) },
	},
	{
		Schema: "zeros_like(Tensor self, *, ScalarType? dtype=None, bool requires_grad=False) -> Tensor",
		In:     Torch, Go: "ZerosLike",
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Self().sizes, a.Self().dtype, 0) },
	},
}

// filled makes the result of a factory: the dtype and requires_grad come from
// the arguments.
func (a *Args) filled(sizes []int, d DType, x float64) ([]*Tensor, error) {
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	t := filled(sizes, a.DType("dtype", d), x)
	if err := t.factoryGrad(a.Bool("requires_grad")); err != nil {
		return nil, err
	}
	return a.One(t)
}

func checkSizes(sizes []int) *Error {
	for _, s := range sizes {
		if s < 0 {
			return fail(RuntimeError, CodeShape, "Trying to create tensor with negative dimension %d: %s", s, shapeText(sizes))
		}
	}
	return nil
}
