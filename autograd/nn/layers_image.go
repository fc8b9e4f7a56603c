package nn

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// windowLayers returns the pooling and padding layers in one to three dimensions.
func windowLayers() (list []class) {
	for dims := 1; dims <= 3; dims++ {
		list = append(append(list, poolLayers(dims)...), padLayers(dims)...)
	}
	return list
}

// imageLayers resize, rearrange or drop parts of images.
var imageLayers = []class{
	{sig: "Dropout" + dropoutSig, inputs: "input", call: "dropout p training inplace", repr: dropoutRepr, build: checkDropout},
	{sig: "Dropout1d" + dropoutSig, inputs: "input", call: "dropout1d p training inplace", repr: dropoutRepr, build: checkDropout},
	{sig: "Dropout2d" + dropoutSig, inputs: "input", call: "dropout2d p training inplace", repr: dropoutRepr, build: checkDropout},
	{sig: "Dropout3d" + dropoutSig, inputs: "input", call: "dropout3d p training inplace", repr: dropoutRepr, build: checkDropout},
	{sig: "AlphaDropout" + dropoutSig, inputs: "input", call: "alpha_dropout p training", repr: dropoutRepr, build: checkDropout},
	{sig: "FeatureAlphaDropout" + dropoutSig, inputs: "input", call: "feature_alpha_dropout p training", repr: dropoutRepr, build: checkDropout},
	{sig: "PixelShuffle(int upscale_factor)", inputs: "input", call: "pixel_shuffle upscale_factor", repr: "upscale_factor={upscale_factor}"},
	{sig: "PixelUnshuffle(int downscale_factor)", inputs: "input", call: "pixel_unshuffle downscale_factor", repr: "downscale_factor={downscale_factor}"},
	{sig: "ChannelShuffle(int groups)", inputs: "input", call: "channel_shuffle groups", repr: "groups={groups}"},
	{
		sig: "Unfold(int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1)", inputs: "input", call: "unfold kernel_size dilation padding stride",
		repr: "kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}",
	},
	{
		sig: "Fold(int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1)", inputs: "input", call: "fold output_size kernel_size dilation padding stride",
		repr: "output_size={output_size}, kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}",
	},
	{
		sig: "Upsample(int[1]? size=None, Index scale_factor=None, str mode='nearest', bool? align_corners=None, bool? recompute_scale_factor=None)", inputs: "input",
		call: upsampleCall, show: describeUpsample, build: floatFactor,
	},
	{
		sig: "UpsamplingNearest2d(int[2]? size=None, Index scale_factor=None)", inputs: "input", call: upsampleCall, show: describeUpsample,
		build: func(m *Module, c *pycall.Args) error {
			return both(floatFactor, setAttrs("mode", "nearest", "align_corners", nil, "recompute_scale_factor", nil))(m, c)
		},
	},
	{
		sig: "UpsamplingBilinear2d(int[2]? size=None, Index scale_factor=None)", inputs: "input", call: upsampleCall, show: describeUpsample,
		build: func(m *Module, c *pycall.Args) error {
			return both(floatFactor, setAttrs("mode", "bilinear", "align_corners", true, "recompute_scale_factor", nil))(m, c)
		},
	},
}

const (
	dropoutSig   = "(float p=0.5, bool inplace=False)"
	dropoutRepr  = "p={p}, inplace={inplace}"
	upsampleCall = "interpolate size scale_factor mode align_corners recompute_scale_factor=recompute_scale_factor"
)

func checkDropout(m *Module, c *pycall.Args) error {
	if p := c.Float("p"); !(p >= 0 && p <= 1) {
		return raise(autograd.ValueError, "dropout probability has to be between 0 and 1, but got "+pycall.Repr(c.Value("p")))
	}
	return nil
}

func both(f, g func(m *Module, c *pycall.Args) error) func(m *Module, c *pycall.Args) error {
	return func(m *Module, c *pycall.Args) error {
		if err := f(m, c); err != nil {
			return err
		}
		return g(m, c)
	}
}

// floatFactor converts the factors of Upsample to floats.
func floatFactor(m *Module, c *pycall.Args) error {
	switch v := c.Value("scale_factor").(type) {
	case int:
		m.attrs.set("scale_factor", float64(v))
	case []int:
		list := make([]float64, len(v))
		for i, n := range v {
			list[i] = float64(n)
		}
		m.attrs.set("scale_factor", list)
	}
	return nil
}

func describeUpsample(m *Module) string {
	if m.attr("scale_factor") != nil {
		return m.format("scale_factor={scale_factor}, mode={repr mode}")
	}
	return m.format("size={size}, mode={repr mode}")
}

