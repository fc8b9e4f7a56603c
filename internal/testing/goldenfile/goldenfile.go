// Package goldenfile compares texts with files in tests.
package goldenfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Check compares a text with the content of a file. With update, which a test takes from a
// flag -update, it writes the file instead.
func Check(t testing.TB, file, text string, update bool) {
	t.Helper()
	if update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s; go test -run %s -update rewrites it (-want +got):\n%s", file, t.Name(), diff)
	}
}
