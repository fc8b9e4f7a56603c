package graphviz

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"testing"

	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

// drawPNG draws d and decodes the picture with the standard library.
func drawPNG(t testing.TB, d *Drawing, opts PNGOptions) (image.Image, PNGSize) {
	t.Helper()
	var b bytes.Buffer
	size, err := d.WritePNG(t.Context(), &b, opts)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatalf("not a PNG: %v", err)
	}
	if got := img.Bounds().Size(); got != image.Pt(size.Width, size.Height) {
		t.Fatalf("picture is %v, reported as %+v", got, size)
	}
	return img, size
}

// toPixel returns where a point of d is in its picture.
func toPixel(d *Drawing, size PNGSize, p xdot.Point) (x, y float64) {
	k := float64(size.Width) / (d.Width + 2*d.Pad.X)
	return (p.X + d.Pad.X) * k, (p.Y + d.Pad.Y) * k
}

func brightness(c color.Color) int {
	r, g, b, _ := c.RGBA()
	return int(r+g+b) / 3 >> 8
}

// darkest returns the darkest pixel within a distance of (x, y).
func darkest(img image.Image, x, y float64, within int) int {
	least := 255
	for dy := -within; dy <= within; dy++ {
		for dx := -within; dx <= within; dx++ {
			least = min(least, brightness(img.At(int(x)+dx, int(y)+dy)))
		}
	}
	return least
}

// go-graphviz draws boxes without outlines and fills curves with black (issue
// 106).
func TestBoxesHaveOutlinesAndCurvesAreNotFilled(t *testing.T) {
	for name, dot := range goldens(t) {
		if name == "styles" {
			continue // has more than black lines
		}
		d := mustLayout(t, string(dot))
		img, size := drawPNG(t, d, PNGOptions{})
		for _, n := range d.Nodes {
			checkBox(t, name, d, size, img, n)
		}
		for _, e := range d.Edges {
			for _, c := range e.Curves {
				if e.Style == "dotted" {
					continue
				}
				checkCurve(t, name+" "+e.Tail+"->"+e.Head, d, size, img, c)
			}
		}
	}
}

// checkBox looks at points around the outline of a node and inside it.
func checkBox(t *testing.T, name string, d *Drawing, size PNGSize, img image.Image, n Node) {
	t.Helper()
	at := func(fx, fy float64) (x, y float64) {
		return toPixel(d, size, xdot.Point{X: n.Center.X + fx*n.Width/2, Y: n.Center.Y + fy*n.Height/2})
	}
	for i := -0.9; i < 1; i += 0.2 {
		for _, f := range [][2]float64{{i, -1}, {i, 1}, {-1, i}, {1, i}} {
			x, y := at(f[0], f[1])
			if v := darkest(img, x, y, 1); v > 100 {
				t.Errorf("%s: outline of %s at (%.0f,%.0f) has brightness %d", name, n.Name, x, y, v)
			}
		}
	}
	x, y := at(-0.9, 0) // left of the text
	if got := color.NRGBAModel.Convert(img.At(int(x), int(y))); got != n.Fill {
		t.Errorf("%s: the inside of %s is %v, want %v", name, n.Name, got, n.Fill)
	}
}

// checkCurve looks for ink along a curve, and for none halfway between the
// middle of the curve and the line that a fill would close it with.
func checkCurve(t *testing.T, name string, d *Drawing, size PNGSize, img image.Image, c []xdot.Point) {
	t.Helper()
	piece := c[(len(c)-2)/6*3:] // the one in the middle, at its middle
	mid := xdot.Point{
		X: (piece[0].X + 3*piece[1].X + 3*piece[2].X + piece[3].X) / 8,
		Y: (piece[0].Y + 3*piece[1].Y + 3*piece[2].Y + piece[3].Y) / 8,
	}
	x0, y0 := toPixel(d, size, mid)
	if v := darkest(img, x0, y0, 1); v > 130 {
		t.Errorf("%s: the curve at (%.0f,%.0f) has brightness %d", name, x0, y0, v)
	}
	a, b := c[0], c[len(c)-1]
	chord := xdot.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	x1, y1 := toPixel(d, size, chord)
	if math.Hypot(x1-x0, y1-y0) < 15 {
		return // nearly straight
	}
	// Boxes may lie here and lines may cross, but they leave room.
	black := 0
	for f := 0.2; f < 0.9; f += 0.05 {
		if brightness(img.At(int(x0+(x1-x0)*f), int(y0+(y1-y0)*f))) < 60 {
			black++
		}
	}
	if black > 4 {
		t.Errorf("%s: %d of 14 points beside the curve are black", name, black)
	}
}

