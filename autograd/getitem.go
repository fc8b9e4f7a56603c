package autograd

import (
	"math"
	"reflect"
)

// This file interprets Python's index expressions, after
// torch/csrc/autograd/python_variable_indexing.cpp and ATen/TensorIndexing.h
// (PyTorch 2.6). The items are applied from left to right, each with views of
// its own. Tensors and lists are collected and applied at the end.

// getItem implements t[index].
func getItem(t *Tensor, index any) *Tensor {
	switch x := index.(type) {
	case bool:
		item := t.Unsqueeze(0)
		return item.IndexTensors([]*Tensor{truthIndex(x)})
	case Slice:
		s, err := x.bounds()
		if err != nil {
			return errTensor(err)
		}
		if s.step <= 0 {
			return errTensor(fail(ValueError, CodeArgument, "step must be greater than zero"))
		}
		return t.slice(0, s.start, s.stop, s.step)
	}
	switch {
	case isNone(index):
		return t.Unsqueeze(0)
	case index == any(Ellipsis):
		return t.Alias()
	}
	w := &indexing{self: t, result: t}
	if err := w.apply(index); err != nil {
		return errTensor(err)
	}
	switch {
	case w.result.err != nil:
		return w.result
	case w.tensors != nil:
		return w.result.IndexTensors(w.tensors)
	case w.result == t:
		return t.Alias()
	}
	return w.result
}

// setItem implements t[index] = value.
func setItem(t *Tensor, index, value any) error {
	v, err := itemValue(t, value)
	if err != nil {
		return err
	}
	switch {
	case index == any(false):
		return nil
	case index == any(true) || isNone(index):
		return copyTo(t.Unsqueeze(0), v)
	case index == any(Ellipsis):
		return copyTo(t, v)
	}
	w := &indexing{self: t, result: t}
	if err := w.apply(index); err != nil {
		return err
	}
	if w.tensors == nil {
		return copyTo(w.result, v)
	}
	if sizes := withoutLeadingOnes(v.sizes); len(sizes) != len(v.sizes) {
		v = v.View(sizes)
	}
	return w.result.IndexPut_(w.tensors, v)
}

// itemValue converts the assigned value to a tensor.
func itemValue(t *Tensor, value any) (*Tensor, error) {
	if v, ok := value.(*Tensor); ok && v != nil {
		return v, v.Err()
	}
	s, ok := toScalar(value)
	if !ok {
		return nil, fail(TypeError, CodeArgument, "can't assign a %s to a %s", pythonTypeOf(value), typeString(t.dtype))
	}
	v := alloc(t.dtype, nil)
	v.fill(s)
	return v, nil
}

// copyTo stores src, broadcast, in dst.
func copyTo(dst, src *Tensor) error {
	switch {
	case dst.err != nil:
		return dst.err
	case sameSizes(dst.sizes, src.sizes):
		return dst.Copy_(src)
	case src.Dim() == 0:
		return dst.Fill_(src)
	}
	src = src.View(withoutLeadingOnes(src.sizes))
	if src.err == nil && !sameSizes(src.sizes, dst.sizes) {
		src = src.Expand(dst.sizes)
	}
	return dst.Copy_(src)
}

func withoutLeadingOnes(sizes []int) []int {
	for len(sizes) > 0 && sizes[0] == 1 {
		sizes = sizes[1:]
	}
	return sizes
}

// indexing is the state while the items of an index are applied.
type indexing struct {
	self      *Tensor
	result    *Tensor
	dim       int       // the dimension of result for the next item
	specified int       // dimensions of self that the items consume
	tensors   []*Tensor // index tensors for the leading dimensions of result
}

func (w *indexing) apply(index any) *Error {
	items, err := withoutArrays(indexItems(index))
	if err != nil {
		return err
	}
	for _, item := range items {
		w.specified += dimensionsOf(item)
	}
	_, lone := toScalar(index)
	if _, isSlice := index.(Slice); !lone && !isSlice && w.specified > w.self.Dim() {
		return fail(IndexError, CodeIndex, "too many indices for tensor of dimension %d", w.self.Dim())
	}
	for position, item := range items {
		if err := w.item(item, position); err != nil {
			return err
		}
		if w.result.err != nil {
			return w.result.err
		}
	}
	return nil
}

func invalidIndexOf0d() *Error {
	return fail(IndexError, CodeIndex, "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number")
}

// dimensionsOf returns how many dimensions an item consumes.
func dimensionsOf(item any) int {
	switch x := item.(type) {
	case *Tensor:
		if x != nil && x.err == nil && (x.dtype == Bool || x.dtype == UInt8) {
			return x.Dim()
		}
	case bool:
		return 0
	}
	if isNone(item) || item == any(Ellipsis) {
		return 0
	}
	return 1
}

func (w *indexing) item(item any, position int) *Error {
	switch x := item.(type) {
	case bool:
		w.result = w.result.Unsqueeze(w.dim)
		w.record(truthIndex(x))
		return nil
	case Slice:
		return w.slice(x)
	case *Tensor:
		if x != nil {
			return w.tensor(x, position)
		}
	}
	switch {
	case isNone(item):
		w.result = w.result.Unsqueeze(w.dim)
		w.dim++
		return nil
	case item == any(Ellipsis):
		w.dim += w.self.Dim() - w.specified
		return nil
	}
	if s, ok := toScalar(item); ok {
		if !s.IsInt() {
			return badIndex(item)
		}
		return w.choose(int(s.Int()), position)
	}
	index, err := sequenceIndex(item)
	if err != nil {
		return err
	}
	w.record(index)
	return nil
}

