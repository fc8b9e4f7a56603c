package console

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes Markdown for a terminal: headings, paragraphs, lists and
// blocks of code.
func WriteMarkdown(w io.Writer, text string, columns int, paint Paint) {
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			writeParagraph(w, paragraph, columns)
		}
		paragraph = nil
	}
	code := false
	for line := range strings.Lines(Printable(text)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			code = !code
		case code:
			fmt.Fprintln(w, strings.TrimRight("    "+paint.In(Cyan, line), " "))
		case line == "":
			flush()
			fmt.Fprintln(w)
		case strings.HasPrefix(line, "#"):
			flush()
			fmt.Fprintln(w, paint.In(Bold, strings.TrimLeft(line, "# ")))
		case isItem(line):
			flush()
			paragraph = []string{line}
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
}

func isItem(line string) bool {
	rest := strings.TrimLeft(line, " ")
	return strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "* ")
}

// writeParagraph wraps lines; an item of a list hangs by its mark.
func writeParagraph(w io.Writer, lines []string, columns int) {
	text, mark := strings.Join(lines, " "), ""
	if isItem(lines[0]) {
		rest := strings.TrimLeft(lines[0], " ")
		mark = lines[0][:len(lines[0])-len(rest)] + "- "
		text = strings.TrimLeft(text, " ")[2:]
	}
	for i, line := range Wrap(text, columns-len(mark)) {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		fmt.Fprintln(w, mark+strings.ReplaceAll(line, "**", ""))
	}
}
