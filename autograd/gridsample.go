package autograd

import "math"

// This file samples planes at the points of a grid: the arithmetic of
// grid_sample (aten/src/ATen/native/GridSampler.h). It computes in float64.
// Only the positions are found in the precision of the tensors, which decides
// the nearest neighbour.

// The values of interpolation_mode and padding_mode.
const (
	gridLinear = iota
	gridNearest
	gridCubic
)

const (
	padZeros = iota
	padBorder
	padReflection
)

// A gridSampler reads planes with two or three dimensions; the missing one has
// size 1.
type gridSampler struct {
	mode, padding int
	corners       bool // -1 and 1 are the centers of the outermost elements, not their edges
	narrow        bool // float32
	dims          int
	sizes         [3]int
}

// A gridTap is an element along a dimension that contributes to a sample: its
// index, its weight, and the derivative of the weight by the position. The
// index is -1 outside the input.
type gridTap struct {
	index         int
	weight, slope float64
}

// A gridLine holds the taps of one dimension, and the derivative of their
// position by the coordinate.
type gridLine struct {
	taps  [4]gridTap
	n     int
	speed float64
}

func (l *gridLine) add(t gridTap) {
	l.taps[l.n] = t
	l.n++
}

// along returns the taps of a dimension for a coordinate between -1 and 1.
func (s *gridSampler) along(dim int, coordinate float64) gridLine {
	size := s.sizes[dim]
	place, speed := s.place(coordinate, size)
	if s.mode != gridCubic {
		place, speed = s.pad(place, speed, size)
	}
	line := gridLine{speed: speed}
	switch s.mode {
	case gridNearest:
		line.speed = 0
		line.add(gridTap{inside(math.RoundToEven(place), size), 1, 0})
	case gridLinear:
		low := math.Floor(place)
		line.add(gridTap{inside(low, size), 1 - (place - low), -1})
		line.add(gridTap{inside(low+1, size), place - low, 1})
	case gridCubic:
		low := math.Floor(place)
		for k := -1.0; k <= 2; k++ {
			weight, slope := cubicWeight(place - low - k)
			at, _ := s.pad(low+k, 1, size)
			line.add(gridTap{inside(at, size), weight, slope})
		}
	}
	return line
}

// place returns the position of a coordinate as an index, and its derivative by
// the coordinate.
func (s *gridSampler) place(coordinate float64, size int) (place, speed float64) {
	speed, shift := float64(size)/2, 0.5
	if s.corners {
		speed, shift = float64(size-1)/2, 0
	}
	if s.narrow {
		return float64(float32(float32(coordinate)+1)*float32(speed) - float32(shift)), speed
	}
	return (coordinate+1)*speed - shift, speed
}

// pad moves a position outside the plane back into it.
func (s *gridSampler) pad(place, speed float64, size int) (float64, float64) {
	if s.padding == padReflection {
		low, high := -0.5, float64(size)-0.5
		if s.corners {
			low, high = 0, float64(size-1)
		}
		place, speed = folded(place, speed, low, high)
	}
	if s.padding == padZeros {
		return place, speed
	}
	last := float64(size - 1)
	switch {
	case !(place > 0): // NaN too
		return 0, 0
	case place >= last:
		return last, 0
	}
	return place, speed
}

// folded reflects a position at two walls until it lies between them.
func folded(place, speed, low, high float64) (float64, float64) {
	span := high - low
	if span == 0 {
		return 0, 0
	}
	place -= low
	if place < 0 {
		place, speed = -place, -speed
	}
	rest, folds := math.Mod(place, span), math.Floor(place/span)
	if math.Mod(folds, 2) == 0 {
		return rest + low, speed
	}
	return span - rest + low, -speed
}

// inside returns the index of an element, or -1 if it is outside.
func inside(at float64, size int) int {
	if at >= 0 && at < float64(size) {
		return int(at)
	}
	return -1
}

