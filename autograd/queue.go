package autograd

// A readyQueue is a binary heap on sequence numbers with the mechanics of C++'s
// std::push_heap and std::pop_heap: they decide in which order nodes with equal
// numbers run.
type readyQueue []*passState

func (q *readyQueue) push(s *passState) {
	*q = append(*q, s)
	q.siftUp(len(*q)-1, s)
}

func (q *readyQueue) siftUp(hole int, s *passState) {
	a := *q
	for hole > 0 {
		parent := (hole - 1) / 2
		if a[parent].node.seq >= s.node.seq {
			break
		}
		a[hole] = a[parent]
		hole = parent
	}
	a[hole] = s
}

func (q *readyQueue) pop() *passState {
	a := *q
	top, last := a[0], a[len(a)-1]
	a[len(a)-1] = nil
	a = a[:len(a)-1]
	*q = a
	n := len(a)
	if n == 0 {
		return top
	}
	// The hole sinks to the bottom along the larger children, the right one
	// unless it is smaller; then the last element rises from there.
	hole, child := 0, 0
	for child < (n-1)/2 {
		child = 2 * (child + 1)
		if a[child].node.seq < a[child-1].node.seq {
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
