package export_test

import (
	"testing"

	"github.com/gradtui/gradtui/internal/schemadoc"
)

func TestTheJSONReferenceIsUpToDate(t *testing.T) {
	schemadoc.Check(t, "../docs/json.md", "jsonschema.go", *update)
}
