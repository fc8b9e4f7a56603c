package autograd

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// An upsampler is a method to change the size of planes.
type upsampler struct {
	operator string // for example upsample_nearest1d
	node     string // for example UpsampleNearest1D
	mode     string // its name in interpolate
	dims     int
	// taps returns the inputs of each output along a dimension. scale is the
	// factor that the program gave, or 0. wide says to compute in float64.
	taps func(in, out int, corners bool, scale float64, wide bool) kernel.Taps
	// corners says that there is a parameter align_corners.
	corners bool
	kernel  string // in the message for an unsupported dtype
}

var upsamplers = []upsampler{
	{"upsample_nearest1d", "UpsampleNearest1D", "nearest", 1, nearestTaps, false, "compute_indices_weights_nearest"},
	{"upsample_nearest2d", "UpsampleNearest2D", "nearest", 2, nearestTaps, false, "upsample_nearest2d_channels_last"},
	{"upsample_nearest3d", "UpsampleNearest3D", "nearest", 3, nearestTaps, false, "compute_indices_weights_nearest"},
	{"_upsample_nearest_exact1d", "UpsampleNearestExact1D", "nearest-exact", 1, nearestExactTaps, false, "compute_indices_weights_nearest"},
	{"_upsample_nearest_exact2d", "UpsampleNearestExact2D", "nearest-exact", 2, nearestExactTaps, false, "upsample_nearest2d_channels_last"},
	{"_upsample_nearest_exact3d", "UpsampleNearestExact3D", "nearest-exact", 3, nearestExactTaps, false, "compute_indices_weights_nearest"},
	{"upsample_linear1d", "UpsampleLinear1D", "linear", 1, linearTaps, true, "compute_indices_weights_linear"},
	{"upsample_bilinear2d", "UpsampleBilinear2D", "bilinear", 2, linearTaps, true, "upsample_bilinear2d_channels_last"},
	{"upsample_trilinear3d", "UpsampleTrilinear3D", "trilinear", 3, linearTaps, true, "compute_indices_weights_linear"},
	{"upsample_bicubic2d", "UpsampleBicubic2D", "bicubic", 2, cubicTaps, true, "compute_indices_weights_cubic"},
	{"_upsample_bilinear2d_aa", "UpsampleBilinear2DAa", "bilinear" + antialiased, 2, smoothTaps(1, tent), true, "upsample_bilinear2d_aa"},
	{"_upsample_bicubic2d_aa", "UpsampleBicubic2DAa", "bicubic" + antialiased, 2, smoothTaps(2, cubicBell), true, "upsample_bicubic2d_aa"},
}

// antialiased is appended to the mode of upsamplers that average when they
// shrink.
const antialiased = ", antialiased"

// scaleNames returns the names of the parameters for the factors.
func (u *upsampler) scaleNames() []string {
	if u.dims == 1 {
		return []string{"scales"}
	}
	return []string{"scales_d", "scales_h", "scales_w"}[3-u.dims:]
}

// upsampleOps returns the operators of all upsamplers and their gradients.
func upsampleOps() (ops []Op) {
	for _, u := range upsamplers {
		ops = append(ops, u.ops()...)
	}
	return ops
}

