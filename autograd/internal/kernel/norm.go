package kernel

import "math"

// A Grouping says which elements of a contiguous tensor are normalized
// together, and with which scale and shift. The tensor consists of blocks of
// Plane adjacent elements.
//
//   - Layer norm: a block is a set; each of its elements has its own scale.
//   - Group norm: PerSet adjacent blocks are a set; a block is a channel.
//   - Batch norm: every Channels-th block is in the same set; a block is a channel.
type Grouping struct {
	Plane    int
	Channels int  // number of channels of scale and shift
	Sets     int  // number of sets of elements that are normalized together
	PerSet   int  // number of adjacent blocks in a set; 0: every Sets-th block
	Each     bool // scale and shift have an entry for each element of a block
}

// set returns the set to which a block belongs.
func (g *Grouping) set(block int) int {
	if g.PerSet == 0 {
		return block % g.Sets
	}
	return block / g.PerSet
}

// blocks calls f for each block with its first element, its set and its channel.
func (g *Grouping) blocks(size int, f func(at, set, channel int)) {
	for block, at := 0, 0; at < size; block, at = block+1, at+g.Plane {
		channel := 0
		if !g.Each {
			channel = block % g.Channels
		}
		f(at, g.set(block), channel)
	}
}

// Moments returns the mean of each set and the sum of squared distances from
// it.
func Moments[T float32 | float64](g *Grouping, x []T) (mean, squares []float64) {
	mean, squares = make([]float64, g.Sets), make([]float64, g.Sets)
	count := float64(len(x)) / float64(g.Sets)
	g.blocks(len(x), func(at, set, _ int) {
		sum := 0.0
		for _, v := range x[at : at+g.Plane] {
			sum += float64(v)
		}
		mean[set] += sum
	})
	for set := range mean {
		mean[set] /= count
	}
	g.blocks(len(x), func(at, set, _ int) {
		m, sum := mean[set], 0.0
		for _, v := range x[at : at+g.Plane] {
			d := float64(v) - m
			sum += d * d
		}
		squares[set] += sum
	})
	return mean, squares
}

// InverseDeviation returns 1/sqrt(variance + eps).
func InverseDeviation(variance, eps float64) float64 { return 1 / math.Sqrt(variance+eps) }

// Normalize stores (x-mean)*inverse, scaled and shifted. scale and shift may be
// nil.
func Normalize[T float32 | float64](g *Grouping, out, x, mean, inverse, scale, shift []T) {
	g.blocks(len(x), func(at, set, channel int) {
		m, inv := mean[set], inverse[set]
		x, out := x[at:at+g.Plane], out[at:at+g.Plane]
		if g.Each {
			normalizeEach(out, x, m, inv, scale, shift)
			return
		}
		var add T
		if scale != nil {
			inv *= scale[channel]
		}
		if shift != nil {
			add = shift[channel]
		}
		for i, v := range x {
			out[i] = (v-m)*inv + add
		}
	})
}

func normalizeEach[T float32 | float64](out, x []T, mean, inverse T, scale, shift []T) {
	for i, v := range x {
		out[i] = (v - mean) * inverse
	}
	if scale != nil {
		for i := range out {
			out[i] *= scale[i]
		}
	}
	if shift != nil {
		for i := range out {
			out[i] += shift[i]
		}
	}
}

// NormGradients holds the results of NormalizeBackward. A nil field is not
// computed.
type NormGradients[T float32 | float64] struct{ X, Scale, Shift []T }

// NormalizeBackward computes the gradients of Normalize from the gradient dy of
// its result. fixed says that mean and inverse do not depend on x.
func NormalizeBackward[T float32 | float64](g *Grouping, d NormGradients[T], dy, x, mean, inverse, scale []T, fixed bool) {
	sums, products := make([]float64, g.Sets), make([]float64, g.Sets)
	dScale, dShift := make([]float64, g.Channels), make([]float64, g.Channels)
	weight := func(channel, i int) float64 {
		switch {
		case scale == nil:
			return 1
		case g.Each:
			return float64(scale[i])
		}
		return float64(scale[channel])
	}
	g.blocks(len(x), func(at, set, channel int) {
		m, inv := float64(mean[set]), float64(inverse[set])
		for i := range g.Plane {
			dy, c := float64(dy[at+i]), channel
			if g.Each {
				c = i
			}
			unit := (float64(x[at+i]) - m) * inv
			dScale[c] += dy * unit
			dShift[c] += dy
			w := weight(channel, i)
			sums[set] += dy * w
			products[set] += dy * w * unit
		}
	})
	storeSums(d.Scale, dScale)
	storeSums(d.Shift, dShift)
	if d.X == nil {
		return
	}
	count := float64(len(x)) / float64(g.Sets)
	g.blocks(len(x), func(at, set, channel int) {
		m, inv := float64(mean[set]), float64(inverse[set])
		s, p := sums[set]/count, products[set]/count
		if fixed {
			s, p = 0, 0
		}
		for i := range g.Plane {
			unit := (float64(x[at+i]) - m) * inv
			d.X[at+i] = T(inv * (float64(dy[at+i])*weight(channel, i) - s - unit*p))
		}
	})
}

func storeSums[T float32 | float64](d []T, sums []float64) {
	for i := range d {
		d[i] = T(sums[i])
	}
}
