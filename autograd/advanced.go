package autograd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file is indexing with tensors, "advanced" indexing, after ATen's
// IndexingUtils.h and TensorAdvancedIndexing.cpp (PyTorch 2.6):
//
//   - A bool mask stands for as many index tensors as it has dimensions: the
//     coordinates of its true elements.
//   - The index tensors are broadcast together.
//   - Their shape replaces the indexed dimensions if these are adjacent;
//     otherwise it comes first.

// A picking is an index expression applied to a tensor. The indexed dimensions
// select blocks; the elements of a block run over the other dimensions.
type picking struct {
	t       *Tensor
	index   []int // shape of the index tensors
	indices []*Tensor
	lead    int // dimensions of the result before those of index

	restSizes, restStrides []int // the dimensions that are not indexed
	blocks                 []int // place of each block, relative to the offset of t
}

// sizes returns the shape of the result.
func (p *picking) sizes() []int {
	return slices.Concat(p.restSizes[:p.lead], p.index, p.restSizes[p.lead:])
}

// split separates a list over the result's dimensions into the entries for the
// blocks and the entries for the elements of a block.
func (p *picking) split(list []int) (blocks, elements []int) {
	n := len(p.index)
	return list[p.lead : p.lead+n], slices.Concat(list[:p.lead], list[p.lead+n:])
}

// pick resolves index tensors, one for each dimension of t from the first; nil
// selects all of a dimension.
func pick(t *Tensor, indices []*Tensor) (*picking, *Error) {
	indices, err := withoutMasks(t, indices)
	if err != nil {
		return nil, err
	}
	if len(indices) > t.Dim() {
		return nil, fail(IndexError, CodeIndex, "too many indices for tensor of dimension %d (got %d)", t.Dim(), len(indices))
	}
	p := &picking{t: t}
	if p.index, err = indexShape(indices); err != nil {
		return nil, err
	}
	first, last, count := -1, -1, 0
	for d := range t.sizes {
		if d < len(indices) && indices[d] != nil {
			if first < 0 {
				first = d
			}
			last = d
			count++
			continue
		}
		p.restSizes, p.restStrides = append(p.restSizes, t.sizes[d]), append(p.restStrides, t.strides[d])
	}
	if count > 0 && last-first+1 == count {
		p.lead = first
	}
	p.indices = indices
	for d, index := range indices {
		if index != nil && t.sizes[d] == 0 && numel(p.index) > 0 {
			return nil, fail(IndexError, CodeIndex, "index is out of bounds for dimension with size 0")
		}
	}
	return p, nil
}

// locate finds the blocks. If the blocks are empty, the indices are not
// checked.
func (p *picking) locate() *Error {
	p.blocks = make([]int, numel(p.index))
	if numel(p.restSizes) == 0 {
		return nil
	}
	k := 0
	for d, index := range p.indices {
		if index == nil {
			continue
		}
		if err := p.add(index, p.t.sizes[d], p.t.strides[d], k); err != nil {
			return err
		}
		k++
	}
	return nil
}

// add moves the blocks along a dimension, as its index tensor says. It is the
// k-th index tensor.
func (p *picking) add(index *Tensor, size, stride, k int) *Error {
	data := index.st.other.i64
	for i, at := range index.placesOver(p.index) {
		x := int(data[at])
		if x < -size || x >= size {
			return fail(IndexError, CodeIndex, "index %d is out of bounds for dimension %d with size %d", x, k, size)
		}
		if x < 0 {
			x += size
		}
		p.blocks[i] += x * stride
	}
	return nil
}

