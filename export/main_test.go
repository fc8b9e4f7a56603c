package export_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) {
	graphviz.ChildMain()
	os.Exit(m.Run())
}

// write exports a graph to memory.
func write(t testing.TB, g *graph.Graph, format export.Format, opts export.Options) (string, *export.Report) {
	t.Helper()
	var b bytes.Buffer
	report, err := export.Write(context.Background(), &b, g, format, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), report
}

// parse folds a tape in text form.
func parse(t testing.TB, text string) *graph.Graph {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := tape.ReadText(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return folded(t, tape)
}

// folded is the graph at the end of a tape, which has to be in order.
func folded(t testing.TB, tape *graph.Tape) *graph.Graph {
	t.Helper()
	for _, p := range graph.Validate(tape, 5) {
		t.Error(p)
	}
	return tape.CursorAt(tape.Len()).Graph()
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	goldenfile.Check(t, filepath.Join("testdata", name), got, *update)
}
