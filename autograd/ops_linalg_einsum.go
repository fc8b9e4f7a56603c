package autograd

import "strings"

// einsum and bilinear, after aten/src/ATen/native/Linear.cpp. The operands are
// aligned to the dimensions of the result followed by the summed dimensions,
// and multiplied pair by pair.

var einsumOps = []Op{
	{
		Schema:    "einsum(str equation, Tensor[] tensors) -> Tensor",
		TakesRest: true,
		Compose:   func(a *Args) ([]*Tensor, error) { return einsum(a.Str("equation"), a.Tensors("tensors")) },
	},
}

func einsum(equation string, operands []*Tensor) ([]*Tensor, error) {
	if len(operands) == 0 {
		return nil, fail(ValueError, CodeArgument, "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list")
	}
	e := equationOf(equation, len(operands))
	if e.err == nil {
		e.countLabels(operands)
	}
	if e.err == nil {
		e.placeLabels()
	}
	aligned := make([]*Tensor, len(operands))
	for i, t := range operands {
		if e.err == nil {
			aligned[i] = e.align(t, i)
		}
	}
	if e.err != nil {
		return nil, e.err
	}
	result := aligned[0]
	for _, t := range aligned[1:] {
		result = e.contract(result, t)
	}
	n := e.outputs
	switch {
	case n == e.dims:
		return single(result)
	case len(operands) == 1:
		summed := make([]int, e.dims-n)
		for i := range summed {
			summed[i] = n + i
		}
		return single(result.Sum(Dim(summed...)))
	case result.err != nil:
		return nil, result.err
	}
	return single(result.View(result.sizes[:n]))
}

// ellipsis is the label of "...".
const ellipsis = '.'

// An einsumEquation is a parsed equation. Labels are letters; upper case sorts
// first.
type einsumEquation struct {
	labels  []string // of each operand
	output  string
	arrow   bool
	at      int // index of the output in the text
	err     *Error
	count   [128]int // occurrences of each label in the operands
	place   [128]int // dimension of each label in the aligned operands, or -1
	size    [128]int
	dims    int // number of dimensions of the aligned operands
	outputs int // number of these that are in the result
	// The dimensions of an ellipsis.
	ellDims, ellPlace int
	ellSizes          []int
	// users counts, for each dimension, the operands whose size is not 1.
	users []int
}

func (e *einsumEquation) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fail(RuntimeError, CodeArgument, "einsum(): "+format, args...)
	}
}

func equationOf(text string, operands int) *einsumEquation {
	e := &einsumEquation{}
	left, right, arrow := strings.Cut(text, "->")
	e.arrow, e.at = arrow, len(left)+2
	terms := strings.Split(left, ",")
	offset := 0
	for i, term := range terms {
		if i == operands {
			e.fail("fewer operands were provided than specified in the equation")
			return e
		}
		e.labels = append(e.labels, e.parse(term, offset, "operand "+itoa(i), " for which an ellipsis was already found", " that is not part of any ellipsis"))
		offset += len(term) + 1
	}
	if len(terms) < operands {
		e.fail("more operands were provided than specified in the equation")
	}
	if arrow {
		e.output = right
	}
	return e
}

// parse checks the labels of a term and removes the spaces. An ellipsis becomes
// one label.
func (e *einsumEquation) parse(term string, offset int, where, again, lone string) string {
	var labels strings.Builder
	for i := 0; i < len(term); i++ {
		switch c := term[i]; {
		case c == ' ':
		case c == '.' && strings.IndexByte(labels.String(), ellipsis) >= 0:
			e.fail("found '.' for %s%s", where, again)
			return ""
		case c == '.' && !strings.HasPrefix(term[i:], "..."):
			e.fail("found '.' for %s%s", where, lone)
			return ""
		case c == '.':
			i += 2
			labels.WriteByte(ellipsis)
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			labels.WriteByte(c)
		default:
			e.fail("invalid subscript given at index %d in the equation string, subscripts must be in [a-zA-Z]", offset+i)
			return ""
		}
	}
	return labels.String()
}

func (e *einsumEquation) countLabels(operands []*Tensor) {
	for i, t := range operands {
		labels := e.labels[i]
		n, covers := len(labels), strings.IndexByte(labels, ellipsis) >= 0
		if covers {
			n--
			e.ellDims = max(e.ellDims, len(t.sizes)-n)
		}
		for _, c := range labels {
			if c != ellipsis {
				e.count[c]++
			}
		}
		switch {
		case covers && n > len(t.sizes):
			e.fail("the number of subscripts in the equation (%d) is more than the number of dimensions (%d) for operand %d", n, len(t.sizes), i)
		case !covers && n != len(t.sizes):
			e.fail("the number of subscripts in the equation (%d) does not match the number of dimensions (%d) for operand %d and no ellipsis was given", n, len(t.sizes), i)
		}
	}
}

// placeLabels assigns a dimension to each label: first the labels of the
// result, then the others in alphabetical order.
func (e *einsumEquation) placeLabels() {
	for c := range e.place {
		e.place[c], e.size[c] = -1, 1
	}
	covered := !e.arrow
	if e.arrow {
		covered = e.placeOutput()
	} else {
		e.dims = e.ellDims
		for c := range e.count {
			if e.count[c] == 1 {
				e.place[c] = e.dims
				e.dims++
			}
		}
	}
	e.outputs = e.dims
	if !covered {
		e.ellPlace = e.dims
		e.dims += e.ellDims
	}
	for c := range e.count {
		if e.count[c] > 0 && e.place[c] < 0 {
			e.place[c] = e.dims
			e.dims++
		}
	}
	e.users = make([]int, e.dims)
	e.ellSizes = make([]int, e.ellDims)
	for i := range e.ellSizes {
		e.ellSizes[i] = 1
	}
}

