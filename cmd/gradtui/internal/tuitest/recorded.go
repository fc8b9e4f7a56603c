package tuitest

import (
	"io"
	"testing"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
)

// Recorded returns the tape of a built-in example, with its source.
func Recorded(t testing.TB, name string) *graph.Tape {
	t.Helper()
	e, ok := examples.Find(name)
	if !ok {
		t.Fatal("there is no example", name)
	}
	tape := graph.NewTape(graph.Limits{})
	err := capture.Local(tape, nil, nil, func() error { return e.Run(io.Discard) })
	if err != nil && !e.Fails {
		t.Fatal(err)
	}
	return tape
}
