package python_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// A case is what truth.json says of a program with a bug (testdata/cases).
type bugCase struct {
	Error *string  // as Python prints it: "RuntimeError: …"; nil if none is raised
	Line  int      // where it is raised
	After []string // the discussions that the program was written after
}

// TestBugsAreReportedAsInPyTorch runs small programs with well-known mistakes, and
// the same programs without. truth.json was written independently with PyTorch;
// what PyTorch 2.6 does besides raising is recorded as for the corpus.
func TestBugsAreReportedAsInPyTorch(t *testing.T) {
	t.Parallel()
	needPython(t)
	if testing.Short() {
		t.Skip("runs some 60 programs")
	}
	var cases map[string]bugCase
	readJSON(t, filepath.Join("testdata", "cases", "truth.json"), &cases)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c, dir := cases[name], filepath.Join("testdata", "cases", name)
		t.Run(name+"/prog", func(t *testing.T) {
			t.Parallel()
			got := runOnEngine(t, filepath.Join(dir, "prog.py"))
			var text *string
			line := 0
			if e := got.Exception; e != nil {
				s := e.Type + ": " + e.Text
				text, line = &s, e.Line
			}
			switch {
			case (text == nil) != (c.Error == nil):
				t.Errorf("raised %v, not %v", deref(text), deref(c.Error))
			case text != nil && (*text != *c.Error || line != c.Line):
				t.Errorf("raised in line %d: %s\nnot in line %d: %s", line, *text, c.Line, *c.Error)
			}
			if exit := min(1, len(deref(c.Error))); got.Exit != exit {
				t.Errorf("exit code %d, not %d", got.Exit, exit)
			}
			sameAsRecord(t, filepath.Join(dir, "prog.json"), got)
		})
		if fixed := filepath.Join(dir, "fixed.py"); exists(fixed) {
			t.Run(name+"/fixed", func(t *testing.T) {
				t.Parallel()
				got := runOnEngine(t, fixed)
				if got.Exit != 0 || got.Exception != nil {
					t.Errorf("the program without the mistake ended with exit code %d: %+v", got.Exit, got.Exception)
				}
				sameAsRecord(t, filepath.Join(dir, "fixed.json"), got)
			})
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
