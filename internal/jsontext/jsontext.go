// Package jsontext writes the JSON documents of gradtui. They hold names and texts from programs
// and are printed on terminals and in logs: invisible characters are escaped.
package jsontext

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gradtui/gradtui/internal/console"
)

// Marshal returns a value as JSON in one line.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := Encode(&b, v, "")
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Encode writes a value as JSON and a line end; indent is what each level is indented by, "" for
// one line.
func Encode(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(escape(b.Bytes()), command, noCommand))
	return err
}

// CI services look for commands such as ##[error] anywhere in a line. Only strings have the sign,
// and as an escape it stays what it is.
var command, noCommand = []byte("##"), []byte(`#\u0023`)

// escape escapes what is not visible. Outside of strings JSON has nothing but ASCII.
func escape(text []byte) []byte {
	if bytes.IndexFunc(text, hidden) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case !hidden(r):
			out = append(out, text[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = unit(unit(out, high), low)
		default:
			out = unit(out, r)
		}
		text = text[size:]
	}
	return out
}

// hidden reports whether a character of JSON text is to be escaped; encoding/json has done so with
// the control characters of ASCII, but for DEL.
func hidden(r rune) bool {
	return r >= 0x7f && r != unicode.ReplacementChar && console.Shown(r) != r
}

// unit appends the escape of a UTF-16 code unit.
func unit(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
