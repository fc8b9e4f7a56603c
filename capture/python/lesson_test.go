package python_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLongerProgramsDoWhatPyTorchDoes runs two programs that others wrote for
// PyTorch. The output of the first, lesson.out, was recorded independently as well.
func TestLongerProgramsDoWhatPyTorchDoes(t *testing.T) {
	t.Parallel()
	needPython(t)
	if testing.Short() {
		t.Skip("runs long programs")
	}
	for _, name := range []string{"lesson", "nenwin"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "lesson", name)
			got := runOnEngine(t, file+".py")
			sameAsRecord(t, file+".json", got)
			if name != "lesson" {
				return
			}
			out, err := os.ReadFile(file + ".out")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(out), "\n"), got.Stdout); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}
