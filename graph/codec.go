package graph

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A codec walks over the fields of an event and does one of several things to
// each: write it, read it, print it, parse it, translate its interned strings,
// or describe it. An event type lists its fields once, in order; everything
// else follows.
type codec struct {
	mode  mode
	buf   []byte // what is written or read
	off   int    // the next byte to encode, decode or parse; printing appends
	err   error  // first failure; later reads yield zeros
	depth int    // nesting of printed lists

	names   *interner                     // printing and parsing resolve strings here
	strings func(StringID) StringID       // translating: the new identifier of a string
	doc     func(name, kind, note string) // describing: called for each field
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

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// ended reports whether a reader has used up its input. Fields that a later
// version added to an event are absent in older tapes and read as zero.
func (c *codec) ended() bool { return c.err != nil || c.off >= len(c.buf) }

func (c *codec) readUvarint() uint64 {
	if c.ended() {
		return 0
	}
	if b := c.buf[c.off]; b < 0x80 {
		c.off++
		return uint64(b)
	}
	x, n := binary.Uvarint(c.buf[c.off:])
	if n <= 0 {
		c.fail("malformed number at byte %d", c.off)
		return 0
	}
	c.off += n
	return x
}

func (c *codec) readBytes(n uint64) []byte {
	if c.err != nil {
		return nil
	}
	if n > uint64(len(c.buf)-c.off) {
		c.fail("%d bytes wanted at byte %d of %d", n, c.off, len(c.buf))
		return nil
	}
	b := c.buf[c.off : c.off+int(n)]
	c.off += int(n)
	return b
}

// The writers below store at an offset instead of appending: an event is many
// small fields, and updating the slice each time would cost more than they do.

func (c *codec) reserve(n int) {
	if c.off+n > len(c.buf) {
		c.buf = append(c.buf, make([]byte, n+len(c.buf))...)
	}
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

func (c *codec) putString(s string) {
	c.reserve(len(s))
	c.off += copy(c.buf[c.off:], s)
}

func (c *codec) putReal(dtype DType, x float64) {
	switch {
	case dtype.fitsFloat32():
		c.reserve(4)
		binary.LittleEndian.PutUint32(c.buf[c.off:], math.Float32bits(float32(x)))
		c.off += 4
	case dtype.isExactInteger():
		c.putVarint(int64(x))
	default:
		c.reserve(8)
		binary.LittleEndian.PutUint64(c.buf[c.off:], math.Float64bits(x))
		c.off += 8
	}
}

// readCount reads the number of things that follow, each of which takes at
// least a byte: that bounds what a damaged count can make us do.
func (c *codec) readCount(what string) int {
	n := c.readUvarint()
	if n > uint64(len(c.buf)-c.off) {
		c.fail("%d %s in %d bytes", n, what, len(c.buf)-c.off)
		return 0
	}
	return int(n)
}

// label prints "name=" before a value; a parser consumes it and reports whether
// the value is there, since zero values are left out of the text form.
func (c *codec) label(name string) {
	if n := len(c.buf); n > 0 && c.buf[n-1] != '(' {
		c.buf = append(c.buf, ' ')
	}
	c.buf = append(c.buf, name...)
	c.buf = append(c.buf, '=')
}

func (c *codec) labelled(name string) bool {
	if c.err != nil {
		return false
	}
	for c.off < len(c.buf) && c.buf[c.off] == ' ' {
		c.off++
	}
	rest := c.buf[c.off:]
	if len(rest) > len(name) && rest[len(name)] == '=' && string(rest[:len(name)]) == name {
		c.off += len(name) + 1
		return true
	}
	return false
}

// token reads an unquoted value of the text form.
func (c *codec) token() string {
	start := c.off
	for c.off < len(c.buf) && !strings.ContainsRune(" ,()[]", rune(c.buf[c.off])) {
		c.off++
	}
	return string(c.buf[start:c.off])
}

func (c *codec) accept(b byte) bool {
	if c.err == nil && c.off < len(c.buf) && c.buf[c.off] == b {
		c.off++
		return true
	}
	return false
}

func (c *codec) expect(b byte) {
	if c.err == nil && !c.accept(b) {
		c.fail("%q expected at %.20q", b, c.buf[min(c.off, len(c.buf)):])
	}
}

func (c *codec) quoted() string {
	q, err := strconv.QuotedPrefix(string(c.buf[c.off:]))
	if err != nil {
		c.fail("quoted string expected at %.20q", c.buf[c.off:])
		return ""
	}
	c.off += len(q)
	s, err := strconv.Unquote(q)
	if err != nil {
		c.fail("malformed string %.20q", q)
	}
	return s
}

// number is an unsigned field: an identifier, a version, a count.
func number[T ~uint8 | ~uint32 | ~uint64](c *codec, name string, p *T) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(*p))
	case decoding:
		*p = narrow[T](c, name, c.readUvarint())
	case printing:
		if *p != 0 {
			c.label(name)
			c.buf = strconv.AppendUint(c.buf, uint64(*p), 10)
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			*p = parseNumber[T](c, name)
		}
	case describing:
		c.doc(name, "number", "")
	}
}