// ops returns the operator and its gradient.
func (u *upsampler) ops() []Op {
	forward, backward := declare(u.operator), declare(u.operator+"_backward")
	params, attrs := "", "output_size self_sym_sizes"
	if u.corners {
		params, attrs = ", bool align_corners", "align_corners "+attrs
	}
	for _, name := range u.scaleNames() {
		params += ", float? " + name + "=None"
		attrs += " " + name
	}
	// rest returns the arguments after the sizes.
	rest := func(a *Args) []any {
		var list []any
		if u.corners {
			list = append(list, a.Bool("align_corners"))
		}
		for _, name := range u.scaleNames() {
			if a.Has(name) {
				list = append(list, a.Float(name))
			} else {
				list = append(list, nil)
			}
		}
		return list
	}
	return []Op{
		{
			Schema: fmt.Sprintf("%s(Tensor self, int[%d] output_size%s) -> Tensor", u.operator, u.dims, params), In: Hidden,
			Node: u.node + "Backward0", Attrs: attrs, JVP: linear, Forward: u.forward,
			VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
				return backward.single(nil, append([]any{c.Grad(), c.Args().Ints("output_size"), c.Shape("self")}, rest(c.Args())...)...)
			}}},
		},
		{
			Schema: fmt.Sprintf("%s_backward(Tensor grad_output, int[%d] output_size, int[%d] input_size%s) -> Tensor", u.operator, u.dims, u.dims+2, params), In: Hidden,
			Node: u.node + "BackwardBackward0", JVP: linear, Forward: u.gradient,
			VJP: []Formula{{Input: "grad_output", Of: func(c *Ctx) *Tensor {
				return forward.single(nil, append([]any{c.Grad(), c.Args().Ints("output_size")}, rest(c.Args())...)...)
			}}},
		},
	}
}

func (u *upsampler) forward(a *Args) ([]*Tensor, error) {
	t, out := a.Self(), a.Ints("output_size")
	if len(out) != u.dims {
		return nil, fail(RuntimeError, CodeArgument, "It is expected output_size equals to %d, but got size %d", u.dims, len(out))
	}
	if t.Dim() != u.dims+2 || t.sizes[1] == 0 {
		return nil, fail(RuntimeError, CodeShape, "Non-empty %dD data tensor expected but got a tensor with sizes %s", u.dims+2, shapeText(t.sizes))
	}
	if in := t.sizes[2:]; least(in) < 1 || least(out) < 1 {
		and := ""
		if u.dims == 1 {
			and = "and "
		}
		return nil, fail(RuntimeError, CodeShape, "Input and output sizes should be greater than 0, but got input (%s) %soutput (%s)", sizesText(in), and, sizesText(out))
	}
	if !t.dtype.IsFloat() && t.dtype != UInt8 {
		return nil, undefined(u.kernel, t.dtype)
	}
	result, _ := resampled(t, u.axes(a, t.sizes[2:], t.dtype))
	return a.One(result)
}

func (u *upsampler) gradient(a *Args) ([]*Tensor, error) {
	g, in := a.Tensor("grad_output"), a.Ints("input_size")
	return a.One(resampledGradient(g, in, u.axes(a, in[2:], g.dtype)))
}

func (u *upsampler) axes(a *Args, in []int, d DType) []kernel.Taps {
	out := a.Ints("output_size")
	taps := make([]kernel.Taps, u.dims)
	for i, name := range u.scaleNames() {
		scale := 0.0
		if a.Has(name) {
			scale = a.Float(name)
		}
		taps[i] = u.taps(in[i], out[i], u.corners && a.Bool("align_corners"), scale, d == Float64)
	}
	return taps
}

// ratio returns the distance between adjacent outputs, in inputs. PyTorch
// computes it in the precision of the elements, which can change the nearest
// input.
func ratio(in, out int, scale float64) float64 {
	if scale > 0 {
		return 1 / scale
	}
	return float64(in) / float64(out)
}

func nearestTaps(in, out int, _ bool, scale float64, _ bool) kernel.Taps {
	step := float32(ratio(in, out, scale))
	return oneOf(in, out, func(o int) int {
		switch out {
		case in:
			return o
		case 2 * in:
			return o / 2
		}
		return int(math.Floor(float64(float32(o) * step)))
	})
}

func nearestExactTaps(in, out int, _ bool, scale float64, _ bool) kernel.Taps {
	step := float32(ratio(in, out, scale))
	return oneOf(in, out, func(o int) int { return int(math.Floor(float64((float32(o) + 0.5) * step))) })
}

func oneOf(in, out int, at func(o int) int) kernel.Taps {
	listable(out, 8)
	t := kernel.Taps{In: in, Out: out, Count: 1, Index: make([]int, out)}
	for o := range t.Index {
		t.Index[o] = min(at(o), in-1)
	}
	return t
}