// A gridPoint is an element of a plane that contributes to a sample, with its
// weight and the derivatives of the weight by the positions, from the last
// dimension to the first.
type gridPoint struct {
	offset int
	weight float64
	slopes [3]float64
}

// points returns the elements that contribute to the sample at a grid point,
// and the derivatives of their positions by the coordinates, from the last
// dimension of a plane to the first.
func (s *gridSampler) points(coordinates []float64, into []gridPoint) (points []gridPoint, speeds [3]float64) {
	var lines [3]gridLine
	for d := range lines {
		if d < 3-s.dims {
			lines[d].add(gridTap{0, 1, 0})
		} else {
			lines[d] = s.along(d, coordinates[2-d])
			speeds[2-d] = lines[d].speed
		}
	}
	for _, z := range lines[0].taps[:lines[0].n] {
		for _, y := range lines[1].taps[:lines[1].n] {
			for _, x := range lines[2].taps[:lines[2].n] {
				if x.index < 0 || y.index < 0 || z.index < 0 {
					continue
				}
				into = append(into, gridPoint{
					offset: (z.index*s.sizes[1]+y.index)*s.sizes[2] + x.index,
					weight: x.weight * y.weight * z.weight,
					slopes: [3]float64{x.slope * y.weight * z.weight, x.weight * y.slope * z.weight, x.weight * y.weight * z.slope},
				})
			}
		}
	}
	return into, speeds
}

// A gridCall holds the tensors of a call in float64.
type gridCall struct {
	gridSampler
	batch, channels, plane, samples int
	input, grid                     []float64
}

func newGridCall(input, grid *Tensor, mode, padding int, corners bool) *gridCall {
	c := &gridCall{gridSampler: gridSampler{mode: mode, padding: padding, corners: corners, narrow: input.dtype != Float64, dims: len(input.sizes) - 2, sizes: [3]int{1, 1, 1}}}
	copy(c.sizes[3-c.dims:], input.sizes[2:])
	c.batch, c.channels, c.plane = input.sizes[0], input.sizes[1], numel(input.sizes[2:])
	c.samples = numel(grid.sizes[1 : len(grid.sizes)-1])
	c.input, c.grid = elements[float64](copied(input, Float64)), elements[float64](copied(grid, Float64))
	return c
}

// each calls f for every point of the grid: the position of its coordinates,
// the first element of the planes it samples, the position of the first of its
// samples, and the points with their speeds.
func (c *gridCall) each(f func(at, planes, sample int, points []gridPoint, speeds [3]float64)) {
	var points []gridPoint
	for n := range c.batch {
		for i := range c.samples {
			at := (n*c.samples + i) * c.dims
			var speeds [3]float64
			points, speeds = c.points(c.grid[at:at+c.dims], points[:0])
			f(at, n*c.channels*c.plane, n*c.channels*c.samples+i, points, speeds)
		}
	}
}

// sample computes the samples, row-major.
func (c *gridCall) sample() []float64 {
	out := make([]float64, c.batch*c.channels*c.samples)
	c.each(func(_, planes, sample int, points []gridPoint, _ [3]float64) {
		for channel := range c.channels {
			for _, p := range points {
				out[sample+channel*c.samples] += c.input[planes+channel*c.plane+p.offset] * p.weight
			}
		}
	})
	return out
}

// gradients computes the gradients of the input and the grid from the gradient
// g of the samples.
func (c *gridCall) gradients(g []float64) (input, grid []float64) {
	input, grid = make([]float64, len(c.input)), make([]float64, len(c.grid))
	c.each(func(at, planes, sample int, points []gridPoint, speeds [3]float64) {
		for channel := range c.channels {
			d := g[sample+channel*c.samples]
			for _, p := range points {
				element := planes + channel*c.plane + p.offset
				input[element] += d * p.weight
				for k := range c.dims {
					grid[at+k] += d * p.slopes[k] * c.input[element]
				}
			}
		}
		for k := range c.dims {
			grid[at+k] *= speeds[k]
		}
	})
	return input, grid
}
