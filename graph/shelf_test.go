package graph_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

func TestATapeThatIsNotInMemoryReadsTheSame(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		want := text(t, tape)
		graph.PutAway(tape)
		if got := text(t, tape); got != want {
			t.Fatal(cmp.Diff(want, got))
		}
		d := tape.NewDecoder()
		for range min(20, tape.Len()) {
			p := graph.Pos(rapid.IntRange(0, int(tape.Len())-1).Draw(t, "position"))
			wantHeader, want, _ := tape.At(p)
			if h, e, err := d.Read(p); err != nil || h != wantHeader || e.Kind() != want.Kind() {
				t.Fatalf("event %d: %+v, %v, %v; want %+v, %v", p, h, e, err, wantHeader, want)
			}
		}
	})
}

// longTape has several chunks, of which only the newest is in memory.
func longTape(events graph.Pos) *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	graph.PutAway(tape)
	engine := tapetest.NewEngine(tape)
	th := engine.NewThread(0, tapetest.NewRandom(1))
	for tape.Len() < events {
		th.Step()
	}
	th.Finish()
	return tape
}

func TestATapeGrowsWhileItsBeginningIsNotInMemory(t *testing.T) {
	tape := longTape(6000)
	if p := graph.Validate(tape, 1); len(p) > 0 {
		t.Error(p)
	}
	if !graph.LoseFile(tape) {
		t.Error("nothing was put away")
	}
}

func TestWithoutATemporaryFileATapeIsCompressedInMemory(t *testing.T) {
	want := text(t, longTape(6000))
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	tape := longTape(6000)
	if graph.LoseFile(tape) {
		t.Fatal("there is a file")
	}
	if got := text(t, tape); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// What cannot be read is an error, as a damaged event is; a cursor goes on behind it.
func TestAnEventWhoseFileIsLostIsAnError(t *testing.T) {
	tape := longTape(6000)
	c := graph.NewCursor(tape)
	c.Seek(tape.Len())
	graph.LoseFile(tape)
	if _, _, err := tape.At(0); err == nil {
		t.Error("it was read")
	}
	if err := c.Seek(0); err != nil || c.Pos() != 0 {
		t.Errorf("at %d: %v", c.Pos(), err)
	}
	c.Seek(tape.Len())
	for range c.Graph().Tensors() {
	}
	for range c.Graph().Nodes() {
	}
	graph.Validate(tape, 10)
}
