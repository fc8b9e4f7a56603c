package kernel

// The comparisons work on every class of elements; false < true.

// Eq stores a == b.
func Eq[T comparable](d []bool, a, b []T, sa, sb int) {
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
		d[i] = a[j] == b[k]
	}
}

// Ne stores a != b.
func Ne[T comparable](d []bool, a, b []T, sa, sb int) {
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
		d[i] = a[j] != b[k]
	}
}

// Lt stores a < b.
func Lt[T number](d []bool, a, b []T, sa, sb int) {
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
		d[i] = a[j] < b[k]
	}
}

// Le stores a <= b.
func Le[T number](d []bool, a, b []T, sa, sb int) {
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
		d[i] = a[j] <= b[k]
	}
}

// Where stores a where the mask is set and b elsewhere.
func Where[T any](d []T, mask []bool, a, b []T, sm, sa, sb int) {
	for i, m, j, k := 0, 0, 0, 0; i < len(d); i, m, j, k = i+1, m+sm, j+sa, k+sb {
		if mask[m] {
			d[i] = a[j]
		} else {
			d[i] = b[k]
		}
	}
}

// Gt stores a > b.
func Gt[T number](d []bool, a, b []T, sa, sb int) { Lt(d, b, a, sb, sa) }

// Ge stores a >= b.
func Ge[T number](d []bool, a, b []T, sa, sb int) { Le(d, b, a, sb, sa) }