// choose applies an integer item.
func (w *indexing) choose(i, position int) *Error {
	if i == 0 && w.dim == 0 && w.result.Dim() == 0 {
		return invalidIndexOf0d()
	}
	size := 0
	if w.dim < w.result.Dim() {
		size = w.result.sizes[w.dim]
	}
	if i < -size || i >= size {
		return fail(IndexError, CodeIndex, "index %d is out of bounds for dimension %d with size %d", i, position, size)
	}
	w.result = w.result.Select(w.dim, i)
	return nil
}

// slice applies a slice item. A slice of the whole dimension does not make a
// view.
func (w *indexing) slice(x Slice) *Error {
	s, err := x.bounds()
	if err != nil {
		return err
	}
	if s.step <= 0 {
		return fail(ValueError, CodeArgument, "step must be greater than zero")
	}
	whole := w.dim < w.result.Dim() && s.start == 0 && s.stop == w.result.sizes[w.dim] && s.step == 1
	if !whole {
		w.result = w.result.slice(w.dim, s.start, s.stop, s.step)
	}
	w.dim++
	return nil
}

func (w *indexing) tensor(x *Tensor, position int) *Error {
	if x.err != nil {
		return x.err
	}
	if x.Dim() == 0 && !x.dtype.IsFloat() {
		s := x.element(x.offset)
		if x.dtype != Bool && x.dtype != UInt8 {
			return w.choose(int(s.Int()), position)
		}
		w.result = w.result.Unsqueeze(w.dim)
		x = truthIndex(s.Bool())
	}
	w.record(x)
	return nil
}

// record stores a tensor for the present dimension.
func (w *indexing) record(x *Tensor) {
	for len(w.tensors) <= w.dim {
		w.tensors = append(w.tensors, nil)
	}
	w.tensors[w.dim] = x
	w.dim++
}

// truthIndex returns an index that selects the only element of a dimension, or
// none.
func truthIndex(on bool) *Tensor {
	if on {
		return alloc(Int64, []int{1})
	}
	return alloc(Int64, []int{0})
}

// indexItems returns the items of an index: the elements of a tuple, or of a
// list that older Python programs wrote instead of a tuple; otherwise the index
// itself.
func indexItems(index any) []any {
	switch x := index.(type) {
	case Tuple:
		return x
	case *Tensor, *Array, Slice, bool, int, nil:
		return []any{index}
	}
	v := reflect.ValueOf(index)
	if v.Kind() != reflect.Slice || v.Len() >= 32 {
		return []any{index}
	}
	items := make([]any, v.Len())
	like := false
	for i := range items {
		items[i] = v.Index(i).Interface()
		switch x := items[i].(type) {
		case *Tensor, Slice, string:
			like = true
		default:
			like = like || isNone(x) || x == any(Ellipsis) || reflect.ValueOf(x).Kind() == reflect.Slice
		}
	}
	if like {
		return items
	}
	return []any{index}
}

// sequenceIndex converts a list to an index tensor: bools to a mask, anything
// else to integers.
func sequenceIndex(item any) (*Tensor, *Error) {
	if _, ok := item.(string); ok {
		return nil, fail(TypeError, CodeArgument, "new(): invalid data type 'str'")
	}
	v := reflect.ValueOf(item)
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return nil, badIndex(item)
	}
	b := &nested{}
	if err := b.measure(v); err != nil {
		return nil, asError(err)
	}
	if err := b.collect(v, 0); err != nil {
		return nil, asError(err)
	}
	d := Int64
	if len(b.numbers) > 0 && b.highest == boolScalar && (b.tensors == 0 || b.tensors == Bool) {
		d = Bool
	}
	return b.tensor(d), nil
}

// sliceRange is a slice with its parts filled in.
type sliceRange struct{ start, stop, step int }

func (s Slice) bounds() (sliceRange, *Error) {
	r := sliceRange{0, math.MaxInt64, 1}
	if err := sliceBound(s.Step, &r.step); err != nil {
		return r, err
	}
	if r.step == 0 {
		return r, fail(ValueError, CodeArgument, "slice step cannot be zero")
	}
	if err := sliceBound(s.Start, &r.start); err != nil {
		return r, err
	}
	return r, sliceBound(s.Stop, &r.stop)
}

// sliceBound reads a bound of a slice: an int or a tensor that holds one. nil
// keeps the default.
func sliceBound(part any, to *int) *Error {
	if isNone(part) {
		return nil
	}
	if t, ok := part.(*Tensor); ok {
		if t.err != nil {
			return t.err
		}
		if t.Numel() != 1 || t.dtype.IsFloat() {
			return fail(TypeError, CodeConversion, "only integer tensors of a single element can be converted to an index")
		}
		*to = int(t.element(t.at(0)).Int())
		return nil
	}
	n, ok := toScalar(part)
	if !ok || n.IsFloat() {
		return fail(TypeError, CodeArgument, "slice indices must be integers or None or have an __index__ method")
	}
	*to = int(n.Int())
	return nil
}
