package python_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

// TestTensorsLiveOnTheTapeAsLongAsInTheProgram compares how many tensors the tape has with how
// many Python has. PyTorch keeps the Python objects of saved tensors as long as their graph, so there
// the numbers are compared when the results are dropped.
func TestTensorsLiveOnTheTapeAsLongAsInTheProgram(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "living.py"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("builtin", func(t *testing.T) {
		needPython(t)
		program := filepath.Join(t.TempDir(), "program.py")
		if err := os.WriteFile(program, source, 0o600); err != nil {
			t.Fatal(err)
		}
		run, err := (&python.Program{Path: program, Choice: pythontest.Choice(), Engine: python.Builtin}).Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		compareLiving(t, run.Tape, filepath.Dir(program), false)
	})
	eachRelease(t, func(t *testing.T, r *release) {
		tape, folder := r.recordSource(t, string(source))
		compareLiving(t, tape, folder, true)
	})
}

func compareLiving(t *testing.T, tape *graph.Tape, folder string, onlyDropped bool) {
	t.Helper()
	type living struct {
		After   string
		Dropped bool
		Tensors int
	}
	var marks, want, got []living
	readJSON(t, filepath.Join(folder, "living.json"), &marks)
	seen, alive := 0, map[graph.TensorID]bool{}
	for p := range tape.Len() {
		_, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case *graph.TensorCreated:
			if slices.Equal(e.Shape, []int{97}) && seen < len(marks) {
				if m := marks[seen]; m.Dropped || !onlyDropped {
					want, got = append(want, m), append(got, living{m.After, m.Dropped, len(alive)})
				}
				seen++
			}
			if e.Flags&graph.FlagNumber == 0 {
				alive[e.Tensor] = true
			}
		case *graph.TensorReleased:
			delete(alive, e.Tensor)
		}
	}
	if seen < len(marks) {
		t.Errorf("%d of %d marks are on the tape", seen, len(marks))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Python's +the tape's):\n%s", diff)
	}
}
