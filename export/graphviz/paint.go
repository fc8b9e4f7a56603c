package graphviz

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/gradtui/gradtui/export/graphviz/internal/raster"
	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

// timesFactor makes the built-in sans-serif typeface, which is larger on its
// body than Times, about as large as the text that the layout had in mind.
const timesFactor = 0.9

// Typefaces by style: plain, bold, italic, both.
var (
	sansFaces = [4]raster.Face{raster.Sans, raster.SansBold, raster.SansItalic, raster.SansBoldItalic}
	monoFaces = [4]raster.Face{raster.Mono, raster.MonoBold, raster.MonoItalic, raster.MonoBoldItalic}
)

// typeface returns the built-in typeface for a font, and the size to set it in
// relative to the font's.
func typeface(f xdot.Font) (raster.Face, float64) {
	name := strings.ToLower(f.Name)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	style := 0
	if f.Style&xdot.Bold != 0 || has("bold") {
		style |= 1
	}
	if f.Style&xdot.Italic != 0 || has("italic", "oblique") {
		style |= 2
	}
	switch {
	case has("mono", "cour", "consol", "menlo", "typewriter"):
		return monoFaces[style], 1
	case has("times", "serif") && !has("sans"):
		return sansFaces[style], timesFactor
	}
	return sansFaces[style], 1
}

func (p *painter) text(t *xdot.Text) {
	face, factor := typeface(t.Font)
	line := raster.Text{
		String: t.String,
		Face:   face,
		Size:   t.Font.Size * factor * p.scale,
		Width:  t.Width * p.scale,
		Start:  p.point(t.At),
		Align:  float64(t.Align+1) / 2,
	}
	em := t.Font.Size * p.scale
	switch {
	case t.Font.Style&xdot.Superscript != 0:
		line.Size *= 0.6
		line.Start.Y -= em * 0.35
	case t.Font.Style&xdot.Subscript != 0:
		line.Size *= 0.6
		line.Start.Y += em * 0.15
	}
	p.canvas.Text(line, t.Color)
	for _, r := range rules {
		if t.Font.Style&r.style != 0 {
			from := raster.Point{X: line.Start.X - line.Width*line.Align, Y: line.Start.Y - r.up*em}
			rule := raster.MoveTo(from)
			rule.LineTo(raster.Point{X: from.X + line.Width, Y: from.Y})
			p.canvas.Stroke(rule, raster.Pen{Width: max(em/20, thinnest)}, image.NewUniform(t.Color))
		}
	}
}

// rules are the lines that go with text, and how far above the baseline, in
// ems.
var rules = []struct {
	style xdot.Style
	up    float64
}{
	{xdot.Underline, -0.1},
	{xdot.StrikeThrough, 0.25},
	{xdot.Overline, 0.8},
}

// paint returns the picture that an area is filled with.
func (p *painter) paint(f xdot.Paint) image.Image {
	if f.Gradient == nil {
		return image.NewUniform(f.Color)
	}
	g := f.Gradient
	return &gradient{
		radial: g.Radial, stops: g.Stops,
		from: p.point(g.From), to: p.point(g.To),
		r0: g.R0 * p.scale, r1: g.R1 * p.scale,
	}
}

// gradient is an endless picture whose colour changes along a line or with the
// distance from a point. Lengths are pixels.
type gradient struct {
	radial   bool
	from, to raster.Point
	r0, r1   float64
	stops    []xdot.Stop
}

func (g *gradient) ColorModel() color.Model { return color.NRGBAModel }

func (g *gradient) Bounds() image.Rectangle {
	return image.Rect(-1e9, -1e9, 1e9, 1e9)
}

func (g *gradient) At(x, y int) color.Color {
	return g.at(g.fraction(float64(x)+0.5, float64(y)+0.5))
}

// fraction says how far (x, y) is on the way. Radial gradients are taken to be
// concentric around their end, as the ones that Graphviz makes nearly are.
func (g *gradient) fraction(x, y float64) float64 {
	if g.radial {
		return (math.Hypot(x-g.to.X, y-g.to.Y) - g.r0) / (g.r1 - g.r0)
	}
	dx, dy := g.to.X-g.from.X, g.to.Y-g.from.Y
	return ((x-g.from.X)*dx + (y-g.from.Y)*dy) / (dx*dx + dy*dy)
}

func (g *gradient) at(t float64) color.NRGBA {
	last := g.stops[0]
	if !(t > last.At) { // NaN too: a line of no length
		return last.Color
	}
	for _, s := range g.stops[1:] {
		if t < s.At {
			return blend(last.Color, s.Color, (t-last.At)/(s.At-last.At))
		}
		last = s
	}
	return last.Color
}

func blend(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}
