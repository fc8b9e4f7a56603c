package kernel

// A Pool describes windows over planes of up to three dimensions; unused
// leading dimensions have size 1. For each output along a dimension it holds
// the inputs that the window covers.
type Pool struct {
	In, Out [3]int
	axes    [3]poolAxis
}

// A poolAxis holds the windows along one dimension: inputs from[o],
// from[o]+step ... below to[o]. size[o] also counts the padding inside the
// window.
type poolAxis struct {
	from, to, size []int
	step           int
}

// Windows sets the windows along dimension d to a kernel that slides over the
// input.
func (p *Pool) Windows(d, in, out, size, stride, padding, dilation int) {
	p.In[d], p.Out[d] = in, out
	a := poolAxis{from: make([]int, out), to: make([]int, out), size: make([]int, out), step: dilation}
	for o := range out {
		from := o*stride - padding
		to := from + (size-1)*dilation + 1
		a.size[o] = min(to, in+padding) - from
		for from < 0 {
			from += dilation
		}
		a.from[o], a.to[o] = from, min(to, in)
	}
	p.axes[d] = a
}

// Adaptive sets the windows along dimension d to an even division of the input.
func (p *Pool) Adaptive(d, in, out int) {
	p.In[d], p.Out[d] = in, out
	a := poolAxis{from: make([]int, out), to: make([]int, out), size: make([]int, out), step: 1}
	for o := range out {
		a.from[o], a.to[o] = o*in/out, ((o+1)*in+out-1)/out
		a.size[o] = a.to[o] - a.from[o]
	}
	p.axes[d] = a
}

// windows calls f for each output of a plane.
func (p *Pool) windows(f func(out int, o *[3]int)) {
	var o [3]int
	n := 0
	for o[0] = range p.Out[0] {
		for o[1] = range p.Out[1] {
			for o[2] = range p.Out[2] {
				f(n, &o)
				n++
			}
		}
	}
}

// rows calls f for each row of inputs in a window: inputs at, at+step ... below
// to.
func (p *Pool) rows(o *[3]int, f func(at, to, step int)) {
	x, y, z := &p.axes[0], &p.axes[1], &p.axes[2]
	for i := x.from[o[0]]; i < x.to[o[0]]; i += x.step {
		for j := y.from[o[1]]; j < y.to[o[1]]; j += y.step {
			row := (i*p.In[1] + j) * p.In[2]
			f(row+z.from[o[2]], row+z.to[o[2]], z.step)
		}
	}
}

func (p *Pool) planeSizes() (in, out int) {
	return p.In[0] * p.In[1] * p.In[2], p.Out[0] * p.Out[1] * p.Out[2]
}

// MaxPool stores the largest input of each window and its index in the plane.
// NaN counts as the largest; among equal inputs the first wins. lowest is the
// smallest number of the type.
func MaxPool[T number](p *Pool, planes int, out []T, index []int64, in []T, lowest T) {
	inSize, outSize := p.planeSizes()
	for n := range planes {
		x, y, at := in[n*inSize:(n+1)*inSize], out[n*outSize:], index[n*outSize:]
		p.windows(func(w int, o *[3]int) {
			best := lowest
			place := (p.axes[0].from[o[0]]*p.In[1]+p.axes[1].from[o[1]])*p.In[2] + p.axes[2].from[o[2]]
			p.rows(o, func(i, to, step int) {
				for ; i < to; i += step {
					if v := x[i]; v > best || v != v {
						best, place = v, i
					}
				}
			})
			y[w], at[w] = best, int64(place)
		})
	}
}

// Scatter adds each element of values to the element of its plane that index
// gives.
func Scatter[T number](planes int, out, values []T, index []int64) {
	if planes == 0 {
		return
	}
	outSize, size := len(out)/planes, len(values)/planes
	for n := range planes {
		y := out[n*outSize : (n+1)*outSize]
		for i := n * size; i < (n+1)*size; i++ {
			y[index[i]] += values[i]
		}
	}
}

// An Average says what AvgPool divides by: Divisor if it is not 0, else the
// number of inputs in the window, with or without padding.
type Average struct {
	Divisor int
	Padding bool
}

// divisor returns the divisor of a window; 0 if the window contains no input.
func (p *Pool) divisor(o *[3]int, by Average) int {
	size, covered := 1, 1
	for d := range p.axes {
		a := &p.axes[d]
		size *= a.size[o[d]]
		covered *= max(a.to[o[d]]-a.from[o[d]], 0)
	}
	switch {
	case covered == 0:
		return 0
	case by.Divisor != 0:
		return by.Divisor
	case by.Padding:
		return size
	}
	return covered
}

// AvgPool stores the average of each window.
func AvgPool[T number](p *Pool, planes int, out, in []T, by Average) {
	inSize, outSize := p.planeSizes()
	for n := range planes {
		x, y := in[n*inSize:(n+1)*inSize], out[n*outSize:]
		p.windows(func(w int, o *[3]int) {
			var sum T
			p.rows(o, func(i, to, step int) {
				for ; i < to; i += step {
					sum += x[i]
				}
			})
			if n := p.divisor(o, by); n != 0 {
				y[w] = sum / T(n)
			}
		})
	}
}

// AvgPoolGradient adds the gradient of the inputs to in, computed from the
// gradient of the averages.
func AvgPoolGradient[T number](p *Pool, planes int, in, out []T, by Average) {
	inSize, outSize := p.planeSizes()
	for n := range planes {
		x, y := in[n*inSize:(n+1)*inSize], out[n*outSize:]
		p.windows(func(w int, o *[3]int) {
			n := p.divisor(o, by)
			if n == 0 {
				return
			}
			part := y[w] / T(n)
			p.rows(o, func(i, to, step int) {
				for ; i < to; i += step {
					x[i] += part
				}
			})
		})
	}
}

// Place is Scatter, except that it overwrites instead of adding.
func Place[T any](planes int, out, values []T, index []int64) {
	if planes == 0 {
		return
	}
	outSize, size := len(out)/planes, len(values)/planes
	for n := range planes {
		y := out[n*outSize : (n+1)*outSize]
		for i := n * size; i < (n+1)*size; i++ {
			y[index[i]] = values[i]
		}
	}
}
