package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// scatterOps store values at the positions given by an index tensor of the
// values' shape.
var scatterOps = []Op{
	{
		Schema: "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "ScatterBackward0", Attrs: "dim", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").Scatter(a.Int("dim"), a.Tensor("index"), c.TangentOrZeros("src")))
		},
		Forward: func(a *Args) ([]*Tensor, error) { return scattered(a, "", true) },
		VJP: []Formula{
			{Input: "self", Uses: "index", Of: scatterZeros},
			{Input: "src", Uses: "index", Of: gatherGrad},
		},
	},
	{
		Schema: "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "ScatterBackward1", Attrs: "dim", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").Scatter(a.Int("dim"), a.Tensor("index"), 0))
		},
		Forward: func(a *Args) ([]*Tensor, error) { return scattered(a, "", true) },
		VJP:     []Formula{{Input: "self", Uses: "index", Of: scatterZeros}},
	},
	{
		Schema: "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			warnOnce("./aten/src/ATen/native/TensorAdvancedIndexing.cpp:231", "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch release. Use torch.scatter_reduce instead for more reduction options.")
			return scatterWith(a)
		},
	},
	{
		Schema: "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "NotImplemented", Forward: scatterWith,
	},
	{
		Schema: "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "ScatterAddBackward0", Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return scattered(a, "sum", true) },
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "src", Uses: "index", Of: gatherGrad},
		},
	},
	{
		Schema: "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor", InPlace: true,
		Node: "ScatterReduceBackward0", Attrs: "dim include_self reduce", JVP: scatterReduceJVP,
		Forward: func(a *Args) ([]*Tensor, error) { return scattered(a, a.Str("reduce"), a.Bool("include_self")) },
		VJP:     []Formula{{Input: "self src", Uses: "self index src result", All: scatterReduceBackward}},
	},
}

func scatterZeros(c *Ctx) *Tensor {
	return c.Grad().Scatter(c.Args().Int("dim"), c.Saved("index"), 0)
}

func gatherGrad(c *Ctx) *Tensor { return c.Grad().Gather(c.Args().Int("dim"), c.Saved("index")) }

// scatterWith is scatter with the deprecated argument reduce.
func scatterWith(a *Args) ([]*Tensor, error) {
	switch a.Str("reduce") {
	case "add":
		return scattered(a, "sum", true)
	case "multiply":
		return scattered(a, "prod", true)
	}
	return nil, fail(RuntimeError, CodeArgument, "reduce argument must be either add or multiply.")
}

// scattered stores the values of src, or a number, in self at the indices, or
// reduces them into self.
func scattered(a *Args, reduce string, includeSelf bool) ([]*Tensor, error) {
	t, index := a.Self(), a.Tensor("index")
	d, err := wrapDim(a.Int("dim"), t.Dim())
	if err != nil {
		return nil, err
	}
	var src *Tensor
	if a.op.param("src") >= 0 {
		src = a.Tensor("src")
	}
	if err := checkScatter(t, d, index, src); err != nil {
		return nil, err
	}
	if reduce != "" && !knownReduction(reduce) {
		return nil, fail(RuntimeError, CodeArgument, "reduce argument must be either sum, prod, mean, amax or amin, got %s", reduce)
	}
	if index.Numel() == 0 {
		return a.One(a.target(false))
	}
	var from []int
	if src == nil {
		src = numberTensor(a.Scalar("value"))
		src = as(src, t.dtype)
		from = make([]int, index.Numel())
	} else {
		if err := a.noOverlap(index, src); err != nil {
			return nil, err
		}
		strides := make([]int, index.Dim())
		copy(strides, src.strides)
		from = kernel.Places(index.sizes, strides, src.offset)
	}
	out := a.target(false)
	at, err := placesAt(out, d, index)
	if err != nil {
		return nil, err
	}
	reduceBlocks(out, src, &kernel.Blocks{DstBlock: at, SrcBlock: from, DstElement: kernel.Single, SrcElement: kernel.Single}, reduce, includeSelf)
	return a.One(out)
}

