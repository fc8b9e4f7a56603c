package graph

import (
	"math"
	"slices"
)

// Value summarises the content of a tensor at one moment: what a person needs
// to recognise it without keeping the data.
//
// When Count elements fit into First they are all there; otherwise First holds
// the leading ones and the other fields describe all of them.
type Value struct {
	DType          DType     // of the elements; none: no summary was taken, and nothing follows
	Measured       bool      // Norm and Zeros are known; tapes of format 1 have them only for whole values
	Count          uint64    // number of elements
	Min, Max, Mean float64   // over the finite elements, 0 if there are none; bools count as 0 and 1
	NaN            uint64    // how many elements are NaN
	Inf            uint64    // how many elements are ±Inf
	Norm           float64   // of the finite elements: the root of the sum of their squares, in double precision
	Zeros          uint64    // how many elements are 0 or -0
	First          []float64 // leading elements in row-major order
}

// What a tape has of a value, beside its leading elements.
const (
	keptStatistics = iota // Min, Max, Mean, NaN and Inf, as in format 1
	keptWhole             // nothing: First holds every element, and the rest follows
	keptMeasures          // all statistics
)

var keptNames = []string{"false", "true", "measured"}

// Known reports whether a summary was taken.
func (v Value) Known() bool { return v.DType != NoDType }

// Whole reports whether First holds every element.
func (v Value) Whole() bool { return v.Known() && uint64(len(v.First)) == v.Count }

// Zero reports whether the content is known and every element is zero.
func (v Value) Zero() bool { return v.Known() && v.Min == 0 && v.Max == 0 && v.Finite() }

// Finite reports whether no element is NaN or infinite.
func (v Value) Finite() bool { return v.NaN == 0 && v.Inf == 0 }

// KnownNorm is Norm; NaN if it is not known, +Inf if an element is not finite.
func (v Value) KnownNorm() float64 {
	switch v = v.Completed(); {
	case !v.Measured:
		return math.NaN()
	case !v.Finite():
		return math.Inf(1)
	}
	return v.Norm
}

// Completed is the value with what follows from its elements, if they are all there. Who
// records a tape may leave that out, since decoding derives it.
func (v Value) Completed() Value {
	if v.Known() && v.Whole() {
		setStats(&v, v.First)
	}
	return v
}

// Summarize computes a Value from the elements of a tensor in row-major order,
// keeping at most first leading ones.
func Summarize[T float32 | float64 | int64](dtype DType, data []T, first int) Value {
	v := Value{DType: dtype, Count: uint64(len(data))}
	v.First = make([]float64, min(first, len(data)))
	for i := range v.First {
		v.First[i] = float64(data[i])
	}
	setStats(&v, data)
	return v
}

// setStats computes the statistics of a value from its elements.
func setStats[T float32 | float64 | int64](v *Value, data []T) {
	lo, hi, sum, squares := math.Inf(1), math.Inf(-1), 0.0, 0.0
	nan, inf, zeros := 0, 0, 0
	for _, x := range data {
		f := float64(x)
		if f-f != 0 { // NaN or ±Inf
			if f != f {
				nan++
			} else {
				inf++
			}
			continue
		}
		if f < lo {
			lo = f
		}
		if f > hi {
			hi = f
		}
		if f == 0 {
			zeros++
		}
		sum += f
		squares += f * f
	}
	v.NaN, v.Inf, v.Min, v.Max, v.Mean = uint64(nan), uint64(inf), 0, 0, 0
	v.Norm, v.Zeros, v.Measured = math.Sqrt(squares), uint64(zeros), true
	if n := len(data) - nan - inf; n > 0 {
		v.Min, v.Max, v.Mean = lo, hi, sum/float64(n)
	}
}

// fields describes the encoded form. Elements take 4 bytes for float32 and
// narrower floats, a varint for integers, else 8. A value that is whole does not
// carry its statistics.
func (v *Value) fields(c *codec) {
	switch c.mode {
	case encoding:
		v.encode(c)
		return
	case decoding:
		v.decode(c)
		return
	case parsing:
		*v = Value{}
	}
	enum(c, "dtype", &v.DType, dtypeNames)
	if !v.Known() && c.mode != describing {
		return
	}
	number(c, "count", &v.Count)
	kept := v.kept()
	enum(c, "whole", &kept, keptNames)
	reals(c, "first", v.DType, &v.First)
	if kept != keptWhole || c.mode == describing {
		decimal(c, "min", v.DType, &v.Min)
		decimal(c, "max", v.DType, &v.Max)
		decimal(c, "mean", Float64, &v.Mean)
		number(c, "nan", &v.NaN)
		number(c, "inf", &v.Inf)
	} else if c.mode == parsing {
		v.complete(c)
	}
	if kept == keptMeasures || c.mode == describing {
		decimal(c, "norm", Float64, &v.Norm)
		number(c, "zeros", &v.Zeros)
		v.Measured = true
	} else if kept > keptMeasures {
		c.fail("a value has the unknown form %d", kept)
	}
}

// kept says what a tape has of the value.
func (v *Value) kept() uint8 {
	switch {
	case v.Whole():
		return keptWhole
	case v.Measured:
		return keptMeasures
	}
	return keptStatistics
}

// decode does what fields describes. Most of a tape are values, so this is done
// apart.
func (v *Value) decode(c *codec) {
	*v = Value{First: v.First[:0]}
	number(c, "dtype", &v.DType)
	if !v.Known() {
		return
	}
	number(c, "count", &v.Count)
	kept := c.readUvarint()
	n := c.readCount("first", v.DType.width())
	if c.brief {
		c.skipReals(v.DType, n)
	} else {
		v.First = slices.Grow(v.First, n)[:n]
		c.readReals(v.DType, v.First)
	}
	switch {
	case kept > keptMeasures:
		c.fail("a value has the unknown form %d", kept)
	case kept != keptWhole:
		v.Min, v.Max = c.readReal(v.DType), c.readReal(v.DType)
		v.Mean = c.readReal(Float64)
		v.NaN, v.Inf = c.readUvarint(), c.readUvarint()
		if v.Measured = kept == keptMeasures; v.Measured {
			v.Norm, v.Zeros = c.readReal(Float64), c.readUvarint()
		}
	case !c.brief:
		v.complete(c)
	}
}

// complete derives the rest of a whole value.
func (v *Value) complete(c *codec) {
	if uint64(len(v.First)) != v.Count {
		c.fail("value says it is whole but holds %d of %d elements", len(v.First), v.Count)
		return
	}
	setStats(v, v.First)
}

// shortened is the value with at most n of its leading elements.
func (v *Value) shortened(n int) *Value {
	if len(v.First) <= n {
		return v
	}
	s := *v
	if v.Whole() {
		setStats(&s, v.First)
	}
	s.First = s.First[:n]
	return &s
}
