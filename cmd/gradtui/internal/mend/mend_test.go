package mend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func edit(line, col, endLine, endCol int, text string) inspect.Edit {
	return inspect.Edit{File: "f.py", Line: line, Col: col, EndLine: endLine, EndCol: endCol, Text: text}
}

func TestADiffShowsThreeLinesAroundAChange(t *testing.T) {
	lines := strings.Split("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\r\n15\n", "\n")
	for name, c := range map[string]struct {
		edits []inspect.Edit
		want  string
	}{
		"a part of a line":  {[]inspect.Edit{edit(5, 2, 5, 2, "é")}, "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+5é\n 6\n 7\n 8\n"},
		"a new line":        {[]inspect.Edit{edit(1, 1, 1, 1, "0\n")}, "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n"},
		"a line behind":     {[]inspect.Edit{edit(15, 3, 15, 3, "\n16")}, "@@ -13,3 +13,4 @@\n 13\n 14\n 15\n+16\n"},
		"a line that moves": {[]inspect.Edit{edit(3, 1, 3, 1, "5\n"), edit(5, 1, 6, 1, "")}, "@@ -1,8 +1,8 @@\n 1\n 2\n+5\n 3\n 4\n-5\n 6\n 7\n 8\n"},
		"two places": {
			[]inspect.Edit{edit(1, 1, 2, 1, ""), edit(14, 1, 14, 3, "x")},
			"@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -11,5 +10,5 @@\n 11\n 12\n 13\n-14\n+x\n 15\n",
		},
	} {
		got, err := Diff(&inspect.Fix{Edits: c.edits}, "f.py", lines)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("--- f.py\n+++ f.py\n"+c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func found(code string, line int) inspect.Finding {
	return inspect.Finding{Code: code, Severity: inspect.SeverityWarning, Primary: inspect.Span{Frame: graph.Frame{File: "f.py", Line: line}}}
}

func TestAnOutcomeKnowsFindingsWhoseLinesHaveMoved(t *testing.T) {
	h := inspect.ReadHistory(graph.NewTape(graph.Limits{}), 0, inspect.Options{})
	fixed := found("step-order", 3)
	fixed.Fix = &inspect.Fix{Edits: []inspect.Edit{edit(3, 1, 3, 1, "a\nb\n")}}
	before := []inspect.Finding{fixed, found("nan-grad", 9), found("step-order", 12)}
	for name, c := range map[string]struct {
		after []inspect.Finding
		gone  bool
		added int
	}{
		"the others stay":                     {[]inspect.Finding{found("nan-grad", 11), found("step-order", 14)}, true, 0},
		"none stays":                          {nil, true, 0},
		"it stays":                            {[]inspect.Finding{found("step-order", 5), found("nan-grad", 11), found("step-order", 14)}, false, 0},
		"it goes to another line":             {[]inspect.Finding{found("step-order", 4), found("nan-grad", 11), found("step-order", 14)}, false, 0},
		"another one comes":                   {[]inspect.Finding{found("dead-relu", 1), found("nan-grad", 11), found("step-order", 14)}, true, 1},
		"one of a rule that has found others": {[]inspect.Finding{found("nan-grad", 2), found("nan-grad", 11), found("step-order", 14)}, true, 1},
	} {
		o := Compare(&inspect.Result{History: h, Findings: before}, &inspect.Result{History: h, Findings: c.after}, &before[0])
		if o.Gone != c.gone || len(o.New) != c.added || o.Proven() != (c.gone && c.added == 0) {
			t.Errorf("%s: gone %t, %d new", name, o.Gone, len(o.New))
		}
	}
}

func TestAFileThatHasChangedIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.py")
	if err := os.WriteFile(name, []byte("\ufeffx = 1\r\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.SourceRead{File: tape.InternString(name), Text: "\ufeffx = 1\r\n"})
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	fix := &inspect.Fix{Edits: []inspect.Edit{{File: name, Line: 1, Col: 5, EndLine: 1, EndCol: 6, Text: "2"}}}
	texts, err := Texts{}.With(fix, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := texts.Write(h); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(name)
	info, err := os.Stat(name)
	if string(text) != "\ufeffx = 2\r\n" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file is %q with %v, %v", text, info.Mode(), err)
	}
	if err := texts.Write(h); err == nil || !strings.Contains(err.Error(), "is not as it was") {
		t.Errorf("a file that has changed: %v", err)
	}
	if _, err := (Texts{}).With(fix, h); err == nil {
		t.Error("a fix applies to a file that has changed")
	}
}