// place returns the position of output o among the inputs.
func place(o, in, out int, corners bool, scale float64, wide bool) float64 {
	if corners {
		step := 0.0
		if out > 1 {
			step = float64(in-1) / float64(out-1)
		}
		return inPrecision(inPrecision(step, wide)*float64(o), wide)
	}
	step := inPrecision(ratio(in, out, scale), wide)
	return inPrecision(inPrecision(step*(float64(o)+0.5), wide)-0.5, wide)
}

// inPrecision rounds to float32 unless wide is set.
func inPrecision(x float64, wide bool) float64 {
	if wide {
		return x
	}
	return float64(float32(x))
}

func linearTaps(in, out int, corners bool, scale float64, wide bool) kernel.Taps {
	t := kernel.Taps{In: in, Out: out, Count: 2}
	for o := range out {
		at := float64(o)
		if in != out {
			at = max(place(o, in, out, corners, scale, wide), 0)
		}
		i := min(int(at), in-1)
		part := inPrecision(min(max(at-float64(i), 0), 1), wide)
		t.Index = append(t.Index, i, min(i+1, in-1))
		t.Weight = append(t.Weight, inPrecision(1-part, wide), part)
	}
	return t
}

// cubicWeight returns the kernel of Keys's cubic convolution with a = -0.75,
// and its derivative.
func cubicWeight(x float64) (weight, slope float64) {
	const a = -0.75
	u := math.Abs(x)
	if u <= 1 {
		weight, slope = ((a+2)*u-(a+3))*u*u+1, (3*(a+2)*u-2*(a+3))*u
	} else {
		weight, slope = ((a*u-5*a)*u+8*a)*u-4*a, (3*a*u-10*a)*u+8*a
	}
	if x < 0 {
		slope = -slope
	}
	return weight, slope
}

// cubicTaps returns the taps of Keys's cubic convolution.
func cubicTaps(in, out int, corners bool, scale float64, wide bool) kernel.Taps {
	t := kernel.Taps{In: in, Out: out, Count: 4}
	for o := range out {
		at := place(o, in, out, corners, scale, wide)
		i := min(int(math.Floor(at)), in-1)
		x := min(max(at-float64(i), 0), 1)
		for k := range 4 {
			w, _ := cubicWeight(x + 1 - float64(k))
			t.Index = append(t.Index, min(max(i-1+k, 0), in-1))
			t.Weight = append(t.Weight, inPrecision(w, wide))
		}
	}
	return t
}

// tent and cubicBell return the weight of an input from its distance to the
// output.
func tent(x float64) float64 { return max(1-math.Abs(x), 0) }

func cubicBell(x float64) float64 {
	const a = -0.5
	switch u := math.Abs(x); {
	case u < 1:
		return ((a+2)*u-(a+3))*u*u + 1
	case u < 2:
		return (((u-5)*u+8)*u - 4) * a
	}
	return 0
}

// smoothTaps returns taps that reach radius inputs to each side of the output,
// or radius outputs if these are further apart.
func smoothTaps(radius float64, weight func(x float64) float64) func(in, out int, corners bool, scale float64, wide bool) kernel.Taps {
	return func(in, out int, corners bool, scale float64, wide bool) kernel.Taps {
		step := inPrecision(ratio(in, out, scale), wide)
		if corners {
			step = inPrecision(float64(in-1)/float64(max(out-1, 1)), wide)
		}
		stretch := max(step, 1)
		t := kernel.Taps{In: in, Out: out, Count: int(math.Ceil(radius*stretch))*2 + 1}
		listable(out, t.Count)
		for o := range out {
			center := inPrecision(step*(float64(o)+0.5), wide)
			low := max(int(center-radius*stretch+0.5), 0)
			high := min(int(center+radius*stretch+0.5), in)
			weights, sum := make([]float64, t.Count), 0.0
			for k := range high - low {
				weights[k] = weight((float64(low+k) - center + 0.5) / stretch)
				sum += weights[k]
			}
			for k, w := range weights {
				t.Index = append(t.Index, min(low+k, in-1))
				t.Weight = append(t.Weight, inPrecision(w/sum, wide))
			}
		}
		return t
	}
}

