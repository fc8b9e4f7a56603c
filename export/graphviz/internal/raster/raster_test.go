package raster

import (
	"bytes"
	"context"
	"errors"
	"hash/adler32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/vector"
)

var (
	white = color.NRGBA{255, 255, 255, 255}
	black = image.NewUniform(color.NRGBA{0, 0, 0, 255})
)

// picture writes a canvas and reads it with the standard library.
func picture(t *testing.T, c *Canvas) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := c.WritePNG(t.Context(), &b, 96); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// ink returns how black the pixels of a white picture are, in pixels.
func ink(img image.Image, r image.Rectangle) float64 {
	sum := 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			g := color.GrayModel.Convert(img.At(x, y)).(color.Gray)
			sum += 1 - float64(g.Y)/255
		}
	}
	return sum
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func polyline(closed bool, xy ...float64) *Path {
	p := MoveTo(Point{xy[0], xy[1]})
	for i := 2; i < len(xy); i += 2 {
		p.LineTo(Point{xy[i], xy[i+1]})
	}
	if closed {
		p.Close()
	}
	return p
}

func TestFillCoversItsArea(t *testing.T) {
	for _, tc := range []struct {
		name string
		path *Path
		want float64
	}{
		{"square", polyline(true, 10, 10, 30, 10, 30, 30, 10, 30), 400},
		{"the other way round", polyline(true, 10, 10, 10, 30, 30, 30, 30, 10), 400},
		{"half pixels", polyline(true, 10.5, 10.5, 30, 10.5, 30, 30, 10.5, 30), 19.5 * 19.5},
		{"partly outside", polyline(true, -20, -20, 20, -20, 20, 20, -20, 20), 400},
		{"all around", polyline(true, -1e6, -1e6, 1e6, -1e6, 1e6, 1e6, -1e6, 1e6), 200 * 300},
		{"outside", polyline(true, 300, 10, 330, 10, 330, 30), 0},
		{"below", polyline(true, 10, 310, 30, 310, 30, 330), 0},
		{"two points", polyline(true, 10, 10, 30, 30), 0},
		{"circle", Ellipse(Point{100, 100}, 50, 50), math.Pi * 50 * 50},
		{"ellipse across bands", Ellipse(Point{100, 150}, 20, 140), math.Pi * 20 * 140},
	} {
		c := NewCanvas(200, 300, white)
		c.Fill(tc.path, black)
		if got := ink(picture(t, c), image.Rect(0, 0, 200, 300)); !near(got, tc.want, 0.005*tc.want+0.5) {
			t.Errorf("%s: %.1f pixels are black, want %.1f", tc.name, got, tc.want)
		}
	}
}

func TestStrokeCoversItsLength(t *testing.T) {
	for _, tc := range []struct {
		name string
		path *Path
		pen  Pen
		want float64
	}{
		{"line", polyline(false, 10, 50, 110, 50), Pen{Width: 4}, 400},
		{"thin line", polyline(false, 10, 50, 110, 50), Pen{Width: 0.5}, 50},
		{"slope", polyline(false, 10, 10, 40, 50), Pen{Width: 3}, 150},
		{"corner with a tip", polyline(false, 10, 10, 60, 10, 60, 60), Pen{Width: 4}, 400},
		{"box", polyline(true, 10, 10, 60, 10, 60, 60, 10, 60), Pen{Width: 4}, 54*54 - 46*46},
		{"back and forth", polyline(false, 10, 10, 60, 10, 10, 10), Pen{Width: 4}, 200},
		{"dashes", polyline(false, 10, 10, 110, 10), Pen{Width: 4, Dash: []float64{6, 4}}, 240},
		{"dashes round a corner", polyline(false, 10, 10, 13, 10, 13, 13), Pen{Width: 1, Dash: []float64{6, 4}}, 6},
		{"dots", polyline(false, 10, 10, 90, 10), Pen{Width: 2, Dash: []float64{2, 6}}, 40},
		{"circle", Ellipse(Point{100, 100}, 50, 50), Pen{Width: 2}, 2 * math.Pi * 50 * 2},
		{"across bands", polyline(false, 50, 0, 50, 300), Pen{Width: 2}, 600},
		{"a point", polyline(false, 10, 10), Pen{Width: 4}, 0},
		{"no length", polyline(false, 10, 10, 10, 10), Pen{Width: 4}, 0},
	} {
		c := NewCanvas(200, 300, white)
		c.Stroke(tc.path, tc.pen, black)
		if got := ink(picture(t, c), image.Rect(0, 0, 200, 300)); !near(got, tc.want, 0.01*tc.want+0.5) {
			t.Errorf("%s: %.1f pixels are black, want %.1f", tc.name, got, tc.want)
		}
	}
}

