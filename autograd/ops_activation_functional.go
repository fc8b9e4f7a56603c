package autograd

// Functions of torch.nn.functional that choose between an operator and its
// in-place form, or are composed of other operators.

var activationFunctionOps = []Op{
	{
		Schema: "nn_functional_relu(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("relu"),
	},
	{
		Schema: "nn_functional_relu6(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("relu6"),
	},
	{
		Schema: "nn_functional_threshold(Tensor input, Scalar threshold, Scalar value, bool inplace=False) -> Tensor", In: Functional, Go: "-",
		Compose: choose("threshold", "threshold", "value"),
	},
	{
		Schema: "nn_functional_hardtanh(Tensor input, Scalar min_val=-1.0, Scalar max_val=1.0, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Scalar("min_val").Float() > a.Scalar("max_val").Float() {
				return nil, fail(ValueError, CodeArgument, "min_val cannot be greater than max_val")
			}
			return a.choose(fnHardtanh, fnHardtanh_, "min_val", "max_val")
		},
	},
	{
		Schema: "nn_functional_leaky_relu(Tensor input, Scalar negative_slope=0.01, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("leaky_relu", "negative_slope"),
	},
	{
		Schema: "nn_functional_elu(Tensor input, Scalar alpha=1.0, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("elu", "alpha"),
	},
	{
		Schema: "nn_functional_selu(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("selu"),
	},
	{
		Schema: "nn_functional_celu(Tensor input, Scalar alpha=1.0, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("celu", "alpha"),
	},
	{
		Schema: "nn_functional_silu(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("silu"),
	},
	{
		Schema: "nn_functional_mish(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("mish"),
	},
	{
		Schema: "nn_functional_hardsigmoid(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("hardsigmoid"),
	},
	{
		Schema: "nn_functional_hardswish(Tensor input, bool inplace=False) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: choose("hardswish"),
	},
	{
		Schema: "nn_functional_logsigmoid(Tensor input) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Tensor("input").LogSigmoid()) },
	},
	{
		Schema: "nn_functional_sigmoid(Tensor input) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Tensor("input").Sigmoid()) },
	},
	{
		Schema: "nn_functional_tanh(Tensor input) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Tensor("input").Tanh()) },
	},
	{
		Schema: "nn_functional_softsign(Tensor input) -> Tensor", In: Functional, Go: "Softsign", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("input")
			return a.One(x.Div(x.Abs().Add(1)))
		},
	},
	{
		Schema: "nn_functional_tanhshrink(Tensor input) -> Tensor", In: Functional, Go: "Tanhshrink", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("input")
			return a.One(x.Sub(x.Tanh()))
		},
	},
}

// choose makes the Compose of a function that calls an operator, or its
// in-place form if the argument inplace is set, on the input and the named
// numbers.
func choose(name string, numbers ...string) func(a *Args) ([]*Tensor, error) {
	plain, inPlace := declare(name), declare(inPlaceName(name))
	return func(a *Args) ([]*Tensor, error) { return a.choose(plain, inPlace, numbers...) }
}

func (a *Args) choose(plain, inPlace *Operator, numbers ...string) ([]*Tensor, error) {
	args := []any{a.Tensor("input")}
	for _, name := range numbers {
		args = append(args, a.Scalar(name))
	}
	if a.Bool("inplace") {
		return inPlace.Call(args)
	}
	return plain.Call(args)
}
