package graphviz

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/export/graphviz/xdot"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// The tests of this file compare with the dot program. They are skipped where
// it is not installed, unless GRADTUI_REQUIRE names it.

// native runs dot.
func native(t testing.TB, dot string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), require.Command(t, "dot"), args...)
	cmd.Stdin = strings.NewReader(dot)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("dot: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return out
}

// The shares of the pixels by which our PNG may differ from dot's. The graphs
// of torchviz come out without a single different pixel, the collection of
// styles has gradients and superscripts.
const (
	maxDifferent       = 0.0003
	maxDifferentStyles = 0.002
)

// From the same layout, our PNG and dot's are the same picture: same size, and
// the same pixels except where the letters are, which are of another font, and
// for a shade along the edges of shapes.
func TestPNGEqualsThatOfDot(t *testing.T) {
	for name, dot := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			want, d := nativeDrawing(t, string(dot))
			got, size := drawPNG(t, d, PNGOptions{})
			if g, w := got.Bounds().Size(), want.Bounds().Size(); abs(g.X-w.X) > 1 || abs(g.Y-w.Y) > 1 {
				t.Fatalf("size %v, want %v", g, w)
			}
			limit := maxDifferent
			if name == "styles" {
				limit = maxDifferentStyles
			}
			if share := differentPixels(got, want, textAreas(d, size)); share > limit {
				t.Errorf("share of different pixels %.5f, want at most %.5f", share, limit)
			}
		})
	}
}

// The comparison is worth something: it fails on what go-graphviz draws, which
// has no outlines, and curves filled with black.
func TestComparisonNoticesWrongPictures(t *testing.T) {
	dot := string(goldens(t)["shared.saved"])
	for name, spoil := range map[string]func(*Drawing){
		"boxes without outlines": func(d *Drawing) {
			for _, n := range d.Nodes {
				n.Ops[0].(*xdot.Shape).Pen.Line = xdot.Invisible
			}
		},
		"filled curves": func(d *Drawing) {
			for _, e := range d.Edges {
				e.Ops[0].(*xdot.Shape).Filled = true
			}
		},
		"one edge missing": func(d *Drawing) { d.Edges[0].Ops = nil },
	} {
		want, d := nativeDrawing(t, dot)
		spoil(d)
		got, size := drawPNG(t, d, PNGOptions{})
		if share := differentPixels(got, want, textAreas(d, size)); share <= maxDifferent {
			t.Errorf("%s: share of different pixels %.5f, want more than %.5f", name, share, maxDifferent)
		}
	}
}

// nativeDrawing returns dot's picture of a graph and the layout behind it.
func nativeDrawing(t *testing.T, dot string) (image.Image, *Drawing) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(native(t, dot, "-Tpng")))
	if err != nil {
		t.Fatal(err)
	}
	d, err := decode(native(t, dot, "-Txdot"))
	if err != nil {
		t.Fatal(err)
	}
	return img, d
}

func abs(n int) int { return max(n, -n) }

// differentPixels returns the share of the pixels outside the areas that,
// in one picture, are clearly unlike all those about the same place in the
// other.
func differentPixels(a, b image.Image, areas []image.Rectangle) float64 {
	p, q := pixels(a), pixels(b)
	for _, r := range areas { // make them equal
		draw.Draw(p, r, image.Black, image.Point{}, draw.Src)
		draw.Draw(q, r, image.Black, image.Point{}, draw.Src)
	}
	different := 0
	// dot leaves the last row and column half transparent.
	size := p.Rect.Size().Sub(image.Pt(1, 1))
	for y := range size.Y {
		for x := range size.X {
			if unlike(p.RGBAAt(x, y), q.RGBAAt(x, y)) && (!similarNearby(p, q, x, y) || !similarNearby(q, p, x, y)) {
				different++
			}
		}
	}
	return float64(different) / float64(size.X*size.Y)
}

// pixels returns a copy of a picture in a form that is fast to read.
func pixels(img image.Image) *image.RGBA {
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	return out
}

