package autograd

// Elementwise losses of torch.nn.functional.

var lossFunctionOps = []Op{
	{
		Schema: "nn_functional_mse_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str reduction='mean', Tensor? weight=None) -> Tensor",
		In:     Functional, Go: "MSELoss", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.pairLoss(fnMseLoss, func(x, y *Tensor) *Tensor { return x.Sub(y).Pow(2) })
		},
	},
	{
		Schema: "nn_functional_l1_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str reduction='mean', Tensor? weight=None) -> Tensor",
		In:     Functional, Go: "L1Loss", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.pairLoss(fnL1Loss, func(x, y *Tensor) *Tensor { return x.Sub(y).Abs() })
		},
	},
	{
		Schema: "nn_functional_smooth_l1_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str reduction='mean', float beta=1.0) -> Tensor",
		In:     Functional, Go: "SmoothL1Loss", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y, err := a.broadcastPair()
			if err != nil {
				return nil, err
			}
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			if a.Float("beta") == 0 {
				return fnL1Loss.Call([]any{x, y, reduction})
			}
			return fnSmoothL1Loss.Call([]any{x, y, reduction, a.Float("beta")})
		},
	},
	{
		Schema: "nn_functional_huber_loss(Tensor input, Tensor target, str reduction='mean', float delta=1.0, Tensor? weight=None) -> Tensor",
		In:     Functional, Go: "HuberLoss", Predicted: ByValues,
		Compose: huberFunction,
	},
	{
		Schema: "nn_functional_soft_margin_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "SoftMarginLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			return fnSoftMarginLoss.Call([]any{a.Tensor("input"), a.Tensor("target"), reduction})
		},
	},
}

// pairLoss computes a loss of the pairs of elements of input and target: with
// op, or with loss times the weight if there is a weight.
func (a *Args) pairLoss(op *Operator, loss func(x, y *Tensor) *Tensor) ([]*Tensor, error) {
	in, weight := a.Tensor("input"), a.Tensor("weight")
	x, y, err := a.broadcastPair()
	if err != nil {
		return nil, err
	}
	word := a.word()
	if weight == nil {
		reduction, err := wordReduction(word)
		if err != nil {
			return nil, err
		}
		return op.Call([]any{x, y, reduction})
	}
	if !sameSizes(weight.sizes, in.sizes) {
		return nil, fail(ValueError, CodeShape, "Weights and input must have the same size.")
	}
	weighted := loss(x, y).Mul(weight)
	if word == "mean" {
		return a.One(weighted.Sum().Div(weight.Sum()))
	}
	return a.weightedLoss(weighted, word)
}

// weightedLoss applies the reduction of a loss with a weight.
func (a *Args) weightedLoss(weighted *Tensor, word string) ([]*Tensor, error) {
	switch word {
	case "none":
		return a.One(weighted)
	case "sum":
		return a.One(weighted.Sum())
	case "mean":
		return a.One(weighted.Mean())
	}
	return nil, fail(ValueError, CodeArgument, "Invalid reduction mode: %s. Expected one of 'none', 'mean', 'sum'.", word)
}

func huberFunction(a *Args) ([]*Tensor, error) {
	weight, delta, word := a.Tensor("weight"), a.Float("delta"), a.Str("reduction")
	x, y, err := a.broadcastPair()
	if err != nil {
		return nil, err
	}
	if weight == nil {
		reduction, err := wordReduction(word)
		if err != nil {
			return nil, err
		}
		return fnHuberLoss.Call([]any{x, y, reduction, delta})
	}
	if !sameSizes(weight.sizes, a.Tensor("input").sizes) {
		return nil, fail(ValueError, CodeShape, "Weights and input must have the same size.")
	}
	outs, err := fnHuberLoss.Call([]any{x, y, noReduction, delta})
	if err != nil {
		return nil, err
	}
	return a.weightedLoss(outs[0].Mul(weight), word)
}
