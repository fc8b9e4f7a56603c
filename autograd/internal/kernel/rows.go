package kernel

// PickRows copies the rows of a matrix at the indices.
func PickRows[T any](out, matrix []T, indices []int64, width int) {
	for n, i := range indices {
		copy(out[n*width:(n+1)*width], matrix[int(i)*width:])
	}
}

// AddRows adds each row to the row of out given by its index; it skips the
// index padding. With counts it divides rows by the count of their index.
func AddRows[T float32 | float64](out, rows []T, indices []int64, width int, padding int64, counts []int) {
	for n, i := range indices {
		if i == padding {
			continue
		}
		scale := T(1)
		if counts != nil {
			scale /= T(counts[i])
		}
		d := out[int(i)*width : (int(i)+1)*width]
		for j, x := range rows[n*width : (n+1)*width] {
			d[j] += x * scale
		}
	}
}
