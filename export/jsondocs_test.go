package export_test

import (
	"testing"

	"github.com/gradtui/gradtui/internal/schemadoc"
)

func TestTheJSONReferenceIsUpToDate(t *testing.T) {
	schemadoc.Check(t, "../docs/json.md", "jsonschema.go", *update)
}

func TestTheJSONSchemaIsUpToDate(t *testing.T) {
	schemadoc.Schema{Command: "export", Source: "jsonschema.go", Root: "graph"}.Check(t, "../docs", *update)
}
