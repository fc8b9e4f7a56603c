package autograd

func init() { register(inplaceOps) }

// inplaceOps change tensors as wholes.
var inplaceOps = []Op{
	{
		Schema: "zero_(Tensor self) -> Tensor", In: Method, Node: "ZeroBackward0", JVP: noTangent,
		Mutate: func(a *Args) error { a.Self().fill(IntScalar(0)); return nil },
		VJP:    []Formula{{Input: "self", Of: zeroGrad}},
	},
	{
		Schema: "fill.Tensor(Tensor self, Tensor value) -> Tensor", InPlace: true,
		Node: "FillBackward1", InPlaceNode: "FillBackward3", JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.TangentOrZeros("self").Fill(c.TangentOrZeros("value")))
		},
		Forward: func(a *Args) ([]*Tensor, error) {
			v := a.Tensor("value")
			if v.Dim() != 0 {
				return nil, fail(RuntimeError, CodeShape, "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.", v.Dim())
			}
			return fill(a, v.element(v.offset))
		},
		VJP: []Formula{
			{Input: "self", Of: zeroGrad},
			{Input: "value", Of: func(c *Ctx) *Tensor { return c.Grad().Sum() }},
		},
	},
	{
		Schema: "fill.Scalar(Tensor self, Scalar value) -> Tensor", InPlace: true,
		Node: "FillBackward0", InPlaceNode: "FillBackward2", JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.TangentOrZeros("self").Fill(0))
		},
		Forward: func(a *Args) ([]*Tensor, error) { return fill(a, a.Scalar("value")) },
		VJP:     []Formula{{Input: "self", Of: zeroGrad}},
	},
	{
		Schema: "resize_(Tensor self, int[] size, *, str? memory_format=None) -> Tensor", In: Method,
		Mutate: func(a *Args) error {
			t, sizes := a.Self(), a.Ints("size")
			if t.requiresGrad() {
				return fail(RuntimeError, CodeArgument, "cannot resize variables that require grad")
			}
			if err := checkSizes(sizes); err != nil {
				return err
			}
			return t.resize(sizes)
		},
	},
	{
		Schema: "set_.source_Tensor(Tensor self, Tensor source) -> Tensor", In: Method,
		Mutate: func(a *Args) error {
			t, src := a.Self(), a.Tensor("source")
			if t.dtype != src.dtype {
				return fail(RuntimeError, CodeDType, "Could not set tensor of type %s to a tensor of type %s", cTypeNames[src.dtype], cTypeNames[t.dtype])
			}
			src.st.aliased = true
			t.st = src.st
			t.setGeometry(src.sizes, src.strides, src.offset)
			return nil
		},
	},
	{
		Schema:  "_foreach_add_.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return foreach(a, "add.Scalar_") },
	},
	{
		Schema:  "_foreach_mul_.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return foreach(a, "mul.Scalar_") },
	},
	{
		Schema: "resize_as_(Tensor self, Tensor the_template, *, str? memory_format=None) -> Tensor",
		Mutate: func(a *Args) error {
			if a.Self().requiresGrad() {
				return fail(RuntimeError, CodeArgument, "cannot resize variables that require grad")
			}
			return a.Self().resize(a.Tensor("the_template").sizes)
		},
	}}

func zeroGrad(c *Ctx) *Tensor { return c.Grad().ZerosLike() }

// fill makes the result of fill: self in place, else a tensor like it.
func fill(a *Args, value Scalar) ([]*Tensor, error) {
	out := a.Self()
	if err := checkFits(value, out.dtype); err != nil {
		return nil, err
	}
	if a.into == nil {
		out = allocPreserving(out)
	}
	out.fill(asDType(value, out.dtype))
	return a.One(out)
}

// foreach runs an in-place operator on each tensor of a list.
func foreach(a *Args, operator string) ([]*Tensor, error) {
	ts := a.Tensors("self")
	for _, t := range ts {
		if _, err := Call(operator, []any{t, a.Scalar("scalar")}); err != nil {
			return nil, err
		}
	}
	return ts, nil
}
