package graph

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A codec walks over the fields of an event and does one of several things to
// each: write it, read it, print it, parse it, translate its interned strings,
// or describe it. An event type lists its fields once, in order; everything
// else follows. The kinds of fields are in fields.go.
type codec struct {
	mode mode
	buf  []byte // what is written or read
	off  int    // the next byte to encode, decode or parse; printing appends
	err  error  // first failure; later reads yield zeros

	brief bool // decoding: stop after what the fold needs
	short bool // encoding: shorten texts and values, the event is too large otherwise
	inner int  // decoding: how many records we are in; their fields cannot be missing

	followed bool // encoding: by fields that this version does not know

	names   *interner               // encoding, printing and parsing resolve strings here
	strings func(StringID) StringID // translating: the new identifier of a string
	doc     func(Field)             // describing: called for each field
}

type mode uint8

const (
	encoding mode = iota
	decoding
	printing
	parsing
	translating
	describing
)

// Bounds on what one event can hold. A damaged or hostile tape cannot make a
// reader allocate more than a small multiple of its own size.
const (
	// MaxEventSize bounds the encoded size of one event.
	MaxEventSize = 8 << 20
	// MaxRecords bounds the elements of a list of records: edges, saved
	// tensors, gradients, attributes. Lists of numbers have no bound of their own.
	MaxRecords = 1 << 18
)

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
	if c.mode == decoding || c.mode == parsing {
		c.off = len(c.buf)
	}
}

// ended reports whether a reader has used up its input.
func (c *codec) ended() bool { return c.off >= len(c.buf) }

// readUvarint reads an unsigned number. Fields that a later version added to an
// event are absent in older tapes and read as zero.
func (c *codec) readUvarint() uint64 {
	if rest := c.buf[c.off:]; len(rest) > 0 && rest[0] < 0x80 {
		c.off++
		return uint64(rest[0])
	}
	return c.readLongUvarint()
}

func (c *codec) readLongUvarint() uint64 {
	if c.ended() {
		if c.inner > 0 {
			c.fail("it ends too early")
		}
		return 0
	}
	rest := c.buf[c.off:]
	if len(rest) >= 3 { // most identifiers
		if rest[1] < 0x80 {
			c.off += 2
			return uint64(rest[0]&0x7f) | uint64(rest[1])<<7
		}
		if rest[2] < 0x80 {
			c.off += 3
			return uint64(rest[0]&0x7f) | uint64(rest[1]&0x7f)<<7 | uint64(rest[2])<<14
		}
	}
	var x uint64
	for i := 0; i < len(rest) && i < binary.MaxVarintLen64; i++ {
		b := rest[i]
		x |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if i == binary.MaxVarintLen64-1 && b > 1 {
				break
			}
			c.off += i + 1
			return x
		}
	}
	c.fail("malformed number at byte %d", c.off)
	return 0
}

func (c *codec) readVarint() int64 {
	u := c.readUvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// readBytes returns the next n bytes, or nil when there are not as many.
func (c *codec) readBytes(n uint64) []byte {
	if n > uint64(len(c.buf)-c.off) {
		c.fail("%d bytes wanted at byte %d of %d", n, c.off, len(c.buf))
		return nil
	}
	b := c.buf[c.off : c.off+int(n)]
	c.off += int(n)
	return b
}

// readCount reads the number of things that follow, each of which takes at
// least size bytes: that bounds what a damaged count can make us do.
func (c *codec) readCount(what string, size int) int {
	n := c.readUvarint()
	if n == 0 {
		return 0
	}
	if left := uint64(len(c.buf) - c.off); n > left || n*uint64(size) > left {
		c.fail("%d %s in %d bytes", n, what, left)
		return 0
	}
	return int(n)
}

// readReal reads an element of a tensor.
func (c *codec) readReal(dtype DType) float64 {
	switch {
	case dtype.isExactInteger():
		return float64(c.readVarint())
	case dtype.fitsFloat32():
		if b := c.readBytes(4); b != nil {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	default:
		if b := c.readBytes(8); b != nil {
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	}
	return 0
}

// readReals reads the elements of a tensor into list.
func (c *codec) readReals(dtype DType, list []float64) {
	if !dtype.fitsFloat32() {
		for i := range list {
			list[i] = c.readReal(dtype)
		}
		return
	}
	b := c.readBytes(uint64(4 * len(list)))
	for i := range list[:len(b)/4] {
		list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
}

// skipReals skips n elements of a tensor.
func (c *codec) skipReals(dtype DType, n int) {
	if !dtype.isExactInteger() {
		c.readBytes(uint64(n * dtype.width()))
		return
	}
	c.skipUvarints(n)
}

func (c *codec) skipUvarints(n int) {
	for n > 0 && c.off < len(c.buf) {
		if c.buf[c.off] < 0x80 {
			n--
		}
		c.off++
	}
	if n > 0 {
		c.fail("it ends too early")
	}
}

// The writers below store at an offset instead of appending: an event is many
// small fields, and updating the slice each time would cost more than they do.

// reserve makes room for n bytes.
func (c *codec) reserve(n int) {
	if c.off+n > len(c.buf) {
		c.buf = append(c.buf, make([]byte, n+len(c.buf))...)
	}
}

// fits fails if an event that has n more bytes is too large. What is still
// written of it goes nowhere.
func (c *codec) fits(n int) bool {
	if n > MaxEventSize-c.off {
		c.fail("it takes more than %d bytes", MaxEventSize)
	}
	return c.err == nil
}

func (c *codec) putByte(b byte) {
	c.reserve(1)
	c.buf[c.off] = b
	c.off++
}

func (c *codec) putUvarint(x uint64) {
	c.reserve(binary.MaxVarintLen64)
	for x >= 0x80 {
		c.buf[c.off] = byte(x) | 0x80
		c.off++
		x >>= 7
	}
	c.buf[c.off] = byte(x)
	c.off++
}

func (c *codec) putVarint(x int64) { c.putUvarint(uint64(x<<1) ^ uint64(x>>63)) }

func (c *codec) putBytes(s []byte) {
	if c.fits(len(s)) {
		c.reserve(len(s))
		c.off += copy(c.buf[c.off:], s)
	}
}

func (c *codec) putString(s string) {
	c.putUvarint(uint64(len(s)))
	if c.fits(len(s)) {
		c.reserve(len(s))
		c.off += copy(c.buf[c.off:], s)
	}
}

// putReal writes an element of a tensor with the precision of its type.
func (c *codec) putReal(dtype DType, x float64) {
	switch {
	case dtype.fitsFloat32():
		c.reserve(4)
		binary.LittleEndian.PutUint32(c.buf[c.off:], math.Float32bits(float32(x)))
		c.off += 4
	case dtype.isExactInteger():
		c.putVarint(saturate(x))
	default:
		c.reserve(8)
		binary.LittleEndian.PutUint64(c.buf[c.off:], math.Float64bits(x))
		c.off += 8
	}
}

// saturate converts to the nearest integer that exists, on every machine alike.
func saturate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}

func (d DType) isExactInteger() bool { return d.IsInteger() || d == Bool }

func (d DType) fitsFloat32() bool { return d == Float32 || d == Float16 || d == BFloat16 }

// width is the least number of bytes that an element takes on a tape.
func (d DType) width() int {
	switch {
	case d.isExactInteger():
		return 1
	case d.fitsFloat32():
		return 4
	}
	return 8
}
