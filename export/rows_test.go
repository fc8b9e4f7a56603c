package export_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
)

// sequence is a network of linear layers, each a module of its own.
func sequence(layers int) (m *maker, last value) {
	m = newMaker()
	x := m.data("x", 4, 8)
	m.in("", "Sequential", func() {
		for i := range layers {
			path := fmt.Sprint(i)
			x = m.linear(path, x, m.leaf(path+".weight", 8, 8), m.leaf(path+".bias", 8))
		}
	})
	return m, x
}

// drawing is the layout of the DOT text of a graph.
func drawing(t *testing.T, g *graph.Graph, opts export.Options) *graphviz.Drawing {
	t.Helper()
	text, _ := write(t, g, export.DOT, opts)
	d, err := graphviz.Layout(t.Context(), []byte(text), graphviz.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// labelled are the clusters whose label has a text in it, from the top to the
// bottom.
func labelled(d *graphviz.Drawing, text string) []graphviz.Cluster {
	var list []graphviz.Cluster
	for _, c := range d.Clusters {
		if len(c.Label) > 0 && strings.Contains(c.Label[0].String, text) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b graphviz.Cluster) int { return cmp.Compare(a.Center.Y, b.Center.Y) })
	return list
}

// Parameters need no input, but the call of a layer still begins below the one
// that it gets its input from: side by side, calls would be a staircase.
func TestCallsInARowAreOneBelowTheOther(t *testing.T) {
	m, _ := sequence(12)
	d := drawing(t, m.graph(t), export.Options{Attrs: true}) // draws calls of layers
	calls := labelled(d, "(Linear)")
	if len(calls) != 12 {
		t.Fatalf("%d calls", len(calls))
	}
	for i, c := range calls[1:] {
		if above := calls[i]; above.Center.Y+above.Height/2 > c.Center.Y-c.Height/2 {
			t.Errorf("call %d ends at %.0f, call %d begins at %.0f", i, above.Center.Y+above.Height/2, i+1, c.Center.Y-c.Height/2)
		}
	}
	if d.Width > 3*calls[0].Width {
		t.Errorf("the picture is %.0f wide for calls of %.0f", d.Width, calls[0].Width)
	}
}
