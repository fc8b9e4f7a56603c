package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// poolFunctions are the pooling functions that programs call. With
// return_indices they also return the indices.
var poolFunctions = []Op{
	{
		Schema:  "max_pool1d(Tensor input, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor",
		In:      Torch,
		Compose: func(a *Args) ([]*Tensor, error) { return maxPool1d(a, false) },
	},
	{
		Schema: "max_pool1d_with_indices(Tensor input, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
		In:     Torch | Functional,
		Compose: func(a *Args) ([]*Tensor, error) {
			return maxPool1d(a, true)
		},
	},
	{
		Schema: "max_pool2d(Tensor input, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor", In: Torch,
		Compose: func(a *Args) ([]*Tensor, error) { return maxPoolWithout(a, fnMaxPool2dWithIndices) },
	},
	{
		Schema: "max_pool3d(Tensor input, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor", In: Torch,
		Compose: func(a *Args) ([]*Tensor, error) { return maxPoolWithout(a, fnMaxPool3dWithIndices) },
	},
	{
		Schema: "nn_functional_max_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[1] dilation=1, bool ceil_mode=False, bool return_indices=False) -> Tensor",
		In:     Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return maxPool1d(a, a.Bool("return_indices")) },
	},
	{
		Schema: "nn_functional_max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, bool return_indices=False) -> Tensor",
		In:     Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return maxPoolWithout(a, fnMaxPool2dWithIndices) },
	},
	{
		Schema: "nn_functional_max_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, bool return_indices=False) -> Tensor",
		In:     Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return maxPoolWithout(a, fnMaxPool3dWithIndices) },
	},
	{
		Schema: "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
		In:     Torch | Functional,
		Compose: func(a *Args) ([]*Tensor, error) {
			return overPlane(a, "avg_pool1d", []string{"kernel_size", "stride", "padding"}, func(t *Tensor) ([]*Tensor, error) {
				return fnAvgPool2d.list(nil, t, a.plane("kernel_size", 1), a.plane("stride", 1), a.plane("padding", 0), a.Bool("ceil_mode"), a.Bool("count_include_pad"))
			})
		},
	},
	{
		Schema: "nn_functional_lp_pool1d(Tensor input, float norm_type, int kernel_size, int[1]? stride=None, bool ceil_mode=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return lpPool(a, fnAvgPool1d, a.Int("kernel_size")) },
	},
	{
		Schema: "nn_functional_lp_pool2d(Tensor input, float norm_type, int[2] kernel_size, int[2]? stride=None, bool ceil_mode=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return lpPool(a, fnAvgPool2d, numel(a.Ints("kernel_size"))) },
	},
	{
		Schema: "nn_functional_lp_pool3d(Tensor input, float norm_type, int[3] kernel_size, int[3]? stride=None, bool ceil_mode=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return lpPool(a, fnAvgPool3d, numel(a.Ints("kernel_size"))) },
	},
	{
		Schema: "nn_functional_max_unpool1d(Tensor input, Tensor indices, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[]? output_size=None) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			out, err := unpooledSizes(a)
			if err != nil {
				return nil, err
			}
			t, index := fnUnsqueeze.single(nil, a.Tensor("input"), -1), fnUnsqueeze.single(nil, a.Tensor("indices"), -1)
			return a.One(fnSqueeze.single(nil, fnMaxUnpool2d.single(nil, t, index, append(out, 1)), -1))
		},
	},
	{
		Schema: "nn_functional_max_unpool2d(Tensor input, Tensor indices, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[]? output_size=None) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			out, err := unpooledSizes(a)
			if err != nil {
				return nil, err
			}
			return a.One(fnMaxUnpool2d.single(nil, a.Tensor("input"), a.Tensor("indices"), out))
		},
	},
	{
		Schema: "nn_functional_max_unpool3d(Tensor input, Tensor indices, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, int[]? output_size=None) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			out, err := unpooledSizes(a)
			if err != nil {
				return nil, err
			}
			return a.One(fnMaxUnpool3d.single(nil, a.Tensor("input"), a.Tensor("indices"), out, poolStride(a), a.Ints("padding")))
		},
	},
}

