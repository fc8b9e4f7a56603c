package inspect

import (
	"errors"
	"strings"
)

// ErrEdit is returned for edits that are not of the text that they are applied to.
var ErrEdit = errors.New("the edit does not fit the text")

// Apply returns the text of the fix's file with its edits. The text is as on the tape, or as in the file, with
// a byte order mark.
func (f *Fix) Apply(text string) (string, error) {
	const mark = "\ufeff"
	bare, marked := strings.CutPrefix(text, mark)
	starts := []int{0}
	for i := range len(bare) {
		if bare[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	offset := func(line, col int) int {
		if line < 1 || line > len(starts) || col < 1 || starts[line-1]+col-1 > len(bare) {
			return -1
		}
		return starts[line-1] + col - 1
	}
	var b strings.Builder
	if marked {
		b.WriteString(mark)
	}
	at := 0
	for _, e := range f.Edits {
		start, end := offset(e.Line, e.Col), offset(e.EndLine, e.EndCol)
		if start < at || end < start {
			return "", ErrEdit
		}
		b.WriteString(bare[at:start] + e.Text)
		at = end
	}
	b.WriteString(bare[at:])
	return b.String(), nil
}
