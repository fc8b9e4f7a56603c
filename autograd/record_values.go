package autograd

import (
	"math"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
	"github.com/gradtui/gradtui/graph"
)

// This file summarizes the contents of tensors for the tape: the leading
// elements and, if there are more, statistics of all elements.

// value summarizes a tensor.
func (r *Recorder) value(t *Tensor) (v graph.Value) {
	r.summarize(&v, t)
	return v
}

// summarize describes t in v. The elements in v are scratch memory of the
// recorder, valid only for the current event.
func (r *Recorder) summarize(v *graph.Value, t *Tensor) { r.describe(v, t, r.firstOf(t)) }

// describe is summarize with so many leading elements.
func (r *Recorder) describe(v *graph.Value, t *Tensor, first int) {
	n := numel(t.sizes)
	v.DType, v.Count, v.First = t.dtype, uint64(n), r.leading(t, min(n, first))
	v.Min, v.Max, v.Mean, v.NaN, v.Inf = 0, 0, 0, 0, 0
	v.Norm, v.Zeros, v.Measured = 0, 0, false
	if n <= first {
		return
	}
	s := r.statisticsOf(t)
	v.NaN, v.Inf = uint64(s.NaN), uint64(s.Inf)
	v.Norm, v.Zeros, v.Measured = math.Sqrt(s.Squares), uint64(s.Zeros), true
	if s.Finite > 0 {
		v.Min, v.Max, v.Mean = s.Lo, s.Hi, s.Sum/float64(s.Finite)
	}
}

// leading returns the first n elements in row-major order.
func (r *Recorder) leading(t *Tensor, n int) []float64 {
	start := len(r.floats)
	r.floats = slices.Grow(r.floats, n)[:start+n]
	first := r.floats[start : start+n : start+n]
	if n > 0 && t.st.other == nil && t.flags&contiguousFlag != 0 {
		for i, x := range t.st.f32[t.offset : t.offset+n] {
			first[i] = float64(x)
		}
		return first
	}
	for i := range first {
		first[i] = t.float(t.at(i))
	}
	return first
}

// A summary caches the statistics of a tensor during one call of the engine.
// The engine looks at a travelling gradient several times: when it leaves a
// node, arrives, is summed and accumulated.
type summary struct {
	st     *storage
	writes uint32 // the storage's counter
	offset int
	sizes  []int
	stride []int
	stats  kernel.Stats
}

// remembered is the number of cached summaries.
const remembered = 4

func (s *summary) isOf(t *Tensor) bool {
	return s.st == t.st && s.writes == t.st.writes && s.offset == t.offset &&
		slices.Equal(s.sizes, t.sizes) && slices.Equal(s.stride, t.strides)
}

// statisticsOf computes the statistics of all elements of a tensor.
func (r *Recorder) statisticsOf(t *Tensor) kernel.Stats {
	for i := range r.summaries {
		if s := &r.summaries[i]; s.isOf(t) {
			return s.stats
		}
	}
	s := &r.summaries[r.nextSummary]
	r.nextSummary = (r.nextSummary + 1) % remembered
	*s = summary{t.st, t.st.writes, t.offset, t.sizes, t.strides, statisticsOf(t)}
	return s.stats
}

// forgetSummaries drops the cached summaries before the program continues and
// may change the tensors.
func (r *Recorder) forgetSummaries() {
	if r.summaries[0].st != nil {
		r.summaries, r.nextSummary = [remembered]summary{}, 0
	}
}

// statisticsOf counts elements that an expanded tensor repeats, but looks at
// them only once: there may be too many to visit.
func statisticsOf(t *Tensor) kernel.Stats {
	once, times := t.unexpanded()
	return statisticsOfEach(once).Times(times)
}

// unexpanded returns the tensor without the dimensions that repeat its
// elements, and the number of repetitions.
func (t *Tensor) unexpanded() (once *Tensor, times int) {
	times = 1
	var sizes []int
	for d, n := range t.sizes {
		if n > 1 && t.strides[d] == 0 {
			if sizes == nil {
				sizes = slices.Clone(t.sizes)
			}
			sizes[d] = 1
			times *= n
		}
	}
	if sizes == nil {
		return t, 1
	}
	return t.part(sizes, t.strides, t.offset), times
}

func statisticsOfEach(t *Tensor) kernel.Stats {
	switch classOf(t.dtype) {
	case f32Class:
		return countAll(t, t.st.f32)
	case f64Class:
		return countAll(t, t.st.other.f64)
	case i64Class:
		return countAll(t, t.st.other.i64)
	default:
		s := kernel.NewStats()
		all := t.st.other.b
		walk(t, func(r *kernel.Row) { kernel.CountBools(&s, all[r.At[0]:], r.Stride[0], r.N) })
		return s
	}
}

// countAll computes the statistics of t, whose storage is data.
func countAll[T number](t *Tensor, data []T) kernel.Stats {
	s := kernel.NewStats()
	if t.flags&contiguousFlag != 0 {
		kernel.Count(&s, data[t.offset:], 1, numel(t.sizes))
		return s
	}
	walk(t, func(r *kernel.Row) { kernel.Count(&s, data[r.At[0]:], r.Stride[0], r.N) })
	return s
}