func narrow[T ~uint8 | ~uint32 | ~uint64](c *codec, name string, x uint64) T {
	if uint64(T(x)) != x {
		c.fail("%s %d is out of range", name, x)
		return 0
	}
	return T(x)
}

func parseNumber[T ~uint8 | ~uint32 | ~uint64](c *codec, name string) T {
	tok := c.token()
	x, err := strconv.ParseUint(tok, 10, 64)
	if err != nil {
		c.fail("%s is no number: %.20q", name, tok)
	}
	return narrow[T](c, name, x)
}

// integer is a signed field.
func integer[T ~int | ~int64](c *codec, name string, p *T) {
	switch c.mode {
	case encoding:
		c.putVarint(int64(*p))
	case decoding:
		*p = T(unzigzag(c.readUvarint()))
	case printing:
		if *p != 0 {
			c.label(name)
			c.buf = strconv.AppendInt(c.buf, int64(*p), 10)
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			*p = T(c.parseInt(name))
		}
	case describing:
		c.doc(name, "signed number", "")
	}
}

func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

func (c *codec) parseInt(name string) int64 {
	tok := c.token()
	x, err := strconv.ParseInt(tok, 10, 64)
	if err != nil {
		c.fail("%s is no number: %.20q", name, tok)
	}
	return x
}

func (c *codec) bool(name string, p *bool) {
	switch c.mode {
	case encoding:
		b := byte(0)
		if *p {
			b = 1
		}
		c.putByte(b)
	case decoding:
		*p = c.readUvarint() != 0
	case printing:
		if *p {
			c.label(name)
			c.buf = append(c.buf, "true"...)
		}
	case parsing:
		*p = c.labelled(name) && c.token() == "true"
	case describing:
		c.doc(name, "bool", "")
	}
}

// enum is a number whose values have names; a value beyond the known names
// stays a number.
func enum[T ~uint8](c *codec, name string, p *T, names []string) {
	switch c.mode {
	case printing:
		if *p != 0 {
			c.label(name)
			c.buf = append(c.buf, enumName(uint8(*p), names)...)
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			*p = T(c.parseEnum(name, names))
		}
	case describing:
		c.doc(name, "enum", strings.Join(names, ", "))
	default:
		number(c, name, p)
	}
}

func enumName(x uint8, names []string) string {
	if int(x) < len(names) {
		return names[x]
	}
	return strconv.Itoa(int(x))
}

func (c *codec) parseEnum(field string, names []string) uint8 {
	tok := c.token()
	for i, name := range names {
		if name == tok {
			return uint8(i)
		}
	}
	x, err := strconv.ParseUint(tok, 10, 8)
	if err != nil {
		c.fail("unknown %s %.20q", field, tok)
	}
	return uint8(x)
}