// poolStride returns the stride, by default the kernel size.
func poolStride(a *Args) []int {
	if s := a.Ints("stride"); len(s) > 0 {
		return s
	}
	return a.Ints("kernel_size")
}

// plane returns a parameter of a one-dimensional pooling operator, in the form
// of the two-dimensional operator that implements it.
func (a *Args) plane(name string, first int) []int {
	list := a.Ints(name)
	if name == "stride" {
		list = poolStride(a)
	}
	return []int{first, list[0]}
}

// overPlane runs a two-dimensional pooling operator on a one-dimensional
// problem, with an additional dimension of size 1.
func overPlane(a *Args, name string, params []string, f func(t *Tensor) ([]*Tensor, error)) ([]*Tensor, error) {
	t, _ := a.values[0].x.(*Tensor)
	if rank := t.Dim(); rank != 2 && rank != 3 {
		return nil, fail(RuntimeError, CodeShape, "Expected 2 to 3 dimensions, but got %d-dimensional tensor for argument #1 'self' (while checking arguments for %s)", rank, name)
	}
	for _, p := range params {
		if n := len(a.Ints(p)); n != 1 && !(n == 0 && p == "stride") {
			return nil, fail(RuntimeError, CodeArgument, "%s() argument '%s' should contain one int (got %d)", name, p, n)
		}
	}
	outs, err := f(fnUnsqueeze.single(nil, t, -2))
	if err != nil {
		return nil, err
	}
	for i, out := range outs {
		outs[i] = fnSqueeze.single(nil, out, -2)
	}
	return outs, nil
}

// maxPool1d uses the two-dimensional operator if the indices are needed;
// otherwise the result is not a view.
func maxPool1d(a *Args, indices bool) ([]*Tensor, error) {
	plane := func(t *Tensor) ([]*Tensor, error) {
		return fnMaxPool2dWithIndices.list(nil, t, a.plane("kernel_size", 1), a.plane("stride", 1), a.plane("padding", 0), a.plane("dilation", 1), a.Bool("ceil_mode"))
	}
	if indices {
		return overPlane(a, "max_pool1d", []string{"kernel_size", "stride", "padding", "dilation"}, plane)
	}
	t := a.Tensor("input")
	rank, sizes := t.Dim(), t.sizes
	if !(rank == 2 && sizes[0] != 0 && sizes[1] != 0 || rank == 3 && sizes[1] != 0 && sizes[2] != 0) {
		return nil, fail(RuntimeError, CodeShape, "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:%s", shapeText(sizes))
	}
	out, err := checkMaxPool1d(a, sizes[rank-1])
	if err != nil {
		return nil, err
	}
	if !(t.requiresGrad() && gradMode()) && tangentOf(t) == nil {
		return plainMaxPool1d(a, t, out)
	}
	outs, err := overPlane(a, "max_pool1d", nil, plane)
	return first(outs), err
}

// checkMaxPool1d makes the checks of PyTorch's check_max_pool1d and returns the
// size of the result.
func checkMaxPool1d(a *Args, in int) (int, error) {
	bad := func(format string, args ...any) (int, error) {
		return 0, fail(RuntimeError, CodeArgument, "max_pool1d() "+format, args...)
	}
	for _, name := range []string{"kernel_size", "stride", "padding", "dilation"} {
		if n := len(a.Ints(name)); n != 1 && !(n == 0 && name == "stride") {
			if name == "stride" {
				return bad("stride must be None, an int, list of ints, or tuple of ints of size 1 but got size %d", n)
			}
			return bad("%s must be an int, list of ints or tuple of ints of size 1 but got size %d", name, n)
		}
	}
	k, s, p, d := a.Ints("kernel_size")[0], poolStride(a)[0], a.Ints("padding")[0], a.Ints("dilation")[0]
	switch {
	case k < 1:
		return bad("kernel_size must be greater than zero, but got %d", k)
	case s < 1:
		return bad("stride must be greater than zero, but got %d", s)
	case p < 0:
		return bad("padding must be non-negative, but got %d", p)
	case p > k/2:
		return bad("padding should be at most half of kernel size, but got padding=%d and kernel_size=%d", p, k)
	case d < 1:
		return bad("dilation must be greater than zero, but got %d", d)
	}
	out := pooledSize(in, k, s, p, d, a.Bool("ceil_mode"))
	if out <= 0 {
		return bad("Invalid computed output size: %d", out)
	}
	return out, nil
}