func similarNearby(a, b *image.RGBA, x, y int) bool {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if !unlike(a.RGBAAt(x, y), b.RGBAAt(x+dx, y+dy)) {
				return true
			}
		}
	}
	return false
}

func unlike(a, b color.RGBA) bool {
	far := func(v, w uint8) bool { return abs(int(v)-int(w)) > 48 }
	return far(a.R, b.R) || far(a.G, b.G) || far(a.B, b.B)
}

// textAreas returns where a picture has text.
func textAreas(d *Drawing, size PNGSize) []image.Rectangle {
	var out []image.Rectangle
	add := func(texts []*xdot.Text) {
		for _, t := range texts {
			left := t.At.X - t.Width*float64(t.Align+1)/2
			x0, y0 := toPixel(d, size, xdot.Point{X: left, Y: t.At.Y - t.Font.Size})
			x1, y1 := toPixel(d, size, xdot.Point{X: left + t.Width, Y: t.At.Y + t.Font.Size*0.4})
			out = append(out, image.Rect(int(x0)-3, int(y0), int(x1)+4, int(y1)+1))
		}
	}
	add(d.Label)
	for _, c := range d.Clusters {
		add(c.Label)
	}
	for _, n := range d.Nodes {
		add(n.Label)
	}
	for _, e := range d.Edges {
		add(e.Label)
	}
	return out
}

// The embedded Graphviz and the installed one are of different versions and
// measure text differently, but agree on what is above and beside what.
func TestLayoutAgreesWithDot(t *testing.T) {
	for name, dot := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			theirs, err := decode(native(t, string(dot), "-Txdot"))
			if err != nil {
				t.Fatal(err)
			}
			ours := mustLayout(t, string(dot))
			if diff := gocmp.Diff(ranks(theirs), ranks(ours)); diff != "" {
				t.Errorf("ranks, each from left to right (-dot +ours):\n%s", diff)
			}
			if diff := gocmp.Diff(ends(theirs), ends(ours)); diff != "" {
				t.Errorf("edges (-dot +ours):\n%s", diff)
			}
			for _, side := range [][2]float64{{theirs.Width, ours.Width}, {theirs.Height, ours.Height}} {
				if math.Abs(side[0]-side[1]) > 0.2*side[0] {
					t.Errorf("size %.0f x %.0f, want about %.0f x %.0f", ours.Width, ours.Height, theirs.Width, theirs.Height)
				}
			}
		})
	}
}

// ranks returns the names of the nodes row by row, from the top and the left.
func ranks(d *Drawing) [][]string {
	nodes := slices.Clone(d.Nodes)
	slices.SortFunc(nodes, func(a, b Node) int {
		return cmp.Or(cmp.Compare(math.Round(a.Center.Y), math.Round(b.Center.Y)), cmp.Compare(a.Center.X, b.Center.X))
	})
	var out [][]string
	for i, n := range nodes {
		if i == 0 || n.Center.Y-nodes[i-1].Center.Y > 2 {
			out = append(out, nil)
		}
		row := &out[len(out)-1]
		*row = append(*row, n.Name)
	}
	return out
}

// ends counts the edges between nodes, and their arrows.
func ends(d *Drawing) map[string]int {
	out := map[string]int{}
	for _, e := range d.Edges {
		key := e.Tail + "->" + e.Head
		out[key]++
		if e.HeadArrow != nil {
			out[key+" "+e.HeadArrow.Shape]++
		}
		if e.TailArrow != nil {
			out[key+" from "+e.TailArrow.Shape]++
		}
	}
	return out
}

func TestSVGHasTheShapesOfDots(t *testing.T) {
	for name, dot := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			want := elements(t, native(t, string(dot), "-Tsvg"))
			got := elements(t, mustRender(t, string(dot), SVG).Bytes)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("elements (-dot +ours):\n%s", diff)
			}
		})
	}
}

// drawn are the elements that put something on the page.
var drawn = []string{"ellipse", "path", "polygon", "polyline", "text"}

// elements counts the drawn elements of an SVG by name.
func elements(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	out := map[string]int{}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.StartElement); ok && slices.Contains(drawn, s.Name.Local) {
			out[s.Name.Local]++
		}
	}
}
