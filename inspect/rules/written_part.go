package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// This file compares pieces of memory: which elements an assignment to x[i, j:k] writes, and
// whether two tensors in one storage share elements.

// A part is some elements of a tensor: what the program would get by basic indexing, once for
// each index of a list.
type part []graph.Tensor

// partly are the operations in place that write some elements of their first operand and do not
// say which.
var partly = map[string]bool{
	"setitem": true, "index_put_": true, "index_fill_": true, "index_copy_": true, "index_add_": true, "index_reduce_": true,
	"scatter_": true, "scatter_add_": true, "scatter_reduce_": true, "masked_fill_": true, "masked_scatter_": true, "put_": true,
	"fill_diagonal_": true, "tril_": true, "triu_": true,
}

// assignedParts returns the parts of a tensor that setitem may have written: more than one where
// the index can be read in two ways. It returns nil if the index is not known.
func assignedParts(t graph.Tensor, e *graph.OpRan, value graph.Tensor) []part {
	index := e.Attrs
	switch {
	case len(e.Inputs) == 1 && len(index) > 1: // the value is a number, the last argument
		index = index[:len(index)-1]
	case len(e.Inputs) == 2 && len(index) > 0 && value.DType.IsFloat(): // no index
	default:
		return nil
	}
	t.Strides = stridesOf(t)
	if len(index) == 1 && index[0].Type == graph.AttrInts { // x[0, 1] or x[[0, 1]]
		var both []part
		for _, readings := range [][]graph.AttrValue{ints(index[0].Ints), {index[0].AttrValue}} {
			if p := indexed(t, readings); p != nil {
				both = append(both, p)
			}
		}
		return both
	}
	values := make([]graph.AttrValue, len(index))
	for i, a := range index {
		values[i] = a.AttrValue
	}
	if p := indexed(t, values); p != nil {
		return []part{p}
	}
	return nil
}

func ints(list []int64) (values []graph.AttrValue) {
	for _, i := range list {
		values = append(values, graph.AttrValue{Type: graph.AttrInt, Ints: []int64{i}})
	}
	return values
}

// indexed returns what an index selects of a tensor with strides; nil if that is not known.
func indexed(t graph.Tensor, index []graph.AttrValue) part {
	skipped, lists := len(t.Shape), 0 // dimensions that an ellipsis stands for
	for _, i := range index {
		if i.Type != graph.AttrNone && i.Text != "ellipsis" {
			skipped--
		}
		if i.Type == graph.AttrInts {
			lists++
		}
	}
	if skipped < 0 || lists > 1 {
		return nil
	}
	p := part{t}
	d := 0 // the dimension that the next index is about
	for _, i := range index {
		switch {
		case i.Type == graph.AttrNone:
		case i.Text == "ellipsis":
			d += skipped
		case i.Type == graph.AttrInt, i.Type == graph.AttrInts:
			p = p.selected(d, i.Ints)
		case i.Type == graph.AttrText:
			p = p.sliced(d, i.Text)
			d++
		default:
			return nil
		}
		if p == nil {
			return nil
		}
	}
	return p
}

// selected returns the parts with some indices in a dimension, which goes away.
func (p part) selected(d int, at []int64) (found part) {
	for _, t := range p {
		for _, i := range at {
			n := int64(t.Shape[d])
			if i < 0 {
				i += n
			}
			if i < 0 || i >= n {
				return nil
			}
			s := t
			s.Offset += uint64(i) * uint64(t.Strides[d])
			s.Shape = slices.Delete(slices.Clone(t.Shape), d, d+1)
			s.Strides = slices.Delete(slices.Clone(t.Strides), d, d+1)
			found = append(found, s)
		}
	}
	return found
}

// sliced returns the parts with a slice of a dimension, as "1:3:" writes it.
func (p part) sliced(d int, text string) (found part) {
	bounds := strings.Split(text, ":")
	if len(bounds) != 3 {
		return nil
	}
	number := func(i, missing int) (int, bool) {
		if bounds[i] == "" {
			return missing, true
		}
		n, err := strconv.Atoi(bounds[i])
		return n, err == nil
	}
	for _, t := range p {
		n := t.Shape[d]
		first, ok1 := number(0, 0)
		last, ok2 := number(1, n)
		step, ok3 := number(2, 1)
		if !ok1 || !ok2 || !ok3 || step < 1 {
			return nil
		}
		within := func(i int) int {
			if i < 0 {
				i += n
			}
			return min(max(i, 0), n)
		}
		first, last = within(first), within(last)
		s := t
		s.Offset += uint64(first) * uint64(t.Strides[d])
		s.Shape, s.Strides = slices.Clone(t.Shape), slices.Clone(t.Strides)
		s.Shape[d] = (max(last-first, 0) + step - 1) / step
		s.Strides[d] *= step
		found = append(found, s)
	}
	return found
}

