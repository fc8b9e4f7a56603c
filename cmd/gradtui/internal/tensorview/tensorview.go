// Package tensorview lays out the elements of a tensor for people: slices, a grid with labels,
// statistics, a histogram, signs and sizes. It knows no terminal. Begin with [New].
package tensorview

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A View shows a slice of a tensor as a grid: the last two dimensions that the slice keeps are
// rows and columns, of the others it shows one index at a time. A single dimension is written
// in rows of [Wrap] elements.
type View struct {
	shape []int
	first []float64 // leading elements in row-major order
	same  bool      // all elements are fill
	fill  float64
	more  map[int]float64 // other elements that are known, by their places in row-major order

	dims []dim
	rows int // the dimension of the rows; -1: the grid has no dimension of its own for them
	cols int // of the columns; -1: a single element
	text string
}

// A dim is what a slice keeps of a dimension: n indices from start on, step apart.
type dim struct {
	start, step, n int
	single         bool // the slice has one index: the dimension is gone
	page           int  // of a leading dimension: the index among n that is shown
}

// Wrap is how many elements of a single dimension are in a row.
const Wrap = 10

// New returns a view of all elements. v may hold only some of them: the others are not known,
// unless all are the same.
func New(shape []int, v graph.Value) *View {
	t := &View{shape: shape, first: v.First}
	if v.Known() && v.Count > 0 && v.Finite() && v.Min == v.Max && !v.Whole() {
		t.same, t.fill = true, v.Min
	}
	if !v.Known() || numel(shape) != v.Count {
		t.first, t.same = nil, false
	}
	if err := t.Slice(""); err != nil {
		panic(err) // no slice fits any shape
	}
	return t
}

func numel(shape []int) uint64 {
	n := uint64(1)
	for _, size := range shape {
		if size <= 0 {
			return 0
		}
		if n > math.MaxInt64/uint64(size) {
			return math.MaxInt64 // a tape can say anything
		}
		n *= uint64(size)
	}
	return n
}

// Slice shows a part, written as in Python: "0, :, 3", "-1", "2:8", "..., ::2". Dimensions that
// are not named are kept; "" keeps all. The error says what is wrong, and nothing changes then.
func (t *View) Slice(text string) error {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	var parts []string
	if text != "" {
		parts = strings.Split(text, ",")
	}
	named := len(parts)
	for _, p := range parts {
		if strings.TrimSpace(p) == "..." {
			named--
		}
	}
	if named > len(t.shape) {
		return fmt.Errorf("%q has %d indices, but the tensor has %d dimensions", text, named, len(t.shape))
	}
	if len(parts)-named > 1 {
		return fmt.Errorf("%q has more than one ...", text)
	}
	var dims []dim
	whole := func(d int) dim { return dim{step: 1, n: max(t.shape[d], 0)} }
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if p == "..." {
			for range len(t.shape) - named {
				dims = append(dims, whole(len(dims)))
			}
			continue
		}
		d, err := parseIndex(p, t.shape[len(dims)])
		if err != nil {
			return fmt.Errorf("dimension %d: %w", len(dims), err)
		}
		dims = append(dims, d)
	}
	for len(dims) < len(t.shape) {
		dims = append(dims, whole(len(dims)))
	}
	t.dims, t.text, t.rows, t.cols = dims, text, -1, -1
	for d := len(dims) - 1; d >= 0 && t.rows < 0; d-- {
		switch {
		case dims[d].single:
		case t.cols < 0:
			t.cols = d
		default:
			t.rows = d
		}
	}
	return nil
}

