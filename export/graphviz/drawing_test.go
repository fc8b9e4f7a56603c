package graphviz

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

// What Graphviz 12.1.2 writes for a small graph, lines shortened.
const smallLayout = `digraph small {
	graph [_draw_="c 9 -#fffffe00 C 7 -#f8f8ff P 4 0 0 0 200 100 200 100 0 ",
		_ldraw_="F 14 11 -Times-Roman c 7 -#000000 T 50 8 0 30 5 -small ",
		bb="10,20,110,220", bgcolor=ghostwhite, dpi=144, size="2,3!", pad="0.5,0.25"];
	node [label="\N", shape=box];
	subgraph cluster_0 {
		graph [_draw_="c 7 -#0000ff p 4 20 30 20 100 100 100 100 30 ",
			_ldraw_="F 12 7 -Courier c 7 -#000000 T 22 90 -1 20 3 -box ",
			bb="20,30,100,100", label=box];
		b	[_draw_="S 6 -dashed c 7 -#ff0000 C 7 -#ffa500 P 4 60 40 40 40 40 60 60 60 ",
			_ldraw_="F 10 7 -Courier c 7 -#000000 T 58 50 1 12 2 -b1 F 10 7 -Courier c 7 -#000000 T 58 40 1 12 2 -b2 ",
			height=0.5, pos="50,50", style="filled,dashed", width=0.75];
	}
	a	[_draw_="c 7 -#000000 e 50 200 27 18 ", height=0.5, pos="50,200", shape=ellipse, width=0.75];
	a -> b	[_draw_="c 7 -#00ff00 B 4 50 182 50 150 50 100 50 78 ",
		_hdraw_="S 5 -solid c 7 -#00ff00 C 7 -#00ff00 P 3 53 78 50 68 47 78 ",
		_ldraw_="F 14 11 -Times-Roman c 7 -#000000 T 60 120 0 10 1 -e ",
		arrowtail=dot, dir=both, lp="60,120", pos="s,50,182 e,50,68 50,176 50,150 50,100 50,78", style=bold];
}
`

func TestDecode(t *testing.T) {
	got, err := decode([]byte(smallLayout))
	if err != nil {
		t.Fatal(err)
	}
	black, courier := color.NRGBA{A: 255}, xdot.Font{Name: "Courier", Size: 10}
	times := xdot.Font{Name: "Times-Roman", Size: 14}
	want := &Drawing{
		Name: "small", Directed: true,
		Width: 100, Height: 200,
		Background: color.NRGBA{0xf8, 0xf8, 0xff, 0xff},
		Pad:        xdot.Point{X: 36, Y: 18},
		MaxSize:    xdot.Point{X: 144, Y: 216}, Fill: true,
		DPI:   144,
		Label: []*xdot.Text{{String: "small", At: xdot.Point{X: 40, Y: 212}, Width: 30, Font: times, Color: black}},
		Clusters: []Cluster{{
			Name: "cluster_0", Center: xdot.Point{X: 50, Y: 155}, Width: 80, Height: 70,
			Line: color.NRGBA{B: 255, A: 255},
			Label: []*xdot.Text{{
				String: "box", At: xdot.Point{X: 12, Y: 130}, Width: 20, Align: xdot.Left,
				Font: xdot.Font{Name: "Courier", Size: 12}, Color: black,
			}},
		}},
		Nodes: []Node{
			{
				Name: "b", Center: xdot.Point{X: 40, Y: 170}, Width: 54, Height: 36, Shape: "box", Style: "filled,dashed",
				Line: color.NRGBA{R: 255, A: 255}, Fill: color.NRGBA{255, 165, 0, 255},
				Label: []*xdot.Text{
					{String: "b1", At: xdot.Point{X: 48, Y: 170}, Width: 12, Align: xdot.Right, Font: courier, Color: black},
					{String: "b2", At: xdot.Point{X: 48, Y: 180}, Width: 12, Align: xdot.Right, Font: courier, Color: black},
				},
			},
			{Name: "a", Center: xdot.Point{X: 40, Y: 20}, Width: 54, Height: 36, Shape: "ellipse", Line: black},
		},
		Edges: []Edge{{
			Tail: "a", Head: "b",
			Curves:    [][]xdot.Point{{{X: 40, Y: 44}, {X: 40, Y: 70}, {X: 40, Y: 120}, {X: 40, Y: 142}}},
			TailArrow: &Arrow{Shape: "dot", Tip: xdot.Point{X: 40, Y: 38}},
			HeadArrow: &Arrow{Shape: "normal", Tip: xdot.Point{X: 40, Y: 152}},
			Style:     "bold", Line: color.NRGBA{G: 255, A: 255},
			Label: []*xdot.Text{{String: "e", At: xdot.Point{X: 50, Y: 100}, Width: 10, Font: times, Color: black}},
		}},
	}
	opts := cmp.Options{
		cmpopts.IgnoreUnexported(Drawing{}),
		cmpopts.IgnoreFields(Cluster{}, "Ops"), cmpopts.IgnoreFields(Node{}, "Ops"), cmpopts.IgnoreFields(Edge{}, "Ops"),
	}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		t.Errorf("drawing (-want +got):\n%s", diff)
	}
	if n := len(got.Edges[0].Ops); n != 3 {
		t.Errorf("the edge has %d operations, want a curve, an arrow and a label", n)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"digraph {", "unexpected end"},
		{"digraph { }", "without a bounding box"},
		{`digraph { bb="0,0,1,1" a }`, `node "a" without a position`},
		{`digraph { bb="0,0,1,1" a [pos="1,1"] }`, `node "a" without a size`},
		{`digraph { bb="0,0,NaN,1" }`, "without a bounding box"},
		{`digraph { bb="0,0,1,1" a [pos="1,1" width=1 height=1 _draw_="Z"] }`, "unknown operation"},
		{`digraph { bb="0,0,1,1" a [pos="1,1" width=1 height=1] a -> a [pos="e,1"] }`, `bad position "e,1"`},
	} {
		if _, err := decode([]byte(tc.in)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %s", tc.in, err, tc.want)
		}
	}
}

// What is on the page is within it, whatever the layout engine.
func TestLayoutsStayOnThePage(t *testing.T) {
	for _, engine := range []string{"dot", "neato", "circo", "fdp", "twopi"} {
		d := mustLayout(t, `graph { layout=`+engine+`; a -- b -- c -- d -- a; a -- c; subgraph cluster_x { c; d } }`)
		if len(d.Nodes) != 4 || len(d.Edges) != 5 {
			t.Errorf("%s: %d nodes, %d edges", engine, len(d.Nodes), len(d.Edges))
		}
		for _, n := range d.Nodes {
			if x, y := n.Center.X, n.Center.Y; math.Min(x, y) < 0 || x > d.Width || y > d.Height {
				t.Errorf("%s: node %s at %v on a page of %g x %g", engine, n.Name, n.Center, d.Width, d.Height)
			}
		}
		drawPNG(t, d, PNGOptions{})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(smallLayout))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := decode(text)
		if err != nil {
			return
		}
		if _, err := d.WritePNG(t.Context(), discard{}, PNGOptions{MaxPixels: 10_000}); err != nil {
			t.Error(err)
		}
	})
}
