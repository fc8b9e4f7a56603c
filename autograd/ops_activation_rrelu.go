package autograd

import "github.com/gradtui/gradtui/autograd/random"

// rrelu: a leaky unit with a random slope in training mode.

var rreluOps = []Op{
	{
		Schema: "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor", In: Torch,
		Compose: func(a *Args) ([]*Tensor, error) { return a.rrelu(fnRreluWithNoise) },
	},
	{
		Schema: "rrelu_(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor", In: Torch,
		Compose: func(a *Args) ([]*Tensor, error) { return a.rrelu(fnRreluWithNoise_) },
	},
	{
		Schema: "rrelu_with_noise(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor", In: Hidden, Go: "-",
		Node: "RreluWithNoiseBackward0", Attrs: "lower upper training", JVP: elementwise,
		Forward: rreluWithNoise,
		VJP:     []Formula{{Input: "self", Uses: "self noise", Of: func(c *Ctx) *Tensor { return rreluGrad(c, "self") }}},
	},
	{
		Schema: "rrelu_with_noise_(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor", In: Hidden, Go: "-",
		Node: "RreluWithNoiseBackward1", Attrs: "lower upper training",
		Mutate: func(a *Args) error { return a.store(rreluWithNoise) },
		VJP:    []Formula{{Input: "self", Uses: "noise result", Of: func(c *Ctx) *Tensor { return rreluGrad(c, "result") }}},
	},
	{
		Schema: "rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result) -> Tensor", In: Hidden,
		Node: "RreluWithNoiseBackwardBackward0", Attrs: "lower upper training", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, lower, upper := a.Tensor("grad_output"), a.Scalar("lower").Float(), a.Scalar("upper").Float()
			if a.Bool("training") && upper-lower > 1e-6 {
				noise := a.Tensor("noise")
				return a.binary(noise, g, resultType(noise, g), &mulKernel)
			}
			t, slope := a.Tensor("self"), (lower+upper)/2
			if a.Bool("self_is_result") && slope < 0 {
				return nil, fail(RuntimeError, CodeArgument, "%s", negativeSlopeText)
			}
			return a.floatMap2(t, g, "leaky_relu_backward_cpu", scaleBelow(float32(slope)), scaleBelow(slope))
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self noise", Of: func(c *Ctx) *Tensor { return rreluGrad(c, "self") }},
			{Input: "self", Of: flat},
		},
	},
	{
		Schema: "nn_functional_rrelu(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, bool inplace=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			op := fnRrelu
			if a.Bool("inplace") {
				op = fnRrelu_
			}
			return op.Call([]any{a.Tensor("input"), a.Scalar("lower"), a.Scalar("upper"), a.Bool("training")})
		},
	},
}

func (a *Args) rrelu(op *Operator) ([]*Tensor, error) {
	lower, upper := a.Scalar("lower"), a.Scalar("upper")
	if lower.Float() > upper.Float() {
		return nil, fail(RuntimeError, CodeArgument, "Lower bound should be less than or equal to the upper bound")
	}
	t := a.Self()
	noise := allocLike(t, t.dtype)
	return op.Call([]any{t, noise, lower, upper, a.Bool("training"), a.Generator("generator")})
}

// rreluWithNoise stores the slopes in the noise tensor: random slopes where the
// input is not positive.
func rreluWithNoise(a *Args) ([]*Tensor, error) {
	t, noise := a.Self(), a.Tensor("noise")
	lower, upper := a.Scalar("lower").Float(), a.Scalar("upper").Float()
	if !a.Bool("training") {
		slope := (lower + upper) / 2
		return a.floatMap(t, "leaky_relu_cpu", leakySlope(float32(slope)), leakySlope(slope))
	}
	if !t.dtype.IsFloat() {
		return nil, undefined("rrelu_with_noise_out_cpu", t.dtype)
	}
	g, slope := a.Generator("generator"), make([]float64, 1)
	for i := range t.Numel() {
		s := 1.0
		if t.float(t.at(i)) <= 0 {
			if err := random.Uniform(g, slope, lower, upper); err != nil {
				return nil, fail(RuntimeError, CodeArgument, "%s", err)
			}
			s = slope[0]
		}
		noise.setElement(noise.at(i), FloatScalar(s))
	}
	return a.binary(t, noise, t.dtype, &mulKernel)
}

func leakySlope[T float](slope T) func(x T) T {
	return func(x T) T {
		if x > 0 {
			return x
		}
		return x * slope
	}
}

func rreluGrad(c *Ctx, saved string) *Tensor {
	a := c.Args()
	return c.Grad().RreluWithNoiseBackward(c.Saved(saved), c.Saved("noise"), a.Scalar("lower"), a.Scalar("upper"), a.Bool("training"), saved == "result")
}
