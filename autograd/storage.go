package autograd

import "github.com/gradtui/gradtui/graph"

// A storage is memory that one or several tensors read.
type storage struct {
	f32   []float32
	other *otherData // instead of f32, for the other classes
	ver   counter    // the version counter of the tensor for which it was made
	// aliased is set once a second tensor uses the memory.
	aliased bool
	// writes counts in-place changes through any tensor, including tensors that
	// share the memory but not the version counter.
	writes uint32
	born   uint64 // serial of the tensor for which it was made

	id  graph.StorageID // on the tape of recorder generation gen
	gen uint32
}

type otherData struct {
	f64 []float64
	i64 []int64
	b   []bool
}

// A counter counts in-place changes. Tensors that must notice each other's
// changes share a counter.
type counter struct {
	v     uint32
	id    graph.CounterID // on the tape of recorder generation gen
	gen   uint32
	taped uint32 // the count on the tape
}

func newStorage(c class, n int) *storage {
	switch c {
	case f64Class:
		return &storage{other: &otherData{f64: make([]float64, n)}}
	case i64Class:
		return &storage{other: &otherData{i64: make([]int64, n)}}
	case boolClass:
		return &storage{other: &otherData{b: make([]bool, n)}}
	default:
		return &storage{f32: make([]float32, n)}
	}
}

// grow makes room for at least n elements of a dtype.
func (s *storage) grow(d DType, n int) {
	if s.len() >= n {
		return
	}
	allocatable(d, n)
	grown := newStorage(classOf(d), n)
	switch classOf(d) {
	case f32Class:
		copy(grown.f32, s.f32)
	case f64Class:
		copy(grown.other.f64, s.other.f64)
	case i64Class:
		copy(grown.other.i64, s.other.i64)
	default:
		copy(grown.other.b, s.other.b)
	}
	s.f32, s.other = grown.f32, grown.other
}

// len returns the number of elements.
func (s *storage) len() int {
	switch {
	case s.other == nil:
		return len(s.f32)
	case s.other.f64 != nil:
		return len(s.other.f64)
	case s.other.i64 != nil:
		return len(s.other.i64)
	default:
		return len(s.other.b)
	}
}

// element is the Go type of the elements of a class.
type element interface {
	float32 | float64 | int64 | bool
}

// number is an element type that can be computed with.
type number interface{ float32 | float64 | int64 }

// data returns the storage's memory as elements of type T, which must be the
// type of its class.
func data[T element](s *storage) []T {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(s.f32).([]T)
	case float64:
		return any(s.other.f64).([]T)
	case int64:
		return any(s.other.i64).([]T)
	default:
		return any(s.other.b).([]T)
	}
}
