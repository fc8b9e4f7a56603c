package autograd

import (
	"math"
	"strconv"

	"github.com/gradtui/gradtui/autograd/random"
	"github.com/gradtui/gradtui/graph"
)

var dropoutOps = []Op{
	{
		Schema: "dropout(Tensor input, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{}.of(a, "train") },
	},
	{
		Schema: "dropout_(Tensor self, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{inPlace: true}.of(a, "train") },
	},
	{
		Schema: "alpha_dropout(Tensor input, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{alpha: true}.of(a, "train") },
	},
	{
		Schema: "alpha_dropout_(Tensor self, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{alpha: true, inPlace: true}.of(a, "train") },
	},
	{
		Schema: "feature_dropout(Tensor input, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{feature: true}.of(a, "train") },
	},
	{
		Schema: "feature_dropout_(Tensor self, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{feature: true, inPlace: true}.of(a, "train") },
	},
	{
		Schema: "feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{feature: true, alpha: true}.of(a, "train") },
	},
	{
		Schema: "feature_alpha_dropout_(Tensor self, float p, bool train) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return dropout{feature: true, alpha: true, inPlace: true}.of(a, "train")
		},
	},
	{
		Schema: "nn_functional_dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor", In: Functional, Go: "Dropout",
		Compose: func(a *Args) ([]*Tensor, error) { return dropout{inPlace: a.Bool("inplace")}.of(a, "training") },
	},
	{
		Schema: "nn_functional_alpha_dropout(Tensor input, float p=0.5, bool training=False, bool inplace=False) -> Tensor", In: Functional, Go: "AlphaDropout",
		Compose: func(a *Args) ([]*Tensor, error) {
			return dropout{alpha: true, inPlace: a.Bool("inplace")}.of(a, "training")
		},
	},
	{
		Schema: "nn_functional_feature_alpha_dropout(Tensor input, float p=0.5, bool training=False, bool inplace=False) -> Tensor", In: Functional, Go: "FeatureAlphaDropout",
		Compose: func(a *Args) ([]*Tensor, error) {
			return dropout{feature: true, alpha: true, inPlace: a.Bool("inplace")}.of(a, "training")
		},
	},
	{
		Schema: "nn_functional_dropout1d(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor", In: Functional, Go: "Dropout1d",
		Compose: func(a *Args) ([]*Tensor, error) {
			if err := checkDropout(a.Float("p"), ValueError); err != nil {
				return nil, err
			}
			if rank := a.Tensor("input").Dim(); rank != 2 && rank != 3 {
				return nil, fail(RuntimeError, CodeShape, "dropout1d: Expected 2D or 3D input, but received a %dD input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).", rank)
			}
			return dropChannels(a, 3)
		},
	},
	{
		Schema: "nn_functional_dropout2d(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor", In: Functional, Go: "Dropout2d",
		Compose: func(a *Args) ([]*Tensor, error) {
			if err := checkDropout(a.Float("p"), ValueError); err != nil {
				return nil, err
			}
			switch rank := a.Tensor("input").Dim(); rank {
			case 3:
				warnInside("dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.")
			case 4:
			default:
				warnInside("dropout2d: Received a " + itoa(rank) + "-D input to dropout2d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout2d exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D inputs).")
			}
			return dropout{feature: true, inPlace: a.Bool("inplace")}.of(a, "training")
		},
	},
	{
		Schema: "nn_functional_dropout3d(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor", In: Functional, Go: "Dropout3d",
		Compose: func(a *Args) ([]*Tensor, error) {
			if err := checkDropout(a.Float("p"), ValueError); err != nil {
				return nil, err
			}
			if rank := a.Tensor("input").Dim(); rank != 4 && rank != 5 {
				warnInside("dropout3d: Received a " + itoa(rank) + "-D input to dropout3d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout3d exists to provide channel-wise dropout on inputs with 3 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 4D or 5D inputs).")
			}
			return dropChannels(a, 5)
		},
	},
}

// A dropout is a variant of dropout (_dropout_impl in
// aten/src/ATen/native/Dropout.cpp).
type dropout struct {
	feature bool // drops whole channels
	alpha   bool // sets elements to the negative saturation of SELU; keeps mean and variance
	inPlace bool
}

// of applies the dropout to the first argument of a call.
func (d dropout) of(a *Args, train string) ([]*Tensor, error) {
	t, _ := a.values[0].x.(*Tensor)
	out, err := d.apply(t, a.Float("p"), a.Bool(train), a.op.In&Functional != 0)
	if err != nil {
		return nil, err
	}
	return a.One(out)
}

