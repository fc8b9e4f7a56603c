package graph_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// resolved is a tape with all names spelled out, so that it can be compared with
// one that numbers them differently.
func resolved(t interface{ Fatal(...any) }, tape *graph.Tape, from graph.Pos) []string {
	var lines []string
	for p := from; p < tape.Len(); p++ {
		h, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%v t%d %v %s %s", h.Time, h.Thread, tape.Stack(h.Stack), e.Kind(), tape.EventText(nil, e)))
	}
	return lines
}

func TestAnySplitIntoBlocksGivesTheSameTape(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		copied := graph.NewTape(graph.Limits{})
		x, im := tape.NewExporter(), copied.NewImporter()
		for x.Next() < tape.Len() {
			block, n, err := x.AppendBlock(nil, rapid.IntRange(1, 40).Draw(t, "limit"))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := im.Append(block); err != nil || got != n {
				t.Fatal(got, n, err)
			}
		}
		if diff := cmp.Diff(text(t, tape), text(t, copied)); diff != "" {
			t.Fatal(diff)
		}
		if block, n, err := x.AppendBlock(nil, 1); len(block) != 0 || n != 0 || err != nil {
			t.Fatal("a block after the last event")
		}
	})
}

func TestImportingTranslatesStringsAndStacks(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		other := tapetest.WellFormed(t)
		other.InternString("only here")
		other.InternStack(graph.Stack{{File: "only here", Line: 1}})
		before := other.Len()
		start, _, _ := other.At(before - 1)
		viaBlocks(t, tape, other, rapid.IntRange(1, 40).Draw(t, "limit"))

		// Times of the source go on from the newest time of the tape.
		want := resolved(t, tape, 0)
		for p := range tape.Len() {
			h, e, _ := tape.At(p)
			want[p] = fmt.Sprintf("%v t%d %v %s %s", max(h.Time, start.Time), h.Thread, tape.Stack(h.Stack), e.Kind(), tape.EventText(nil, e))
		}
		if diff := cmp.Diff(want, resolved(t, other, before)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestTheImporterReportsEachEvent(t *testing.T) {
	tape, copied := tapetest.Recorded(1, 300), fewStrings()
	copied.Append(graph.Header{}, &graph.LineReached{})
	im := copied.NewImporter()
	var seen []string
	im.OnEvent = func(p graph.Pos, h graph.Header, e graph.Event) {
		if p != copied.Len()-1 {
			t.Errorf("event %d, but the tape has %d", p, copied.Len())
		}
		seen = append(seen, fmt.Sprintf("%v t%d %v %s %s", h.Time, h.Thread, copied.Stack(h.Stack), e.Kind(), copied.EventText(nil, e)))
	}
	block, _, _ := tape.NewExporter().AppendBlock(nil, 1000)
	if _, err := im.Append(block); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(resolved(t, tape, 0), seen); diff != "" {
		t.Error(diff)
	}
}

// Many strings and large events make blocks end early, so that a reader can
// bound them.
func TestBlocksStaySmall(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for i := range 30 {
		tape.InternString(fmt.Sprint(i, strings.Repeat("x", graph.MaxString)))
		tape.InternStack(make(graph.Stack, graph.MaxFrames-i))
	}
	stack := tape.InternStack(graph.Stack{{File: "a.py", Line: 3}})
	for range 2 {
		tape.Append(graph.Header{Stack: stack}, &graph.OutputWritten{Text: strings.Repeat("y", graph.MaxEventSize-100)})
	}
	copied := graph.NewTape(graph.Limits{})
	x, im := tape.NewExporter(), copied.NewImporter()
	blocks, events := 0, 0
	for x.Next() < tape.Len() {
		block, n, err := x.AppendBlock(nil, 1000)
		if err != nil || len(block) == 0 || len(block) > graph.MaxBlockSize {
			t.Fatal(len(block), err)
		}
		if _, err := im.Append(block); err != nil {
			t.Fatal(err)
		}
		blocks, events = blocks+1, events+n
	}
	if blocks < 5 || events != 2 || copied.Len() != 2 {
		t.Errorf("%d events in %d blocks", events, blocks)
	}
	for p := range tape.Len() {
		want, _, _ := tape.At(p)
		h, e, err := copied.At(p)
		if err != nil || h != want || len(e.(*graph.OutputWritten).Text) != graph.MaxEventSize-100 {
			t.Error(h, err)
		}
	}
	if copied.Stack(stack).Top().File != "a.py" {
		t.Error(copied.Stack(stack))
	}
}

func TestATruncatedBlockIsAnError(t *testing.T) {
	block, _, _ := tapetest.Recorded(2, 40).NewExporter().AppendBlock(nil, 1000)
	for n := range block {
		tape := graph.NewTape(graph.Limits{})
		if _, err := tape.NewImporter().Append(block[:n]); !errors.Is(err, graph.ErrBlock) {
			t.Fatalf("%d of %d bytes: %v", n, len(block), err)
		}
		checkUsable(t, tape)
	}
}

func TestADamagedBlockLeavesAUsableTape(t *testing.T) {
	block, _, _ := tapetest.Recorded(3, 30).NewExporter().AppendBlock(nil, 1000)
	for i := range block {
		for _, flip := range []byte{1 << (i % 8), 0xff} {
			block[i] ^= flip
			tape := graph.NewTape(graph.Limits{})
			if _, err := tape.NewImporter().Append(block); err != nil && !errors.Is(err, graph.ErrBlock) {
				t.Fatal(err)
			}
			checkUsable(t, tape)
			block[i] ^= flip
		}
	}
}

func TestBlocksOutOfOrderAreAnError(t *testing.T) {
	tape := tapetest.Recorded(4, 100)
	x := tape.NewExporter()
	first, _, _ := x.AppendBlock(nil, 50)
	second, _, _ := x.AppendBlock(nil, 50)
	im := graph.NewTape(graph.Limits{}).NewImporter()
	for _, block := range [][]byte{second, {}, make([]byte, graph.MaxBlockSize+1)} {
		if _, err := im.Append(block); !errors.Is(err, graph.ErrBlock) {
			t.Error(err)
		}
	}
	for i, block := range [][]byte{first, first, second} {
		if _, err := im.Append(block); (err != nil) != (i == 1) {
			t.Error(i, err)
		}
	}
}

// What a later version adds behind the events of a block is skipped.
func TestUnknownPartsOfABlockAreSkipped(t *testing.T) {
	tape, copied := tapetest.Recorded(5, 50), graph.NewTape(graph.Limits{})
	block, n, _ := tape.NewExporter().AppendBlock(nil, 1000)
	if got, err := copied.NewImporter().Append(append(block, "more"...)); err != nil || got != n {
		t.Error(got, err)
	}
}

// checkUsable reads, folds and validates whatever a tape holds.
func checkUsable(t interface{ Fatal(...any) }, tape *graph.Tape) {
	d := tape.NewDecoder()
	for p := range tape.Len() {
		if _, _, err := d.Read(p); err != nil {
			t.Fatal(err)
		}
	}
	c := tape.CursorAt(tape.Len())
	if err := c.Graph().Dump(io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := c.Seek(0); err != nil {
		t.Fatal(err)
	}
	graph.Validate(tape, 10)
}

// The documentation of the format has a writer in Python; this is what it writes.
func TestTheDocumentedWriterWritesABlock(t *testing.T) {
	block := []byte{0, 1, 0, 1, 0, 0, 2, 6, 28, 0, 0, 0, 1, 0, 7, 28, 0, 0, 244, 3, 2, 0}
	tape := graph.NewTape(graph.Limits{})
	if n, err := tape.NewImporter().Append(block); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if got, want := text(t, tape), "+0s iteration number=1\n+500ns iteration number=2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
