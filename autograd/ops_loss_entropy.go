package autograd

import "math"

// Losses that compare distributions, composed of other operators
// (aten/src/ATen/native/Loss.cpp, LossNLL.cpp, torch/nn/functional.py).

var entropyOps = []Op{
	{
		Schema: "nn_functional_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction='mean', float label_smoothing=0.0) -> Tensor",
		In:     Functional, Go: "CrossEntropy",
		Compose: crossEntropyLoss,
	},
	{
		Schema: "kl_div(Tensor self, Tensor target, int reduction=0, *, bool log_target=False) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("target")
			switch {
			case !x.dtype.IsFloat() || !y.dtype.IsFloat():
				return nil, fail(RuntimeError, CodeDType, "kl_div: Integral inputs not supported.")
			case a.Bool("log_target"):
				difference := y.Sub(x) // C++ computes the right operand first
				return a.reduced(y.Exp().Mul(difference))
			}
			product := y.Mul(x)
			return a.reduced(y.Xlogy(y).Sub(product))
		},
	},
	{
		Schema: "nn_functional_kl_div(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str reduction='mean', bool log_target=False) -> Tensor",
		In:     Functional, Go: "KLDiv",
		Compose: klDivFunction,
	},
	{
		Schema: "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Tensor("input"), a.Tensor("target")
			var loss *Tensor
			if a.Bool("log_input") {
				product := y.Mul(x) // C++ computes the right operand first
				loss = x.Exp().Sub(product)
			} else {
				loss = x.Sub(y.Mul(x.AddScalar(a.Float("eps")).Log()))
			}
			if a.Bool("full") {
				stirling := y.Mul(y.Log()).Sub(y).Add(y.MulScalar(2 * math.Pi).Log().MulScalar(0.5))
				if err := loss.Add_(stirling.MaskedFill(y.Le(1), 0)); err != nil {
					return nil, err
				}
			}
			return a.reduced(loss)
		},
	},
	{
		Schema: "nn_functional_poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, bool full=False, bool? size_average=None, float eps=1e-8, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "PoissonNLLLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			word := a.word()
			if word != "none" && word != "mean" && word != "sum" {
				return nil, fail(ValueError, CodeArgument, "%s is not a valid value for reduction", word)
			}
			reduction, _ := wordReduction(word)
			return fnPoissonNllLoss.Call([]any{a.Tensor("input"), a.Tensor("target"), a.Bool("log_input"), a.Bool("full"), a.Float("eps"), reduction})
		},
	},
	{
		Schema: "nn_functional_gaussian_nll_loss(Tensor input, Tensor target, Tensor var, bool full=False, float eps=1e-6, str reduction='mean') -> Tensor",
		In:     Functional, Go: "GaussianNLLLoss",
		Compose: func(a *Args) ([]*Tensor, error) { return gaussianNLL(a, a.Tensor("var")) },
	},
	{
		Schema: "nn_functional_gaussian_nll_loss.number(Tensor input, Tensor target, float var, bool full=False, float eps=1e-6, str reduction='mean') -> Tensor",
		In:     Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			v := a.Float("var")
			if v < 0 {
				return nil, fail(ValueError, CodeArgument, "var has negative entry/entries")
			}
			return gaussianNLL(a, a.Tensor("input").OnesLike().Mul(v))
		},
	},
}

// crossEntropyLoss is cross_entropy_loss. The target holds classes, or
// probabilities if it has the shape of the input.
func crossEntropyLoss(a *Args) ([]*Tensor, error) {
	reduction, err := a.reduction()
	if err != nil {
		return nil, err
	}
	x, y, w := a.Tensor("input"), a.Tensor("target"), a.Tensor("weight")
	smoothing, ignore := a.Float("label_smoothing"), a.Int("ignore_index")
	classDim := min(len(x.sizes)-1, 1)
	switch {
	case sameSizes(x.sizes, y.sizes):
		if !y.dtype.IsFloat() {
			return nil, fail(RuntimeError, CodeDType, "Expected floating point type for target with class probabilities, got %s", scalarTypeName(y.dtype))
		}
		if ignore >= 0 {
			return nil, fail(RuntimeError, CodeArgument, "ignore_index is not supported for floating point target")
		}
		return crossEntropyOfProbabilities(x, y, w, reduction, smoothing, max(classDim, 0))
	case smoothing > 0:
		if err := checkSmoothing(smoothing); err != nil {
			return nil, err
		}
		return smoothedCrossEntropy(x, y, w, reduction, ignore, smoothing, max(classDim, 0))
	}
	logs := x.LogSoftmax(max(classDim, 0), WithDType(x.dtype))
	if logs.err != nil {
		return nil, logs.err
	}
	return nllLoss(logs, y, w, reduction, ignore)
}

func checkSmoothing(s float64) error {
	if s > 1 {
		return fail(RuntimeError, CodeArgument, "label_smoothing must be between 0.0 and 1.0. Got: %.6g", s)
	}
	return nil
}

// alongClasses reshapes a weight of classes to the rank of the input.
func alongClasses(w *Tensor, rank, classDim int) *Tensor {
	shape := repeated(1, rank)
	if rank > 0 {
		shape[classDim] = w.sizes[0]
	}
	return w.View(shape)
}