// apply applies the dropout to t. functional says that torch.nn.functional was
// called, which raises a different error.
func (d dropout) apply(t *Tensor, p float64, train, functional bool) (*Tensor, error) {
	kind := RuntimeError
	if functional {
		kind = ValueError
	}
	if err := checkDropout(p, kind); err != nil {
		return nil, err
	}
	if p == 0 || !train || t.Numel() == 0 {
		return t, nil
	}
	if p == 1 {
		return d.multiply(t, alloc(t.dtype, nil), p, 1)
	}
	noise, err := d.noise(t, p)
	if err != nil {
		return nil, err
	}
	if !d.alpha {
		return d.multiply(t, noise, p, 2)
	}
	const alpha = 1.7580993408473766
	a := 1 / math.Sqrt((alpha*alpha*p+1)*(1-p))
	// The noise is 1/(1-p) for elements that are kept.
	kept := noise.Gt(0).To(t.dtype)
	shift := kept.Add(-1).Mul(alpha * a).Add(alpha * a * p)
	out, err := d.multiply(t, kept.Mul(a), p, 2)
	if err != nil {
		return nil, err
	}
	if shift.err != nil {
		return nil, shift.err
	}
	return out, out.Add_(shift)
}

func checkDropout(p float64, kind ErrorType) error {
	if p >= 0 && p <= 1 {
		return nil
	}
	shown := FloatScalar(p).String()
	if kind == RuntimeError { // formatted by C++
		shown = strconv.FormatFloat(p, 'g', 6, 64)
	}
	return fail(kind, CodeArgument, "dropout probability has to be between 0 and 1, but got %s", shown)
}

// multiply multiplies t with noise that drops an element with probability p. changes is the
// number of in-place changes by which PyTorch makes the noise.
func (d dropout) multiply(t, noise *Tensor, p float64, changes int) (*Tensor, error) {
	for range changes {
		noise.bump()
	}
	if r := recorder; r != nil {
		r.part = graph.Attr{Name: r.batch.String("dropout"), AttrValue: graph.AttrValue{Type: graph.AttrFloat, Floats: []float64{p}}}
		defer func() { r.part = graph.Attr{} }()
	}
	if d.inPlace {
		return t, t.Mul_(noise)
	}
	out := t.Mul(noise)
	if out.err != nil {
		return nil, out.err
	}
	return out, nil
}

// noise returns the random factors, drawn in the memory order of the input.
func (d dropout) noise(t *Tensor, p float64) (*Tensor, error) {
	var noise *Tensor
	switch {
	case d.feature && t.Dim() < 2:
		return nil, fail(RuntimeError, CodeShape, "Feature dropout requires at least 2 dimensions in the input")
	case d.feature:
		sizes := repeated(1, t.Dim())
		copy(sizes, t.sizes[:2])
		noise = alloc(t.dtype, sizes)
	case isDense(t.sizes, t.strides):
		noise = allocStridedAs(t, t.dtype)
	default:
		noise = alloc(t.dtype, t.sizes)
	}
	var err error
	switch classOf(t.dtype) {
	case f32Class:
		err = random.Dropout(DefaultGenerator, noise.st.f32, p)
	case f64Class:
		err = random.Dropout(DefaultGenerator, noise.st.other.f64, p)
	default:
		return nil, fail(RuntimeError, CodeDType, "result type Float can't be cast to the desired output type %s", scalarTypeName(t.dtype))
	}
	if err != nil {
		return nil, fail(RuntimeError, CodeArgument, "%s", err.Error())
	}
	if narrow(t.dtype) {
		for i, x := range noise.st.f32 {
			noise.st.f32[i] = roundFloat(t.dtype, x)
		}
	}
	if recorder != nil {
		recorder.leafMade(noise)
	}
	return noise, nil
}

// dropChannels drops channels of an input with or without a batch dimension.
// rank is the rank with a batch dimension.
func dropChannels(a *Args, rank int) ([]*Tensor, error) {
	t, d := a.Tensor("input"), dropout{feature: true, inPlace: a.Bool("inplace")}
	if t.Dim() == rank {
		return d.of(a, "training")
	}
	wide := t
	if d.inPlace {
		if err := fnUnsqueeze_.inPlace(nil, t, 0); err != nil {
			return nil, err
		}
	} else {
		wide = fnUnsqueeze.single(nil, t, 0)
	}
	out, err := d.apply(wide, a.Float("p"), a.Bool("training"), true)
	if err != nil {
		return nil, err
	}
	if d.inPlace {
		return []*Tensor{out}, fnSqueeze_.inPlace(nil, out, 0)
	}
	return a.One(fnSqueeze.single(nil, out, 0))
}