var interpolateOps = []Op{
	{
		Schema: "nn_functional_interpolate(Tensor input, int[1]? size=None, float[1]? scale_factor=None, str mode='nearest', bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
		In:     Functional, Go: "Interpolate", Compose: interpolate,
	},
}

// interpolate follows torch.nn.functional.interpolate.
func interpolate(a *Args) ([]*Tensor, error) {
	t, mode := a.Tensor("input"), a.Str("mode")
	blocky := mode == "nearest" || mode == "area" || mode == "nearest-exact"
	if blocky && a.Has("align_corners") {
		return nil, fail(ValueError, CodeArgument, "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
	}
	dims := t.Dim() - 2
	size, factors, err := interpolatedSize(a, t, dims)
	if err != nil {
		return nil, err
	}
	recompute := a.Bool("recompute_scale_factor")
	if recompute && size != nil {
		return nil, fail(ValueError, CodeArgument, "recompute_scale_factor is not meaningful with an explicit size.")
	}
	scales := make([]any, max(dims, 0))
	if factors != nil {
		size = make([]int, len(factors))
		for i, f := range factors {
			size[i] = int(math.Floor(float64(t.sizes[i+2]) * f))
			if !recompute && mode != "area" {
				scales[i] = f
			}
		}
	}
	if a.Bool("antialias") {
		if mode != "bilinear" && mode != "bicubic" || t.Dim() != 4 {
			return nil, fail(ValueError, CodeArgument, "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input")
		}
		mode += antialiased
	}
	if mode == "area" && dims >= 1 && dims <= 3 {
		return []*Operator{fnAdaptiveAvgPool1d, fnAdaptiveAvgPool2d, fnAdaptiveAvgPool3d}[dims-1].list(nil, t, size)
	}
	for i := range upsamplers {
		if u := &upsamplers[i]; u.mode == mode && u.dims == dims {
			args := []any{t, size}
			if u.corners {
				args = append(args, a.Bool("align_corners"))
			}
			return declare(u.operator).list(nil, append(args, scales...)...)
		}
	}
	if needs := map[string]int{"linear": 3, "bilinear": 4, "trilinear": 5}[mode]; needs != 0 && dims >= 1 && dims <= 3 {
		return nil, fail(NotImplementedError, CodeShape, "Got %dD input, but %s mode needs %dD input", t.Dim(), mode, needs)
	}
	return nil, fail(NotImplementedError, CodeShape, "Input Error: Only 3D, 4D and 5D input Tensors supported (got %dD) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact (got %s)", t.Dim(), mode)
}

// interpolatedSize returns the size or the factors, whichever was given, one
// for each dimension.
func interpolatedSize(a *Args, t *Tensor, dims int) (size []int, factors []float64, err error) {
	switch given, scaled := a.Has("size"), a.Has("scale_factor"); {
	case given && scaled:
		return nil, nil, fail(ValueError, CodeArgument, "only one of size or scale_factor should be defined")
	case !given && !scaled:
		return nil, nil, fail(ValueError, CodeArgument, "either size or scale_factor should be defined")
	case given:
		if size = a.Ints("size"); len(size) == 1 && dims > 1 {
			size = repeated(size[0], dims)
		}
		if len(size) != dims && dims > 0 {
			return nil, nil, fail(ValueError, CodeShape, "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of %s and output size of %s. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format.", shapeText(t.sizes[min(t.Dim(), 2):]), pythonTuple(size))
		}
		return size, nil, nil
	}
	list, _ := a.value("scale_factor").x.([]float64)
	if len(list) == 1 {
		for range dims {
			factors = append(factors, list[0])
		}
		if factors == nil {
			factors = []float64{}
		}
		return nil, factors, nil
	}
	if len(list) != dims {
		parts := make([]string, len(list))
		for i, f := range list {
			parts[i] = strings.TrimSuffix(FloatScalar(f).String(), ".0")
		}
		return nil, nil, fail(ValueError, CodeShape, "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of %s and scale_factor of shape (%s). Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format.", shapeText(t.sizes[min(t.Dim(), 2):]), strings.Join(parts, ", "))
	}
	return nil, list, nil
}
