package graph

import (
	"fmt"
	"strconv"
	"strings"
)

// Frame is one level of a call stack: the place in the source and the function
// around it. Lines and columns count from 1; zero means unknown. Columns count
// bytes, and EndCol is the column after the last one.
type Frame struct {
	File, Func      string
	Line, Col       int
	EndLine, EndCol int
}

// String is "file:line" or "file:line:col".
func (f Frame) String() string {
	switch {
	case f.File == "":
		return "?"
	case f.Col > 0:
		return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col)
	default:
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
}

// Stack is a call stack, innermost frame first. Frames inside the engine or
// the framework are left out: Stack[0] is the line of the program.
type Stack []Frame

// Top is the innermost frame, or the zero Frame.
func (s Stack) Top() Frame {
	if len(s) == 0 {
		return Frame{}
	}
	return s[0]
}

// appendText writes a frame as "file":line:col-line:col:"func".
func (f Frame) appendText(b []byte) []byte {
	b = strconv.AppendQuote(b, f.File)
	b = fmt.Appendf(b, ":%d:%d-%d:%d:", f.Line, f.Col, f.EndLine, f.EndCol)
	return strconv.AppendQuote(b, f.Func)
}

func parseFrame(s string) (f Frame, rest string, err error) {
	bad := func() (Frame, string, error) { return Frame{}, s, fmt.Errorf("malformed frame %.40q", s) }
	file, err := strconv.QuotedPrefix(s)
	if err != nil {
		return bad()
	}
	if f.File, err = strconv.Unquote(file); err != nil {
		return bad()
	}
	rest = s[len(file):]
	for _, part := range []struct {
		sep  string
		into *int
	}{{":", &f.Line}, {":", &f.Col}, {"-", &f.EndLine}, {":", &f.EndCol}} {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, part.sep); !ok {
			return bad()
		}
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if *part.into, err = strconv.Atoi(rest[:n]); err != nil {
			return bad()
		}
		rest = rest[n:]
	}
	rest, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return bad()
	}
	fn, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return bad()
	}
	if f.Func, err = strconv.Unquote(fn); err != nil {
		return bad()
	}
	return f, rest[len(fn):], nil
}