// plainMaxPool1d computes the result without history.
func plainMaxPool1d(a *Args, t *Tensor, out int) ([]*Tensor, error) {
	if !t.dtype.IsFloat() {
		return nil, undefined("max_pool1d_impl", t.dtype)
	}
	w, last := new(kernel.Pool), t.Dim()-1
	w.Windows(0, 1, 1, 1, 1, 0, 1)
	w.Windows(1, 1, 1, 1, 1, 0, 1)
	w.Windows(2, t.sizes[last], out, a.Ints("kernel_size")[0], poolStride(a)[0], a.Ints("padding")[0], a.Ints("dilation")[0])
	outs, err := maxPool(t, w, append(append([]int(nil), t.sizes[:last]...), out), 1, "max_pool1d_impl")
	if err != nil {
		return nil, err
	}
	return outs[:1], nil
}

// maxPoolWithout calls an operator that returns the indices, and drops them
// unless the function was called with return_indices.
func maxPoolWithout(a *Args, op *Operator) ([]*Tensor, error) {
	outs, err := op.list(nil, a.Tensor("input"), a.Ints("kernel_size"), append([]int{}, a.Ints("stride")...), a.Ints("padding"), a.Ints("dilation"), a.Bool("ceil_mode"))
	if err != nil || a.op.param("return_indices") >= 0 && a.Bool("return_indices") {
		return outs, err
	}
	return outs[:1], nil
}

// lpPool computes a power average as torch.nn.functional does.
func lpPool(a *Args, average *Operator, size int) ([]*Tensor, error) {
	var kernelSize any = a.Ints("kernel_size")
	if a.op.param("kernel_size") >= 0 && a.Ints("kernel_size") == nil {
		kernelSize = []int{a.Int("kernel_size")}
	}
	p := a.Float("norm_type")
	powers := a.Tensor("input").Pow(p)
	sum := average.single([]Option{Kw("ceil_mode", a.Bool("ceil_mode"))}, powers, kernelSize, append([]int{}, a.Ints("stride")...), 0)
	return a.One(sum.Sign().Mul(sum.Abs().Relu()).Mul(size).Pow(1 / p))
}

// unpooledSizes returns the shape of the planes that max_unpool makes:
// output_size, which must be close to the default, or the default.
func unpooledSizes(a *Args) ([]int, error) {
	t, size, stride, padding := a.Tensor("input"), a.Ints("kernel_size"), poolStride(a), a.Ints("padding")
	dims := len(size)
	if t.Dim() < dims || len(stride) < dims || len(padding) < dims {
		return nil, fail(IndexError, CodeIndex, "tuple index out of range")
	}
	usual := make([]int, dims)
	for d := range usual {
		usual[d] = (t.sizes[t.Dim()-dims+d]-1)*stride[d] + size[d] - 2*padding[d]
	}
	if !a.Has("output_size") {
		return usual, nil
	}
	asked := a.Ints("output_size")
	if len(asked) == dims+2 {
		asked = asked[2:]
	}
	if len(asked) != dims {
		return nil, fail(ValueError, CodeArgument, "output_size should be a sequence containing %d or %d elements, but it has a length of '%d'", dims, dims+2, len(asked))
	}
	for d := range asked {
		least, most := usual[d]-stride[d], usual[d]+stride[d]
		if asked[d] <= least || asked[d] >= most {
			return nil, fail(ValueError, CodeArgument, `invalid output_size "%s" (dim %d must be between %d and %d)`, pythonTuple(asked), d, least, most)
		}
	}
	return append([]int{}, asked...), nil
}

// pythonTuple formats numbers as Python prints a tuple.
func pythonTuple(list []int) string {
	if len(list) == 1 {
		return "(" + itoa(list[0]) + ",)"
	}
	return "(" + joinInts(list, ", ") + ")"
}
