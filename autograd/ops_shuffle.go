package autograd

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// shuffleOps rearrange the elements of images: between channels and planes, and
// between images and the columns of their windows.
var shuffleOps = []Op{
	{
		Schema: "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", In: Torch | Functional,
		Node: "PixelShuffleBackward0", Attrs: "upscale_factor", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return pixelShuffle(a.Self(), a.Int("upscale_factor")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return fnPixelUnshuffle.single(nil, c.Grad(), c.Args().Int("upscale_factor"))
		}}},
	},
	{
		Schema: "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", In: Torch | Functional,
		Node: "PixelUnshuffleBackward0", Attrs: "downscale_factor", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return pixelUnshuffle(a.Self(), a.Int("downscale_factor")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return fnPixelShuffle.single(nil, c.Grad(), c.Args().Int("downscale_factor"))
		}}},
	},
	{
		Schema: "channel_shuffle(Tensor self, int groups) -> Tensor", In: Torch | Functional,
		Node: "ChannelShuffleBackward0", Attrs: "groups", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return channelShuffle(a.Self(), a.Int("groups")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return fnChannelShuffle.single(nil, c.Grad(), c.Grad().sizes[1]/c.Args().Int("groups"))
		}}},
	},
	{
		Schema: "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor", In: Hidden, Go: "-",
		Node: "Im2ColBackward0", Attrs: "dilation kernel_size padding self_sym_argsize_minus_1 self_sym_argsize_minus_2 stride", JVP: linear,
		Forward: unfoldWindows,
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return fnCol2im.single(nil, c.Grad(), lastSizes(c.Shape("self"), 2), a.Ints("kernel_size"), a.Ints("dilation"), a.Ints("padding"), a.Ints("stride"))
		}}},
	},
	{
		Schema: "col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor", In: Hidden, Go: "-",
		Node: "Col2ImBackward0", Attrs: "dilation kernel_size padding stride", JVP: linear,
		Forward: foldWindows,
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return fnIm2col.single(nil, c.Grad(), a.Ints("kernel_size"), a.Ints("dilation"), a.Ints("padding"), a.Ints("stride"))
		}}},
	},
	{
		Schema: "nn_functional_unfold(Tensor input, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor", In: Functional, Go: "UnfoldImage",
		Compose: func(a *Args) ([]*Tensor, error) {
			return fnIm2col.list(nil, a.Tensor("input"), a.Ints("kernel_size"), a.Ints("dilation"), a.Ints("padding"), a.Ints("stride"))
		},
	},
	{
		Schema: "nn_functional_fold(Tensor input, int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor", In: Functional, Go: "FoldImage",
		Compose: func(a *Args) ([]*Tensor, error) {
			return fnCol2im.list(nil, a.Tensor("input"), a.Ints("output_size"), a.Ints("kernel_size"), a.Ints("dilation"), a.Ints("padding"), a.Ints("stride"))
		},
	},
}

// rearranged views t with shape split, permutes the dimensions by order, and
// returns a row-major copy of the result with shape sizes.
func rearranged(t *Tensor, split, order, sizes []int) *Tensor {
	t = contiguous(t)
	steps := contiguousStrides(split)
	src := Tensor{st: t.st, sizes: permuted(split, order), strides: permuted(steps, order), offset: t.offset, dtype: t.dtype}
	out := alloc(t.dtype, sizes)
	dst := Tensor{st: out.st, sizes: src.sizes, strides: contiguousStrides(src.sizes), dtype: t.dtype}
	copyData(&dst, &src)
	return out
}

// checkShuffle makes the checks that pixel_shuffle and pixel_unshuffle share.
func checkShuffle(t *Tensor, name, factor string, n int) error {
	if t.Dim() < 3 {
		return fail(RuntimeError, CodeShape, "%s expects input to have at least 3 dimensions, but got input with %d dimension(s)", name, t.Dim())
	}
	if n <= 0 {
		return fail(RuntimeError, CodeArgument, "%s expects a positive %s, but got %d", name, factor, n)
	}
	return nil
}

