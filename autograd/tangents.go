package autograd

// Arithmetic for tangents. A nil tensor is a tangent of zeros that was never
// allocated. It leaves no trace in a sum, not even in the signs of zeros.

// addDefined returns a + b, of tangents or gradients.
func addDefined(a, b *Tensor) *Tensor {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return a.Add(b)
}

// minusTangent returns a - b.
func minusTangent(a, b *Tensor) *Tensor {
	switch {
	case b == nil:
		return a
	case a == nil:
		return b.Neg()
	}
	return a.Sub(b)
}

// timesTangent returns a·by.
func timesTangent(a, by *Tensor) *Tensor {
	if a == nil {
		return nil
	}
	return a.Mul(by)
}

// scaledTangent returns a·by.
func scaledTangent(a *Tensor, by Scalar) *Tensor {
	if a == nil {
		return nil
	}
	return scaled(a, by)
}

// expanded broadcasts a tangent to the shape of the result.
func (c *JCtx) expanded(d *Tensor) *Tensor {
	if out := c.outs[0]; !sameSizes(d.sizes, out.sizes) {
		return d.Expand(out.sizes)
	}
	return d
}
