package nn

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// convLayers returns the convolutions in one to three dimensions.
func convLayers() (list []class) {
	for dims := 1; dims <= 3; dims++ {
		list = append(list, convLayer(dims), convTransposeLayer(dims))
	}
	return list
}

// convLayer is Conv1d, Conv2d or Conv3d.
func convLayer(dims int) class {
	return class{
		sig:    fmt.Sprintf("Conv%dd(int in_channels, int out_channels, int[%d] kernel_size, int[%d] stride=1, Index padding=0, int[%d] dilation=1, int groups=1, bool bias=True, str padding_mode='zeros', str? device=None, ScalarType? dtype=None)", dims, dims, dims, dims),
		inputs: "input",
		build: func(m *Module, c *pycall.Args) error {
			zeros := make([]int, dims)
			m.attrs.set("output_padding", zeros)
			return buildConv(m, c, dims, false)
		},
		show: describeConv,
		forward: func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
			input, padding := x[0], m.attr("padding")
			if m.attr("padding_mode") != "zeros" {
				mode := m.attr("padding_mode")
				padded, err := call("pad", []any{input, m.sides(dims)}, autograd.Kw("mode", mode))
				if err != nil {
					return nil, err
				}
				input, padding = padded[0], make([]int, dims)
			}
			return call(fmt.Sprintf("conv%dd", dims), []any{input, m.Param("weight"), m.Param("bias"), m.attr("stride"), padding, m.attr("dilation"), m.attr("groups")})
		},
	}
}

// convTransposeLayer is ConvTranspose1d, ConvTranspose2d or ConvTranspose3d.
func convTransposeLayer(dims int) class {
	return class{
		sig:    fmt.Sprintf("ConvTranspose%dd(int in_channels, int out_channels, int[%d] kernel_size, int[%d] stride=1, int[%d] padding=0, int[%d] output_padding=0, int groups=1, bool bias=True, int[%d] dilation=1, str padding_mode='zeros', str? device=None, ScalarType? dtype=None)", dims, dims, dims, dims, dims, dims),
		inputs: "input",
		build: func(m *Module, c *pycall.Args) error {
			if c.Str("padding_mode") != "zeros" {
				return raise(autograd.ValueError, fmt.Sprintf(`Only "zeros" padding mode is supported for %s`, m.Class()))
			}
			m.attrs.set("output_padding", c.Ints("output_padding", dims))
			return buildConv(m, c, dims, true)
		},
		show: describeConv,
		call: fmt.Sprintf("conv_transpose%dd weight bias stride padding output_padding groups dilation", dims),
	}
}

// buildConv checks the arguments of a convolution and registers its parameters.
func buildConv(m *Module, c *pycall.Args, dims int, transposed bool) error {
	in, out, groups := c.Int("in_channels"), c.Int("out_channels"), c.Int("groups")
	bad := func(format string, args ...any) error {
		return raise(autograd.ValueError, fmt.Sprintf(format, args...))
	}
	stride, dilation, size := c.Ints("stride", dims), c.Ints("dilation", dims), c.Ints("kernel_size", dims)
	how, word := c.Value("padding").(string)
	switch {
	case groups <= 0:
		return bad("groups must be a positive integer")
	case in%groups != 0:
		return bad("in_channels must be divisible by groups")
	case out%groups != 0:
		return bad("out_channels must be divisible by groups")
	case word && how != "same" && how != "valid":
		return bad("Invalid padding string %s, should be one of {'same', 'valid'}", pycall.Quote(how))
	case how == "same" && slices.ContainsFunc(stride, func(s int) bool { return s != 1 }):
		return bad("padding='same' is not supported for strided convolutions")
	case !slices.Contains([]string{"zeros", "reflect", "replicate", "circular"}, c.Str("padding_mode")):
		return bad("padding_mode must be one of {'circular', 'reflect', 'replicate', 'zeros'}, but got padding_mode='%s'", c.Str("padding_mode"))
	}
	m.attrs.set("kernel_size", size)
	m.attrs.set("stride", stride)
	m.attrs.set("dilation", dilation)
	m.attrs.set("transposed", transposed)
	if !word {
		m.attrs.set("padding", c.Ints("padding", dims))
	}
	shape := []int{out, in / groups}
	if transposed {
		shape = []int{in, out / groups}
	}
	m.addParam(c, "weight", append(shape, size...)...)
	m.addBias(c, out)
	return m.resetByFan()
}

// sides returns the padding of a convolution in the form of the operator pad:
// before and after, last dimension first.
func (m *Module) sides(dims int) []int {
	size, _ := m.attr("kernel_size").([]int)
	dilation, _ := m.attr("dilation").([]int)
	padding, isList := m.attr("padding").([]int)
	var sides []int
	for d := dims - 1; d >= 0; d-- {
		switch {
		case isList:
			sides = append(sides, padding[d], padding[d])
		case m.attr("padding") == "same":
			total := dilation[d] * (size[d] - 1)
			sides = append(sides, total/2, total-total/2)
		default:
			sides = append(sides, 0, 0)
		}
	}
	return sides
}

// describeConv prints the attributes of a convolution that differ from the
// defaults.
func describeConv(m *Module) string {
	text := "{in_channels}, {out_channels}, kernel_size={kernel_size}, stride={stride}"
	if list, ok := m.attr("padding").([]int); !ok || slices.ContainsFunc(list, func(n int) bool { return n != 0 }) {
		text += ", padding={padding}"
	}
	if slices.ContainsFunc(m.ints("dilation"), func(n int) bool { return n != 1 }) {
		text += ", dilation={dilation}"
	}
	if slices.ContainsFunc(m.ints("output_padding"), func(n int) bool { return n != 0 }) {
		text += ", output_padding={output_padding}"
	}
	if m.attr("groups") != 1 {
		text += ", groups={groups}"
	}
	if m.Param("bias") == nil {
		text += ", bias=False"
	}
	if m.attr("padding_mode") != "zeros" {
		text += ", padding_mode={padding_mode}"
	}
	return m.format(text)
}

// ints returns an attribute that is a list of ints.
func (m *Module) ints(name string) []int {
	list, _ := m.attr(name).([]int)
	return list
}
