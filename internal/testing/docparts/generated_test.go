package docparts

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAPartIsReplacedAndNothingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	text := "a\n<!-- begin one (generated) -->\nold\n<!-- end one -->\nb\n<!-- begin two (generated) -->\n<!-- end two -->\nc\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{"one": "new\n", "two": "more"}
	Check(t, path, parts, true)
	got, err := os.ReadFile(path)
	want := "a\n<!-- begin one (generated) -->\n\nnew\n\n<!-- end one -->\nb\n<!-- begin two (generated) -->\n\nmore\n\n<!-- end two -->\nc\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	Check(t, path, parts, false)
}
