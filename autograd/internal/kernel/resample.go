package kernel

// A Resample lists the inputs of each output of a plane, along each of up to
// three dimensions. Unused leading dimensions have one input and one output.
type Resample [3]Taps

// Taps holds, for each output along a dimension, its Count inputs and their
// weights. Without weights each output is a copy of one input.
type Taps struct {
	In, Out, Count int
	Index          []int
	Weight         []float64
}

// OneTap is a dimension of size 1.
var OneTap = Taps{In: 1, Out: 1, Count: 1, Index: []int{0}}

// each calls f for each output of a plane and each of its inputs.
func (r *Resample) each(f func(out, in int, weight float64)) {
	n := 0
	for i := range r[0].Out {
		for j := range r[1].Out {
			for k := range r[2].Out {
				r.taps(i, j, k, func(in int, weight float64) { f(n, in, weight) })
				n++
			}
		}
	}
}

func (r *Resample) taps(i, j, k int, f func(in int, weight float64)) {
	x, y, z := &r[0], &r[1], &r[2]
	for a := i * x.Count; a < (i+1)*x.Count; a++ {
		for b := j * y.Count; b < (j+1)*y.Count; b++ {
			row, weight := (x.Index[a]*y.In+y.Index[b])*z.In, x.weight(a)*y.weight(b)
			for c := k * z.Count; c < (k+1)*z.Count; c++ {
				f(row+z.Index[c], weight*z.weight(c))
			}
		}
	}
}

func (t *Taps) weight(i int) float64 {
	if t.Weight == nil {
		return 1
	}
	return t.Weight[i]
}

func (r *Resample) sizes() (in, out int) {
	return r[0].In * r[1].In * r[2].In, r[0].Out * r[1].Out * r[2].Out
}

// plain reports whether every output is a copy of one input.
func (r *Resample) plain() bool {
	return r[0].Weight == nil && r[1].Weight == nil && r[2].Weight == nil
}

// ResampleForward adds the outputs of each plane to out.
func ResampleForward[T number](r *Resample, planes int, out, in []T) {
	inSize, outSize := r.sizes()
	plain := r.plain()
	for n := range planes {
		x, y := in[n*inSize:(n+1)*inSize], out[n*outSize:(n+1)*outSize]
		if plain {
			r.each(func(o, i int, _ float64) { y[o] = x[i] })
		} else {
			r.each(func(o, i int, w float64) { y[o] += x[i] * T(w) })
		}
	}
}

// ResampleBackward adds the gradient of the inputs to in, computed from the
// gradient of the outputs.
func ResampleBackward[T float32 | float64](r *Resample, planes int, in, out []T) {
	inSize, outSize := r.sizes()
	for n := range planes {
		x, y := in[n*inSize:(n+1)*inSize], out[n*outSize:(n+1)*outSize]
		r.each(func(o, i int, w float64) { x[i] += y[o] * T(w) })
	}
}
