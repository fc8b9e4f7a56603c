package export

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// Spread is the spread of the unreduced graph of the default roots.
func Spread(t testing.TB, g *graph.Graph) int {
	s, err := selectGraph(g, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	return (&plan{selection: s}).spread()
}

// Label makes a name fit for a picture.
func Label(name string) string { return label(name, maxLabel) }
