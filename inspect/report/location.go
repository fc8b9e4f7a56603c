package report

import (
	"unicode/utf8"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/documents"
)

// locate returns a span with columns in characters, and the file as a report names it. What is
// unknown is zero.
func (r *Report) locate(s inspect.Span) documents.Span {
	l := documents.Span{File: r.file(s.File), Line: s.Line, Function: s.Func, Label: s.Label}
	if s.Col < 1 {
		return l
	}
	l.Col = r.character(s.File, s.Line, s.Col)
	if s.EndLine >= s.Line && s.EndCol >= 1 {
		l.EndLine, l.EndCol = s.EndLine, r.character(s.File, s.EndLine, s.EndCol)
	}
	if l.EndLine == l.Line {
		l.EndCol = max(l.EndCol, l.Col)
	}
	return l
}

// edit returns an edit with columns in characters, and the file as a report names it.
func (r *Report) edit(e inspect.Edit) documents.Edit {
	return documents.Edit{
		File: r.file(e.File), Text: e.Text,
		Line: e.Line, Col: r.character(e.File, e.Line, e.Col), EndLine: e.EndLine, EndCol: r.character(e.File, e.EndLine, e.EndCol),
	}
}

// character is the column of a byte in characters; each byte that is not valid UTF-8 counts as
// one. Without the source the columns are the same.
func (r *Report) character(file string, line, column int) int {
	text, ok := r.line(file, line)
	if !ok {
		return column
	}
	return utf8.RuneCountInString(text[:min(column-1, len(text))]) + 1
}

// line is a line of a file without its end; ok is false if it is not known.
func (r *Report) line(file string, line int) (text string, ok bool) {
	lines := r.Source(file)
	if line < 1 || line > len(lines) {
		return "", false
	}
	text = lines[line-1]
	for len(text) > 0 && (text[len(text)-1] == '\r' || text[len(text)-1] == '\n') {
		text = text[:len(text)-1]
	}
	return text, true
}