// poolLayers returns the pooling layers in dims dimensions.
func poolLayers(dims int) []class {
	sized := func(format string) string {
		return strings.NewReplacer("ND", fmt.Sprintf("%dd", dims), "[N]", fmt.Sprintf("[%d]", dims)).Replace(format)
	}
	divisor, byDivisor := "", ""
	if dims > 1 {
		divisor, byDivisor = ", int? divisor_override=None", " divisor_override"
	}
	return []class{
		{
			sig:    sized("MaxPoolND(int[N] kernel_size, int[N]? stride=None, int[N] padding=0, int[N] dilation=1, bool return_indices=False, bool ceil_mode=False)"),
			inputs: "input", build: defaultStride, call: sized("max_poolND kernel_size stride padding dilation ceil_mode=ceil_mode return_indices=return_indices"),
			repr: "kernel_size={kernel_size}, stride={stride}, padding={padding}, dilation={dilation}, ceil_mode={ceil_mode}",
		},
		{
			sig:    sized("AvgPoolND(int[N] kernel_size, int[N]? stride=None, int[N] padding=0, bool ceil_mode=False, bool count_include_pad=True" + divisor + ")"),
			inputs: "input", build: both(defaultStride, singles(dims)), call: sized("avg_poolND kernel_size stride padding ceil_mode count_include_pad" + byDivisor),
			repr: "kernel_size={kernel_size}, stride={stride}, padding={padding}",
		},
		{
			sig:    sized("LPPoolND(float norm_type, int[N] kernel_size, int[N]? stride=None, bool ceil_mode=False)"),
			inputs: "input", call: sized("lp_poolND norm_type kernel_size stride ceil_mode"),
			repr: "norm_type={norm_type}, kernel_size={kernel_size}, stride={stride}, ceil_mode={ceil_mode}",
		},
		{
			sig:    sized("MaxUnpoolND(int[N] kernel_size, int[N]? stride=None, int[N] padding=0)"),
			inputs: "input indices", build: both(defaultStride, expandSizes(dims)), call: sized("max_unpoolND kernel_size stride padding"),
			repr: "kernel_size={kernel_size}, stride={stride}, padding={padding}",
		},
		{
			sig:    sized("AdaptiveAvgPoolND(Index output_size)"),
			inputs: "input", call: sized("adaptive_avg_poolND output_size"), repr: "output_size={output_size}",
		},
		{
			sig:    sized("AdaptiveMaxPoolND(Index output_size, bool return_indices=False)"),
			inputs: "input", call: sized("adaptive_max_poolND output_size return_indices"), repr: "output_size={output_size}",
		},
	}
}

// defaultStride sets the stride of a pooling layer to its kernel size if no
// stride is given.
func defaultStride(m *Module, c *pycall.Args) error {
	if m.attr("stride") == nil {
		m.attrs.set("stride", c.Value("kernel_size"))
	}
	return nil
}

// singles converts the sizes of AvgPool1d to tuples, as PyTorch does for this
// layer only.
func singles(dims int) func(m *Module, c *pycall.Args) error {
	if dims > 1 {
		return func(*Module, *pycall.Args) error { return nil }
	}
	return expandSizes(1)
}

// expandSizes converts the sizes of a pooling layer to tuples.
func expandSizes(dims int) func(m *Module, c *pycall.Args) error {
	return func(m *Module, _ *pycall.Args) error {
		for _, name := range []string{"kernel_size", "stride", "padding"} {
			if n, ok := m.attr(name).(int); ok {
				list := make([]int, dims)
				for i := range list {
					list[i] = n
				}
				m.attrs.set(name, list)
			}
		}
		return nil
	}
}

// padLayers returns the padding layers in dims dimensions.
func padLayers(dims int) []class {
	expand := func(m *Module, c *pycall.Args) error {
		m.attrs.set("padding", c.Ints("padding", 2*dims))
		return nil
	}
	layer := func(name, params string) class {
		return class{sig: fmt.Sprintf("%sPad%dd(int[%d] padding%s)", name, dims, 2*dims, params), inputs: "input", build: expand, repr: "{padding}"}
	}
	reflect, replicate, zero, constant, circular := layer("Reflection", ""), layer("Replication", ""), layer("Zero", ""), layer("Constant", ", float value"), layer("Circular", "")
	reflect.call, replicate.call = "pad padding mode=mode", "pad padding mode=mode"
	reflect.build, replicate.build = both(expand, setAttrs("mode", "reflect")), both(expand, setAttrs("mode", "replicate"))
	constant.call, constant.repr = "pad padding value=value", "padding={padding}, value={value}"
	zero.call, zero.build = "pad padding value=value", both(expand, setAttrs("value", 0.0))
	circular.forward = func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
		if rank := x[0].Dim(); rank != dims+1 && rank != dims+2 {
			return nil, rankError(fmt.Sprintf("%dD or %dD", dims+1, dims+2), x[0])
		}
		return call("pad", []any{x[0], m.attr("padding")}, autograd.Kw("mode", "circular"))
	}
	return []class{reflect, replicate, zero, constant, circular}
}