// parseIndex reads an index or a range of a dimension of this size.
func parseIndex(text string, size int) (dim, error) {
	parts := strings.Split(text, ":")
	numbers := make([]int, len(parts))
	for i, p := range parts {
		p = strings.TrimSpace(p)
		if p == "" && len(parts) > 1 {
			continue
		}
		n, err := strconv.Atoi(p)
		if err != nil || len(parts) > 3 {
			return dim{}, fmt.Errorf("%q is neither an index nor a range such as 2:8", text)
		}
		numbers[i] = n
	}
	if len(parts) == 1 {
		n := numbers[0]
		if n < -size || n >= size {
			return dim{}, fmt.Errorf("the index %d is out of range, the size is %d", n, size)
		}
		if n < 0 {
			n += size
		}
		return dim{start: n, step: 1, n: 1, single: true}, nil
	}
	from, to, step := 0, size, 1
	bound := func(i int) int {
		n := numbers[i]
		if n < 0 {
			n += size
		}
		return max(min(n, size), 0)
	}
	if strings.TrimSpace(parts[0]) != "" {
		from = bound(0)
	}
	if strings.TrimSpace(parts[1]) != "" {
		to = bound(1)
	}
	if len(parts) == 3 && strings.TrimSpace(parts[2]) != "" {
		step = numbers[2]
	}
	if step < 1 {
		return dim{}, fmt.Errorf("%q has a step of %d, it has to be at least 1", text, step)
	}
	return dim{start: from, step: step, n: max((to-from+step-1)/step, 0)}, nil
}

// leading returns the dimensions of which one index is shown at a time.
func (t *View) leading() (list []int) {
	for d := range t.dims {
		if d != t.rows && d != t.cols && !t.dims[d].single {
			list = append(list, d)
		}
	}
	return list
}

// Pages returns how many grids the slice has, one for each index of its leading dimensions.
func (t *View) Pages() int {
	n := 1
	for _, d := range t.leading() {
		n *= t.dims[d].n
	}
	return n
}

// Turn goes to another grid. It reports whether there is one.
func (t *View) Turn(by int) bool {
	page, leading := 0, t.leading()
	for _, d := range leading {
		page = page*t.dims[d].n + t.dims[d].page
	}
	page += by
	if page < 0 || page >= t.Pages() {
		return false
	}
	for i := len(leading) - 1; i >= 0; i-- {
		d := &t.dims[leading[i]]
		d.page, page = page%d.n, page/d.n
	}
	return true
}

// Like shows the same slice and page as another view, if the shapes are equal.
func (t *View) Like(other *View) {
	if len(t.shape) != len(other.shape) {
		return
	}
	for d := range t.shape {
		if t.shape[d] != other.shape[d] {
			return
		}
	}
	t.dims, t.rows, t.cols, t.text = append([]dim(nil), other.dims...), other.rows, other.cols, other.text
}

