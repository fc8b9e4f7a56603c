package kernel

// Relu stores a where it is not negative, else 0. NaN and -0 are kept.
func Relu[T number](d, a []T, sa int) {
	if sa == 1 {
		a = a[:len(d)]
		for i, x := range a {
			if x < 0 {
				x = 0
			}
			d[i] = x
		}
		return
	}
	for i, j := 0, 0; i < len(d); i, j = i+1, j+sa {
		x := a[j]
		if x < 0 {
			x = 0
		}
		d[i] = x
	}
}

// LeakyRelu stores a where it is positive, else slope·a.
func LeakyRelu[T float32 | float64](d, a []T, sa int, slope T) {
	for i, j := 0, 0; i < len(d); i, j = i+1, j+sa {
		x := a[j]
		if !(x > 0) {
			x *= slope
		}
		d[i] = x
	}
}

// PassAbove stores g unless x is at or below a threshold, else 0.
func PassAbove[T number](d, g, x []T, sg, sx int, threshold T) {
	if sg == 1 && sx == 1 {
		g, x = g[:len(d)], x[:len(d)]
		for i := range d {
			y := g[i]
			if x[i] <= threshold {
				y = 0
			}
			d[i] = y
		}
		return
	}
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sg, k+sx {
		y := g[j]
		if x[k] <= threshold {
			y = 0
		}
		d[i] = y
	}
}