// stridesOf returns the strides of a tensor also if it is contiguous.
func stridesOf(t graph.Tensor) []int {
	if len(t.Strides) > 0 {
		return t.Strides
	}
	strides := make([]int, len(t.Shape))
	next := 1
	for d := len(t.Shape) - 1; d >= 0; d-- {
		strides[d] = next
		next *= max(t.Shape[d], 1)
	}
	return strides
}

// maxElements bounds how many elements are compared one by one.
const maxElements = 1 << 14

// overlap reports whether two tensors in one storage share elements.
func overlap(t, u graph.Tensor) bool {
	if t.Numel() == 0 || u.Numel() == 0 || t.Offset > lastElement(u) || u.Offset > lastElement(t) {
		return false
	}
	if len(t.Strides) == 0 && len(u.Strides) == 0 {
		return true
	}
	t.Strides, u.Strides = stridesOf(t), stridesOf(u)
	if t.Numel() <= maxElements && u.Numel() <= maxElements {
		at := map[uint64]bool{}
		eachElement(t, func(offset uint64) bool { at[offset] = true; return true })
		shared := false
		eachElement(u, func(offset uint64) bool { shared = at[offset]; return !shared })
		return shared
	}
	if x, y, ok := gridOf(t, u); ok {
		for d := range x {
			if !x[d].meets(y[d]) {
				return false
			}
		}
	}
	return true
}

// An axis is the places that a tensor has in one dimension of a grid.
type axis struct{ first, step, n int }

func (a axis) meets(b axis) bool {
	for i := range a.n {
		if off := a.first + i*a.step - b.first; off%b.step == 0 && off >= 0 && off/b.step < b.n {
			return true
		}
	}
	return false
}

// gridOf returns the axes of two tensors in the grid that the strides of both make, if each stride
// is a multiple of the next and each tensor is a box of the grid: then two tensors share an
// element if they meet in each dimension.
func gridOf(t, u graph.Tensor) (x, y []axis, ok bool) {
	units := []int{1}
	for _, s := range append(slices.Clone(t.Strides), u.Strides...) {
		if s < 1 {
			return nil, nil, false
		}
		units = append(units, s)
	}
	slices.Sort(units)
	units = slices.Compact(units)
	slices.Reverse(units)
	for i := range units[1:] {
		if units[i]%units[i+1] != 0 {
			return nil, nil, false
		}
	}
	x, ok1 := axesOf(t, units)
	y, ok2 := axesOf(u, units)
	return x, y, ok1 && ok2
}

func axesOf(t graph.Tensor, units []int) (axes []axis, ok bool) {
	rest := int(t.Offset)
	for _, unit := range units {
		axes = append(axes, axis{rest / unit, 1, 1})
		rest %= unit
	}
	for d, s := range t.Strides {
		i := slices.Index(units, s)
		if axes[i].n > 1 && t.Shape[d] > 1 {
			return nil, false
		}
		axes[i].n = max(axes[i].n, t.Shape[d])
		if i > 0 && axes[i].first+axes[i].n > units[i-1]/units[i] {
			return nil, false // it goes on in the next row
		}
	}
	return axes, true
}

// eachElement calls f with the offset of each element in the storage, until it
// returns false.
func eachElement(t graph.Tensor, f func(offset uint64) bool) {
	n := t.Numel()
	for i := range n {
		offset, rest := t.Offset, i
		for d := len(t.Strides) - 1; d >= 0; d-- {
			offset += uint64(rest % t.Shape[d] * t.Strides[d])
			rest /= t.Shape[d]
		}
		if !f(offset) {
			return
		}
	}
}

// lastElement returns the offset of a tensor's last element in its storage.
func lastElement(t graph.Tensor) uint64 {
	last := t.Offset
	for i, s := range stridesOf(t) {
		last += uint64((t.Shape[i] - 1) * s)
	}
	return last
}
