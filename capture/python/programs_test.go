package python_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

// A difference is where the engine, or another release of PyTorch, does not do
// what PyTorch 2.6 does.
type difference struct {
	Program string   // "basics/views"
	Fields  []string // of the record: "stdout", "graph", …
	Why     string
}

// programs are the programs of the corpus.
func programs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "programs", "*", "*.py"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	if testing.Short() {
		files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(filepath.Dir(f)) != "basics" })[:5]
	}
	return files
}

// nameOf is the name of a program in data: its folder and its own.
func nameOf(file string) string {
	return filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".py")
}

// TestProgramsDoWhatPyTorchDoes runs every program of the corpus on the engine and
// compares with what PyTorch 2.6 did (tools/record/corpus/record.py): output, warnings,
// the final exception, exit code, tensors and graphs. What differs is in
// differences.json, with the reason.
func TestProgramsDoWhatPyTorchDoes(t *testing.T) {
	t.Parallel()
	needPython(t)
	files := programs(t)
	for _, d := range differences(t) {
		found, _ := filepath.Glob(filepath.Join("testdata", "*", d.Program+".py"))
		if len(found) == 0 {
			t.Errorf("differences.json: there is no program %s", d.Program)
		}
	}
	for _, file := range files {
		t.Run(nameOf(file), func(t *testing.T) {
			t.Parallel()
			sameAsRecord(t, strings.TrimSuffix(file, ".py")+".json", runOnEngine(t, file))
		})
	}
}

// TestProgramsWithNumPyDoWhatPyTorchDoes is the same for programs that need NumPy.
func TestProgramsWithNumPyDoWhatPyTorchDoes(t *testing.T) {
	t.Parallel()
	environment := pythontest.WithNumPy()
	if environment == nil {
		t.Skip("no Python here has NumPy")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "numpy", "*.py"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(nameOf(file), func(t *testing.T) {
			t.Parallel()
			got := runOnEngine(t, file, environment...)
			sameAsRecord(t, strings.TrimSuffix(file, ".py")+".json", got)
		})
	}
}

// differences are those that are known.
func differences(t *testing.T) []difference {
	t.Helper()
	var known []difference
	readJSON(t, filepath.Join("testdata", "differences.json"), &known)
	return known
}

// sameAsRecord reports every difference from a record that is not a known one, and
// every known one that is none.
func sameAsRecord(t *testing.T, path string, got *record) {
	t.Helper()
	found := compare(readRecord(t, path), got, tolerance(t, path))
	name := nameOf(strings.TrimSuffix(path, ".json"))
	for _, d := range differences(t) {
		if d.Program != name {
			continue
		}
		for _, field := range d.Fields {
			if found[field] == "" {
				t.Errorf("differences.json lists the field %s, which is as in PyTorch now", field)
			}
			delete(found, field)
		}
	}
	for field, diff := range found {
		t.Errorf("%s is not PyTorch's (-want +got):\n%s", field, diff)
	}
}
