package inspect_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

// TestAPlaceIsFoundWithTheLineThatFillsIt runs the programs in testdata/holders. Their file "want" lists
// places that hold a tensor at some time, each with the line that put it there; "-" is for a variable.
func TestAPlaceIsFoundWithTheLineThatFillsIt(t *testing.T) {
	files, err := filepath.Glob("testdata/holders/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(t.TempDir(), "prog.py")
			if err := os.WriteFile(program, archive.Files[0].Data, 0o600); err != nil {
				t.Fatal(err)
			}
			found := places(pythontest.Record(t, program))
			for _, row := range strings.Split(strings.TrimSpace(string(archive.Files[1].Data)), "\n") {
				place, line, _ := strings.Cut(row, " ")
				if got, ok := found[place]; !ok || got != line {
					t.Errorf("%s is filled in line %q, want %s; found: %v", place, got, line, found)
				}
			}
		})
	}
}

// places returns where tensors were at any time, with the line that put the first one there.
func places(tape *graph.Tape) map[string]string {
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	found := map[string]string{}
	for id := 1; id <= h.TensorCount(); id++ {
		for at := range tape.Len() {
			for _, k := range h.Holders(graph.TensorID(id), at) {
				place := strings.TrimPrefix(k.Scope+"."+k.Path, ".")
				if _, again := found[place]; again {
					continue
				}
				found[place] = "-"
				if put := h.Put(k, ""); len(put) > 0 {
					found[place] = strconv.Itoa(put[0].Line)
				}
			}
		}
	}
	return found
}

func TestMain(m *testing.M) { pythontest.Main(m) }
