package graph

import "math"

// Value summarises the content of a tensor at one moment: what a person needs
// to recognise it without keeping the data.
//
// When Count elements fit into First they are all there; otherwise First holds
// the leading ones and Min, Max and Mean describe the finite elements.
type Value struct {
	DType          DType     // NoDType: no summary was taken
	Count          uint64    // number of elements
	Min, Max, Mean float64   // over the finite elements; bools count as 0 and 1
	NaN, Inf       uint64    // how many elements are NaN, how many ±Inf
	First          []float64 // leading elements in row-major order
}

// Known reports whether a summary was taken.
func (v Value) Known() bool { return v.DType != NoDType }

// Whole reports whether First holds every element.
func (v Value) Whole() bool { return v.Known() && uint64(len(v.First)) == v.Count }

// Finite reports whether no element is NaN or infinite.
func (v Value) Finite() bool { return v.NaN == 0 && v.Inf == 0 }

// Summarize computes a Value from the elements of a tensor in row-major order,
// keeping at most first leading ones.
func Summarize[T float32 | float64 | int64](dtype DType, data []T, first int) Value {
	v := Value{DType: dtype, Count: uint64(len(data))}
	v.First = make([]float64, min(first, len(data)))
	for i := range v.First {
		v.First[i] = float64(data[i])
	}
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, x := range data {
		f := float64(x)
		if f-f != 0 { // NaN or ±Inf
			if f != f {
				v.NaN++
			} else {
				v.Inf++
			}
			continue
		}
		lo, hi = min(lo, f), max(hi, f)
		sum += f
	}
	v.setStats(lo, hi, sum)
	return v
}

// setStats stores the statistics of the finite elements; with none there are
// none to store.
func (v *Value) setStats(lo, hi, sum float64) {
	if n := v.Count - v.NaN - v.Inf; n > 0 {
		v.Min, v.Max, v.Mean = lo, hi, sum/float64(n)
	}
}

// derive computes the statistics of a value whose elements are all in First;
// the encoded form does not carry them.
func (v *Value) derive() {
	v.NaN, v.Inf, v.Min, v.Max, v.Mean = 0, 0, 0, 0, 0
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, f := range v.First {
		switch {
		case f != f:
			v.NaN++
		case math.IsInf(f, 0):
			v.Inf++
		default:
			lo, hi = min(lo, f), max(hi, f)
			sum += f
		}
	}
	v.setStats(lo, hi, sum)
}

// fields describes the encoded form. Elements take 4 bytes for float32 and
// narrower floats, 8 for float64, a varint for integers.
func (v *Value) fields(c *codec) {
	enum(c, "dtype", &v.DType, dtypeNames)
	if !v.Known() && c.mode != describing {
		return
	}
	number(c, "count", &v.Count)
	whole := false
	switch c.mode {
	case encoding, printing:
		whole = v.Whole()
	}
	c.bool("whole", &whole)
	reals(c, "first", v.DType, &v.First)
	if whole {
		if c.mode == decoding || c.mode == parsing {
			if uint64(len(v.First)) != v.Count {
				c.fail("value says it is whole but holds %d of %d elements", len(v.First), v.Count)
				return
			}
			v.derive()
		}
		return
	}
	decimal(c, "min", v.DType, &v.Min)
	decimal(c, "max", v.DType, &v.Max)
	float(c, "mean", &v.Mean)
	number(c, "nan", &v.NaN)
	number(c, "inf", &v.Inf)
}