func crossEntropyOfProbabilities(x, y, w *Tensor, reduction int, smoothing float64, classDim int) ([]*Tensor, error) {
	if len(x.sizes) == 0 {
		return nil, fail(IndexError, CodeIndex, "Dimension specified as 0 but tensor has no dimensions")
	}
	classes := x.sizes[classDim]
	if w != nil && (len(w.sizes) != 1 || w.sizes[0] != classes) {
		return nil, fail(RuntimeError, CodeShape, "cross_entropy: weight tensor should be defined either for all %d classes or no classes but got weight tensor of shape: %s", classes, shapeText(w.sizes))
	}
	logs := x.LogSoftmax(classDim, WithDType(x.dtype))
	if smoothing > 0 {
		if err := checkSmoothing(smoothing); err != nil {
			return nil, err
		}
		y = y.MulScalar(1 - smoothing).AddScalar(smoothing / float64(classes))
	}
	product := logs.Mul(y)
	if w != nil {
		if len(x.sizes) > 1 {
			w = alongClasses(w, len(x.sizes), 1)
		}
		product = product.Mul(w)
	}
	switch reduction {
	case noReduction:
		return single(product.Sum(Dim(classDim)).Neg())
	case sumReduction:
		return single(product.Sum().Neg())
	}
	loss := product.Sum().Neg()
	if x.Numel() == 0 {
		if err := loss.Fill_(math.NaN()); err != nil {
			return nil, err
		}
		return single(loss)
	}
	return single(loss.DivScalar(x.Numel() / classes))
}

// smoothedCrossEntropy mixes the loss of the target class with the mean over
// all classes.
func smoothedCrossEntropy(x, y, w *Tensor, reduction, ignore int, smoothing float64, classDim int) ([]*Tensor, error) {
	logs := x.LogSoftmax(classDim, WithDType(x.dtype))
	if logs.err != nil {
		return nil, logs.err
	}
	nll, err := nllLoss(logs, y, w, reduction, ignore)
	if err != nil {
		return nil, err
	}
	all := logs
	if w != nil {
		all = all.Mul(alongClasses(w, len(x.sizes), classDim))
	}
	smooth := all.Sum(Dim(classDim)).Neg()
	ignored := y.Eq(ignore)
	if err := smooth.MaskedFill_(ignored, 0.0); err != nil {
		return nil, err
	}
	switch {
	case reduction == sumReduction:
		smooth = smooth.Sum()
	case reduction == meanReduction && w != nil:
		used := w.Gather(0, y.MaskedSelect(ignored.BitwiseNot()).Flatten())
		smooth = smooth.Sum().Div(used.Sum())
	case reduction == meanReduction:
		smooth = smooth.Sum().Div(ignored.BitwiseNot().Sum())
	}
	return single(nll[0].MulScalar(1 - smoothing).Add(smooth.MulScalar(smoothing / float64(x.sizes[classDim]))))
}

func klDivFunction(a *Args) ([]*Tensor, error) {
	word := a.Str("reduction")
	var reduction int
	var err error
	switch {
	case a.Has("size_average") || a.Has("reduce"):
		reduction, err = a.reduction()
	case word == "batchmean":
		reduction = sumReduction
	default:
		if word == "mean" {
			warnInside("reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major release.")
		}
		reduction, err = wordReduction(word)
	}
	if err != nil {
		return nil, err
	}
	x := a.Tensor("input")
	outs, err := fnKlDiv.Call([]any{x, a.Tensor("target"), reduction}, Kw("log_target", a.Bool("log_target")))
	if err != nil || word != "batchmean" || len(x.sizes) == 0 {
		return outs, err
	}
	return single(outs[0].Div(x.sizes[0]))
}

func gaussianNLL(a *Args, v *Tensor) ([]*Tensor, error) {
	x, y := a.Tensor("input"), a.Tensor("target")
	negative := false
	v.eachFloat(func(f float64) { negative = negative || f < 0 })
	if negative {
		return nil, fail(ValueError, CodeArgument, "var has negative entry/entries")
	}
	if n := len(x.sizes); !sameSizes(v.sizes, x.sizes) {
		switch {
		case n > 0 && sameSizes(v.sizes, x.sizes[:n-1]):
			v = v.Unsqueeze(-1)
		case n > 0 && len(v.sizes) == n && sameSizes(v.sizes[:n-1], x.sizes[:n-1]) && v.sizes[n-1] == 1:
		default:
			return nil, fail(ValueError, CodeShape, "var is of incorrect size")
		}
	}
	word := a.Str("reduction")
	if word != "none" && word != "mean" && word != "sum" {
		return nil, fail(ValueError, CodeArgument, "%s is not valid", word)
	}
	v = v.Clone()
	var err error
	NoGrad(func() { err = v.Clamp_(Kw("min", a.Float("eps"))) })
	if err != nil {
		return nil, err
	}
	loss := v.Log().Add(x.Sub(y).Pow(2).Div(v)).Mul(0.5)
	if a.Bool("full") {
		if err := loss.Add_(0.5 * math.Log(2*math.Pi)); err != nil {
			return nil, err
		}
	}
	reduction, _ := wordReduction(word)
	return single(applyReduction(loss, reduction))
}
