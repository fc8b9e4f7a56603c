package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func TestTheFixOfAFindingIsTriedAndShown(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	if !d.anyFindings() {
		t.Fatal("there are no findings")
	}
	said := func(want string) {
		t.Helper()
		if !strings.Contains(d.notice.text, want) {
			t.Errorf("it says %q, not %q", d.notice.text, want)
		}
	}
	f := d.openedFinding()
	f.Fix = nil
	d.Press("F")
	said("no edit is known for this finding")
	f.Fix = &inspect.Fix{Title: "make a new \x1b[31mtensor", Edits: []inspect.Edit{{File: f.Primary.File, Line: 1, Col: 1, EndLine: 1, EndCol: 1, Text: "x"}}}
	d.Press("F")
	said("gradtui fix PROGRAM --from TAPE")
	var asked []string
	fails := false
	d.Fix = func(base *graph.Tape, finding string) (string, error) {
		if base != d.tape {
			t.Error("the first run is another tape")
		}
		asked = append(asked, finding)
		if fails {
			return "", errors.New("the file is not as it was")
		}
		return "--- f.py\n-old\n+new \x1b[31m\n  proven: the finding is gone\n", nil
	}
	d.command("fix")
	if screen := d.Screen(); !strings.Contains(screen, "+new") || !strings.Contains(screen, "proven: the finding is gone") {
		t.Errorf("the outcome is not shown:\n%s", screen)
	}
	d.Press("esc", "F") // shows it again
	if screen := d.Screen(); !strings.Contains(screen, "+new") || len(asked) != 1 || asked[0] != fmt.Sprintf("%s:%d", f.Code, f.Primary.Line) {
		t.Errorf("asked %q\n%s", asked, screen)
	}
	d.Press("esc")
	delete(d.tried, FindingKey(f))
	fails = true
	d.command("fix " + f.Code)
	if screen := d.Screen(); !strings.Contains(screen, "the file is not as it was") {
		t.Errorf("the error is not shown:\n%s", screen)
	}
	d.Press("esc")
	d.command("fix nothing")
	said("there is no finding of nothing")
}