// flags is a set of up to eight named bits.
func flags[T ~uint8](c *codec, name string, p *T, names []string) {
	switch c.mode {
	case printing:
		if *p == 0 {
			return
		}
		c.label(name)
		sep := ""
		for i := range 8 {
			if *p&(1<<i) != 0 {
				c.buf = append(c.buf, sep...)
				c.buf = append(c.buf, enumName(uint8(i), names)...)
				sep = "|"
			}
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			for _, tok := range strings.Split(c.token(), "|") {
				sub := codec{mode: parsing, buf: []byte(tok)}
				*p |= 1 << sub.parseEnum(name, names)
				if sub.err != nil {
					c.fail("%w", sub.err)
				}
			}
		}
	case describing:
		c.doc(name, "flags", strings.Join(names, ", "))
	default:
		number(c, name, p)
	}
}

// str is an interned string.
func (c *codec) str(name string, p *StringID) {
	switch c.mode {
	case printing:
		if *p != 0 {
			c.label(name)
			c.buf = strconv.AppendQuote(c.buf, c.names.text(*p))
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			*p = c.names.intern(c.quoted())
		}
	case translating:
		*p = c.strings(*p)
	case describing:
		c.doc(name, "string", "")
	default:
		number(c, name, p)
	}
}

// text is a string that is kept in the event: a message, a piece of output.
func (c *codec) text(name string, p *string) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(len(*p)))
		c.putString(*p)
	case decoding:
		*p = string(c.readBytes(c.readUvarint()))
	case printing:
		if *p != "" {
			c.label(name)
			c.buf = strconv.AppendQuote(c.buf, *p)
		}
	case parsing:
		*p = ""
		if c.labelled(name) {
			*p = c.quoted()
		}
	case describing:
		c.doc(name, "text", "")
	}
}

// float is a float64 field.
func float(c *codec, name string, p *float64) { decimal(c, name, Float64, p) }

// decimal is a float64 field stored with the precision of dtype.
func decimal(c *codec, name string, dtype DType, p *float64) {
	switch c.mode {
	case printing:
		if *p != 0 || math.Signbit(*p) {
			c.label(name)
			c.real(dtype, p)
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			c.real(dtype, p)
		}
	case describing:
		c.doc(name, "real", "")
	default:
		c.real(dtype, p)
	}
}

// real handles a bare element without a label.
func (c *codec) real(dtype DType, p *float64) {
	switch {
	case c.mode == printing:
		c.buf = strconv.AppendFloat(c.buf, *p, 'g', -1, 64)
	case c.mode == parsing:
		tok := c.token()
		x, err := strconv.ParseFloat(tok, 64)
		if err != nil {
			c.fail("no number: %.20q", tok)
		}
		*p = x
	case c.mode == encoding:
		c.putReal(dtype, *p)
	case c.mode == decoding && c.ended():
		*p = 0
	case c.mode == decoding && dtype.isExactInteger():
		*p = float64(unzigzag(c.readUvarint()))
	case c.mode == decoding && dtype.fitsFloat32():
		if b := c.readBytes(4); b != nil {
			*p = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	case c.mode == decoding:
		if b := c.readBytes(8); b != nil {
			*p = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	}
}

func (d DType) isExactInteger() bool { return d.IsInteger() || d == Bool }
func (d DType) fitsFloat32() bool {
	return d == Float32 || d == Float16 || d == BFloat16
}

// list is a field that holds several elements of a kind.
func list[E any](c *codec, name string, p *[]E, element func(*codec, *E)) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(len(*p)))
		for i := range *p {
			element(c, &(*p)[i])
		}
	case decoding:
		*p = (*p)[:0]
		for range c.readCount(name) {
			if c.err != nil {
				break
			}
			var zero E
			*p = append(*p, zero)
			element(c, &(*p)[len(*p)-1])
		}
	case printing:
		if len(*p) == 0 {
			return
		}
		c.label(name)
		c.buf = append(c.buf, '[')
		for i := range *p {
			if i > 0 {
				c.buf = append(c.buf, ',')
			}
			element(c, &(*p)[i])
		}
		c.buf = append(c.buf, ']')
	case parsing:
		*p = (*p)[:0]
		if !c.labelled(name) {
			return
		}
		c.expect('[')
		for c.err == nil {
			var zero E
			*p = append(*p, zero)
			element(c, &(*p)[len(*p)-1])
			if !c.accept(',') {
				break
			}
		}
		c.expect(']')
	case translating:
		for i := range *p {
			element(c, &(*p)[i])
		}
	case describing:
		sub := *c
		inner := ""
		sub.doc = func(name, kind, note string) {
			if inner != "" {
				inner += ", "
			}
			inner += name
		}
		var zero E
		element(&sub, &zero)
		c.doc(name, "list", inner)
	}
}

