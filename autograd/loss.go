package autograd

import "fmt"

// This file holds what the loss functions share: the reduction of the losses of
// all elements to one number. C++ names it by an integer, Python by a word.

const (
	noReduction = iota
	meanReduction
	sumReduction
)

// reduceLoss reduces the elementwise losses in a kernel.
func reduceLoss(t *Tensor, reduction int) *Tensor {
	switch reduction {
	case meanReduction:
		return meanOf(t, everyDim, false)
	case sumReduction:
		return sumOf(t, everyDim, false)
	}
	return t
}

// applyReduction reduces the elementwise losses with operators.
func applyReduction(t *Tensor, reduction int) *Tensor {
	switch reduction {
	case meanReduction:
		return t.Mean()
	case sumReduction:
		return t.Sum()
	}
	return t
}

// reduced ends the Compose of a loss.
func (a *Args) reduced(t *Tensor) ([]*Tensor, error) {
	return a.One(applyReduction(t, a.Int("reduction")))
}

// meanFactor returns the factor for the gradient of the mean of n losses.
func meanFactor(reduction, n int) float64 {
	if reduction == meanReduction {
		return 1 / float64(n)
	}
	return 1
}

// perElement divides a second derivative by the number of elements of the mean.
func perElement(g *Tensor, reduction, n int) *Tensor {
	if reduction == meanReduction {
		return g.DivScalar(n)
	}
	return g
}

// word returns the argument reduction of a Python function, or its equivalent
// for the older arguments size_average and reduce.
func (a *Args) word() string {
	if !a.Has("size_average") && !a.Has("reduce") {
		return a.Str("reduction")
	}
	average := !a.Has("size_average") || a.Bool("size_average")
	reduce := !a.Has("reduce") || a.Bool("reduce")
	word := "none"
	switch {
	case average && reduce:
		word = "mean"
	case reduce:
		word = "sum"
	}
	warnInside(fmt.Sprintf("size_average and reduce args will be deprecated, please use reduction='%s' instead.", word))
	return word
}

// wordReduction is torch.nn._reduction.get_enum.
func wordReduction(word string) (int, error) {
	switch word {
	case "none":
		return noReduction, nil
	case "elementwise_mean":
		warnInside("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
		return meanReduction, nil
	case "mean":
		return meanReduction, nil
	case "sum":
		return sumReduction, nil
	}
	return 0, fail(ValueError, CodeArgument, "%s is not a valid value for reduction", word)
}

// reduction returns the reduction with which a Python function was called.
func (a *Args) reduction() (int, error) { return wordReduction(a.word()) }

// sizeText returns the sizes as Python prints them.
func sizeText(t *Tensor) string { return "torch.Size(" + shapeText(t.sizes) + ")" }

// broadcastPair broadcasts the arguments input and target to one shape, with
// the warning of the losses that allow it.
func (a *Args) broadcastPair() (x, y *Tensor, err error) {
	x, y = a.Tensor("input"), a.Tensor("target")
	if sameSizes(x.sizes, y.sizes) {
		return x, y, nil
	}
	warn("UserWarning", "Using a target size ("+sizeText(y)+") that is different to the input size ("+sizeText(x)+"). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.")
	both, err := BroadcastTensors([]*Tensor{x, y})
	if err != nil {
		return nil, nil, err
	}
	return both[0], both[1], nil
}

// lossTangent is the JVP of a loss. The backward formulas, with the tangents
// instead of the gradient, give the tangents of the elementwise losses, which
// are then reduced. A missing tangent counts as zeros, which matters where its
// formula gives infinity.
func lossTangent(c *JCtx) ([]*Tensor, error) { return c.lossTangent(tangentOrZeros) }

// sparseLossTangent is lossTangent, except that inputs without a tangent are
// left out.
func sparseLossTangent(c *JCtx) ([]*Tensor, error) { return c.lossTangent(tangentOf) }

func (c *JCtx) lossTangent(of func(t *Tensor) *Tensor) ([]*Tensor, error) {
	args := new(Args)
	args.reset(c.op, c.args.name, false)
	copy(args.values, c.args.values)
	reduction := args.Int("reduction")
	args.value("reduction").n = noReduction
	var sizes []int
	for _, in := range c.op.inputs {
		var err *Error
		if sizes, err = broadcastSizes(sizes, c.tensor(in.param).sizes); err != nil {
			return nil, err
		}
	}
	ctx := (&JCtx{op: c.op, args: args, outs: c.outs}).formulas()
	var sum *Tensor
	for _, in := range c.op.inputs {
		d := of(c.tensor(in.param))
		if d == nil || !d.dtype.IsFloat() {
			continue
		}
		ctx.grads = []*Tensor{d.Expand(sizes)}
		term := c.op.VJP[in.formula].Of(ctx)
		if sum != nil {
			term = sum.Add(term)
		}
		sum = term
	}
	return single(applyReduction(sum, reduction))
}

// sameDType is TensorIterator's check for loops that do not promote: all
// tensors must have the dtype of the first.
func sameDType(ts ...*Tensor) error {
	for _, t := range ts {
		if t.dtype != ts[0].dtype {
			return fail(RuntimeError, CodeDType, "Found dtype %s but expected %s", scalarTypeName(t.dtype), scalarTypeName(ts[0].dtype))
		}
	}
	return nil
}

// floatMap3 applies a function to triples of elements of three float tensors of
// one dtype.
func (a *Args) floatMap3(x, y, z *Tensor, name string, f32 func(x, y, z float32) float32, f64 func(x, y, z float64) float64) ([]*Tensor, error) {
	if err := sameDType(x, y, z); err != nil {
		return nil, err
	}
	return a.ternary(x, y, z, x.dtype, mapKernel3(name, f32, f64))
}
