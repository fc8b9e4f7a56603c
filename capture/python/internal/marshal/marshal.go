// Package marshal reads and writes version 2 of the format of Python's marshal
// module, as far as messages need it: None, bools, ints, floats, complex
// numbers, strings, bytes, tuples, lists and dicts. There are no references and
// no code objects.
//
// What is read comes from a program and is not trusted: sizes are checked
// against what is left, and nesting is bounded.
package marshal

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"unsafe"
)

// Type bytes of the format.
const (
	typeNull     = '0'
	typeNone     = 'N'
	typeFalse    = 'F'
	typeTrue     = 'T'
	typeEllipsis = '.'
	typeInt      = 'i'
	typeLong     = 'l'
	typeFloat    = 'g'
	typeComplex  = 'y'
	typeBytes    = 's'
	typeString   = 'u'
	typeTuple    = '('
	typeList     = '['
	typeDict     = '{'
)

// ErrFormat is the error for data that is not a message.
var ErrFormat = errors.New("marshal: damaged data")

const maxDepth = 200

// A Handler makes the values that the format itself has no types for in Go.
type Handler interface {
	// Complex is the value for a complex number.
	Complex(re, im float64) (any, error)
	// Tuple is the value for a tuple; the elements are the handler's.
	Tuple(elements []any) (any, error)
	// Ellipsis is the value of "...".
	Ellipsis() any
}

// A Decoder reads a value after the other. Ints are int, or *big.Int if they do
// not fit; floats are float64, strings string, bytes []byte, lists []any, dicts
// [][2]any.
type Decoder struct {
	data    []byte
	handler Handler
	depth   int
	left    int // how many more values there may be in tuples, lists and dicts
}

// Reset begins to read data.
func (d *Decoder) Reset(data []byte, h Handler) {
	d.data, d.handler, d.depth, d.left = data, h, 0, math.MaxInt
}

// Limit makes it an error if there are more than n values in tuples, lists and dicts from
// here on: in memory a value takes many times as much as a byte of data.
func (d *Decoder) Limit(n int) { d.left = n }

// Rest is how many bytes have not been read.
func (d *Decoder) Rest() int { return len(d.data) }

