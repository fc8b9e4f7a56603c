package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

func init() { register(softmaxOps) }

// Softmax, its logarithm and logsumexp.
var softmaxOps = []Op{
	{
		Schema: "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", Aliases: "special_softmax",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().To(a.DType("dtype", a.Self().dtype)).RawSoftmax(a.Int("dim")))
		},
	},
	{
		Schema: "_softmax(Tensor self, int dim) -> Tensor", In: Hidden, Go: "RawSoftmax", Node: "SoftmaxBackward0", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.softmax("softmax", kernel.Softmax[float32], kernel.Softmax[float64])
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
			return a.softmaxGrad(kernel.SoftmaxGrad[float32], kernel.SoftmaxGrad[float64])
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
		Schema: "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", Aliases: "special_log_softmax",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().To(a.DType("dtype", a.Self().dtype)).RawLogSoftmax(a.Int("dim")))
		},
	},
	{
		Schema: "_log_softmax(Tensor self, int dim) -> Tensor", In: Hidden, Go: "RawLogSoftmax", Node: "LogSoftmaxBackward0", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.softmax("log_softmax", kernel.LogSoftmax[float32], kernel.LogSoftmax[float64])
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
			return a.softmaxGrad(kernel.LogSoftmaxGrad[float32], kernel.LogSoftmaxGrad[float64])
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
		Node: "LogsumexpBackward0", Attrs: "dim keepdim",
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
		Schema: "nn_functional_softmax(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Softmax(a.softmaxDim("softmax"), a.options("dtype")...))
		},
	},
	{
		Schema: "nn_functional_softmin(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor", In: Functional, Go: "Softmin",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Neg().Softmax(a.softmaxDim("softmin"), a.options("dtype")...))
		},
	},
	{
		Schema: "nn_functional_log_softmax(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().LogSoftmax(a.softmaxDim("log_softmax"), a.options("dtype")...))
		},
	},
}

// softmaxDim is the dimension, or PyTorch's old choice if none is given.
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

func (a *Args) softmax(name string, f32 kernel.Scan[float32], f64 kernel.Scan[float64]) ([]*Tensor, error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	if !t.dtype.IsFloat() {
		where := "kernel_impl"
		if dim == len(t.sizes)-1 {
			where = "lastdim_kernel_impl"
		}
		return nil, undefined(name+"_"+where, t.dtype)
	}
	out := alloc(t.dtype, t.sizes)
	if t.dtype == Float64 {
		runScan(out, t, dim, f64)
	} else {
		runScan(out, t, dim, f32)
	}
	return a.One(rounded(out))
}

// A lineGrad is the gradient of a function of a line, from that of its result.
type lineGrad[T element] func(d, g, y []T, to, atG, atY, step, n int)

func (a *Args) softmaxGrad(f32 lineGrad[float32], f64 lineGrad[float64]) ([]*Tensor, error) {
	g, y := contiguous(as(a.Self(), a.Tensor("output").dtype)), contiguous(a.Tensor("output"))
	dim, err := wrapDim(a.Int("dim"), len(y.sizes))
	if err != nil {
		return nil, err
	}
	out := alloc(y.dtype, y.sizes)
	if y.dtype == Float64 {
		runLineGrad(out, g, y, dim, f64)
	} else {
		runLineGrad(out, g, y, dim, f32)
	}
	return a.One(as(rounded(out), a.DType("input_dtype", y.dtype)))
}

func runLineGrad[T element](out, g, y *Tensor, dim int, f lineGrad[T]) {
	n, step := lineOf(y, dim)
	o, dg, dy := data[T](out.st), data[T](g.st), data[T](y.st)
	eachLine(y, dim, func(at *[kernel.Max]int) { f(o, dg, dy, at[2], at[1], at[0], step, n) }, g, out)
}

func (a *Args) logSumExp() ([]*Tensor, error) {
	t, list := a.Self(), a.Ints("dim")
	t = as(t, floatType(t.dtype))
	dims, err := pickDims(list, len(t.sizes))
	if err != nil {
		return nil, err
	}
	var p kernel.Plan
	out := reduction(t, dims, a.Bool("keepdim"), t.dtype, &p)
	if t.Numel() == 0 {
		out.fill(FloatScalar(math.Inf(-1)))
	} else if t.dtype == Float64 {
		kernel.LogSumExp(&p, out.st.other.f64, t.st.other.f64)
	} else {
		kernel.LogSumExp(&p, out.st.f32, t.st.f32)
	}
	return a.One(rounded(out))
}

// softmaxJVP is the tangent of a softmax, from its value.
func softmaxJVP(c *JCtx) ([]*Tensor, error) {
	y := c.Out(0)
	g := c.Tangent("self").Mul(y)
	return c.args.One(g.Sub(y.Mul(g.Sum(Dim(c.args.Int("dim")), KeepDim))))
}
