package autograd

import "github.com/gradtui/gradtui/graph"

// Basic operators, which the engine itself uses.

var coreOps = []Op{
	{
		Schema: "clone(Tensor self, *, str? memory_format=None) -> Tensor", Node: "CloneBackward0", Certain: true, Predicted: ByValues, JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			switch format := a.Str("memory_format"); {
			case format != "" && format != "contiguous" && format != "preserve":
				return nil, fail(RuntimeError, CodeUnsupported, "clone(): memory format %s is not supported by this engine", format)
			case format == "contiguous":
				c := alloc(t.dtype, t.sizes)
				copyData(c, t)
				return a.One(c)
			}
			c := allocPreserving(t)
			copyData(c, t)
			return a.One(c)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "detach(Tensor self) -> Tensor", Cut: graph.CutDetach, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			return a.One(t.shallow(t.sizes, t.strides, t.offset))
		},
	},
	{
		Schema: "alias(Tensor self) -> Tensor", Views: OneView, Node: "AliasBackward0", Certain: true, JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			return a.One(t.shallow(t.sizes, t.strides, t.offset))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "copy_(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", Node: "CopyBackwards", TakesNumbers: true, Predicted: ByValues,
		Mutate: func(a *Args) error {
			t, src := a.Self(), a.Tensor("src")
			if !expandable(src.sizes, t.sizes) {
				_, err := broadcastSizes(t.sizes, src.sizes)
				if err == nil {
					err = fail(RuntimeError, CodeShape, "output with shape %s doesn't match the broadcast shape %s", shapeText(t.sizes), shapeText(src.sizes))
				}
				return err
			}
			copyData(t, src)
			return nil
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().ZerosLike() }},
			{Input: "src", Of: func(c *Ctx) *Tensor { return c.Grad() }},
		},
		JVP: func(c *JCtx) ([]*Tensor, error) { return []*Tensor{c.TangentOrZeros("src")}, nil },
	},
	{
		Schema: "as_strided(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
		Views:  OneView, Node: "AsStridedBackward0", InPlace: true, InPlaceNode: "AsStridedBackward1", JVP: linear, Attrs: "size stride storage_offset",
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			size, stride, offset := a.Ints("size"), a.Ints("stride"), t.offset
			if a.Has("storage_offset") {
				offset = a.Int("storage_offset")
			}
			if err := checkStrided(t, size, stride, offset); err != nil {
				return nil, err
			}
			a.Extra = geometry{t.sizes, t.strides, t.offset}
			return a.One(t.shallow(size, stride, offset))
		},
		VJP: []Formula{{Input: "self", Of: asStridedBackward}},
	},
}

func checkStrided(t *Tensor, size, stride []int, offset int) *Error {
	if len(size) != len(stride) {
		return fail(RuntimeError, CodeShape, "mismatch in length of strides and shape")
	}
	last := offset
	for d := range size {
		switch {
		case size[d] < 0:
			return fail(RuntimeError, CodeShape, "Storage size calculation overflowed with sizes=%s and strides=%s", shapeText(size), shapeText(stride))
		case stride[d] < 0:
			return fail(RuntimeError, CodeShape, "as_strided: Negative strides are not supported at the moment, got strides: %s", shapeText(stride))
		case size[d] == 0:
			return nil
		}
		last += (size[d] - 1) * stride[d]
	}
	if offset < 0 || last >= t.st.len() {
		n := t.dtype.Size()
		return fail(RuntimeError, CodeShape, "setStorage: sizes %s, strides %s, storage offset %d, and itemsize %d requiring a storage size of %d are out of bounds for storage of size %d", shapeText(size), shapeText(stride), offset, n, (last+1)*n, t.st.len()*n)
	}
	return nil
}

// geometry describes the layout of a tensor in its storage.
type geometry struct {
	sizes, strides []int
	offset         int
}
