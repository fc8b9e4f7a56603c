package console

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWrapKeepsCodeTogether(t *testing.T) {
	got := Wrap("write `pos = pos + vel` instead of  `pos += vel`, as\nin the manual", 30)
	want := []string{"write `pos = pos + vel`", "instead of `pos += vel`, as in", "the manual"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, line := range Wrap("`"+strings.Repeat("a ", 40)+"`", 20) {
		if Width(line) > 20 {
			t.Errorf("%q is too wide", line)
		}
	}
}

func TestWidths(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "名前": 4, "🌸": 2, "e\u0301": 1, "ｆ": 2} {
		if got := Width(text); got != want {
			t.Errorf("%q: %d columns, want %d", text, got, want)
		}
	}
}

// A cut line fits, and what is marked is where the shift says.
func TestCutLinesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.StringOf(rapid.RuneFrom([]rune("ab\t名e\u0301\x1b \xff"))).Draw(t, "source")
		columns := rapid.IntRange(10, 60).Draw(t, "columns")
		from := rapid.IntRange(0, len(source)).Draw(t, "from")
		to := rapid.IntRange(from, len(source)).Draw(t, "to")
		l := NewLine(source)
		text, shift := l.Cut(l.Column(from), l.Column(to), columns)
		if n := Width(text); n > columns {
			t.Fatalf("%q has %d columns of %d", text, n, columns)
		}
		if at := l.Column(from) - shift; at < 0 || at >= columns && l.Width() > columns && from < len(source) {
			t.Fatalf("the mark is at %d of %d", at, columns)
		}
	})
}

func TestMarkdownForTheTerminal(t *testing.T) {
	var b bytes.Buffer
	WriteMarkdown(&b, "# title\n\nA long\nparagraph with `code of it`.\n\n- one item that is longer\n  than a line\n- two\n\n```python\nx = 1\n\ny = 2\n```\n", 24, false)
	want := "title\n\nA long paragraph with\n`code of it`.\n\n- one item that is\n  longer than a line\n- two\n\n    x = 1\n\n    y = 2\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
