package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Softmax, its logarithm and logsumexp.
var softmaxOps = []Op{
	{
		Schema:   "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
		OutDType: expectedOutDType, Aliases: "special_softmax", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().To(a.DType("dtype", a.Self().dtype)).RawSoftmax(a.Int("dim")))
		},
	},
	{
		Schema: "_softmax(Tensor self, int dim) -> Tensor", In: Hidden, Go: "RawSoftmax", Node: "SoftmaxBackward0", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.softmax("softmax", &softmaxKernels)
		},
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			return c.Grad().SoftmaxBackwardData(c.Saved("result"), c.Args().Int("dim"), c.DTypeOf("self"))
		}}},
		JVP: softmaxJVP,
	},
	{
		Schema: "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor", In: Hidden, Go: "SoftmaxBackwardData",
		Node: "SoftmaxBackwardDataBackward0", Attrs: "dim input_dtype",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.softmaxGrad(&softmaxGradKernels)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "output", Of: func(c *Ctx) *Tensor {
				y := c.Saved("output")
				return c.Grad().To(y.dtype).SoftmaxBackwardData(y, c.Args().Int("dim"), c.Args().DType("input_dtype", y.dtype))
			}},
			{Input: "output", Uses: "grad_output output", Of: func(c *Ctx) *Tensor {
				y, g, over := c.Saved("output"), c.Saved("grad_output"), []Option{Dim(c.Args().Int("dim")), KeepDim}
				gg := c.Grad().To(y.dtype)
				return g.Mul(gg).Sub(y.Mul(g).Sum(over...).Mul(gg)).Sub(g.Mul(y.Mul(gg).Sum(over...))).To(y.dtype)
			}},
		},
	},
	{
		Schema:   "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
		OutDType: expectedOutDType, Aliases: "special_log_softmax", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().To(a.DType("dtype", a.Self().dtype)).RawLogSoftmax(a.Int("dim")))
		},
	},
	{
		Schema: "_log_softmax(Tensor self, int dim) -> Tensor", In: Hidden, Go: "RawLogSoftmax", Node: "LogSoftmaxBackward0", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.softmax("log_softmax", &logSoftmaxKernels)
		},
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			return c.Grad().LogSoftmaxBackwardData(c.Saved("result"), c.Args().Int("dim"), c.DTypeOf("self"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			t := c.Tangent("self")
			return c.args.One(t.Sub(t.Mul(c.Out(0).Exp()).Sum(Dim(c.args.Int("dim")), KeepDim)))
		},
	},
	{
		Schema: "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor", In: Hidden, Go: "LogSoftmaxBackwardData",
		Node: "LogSoftmaxBackwardDataBackward0", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.softmaxGrad(&logSoftmaxGradKernels)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "output", Of: func(c *Ctx) *Tensor {
				y := c.Saved("output")
				g := c.Grad().To(y.dtype)
				return g.Sub(g.Mul(y.Exp()).Sum(Dim(c.Args().Int("dim")), KeepDim))
			}},
			{Input: "output", Uses: "grad_output output", Of: func(c *Ctx) *Tensor {
				y := c.Saved("output")
				total := c.Saved("grad_output").Neg().Sum(Dim(c.Args().Int("dim")), KeepDim)
				return total.Mul(y.Exp()).Mul(c.Grad().To(y.dtype)).To(y.dtype)
			}},
		},
	},
	{
		Schema: "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", Aliases: "special_logsumexp",
		Node: "LogsumexpBackward0", Predicted: ByValues, Attrs: "dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.logSumExp() },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			self, dims, keep := c.Saved("self"), c.Args().Ints("dim"), c.Args().Bool("keepdim")
			g, result := unreduce(c.Grad(), self.sizes, dims, keep), unreduce(c.Saved("result"), self.sizes, dims, keep)
			return g.Mul(self.Sub(result).Exp())
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			self, dims := c.Primal("self"), Kw("dim", c.args.Ints("dim"))
			if self.Numel() > 0 {
				self = self.Sub(self.Amax(dims, KeepDim))
			}
			e, keep := self.Exp(), Kw("keepdim", c.args.Bool("keepdim"))
			return c.args.One(e.Mul(c.Tangent("self")).Sum(dims, keep).Div(e.Sum(dims, keep)))
		},
	},
	{
		Schema: "nn_functional_softmax(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Softmax(a.softmaxDim("softmax"), a.options("dtype")...))
		},
	},
	{
		Schema: "nn_functional_softmin(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor", In: Functional, Go: "Softmin", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Neg().Softmax(a.softmaxDim("softmin"), a.options("dtype")...))
		},
	},
	{
		Schema: "nn_functional_log_softmax(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor", In: Functional, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().LogSoftmax(a.softmaxDim("log_softmax"), a.options("dtype")...))
		},
	},
}

// softmaxDim returns the dimension, or PyTorch's deprecated choice if none is
// given.
func (a *Args) softmaxDim(name string) int {
	if a.Has("dim") {
		return a.Int("dim")
	}
	warn("UserWarning", "Implicit dimension choice for "+name+" has been deprecated. Change the call to include dim=X as an argument.")
	switch len(a.Self().sizes) {
	case 0, 1, 3:
		return 0
	}
	return 1
}

// The kernels along the last dimension, and along any other.
var (
	softmaxKernels = [2]scanKernel{
		{kernel.Softmax[float32], kernel.Softmax[float64], nil},
		{kernel.SoftmaxAcross[float32], kernel.SoftmaxAcross[float64], nil},
	}
	logSoftmaxKernels = [2]scanKernel{
		{kernel.LogSoftmax[float32], kernel.LogSoftmax[float64], nil},
		{kernel.LogSoftmaxAcross[float32], kernel.LogSoftmaxAcross[float64], nil},
	}
)

