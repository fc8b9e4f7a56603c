package autograd

// Losses with a margin, composed of other operators.

// cosineEpsilon is EPSILON of Loss.cpp, a float32.
const cosineEpsilon = float64(float32(1e-12))

var marginOps = []Op{
	{
		Schema: "hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=0) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("target")
			zeros := x.ZerosLike()
			below := from(a.Float("margin"), x)
			if err := below.ClampMin_(0); err != nil {
				return nil, err
			}
			other := Where(y.Ne(1), below, zeros)
			return a.reduced(other.Add(Where(y.Ne(-1), x, zeros)))
		},
	},
	{
		Schema: "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=0) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			difference := a.Tensor("input1").Sub(a.Tensor("input2"))
			loss := a.Tensor("target").Neg().Mul(difference).AddScalar(a.Float("margin"))
			if err := loss.ClampMin_(0); err != nil {
				return nil, err
			}
			return a.reduced(loss)
		},
	},
	{
		Schema: "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=0) -> Tensor", In: Torch, Go: "-",
		Compose: cosineEmbedding,
	},
	{
		Schema: "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, int reduction=0) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			anchor, positive, negative := a.Tensor("anchor"), a.Tensor("positive"), a.Tensor("negative")
			if n := len(anchor.sizes); n != len(positive.sizes) || n != len(negative.sizes) {
				return nil, fail(RuntimeError, CodeShape, "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor %dD, positive %dD, and negative %dD inputs", n, len(positive.sizes), len(negative.sizes))
			}
			distance := func(x, y *Tensor) *Tensor {
				return PairwiseDistance(x, y, Kw("p", a.Float("p")), Kw("eps", a.Float("eps")))
			}
			near, far := distance(anchor, positive), distance(anchor, negative)
			if a.Bool("swap") {
				far = far.Minimum(distance(positive, negative))
			}
			return a.reduced(near.AddScalar(a.Float("margin")).Sub(far).ClampMin(0))
		},
	},
	{
		Schema: "nn_functional_hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "HingeEmbeddingLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.withReduction(fnHingeEmbeddingLoss, a.Tensor("input"), a.Tensor("target"), a.Float("margin"))
		},
	},
	{
		Schema: "nn_functional_margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "MarginRankingLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y, t := a.Tensor("input1"), a.Tensor("input2"), a.Tensor("target")
			if len(x.sizes) != len(y.sizes) || len(x.sizes) != len(t.sizes) {
				return nil, fail(RuntimeError, CodeShape, "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: %s, input2: %s, target: %s ", sizeText(x), sizeText(y), sizeText(t))
			}
			return a.withReduction(fnMarginRankingLoss, x, y, t, a.Float("margin"))
		},
	},
	{
		Schema: "nn_functional_cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "CosineEmbeddingLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.withReduction(fnCosineEmbeddingLoss, a.Tensor("input1"), a.Tensor("input2"), a.Tensor("target"), a.Float("margin"))
		},
	},
	{
		Schema: "nn_functional_triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, Scalar margin=1.0, float p=2, float eps=1e-6, bool swap=False, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "TripletMarginLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			if margin := a.Scalar("margin"); margin.Float() <= 0 {
				return nil, fail(ValueError, CodeArgument, "margin must be greater than 0, got %s", margin)
			}
			return a.withReduction(fnTripletMarginLoss, a.Tensor("anchor"), a.Tensor("positive"), a.Tensor("negative"), a.Float("margin"), a.Float("p"), a.Float("eps"), a.Bool("swap"))
		},
	},
	{
		Schema: "nn_functional_multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "MultilabelSoftMarginLoss",
		Compose: multilabelSoftMargin,
	},
}

// withReduction calls a loss with the given arguments and the reduction.
func (a *Args) withReduction(op *Operator, args ...any) ([]*Tensor, error) {
	reduction, err := a.reduction()
	if err != nil {
		return nil, err
	}
	return op.Call(append(args, reduction))
}

func cosineEmbedding(a *Args) ([]*Tensor, error) {
	x, y, t := a.Tensor("input1"), a.Tensor("input2"), a.Tensor("target")
	dim := len(t.sizes)
	switch {
	case dim > 1:
		return nil, fail(RuntimeError, CodeShape, "0D or 1D target tensor expected, multi-target not supported")
	case len(x.sizes) != dim+1 || len(y.sizes) != dim+1:
		return nil, fail(RuntimeError, CodeShape, "%dD target tensor expects %dD input tensors, but found inputs with sizes %s and %s.", dim, dim+1, shapeText(x.sizes), shapeText(y.sizes))
	}
	product := x.Mul(y).Sum(Dim(dim))
	square1 := x.Mul(x).Sum(Dim(dim)).AddScalar(cosineEpsilon)
	square2 := y.Mul(y).Sum(Dim(dim)).AddScalar(cosineEpsilon)
	cos := product.Div(square1.Mul(square2).Sqrt())
	if cos.err != nil {
		return nil, cos.err
	}
	zeros := cos.ZerosLike()
	same, other := from(1, cos), cos.SubScalar(a.Float("margin"))
	if err := other.ClampMin_(0); err != nil {
		return nil, err
	}
	loss := Where(t.Eq(1), same, zeros)
	return a.reduced(loss.Add(Where(t.Eq(-1), other, zeros)))
}

func multilabelSoftMargin(a *Args) ([]*Tensor, error) {
	x, y := a.Tensor("input"), a.Tensor("target")
	word := a.word()
	positive := y.Mul(x.LogSigmoid())
	negative := y.Rsub(1).Mul(x.Neg().LogSigmoid())
	loss := positive.Add(negative).Neg()
	if w := a.Tensor("weight"); w != nil {
		loss = loss.Mul(w)
	}
	last := len(x.sizes) - 1
	if last < 0 {
		return nil, fail(IndexError, CodeIndex, "Dimension specified as -1 but tensor has no dimensions")
	}
	loss = loss.Sum(Dim(last)).Div(x.sizes[last])
	reduction, err := wordReduction(word)
	if err != nil {
		return nil, fail(ValueError, CodeArgument, "%s is not valid", word)
	}
	return single(applyReduction(loss, reduction))
}
