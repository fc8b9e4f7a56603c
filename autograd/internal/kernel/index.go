package kernel

// Blocks pairs the elements of two slices: element b of block i is at
// DstBlock[i]+DstElement[b] in dst and at SrcBlock[i]+SrcElement[b] in src.
// Indexing operators move whole blocks. Operators that select single elements
// have blocks of one element.
type Blocks struct {
	DstBlock, SrcBlock     []int
	DstElement, SrcElement []int
}

// Single is the list of elements of a block with one element.
var Single = []int{0}

// Move stores the elements of src in dst. Where blocks of dst overlap, the last
// one wins.
func Move[T any](dst, src []T, b *Blocks) {
	run := inRun(b.DstElement) && inRun(b.SrcElement)
	n := len(b.DstElement)
	for i, d := range b.DstBlock {
		s := b.SrcBlock[i]
		if run {
			if n > 0 {
				d, s := d+b.DstElement[0], s+b.SrcElement[0]
				copy(dst[d:d+n], src[s:s+n])
			}
			continue
		}
		for j, e := range b.DstElement {
			dst[d+e] = src[s+b.SrcElement[j]]
		}
	}
}

// Combine stores f(old element of dst, element of src) in dst, block after
// block.
func Combine[T any](dst, src []T, b *Blocks, f func(old, x T) T) {
	for i, d := range b.DstBlock {
		s := b.SrcBlock[i]
		for j, e := range b.DstElement {
			dst[d+e] = f(dst[d+e], src[s+b.SrcElement[j]])
		}
	}
}

// Accumulate adds elements of src to elements of dst, block after block.
func Accumulate[T number](dst, src []T, b *Blocks) {
	for i, d := range b.DstBlock {
		s := b.SrcBlock[i]
		for j, e := range b.DstElement {
			dst[d+e] += src[s+b.SrcElement[j]]
		}
	}
}

// inRun reports whether the positions are consecutive.
func inRun(places []int) bool {
	for i := 1; i < len(places); i++ {
		if places[i] != places[i-1]+1 {
			return false
		}
	}
	return true
}

// Places returns the positions of the elements of a shape in row-major order.
func Places(sizes, strides []int, offset int) []int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	out := make([]int, 0, n)
	Walk(sizes, []int{offset}, [][]int{strides}, func(r *Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			out = append(out, p)
		}
	})
	return out
}