func (a *Args) softmax(name string, kernels *[2]scanKernel) ([]*Tensor, error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	k, where := &kernels[0], "lastdim_kernel_impl"
	if dim < len(t.sizes)-1 {
		k, where = &kernels[1], "kernel_impl"
	}
	if !t.dtype.IsFloat() {
		return nil, undefined(name+"_"+where, t.dtype)
	}
	out := alloc(t.dtype, t.sizes)
	switch {
	case out.Numel() == 0: // there may be empty lines
	case t.dtype == Float64:
		runScan(out, t, dim, k.f64)
	default:
		runScan(out, t, dim, k.f32)
	}
	return a.One(rounded(out))
}

// A lineGrad computes the gradient of a function of a line of n elements from
// the gradient of its result y. All operands are row-major, so the line has the
// same position in each of them.
type lineGrad[T element] func(d, g, y []T, at, step, n int)

type gradKernel struct {
	f32 lineGrad[float32]
	f64 lineGrad[float64]
}

var (
	softmaxGradKernels = [2]gradKernel{
		{kernel.SoftmaxGrad[float32], kernel.SoftmaxGrad[float64]},
		{kernel.SoftmaxGradAcross[float32], kernel.SoftmaxGradAcross[float64]},
	}
	logSoftmaxGradKernels = [2]gradKernel{
		{kernel.LogSoftmaxGrad[float32], kernel.LogSoftmaxGrad[float64]},
		{kernel.LogSoftmaxGradAcross[float32], kernel.LogSoftmaxGradAcross[float64]},
	}
)

func (a *Args) softmaxGrad(kernels *[2]gradKernel) ([]*Tensor, error) {
	y := contiguous(a.Tensor("output"))
	g := contiguous(as(a.Self(), y.dtype))
	dim, err := wrapDim(a.Int("dim"), len(y.sizes))
	if err != nil {
		return nil, err
	}
	if !sameSizes(g.sizes, y.sizes) {
		_, err := broadcastSizes(g.sizes, y.sizes)
		return nil, err
	}
	k := &kernels[0]
	if dim < len(y.sizes)-1 {
		k = &kernels[1]
	}
	out := alloc(y.dtype, y.sizes)
	if y.dtype == Float64 {
		runLineGrad(out, g, y, dim, k.f64)
	} else {
		runLineGrad(out, g, y, dim, k.f32)
	}
	return a.One(as(rounded(out), a.DType("input_dtype", y.dtype)))
}

func runLineGrad[T element](out, g, y *Tensor, dim int, f lineGrad[T]) {
	if out.Numel() == 0 {
		return
	}
	n, step := lineOf(out, dim)
	o, dg, dy := elements[T](out), elements[T](g), elements[T](y)
	eachLine(out, dim, func(at *[kernel.Max]int) { f(o, dg, dy, at[0], step, n) })
}

// logSumExp first subtracts the largest elements. It keeps infinite ones.
func (a *Args) logSumExp() ([]*Tensor, error) {
	t, list, keep := a.Self(), a.Ints("dim"), a.Bool("keepdim")
	t = as(t, floatType(t.dtype))
	dims, err := pickDims(list, len(t.sizes))
	if err != nil {
		return nil, err
	}
	if t.Numel() == 0 {
		out := sumOf(t, dims, keep)
		out.fill(FloatScalar(math.Inf(-1)))
		return a.One(out)
	}
	if len(list) == 0 && len(t.sizes) > 0 && !keep {
		return nil, fail(RuntimeError, CodeShape, "output with shape [] doesn't match the broadcast shape %s", shapeText(repeated(1, len(t.sizes))))
	}
	high, err := fold(t, dims, true, &maxKernel)
	if err != nil {
		return nil, err
	}
	shifted, e := a.binary(t, finiteOnly(high), t.dtype, &subKernel)
	if e != nil {
		return nil, e
	}
	each := shifted[0]
	var sum *Tensor
	if t.dtype == Float64 {
		exponentials(elements[float64](each))
		sum = sumOf(each, dims, keep)
		addLogs(elements[float64](sum), elements[float64](high))
	} else {
		exponentials(elements[float32](each))
		sum = sumOf(each, dims, keep)
		addLogs(elements[float32](sum), elements[float32](high))
	}
	return a.One(rounded(sum))
}

// finiteOnly replaces infinite elements with 0.
func finiteOnly(t *Tensor) *Tensor {
	for i := range t.Numel() {
		if x := t.float(t.offset + i); math.IsInf(x, 0) {
			t.setElement(t.offset+i, FloatScalar(0))
		}
	}
	return t
}

func exponentials[T float32 | float64](x []T) {
	for i, e := range x {
		x[i] = kernel.Exp(e)
	}
}

// addLogs replaces each element of sum with its logarithm plus the element of
// high.
func addLogs[T float32 | float64](sum, high []T) {
	for i, x := range sum {
		sum[i] = kernel.Log(x) + high[i]
	}
}

// softmaxJVP returns the tangent of a softmax from its value.
func softmaxJVP(c *JCtx) ([]*Tensor, error) {
	y := c.Out(0)
	g := c.Tangent("self").Mul(y)
	return c.args.One(g.Sub(y.Mul(g.Sum(Dim(c.args.Int("dim")), KeepDim))))
}
