package autograd

// Comparisons that store their results in self. These have a node: the previous
// value of self gets a gradient of zeros.

var compareInPlaceOps = []Op{
	{
		Schema: "eq_.Tensor(Tensor self, Tensor other) -> Tensor", In: Method, Node: "EqBackward1", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparing(&eqKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self"), zeroFormula("other")},
	},
	{
		Schema: "eq_.Scalar(Tensor self, Scalar other) -> Tensor", In: Method, Node: "EqBackward0", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparingNumber(&eqKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self")},
	},
	{
		Schema: "ne_.Tensor(Tensor self, Tensor other) -> Tensor", In: Method, Aliases: "not_equal_", Node: "NeBackward1", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparing(&neKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self"), zeroFormula("other")},
	},
	{
		Schema: "ne_.Scalar(Tensor self, Scalar other) -> Tensor", In: Method, Aliases: "not_equal_", Node: "NeBackward0", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparingNumber(&neKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self")},
	},
	{
		Schema: "lt_.Tensor(Tensor self, Tensor other) -> Tensor", In: Method, Aliases: "less_", Node: "LtBackward1", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparing(&ltKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self"), zeroFormula("other")},
	},
	{
		Schema: "lt_.Scalar(Tensor self, Scalar other) -> Tensor", In: Method, Aliases: "less_", Node: "LtBackward0", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparingNumber(&ltKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self")},
	},
	{
		Schema: "le_.Tensor(Tensor self, Tensor other) -> Tensor", In: Method, Aliases: "less_equal_", Node: "LeBackward1", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparing(&leKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self"), zeroFormula("other")},
	},
	{
		Schema: "le_.Scalar(Tensor self, Scalar other) -> Tensor", In: Method, Aliases: "less_equal_", Node: "LeBackward0", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparingNumber(&leKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self")},
	},
	{
		Schema: "gt_.Tensor(Tensor self, Tensor other) -> Tensor", In: Method, Aliases: "greater_", Node: "GtBackward1", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparing(&gtKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self"), zeroFormula("other")},
	},
	{
		Schema: "gt_.Scalar(Tensor self, Scalar other) -> Tensor", In: Method, Aliases: "greater_", Node: "GtBackward0", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparingNumber(&gtKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self")},
	},
	{
		Schema: "ge_.Tensor(Tensor self, Tensor other) -> Tensor", In: Method, Aliases: "greater_equal_", Node: "GeBackward1", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparing(&geKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self"), zeroFormula("other")},
	},
	{
		Schema: "ge_.Scalar(Tensor self, Scalar other) -> Tensor", In: Method, Aliases: "greater_equal_", Node: "GeBackward0", Predicted: ByValues, JVP: zeroTangent,
		Forward: comparingNumber(&geKernel), Mutate: storeForward, VJP: []Formula{zeroFormula("self")},
	},
}

// zeroFormula makes the formula for an input on which the result does not
// depend.
func zeroFormula(name string) Formula {
	return Formula{Input: name, Of: func(c *Ctx) *Tensor { return c.zerosOf(name) }}
}

// zeroTangent is the JVP of operators whose result does not depend on any
// input.
func zeroTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{filled(c.args.Self().sizes, c.args.Self().dtype, 0)}, nil
}
