package export_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
)

func TestColumnsAreWrittenAsClusters(t *testing.T) {
	m, _ := sequence(6)
	text, report := write(t, m.graph(t), export.DOT, export.Options{Columns: 3, Attrs: true})
	golden(t, "full/columns.dot", text)
	if report.Columns != 3 {
		t.Errorf("%d columns", report.Columns)
	}
}

// A tall picture has the shape of a page: its columns stand side by side in their
// order, all from the top.
func TestATallPictureGoesInColumns(t *testing.T) {
	deep, _ := net(12)
	linear, _ := sequence(30)
	for name, m := range map[string]*maker{"blocks": deep, "layers": linear} {
		t.Run(name, func(t *testing.T) {
			g := m.graph(t)
			one := drawing(t, g, export.Options{Columns: 1})
			if one.Height < 2*one.Width {
				t.Fatalf("one column is %.0f x %.0f, which is not tall", one.Width, one.Height)
			}
			_, report := write(t, g, export.SVG, export.Options{})
			if report.Columns < 2 {
				t.Fatalf("%d columns for %.0f x %.0f", report.Columns, one.Width, one.Height)
			}
			picture, inPNG := write(t, g, export.PNG, export.Options{})
			if inPNG.Columns != report.Columns || inPNG.Drawn != report.Drawn || picture == "" {
				t.Errorf("an SVG has %d columns with %d boxes, a PNG %d with %d", report.Columns, report.Drawn, inPNG.Columns, inPNG.Drawn)
			}
			size := inPNG.Picture
			if size.Height > 2*size.Width || size.Width > 2*size.Height {
				t.Errorf("in %d columns it is %d x %d", report.Columns, size.Width, size.Height)
			}
			inOrder(t, drawing(t, g, export.Options{Columns: report.Columns}))
		})
	}
}

// inOrder checks that columns stand in their order, none where another belongs.
func inOrder(t *testing.T, d *graphviz.Drawing) {
	t.Helper()
	left := map[string]float64{}
	right := map[string]float64{}
	for _, c := range d.Clusters {
		left[c.Name], right[c.Name] = c.Center.X-c.Width/2, c.Center.X+c.Width/2
	}
	last := "cluster_column1"
	for _, n := range strings.Fields("2 3 4 5 6 7 8 9") {
		name := "cluster_column" + n
		if _, ok := left[name]; !ok {
			break
		}
		if left[name] < right[last] {
			t.Errorf("%s begins at %.0f, %s ends at %.0f", name, left[name], last, right[last])
		}
		last = name
	}
	if last == "cluster_column1" {
		t.Error("there is one column")
	}
}

// What is not tall, is for other tools, or is torchviz's stays in one column.
func TestPicturesInOneColumn(t *testing.T) {
	small, _ := mlp()
	tall, _ := chain(150)
	for _, c := range []struct {
		name   string
		m      *maker
		format export.Format
		opts   export.Options
	}{
		{"a small graph", small, export.SVG, export.Options{}},
		{"DOT", tall, export.DOT, export.Options{}},
		{"one is asked for", tall, export.SVG, export.Options{Columns: 1}},
		{"torchviz", tall, export.DOT, export.Options{Columns: 4, Style: export.Torchviz}},
	} {
		text, report := write(t, c.m.graph(t), c.format, c.opts)
		if report.Columns > 1 || strings.Contains(text, "column") || strings.Contains(text, "constraint") {
			t.Errorf("%s: %d columns", c.name, report.Columns)
		}
	}
}

// Whatever the graph and the number of columns, every box is drawn once, and every
// arrow joins two boxes.
func TestColumnsHoldTheWholeGraph(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := randomGraph(rt).graph(t)
		text, report := write(t, g, export.DOT, export.Options{Columns: rapid.IntRange(2, 6).Draw(rt, "columns")})
		one, _ := write(t, g, export.DOT, export.Options{Columns: 1})
		boxes, arrows := statements(text)
		arrows = slices.DeleteFunc(arrows, func(a [2]string) bool { return strings.HasPrefix(a[0], "column") })
		wantBoxes, wantArrows := statements(one)
		if diff := cmp.Diff(wantBoxes, boxes); diff != "" {
			rt.Error(diff)
		}
		if diff := cmp.Diff(wantArrows, arrows); diff != "" {
			rt.Error(diff)
		}
		if n := strings.Count(text, "[label=<<TABLE"); n != report.Drawn {
			rt.Errorf("%d boxes are written, reported %d", n, report.Drawn)
		}
	})
}
