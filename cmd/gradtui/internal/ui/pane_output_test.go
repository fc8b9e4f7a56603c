package ui

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// No part of a long line is lost, whatever the pane's size, and the last one can be scrolled to.
func TestLongLinesOfOutputAreBroken(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for range 30 {
		add(tape, 0, &graph.OutputWritten{Stream: 2, Text: strings.Repeat("words of a warning ", 20) + "END\n"})
	}
	d := open(t, tape, 80, 24)
	d.Press("6")
	if !strings.Contains(d.Pane(outputPane), "END") {
		t.Errorf("the newest line is not shown to its end:\n%s", d.Pane(outputPane))
	}
	d.Press("home")
	rows := strings.Split(d.Pane(outputPane), "\n")
	if text := strings.Join(rows[1:6], ""); !strings.Contains(strings.NewReplacer("!", "", " ", "", "┃", "").Replace(text), strings.Repeat("wordsofawarning", 17)) {
		t.Errorf("the first line is cut: %q", text)
	}
	for _, c := range []struct {
		text string
		want string
	}{{"", ""}, {"abcdef", "abc|def"}, {"a世世b", "a世|世b"}, {"世世", "世|世"}} {
		if got := strings.Join(broken(c.text, 3), "|"); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}