// A line is a union: where its pieces overlap it is not darker, and all of
// them turn the same way.
func TestStrokePolygonsTurnTheSameWay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	at := func() Point { return Point{rng.Float64() * 100, rng.Float64() * 100} }
	for range 200 {
		p := MoveTo(at())
		for range 3 {
			p.LineTo(at())
			p.CubeTo(at(), at(), at())
		}
		for _, pg := range stroke(p, Pen{Width: 1 + rng.Float64()*20}) {
			area := 0.0
			for i, q := range pg.pts {
				area += cross(q, pg.pts[(i+1)%len(pg.pts)])
			}
			if area < -1e-9 {
				t.Fatalf("polygon %v has the area %g", pg.pts, area/2)
			}
		}
	}
}

func TestCurvesStayCloseToTheirFlattening(t *testing.T) {
	a, b, c, d := Point{0, 0}, Point{300, 0}, Point{-200, 100}, Point{100, 100}
	p := MoveTo(a)
	p.CubeTo(b, c, d)
	for i := range 1001 {
		u := float64(i) / 1000
		v := 1 - u
		q := a.times(v * v * v).plus(b.times(3 * v * v * u)).plus(c.times(3 * v * u * u)).plus(d.times(u * u * u))
		least := math.Inf(1)
		for k := 1; k < len(p.pts); k++ {
			s, e := p.pts[k-1], p.pts[k]
			along := min(max(dot(q.minus(s), e.minus(s))/dot(e.minus(s), e.minus(s)), 0), 1)
			least = min(least, q.minus(lerp(s, e, along)).length())
		}
		if least > flatness {
			t.Fatalf("point %v of the curve is %.3f pixels off", q, least)
		}
	}
}

// mixed draws a bit of everything.
func mixed(width, height int, background color.NRGBA) *Canvas {
	c := NewCanvas(width, height, background)
	rng := rand.New(rand.NewPCG(3, 4))
	at := func() Point {
		return Point{rng.Float64() * float64(width) * 1.2, rng.Float64() * float64(height) * 1.2}
	}
	for range 10 {
		col := color.NRGBA{uint8(rng.Uint32()), uint8(rng.Uint32()), uint8(rng.Uint32()), uint8(rng.Uint32())}
		p := MoveTo(at())
		p.CubeTo(at(), at(), at())
		p.LineTo(at())
		c.Fill(p, image.NewUniform(col))
		c.Stroke(p, Pen{Width: 3, Dash: []float64{9, 5}}, image.NewUniform(col))
		c.Text(Text{String: "Text", Face: Face(rng.IntN(int(faceCount))), Size: 5 + 20*rng.Float64(), Start: at()}, col)
	}
	return c
}

// The bands of a picture fit together, and the file says what was drawn.
func TestPNGIsThePictureDrawnAtOnce(t *testing.T) {
	for _, background := range []color.NRGBA{white, {}, {10, 20, 30, 128}} {
		for _, size := range []image.Point{{1, 1}, {1, 2000}, {2000, 1}, {257, 700}, {64, 64}} {
			c := mixed(size.X, size.Y, background)
			want := image.NewRGBA(image.Rectangle{Max: size})
			all := make([]int, len(c.items))
			for i := range all {
				all[i] = i
			}
			c.drawBand(want, all, &vector.Rasterizer{})
			img := picture(t, c)
			if img.Bounds() != want.Bounds() {
				t.Fatalf("bounds %v, want %v", img.Bounds(), want.Bounds())
			}
			got := image.NewRGBA(want.Rect)
			draw.Draw(got, got.Rect, img, image.Point{}, draw.Src)
			// The rasterizer computes with 10 bits in small pictures, and
			// the shapes lie upon each other.
			worst := 0
			for i, v := range got.Pix {
				worst = max(worst, int(v)-int(want.Pix[i]), int(want.Pix[i])-int(v))
			}
			if worst > 8 {
				t.Errorf("%v on %v: a pixel is off by %d", size, background, worst)
			}
		}
	}
}

func TestWritePNGEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := mixed(100, 20_000, white)
	w := writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
	if err := c.WritePNG(ctx, w, 96); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestCombineAdler(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		text := make([]byte, rng.IntN(70_000))
		for i := range text {
			text[i] = byte(rng.Uint32() | 0xf0)
		}
		cut := 0
		if len(text) > 0 {
			cut = rng.IntN(len(text) + 1)
		}
		got := combineAdler(adler32.Checksum(text[:cut]), adler32.Checksum(text[cut:]), len(text)-cut)
		if want := adler32.Checksum(text); got != want {
			t.Fatalf("sum of %d+%d bytes is %#x, want %#x", cut, len(text)-cut, got, want)
		}
	}
}

func TestTextIsSetWhereAsked(t *testing.T) {
	const size = 40
	for _, tc := range []struct {
		name   string
		text   Text
		x0, x1 float64 // where the ink is
	}{
		{"left", Text{String: "HHHH", Face: Mono, Start: Point{100, 100}}, 100, 196},
		{"centre", Text{String: "HHHH", Face: Mono, Start: Point{150, 100}, Align: 0.5}, 102, 198},
		{"right", Text{String: "HHHH", Face: Mono, Start: Point{200, 100}, Align: 1}, 104, 200},
		{"condensed", Text{String: "HHHH", Face: Mono, Start: Point{100, 100}, Width: 48}, 100, 148},
		{"condensed about the centre", Text{String: "HHHH", Face: Mono, Start: Point{150, 100}, Width: 48, Align: 0.5}, 126, 174},
		{"not stretched", Text{String: "HHHH", Face: Mono, Start: Point{100, 100}, Width: 180}, 100, 196},
		{"spaces at the ends count", Text{String: " HH ", Face: Mono, Start: Point{100, 100}}, 124, 172},
	} {
		tc.text.Size = size
		c := NewCanvas(300, 150, white)
		c.Text(tc.text, color.NRGBA{A: 255})
		img := picture(t, c)
		inside := image.Rect(int(tc.x0), 65, int(tc.x1), 101)
		total, in := ink(img, img.Bounds()), ink(img, inside)
		if in < 100 || total-in > 1 {
			t.Errorf("%s: ink %.1f, of which inside %v %.1f", tc.name, total, inside, in)
		}
		for _, end := range []image.Rectangle{
			image.Rect(int(tc.x0), 65, int(tc.x0)+6, 101), image.Rect(int(tc.x1)-6, 65, int(tc.x1), 101),
		} {
			if ink(img, end) < 1 {
				t.Errorf("%s: no ink near the end %v", tc.name, end)
			}
		}
	}
}

func TestOddTextIsDrawnSomehow(t *testing.T) {
	for name, s := range map[string]string{
		"control characters": "a\x00\x1b[1m\x7fb", "no glyphs": "漢字🎉", "not UTF-8": "\xff\xfe",
		"white space": " \t\n\u3000", "nothing": "", "combining": "e\u0301\u200d\u202e",
	} {
		c := NewCanvas(300, 50, white)
		c.Text(Text{String: s, Size: 20, Start: Point{10, 30}, Width: 250}, color.NRGBA{A: 255})
		drawn := ink(picture(t, c), image.Rect(0, 0, 300, 50)) > 0
		if want := name != "white space" && name != "nothing"; drawn != want {
			t.Errorf("%s: drawn %v, want %v", name, drawn, want)
		}
	}
}

func TestTextTooSmallToReadIsABar(t *testing.T) {
	c := NewCanvas(300, 50, white)
	c.Text(Text{String: "unreadable", Size: 1.5, Start: Point{100, 30}, Width: 90, Align: 0.5}, color.NRGBA{A: 255})
	if got, want := ink(picture(t, c), image.Rect(0, 0, 300, 50)), 90*0.75/3; !near(got, want, 1) {
		t.Errorf("ink %.1f, want %.1f", got, want)
	}
}
