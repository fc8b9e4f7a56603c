package ui

import (
	"io"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// RunLines gives lines to the debugger of package linear, which tests of this package
// cannot import; lines_test.go sets it.
var RunLines func(t testing.TB, o Options, lines []string, out io.Writer)

// Recorded returns the tape of an example.
func Recorded(t testing.TB, name string) *graph.Tape { return recorded(t, name) }

// SelectedAfter returns the selections, in words, that keys on the screen lead to.
func SelectedAfter(t testing.TB, tape *graph.Tape, keys ...string) (words []string) {
	d := open(t, tape, 100, 50)
	before := any(selection{})
	for _, key := range append([]string{""}, keys...) {
		if key != "" {
			d.Press(key)
		}
		selected, text := d.Selected()
		if text != "" && selected != before {
			words = append(words, text)
		}
		before = selected
	}
	return words
}
