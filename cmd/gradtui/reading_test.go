package main

import (
	"testing"

	"github.com/gradtui/gradtui/internal/schemadoc"
)

func TestTheReferenceOfTheReadingCommandsIsUpToDate(t *testing.T) {
	schemadoc.Check(t, "../../docs/reading-commands.md", "readingjson.go", *update)
}
