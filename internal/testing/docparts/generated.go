// Package docparts keeps those parts of documents up to date that are made from the
// source code. It is for tests.
package docparts

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Check compares parts of a document with what they should be; with update it writes
// them instead. A part stands between <!-- begin NAME (generated) --> and
// <!-- end NAME -->, each in a line of its own.
func Check(t *testing.T, document string, parts map[string]string, update bool) {
	t.Helper()
	old, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	for name, content := range parts {
		begin, end := fmt.Sprintf("<!-- begin %s (generated) -->\n", name), fmt.Sprintf("<!-- end %s -->", name)
		before, rest, ok := strings.Cut(text, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no part for %s", document, name)
		}
		text = before + begin + "\n" + strings.TrimRight(content, "\n") + "\n\n" + end + after
	}
	if text == string(old) {
		return
	}
	if !update {
		t.Fatalf("%s is stale, go test . -run %s -update rewrites it\n%s", document, t.Name(), cmp.Diff(string(old), text))
	}
	if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