// withoutMasks replaces masks with the coordinates of their true elements.
func withoutMasks(t *Tensor, indices []*Tensor) ([]*Tensor, *Error) {
	out := make([]*Tensor, 0, len(indices))
	for _, index := range indices {
		switch {
		case index == nil:
			out = append(out, nil)
		case index.dtype == Bool || index.dtype == UInt8:
			if index.dtype == UInt8 {
				warnFrom("./aten/src/ATen/native/IndexingUtils.h:29", "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
				index = as(index, Bool)
			}
			for j, s := range index.sizes {
				if d := len(out) + j; d >= t.Dim() || s != t.sizes[d] {
					return nil, fail(IndexError, CodeShape, "The shape of the mask %s at index %d does not match the shape of the indexed tensor %s at index %d", shapeText(index.sizes), j, shapeText(t.sizes), d)
				}
			}
			out = append(out, coordinates(index)...)
		case index.dtype == Int64 || index.dtype == Int32:
			out = append(out, index)
		default:
			return nil, fail(IndexError, CodeDType, "tensors used as indices must be long, int, byte or bool tensors")
		}
	}
	return out, nil
}

// coordinates returns the indices of the true elements of a mask, one tensor
// for each dimension.
func coordinates(mask *Tensor) []*Tensor {
	flat := trueIndices(mask)
	out := make([]*Tensor, mask.Dim())
	for d := mask.Dim() - 1; d >= 0; d-- {
		out[d] = alloc(Int64, []int{len(flat)})
		e := elements[int64](out[d])
		for i, x := range flat {
			e[i] = int64(x % mask.sizes[d])
			flat[i] = x / mask.sizes[d]
		}
	}
	return out
}

// indexShape returns the common shape of the index tensors.
func indexShape(indices []*Tensor) ([]int, *Error) {
	sizes, err := []int(nil), (*Error)(nil)
	for _, index := range indices {
		if index == nil {
			continue
		}
		if sizes, err = broadcastSizes(sizes, index.sizes); err != nil {
			var shapes []string
			for _, index := range indices {
				if index != nil {
					shapes = append(shapes, shapeText(index.sizes))
				}
			}
			return nil, fail(IndexError, CodeShape, "shape mismatch: indexing tensors could not be broadcast together with shapes %s", strings.Join(shapes, ", "))
		}
	}
	return sizes, nil
}

// indexed returns t[indices].
func indexed(a *Args, t *Tensor, indices []*Tensor) ([]*Tensor, error) {
	p, err := pick(t, indices)
	if err != nil {
		return nil, err
	}
	if err := p.locate(); err != nil {
		return nil, err
	}
	sizes := p.sizes()
	out := a.output(sizes, t.dtype, p.operands(indices, sizes)...)
	dBlock, dElement := p.split(out.strides)
	moveBlocks(out, t, &kernel.Blocks{
		DstBlock: kernel.Places(p.index, dBlock, out.offset), SrcBlock: p.blocks,
		DstElement: kernel.Places(p.restSizes, dElement, 0), SrcElement: kernel.Places(p.restSizes, p.restStrides, t.offset),
	})
	return a.One(out)
}

// operands returns the tensors that decide the layout of the result: t with
// stride 0 in the indexed dimensions, and the index tensors with stride 0 in
// the others.
func (p *picking) operands(indices []*Tensor, sizes []int) []*Tensor {
	still := make([]int, len(p.index))
	list := []*Tensor{{sizes: sizes, strides: slices.Concat(p.restStrides[:p.lead], still, p.restStrides[p.lead:])}}
	for _, index := range indices {
		if index == nil || index.dtype == Bool || index.dtype == UInt8 {
			continue
		}
		strides := make([]int, len(sizes))
		copy(strides[p.lead:], kernel.Broadcast(p.index, index.sizes, index.strides))
		list = append(list, &Tensor{sizes: sizes, strides: strides})
	}
	return list
}

// indexPut stores values at the indexed places, or adds them.
func indexPut(a *Args) ([]*Tensor, error) {
	t, indices, values := a.Self(), a.Tensors("indices"), a.Tensor("values")
	a.Extra = output{values.sizes, values.dtype}
	if err := checkPut(a, indices, values); err != nil {
		return nil, err
	}
	if err := a.noOverlap(append(indices[:len(indices):len(indices)], values)...); err != nil {
		return nil, err
	}
	out := a.target(true)
	p, err := pick(out, indices)
	if err != nil {
		return nil, err
	}
	sizes := p.sizes()
	if !expandable(values.sizes, sizes) {
		return nil, fail(RuntimeError, CodeShape, "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s", shapeText(values.sizes), shapeText(sizes))
	}
	if values.dtype != t.dtype {
		return nil, fail(RuntimeError, CodeDType, "Index put requires the source and destination dtypes match, got %s for the destination and %s for the source.", scalarTypeName(t.dtype), scalarTypeName(values.dtype))
	}
	if err := p.locate(); err != nil {
		return nil, err
	}
	if out == t && values.st == t.st {
		values = copied(values, values.dtype)
	}
	sBlock, sElement := p.split(kernel.Broadcast(sizes, values.sizes, values.strides))
	b := &kernel.Blocks{
		DstBlock: p.blocks, SrcBlock: kernel.Places(p.index, sBlock, values.offset),
		DstElement: kernel.Places(p.restSizes, p.restStrides, out.offset), SrcElement: kernel.Places(p.restSizes, sElement, 0),
	}
	if a.Bool("accumulate") {
		addBlocks(out, values, b)
	} else {
		moveBlocks(out, values, b)
	}
	return a.One(out)
}

// checkPut makes the checks that PyTorch makes before it resolves the indices.
func checkPut(a *Args, indices []*Tensor, values *Tensor) *Error {
	t := a.Self()
	if len(indices) > t.Dim() {
		return fail(IndexError, CodeIndex, "too many indices for tensor of dimension %d (got %d)", t.Dim(), len(indices))
	}
	for _, index := range indices {
		if index != nil && index.dtype == UInt8 && values.Numel() == 1 && !a.Bool("accumulate") {
			return fail(RuntimeError, CodeDType, "masked_fill_ only supports boolean masks, but got mask with dtype %s", cTypeNames[index.dtype])
		}
	}
	return nil
}

// badIndex returns the error for a value that cannot be an index.
func badIndex(v any) *Error {
	return fail(IndexError, CodeIndex, "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got %s)", fmt.Sprint(pythonTypeOf(v)))
}
