package autograd

// Distances between vectors.
var distanceOps = []Op{
	{
		Schema: "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", Node: "DistBackward0", Predicted: ByValues, Attrs: "p",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			outs, err := a.binary(x, y, resultType(x, y), &subKernel)
			if err != nil {
				return nil, err
			}
			if err := checkFloating("linalg.vector_norm", outs[0]); err != nil {
				return nil, err
			}
			return a.One(normOf(outs[0], everyDim, false, a.Float("p")))
		},
		VJP: []Formula{
			{Input: "self", Uses: "other result self", Of: distBackward},
			{Input: "other", Uses: "other result self", Of: func(c *Ctx) *Tensor {
				g := distBackward(c)
				if g == nil {
					return errTensor(fail(RuntimeError, CodeArgument, "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #0 'self'"))
				}
				return g.Neg()
			}},
		},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			d := c.Primal("self").Sub(c.Primal("other"))
			t := c.TangentOrZeros("self").Sub(c.TangentOrZeros("other"))
			return c.args.One(normTangent(d, t, c.Out(0), c.args.Float("p"), nil, false))
		},
	},
	{
		Schema:  "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
		Aliases: "nn_functional_cosine_similarity",
		Compose: func(a *Args) ([]*Tensor, error) { return a.cosineSimilarity() },
	},
	{
		Schema:  "pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor",
		Aliases: "nn_functional_pairwise_distance",
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Tensor("x1"), a.Tensor("x2")
			d := x.Sub(y).AddScalar(a.Float("eps"))
			return Call("norm.ScalarOpt_dim", []any{d, a.Float("p"), max(len(x.sizes), len(y.sizes)) - 1, a.Bool("keepdim")})
		},
	},
	{
		Schema: "nn_functional_normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12, Tensor? out=None) -> Tensor", In: Functional, Go: "Normalize",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			norm := t.Norm(Kw("p", a.Float("p")), Dim(a.Int("dim")), KeepDim)
			return a.One(t.Div(norm.ClampMin(a.Float("eps")).ExpandAs(t)))
		},
	},
	{
		Schema:  "cdist(Tensor x1, Tensor x2, float p=2, str compute_mode='use_mm_for_euclid_dist_if_necessary') -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.cdist() },
	},
	{
		Schema: "_cdist_forward(Tensor x1, Tensor x2, float p) -> Tensor", In: Hidden, Go: "CdistForward",
		Node: "CdistBackward0", Attrs: "p",
		Forward: func(a *Args) ([]*Tensor, error) { return a.allDistances(a.Float("p")) },
		VJP: []Formula{
			{Input: "x1", Uses: "result x1 x2", Of: func(c *Ctx) *Tensor {
				return c.Grad().Contiguous().CdistBackward(c.Saved("x1"), c.Saved("x2"), c.Args().Float("p"), c.Saved("result"))
			}},
			{Input: "x2", Uses: "result x1 x2", Of: func(c *Ctx) *Tensor {
				turned := c.Saved("result").MT().Contiguous()
				return c.Grad().MT().Contiguous().CdistBackward(c.Saved("x2"), c.Saved("x1"), c.Args().Float("p"), turned)
			}},
		},
	},
	{
		Schema: "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor", In: Hidden, Go: "CdistBackward",
		Node:    "CdistBackwardBackward0",
		Forward: func(a *Args) ([]*Tensor, error) { return a.allDistancesBackward() },
		VJP: []Formula{
			{Input: "grad", Of: noDerivative("_cdist_backward")},
			{Input: "x1", Of: noDerivative("_cdist_backward")},
			{Input: "x2", Of: noDerivative("_cdist_backward")},
			{Input: "cdist", Of: noDerivative("_cdist_backward")},
		},
	},
	{
		Schema: "_euclidean_dist(Tensor x1, Tensor x2) -> Tensor", In: Hidden, Go: "EuclideanDist", Node: "EuclideanDistBackward0",
		Forward: func(a *Args) ([]*Tensor, error) { return a.allDistances(2) },
		VJP: []Formula{{Input: "x1 x2", Uses: "result x1 x2", All: func(c *Ctx) []*Tensor {
			x, y, result := c.Saved("x1"), c.Saved("x2"), c.Saved("result")
			ratio := zeroWhere(c.Grad().Div(result), result.Eq(0))
			return []*Tensor{
				x.Mul(ratio.Sum(Dim(-1), KeepDim)).Sub(ratio.Matmul(y)),
				y.Mul(ratio.Sum(Dim(-2)).Unsqueeze(-1)).Sub(ratio.MT().Matmul(x)),
			}
		}}},
	},
	{
		Schema: "pdist(Tensor self, float p=2) -> Tensor", In: Torch, Aliases: "nn_functional_pdist",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			switch {
			case len(t.sizes) != 2:
				return nil, fail(RuntimeError, CodeShape, "pdist only supports 2D tensors, got: %dD", len(t.sizes))
			case !t.dtype.IsFloat():
				return nil, fail(RuntimeError, CodeDType, "pdist only supports floating-point dtypes")
			case a.Float("p") < 0:
				return nil, fail(RuntimeError, CodeArgument, "pdist only supports non-negative p values")
			}
			return a.One(t.Contiguous().PdistForward(a.Float("p")))
		},
	},
	{
		Schema: "_pdist_forward(Tensor self, float p) -> Tensor", In: Hidden, Go: "PdistForward",
		Node: "PdistBackward0", Attrs: "p",
		Forward: func(a *Args) ([]*Tensor, error) { return a.pairDistances() },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return c.Grad().PdistBackward(c.Saved("self"), c.Args().Float("p"), c.Saved("result"))
		}}},
	},
	{
		Schema: "_pdist_backward(Tensor grad, Tensor x, float p, Tensor pdist) -> Tensor", In: Hidden, Go: "PdistBackward",
		Node:    "PdistBackwardBackward0",
		Forward: func(a *Args) ([]*Tensor, error) { return a.pairDistancesBackward() },
		VJP: []Formula{
			{Input: "grad", Of: noDerivative("_pdist_backward")},
			{Input: "x", Of: noDerivative("_pdist_backward")},
			{Input: "pdist", Of: noDerivative("_pdist_backward")},
		},
	},
}

