package repr

import (
	"iter"
	"math"
)

// numel returns the number of elements of a shape; it saturates instead of
// overflowing.
func numel(shape []int) int {
	n := 1
	for _, size := range shape {
		if size <= 0 {
			return 0
		}
		if n > math.MaxInt/size {
			n = math.MaxInt // a later size may be zero
		} else {
			n *= size
		}
	}
	return n
}

// appendBody appends the elements with their brackets. The text starts in
// column indent.
func appendBody(dst []byte, t Tensor, o Options, indent int) []byte {
	n := numel(t.Shape)
	switch {
	case t.Values == nil:
		return append(dst, "..."...)
	case n == 0:
		return append(dst, "[]"...)
	}
	p := printer{
		out:       dst,
		elements:  t.Values.formatter(o),
		summary:   float64(n) > o.Threshold,
		edge:      o.edge(),
		lineWidth: o.LineWidth,
	}
	p.observe(t.Shape, 0, n)
	p.width = p.elements.settle()
	p.block(t.Shape, 0, n, indent)
	return p.out
}

// printer writes the body of one tensor.
type printer struct {
	out       []byte
	scratch   []byte // the element being written
	elements  formatter
	width     int  // columns of one element
	summary   bool // only entries near the edges are shown
	edge      int
	lineWidth int
}

// gap stands for the omitted entries of a summary in kept.
const gap = -1

// kept yields the indices that are shown of a dimension of size n.
func (p *printer) kept(n int) iter.Seq[int] {
	head, tail := n, n
	if p.summary && n-p.edge > p.edge {
		head, tail = p.edge, n-p.edge
	}
	return func(yield func(int) bool) {
		for i := range head {
			if !yield(i) {
				return
			}
		}
		if head < tail && !yield(gap) {
			return
		}
		for i := tail; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// observe shows the formatter every element that will be written, from the
// block of size elements at base.
func (p *printer) observe(shape []int, base, size int) {
	if len(shape) == 0 {
		p.elements.observe(base)
		return
	}
	step := size / shape[0]
	for i := range p.kept(shape[0]) {
		if i != gap {
			p.observe(shape[1:], base+i*step, step)
		}
	}
}

// block writes the block of size elements at base, in column indent.
func (p *printer) block(shape []int, base, size, indent int) {
	switch len(shape) {
	case 0:
		p.element(base)
		return
	case 1:
		p.vector(shape[0], base, indent)
		return
	}
	step := size / shape[0]
	first := true
	p.out = append(p.out, '[')
	for i := range p.kept(shape[0]) {
		if !first {
			p.out = append(p.out, ',')
			p.newline(len(shape)-1, indent+1)
		}
		first = false
		if i == gap {
			p.out = append(p.out, "..."...)
		} else {
			p.block(shape[1:], base+i*step, step, indent+1)
		}
	}
	p.out = append(p.out, ']')
}

// vector writes n elements from base on, with line breaks.
func (p *printer) vector(n, base, indent int) {
	ellipsis := " ..."
	if p.edge == 0 {
		ellipsis = "..."
	}
	perLine := max(1, (p.lineWidth-indent)/(p.width+len(", ")))
	written := 0
	p.out = append(p.out, '[')
	for i := range p.kept(n) {
		if written > 0 {
			p.out = append(p.out, ',')
			if written%perLine == 0 {
				p.newline(1, indent+1)
			} else {
				p.out = append(p.out, ' ')
			}
		}
		written++
		if i == gap {
			p.out = append(p.out, ellipsis...)
		} else {
			p.element(base + i)
		}
	}
	p.out = append(p.out, ']')
}

// element writes element i, right-aligned.
func (p *printer) element(i int) {
	p.scratch = p.elements.append(p.scratch[:0], i)
	p.out = pad(p.out, p.width-len(p.scratch))
	p.out = append(p.out, p.scratch...)
}

// newline writes n line breaks and indents the next line.
func (p *printer) newline(n, indent int) {
	for range n {
		p.out = append(p.out, '\n')
	}
	p.out = pad(p.out, indent)
}