// Raw reads n bytes that begin with tag, or nothing if others follow.
func (d *Decoder) Raw(tag byte, n int) []byte {
	if len(d.data) < n || d.data[0] != tag {
		return nil
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

// Sequence reads the head of a tuple or list and returns the number of its
// elements, which are to be read next.
func (d *Decoder) Sequence() (int, error) {
	if len(d.data) < 5 || d.data[0] != typeTuple && d.data[0] != typeList {
		return 0, ErrFormat
	}
	n := int(binary.LittleEndian.Uint32(d.data[1:]))
	d.data = d.data[5:]
	if n > len(d.data) {
		return 0, ErrFormat
	}
	return n, nil
}

// Int reads an int.
func (d *Decoder) Int() (int, error) {
	if len(d.data) < 5 || d.data[0] != typeInt {
		return 0, ErrFormat
	}
	n := int(int32(binary.LittleEndian.Uint32(d.data[1:])))
	d.data = d.data[5:]
	return n, nil
}

// Float reads a float.
func (d *Decoder) Float() (float64, error) {
	if len(d.data) < 9 || d.data[0] != typeFloat {
		return 0, ErrFormat
	}
	d.data = d.data[1:]
	return d.float(), nil
}

// List reads a list or tuple, or None, and appends its elements to list.
func (d *Decoder) List(list []any) ([]any, error) {
	if len(d.data) > 0 && d.data[0] == typeNone {
		d.data = d.data[1:]
		return list, nil
	}
	n, err := d.Sequence()
	if err != nil {
		return list, err
	}
	return d.Elements(list, n)
}

// Elements reads n values and appends them to list.
func (d *Decoder) Elements(list []any, n int) ([]any, error) {
	for range n {
		v, err := d.Value()
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

// Value reads a value.
func (d *Decoder) Value() (any, error) {
	if len(d.data) == 0 {
		return nil, ErrFormat
	}
	kind := d.data[0]
	d.data = d.data[1:]
	switch kind {
	case typeNone:
		return nil, nil
	case typeTrue:
		return true, nil
	case typeFalse:
		return false, nil
	case typeEllipsis:
		return d.handler.Ellipsis(), nil
	case typeFloat:
		if len(d.data) < 8 {
			return nil, ErrFormat
		}
		return d.float(), nil
	case typeComplex:
		if len(d.data) < 16 {
			return nil, ErrFormat
		}
		re := d.float()
		return d.handler.Complex(re, d.float())
	}
	if len(d.data) < 4 && kind != typeDict {
		return nil, ErrFormat
	}
	switch kind {
	case typeInt:
		n := int(int32(binary.LittleEndian.Uint32(d.data)))
		d.data = d.data[4:]
		return n, nil
	case typeLong:
		return d.long()
	case typeString:
		b, err := d.bytes()
		return string(b), err
	case typeBytes:
		b, err := d.bytes()
		return append([]byte{}, b...), err
	case typeTuple, typeList, typeDict:
		if d.depth++; d.depth > maxDepth {
			return nil, ErrFormat
		}
		v, err := d.container(kind)
		d.depth--
		return v, err
	}
	return nil, ErrFormat
}

// container reads a tuple, list or dict.
func (d *Decoder) container(kind byte) (any, error) {
	if kind == typeDict {
		return d.dict()
	}
	n := int(binary.LittleEndian.Uint32(d.data))
	d.data = d.data[4:]
	if n > min(len(d.data), d.left) {
		return nil, ErrFormat
	}
	d.left -= n
	list, err := d.Elements(make([]any, 0, n), n)
	if err != nil || kind == typeList {
		return list, err
	}
	return d.handler.Tuple(list)
}

func (d *Decoder) float() float64 {
	x := math.Float64frombits(binary.LittleEndian.Uint64(d.data))
	d.data = d.data[8:]
	return x
}

// bytes is what follows, up to the length in front of it, in the buffer's memory.
func (d *Decoder) bytes() ([]byte, error) {
	n := int(binary.LittleEndian.Uint32(d.data))
	d.data = d.data[4:]
	if n > len(d.data) {
		return nil, ErrFormat
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b, nil
}

// long reads an int of any size: digits of 15 bits.
func (d *Decoder) long() (any, error) {
	n := int(int32(binary.LittleEndian.Uint32(d.data)))
	d.data = d.data[4:]
	negative := n < 0
	if negative {
		n = -n
	}
	if n*2 > len(d.data) {
		return nil, ErrFormat
	}
	x := new(big.Int)
	for i := n - 1; i >= 0; i-- {
		x.Lsh(x, 15)
		x.Or(x, big.NewInt(int64(binary.LittleEndian.Uint16(d.data[2*i:]))))
	}
	d.data = d.data[2*n:]
	if negative {
		x.Neg(x)
	}
	if x.IsInt64() {
		return int(x.Int64()), nil
	}
	return x, nil
}

func (d *Decoder) dict() (any, error) {
	var pairs [][2]any
	for {
		if len(d.data) > 0 && d.data[0] == typeNull {
			d.data = d.data[1:]
			return pairs, nil
		}
		if d.left -= 2; d.left < 0 {
			return nil, ErrFormat
		}
		key, err := d.Value()
		if err != nil {
			return nil, err
		}
		value, err := d.Value()
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, [2]any{key, value})
	}
}

// AppendNone appends None.
func AppendNone(b []byte) []byte { return append(b, typeNone) }

// AppendBool appends a bool.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, typeTrue)
	}
	return append(b, typeFalse)
}

// AppendInt appends an int.
func AppendInt(b []byte, n int64) []byte {
	if n == int64(int32(n)) {
		return binary.LittleEndian.AppendUint32(append(b, typeInt), uint32(n))
	}
	if n < 0 {
		return appendLong(b, uint64(-n), true)
	}
	return appendLong(b, uint64(n), false)
}

// AppendUint appends an int.
func AppendUint(b []byte, n uint64) []byte { return appendLong(b, n, false) }

func appendLong(b []byte, n uint64, negative bool) []byte {
	digits := int32(0)
	for x := n; x > 0; x >>= 15 {
		digits++
	}
	if negative {
		digits = -digits
	}
	b = binary.LittleEndian.AppendUint32(append(b, typeLong), uint32(digits))
	for ; n > 0; n >>= 15 {
		b = binary.LittleEndian.AppendUint16(b, uint16(n&0x7fff))
	}
	return b
}

// AppendFloat appends a float.
func AppendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(append(b, typeFloat), math.Float64bits(x))
}

// AppendComplex appends a complex number.
func AppendComplex(b []byte, re, im float64) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, typeComplex), math.Float64bits(re))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(im))
}

// AppendString appends a string. It must be valid UTF-8.
func AppendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, typeString), uint32(len(s)))
	return append(b, s...)
}

// AppendBytes appends bytes.
func AppendBytes(b, s []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, typeBytes), uint32(len(s)))
	return append(b, s...)
}

// AppendTag appends a string as bytes.
func AppendTag(b []byte, s string) []byte {
	return AppendBytes(b, unsafe.Slice(unsafe.StringData(s), len(s)))
}

// AppendTuple appends the head of a tuple; n elements are to follow.
func AppendTuple(b []byte, n int) []byte {
	return binary.LittleEndian.AppendUint32(append(b, typeTuple), uint32(n))
}

// AppendList appends the head of a list; n elements are to follow.
func AppendList(b []byte, n int) []byte {
	return binary.LittleEndian.AppendUint32(append(b, typeList), uint32(n))
}
