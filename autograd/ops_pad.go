package autograd

import (
	"fmt"
	"math"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

var padOps = []Op{
	{
		Schema: "constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor", In: Torch,
		Node: "ConstantPadNdBackward0", Attrs: "pad",
		Forward: constantPad,
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			pad := append([]int(nil), c.Args().Ints("pad")...)
			for i := range pad {
				pad[i] = -pad[i]
			}
			return fnConstantPadNd.single(nil, c.Grad(), pad, 0)
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			return fnConstantPadNd.list(nil, c.Tangent("self"), c.Args().Ints("pad"), 0)
		},
	},
	{
		Schema: "nn_functional_pad(Tensor input, int[] pad, str mode='constant', float? value=None) -> Tensor", In: Functional, Go: "Pad",
		Compose: func(a *Args) ([]*Tensor, error) {
			t, pad, mode := a.Tensor("input"), a.Ints("pad"), a.Str("mode")
			kind, ok := map[string]string{"constant": "", "reflect": "reflection", "replicate": "replication", "circular": "circular"}[mode]
			switch {
			case !ok:
				return nil, fail(NotImplementedError, CodeArgument, "Unrecognised padding mode %s", mode)
			case len(pad)%2 != 0:
				return nil, fail(RuntimeError, CodeShape, "Padding length must be divisible by 2")
			case len(pad) > 2*t.Dim():
				return nil, fail(RuntimeError, CodeShape, "Padding length should be less than or equal to two times the input dimension but got padding length %d and input of dimension %d", len(pad), t.Dim())
			case mode == "constant" && a.Has("value"):
				return fnConstantPadNd.list(nil, t, pad, a.Scalar("value"))
			case mode == "constant":
				return fnConstantPadNd.list(nil, t, pad, 0.0)
			case a.Has("value") && a.Float("value") != 0:
				return nil, fail(RuntimeError, CodeArgument, "Padding mode \"%s\" doesn't take in value argument", mode)
			}
			dims := len(pad) / 2
			if dims < 1 || dims > 3 || t.Dim() != dims+1 && t.Dim() != dims+2 {
				return nil, fail(NotImplementedError, CodeShape, "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
			}
			if mode == "circular" {
				return circularPad(a, t, pad)
			}
			return declare(fmt.Sprintf("%s_pad%dd", kind, dims)).list(nil, t, pad)
		},
	},
}

// constantPad pads a tensor with a value. Negative padding removes elements.
func constantPad(a *Args) ([]*Tensor, error) {
	t, pad := a.Self(), a.Ints("pad")
	rank := t.Dim()
	switch {
	case len(pad)%2 != 0:
		return nil, fail(RuntimeError, CodeShape, "Length of pad must be even but instead it equals %d", len(pad))
	case len(pad) > 2*rank:
		return nil, fail(RuntimeError, CodeShape, "Length of pad should be no more than twice the number of dimensions of the input. Pad length is %dwhile the input has %ddimensions.", len(pad), rank)
	}
	sizes := append([]int(nil), t.sizes...)
	inner, offset := append([]int(nil), t.sizes...), t.offset
	outOffsets := make([]int, rank)
	for i := 0; i < len(pad); i += 2 {
		d, before, after := rank-1-i/2, pad[i], pad[i+1]
		sizes[d] += before + after
		inner[d] += min(before, 0) + min(after, 0)
		if inner[d] < 0 {
			return nil, fail(RuntimeError, CodeShape, "narrow(): length must be non-negative.")
		}
		offset -= min(before, 0) * t.strides[d]
		outOffsets[d] = max(before, 0)
	}
	src := Tensor{st: t.st, sizes: inner, strides: t.strides, offset: offset, dtype: t.dtype}
	if sameSizes(inner, sizes) {
		// Nothing is added: a copy of the remaining part, with its layout.
		out := alloc(t.dtype, sizes)
		if isDense(inner, t.strides) {
			out = allocLaidOut(t.dtype, sizes, t.strides)
		}
		copyData(out, &src)
		return a.One(out)
	}
	out := alloc(t.dtype, sizes)
	if value := a.Scalar("value"); value.Float() != 0 {
		out.fill(value)
	}
	dst := Tensor{st: out.st, sizes: inner, strides: out.strides, dtype: t.dtype}
	for d, o := range outOffsets {
		dst.offset += o * out.strides[d]
	}
	copyData(&dst, &src)
	return a.One(out)
}

// circularPad fills the padding with the elements of the opposite side, with
// in-place copies as in PyTorch's _pad_circular.
func circularPad(a *Args, t *Tensor, pad []int) ([]*Tensor, error) {
	dims := len(pad) / 2
	lead := t.Dim() - dims
	sizes := append([]int(nil), t.sizes...)
	for i := range dims {
		d := t.Dim() - 1 - i
		before, after := pad[2*i], pad[2*i+1]
		sizes[d] += before + after
		switch {
		case before > t.sizes[d] || after > t.sizes[d]:
			return nil, fail(RuntimeError, CodeShape, "Padding value causes wrapping around more than once.")
		case sizes[d] < 0:
			return nil, fail(RuntimeError, CodeShape, "Negative padding value is resulting in an empty dimension")
		}
	}
	out := alloc(t.dtype, sizes)
	to, from := out, t
	for i := range dims {
		d, before, after := lead+dims-1-i, pad[2*i], pad[2*i+1]
		to = fnSliceTensor.single(nil, to, d, max(before, 0), sizes[d]-max(after, 0))
		from = fnSliceTensor.single(nil, from, d, max(-before, 0), t.sizes[d]-max(-after, 0))
	}
	if err := to.Copy_(from); err != nil {
		return nil, err
	}
	for i := range dims {
		d, before, after := lead+dims-1-i, pad[2*i], pad[2*i+1]
		if before > 0 {
			end := sizes[d] - max(after, 0)
			if err := fnSliceTensor.single(nil, out, d, 0, before).Copy_(fnSliceTensor.single(nil, out, d, end-before, end)); err != nil {
				return nil, err
			}
		}
		if after > 0 {
			start := max(before, 0)
			if err := fnSliceTensor.single(nil, out, d, sizes[d]-after, sizes[d]).Copy_(fnSliceTensor.single(nil, out, d, start, start+after)); err != nil {
				return nil, err
			}
		}
	}
	return a.One(out)
}

// reflected returns the index of the input element at position i of a padded
// row. Rows are mirrored at their first and last element.
func reflected(i, n int) int {
	if i < 0 {
		i = -i
	}
	if i >= n {
		i = 2*(n-1) - i
	}
	return i
}

// replicated returns the index of the input element at position i of a padded
// row that repeats the first and the last element.
func replicated(i, n int) int { return min(max(i, 0), n-1) }

// edgePadOps returns the padding operators that take their values from the
// input, and their gradients.
func edgePadOps() (ops []Op) {
	for dims := 1; dims <= 3; dims++ {
		ops = append(ops, edgePadOpsOf("reflection", "ReflectionPad", dims, reflected)...)
		ops = append(ops, edgePadOpsOf("replication", "ReplicationPad", dims, replicated)...)
	}
	return ops
}

// edgePadOpsOf returns such an operator for dims dimensions, and its gradient.
// at returns the index of the input element at position i of a padded row of n
// elements.
func edgePadOpsOf(name, node string, dims int, at func(i, n int) int) []Op {
	operator := fmt.Sprintf("%s_pad%dd", name, dims)
	class := fmt.Sprintf("%s%dDBackward", node, dims)
	forward, backward := declare(operator), declare(operator+"_backward")
	return []Op{
		{
			Schema: fmt.Sprintf("%s(Tensor self, int[%d] padding) -> Tensor", operator, 2*dims), In: Hidden,
			Node: class + "0", Attrs: "padding", JVP: linear,
			Forward: func(a *Args) ([]*Tensor, error) {
				taps, err := edgeTaps(a.Self(), a.Ints("padding"), dims, name, at)
				if err != nil {
					return nil, err
				}
				out, ok := resampled(a.Self(), taps)
				if !ok {
					return nil, undefined(operator, a.Self().dtype)
				}
				return a.One(out)
			},
			VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
				return backward.single(nil, c.Grad(), c.Saved("self"), c.Args().Ints("padding"))
			}}},
		},
		{
			Schema: fmt.Sprintf("%s_backward(Tensor grad_output, Tensor self, int[%d] padding) -> Tensor", operator, 2*dims), In: Hidden,
			Node: class + "Backward0", JVP: gradientLinear,
			Forward: func(a *Args) ([]*Tensor, error) {
				t := a.Tensor("self")
				taps, err := edgeTaps(t, a.Ints("padding"), dims, name, at)
				if err != nil {
					return nil, err
				}
				return a.One(resampledGradient(a.Tensor("grad_output"), t.sizes, taps))
			},
			VJP: gradientOnly("", func(c *Ctx) *Tensor { return forward.single(nil, c.Grad(), c.Args().Ints("padding")) }),
		},
	}
}

