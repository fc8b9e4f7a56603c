package inspect

import (
	"iter"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
)

// A Log is a list of what happened, in order, that can forget. An element keeps its
// number for ever; one that was forgotten is empty.
type Log[T any] struct {
	base   int         // the number of the first element of recent
	recent []T         // all of the newest elements
	older  []logged[T] // before base: what was not forgotten, in order
	at     func(*T) graph.Pos
	empty  func() T
}

type logged[T any] struct {
	number int
	value  T
}

// Len returns how many elements there were.
func (l *Log[T]) Len() int { return l.base + len(l.recent) }

// Knows reports whether there is an element with a number, and it was not forgotten.
func (l *Log[T]) Knows(i int) bool { return l.find(i) != nil }

// At returns the element with a number, an empty one if there is none or it was forgotten.
func (l *Log[T]) At(i int) *T {
	if v := l.find(i); v != nil {
		return v
	}
	v := l.empty()
	return &v
}

func (l *Log[T]) find(i int) *T {
	if i >= l.base {
		if i < l.Len() {
			return &l.recent[i-l.base]
		}
		return nil
	}
	j, ok := slices.BinarySearchFunc(l.older, i, func(e logged[T], i int) int { return e.number - i })
	if !ok {
		return nil
	}
	return &l.older[j].value
}

// All returns the elements that are known, with their numbers.
func (l *Log[T]) All() iter.Seq2[int, *T] { return l.From(0) }

// From returns the known elements whose event is at p or after it.
func (l *Log[T]) From(p graph.Pos) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		first := sort.Search(len(l.older), func(i int) bool { return l.at(&l.older[i].value) >= p })
		for i := first; i < len(l.older); i++ {
			if !yield(l.older[i].number, &l.older[i].value) {
				return
			}
		}
		first = 0
		if p > 0 {
			first = l.search(p)
		}
		for i := first; i < len(l.recent); i++ {
			if !yield(l.base+i, &l.recent[i]) {
				return
			}
		}
	}
}

// Backward returns the elements before a number that are known, the newest first.
func (l *Log[T]) Backward(before int) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i := min(before, l.Len()) - l.base - 1; i >= 0; i-- {
			if !yield(l.base+i, &l.recent[i]) {
				return
			}
		}
		for _, e := range slices.Backward(l.older) {
			if e.number < before && !yield(e.number, &e.value) {
				return
			}
		}
	}
}

// search returns the index of the first recent element at p or after it.
func (l *Log[T]) search(p graph.Pos) int {
	return sort.Search(len(l.recent), func(i int) bool { return l.at(&l.recent[i]) >= p })
}

func (l *Log[T]) add(v T) { l.recent = append(l.recent, v) }

// forget forgets the elements before p but for those to keep.
func (l *Log[T]) forget(p graph.Pos, keep func(i int, v *T) bool) {
	l.older = slices.DeleteFunc(l.older, func(e logged[T]) bool { return !keep(e.number, &e.value) })
	n := l.search(p)
	for i := range l.recent[:n] {
		if v := &l.recent[i]; keep(l.base+i, v) {
			l.older = append(l.older, logged[T]{l.base + i, *v})
		}
	}
	l.base += n
	l.recent = append([]T(nil), l.recent[n:]...)
}
