package kernel

// Conv is the geometry of a convolution in three spatial dimensions. With fewer
// dimensions, the leading sizes, kernels, strides and dilations are 1. The
// tensors are contiguous: input [N, C, In...], weight [O, C/Groups, Kernel...],
// output [N, O, Out...].
type Conv struct {
	N, C, O, Groups                            int
	In, Out, Kernel, Stride, Padding, Dilation [3]int
}

// A convRun is a row of adjacent outputs to which one weight contributes, with
// the inputs that the weight multiplies.
type convRun struct{ weight, in, out, n int }

// runs calls f for each pair of a weight and a row of outputs.
func (c *Conv) runs(f func(r convRun)) {
	inPlane, outPlane := c.In[0]*c.In[1]*c.In[2], c.Out[0]*c.Out[1]*c.Out[2]
	kernel := c.Kernel[0] * c.Kernel[1] * c.Kernel[2]
	cPer, oPer := c.C/c.Groups, c.O/c.Groups
	for n := range c.N {
		for o := range c.O {
			out := (n*c.O + o) * outPlane
			for i := range cPer {
				in := (n*c.C + o/oPer*cPer + i) * inPlane
				c.planes(convRun{weight: (o*cPer + i) * kernel, in: in, out: out}, f)
			}
		}
	}
}

// planes visits the rows of one input and one output channel.
func (c *Conv) planes(at convRun, f func(r convRun)) {
	r := at
	for k0 := range c.Kernel[0] {
		for k1 := range c.Kernel[1] {
			for k2 := range c.Kernel[2] {
				from, to := c.inside(2, k2)
				r.n = to - from
				first := from*c.Stride[2] - c.Padding[2] + k2*c.Dilation[2]
				from0, to0 := c.inside(0, k0)
				from1, to1 := c.inside(1, k1)
				for o0 := from0; o0 < to0 && r.n > 0; o0++ {
					i0 := o0*c.Stride[0] - c.Padding[0] + k0*c.Dilation[0]
					for o1 := from1; o1 < to1; o1++ {
						i1 := o1*c.Stride[1] - c.Padding[1] + k1*c.Dilation[1]
						r.in = at.in + (i0*c.In[1]+i1)*c.In[2] + first
						r.out = at.out + (o0*c.Out[1]+o1)*c.Out[2] + from
						f(r)
					}
				}
				r.weight++
			}
		}
	}
}

// inside returns the range of outputs along dimension d for which element k of
// the kernel lies on the input and not on its padding.
func (c *Conv) inside(d, k int) (from, to int) {
	shift := k*c.Dilation[d] - c.Padding[d]
	if shift < 0 {
		from = (-shift + c.Stride[d] - 1) / c.Stride[d]
	}
	if last := c.In[d] - 1 - shift; last >= 0 {
		to = min(last/c.Stride[d]+1, c.Out[d])
	}
	return from, to
}

// ConvForward adds the convolution of in with weight to out.
func ConvForward[T number](c *Conv, out, in, weight []T) {
	step := c.Stride[2]
	c.runs(func(r convRun) {
		d, s, w := out[r.out:r.out+r.n], in[r.in:], weight[r.weight]
		if step == 1 {
			s = s[:len(d)]
			for i := range d {
				d[i] += w * s[i]
			}
			return
		}
		for i := range d {
			d[i] += w * s[i*step]
		}
	})
}

// ConvInput adds the gradient of the input to in, computed from the gradient of
// the output. It is also the forward pass of a transposed convolution.
func ConvInput[T number](c *Conv, in, out, weight []T) {
	step := c.Stride[2]
	c.runs(func(r convRun) {
		d, s, w := in[r.in:], out[r.out:r.out+r.n], weight[r.weight]
		if step == 1 {
			d = d[:len(s)]
			for i := range s {
				d[i] += w * s[i]
			}
			return
		}
		for i := range s {
			d[i*step] += w * s[i]
		}
	})
}

// ConvWeight adds the gradient of the weight to weight.
func ConvWeight[T number](c *Conv, weight, in, out []T) {
	step := c.Stride[2]
	c.runs(func(r convRun) {
		a, b := in[r.in:], out[r.out:r.out+r.n]
		var sum T
		for i := range b {
			sum += a[i*step] * b[i]
		}
		weight[r.weight] += sum
	})
}

// AddChannels adds bias[c] to the elements of channel c of t [N, C, plane].
func AddChannels[T number](t, bias []T, plane int) {
	for at := 0; at < len(t); {
		for _, b := range bias {
			row := t[at : at+plane]
			for i := range row {
				row[i] += b
			}
			at += plane
		}
	}
}

// SumChannels adds the elements of channel c of t [N, C, plane] to sum[c].
func SumChannels[T number](sum, t []T, plane int) {
	for at := 0; at < len(t); {
		for c := range sum {
			var s T
			for _, x := range t[at : at+plane] {
				s += x
			}
			sum[c] += s
			at += plane
		}
	}
}

// column returns the position of a run in the matrix of windows [N, O*Kernel,
// Out] of a convolution with one input channel for each output channel.
func (c *Conv) column(r convRun) int {
	plane := c.Out[0] * c.Out[1] * c.Out[2]
	window := c.Kernel[0] * c.Kernel[1] * c.Kernel[2]
	n := r.out / (plane * c.O)
	return (n*c.O*window+r.weight)*plane + r.out%plane
}

// ConvColumns copies the inputs of each window into a column (im2col).
func ConvColumns[T any](c *Conv, columns, in []T) {
	c.runs(func(r convRun) {
		at := c.column(r)
		for i := range r.n {
			columns[at+i] = in[r.in+i*c.Stride[2]]
		}
	})
}

// ConvImage adds each column to the inputs of its window (col2im).
func ConvImage[T number](c *Conv, in, columns []T) {
	c.runs(func(r convRun) {
		at := c.column(r)
		for i := range r.n {
			in[r.in+i*c.Stride[2]] += columns[at+i]
		}
	})
}
