package graph

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number is an unsigned field: an identifier, a version, a count.
func number[T ~uint8 | ~uint32 | ~uint64](c *codec, name string, p *T) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(*p))
	case decoding:
		if i := c.off; i < len(c.buf) && c.buf[i] < 0x80 { // as most numbers
			c.off++
			*p = T(c.buf[i])
			return
		}
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
		c.doc(Field{Name: name, Type: "number"})
	}
}

func narrow[T ~uint8 | ~uint32 | ~uint64](c *codec, name string, x uint64) T {
	if uint64(T(x)) != x {
		c.fail("%s %d is out of range", name, x)
		return 0
	}
	return T(x)
}

// bool is a field that is true or false.
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
		*p = false
		if c.labelled(name) {
			*p = c.parseBool(name)
		}
	case describing:
		c.doc(Field{Name: name, Type: "bool"})
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
			*p = T(parseEnum(c, name, c.token(), names))
		}
	case describing:
		c.doc(Field{Name: name, Type: "enum", Note: strings.Join(names, ", ")})
	default:
		number(c, name, p)
	}
}

func enumName(x uint8, names []string) string {
	if int(x) < len(names) && names[x] != "" {
		return names[x]
	}
	return strconv.Itoa(int(x))
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
			for tok := range strings.SplitSeq(c.token(), "|") {
				bit := parseEnum(c, name, tok, names)
				if bit > 7 {
					c.fail("unknown %s %.20q", name, tok)
				}
				*p |= 1 << bit
			}
		}
	case describing:
		c.doc(Field{Name: name, Type: "flags", Note: strings.Join(names, ", ")})
	default:
		number(c, name, p)
	}
}

// str is an interned string. An identifier that the tape does not know is
// recorded as the empty string.
func (c *codec) str(name string, p *StringID) {
	switch c.mode {
	case encoding:
		id := *p
		if int(id) >= len(c.names.list) {
			id = 0
		}
		c.putUvarint(uint64(id))
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
		c.doc(Field{Name: name, Type: "string"})
	default:
		number(c, name, p)
	}
}

// rare is an interned string at the end of an event that few events have: an empty one
// takes no room there, unless bytes follow.
func (c *codec) rare(name string, p *StringID) {
	if c.mode != encoding || *p != 0 || c.followed {
		c.str(name, p)
	}
}

// rareList is to list what rare is to str.
func rareList[E any](c *codec, name string, p *[]E, fields func(*E, *codec)) {
	if c.mode != encoding || len(*p) > 0 || c.followed {
		list(c, name, p, fields)
	}
}

// text is a string that is kept in the event: a message, a piece of output.
func (c *codec) text(name string, p *string) {
	switch c.mode {
	case encoding:
		s := *p
		if c.short {
			s = shorten(s, 4<<10)
		}
		c.putString(s)
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
		c.doc(Field{Name: name, Type: "text"})
	}
}

// shorten cuts a string to at most n bytes, between characters, and marks it.
func shorten(s string, n int) string {
	const mark = "…"
	if len(s) <= n {
		return s
	}
	n -= len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}

// decimal is a number stored with the precision of an element type.
func decimal(c *codec, name string, dtype DType, p *float64) {
	switch c.mode {
	case encoding:
		c.putReal(dtype, *p)
	case decoding:
		*p = c.readReal(dtype)
	case printing:
		if *p != 0 || math.Signbit(*p) {
			c.label(name)
			c.printReal(dtype, *p)
		}
	case parsing:
		*p = 0
		if c.labelled(name) {
			*p = c.parseReal(dtype)
		}
	case describing:
		c.doc(Field{Name: name, Type: "real"})
	}
}

// list is a field that holds several records.
func list[E any](c *codec, name string, p *[]E, fields func(*E, *codec)) {
	switch c.mode {
	case encoding:
		if len(*p) > MaxRecords {
			c.fail("%s has %d elements, more than %d", name, len(*p), MaxRecords)
			return
		}
		c.putUvarint(uint64(len(*p)))
		for i := range *p {
			if fields(&(*p)[i], c); !c.fits(0) {
				return
			}
		}
	case decoding:
		decodeList(c, name, p, fields)
	case printing:
		if len(*p) == 0 {
			return
		}
		c.label(name)
		for i := range *p {
			c.buf = append(c.buf, "[,"[min(i, 1)], '(')
			fields(&(*p)[i], c)
			c.buf = append(c.buf, ')')
			if len(c.buf) > maxTextLine {
				c.fail("%s is too long for the text form", name)
				break
			}
		}
		c.buf = append(c.buf, ']')
	case parsing:
		*p = (*p)[:0]
		if !c.labelled(name) {
			return
		}
		c.elements(func() {
			if len(*p) == MaxRecords {
				c.fail("%s has more than %d elements", name, MaxRecords)
				return
			}
			var e E
			c.expect('(')
			fields(&e, c)
			c.expect(')')
			*p = append(*p, e)
		})
	case translating:
		for i := range *p {
			fields(&(*p)[i], c)
		}
	case describing:
		c.doc(Field{Name: name, Type: "list", Note: recordName[E](), Elements: describe(fields)})
	}
}

