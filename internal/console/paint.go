package console

// A Style is how a piece of text looks.
type Style string

// The styles, as parameters of the escape sequence that begins them.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Red    Style = "1;31"
	Green  Style = "1;32"
	Yellow Style = "1;33"
	Blue   Style = "1;34"
	Cyan   Style = "1;36"
)

// Paint colours text; false leaves it as it is.
type Paint bool

// In gives text in a style.
func (p Paint) In(style Style, text string) string {
	if !p || style == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}
