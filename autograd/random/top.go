package random

import "math/bits"

// This file orders values as torch.topk does on the CPU. The order of equal
// values depends on the algorithm. PyTorch uses the GNU C++ library
// (partial_sort, nth_element and sort of bits/stl_algo.h and bits/stl_heap.h),
// so this file follows its algorithms exchange by exchange.

// entry is a value and its original index.
type entry[T Float] struct {
	value T
	index int64
}

// before orders by decreasing value, NaN first.
func (a entry[T]) before(b entry[T]) bool {
	return a.value > b.value || a.value != a.value && b.value == b.value
}

// topEntries moves the k largest entries to the front, in decreasing order,
// 1 <= k <= len(e).
func topEntries[T Float](e []entry[T], k int) {
	switch {
	case k == 1:
		// torch.multinomial uses argmax, the first maximum.
		best := 0
		for i := range e {
			if e[i].before(e[best]) {
				best = i
			}
		}
		e[0] = e[best]
	case k*64 <= len(e):
		partialSort(e, k)
	default:
		selectNth(e, k-1)
		introSort(e[:k-1])
	}
}

// partialSort sorts the first k entries in order to the front, with a heap.
func partialSort[T Float](e []entry[T], k int) {
	heapSelect(e, k)
	for last := k - 1; last > 0; last-- {
		v := e[last]
		e[last] = e[0]
		siftDown(e[:last], 0, v)
	}
}

// heapSelect makes e[:k] a heap of the first k entries in order, with the last
// of them at its root.
func heapSelect[T Float](e []entry[T], k int) {
	for root := k/2 - 1; root >= 0; root-- {
		siftDown(e[:k], root, e[root])
	}
	for i := k; i < len(e); i++ {
		if e[i].before(e[0]) {
			v := e[i]
			e[i] = e[0]
			siftDown(e[:k], 0, v)
		}
	}
}

// siftDown inserts v into the heap below the vacant hole: the hole sinks to a
// leaf, then v rises from there.
func siftDown[T Float](heap []entry[T], hole int, v entry[T]) {
	top := hole
	for 2*hole+1 < len(heap) {
		child := 2*hole + 2
		if child == len(heap) || heap[child].before(heap[child-1]) {
			child--
		}
		heap[hole] = heap[child]
		hole = child
	}
	for hole > top {
		parent := (hole - 1) / 2
		if !heap[parent].before(v) {
			break
		}
		heap[hole] = heap[parent]
		hole = parent
	}
	heap[hole] = v
}

// depthLimit returns the number of partitions after which quicksort falls back
// to a heap.
func depthLimit(n int) int { return 2 * (bits.Len(uint(n)) - 1) }

// selectNth moves the entry with index nth in order to index nth, and the
// entries before it in order to its left.
func selectNth[T Float](e []entry[T], nth int) {
	for limit := depthLimit(len(e)); len(e) > 3; limit-- {
		if limit == 0 {
			heapSelect(e, nth+1)
			e[0], e[nth] = e[nth], e[0]
			return
		}
		if cut := partition(e); cut <= nth {
			e, nth = e[cut:], nth-cut
		} else {
			e = e[:cut]
		}
	}
	insertionSort(e, 1)
}

// smallSort is the length up to which introSort uses insertion.
const smallSort = 16

// introSort sorts e, which must not be empty.
func introSort[T Float](e []entry[T]) {
	quickSort(e, depthLimit(len(e)))
	insertionSort(e[:min(len(e), smallSort)], 1)
	insertionSort(e, smallSort)
}

// quickSort sorts e up to runs of at most smallSort entries.
func quickSort[T Float](e []entry[T], limit int) {
	for ; len(e) > smallSort; limit-- {
		if limit == 0 {
			partialSort(e, len(e))
			return
		}
		cut := partition(e)
		quickSort(e[cut:], limit-1)
		e = e[:cut]
	}
}

// partition splits e, longer than 3, by the median of its second, middle and
// last entries: no entry from the returned index on comes before it in order,
// and no entry to the left comes after it.
func partition[T Float](e []entry[T]) int {
	n := len(e)
	m := median(e, 1, n/2, n-1)
	e[0], e[m] = e[m], e[0]
	pivot := e[0]
	for low, high := 1, n; ; low++ {
		for e[low].before(pivot) {
			low++
		}
		high--
		for pivot.before(e[high]) {
			high--
		}
		if low >= high {
			return low
		}
		e[low], e[high] = e[high], e[low]
	}
}

// median returns the index, of three, whose entry is in the middle.
func median[T Float](e []entry[T], a, b, c int) int {
	ab, ac, bc := e[a].before(e[b]), e[a].before(e[c]), e[b].before(e[c])
	switch {
	case ab == bc:
		return b
	case ab == ac:
		return c
	}
	return a
}

// insertionSort sorts e. The first start entries are already sorted.
func insertionSort[T Float](e []entry[T], start int) {
	for i := start; i < len(e); i++ {
		v := e[i]
		j := i
		for j > 0 && v.before(e[j-1]) {
			e[j] = e[j-1]
			j--
		}
		e[j] = v
	}
}
