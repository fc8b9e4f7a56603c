//go:build embedpython

package python

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheVersionOfTheEmbeddedPythonIsThatOfItsModule(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "github.com/kluctl/go-embed-python v0.0.0-" + embeddedVersion; !strings.Contains(string(text), want) {
		t.Errorf("go.mod does not require %s", want)
	}
}

func TestTheEmbeddedPythonIsRepaired(t *testing.T) {
	isolate(t)
	useCache(t, t.TempDir())
	for _, spoil := range []func(program string) error{
		func(string) error { return nil },
		func(program string) error { return os.Truncate(program, 1000) },
		func(program string) error { return os.RemoveAll(filepath.Join(filepath.Dir(program), "..", "lib")) },
		// What the manifest does not tell is noticed when it does not run.
		func(program string) error {
			dir := filepath.Dir(filepath.Dir(program))
			if err := os.Truncate(program, 1000); err != nil {
				return err
			}
			return writeManifest(dir)
		},
	} {
		found, skipped, closed, err := Find(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if found.From != embedded || len(skipped) > 0 || found.Interpreter.usable() != nil {
			t.Errorf("%+v was found, %v skipped", found, skipped)
		}
		closed()
		if err := spoil(found.Path); err != nil {
			t.Fatal(err)
		}
	}
}