func pixelShuffle(t *Tensor, r int) ([]*Tensor, error) {
	if err := checkShuffle(t, "pixel_shuffle", "upscale_factor", r); err != nil {
		return nil, err
	}
	lead := t.sizes[:t.Dim()-3]
	c, h, w := t.sizes[t.Dim()-3], t.sizes[t.Dim()-2], t.sizes[t.Dim()-1]
	if c%(r*r) != 0 {
		return nil, fail(RuntimeError, CodeShape, "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=%d is not divisible by %d", c, r*r)
	}
	n := numel(lead)
	return []*Tensor{rearranged(t, []int{n, c / (r * r), r, r, h, w}, []int{0, 1, 4, 2, 5, 3}, append(slices.Clone(lead), c/(r*r), h*r, w*r))}, nil
}

func pixelUnshuffle(t *Tensor, r int) ([]*Tensor, error) {
	if err := checkShuffle(t, "pixel_unshuffle", "downscale_factor", r); err != nil {
		return nil, err
	}
	lead := t.sizes[:t.Dim()-3]
	c, h, w := t.sizes[t.Dim()-3], t.sizes[t.Dim()-2], t.sizes[t.Dim()-1]
	if h%r != 0 {
		return nil, fail(RuntimeError, CodeShape, "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=%d is not divisible by %d", h, r)
	}
	if w%r != 0 {
		return nil, fail(RuntimeError, CodeShape, "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=%d is not divisible by %d", w, r)
	}
	n := numel(lead)
	return []*Tensor{rearranged(t, []int{n, c, h / r, r, w / r, r}, []int{0, 1, 3, 5, 2, 4}, append(slices.Clone(lead), c*r*r, h/r, w/r))}, nil
}

func channelShuffle(t *Tensor, groups int) ([]*Tensor, error) {
	if t.Dim() <= 2 {
		return nil, fail(RuntimeError, CodeShape, "channel_shuffle expects input with > 2 dims, but got input with sizes %s", shapeText(t.sizes))
	}
	c := t.sizes[1]
	if groups <= 0 {
		return nil, fail(RuntimeError, CodeArgument, "Number of groups to divide channels in must be positive. Value of groups:%d", groups)
	}
	if c%groups != 0 {
		return nil, fail(RuntimeError, CodeShape, "Number of channels must be divisible by groups. Got %d channels and %d groups.", c, groups)
	}
	return []*Tensor{rearranged(t, []int{t.sizes[0], groups, c / groups, numel(t.sizes[2:])}, []int{0, 2, 1, 3}, t.sizes)}, nil
}

// windowGeometry describes the sliding windows of im2col and col2im over an
// image of the given size, as a convolution of each channel.
func windowGeometry(a *Args, image []int) (g *kernel.Conv, err error) {
	read := func(name, label string, least int, rule string) []int {
		list := a.Ints(name)
		switch {
		case err != nil:
		case len(list) != 2:
			err = fail(RuntimeError, CodeArgument, "It is expected %s equals to 2, but got size %d", name, len(list))
		case list[0] < least || list[1] < least:
			err = fail(RuntimeError, CodeArgument, "%s should be %s, but got %s", paramText(name), rule, namedSizes(label, list, 0))
		}
		return list
	}
	k := read("kernel_size", "kernel", 1, "greater than zero")
	d := read("dilation", "dilation", 1, "greater than zero")
	p := read("padding", "pad", 0, "non-negative")
	s := read("stride", "stride", 1, "greater than zero")
	if err != nil {
		return nil, err
	}
	g = &kernel.Conv{In: [3]int{1, image[0], image[1]}, Kernel: [3]int{1, k[0], k[1]}, Stride: [3]int{1, s[0], s[1]}, Padding: [3]int{0, p[0], p[1]}, Dilation: [3]int{1, d[0], d[1]}}
	g.Out[0] = 1
	for i := 1; i < 3; i++ {
		g.Out[i] = pooledSize(g.In[i], g.Kernel[i], g.Stride[i], g.Padding[i], g.Dilation[i], false)
	}
	return g, nil
}

// paramText returns the name of a parameter in messages.
func paramText(name string) string {
	if name == "kernel_size" {
		return "kernel size"
	}
	return name
}

// pairText formats two numbers as (2, 3).
func pairText(x, y int) string { return fmt.Sprintf("(%d, %d)", x, y) }