// edgeTaps checks the arguments of an operator that pads with elements of the
// input, and returns its taps.
func edgeTaps(t *Tensor, pad []int, dims int, name string, at func(i, n int) int) ([]kernel.Taps, error) {
	rank := t.Dim()
	bad := func(format string, args ...any) ([]kernel.Taps, error) {
		return nil, fail(RuntimeError, CodeShape, format, args...)
	}
	if len(pad) != 2*dims {
		return bad("padding size is expected to be %d, but got: %d", 2*dims, len(pad))
	}
	filled := rank == dims+1 || rank == dims+2
	for d := rank - dims - 1; d < rank && filled; d++ {
		filled = t.sizes[d] != 0
	}
	if !filled {
		return bad("Expected %dD or %dD (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: %s", dims+1, dims+2, shapeText(t.sizes))
	}
	taps := make([]kernel.Taps, dims)
	var in, out []int
	for i := range dims {
		d := rank - dims + i
		n, before, after := t.sizes[d], pad[2*(dims-1-i)], pad[2*(dims-1-i)+1]
		if name == "reflection" && (before >= n || after >= n) {
			return bad("Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (%d, %d) at dimension %d of input %s", before, after, d, shapeText(t.sizes))
		}
		in, out = append(in, n), append(out, n+before+after)
	}
	if least(out) < 1 || least(pad) < math.MinInt32 {
		return bad("input (%s) is too small. Calculated output %s", sizesText(in), sizesText(out))
	}
	storageLength(t.dtype, slices.Concat(t.sizes[:rank-dims], out))
	for i, n := range in {
		taps[i] = kernel.Taps{In: n, Out: out[i], Count: 1, Index: make([]int, out[i])}
		for o := range taps[i].Index {
			taps[i].Index[o] = at(o-pad[2*(dims-1-i)], n)
		}
	}
	return taps, nil
}

// sizesText formats the sizes of a plane as H: 2, W: 3.
func sizesText(list []int) string {
	text := ""
	for i, n := range list {
		if i > 0 {
			text += ", "
		}
		text += []string{"D", "H", "W"}[3-len(list)+i] + ": " + itoa(n)
	}
	return text
}
