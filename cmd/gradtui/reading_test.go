package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/jsontext"
	"github.com/gradtui/gradtui/internal/testing/schemadoc"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

const docs = "../../docs/use/"

// follow checks that a document is one of its schema.
func follow(t *testing.T, command string, document any) {
	t.Helper()
	text, err := jsontext.Marshal(document)
	if err == nil {
		err = schemadoc.Validate(docs+command+".schema.json", string(text))
	}
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", command, err, text)
	}
}

// followAll checks the documents of two tapes, and of their tensors.
func followAll(t *testing.T, a, b *graph.Tape) {
	t.Helper()
	stat, other := usage.Measure(a, a.Len()), usage.Measure(b, b.Len())
	follow(t, "stat", statDocument(a, stat, nil, nil))
	follow(t, "stat", statDocument(b, other, stat, nil))
	follow(t, "diff", diffDocument("a.tape", "b.tape", compare.Parts(compare.Part{Tape: a, To: a.Len()}, compare.Part{Tape: b, To: b.Len()})))
	ranks := []*graph.Tape{a, b}
	for rank, tape := range ranks {
		info := tape.Info()
		info.Rank, info.WorldSize = rank, len(ranks)
		tape.SetInfo(info)
	}
	follow(t, "ranks", ranksDocument(compare.Ranks(ranks)))
	h := inspect.NewHistory(a, inspect.Options{})
	for id := range graph.TensorID(min(a.CursorAt(a.Len()).Graph().TensorCount(), 40)) {
		if story, ok := story.Of(h, id+1); ok {
			follow(t, "explain", storyDocument(story))
		}
	}
}

func TestTheDocumentsOfTapesOfPyTorchFollowTheirSchemas(t *testing.T) {
	files, err := filepath.Glob("../../export/testdata/torchviz-2.6/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tapes (%v)", err)
	}
	var last *graph.Tape
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "tape" })
		tape := graph.NewTape(graph.Limits{})
		if err := tape.ReadText(bytes.NewReader(archive.Files[i].Data)); err != nil {
			t.Fatal(err)
		}
		if last != nil {
			followAll(t, tape, last)
		}
		last = tape
	}
}

func TestTheDocumentsOfTheExamplesFollowTheirSchemas(t *testing.T) {
	var last *graph.Tape
	for _, e := range examples.All {
		tape := graph.NewTape(graph.Limits{})
		program := launch.Program{Name: e.Name, Example: true, Stdout: io.Discard, Stderr: io.Discard}
		if _, err := program.Run(t.Context(), tape); err != nil {
			t.Fatal(err)
		}
		if last != nil {
			followAll(t, tape, last)
		}
		last = tape
	}
}

func TestTheDocumentsOfAnyTapeFollowTheirSchemas(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		followAll(t, tapetest.Hostile(r), tapetest.WellFormed(r))
	})
}

// What is added in each turn may be of another line each time.
func TestGrowthWithoutASteadyLineFollowsItsSchema(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	follow(t, "stat", statDocument(tape, &usage.Stat{Growth: &usage.Growth{From: 2, To: 7}}, nil, nil))
}
