package repr

import (
	"math"
	"strconv"
)

// Values returns the elements of a tensor by row-major index, from zero. It is
// one of [Floats], [Ints] and [Bools].
type Values interface {
	// formatter starts the printing of a tensor.
	formatter(o Options) formatter
	// item formats element i as the Python number that item() would return.
	item(i int, spec string) (string, error)
}

// Floats returns the elements of a floating-point dtype, as float64s of the
// same value.
type Floats func(i int) float64

// Ints returns the elements of an integer dtype.
type Ints func(i int) int64

// Bools returns the elements of dtype bool.
type Bools func(i int) bool

func (v Floats) item(i int, spec string) (string, error) { return FormatFloat(v(i), spec) }
func (v Ints) item(i int, spec string) (string, error)   { return FormatInt(v(i), spec) }
func (v Bools) item(i int, spec string) (string, error)  { return FormatBool(v(i), spec) }

func (v Floats) formatter(o Options) formatter {
	return &floats{at: v, precision: o.precision(), override: o.SciMode}
}
func (v Ints) formatter(Options) formatter  { return &ints{at: v} }
func (v Bools) formatter(Options) formatter { return &bools{at: v} }

// formatter gives the elements of a tensor a common format: it observes every
// visible element, chooses a width, and then writes the elements.
type formatter interface {
	observe(i int)
	settle() (width int)
	append(dst []byte, i int) []byte
}

// notation is the notation of all floats of a tensor.
type notation uint8

const (
	whole      notation = iota // 3.
	fixed                      // 3.1400
	scientific                 // 3.1400e+00
)

// floats formats floating-point elements. Only finite elements other than zero
// influence the notation and the width.
type floats struct {
	at        Floats
	precision int
	override  Sci

	positive, negative extremes
	fractional         bool // some element is not a whole number
	notation           notation
}

// extremes holds the smallest and the largest observed magnitude; both are zero
// if there is none.
type extremes struct{ min, max float64 }

func (e *extremes) add(magnitude float64) {
	if e.min == 0 || magnitude < e.min {
		e.min = magnitude
	}
	if magnitude > e.max {
		e.max = magnitude
	}
}

func (f *floats) observe(i int) {
	v := f.at(i)
	switch {
	case v == 0 || nonFinite(v) != "":
		return
	case v > 0:
		f.positive.add(v)
	default:
		f.negative.add(-v)
	}
	if !f.fractional && v != math.Trunc(v) {
		f.fractional = true
	}
}

// settle chooses the notation by the rules of PyTorch's _Formatter, and returns
// the width.
func (f *floats) settle() int {
	all := f.positive
	if f.negative.max > 0 {
		all.add(f.negative.min)
		all.add(f.negative.max)
	}
	if all.max == 0 {
		// Whole numbers get width one, and SciMode is ignored.
		return 1
	}
	switch {
	case all.max/all.min > 1000 || all.max > 1e8 || f.fractional && all.min < 1e-4:
		f.notation = scientific
	case f.fractional:
		f.notation = fixed
	}
	width := f.widest()
	switch f.override {
	case SciOn:
		f.notation = scientific
	case SciOff:
		f.notation = whole
		if f.fractional {
			f.notation = fixed
		}
	}
	return width
}

// widest returns the length of the longest element. For each sign it is the
// smallest or the largest magnitude: fixed notation grows with the magnitude,
// scientific notation with the distance of the exponent from zero.
func (f *floats) widest() int {
	var (
		width   = 1
		scratch [32]byte
	)
	for _, v := range [...]float64{f.positive.min, f.positive.max, -f.negative.min, -f.negative.max} {
		if v != 0 {
			width = max(width, len(f.write(scratch[:0], v)))
		}
	}
	return width
}

func (f *floats) append(dst []byte, i int) []byte { return f.write(dst, f.at(i)) }

func (f *floats) write(dst []byte, v float64) []byte {
	if name := nonFinite(v); name != "" {
		return append(dst, name...)
	}
	switch f.notation {
	case scientific:
		return strconv.AppendFloat(dst, v, 'e', f.precision, 64)
	case fixed:
		return strconv.AppendFloat(dst, v, 'f', f.precision, 64)
	}
	return append(strconv.AppendFloat(dst, v, 'f', 0, 64), '.')
}

// nonFinite returns Python's name of an infinity or nan, and "" for a finite
// number. The sign of a nan is never shown.
func nonFinite(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return ""
}

// ints formats integer elements.
type ints struct {
	at       Ints
	min, max int64
}

func (f *ints) observe(i int) {
	v := f.at(i)
	f.min, f.max = min(f.min, v), max(f.max, v)
}

func (f *ints) settle() int {
	var scratch [20]byte
	return max(
		len(strconv.AppendInt(scratch[:0], f.min, 10)),
		len(strconv.AppendInt(scratch[:0], f.max, 10)))
}

func (f *ints) append(dst []byte, i int) []byte {
	return strconv.AppendInt(dst, f.at(i), 10)
}

// bools formats bool elements.
type bools struct {
	at    Bools
	width int
}

func (f *bools) observe(i int) { f.width = max(f.width, len(boolName(f.at(i)))) }

func (f *bools) settle() int { return f.width }

func (f *bools) append(dst []byte, i int) []byte { return append(dst, boolName(f.at(i))...) }

func boolName(v bool) string {
	if v {
		return "True"
	}
	return "False"
}