// checkScatter checks the shapes and dtypes of the arguments of scatter.
func checkScatter(t *Tensor, d int, index, src *Tensor) *Error {
	if index.Numel() != 0 && index.dtype != Int64 {
		return fail(RuntimeError, CodeDType, "scatter(): Expected dtype int64 for index")
	}
	if src != nil && src.dtype != t.dtype {
		return fail(RuntimeError, CodeDType, "scatter(): Expected self.dtype to be equal to src.dtype")
	}
	if index.Numel() == 0 {
		return nil
	}
	if max(t.Dim(), 1) != max(index.Dim(), 1) {
		return fail(RuntimeError, CodeShape, "Index tensor must have the same number of dimensions as self tensor")
	}
	fits := true
	for i, n := range index.sizes {
		have := 1
		if t.Dim() > 0 {
			have = t.sizes[i]
		}
		fits = fits && (i == d || n <= have)
	}
	if src == nil {
		if !fits {
			return fail(RuntimeError, CodeShape, "Expected index %s to be no larger than self %s apart from dimension %d", shapeText(index.sizes), shapeText(t.sizes), d)
		}
		return nil
	}
	for i, n := range index.sizes {
		if !fits {
			break
		}
		have := 1
		if src.Dim() > 0 {
			k, err := wrapDim(i, src.Dim())
			if err != nil {
				return err
			}
			have = src.sizes[k]
		}
		fits = n <= have
	}
	if max(src.Dim(), 1) != max(index.Dim(), 1) {
		return fail(RuntimeError, CodeShape, "Index tensor must have the same number of dimensions as src tensor")
	}
	if !fits {
		return fail(RuntimeError, CodeShape, "Expected index %s to be no larger than self %s apart from dimension %d and to be no larger size than src %s", shapeText(index.sizes), shapeText(t.sizes), d, shapeText(src.sizes))
	}
	return nil
}

func scatterReduceBackward(c *Ctx) []*Tensor {
	a := c.Args()
	dim, index := a.Int("dim"), c.Saved("index")
	return reduceBackward(c, "src", &scattering{
		name:   "scatter_reduce",
		pickUp: func(t *Tensor) *Tensor { return t.Gather(dim, index) },
		add:    func(t, src *Tensor) *Tensor { return t.ScatterAdd(dim, index, src) },
		reduce: func(self, src *Tensor) *Tensor {
			return self.ScatterReduce(dim, index, src, a.Str("reduce"), Kw("include_self", a.Bool("include_self")))
		},
		clear: func(t *Tensor) *Tensor { return t.Scatter(dim, index, 0) },
	})
}

func scatterReduceJVP(c *JCtx) ([]*Tensor, error) {
	a := c.Args()
	dim, index, reduce := a.Int("dim"), a.Tensor("index"), a.Str("reduce")
	includeSelf := Kw("include_self", a.Bool("include_self"))
	selfT, srcT := c.TangentOrZeros("self"), c.TangentOrZeros("src")
	switch reduce {
	case "sum", "mean":
		return a.One(selfT.ScatterReduce(dim, index, srcT, reduce, includeSelf))
	case "amax", "amin":
		result := c.Out(0)
		d := selfT.dtype
		maskSelf, maskSrc := c.Primal("self").Eq(result), c.Primal("src").Eq(result.Gather(dim, index))
		div := maskSelf.To(d).ScatterReduce(dim, index, maskSrc.To(d), "sum", includeSelf)
		return a.One(Where(maskSelf, selfT, 0.0).
			ScatterReduce(dim, index, Where(maskSrc, srcT, 0.0), "sum", includeSelf).Div(div))
	}
	// PyTorch has no formula for products: the result has no tangent, so there
	// is nothing to copy in place.
	if a.inPlace {
		return nil, fail(RuntimeError, CodeNoDerivative, "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #1 'src'")
	}
	return nil, nil
}
