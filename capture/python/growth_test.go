package python_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A look is what testdata/growth.py says is alive.
type look struct {
	Tensors, Rows, Blocks, Resident int
	Tables                          map[string]int
}

// TestRecordingKeepsNothingAlive trains for 1,000 iterations with views, changes in place,
// hooks, custom functions, checkpoints, second passes and errors. From iteration 200 on
// nothing grows: not the tensors, of which there are as many as without recording, not the
// tables of the recorder, not Python's memory, not the process.
func TestRecordingKeepsNothingAlive(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		source, err := os.ReadFile(filepath.Join("testdata", "growth.py"))
		if err != nil {
			t.Fatal(err)
		}
		tape, folder := r.recordSource(t, string(source)) // and runs it alone
		if tape.Len() < 100_000 {
			t.Errorf("only %d events", tape.Len())
		}
		var plain, recorded []look
		readJSON(t, filepath.Join(folder, "alone.json"), &plain)
		readJSON(t, filepath.Join(folder, "growth.json"), &recorded)
		early, middle, late, varied := recorded[0], recorded[1], recorded[2], recorded[3]
		if diff := cmp.Diff([]int{plain[0].Tensors, plain[0].Rows}, []int{early.Tensors, early.Rows}); diff != "" {
			t.Errorf("other tensors are alive (-without +with recording):\n%s", diff)
		}
		if diff := cmp.Diff(early, late, cmpopts.IgnoreFields(look{}, "Blocks", "Resident"), cmpopts.IgnoreMapEntries(isSawtooth)); diff != "" {
			t.Errorf("more is alive (-200 +1000 iterations):\n%s", diff)
		}
		if grown := late.Blocks - middle.Blocks; grown > 390 { // not one for each iteration
			t.Errorf("there are %d blocks of Python's memory more", grown)
		}
		if grown := late.Resident - middle.Resident; grown > 8<<20 { // 128 rows
			t.Errorf("the process has %d bytes more", grown)
		}
		for table, n := range varied.Tables {
			if n > max(2*early.Tables[table], 500) {
				t.Errorf("%s has %d entries after operations with other numbers each", table, n)
			}
		}
	})
}

// isSawtooth reports whether a table grows and is cut again and again.
func isSawtooth(table string, n int) bool { return table == "ranges of nodes" && n <= 256 }