func distBackward(c *Ctx) *Tensor {
	d := c.Saved("self").Sub(c.Saved("other"))
	return normBackward(c.Grad(), d, c.Saved("result"), c.Args().Float("p"), nil, false)
}

// cosineSimilarity divides the vectors by their norms first. It enforces the
// smallest norm without autograd, so that the gradient still flows.
func (a *Args) cosineSimilarity() ([]*Tensor, error) {
	x, y := a.Tensor("x1"), a.Tensor("x2")
	d := resultType(x, y)
	if !d.IsFloat() {
		return nil, fail(RuntimeError, CodeDType, "expected common dtype to be floating point, yet common dtype is %s", scalarTypeName(d))
	}
	sizes, err := broadcastSizes(x.sizes, y.sizes)
	if err != nil {
		return nil, err
	}
	both := [2]*Tensor{x, y}
	for i, t := range both {
		if !t.dtype.IsFloat() {
			t = t.To(d)
		}
		if !sameSizes(x.sizes, y.sizes) {
			t = t.Expand(sizes)
		}
		both[i] = t
	}
	for i, t := range both {
		norm := mutated(t.LinalgVectorNorm(Dim(a.Int("dim")), KeepDim).Clone(), func(t *Tensor) (err error) {
			NoGrad(func() { err = t.ClampMin_(a.Float("eps")) })
			return err
		})
		both[i] = t.Div(norm)
	}
	return a.One(both[0].Mul(both[1]).Sum(Dim(a.Int("dim"))))
}
