package autograd

func init() { register(castOps) }

var castOps = []Op{
	{
		Schema: "_to_copy(Tensor self, *, ScalarType? dtype=None) -> Tensor", In: Hidden, Go: "-",
		Node: "ToCopyBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.One(copied(a.Self(), a.DType("dtype", a.Self().dtype)))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().To(c.DTypeOf("self")) }}},
	},
	{
		Schema: "to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) {
			d := a.DType("dtype", 0)
			if d == a.Self().dtype && !a.Bool("copy") {
				return []*Tensor{a.Self()}, nil
			}
			return Call("_to_copy", []any{a.Self()}, WithDType(d))
		},
	},
}
