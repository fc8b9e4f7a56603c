package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file computes the distances between all pairs of rows.

// mmModes are the values of cdist's compute_mode.
var mmModes = map[string]int{
	"use_mm_for_euclid_dist_if_necessary": 0,
	"use_mm_for_euclid_dist":              1,
	"donot_use_mm_for_euclid_dist":        2,
}

func (a *Args) cdist() ([]*Tensor, error) {
	x, y, p := a.Tensor("x1"), a.Tensor("x2"), a.Float("p")
	mode, ok := mmModes[a.Str("compute_mode")]
	switch {
	case !ok:
		return nil, fail(ValueError, CodeArgument, "%s is not a valid value for compute_mode", a.Str("compute_mode"))
	case len(x.sizes) < 2:
		return nil, fail(RuntimeError, CodeShape, "cdist only supports at least 2D tensors, X1 got: %dD", len(x.sizes))
	case len(y.sizes) < 2:
		return nil, fail(RuntimeError, CodeShape, "cdist only supports at least 2D tensors, X2 got: %dD", len(y.sizes))
	}
	r1, c1 := x.sizes[len(x.sizes)-2], x.sizes[len(x.sizes)-1]
	r2, c2 := y.sizes[len(y.sizes)-2], y.sizes[len(y.sizes)-1]
	switch {
	case c1 != c2:
		return nil, fail(RuntimeError, CodeShape, "X1 and X2 must have the same number of columns. X1: %d X2: %d", c1, c2)
	case !x.dtype.IsFloat():
		return nil, fail(RuntimeError, CodeDType, "cdist only supports floating-point dtypes, X1 got: %s", scalarTypeName(x.dtype))
	case !y.dtype.IsFloat():
		return nil, fail(RuntimeError, CodeDType, "cdist only supports floating-point dtypes, X2 got: %s", scalarTypeName(y.dtype))
	case p < 0:
		return nil, fail(RuntimeError, CodeArgument, "cdist only supports non-negative p values")
	}
	product := p == 2 && (mode == 1 || mode == 0 && (r1 > 25 || r2 > 25))
	if !product || x.Numel() == 0 || y.Numel() == 0 {
		return a.One(CdistForward(x, y, p))
	}
	batch, err := broadcastSizes(x.sizes[:len(x.sizes)-2], y.sizes[:len(y.sizes)-2])
	if err != nil {
		return nil, err
	}
	out := append(append([]int(nil), batch...), r1, r2)
	if n := numel(batch); n != 1 {
		x, y = asBatch(x, batch, n), asBatch(y, batch, n)
	}
	return a.One(EuclideanDist(x, y).View(out))
}

// asBatch expands the batch dimensions of t and returns a contiguous batch of n
// matrices.
func asBatch(t *Tensor, batch []int, n int) *Tensor {
	last := t.sizes[len(t.sizes)-2:]
	full := append(append([]int(nil), batch...), last...)
	return t.Expand(full).Contiguous().View([]int{n, last[0], last[1]})
}

// rowPairs holds two batches of rows for the loops over their pairs.
type rowPairs struct {
	x, y   *Tensor // contiguous, of one dtype
	batch  []int
	m      int // the length of a row
	r1, r2 int
}

func newRowPairs(x, y *Tensor) (*rowPairs, *Error) {
	n1, n2 := len(x.sizes), len(y.sizes)
	batch, err := broadcastSizes(x.sizes[:n1-2], y.sizes[:n2-2])
	if err != nil {
		return nil, err
	}
	return &rowPairs{contiguous(x), contiguous(as(y, x.dtype)), batch, x.sizes[n1-1], x.sizes[n1-2], y.sizes[n2-2]}, nil
}

// each calls f with the positions of each pair's result and rows. The r1*r2
// results of a batch element are adjacent.
func (r *rowPairs) each(f func(out, x, y int)) {
	steps := func(t *Tensor) []int {
		n := len(t.sizes) - 2
		return kernel.Broadcast(r.batch, t.sizes[:n], t.strides[:n])
	}
	results := contiguousStrides(append(append([]int(nil), r.batch...), r.r1*r.r2))[:len(r.batch)]
	kernel.Walk(r.batch, []int{0, r.x.offset, r.y.offset}, [][]int{results, steps(r.x), steps(r.y)}, func(row *kernel.Row) {
		for b := range row.N {
			out, x, y := row.At[0]+b*row.Stride[0], row.At[1]+b*row.Stride[1], row.At[2]+b*row.Stride[2]
			for i := range r.r1 {
				for j := range r.r2 {
					f(out+i*r.r2+j, x+i*r.m, y+j*r.m)
				}
			}
		}
	})
}

