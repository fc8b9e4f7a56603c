package python_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestCorrectProgramsHaveNoFindings checks programs whose tapes differ between the engines: PyTorch
// copies a tensor with set_, assigns to a part of one in one operation and adds up gradients in place.
func TestCorrectProgramsHaveNoFindings(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, r *release) {
		for _, name := range []string{
			"columns_written_beside_saved_ones", "ema_of_a_copied_module", "solution_filled_row_by_row", "time_of_a_simulation",
		} {
			archive, err := txtar.ParseFile(filepath.Join("..", "..", "inspect", "rules", "testdata", "clean", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			tape, _ := r.recordSource(t, string(archive.Files[0].Data))
			if found := findingsOf(tape); found != nil {
				t.Errorf("%s: %q", name, found)
			}
		}
	})
}