// String is what the grid shows, as an index of Python: "[0, :, 3]"; "" for a scalar.
func (t *View) String() string {
	if len(t.dims) == 0 {
		return ""
	}
	parts := make([]string, len(t.dims))
	for d, x := range t.dims {
		switch {
		case x.single || d != t.rows && d != t.cols:
			parts[d] = strconv.Itoa(x.start + x.page*x.step)
		case x.start == 0 && x.step == 1 && x.n == t.shape[d]:
			parts[d] = ":"
		case x.step == 1:
			parts[d] = fmt.Sprintf("%d:%d", x.start, x.start+x.n)
		default:
			parts[d] = fmt.Sprintf("%d:%d:%d", x.start, x.start+x.n*x.step, x.step)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Size returns the rows and the columns of the grid.
func (t *View) Size() (rows, columns int) {
	for _, d := range t.leading() {
		if t.dims[d].n == 0 {
			return 0, 0
		}
	}
	switch {
	case t.cols < 0:
		return 1, 1
	case t.rows < 0:
		n := t.dims[t.cols].n
		return (n + Wrap - 1) / Wrap, min(n, Wrap)
	}
	return t.dims[t.rows].n, t.dims[t.cols].n
}

// RowLabel and ColumnLabel name rows and columns by their indices in the tensor. Where a single
// dimension is wrapped, a row has the index of its first element and a column what to add.
func (t *View) RowLabel(row int) string {
	switch {
	case t.cols < 0:
		return ""
	case t.rows < 0:
		return strconv.Itoa(t.dims[t.cols].start + row*Wrap*t.dims[t.cols].step)
	}
	return strconv.Itoa(t.dims[t.rows].start + row*t.dims[t.rows].step)
}

// ColumnLabel names a column; see [View.RowLabel].
func (t *View) ColumnLabel(column int) string {
	switch {
	case t.cols < 0:
		return ""
	case t.rows < 0:
		return "+" + strconv.Itoa(column*t.dims[t.cols].step)
	}
	return strconv.Itoa(t.dims[t.cols].start + column*t.dims[t.cols].step)
}

// At returns an element of the grid; known is false if the tape does not have it. there is false
// behind the end of a wrapped row.
func (t *View) At(row, column int) (x float64, known, there bool) {
	flat := 0
	for d, size := range t.shape {
		i := t.dims[d].page
		switch {
		case d == t.cols && t.rows < 0:
			i = row*Wrap + column
		case d == t.cols:
			i = column
		case d == t.rows:
			i = row
		}
		if i >= t.dims[d].n {
			return 0, false, false
		}
		flat = flat*size + t.dims[d].start + i*t.dims[d].step
	}
	x, known = t.element(flat)
	return x, known, true
}

func (t *View) element(flat int) (x float64, known bool) {
	switch {
	case flat >= 0 && flat < len(t.first):
		return t.first[flat], true
	case t.same:
		return t.fill, true
	}
	x, known = t.more[flat]
	return x, known
}

// Part is what has to be read to show the grid from a row and a column on, with at most so many
// elements: start, step and number of indices of each dimension. It is the whole grid if that is
// small enough.
func (t *View) Part(row, column, most int) (part []int) {
	rows, columns := t.Size()
	if t.rows < 0 && t.cols >= 0 {
		columns = t.dims[t.cols].n
		column, row = row*Wrap, 0
	}
	if columns <= most {
		column = 0
	}
	wide := min(columns-column, most)
	high := max(most/max(wide, 1), 1)
	if t.rows < 0 || rows <= high {
		row = 0
	}
	for d, x := range t.dims {
		from, n := x.page, 1
		switch d {
		case t.cols:
			from, n = column, wide
		case t.rows:
			from, n = row, min(x.n-row, high)
		}
		part = append(part, x.start+from*x.step, x.step, n)
	}
	return part
}

// Fill makes the elements of a part known, in row-major order.
func (t *View) Fill(part []int, elements []float64) {
	if len(part) != 3*len(t.shape) {
		return
	}
	if t.more == nil {
		t.more = map[int]float64{}
	}
	at := make([]int, len(t.shape)) // an index in the part
	for _, x := range elements {
		flat := 0
		for d, size := range t.shape {
			flat = flat*size + part[3*d] + at[d]*part[3*d+1]
		}
		t.more[flat] = x
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < part[3*d+2] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// Filled reports whether parts were made known.
func (t *View) Filled() bool { return len(t.more) > 0 }

// Numel is the number of elements of the tensor.
func (t *View) Numel() uint64 { return numel(t.shape) }

// Lacks reports whether an element at a corner of a part of the grid is not known.
func (t *View) Lacks(row, column, rows, columns int) bool {
	all, wide := t.Size()
	if all == 0 || wide == 0 {
		return false
	}
	bottom, right := min(row+rows, all)-1, min(column+columns, wide)-1
	for _, at := range [][2]int{{row, column}, {row, right}, {bottom, column}, {bottom, right}} {
		if _, known, there := t.At(at[0], at[1]); there && !known {
			return true
		}
	}
	return false
}

// Complete reports whether all elements of the tensor are known.
func (t *View) Complete() bool { return t.same || uint64(len(t.first)) == numel(t.shape) }

// Minus returns the difference to another view's tensor, element by element, as far as both are
// known; ok is false if the shapes differ.
func (t *View) Minus(other *View) (d *View, ok bool) {
	if numel(t.shape) != numel(other.shape) || fmt.Sprint(t.shape) != fmt.Sprint(other.shape) {
		return nil, false
	}
	d = &View{shape: t.shape}
	if t.same && other.same {
		d.same, d.fill = true, t.fill-other.fill
	}
	for i := 0; i < len(t.first) || i < len(other.first); i++ {
		x, known := t.element(i)
		y, also := other.element(i)
		if !known || !also {
			break
		}
		d.first = append(d.first, x-y)
	}
	d.Like(t)
	return d, true
}

// Stats are the statistics of the known elements of a grid.
type Stats struct {
	Known, Zeros, NaN, Inf    int
	Whole                     bool    // they are all elements of the grid
	Min, Max, Mean, Std, Norm float64 // of the finite elements; Std divides by their number
}

// mostLooked is how many elements of a grid are looked at.
const mostLooked = 1 << 20

// known visits the elements of the grid that are known, row by row, and reports whether these
// are all of them.
func (t *View) known(visit func(x float64)) (all bool) {
	rows, columns := t.Size()
	looked, all := 0, true
	for r := range rows {
		for c := range columns {
			if looked++; looked > mostLooked {
				return false
			}
			if x, known, there := t.At(r, c); known {
				visit(x)
			} else if there {
				all = false
			}
		}
	}
	return all
}

// Stats computes the statistics of the grid that is shown.
func (t *View) Stats() (s Stats) {
	var all []float64
	s.Whole = t.known(func(x float64) { all = append(all, x) })
	v := graph.Summarize(graph.Float64, all, 0)
	s.Known, s.NaN, s.Inf, s.Zeros = len(all), int(v.NaN), int(v.Inf), int(v.Zeros)
	s.Min, s.Max, s.Mean, s.Norm = v.Min, v.Max, v.Mean, v.Norm
	spread, finite := 0.0, len(all)-s.NaN-s.Inf
	for _, x := range all {
		if x-x == 0 { // finite
			spread += (x - s.Mean) * (x - s.Mean)
		}
	}
	if finite > 0 {
		s.Std = math.Sqrt(spread / float64(finite))
	}
	return s
}

// A Bin is a part of a histogram: the elements from From up to To, which belongs to the next
// bin, except in the last one.
type Bin struct {
	From, To float64
	Count    int
}

// Histogram puts the known finite elements of the grid into n bins of equal width; one bin if they
// are all equal, none if there are none.
func (t *View) Histogram(n int) []Bin {
	s := t.Stats()
	if s.Known-s.NaN-s.Inf == 0 || n < 1 {
		return nil
	}
	width := s.Max/float64(n) - s.Min/float64(n)
	if width == 0 {
		return []Bin{{s.Min, s.Max, s.Known - s.NaN - s.Inf}}
	}
	bins := make([]Bin, n)
	for i := range bins {
		bins[i].From, bins[i].To = s.Min+float64(i)*width, s.Min+float64(i+1)*width
	}
	bins[n-1].To = s.Max
	t.known(func(x float64) {
		if x-x == 0 {
			bins[max(min(int(x/width-s.Min/width), n-1), 0)].Count++
		}
	})
	return bins
}

// Sizes of elements, beside the largest one of the grid.
const (
	Nothing = iota // zero
	Tiny           // below a thousandth
	Small          // below a tenth
	Medium         // below a half
	Large
)

// SizeOf classes a finite element by its size beside the largest one.
func SizeOf(x, largest float64) int {
	switch x = math.Abs(x); {
	case x == 0:
		return Nothing
	case x < largest/1000:
		return Tiny
	case x < largest/10:
		return Small
	case x < largest/2:
		return Medium
	}
	return Large
}

// Largest returns the largest size of a finite element in the statistics.
func (s Stats) Largest() float64 { return max(math.Abs(s.Min), math.Abs(s.Max)) }

// Mark shows an element as one character: + and the block of its size for what is above zero,
// - and others for what is below, so that it needs no colour.
func Mark(x, largest float64) string {
	switch {
	case math.IsNaN(x):
		return "?"
	case math.IsInf(x, 0):
		return "∞"
	case x < 0:
		return below[SizeOf(x, largest)]
	}
	return above[SizeOf(x, largest)]
}

var (
	above = [...]string{Nothing: "·", Tiny: "'", Small: "+", Medium: "▒", Large: "█"}
	below = [...]string{Nothing: "·", Tiny: ",", Small: "-", Medium: "=", Large: "≡"}
)

// Number writes an element in at most 10 columns.
func Number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
