package fixes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// The shapes in testdata/*.txtar are source texts with the line of a finding and what becomes of it: the file
// "finding" has the code, the number of the primary line, and lines "message: …", "help: …", "tensor: …" and
// "N: label" of related lines. Where the file "after" is missing, there must be no fix. In file names, "crlf" stands for lines
// that end with \r\n.
func TestEditsOfSourceShapes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no shapes: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var before, after, finding string
			for _, f := range archive.Files {
				text := string(f.Data)
				if strings.Contains(file, "crlf") && f.Name != "finding" {
					text = strings.ReplaceAll(text, "\n", "\r\n")
				}
				switch f.Name {
				case "before":
					before = text
				case "after":
					after = text
				case "finding":
					finding = text
				}
			}
			if after == "" {
				after = before
			}
			if diff := cmp.Diff(after, fixed(t, before, finding)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fixed applies the fix of a finding to a text.
func fixed(t *testing.T, before, text string) string {
	t.Helper()
	const name = "/prog.py"
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.SourceRead{File: tape.InternString(name), Text: before})
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	f := inspect.Finding{At: -1, Symptom: -1}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		n := 0
		switch {
		case !ok:
			if _, err := fmt.Sscanf(line, "%s %d", &f.Code, &f.Primary.Line); err != nil {
				t.Fatal(err)
			}
			f.Primary.File = name
		case key == "message":
			f.Message = value
		case key == "help":
			f.Help = value
		case key == "tensor":
			f.Tensors = append(f.Tensors, value)
		default:
			if _, err := fmt.Sscan(key, &n); err != nil {
				t.Fatal(err)
			}
			f.Related = append(f.Related, inspect.Span{Frame: graph.Frame{File: name, Line: n}, Label: value, At: -1})
		}
	}
	make := For(f.Code)
	if make == nil {
		t.Fatalf("nothing makes fixes of %s", f.Code)
	}
	fix := make(h, &f)
	if fix == nil {
		return before
	}
	after, err := fix.Apply(before)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

func TestTheTableNamesRules(t *testing.T) {
	docs, err := os.ReadDir("../rules/docs")
	if err != nil {
		t.Fatal(err)
	}
	for code := range table {
		if !slices.ContainsFunc(docs, func(e os.DirEntry) bool { return e.Name() == code+".md" }) {
			t.Errorf("no rule is called %s", code)
		}
	}
}