func unfoldWindows(a *Args) ([]*Tensor, error) {
	t := a.Self()
	rank := t.Dim()
	if rank < 3 {
		_, err := wrapDim(2, rank)
		return nil, err
	}
	if rank > 4 || least(t.sizes[rank-3:]) == 0 {
		return nil, fail(RuntimeError, CodeShape, "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: %s", shapeText(t.sizes))
	}
	g, err := windowGeometry(a, t.sizes[rank-2:])
	if err != nil {
		return nil, err
	}
	if g.Out[1] < 1 || g.Out[2] < 1 {
		return nil, fail(RuntimeError, CodeShape, "Given input with spatial size %s, kernel_size=%s, dilation=%s, padding=%s, calculated shape of the array of sliding blocks as %s, but its components must be at least one.",
			pairText(g.In[1], g.In[1]), pairText(g.Kernel[1], g.Kernel[2]), pairText(g.Dilation[1], g.Dilation[2]), pairText(g.Padding[1], g.Padding[2]), pairText(g.Out[1], g.Out[2]))
	}
	c := t.sizes[rank-3]
	g.N, g.C, g.O, g.Groups = numel(t.sizes[:rank-3]), c, c, c
	out := alloc(t.dtype, append(slices.Clone(t.sizes[:rank-3]), c*g.Kernel[1]*g.Kernel[2], g.Out[1]*g.Out[2]))
	switch classOf(t.dtype) {
	case f32Class:
		kernel.ConvColumns(g, elements[float32](out), inOrder[float32](t))
	case f64Class:
		kernel.ConvColumns(g, elements[float64](out), inOrder[float64](t))
	case boolClass:
		kernel.ConvColumns(g, elements[bool](out), inOrder[bool](t))
	default:
		return nil, undefined("im2col_out_cpu", t.dtype)
	}
	return a.One(out)
}

func foldWindows(a *Args) ([]*Tensor, error) {
	t, image := a.Self(), a.Ints("output_size")
	rank := t.Dim()
	if len(image) != 2 {
		return nil, fail(RuntimeError, CodeArgument, "It is expected output_size equals to 2, but got size %d", len(image))
	}
	g, err := windowGeometry(a, image)
	if err != nil {
		return nil, err
	}
	if rank != 2 && rank != 3 || least(t.sizes[rank-2:]) == 0 {
		return nil, fail(RuntimeError, CodeShape, "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: %s", shapeText(t.sizes))
	}
	rows, columns, area := t.sizes[rank-2], t.sizes[rank-1], g.Kernel[1]*g.Kernel[2]
	if area <= 0 || rows%area != 0 { // the product of huge sizes overflows
		return nil, fail(RuntimeError, CodeShape, "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=%d and kernel_size=%s.", rows, pairText(g.Kernel[1], g.Kernel[2]))
	}
	bad := func(format string, args ...any) ([]*Tensor, error) {
		given := fmt.Sprintf("Given output_size=%s, kernel_size=%s, dilation=%s, padding=%s, stride=%s, ",
			pairText(g.In[1], g.In[2]), pairText(g.Kernel[1], g.Kernel[2]), pairText(g.Dilation[1], g.Dilation[2]), pairText(g.Padding[1], g.Padding[2]), pairText(g.Stride[1], g.Stride[2]))
		return nil, fail(RuntimeError, CodeShape, "%s", given+fmt.Sprintf(format, args...))
	}
	if columns != g.Out[1]*g.Out[2] {
		return bad("expected size of input's dimension 2 to match the calculated number of sliding blocks %d * %d = %d, but got input.size(2)=%d.", g.Out[1], g.Out[2], g.Out[1]*g.Out[2], columns)
	}
	if g.Out[1] < 1 || g.Out[2] < 1 {
		return bad("calculated shape of the array of sliding blocks as %s, which is too small (non-positive)", pairText(g.Out[1], g.Out[2]))
	}
	c := rows / area
	g.N, g.C, g.O, g.Groups = numel(t.sizes[:rank-2]), c, c, c
	out := alloc(t.dtype, append(slices.Clone(t.sizes[:rank-2]), c, image[0], image[1]))
	switch classOf(t.dtype) {
	case f32Class:
		kernel.ConvImage(g, elements[float32](out), inOrder[float32](t))
	case f64Class:
		kernel.ConvImage(g, elements[float64](out), inOrder[float64](t))
	default:
		return nil, undefined("col2im_out_cpu", t.dtype)
	}
	return a.One(rounded(out))
}
