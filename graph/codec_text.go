package graph

import (
	"bytes"
	"strconv"
)

// The text form of fields: name=value, separated by spaces, in the order of the
// fields; zero values are left out. Lists are [a,b], records (name=value …),
// strings are quoted as in Go.

// label prints "name=" before a value.
func (c *codec) label(name string) {
	if n := len(c.buf); n > 0 && c.buf[n-1] != '(' {
		c.buf = append(c.buf, ' ')
	}
	c.buf = append(c.buf, name...)
	c.buf = append(c.buf, '=')
}

// labelled consumes "name=" and reports whether it is there.
func (c *codec) labelled(name string) bool {
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

// token reads an unquoted value.
func (c *codec) token() string {
	rest := c.buf[c.off:]
	if n := bytes.IndexAny(rest, " ,()[]"); n >= 0 {
		rest = rest[:n]
	}
	c.off += len(rest)
	return string(rest)
}

func (c *codec) accept(b byte) bool {
	if c.off < len(c.buf) && c.buf[c.off] == b {
		c.off++
		return true
	}
	return false
}

func (c *codec) expect(b byte) {
	if !c.accept(b) {
		c.fail("%q expected at %.20q", b, c.buf[c.off:])
	}
}

// quoted reads a string in double quotes.
func (c *codec) quoted() string {
	rest := c.buf[c.off:]
	end := 1
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		c.fail("quoted string expected at %.20q", rest)
		return ""
	}
	s, err := strconv.Unquote(string(rest[:end+1]))
	if err != nil || rest[0] != '"' {
		c.fail("malformed string %.20q", rest)
		return ""
	}
	c.off += end + 1
	return s
}

func parseNumber[T ~uint8 | ~uint32 | ~uint64](c *codec, name string) T {
	tok := c.token()
	x, err := strconv.ParseUint(tok, 10, 64)
	if err != nil {
		c.fail("%s is not a number: %.20q", name, tok)
	}
	return narrow[T](c, name, x)
}

func (c *codec) parseInt(name string) int64 {
	tok := c.token()
	x, err := strconv.ParseInt(tok, 10, 64)
	if err != nil {
		c.fail("%s is not a number: %.20q", name, tok)
	}
	return x
}

func (c *codec) parseBool(name string) bool {
	switch tok := c.token(); tok {
	case "true":
		return true
	case "false":
	default:
		c.fail("%s is neither true nor false: %.20q", name, tok)
	}
	return false
}

// parseEnum finds a name, or reads the number of a value that has none.
func parseEnum(c *codec, field, tok string, names []string) uint8 {
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

func (d DType) bits() int {
	if d.fitsFloat32() {
		return 32
	}
	return 64
}

func (c *codec) printReal(dtype DType, x float64) {
	c.buf = strconv.AppendFloat(c.buf, x, 'g', -1, dtype.bits())
}

func (c *codec) parseReal(dtype DType) float64 {
	tok := c.token()
	x, err := strconv.ParseFloat(tok, dtype.bits())
	if err != nil {
		c.fail("no number: %.20q", tok)
	}
	return x
}

// printList prints a list of plain values.
func printList[E any](c *codec, name string, list []E, element func(E)) {
	if len(list) == 0 {
		return
	}
	c.label(name)
	for i, x := range list {
		c.buf = append(c.buf, "[,"[min(i, 1)])
		if element(x); len(c.buf) > maxTextLine {
			c.fail("%s is too long for the text form", name)
			break
		}
	}
	c.buf = append(c.buf, ']')
}

// parseList parses what printList printed, or nothing.
func parseList[E any](c *codec, name string, list []E, element func() E) []E {
	list = list[:0]
	if c.labelled(name) {
		c.elements(func() { list = append(list, element()) })
	}
	return list
}

// elements calls element at the beginning of each element of a list.
func (c *codec) elements(element func()) {
	c.expect('[')
	if c.accept(']') {
		return
	}
	for c.err == nil {
		element()
		if !c.accept(',') {
			break
		}
	}
	c.expect(']')
}