// record makes a list element out of fields: (a=1 b=2) in the text form.
func record[E any](fields func(*E, *codec)) func(*codec, *E) {
	return func(c *codec, e *E) {
		switch c.mode {
		case printing:
			c.buf = append(c.buf, '(')
			fields(e, c)
			c.buf = append(c.buf, ')')
		case parsing:
			c.expect('(')
			fields(e, c)
			c.expect(')')
		default:
			fields(e, c)
		}
	}
}

// object is a single nested record; a zero record prints as nothing.
func object[E any](c *codec, name string, e *E, fields func(*E, *codec)) {
	switch c.mode {
	case printing:
		start := len(c.buf)
		c.label(name)
		c.buf = append(c.buf, '(')
		inner := len(c.buf)
		fields(e, c)
		if len(c.buf) == inner {
			c.buf = c.buf[:start]
			return
		}
		c.buf = append(c.buf, ')')
	case parsing:
		if !c.labelled(name) {
			var zero E
			*e = zero
			return
		}
		c.expect('(')
		fields(e, c)
		c.expect(')')
	case describing:
		outer := c.doc
		inner := *c
		inner.doc = func(field, kind, note string) { outer(name+"."+field, kind, note) }
		fields(e, &inner)
	default:
		fields(e, c)
	}
}

// plain is a list of numbers, which needs no record per element. Encoding is
// the hot path and done apart.
func plain[E any](c *codec, name, kind string, p *[]E, put func(*codec, E), element func(*codec, *E)) {
	switch c.mode {
	case translating:
	case describing:
		c.doc(name, "list", kind)
	case encoding:
		c.putUvarint(uint64(len(*p)))
		for _, x := range *p {
			put(c, x)
		}
	default:
		list(c, name, p, element)
	}
}

// ids is a list of identifiers.
func ids[T ~uint32](c *codec, name string, p *[]T) {
	plain(c, name, "number", p, func(c *codec, x T) { c.putUvarint(uint64(x)) }, func(c *codec, x *T) {
		switch c.mode {
		case decoding:
			*x = narrow[T](c, name, c.readUvarint())
		case printing:
			c.buf = strconv.AppendUint(c.buf, uint64(*x), 10)
		case parsing:
			*x = parseNumber[T](c, name)
		}
	})
}

// ints is a list of signed numbers: a shape, strides.
func ints[T ~int | ~int64](c *codec, name string, p *[]T) {
	plain(c, name, "signed number", p, func(c *codec, x T) { c.putVarint(int64(x)) }, func(c *codec, x *T) {
		switch c.mode {
		case decoding:
			*x = T(unzigzag(c.readUvarint()))
		case printing:
			c.buf = strconv.AppendInt(c.buf, int64(*x), 10)
		case parsing:
			*x = T(c.parseInt(name))
		}
	})
}

// reals is a list of elements of the given type.
func reals(c *codec, name string, dtype DType, p *[]float64) {
	plain(c, name, "real", p, func(c *codec, x float64) { c.putReal(dtype, x) }, func(c *codec, x *float64) { c.real(dtype, x) })
}