// placeOutput assigns dimensions to the labels of an explicit result. covered
// reports whether it has an ellipsis.
func (e *einsumEquation) placeOutput() (covered bool) {
	for _, c := range e.parse(e.output, e.at, "output", " but an ellipsis (...) was already found", " that is not part of any ellipsis (...)") {
		switch {
		case c == ellipsis:
			e.ellPlace, covered = e.dims, true
			e.dims += e.ellDims
		case e.place[c] >= 0:
			e.fail("output subscript %c appears more than once in the output", c)
		case e.count[c] == 0:
			e.fail("output subscript %c does not appear in the equation for any input operand", c)
		default:
			e.place[c] = e.dims
			e.dims++
		}
	}
	return covered
}

// align gives an operand the dimensions of the equation: it takes the diagonal
// for repeated labels, and adds dimensions of size 1 for missing ones.
func (e *einsumEquation) align(t *Tensor, operand int) *Tensor {
	order := make([]int, e.dims)
	for i := range order {
		order[i] = -1
	}
	labels, dim, rank := e.labels[operand], 0, len(t.sizes)
	for _, c := range labels {
		if t.err != nil {
			return t
		}
		switch {
		case c == ellipsis:
			for j := e.ellDims - (rank - len(labels) + 1); j < e.ellDims; j++ {
				if n := t.sizes[dim]; n != 1 {
					if e.ellSizes[j] != 1 && e.ellSizes[j] != n {
						e.fail("dimension %d covered by ellipsis in operand %dhas size %d which does not broadcast with previously seen ellipsis with size %d for the respective dimension", dim, operand, n, e.ellSizes[j])
					}
					e.ellSizes[j] = n
					e.users[e.ellPlace+j]++
				}
				order[e.ellPlace+j] = dim
				dim++
			}
		case order[e.place[c]] < 0:
			if n := t.sizes[dim]; n != 1 {
				if e.size[c] != 1 && e.size[c] != n {
					e.fail("subscript %c has size %d for operand %d which does not broadcast with previously seen size %d", c, n, operand, e.size[c])
				}
				e.size[c] = n
				e.users[e.place[c]]++
			}
			order[e.place[c]] = dim
			dim++
		default:
			before := order[e.place[c]]
			if t.sizes[dim] != t.sizes[before] {
				e.fail("subscript %c is repeated for operand %d but the sizes don't match, %d != %d", c, operand, t.sizes[dim], t.sizes[before])
				return t
			}
			t = t.Diagonal(Kw("offset", 0), Kw("dim1", before), Kw("dim2", dim)).Movedim([]int{-1}, []int{before})
		}
	}
	for i := range order {
		if order[i] < 0 {
			t = t.Unsqueeze(dim)
			order[i] = dim
			dim++
		}
	}
	return t.Permute(order)
}

// contract multiplies two operands and sums over the dimensions that no later
// operand uses.
func (e *einsumEquation) contract(x, y *Tensor) *Tensor {
	if x.err != nil || y.err != nil {
		return x.Mul(y)
	}
	var both, left, right []int
	for d := e.outputs; d < e.dims; d++ {
		inX, inY := x.sizes[d] != 1, y.sizes[d] != 1
		switch {
		case inX && inY:
			if e.users[d]--; e.users[d] == 1 {
				both = append(both, d)
				e.users[d] = 0
			}
		case e.users[d] != 1:
		case inX:
			left = append(left, d)
			e.users[d] = 0
		case inY:
			right = append(right, d)
			e.users[d] = 0
		}
	}
	if len(left) > 0 {
		x = x.Sum(Dim(left...), KeepDim)
	}
	if len(right) > 0 {
		y = y.Sum(Dim(right...), KeepDim)
	}
	return sumProduct(x, y, both)
}

// sumProduct multiplies two tensors of the same rank and sums over shared
// dimensions, which keep size 1 (sumproduct_pair).
func sumProduct(x, y *Tensor, summed []int) *Tensor {
	if len(summed) == 0 || x.err != nil || y.err != nil {
		return x.Mul(y)
	}
	isSummed := make([]bool, len(x.sizes))
	inner := 1
	for _, d := range summed {
		isSummed[d] = true
		inner *= x.sizes[d]
	}
	var shared, onlyX, onlyY []int
	for d := range x.sizes {
		switch {
		case isSummed[d]:
		case x.sizes[d] != 1 && y.sizes[d] != 1:
			shared = append(shared, d)
		case x.sizes[d] != 1:
			onlyX = append(onlyX, d)
		default:
			onlyY = append(onlyY, d)
		}
	}
	batch, n := sizesAt(x.sizes, shared)
	rows, m := sizesAt(x.sizes, onlyX)
	cols, k := sizesAt(y.sizes, onlyY)
	left := x.Permute(concat(shared, onlyX, summed, onlyY)).Reshape([]int{n, m, inner})
	right := y.Permute(concat(shared, summed, onlyY, onlyX)).Reshape([]int{n, inner, k})
	back := make([]int, len(x.sizes))
	for i, d := range concat(shared, onlyX, summed, onlyY) {
		back[d] = i
	}
	shape := concat(batch, rows, repeated(1, len(summed)), cols)
	return left.Bmm(right).View(shape).Permute(back)
}

func concat(lists ...[]int) []int {
	var all []int
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