// describe lists the fields of a record.
func describe[E any](fields func(*E, *codec)) (list []Field) {
	var zero E
	fields(&zero, &codec{mode: describing, doc: func(f Field) { list = append(list, f) }})
	return list
}

func recordName[E any]() string { return strings.ToLower(reflect.TypeFor[E]().Name()) }

// decodeList reads records into the memory of the ones that were there before,
// whose fields set all that they describe.
func decodeList[E any](c *codec, name string, p *[]E, fields func(*E, *codec)) {
	n := c.readCount(name, 1)
	if n == 0 {
		*p = (*p)[:0]
		return
	}
	if n > MaxRecords {
		c.fail("%s has %d elements, more than %d", name, n, MaxRecords)
		n = 0
	}
	s := (*p)[:0]
	if cap(s) == 0 {
		s = make([]E, 0, min(n, 64))
	}
	c.inner++
	for range n {
		if len(s) < cap(s) {
			s = s[:len(s)+1]
		} else {
			var zero E
			s = append(s, zero)
		}
		fields(&s[len(s)-1], c)
		if c.err != nil {
			break
		}
	}
	c.inner--
	*p = s
}

// object is a single nested record; a zero record prints as nothing.
func object[E any](c *codec, name string, e *E, fields func(*E, *codec)) {
	switch c.mode {
	case decoding:
		if c.ended() && c.inner == 0 {
			var zero E
			*e = zero
			return
		}
		c.inner++
		fields(e, c)
		c.inner--
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
		c.doc(Field{Name: name, Type: "record", Note: recordName[E](), Elements: describe(fields)})
	default:
		fields(e, c)
	}
}

// ids is a list of identifiers.
func ids[T ~uint32](c *codec, name string, p *[]T) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(len(*p)))
		if !c.fits(len(*p)) {
			return
		}
		for _, x := range *p {
			c.putUvarint(uint64(x))
		}
	case decoding:
		n := c.readCount(name, 1)
		s := slices.Grow((*p)[:0], n)
		c.inner++
		for range n {
			s = append(s, narrow[T](c, name, c.readUvarint()))
		}
		c.inner--
		*p = s
	case printing:
		printList(c, name, *p, func(x T) { c.buf = strconv.AppendUint(c.buf, uint64(x), 10) })
	case parsing:
		*p = parseList(c, name, *p, func() T { return parseNumber[T](c, name) })
	case describing:
		c.doc(Field{Name: name, Type: "list", Note: "number"})
	}
}

// ints is a list of signed numbers: a shape, strides.
func ints[T ~int | ~int64](c *codec, name string, p *[]T) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(len(*p)))
		if !c.fits(len(*p)) {
			return
		}
		for _, x := range *p {
			c.putVarint(int64(x))
		}
	case decoding:
		n := c.readCount(name, 1)
		s := slices.Grow((*p)[:0], n)
		c.inner++
		for range n {
			s = append(s, T(c.readVarint()))
		}
		c.inner--
		*p = s
	case printing:
		printList(c, name, *p, func(x T) { c.buf = strconv.AppendInt(c.buf, int64(x), 10) })
	case parsing:
		*p = parseList(c, name, *p, func() T { return T(c.parseInt(name)) })
	case describing:
		c.doc(Field{Name: name, Type: "list", Note: "signed number"})
	}
}

// reals is a list of elements of the given type.
func reals(c *codec, name string, dtype DType, p *[]float64) {
	switch c.mode {
	case encoding:
		c.putUvarint(uint64(len(*p)))
		c.putReals(dtype, *p)
	case decoding:
		n := c.readCount(name, dtype.width())
		*p = slices.Grow((*p)[:0], n)[:n]
		c.inner++
		c.readReals(dtype, *p)
		c.inner--
	case printing:
		printList(c, name, *p, func(x float64) { c.printReal(dtype, x) })
	case parsing:
		*p = parseList(c, name, *p, func() float64 { return c.parseReal(dtype) })
	case describing:
		c.doc(Field{Name: name, Type: "list", Note: "real"})
	}
}
