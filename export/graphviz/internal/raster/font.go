package raster

import (
	"image"
	"image/draw"
	"math"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/gomonobolditalic"
	"golang.org/x/image/font/gofont/gomonoitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Face is a typeface of the Go font family, which is built into the program:
// pictures look the same everywhere and need no fonts to be installed.
type Face uint8

const (
	Sans Face = iota
	SansBold
	SansItalic
	SansBoldItalic
	Mono
	MonoBold
	MonoItalic
	MonoBoldItalic
	faceCount
)

// fonts parses each typeface when it is first used.
var fonts = [faceCount]func() *sfnt.Font{
	Sans:           parsed(goregular.TTF),
	SansBold:       parsed(gobold.TTF),
	SansItalic:     parsed(goitalic.TTF),
	SansBoldItalic: parsed(gobolditalic.TTF),
	Mono:           parsed(gomono.TTF),
	MonoBold:       parsed(gomonobold.TTF),
	MonoItalic:     parsed(gomonoitalic.TTF),
	MonoBoldItalic: parsed(gomonobolditalic.TTF),
}

func parsed(ttf []byte) func() *sfnt.Font {
	return sync.OnceValue(func() *sfnt.Font {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic("raster: built-in font: " + err.Error())
		}
		return f
	})
}

// Text is one line to draw.
type Text struct {
	String string
	Face   Face
	Size   float64 // pixels per em
	// Width is the room there is, in pixels. A line that would be wider is
	// condensed; 0 means any width.
	Width float64
	Start Point   // on the baseline
	Align float64 // the part of the line that is left of Start: 0, 0.5 or 1
}

// readable is the size in pixels per em below which glyphs turn into specks
// and a line is drawn as a bar.
const readable = 2.0

// subpixels is the number of horizontal positions within a pixel at which a
// glyph is drawn.
const subpixels = 4

// glyphKey names a drawn glyph. Sizes are in 1/64 pixel, stretch in 1/64.
type glyphKey struct {
	face    Face
	r       rune
	size    fixed.Int26_6
	stretch int
	offset  int // 1/subpixels of a pixel
}

// glyph is a mask and where its top left corner lies relative to the origin.
type glyph struct {
	mask *image.Alpha
	at   image.Point
}

// typesetter turns lines into placed glyphs. It keeps what it has drawn, and is
// for one goroutine.
type typesetter struct {
	buf      sfnt.Buffer
	glyphs   map[glyphKey]glyph
	advances map[glyphKey]float64 // per em; size, stretch and offset are 0
}

func newTypesetter() *typesetter {
	return &typesetter{glyphs: map[glyphKey]glyph{}, advances: map[glyphKey]float64{}}
}

// placed is a glyph at its position on the canvas.
type placed struct {
	mask *image.Alpha
	rect image.Rectangle
}

// line places the glyphs of t.
func (ts *typesetter) line(t Text) []placed {
	runes := []rune(printable(t.String))
	natural := 0.0
	for _, r := range runes {
		natural += ts.advance(t.Face, r) * t.Size
	}
	stretch := 64
	if t.Width > 0 && natural > t.Width {
		stretch = int(math.Floor(64 * t.Width / natural))
	}
	if stretch == 0 {
		return nil
	}
	k := float64(stretch) / 64
	x := t.Start.X - natural*k*t.Align
	y := int(math.Round(t.Start.Y))
	var out []placed
	for _, r := range runes {
		cell := math.Floor(x)
		g := ts.glyph(glyphKey{
			face: t.Face, r: r,
			size: fixed.Int26_6(math.Round(t.Size * 64)), stretch: stretch,
			offset: int((x - cell) * subpixels),
		})
		if g.mask != nil {
			at := g.at.Add(image.Pt(int(cell), y))
			out = append(out, placed{g.mask, g.mask.Rect.Add(at)})
		}
		x += ts.advance(t.Face, r) * t.Size * k
	}
	return out
}

// advance returns how far r moves the pen, in ems.
func (ts *typesetter) advance(face Face, r rune) float64 {
	key := glyphKey{face: face, r: r}
	if a, ok := ts.advances[key]; ok {
		return a
	}
	const em = 1000
	f := fonts[face]()
	index, _ := f.GlyphIndex(&ts.buf, r)
	a, err := f.GlyphAdvance(&ts.buf, index, fixed.I(em), font.HintingNone)
	if err != nil {
		a = 0
	}
	ems := float64(a) / 64 / em
	ts.advances[key] = ems
	return ems
}

// glyph returns the mask of a glyph, nil for a blank one.
func (ts *typesetter) glyph(key glyphKey) glyph {
	if g, ok := ts.glyphs[key]; ok {
		return g
	}
	f := fonts[key.face]()
	// A rune without a glyph gets glyph 0, the box that says so.
	index, _ := f.GlyphIndex(&ts.buf, key.r)
	segments, err := f.LoadGlyph(&ts.buf, index, key.size, nil)
	var g glyph
	if err == nil && len(segments) > 0 {
		g = drawGlyph(segments, float32(key.stretch)/64, float32(key.offset)/subpixels)
	}
	ts.glyphs[key] = g
	return g
}

func drawGlyph(segments sfnt.Segments, stretch, offset float32) glyph {
	b := segments.Bounds()
	x0 := int(math.Floor(float64(float32(b.Min.X)/64*stretch + offset)))
	x1 := int(math.Ceil(float64(float32(b.Max.X)/64*stretch + offset)))
	y0, y1 := b.Min.Y.Floor(), b.Max.Y.Ceil()
	if x1 <= x0 || y1 <= y0 {
		return glyph{}
	}
	z := vector.NewRasterizer(x1-x0, y1-y0)
	at := func(p fixed.Point26_6) (x, y float32) {
		return float32(p.X)/64*stretch + offset - float32(x0), float32(p.Y)/64 - float32(y0)
	}
	for _, s := range segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			z.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			z.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			z.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	z.ClosePath()
	mask := image.NewAlpha(z.Bounds())
	z.DrawOp = draw.Src
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return glyph{mask, image.Pt(x0, y0)}
}

// printable replaces what has no shape: white space by a space, control
// characters by U+FFFD.
func printable(s string) string {
	out := []rune(s)
	for i, r := range out {
		switch {
		case unicode.IsSpace(r):
			out[i] = ' '
		case unicode.IsControl(r):
			out[i] = unicode.ReplacementChar
		}
	}
	return string(out)
}
