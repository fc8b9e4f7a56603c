package passorder

// A Queue is a binary heap on sequence numbers, the highest first, with the
// mechanics of C++'s std::push_heap and std::pop_heap: they decide in which order
// nodes with equal numbers run. The zero Queue is empty.
type Queue[T any] struct{ heap []entry[T] }

type entry[T any] struct {
	sequence uint64
	node     T
}

// Len is the number of nodes in the queue.
func (q *Queue[T]) Len() int { return len(q.heap) }

// First is the node that runs next; the queue must not be empty.
func (q *Queue[T]) First() T { return q.heap[0].node }

// Push adds a node.
func (q *Queue[T]) Push(sequence uint64, node T) {
	e := entry[T]{sequence, node}
	q.heap = append(q.heap, e)
	q.siftUp(len(q.heap)-1, e)
}

func (q *Queue[T]) siftUp(hole int, e entry[T]) {
	a := q.heap
	for hole > 0 {
		parent := (hole - 1) / 2
		if a[parent].sequence >= e.sequence {
			break
		}
		a[hole] = a[parent]
		hole = parent
	}
	a[hole] = e
}

// Pop removes the node that runs next; the queue must not be empty.
func (q *Queue[T]) Pop() T {
	a := q.heap
	top, last := a[0].node, a[len(a)-1]
	a[len(a)-1] = entry[T]{}
	a = a[:len(a)-1]
	q.heap = a
	n := len(a)
	if n == 0 {
		return top
	}
	// The hole sinks to the bottom along the larger children, the right one
	// unless it is smaller; then the last element rises from there.
	hole, child := 0, 0
	for child < (n-1)/2 {
		child = 2 * (child + 1)
		if a[child].sequence < a[child-1].sequence {
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
	q.siftUp(hole, last)
	return top
}
