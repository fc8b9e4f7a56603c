package pytorch

import (
	"math"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// fields are the parts of a record. One that is missing or of another type makes the
// record bad and reads as zero; whoever reads fields looks at bad before it does anything.
type fields struct {
	t   *Translator
	v   []any
	bad bool
}

// damaged is an error if the record is bad.
func (f *fields) damaged(what string) error {
	if f.bad {
		return marshal.Damaged(what, nil)
	}
	return nil
}

// field is part i, of type T.
func field[T any](f *fields, i int) T {
	x, ok := marshal.At[T](f.v, i)
	if !ok {
		f.bad = true
	}
	return x
}

func (f *fields) int(i int) int             { return field[int](f, i) }
func (f *fields) bool(i int) bool           { return field[bool](f, i) }
func (f *fields) text(i int) string         { return field[string](f, i) }
func (f *fields) tuple(i int) marshal.Tuple { return field[marshal.Tuple](f, i) }
func (f *fields) given(i int) bool          { return i < len(f.v) && f.v[i] != nil }

// inner are the fields of a tuple that is part i.
func (f *fields) inner(i int) fields { return fields{t: f.t, v: f.tuple(i), bad: f.bad} }

// innerOrNone is inner, where there may be none.
func (f *fields) innerOrNone(i int) fields {
	if !f.given(i) {
		return fields{t: f.t}
	}
	return f.inner(i)
}

// any is part i, or nil if there is none.
func (f *fields) any(i int) any {
	if i < len(f.v) {
		return f.v[i]
	}
	return nil
}

// bounded is an int from least to most.
func (f *fields) bounded(i, least, most int) int {
	n := f.int(i)
	if n < least || n > most {
		f.bad = true
		return least
	}
	return n
}

// count is an int that is not negative and that an event can hold.
func (f *fields) count(i int) int { return f.bounded(i, 0, math.MaxUint32) }

// enum is the number of one of the values 0 to most of an enumeration, or a sum of flags.
func enum[T ~uint8](f *fields, i int, least, most T) T {
	return T(f.bounded(i, int(least), int(most)))
}

// tensor is the tensor with the number that is part i.
func (f *fields) tensor(i int) *tensor {
	x := f.tensorOrNone(i)
	if x == nil {
		f.bad = true
	}
	return x
}

// tensorOrNone is tensor, where 0 stands for None.
func (f *fields) tensorOrNone(i int) *tensor {
	n := f.int(i)
	x := f.t.tensors.known[n]
	if x == nil && n != 0 {
		f.bad = true
	}
	return x
}

// tensorList are the tensors with the numbers in the tuple or list that is part i.
func (f *fields) tensorList(i int) []*tensor {
	numbers := f.sequence(i)
	list := make([]*tensor, len(numbers))
	inner := fields{t: f.t, v: numbers}
	for i := range list {
		list[i] = inner.tensor(i)
	}
	f.bad = f.bad || inner.bad
	return list
}

// sequence is a tuple or list.
func (f *fields) sequence(i int) []any {
	switch x := f.any(i).(type) {
	case marshal.Tuple:
		return x
	case []any:
		return x
	}
	f.bad = true
	return nil
}

// ints returns the numbers of a tuple or list that is part i; None is an empty one.
func (f *fields) ints(i int) []int {
	if !f.given(i) {
		return nil
	}
	inner := fields{t: f.t, v: f.sequence(i)}
	list := make([]int, len(inner.v))
	for i := range list {
		list[i] = inner.int(i)
	}
	f.bad = f.bad || inner.bad
	return list
}
