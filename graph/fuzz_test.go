package graph_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// FuzzImport reads two damaged blocks in a row. Whatever they hold, the tape
// stays usable, takes memory in proportion to the input, and can be exported.
func FuzzImport(f *testing.F) {
	for seed := range uint64(4) {
		x := tapetest.Recorded(seed, 120).NewExporter()
		first, _, _ := x.AppendBlock(nil, 80)
		second, _, _ := x.AppendBlock(nil, 80)
		f.Add(first, second)
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		const limit = 1 << 20
		tape := graph.NewTape(graph.Limits{Bytes: limit})
		im := tape.NewImporter()
		for _, block := range [][]byte{first, second} {
			if _, err := im.Append(block); err != nil && !errors.Is(err, graph.ErrBlock) {
				t.Fatal(err)
			}
		}
		if size := tape.Size(); size > limit+graph.MaxEventSize || size > 128*int64(len(first)+len(second))+1000 {
			t.Fatalf("%d bytes from %d", size, len(first)+len(second))
		}
		checkUsable(t, tape)
		if copied := viaBlocks(t, tape, graph.NewTape(graph.Limits{}), 7); text(t, copied) != text(t, tape) {
			t.Fatal("the exported tape differs")
		}
	})
}

// FuzzReadText reads a damaged tape in text form; what could be read converts
// back and forth.
func FuzzReadText(f *testing.F) {
	for seed := range uint64(4) {
		f.Add([]byte(text(f, tapetest.Recorded(seed, 120))))
	}
	stories, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range stories {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tape := graph.NewTape(graph.Limits{Bytes: 1 << 20})
		tape.ReadText(bytes.NewReader(data))
		checkUsable(t, tape)
		written := text(t, tape)
		copied := graph.NewTape(graph.Limits{})
		if err := copied.ReadText(bytes.NewReader([]byte(written))); err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if again := text(t, copied); again != written {
			t.Fatalf("got\n%s\nwant\n%s", again, written)
		}
	})
}