// allDistances returns the matrix of distances between the rows of x1 and the
// rows of x2.
func (a *Args) allDistances(p float64) ([]*Tensor, error) {
	r, err := newRowPairs(a.Tensor("x1"), a.Tensor("x2"))
	if err != nil {
		return nil, err
	}
	out := alloc(r.x.dtype, append(append([]int(nil), r.batch...), r.r1, r.r2))
	if out.dtype == Float64 {
		distances(r, out.st.other.f64, p)
	} else {
		distances(r, out.st.f32, p)
	}
	return a.One(rounded(out))
}

func distances[T float32 | float64](r *rowPairs, out []T, p float64) {
	x, y := data[T](r.x.st), data[T](r.y.st)
	r.each(func(o, i, j int) { out[o] = kernel.Distance(x[i:i+r.m], y[j:j+r.m], p) })
}

// allDistancesBackward returns the gradient of allDistances for x1.
func (a *Args) allDistancesBackward() ([]*Tensor, error) {
	r, err := newRowPairs(a.Tensor("x1"), a.Tensor("x2"))
	if err != nil {
		return nil, err
	}
	g, dist := contiguous(as(a.Tensor("grad"), r.x.dtype)), contiguous(a.Tensor("cdist"))
	out := alloc(r.x.dtype, append(append([]int(nil), r.batch...), r.r1, r.m))
	if out.dtype == Float64 {
		distanceGradients(r, out.st.other.f64, g, dist, a.Float("p"))
	} else {
		distanceGradients(r, out.st.f32, g, dist, a.Float("p"))
	}
	return a.One(rounded(out))
}

func distanceGradients[T float32 | float64](r *rowPairs, out []T, grad, dist *Tensor, p float64) {
	x, y, g, d := data[T](r.x.st), data[T](r.y.st), elements[T](grad), elements[T](dist)
	r.each(func(o, i, j int) {
		row := o / r.r2 * r.m
		kernel.DistanceGrad(out[row:row+r.m], x[i:i+r.m], y[j:j+r.m], g[o], d[o], p)
	})
}

// pairDistances returns the distances between the rows of self, each pair once.
func (a *Args) pairDistances() ([]*Tensor, error) {
	t := contiguous(a.Self())
	n := t.sizes[0]
	out := alloc(t.dtype, []int{max(n*(n-1)/2, 0)})
	if t.dtype == Float64 {
		eachPair(t, func(k int, x, y []float64) { out.st.other.f64[k] = kernel.Distance(x, y, a.Float("p")) })
	} else {
		eachPair(t, func(k int, x, y []float32) { out.st.f32[k] = kernel.Distance(x, y, a.Float("p")) })
	}
	return a.One(rounded(out))
}

// eachPair calls f for each pair of rows of a contiguous matrix.
func eachPair[T float32 | float64](t *Tensor, f func(k int, x, y []T)) {
	x, n, m, k := elements[T](t), t.sizes[0], t.sizes[1], 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			f(k, x[i*m:(i+1)*m], x[j*m:(j+1)*m])
			k++
		}
	}
}

func (a *Args) pairDistancesBackward() ([]*Tensor, error) {
	t := contiguous(a.Tensor("x"))
	g, dist := contiguous(as(a.Tensor("grad"), t.dtype)), contiguous(a.Tensor("pdist"))
	out := alloc(t.dtype, t.sizes)
	if t.dtype == Float64 {
		pairGradients[float64](t, out, g, dist, a.Float("p"))
	} else {
		pairGradients[float32](t, out, g, dist, a.Float("p"))
	}
	return a.One(rounded(out))
}

func pairGradients[T float32 | float64](t, out, grad, dist *Tensor, p float64) {
	o, g, d, n, m, k := elements[T](out), elements[T](grad), elements[T](dist), t.sizes[0], t.sizes[1], 0
	x := elements[T](t)
	for i := range n {
		for j := i + 1; j < n; j++ {
			first, second := x[i*m:(i+1)*m], x[j*m:(j+1)*m]
			kernel.DistanceGrad(o[i*m:(i+1)*m], first, second, g[k], d[k], p)
			kernel.DistanceGrad(o[j*m:(j+1)*m], second, first, g[k], d[k], p)
			k++
		}
	}
}
