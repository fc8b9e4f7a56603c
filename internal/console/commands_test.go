package console

import (
	"bytes"
	"io"
	"testing"
)

func TestNoLineIsACommand(t *testing.T) {
	for line, want := range map[string]string{
		"::error::x":              "| ::error::x",
		"  ::add-mask::x":         "|   ::add-mask::x",
		"\x1b[31m::error::x":      "| \x1b[31m::error::x",
		"a ##vso[task.complete]b": "a ## vso[task.complete]b",
		"##[group]x":              "## [group]x",
		"  ::: other.py:3:1":      "  ::: other.py:3:1",
		"std::vector":             "std::vector",
	} {
		var b bytes.Buffer
		n := NoCommands{W: &b}
		for _, part := range []string{line[:1], line[1:], "\n", line} {
			if _, err := io.WriteString(&n, part); err != nil {
				t.Fatal(err)
			}
		}
		if err := n.Flush(); err != nil || b.String() != want+"\n"+want {
			t.Errorf("%q: %q, %v", line, b.String(), err)
		}
	}
}
