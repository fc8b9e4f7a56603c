package ui

import (
	"strings"
	"testing"
)

func TestTypingFiltersTheHelp(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.Press("?")
	all := d.Screen()
	d.Type("break set")
	if s := d.Screen(); !strings.Contains(s, "b             set or clear a breakpoint") || !strings.Contains(s, ":break") || strings.Contains(s, "next operation") || !strings.Contains(s, "search: break set") {
		t.Error(s)
	}
	d.Type("zzz")
	if s := d.Screen(); !strings.Contains(s, "Nothing has these words.") {
		t.Error(s)
	}
	d.Press("esc")
	if s := d.Screen(); s != all {
		t.Errorf("%s\nwant\n%s", s, all)
	}
	d.Press("end")
	if d.Screen() == all {
		t.Error("it does not scroll")
	}
	d.Press("esc")
	if d.overlay != nil {
		t.Error(d.Screen())
	}
}
