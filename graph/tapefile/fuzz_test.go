package tapefile_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// FuzzOpen reads any file at all. It gives a tape that can be used, or one of the
// documented errors, within the memory that it was given.
func FuzzOpen(f *testing.F) {
	for seed := range uint64(3) {
		data := written(f, tapetest.Recorded(seed, 60), 25)
		f.Add(data, false)
		f.Add(data, true)
		f.Add(data[:len(data)-20], true)
		f.Add(data[:len(data)/2], true)
		f.Add(textForm(f, tapetest.Recorded(seed, 30)), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, repair bool) {
		if repair {
			data = tapefile.Repair(data)
		}
		const limit = 1 << 20
		tape, report, err := tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{MaxBytes: limit})
		if !isDocumented(err) {
			t.Fatal(err)
		}
		if tape == nil {
			if err == nil || report != nil {
				t.Fatal("no tape and no error")
			}
			return
		}
		if report.Damage != nil && !errors.Is(report.Damage, tapefile.ErrDamaged) {
			t.Fatal(report.Damage)
		}
		if tape.Size() > limit+graph.MaxEventSize || report.Events != int(tape.Len()) || report.Ignored > int64(len(data)) {
			t.Fatalf("%d bytes, %+v", tape.Size(), report)
		}
		d := tape.NewDecoder()
		for p := range tape.Len() {
			if _, _, err := d.Read(p); err != nil {
				t.Fatal(err)
			}
		}
		tape.CursorAt(tape.Len()).Seek(0)

		again, report, err := read(written(t, tape, 25))
		if err != nil || report.Rebuilt || report.Ignored != 0 {
			t.Fatal(report, err)
		}
		sameTape(t, tape, again)
	})
}

// FuzzStat reads the index of any file.
func FuzzStat(f *testing.F) {
	for seed := range uint64(3) {
		data := written(f, tapetest.Recorded(seed, 60), 25)
		f.Add(data)
		f.Add(data[:len(data)-20])
	}
	path := filepath.Join(f.TempDir(), "fuzz.tape")
	f.Fuzz(func(t *testing.T, data []byte) {
		data = tapefile.Repair(data)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := tapefile.Stat(path, tapefile.Options{}); !isDocumented(err) {
			t.Fatal(err)
		}
		if _, err := tapefile.Verify(path, tapefile.Options{MaxBytes: 1 << 20}); !isDocumented(err) {
			t.Fatal(err)
		}
	})
}
