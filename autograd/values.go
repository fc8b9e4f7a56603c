package autograd

import (
	"math"

	"github.com/gradtui/gradtui/graph"
)

// This file takes numbers out of tensors. What a program computes from them has
// no history.

// Item returns the element of a one-element tensor as a number.
func (t *Tensor) Item() (Scalar, error) {
	if err := t.usable("item"); err != nil {
		return Scalar{}, err
	}
	if n := t.Numel(); n != 1 {
		return Scalar{}, t.raise(fail(RuntimeError, CodeConversion, "a Tensor with %d elements cannot be converted to Scalar", n))
	}
	recordCut(graph.CutItem, nil, t)
	return t.element(t.at(0)), nil
}

// asNumber is Item for Python's conversions float() and int().
func (t *Tensor) asNumber() (Scalar, error) {
	if t.Err() == nil && t.Numel() != 1 {
		return Scalar{}, t.raise(fail(ValueError, CodeConversion, "only one element tensors can be converted to Python scalars"))
	}
	return t.Item()
}

// Float returns the element of a one-element tensor; NaN if there is not
// exactly one element.
func (t *Tensor) Float() float64 {
	s, err := t.Item()
	if err != nil {
		return math.NaN()
	}
	return s.Float()
}

// Truth returns the truth value of a one-element tensor, as bool(t).
func (t *Tensor) Truth() (bool, error) {
	if err := t.usable("__bool__"); err != nil {
		return false, err
	}
	switch n := t.Numel(); {
	case n == 0:
		return false, t.raise(fail(RuntimeError, CodeConversion, "Boolean value of Tensor with no values is ambiguous"))
	case n > 1:
		return false, t.raise(fail(RuntimeError, CodeConversion, "Boolean value of Tensor with more than one value is ambiguous"))
	}
	recordCut(graph.CutItem, nil, t)
	return t.element(t.at(0)).Bool(), nil
}

// Len returns the size of the first dimension, as len(t). It is an error for a
// 0-d tensor.
func (t *Tensor) Len() (int, error) {
	if err := t.usable("__len__"); err != nil {
		return 0, err
	}
	if len(t.sizes) == 0 {
		return 0, t.raise(fail(TypeError, CodeConversion, "len() of a 0-d tensor"))
	}
	return t.sizes[0], nil
}

// Rows returns the slices along the first dimension, as iteration over a tensor
// does: views made by unbind. It is an error for a 0-d tensor.
func (t *Tensor) Rows() ([]*Tensor, error) {
	if err := t.usable("__iter__"); err != nil {
		return nil, err
	}
	if len(t.sizes) == 0 {
		return nil, t.raise(fail(TypeError, CodeConversion, "iteration over a 0-d tensor"))
	}
	return t.Unbind()
}

// Unpack is Rows for a known number of slices, as a, b = t.
func (t *Tensor) Unpack(n int) ([]*Tensor, error) {
	rows, err := t.Rows()
	switch {
	case err != nil:
		return nil, err
	case len(rows) > n:
		return nil, t.raise(fail(ValueError, CodeConversion, "too many values to unpack (expected %d)", n))
	case len(rows) < n:
		return nil, t.raise(fail(ValueError, CodeConversion, "not enough values to unpack (expected %d, got %d)", n, len(rows)))
	}
	return rows, nil
}

// Float64s returns the elements in row-major order; nil for a tensor that
// carries an error.
func (t *Tensor) Float64s() []float64 {
	if t.usable("tolist") != nil {
		return nil
	}
	recordCut(graph.CutItem, nil, t)
	return append([]float64{}, elements[float64](contiguous(as(t, Float64)))...)
}

// Int64s returns the elements in row-major order, floats truncated; nil for a
// tensor that carries an error.
func (t *Tensor) Int64s() []int64 {
	if t.usable("tolist") != nil {
		return nil
	}
	recordCut(graph.CutItem, nil, t)
	return append([]int64{}, elements[int64](contiguous(as(t, Int64)))...)
}

// Float32s returns a copy of the elements in row-major order. Like numpy(), it
// is an error for a tensor that requires grad unless grad mode is off.
func (t *Tensor) Float32s() ([]float32, error) {
	if err := t.usable("numpy"); err != nil {
		return nil, err
	}
	if GradEnabled() && t.RequiresGrad() {
		return nil, t.raise(fail(RuntimeError, CodeConversion, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."))
	}
	recordCut(graph.CutNumpy, nil, t)
	return append([]float32{}, elements[float32](contiguous(as(t, Float32)))...), nil
}

// AsIndex returns the element of a one-element integer tensor, as Python does
// for an index.
func (t *Tensor) AsIndex() (int, error) {
	if err := t.usable("__index__"); err != nil {
		return 0, err
	}
	if t.Numel() != 1 || t.dtype.IsFloat() {
		return 0, t.raise(fail(TypeError, CodeConversion, "only integer tensors of a single element can be converted to an index"))
	}
	recordCut(graph.CutItem, nil, t)
	return int(t.element(t.at(0)).Int()), nil
}

// Contains reports whether any element equals a number or an element of a
// tensor, as Python's element in t.
func (t *Tensor) Contains(element any) (bool, error) {
	if err := t.usable("__contains__"); err != nil {
		return false, err
	}
	_, isNumber := toScalar(element)
	if x, ok := element.(*Tensor); !isNumber && (!ok || x == nil) {
		return false, t.raise(fail(RuntimeError, CodeArgument, "Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '%s'>.", pythonTypeOf(element)))
	}
	same := t.Eq(element)
	if same.err != nil {
		return false, same.err
	}
	recordCut(graph.CutItem, nil, t)
	return len(trueIndices(same)) > 0, nil
}

// ToList returns the elements as t.tolist() does: as nested []any of int,
// float64 or bool, or as a number for a 0-d tensor.
func (t *Tensor) ToList() (any, error) {
	if err := t.usable("tolist"); err != nil {
		return nil, err
	}
	recordCut(graph.CutItem, nil, t)
	return t.nest(0, t.offset), nil
}

// nest returns the part of ToList from dimension d on, for the elements that
// begin at a position of the storage.
func (t *Tensor) nest(d, at int) any {
	if d < len(t.sizes) {
		list := make([]any, t.sizes[d])
		for i := range list {
			list[i] = t.nest(d+1, at+i*t.strides[d])
		}
		return list
	}
	return asNumber(t.element(at))
}