func TestPNGSizeFollowsTheRequests(t *testing.T) {
	square := func(side float64) *Drawing {
		return &Drawing{Width: side - 8, Height: side - 8, Pad: xdot.Point{X: 4, Y: 4}}
	}
	with := func(d *Drawing, change func(*Drawing)) *Drawing { change(d); return d }
	for _, tc := range []struct {
		name    string
		d       *Drawing
		opts    PNGOptions
		want    PNGSize
		reduced bool
	}{
		{"default resolution", square(72), PNGOptions{}, PNGSize{96, 96, 96, 96}, false},
		{"resolution of the caller", square(72), PNGOptions{DPI: 300}, PNGSize{300, 300, 300, 300}, false},
		{"resolution of the graph", with(square(72), func(d *Drawing) { d.DPI = 144 }), PNGOptions{}, PNGSize{144, 144, 144, 144}, false},
		{"the caller has the last word", with(square(72), func(d *Drawing) { d.DPI = 144 }), PNGOptions{DPI: 72}, PNGSize{72, 72, 72, 72}, false},
		{"size shrinks", with(square(720), func(d *Drawing) { d.MaxSize = xdot.Point{X: 72, Y: 144} }), PNGOptions{}, PNGSize{96, 96, 96, 96}, false},
		{"size does not enlarge", with(square(72), func(d *Drawing) { d.MaxSize = xdot.Point{X: 720, Y: 720} }), PNGOptions{}, PNGSize{96, 96, 96, 96}, false},
		{"size with ! enlarges", with(square(72), func(d *Drawing) { d.MaxSize, d.Fill = xdot.Point{X: 720, Y: 144}, true }), PNGOptions{}, PNGSize{192, 192, 96, 96}, false},
		{"pixel cap", square(7200), PNGOptions{MaxPixels: 1_000_000}, PNGSize{1000, 1000, 10, 96}, true},
		{"longest side", &Drawing{Width: 72 * 40000, Height: 72}, PNGOptions{DPI: 1}, PNGSize{32767, 1, 32767. / 40000, 1}, true},
		{"nonsense", square(72), PNGOptions{DPI: math.NaN(), MaxPixels: -1}, PNGSize{96, 96, 96, 96}, false},
		{"nothing", &Drawing{}, PNGOptions{}, PNGSize{1, 1, 96, 96}, false},
	} {
		got := tc.d.PNGSize(tc.opts)
		if got.Width != tc.want.Width || got.Height != tc.want.Height ||
			math.Abs(got.DPI-tc.want.DPI) > 0.01*tc.want.DPI || got.AskedDPI != tc.want.AskedDPI {
			t.Errorf("%s: size %+v, want %+v", tc.name, got, tc.want)
		}
		if got.Reduced() != tc.reduced {
			t.Errorf("%s: reduced %v, want %v", tc.name, got.Reduced(), tc.reduced)
		}
	}
}

func TestPictureOfALargeGraphStaysUnderTheCap(t *testing.T) {
	d := mustLayout(t, chain(300))
	img, size := drawPNG(t, d, PNGOptions{MaxPixels: 100_000})
	if n := size.Width * size.Height; n > 100_000 || n < 90_000 || !size.Reduced() {
		t.Errorf("size %+v, want just under 100,000 pixels and reduced", size)
	}
	// Every box is still there: the column through the middle alternates.
	changes, was := 0, 255
	for y := range img.Bounds().Dy() {
		v := brightness(img.At(size.Width/2, y))
		if v < 200 != (was < 200) {
			changes++
		}
		was = v
	}
	if changes < 300 {
		t.Errorf("the middle column changes %d times for 300 nodes", changes)
	}
}

func TestTransparentBackground(t *testing.T) {
	d := mustLayout(t, `digraph { bgcolor=transparent; a [style=filled fillcolor="#ff000080" color="#0000ff" shape=box label=""] }`)
	img, _ := drawPNG(t, d, PNGOptions{})
	if _, _, _, a := img.At(1, 1).RGBA(); a != 0 {
		t.Errorf("corner has alpha %d", a)
	}
	b := img.Bounds()
	got := color.NRGBAModel.Convert(img.At(b.Dx()/2, b.Dy()/2)).(color.NRGBA)
	if want := (color.NRGBA{255, 0, 0, 128}); got != want {
		t.Errorf("middle is %v, want %v", got, want)
	}
}

func TestBackgroundReachesTheEdges(t *testing.T) {
	d := mustLayout(t, `digraph { bgcolor="#102030"; a }`)
	img, _ := drawPNG(t, d, PNGOptions{})
	if got := color.NRGBAModel.Convert(img.At(0, 0)); got != (color.NRGBA{0x10, 0x20, 0x30, 0xff}) {
		t.Errorf("corner is %v", got)
	}
}

// The layout reckons with the fonts that Graphviz knows, the picture has ours.
func TestTextStaysWithinTheWidthOfTheLayout(t *testing.T) {
	for _, font := range []string{"", "monospace", "Times-Bold", "Helvetica", "Courier", "Comic Sans", "serif"} {
		d := mustLayout(t, `digraph { a [label="WWWWMMMM@@@@%%%%wwww" shape=box color="#ffffff" fontname="`+font+`"] }`)
		img, size := drawPNG(t, d, PNGOptions{})
		text := d.Nodes[0].Label[0]
		x0, y := toPixel(d, size, xdot.Point{X: text.At.X - text.Width/2, Y: text.At.Y})
		x1, _ := toPixel(d, size, xdot.Point{X: text.At.X + text.Width/2, Y: text.At.Y})
		for py := int(y) - 20; py < int(y)+8; py++ {
			for px := range size.Width {
				if (float64(px) < x0-2 || float64(px) > x1+1) && brightness(img.At(px, py)) < 250 {
					t.Fatalf("font %q: ink at (%d,%d), text is from %.0f to %.0f", font, px, py, x0, x1)
				}
			}
		}
	}
}

func TestWritePNGStopsWithItsContext(t *testing.T) {
	d := mustLayout(t, chain(50))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.WritePNG(ctx, io.Discard, PNGOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// full is a writer that has room for so many bytes.
type full struct{ room int }

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

func TestWritePNGReportsWriteErrors(t *testing.T) {
	d := mustLayout(t, chain(50))
	for _, room := range []int{0, 10, 100, 1000} {
		if _, err := d.WritePNG(t.Context(), &full{room}, PNGOptions{}); !errors.Is(err, errFull) {
			t.Errorf("error %v with room for %d bytes, want %v", err, room, errFull)
		}
	}
}
