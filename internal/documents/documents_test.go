package documents_test

import (
	"flag"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/schemadoc"
)

var update = flag.Bool("update", false, "rewrite the reference and the schemas")

const docs = "../../docs/use/"

var (
	graphTypes   = []string{"graph.go"}
	readingTypes = []string{"stat.go", "explain.go", "diff.go", "ranks.go", "place.go"}
)

func TestTheReferencesAreUpToDate(t *testing.T) {
	schemadoc.Check(t, docs+"json.md", graphTypes, *update)
	schemadoc.Check(t, docs+"reading-commands.md", readingTypes, *update)
}

func TestTheSchemasAreUpToDate(t *testing.T) {
	for _, s := range []schemadoc.Schema{
		{Command: "check", Sources: []string{"check.go"}, Root: "report", List: true},
		{Command: "export", Sources: graphTypes, Root: "graph"},
		{Command: "stat", Sources: readingTypes, Root: "stat"},
		{Command: "explain", Sources: readingTypes, Root: "story"},
		{Command: "diff", Sources: readingTypes, Root: "diff"},
		{Command: "fix", Sources: []string{"fix.go"}, Root: "trials"},
		{Command: "ranks", Sources: readingTypes, Root: "ranks"},
	} {
		t.Run(s.Command, func(t *testing.T) { s.Check(t, docs, *update) })
	}
}
