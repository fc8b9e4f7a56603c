package kernel

import (
	"math/bits"
	"slices"
)

// Sorting and selection. The algorithm decides which of several equal elements
// comes first, and gradients follow the indices. These are therefore the
// algorithms of the C++ library of PyTorch's builds (libstdc++'s
// bits/stl_algo.h), and PyTorch's own quickselect.

// A Pair is an element of a line and its index.
type Pair[T any] struct {
	V T
	I int64
}

// Pairs reads n elements of x, step apart, into buf.
func Pairs[T any](buf []Pair[T], x []T, at, step, n int) []Pair[T] {
	buf = buf[:0]
	for i := range n {
		buf = append(buf, Pair[T]{x[at], int64(i)})
		at += step
	}
	return buf
}

// A Less orders pairs.
type Less[T any] func(x, y Pair[T]) bool

// Ascending returns the order from small to large. NaN is larger than all
// numbers.
func Ascending[T number]() Less[T] {
	return func(x, y Pair[T]) bool { return x.V < y.V || y.V != y.V && x.V == x.V }
}

// Descending returns the order from large to small, with NaN first.
func Descending[T number]() Less[T] {
	return func(x, y Pair[T]) bool { return x.V > y.V || x.V != x.V && y.V == y.V }
}

// Stable sorts and keeps the order of equal elements.
func (less Less[T]) Stable(a []Pair[T]) {
	slices.SortFunc(a, func(x, y Pair[T]) int {
		switch {
		case less(x, y):
			return -1
		case less(y, x):
			return 1
		}
		return int(x.I - y.I)
	})
}

// few is the length below which std::sort uses insertion.
const few = 16

// Sort is std::sort.
func (less Less[T]) Sort(a []Pair[T]) {
	if len(a) == 0 {
		return
	}
	less.introsort(a, 2*(bits.Len(uint(len(a)))-1))
	if len(a) <= few {
		less.insertion(a)
		return
	}
	less.insertion(a[:few])
	for i := few; i < len(a); i++ {
		less.insert(a, i)
	}
}

func (less Less[T]) introsort(a []Pair[T], depth int) {
	for len(a) > few {
		if depth == 0 {
			less.PartialSort(a, len(a))
			return
		}
		depth--
		cut := less.partition(a)
		less.introsort(a[cut:], depth)
		a = a[:cut]
	}
}

// NthElement is std::nth_element.
func (less Less[T]) NthElement(a []Pair[T], nth int) {
	if nth >= len(a) {
		return
	}
	for depth := 2 * (bits.Len(uint(len(a))) - 1); len(a) > 3; depth-- {
		if depth == 0 {
			less.heapSelect(a, nth+1)
			a[0], a[nth] = a[nth], a[0]
			return
		}
		if cut := less.partition(a); cut <= nth {
			a, nth = a[cut:], nth-cut
		} else {
			a = a[:cut]
		}
	}
	less.insertion(a)
}

// partition is __unguarded_partition_pivot: the median of three is the pivot.
func (less Less[T]) partition(a []Pair[T]) int {
	less.medianFirst(a, 1, len(a)/2, len(a)-1)
	i, j := 1, len(a)
	for {
		for less(a[i], a[0]) {
			i++
		}
		j--
		for less(a[0], a[j]) {
			j--
		}
		if i >= j {
			return i
		}
		a[i], a[j] = a[j], a[i]
		i++
	}
}

// medianFirst swaps the median of three elements to the front.
func (less Less[T]) medianFirst(a []Pair[T], x, y, z int) {
	m := x
	switch {
	case less(a[x], a[y]):
		if less(a[y], a[z]) {
			m = y
		} else if less(a[x], a[z]) {
			m = z
		}
	case less(a[x], a[z]):
	case less(a[y], a[z]):
		m = z
	default:
		m = y
	}
	a[0], a[m] = a[m], a[0]
}

func (less Less[T]) insertion(a []Pair[T]) {
	for i := 1; i < len(a); i++ {
		if less(a[i], a[0]) {
			e := a[i]
			copy(a[1:i+1], a[:i])
			a[0] = e
		} else {
			less.insert(a, i)
		}
	}
}

// insert moves element i down to its place. Some element before it is not
// larger.
func (less Less[T]) insert(a []Pair[T], i int) {
	e := a[i]
	for ; less(e, a[i-1]); i-- {
		a[i] = a[i-1]
	}
	a[i] = e
}

// PartialSort is std::partial_sort: it moves the k smallest elements to the
// front, in order.
func (less Less[T]) PartialSort(a []Pair[T], k int) {
	less.heapSelect(a, k)
	for n := k - 1; n > 0; n-- {
		e := a[n]
		a[n] = a[0]
		less.adjustHeap(a, 0, n, e)
	}
}

func (less Less[T]) heapSelect(a []Pair[T], k int) {
	for parent := (k - 2) / 2; k >= 2 && parent >= 0; parent-- {
		less.adjustHeap(a, parent, k, a[parent])
	}
	for i := k; i < len(a) && k > 0; i++ {
		if less(a[i], a[0]) {
			e := a[i]
			a[i] = a[0]
			less.adjustHeap(a, 0, k, e)
		}
	}
}

// adjustHeap inserts e into a heap of n elements, at the hole or below.
func (less Less[T]) adjustHeap(a []Pair[T], hole, n int, e Pair[T]) {
	top, child := hole, hole
	for child < (n-1)/2 {
		child = 2 * (child + 1)
		if less(a[child], a[child-1]) {
			child--
		}
		a[hole] = a[child]
		hole = child
	}
	if n%2 == 0 && child == (n-2)/2 {
		child = 2*child + 1
		a[hole] = a[child]
		hole = child
	}
	for parent := (hole - 1) / 2; hole > top && less(a[parent], e); parent = (hole - 1) / 2 {
		a[hole] = a[parent]
		hole = parent
	}
	a[hole] = e
}

// QuickSelect moves the element with index k in sorted order to index k
// (quick_select_template in aten/src/ATen/native/Sorting.cpp).
func (less Less[T]) QuickSelect(a []Pair[T], k int) {
	swap := func(i, j int) { a[i], a[j] = a[j], a[i] }
	for l, r := 0, len(a)-1; l < r; {
		if r == l+1 {
			if less(a[r], a[l]) {
				swap(l, r)
			}
			return
		}
		swap(l+(r-l)/2, l+1)
		if less(a[r], a[l+1]) {
			swap(l+1, r)
		}
		if less(a[r], a[l]) {
			swap(l, r)
		}
		if less(a[l], a[l+1]) {
			swap(l+1, l)
		}
		i, j, pivot := l+1, r, a[l]
		for {
			for i++; less(a[i], pivot); i++ {
			}
			for j--; less(pivot, a[j]); j-- {
			}
			if j < i {
				break
			}
			swap(i, j)
		}
		swap(l, j)
		if j <= k {
			l = i
		}
		if j >= k {
			r = j - 1
		}
	}
}
