package autograd

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// This file gives front ends access to the memory of tensors: as bytes, and as
// the storage that several tensors share.

// Bytes returns the elements in row-major order, little-endian, each in the
// width of the dtype.
func (t *Tensor) Bytes() ([]byte, error) {
	if err := t.usable("bytes"); err != nil {
		return nil, err
	}
	n, size := t.Numel(), t.dtype.Size()
	b := make([]byte, 0, n*size)
	le := binary.LittleEndian
	for i := range n {
		x := t.element(t.at(i))
		switch t.dtype {
		case Float32:
			b = le.AppendUint32(b, math.Float32bits(float32(x.Float())))
		case Float64:
			b = le.AppendUint64(b, math.Float64bits(x.Float()))
		case Float16:
			b = le.AppendUint16(b, floatToHalf(float32(x.Float())))
		case BFloat16:
			b = le.AppendUint16(b, uint16(math.Float32bits(float32(x.Float()))>>16))
		default:
			b = le.AppendUint64(b, uint64(x.Int()))
			b = b[:len(b)-8+size]
		}
	}
	return b, nil
}

// FromBytes makes a leaf of the given dtype and shape from bytes as Bytes
// returns them. The number of bytes must match.
func FromBytes(d DType, sizes []int, b []byte) (t *Tensor, err error) {
	defer rescue(&err)
	size := d.Size()
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	if numel(sizes)*size != len(b) {
		return nil, fail(ValueError, CodeShape, "a tensor of shape %s and type %s takes %d bytes, not %d", shapeText(sizes), d, numel(sizes)*size, len(b))
	}
	t = alloc(d, sizes)
	le := binary.LittleEndian
	for i := range numel(sizes) {
		e := b[i*size : (i+1)*size]
		switch d {
		case Float32:
			t.st.f32[i] = math.Float32frombits(le.Uint32(e))
		case Float64:
			t.st.other.f64[i] = math.Float64frombits(le.Uint64(e))
		case Float16:
			t.st.f32[i] = halfToFloat(le.Uint16(e))
		case BFloat16:
			t.st.f32[i] = math.Float32frombits(uint32(le.Uint16(e)) << 16)
		case Bool:
			t.st.other.b[i] = e[0] != 0
		case UInt8:
			t.st.other.i64[i] = int64(e[0])
		case Int8:
			t.st.other.i64[i] = int64(int8(e[0]))
		case Int16:
			t.st.other.i64[i] = int64(int16(le.Uint16(e)))
		case Int32:
			t.st.other.i64[i] = int64(int32(le.Uint32(e)))
		default:
			t.st.other.i64[i] = int64(le.Uint64(e))
		}
	}
	return t, nil
}

// StorageAddress identifies the storage: tensors that share it have the same
// address. It is unique as long as the storage lives.
func (t *Tensor) StorageAddress() uintptr { return uintptr(unsafe.Pointer(t.st)) }

// StorageLen returns the length of the storage, in elements.
func (t *Tensor) StorageLen() int { return t.st.len() }

// Over returns a leaf that shares the storage, with the given sizes, strides
// and offset in elements. It has its own version counter.
func (t *Tensor) Over(sizes, strides []int, offset int) (*Tensor, error) {
	if err := t.usable("set_"); err != nil {
		return nil, err
	}
	if err := checkStrided(t, sizes, strides, offset); err != nil {
		return nil, err
	}
	c := t.shallow(sizes, strides, offset)
	c.version = new(counter)
	return c, nil
}

// Whole returns the whole storage as a one-dimensional tensor.
func (t *Tensor) Whole() (*Tensor, error) { return t.Over([]int{t.st.len()}, unitStride, 0) }
