package graphviz

import (
	"cmp"
	"context"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"

	"github.com/gradtui/gradtui/export/graphviz/internal/raster"
	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

const (
	// DefaultDPI is the resolution of a PNG when neither the caller nor the
	// graph asks for another. It is Graphviz's.
	DefaultDPI = 96
	// DefaultMaxPixels bounds the size of a PNG.
	DefaultMaxPixels = 40_000_000
	// maxSide bounds its width and height: what cairo, and so most programs
	// that show pictures, can handle.
	maxSide = 32767
)

// PNGOptions say how a Drawing becomes a PNG.
type PNGOptions struct {
	// DPI is the resolution in pixels per inch. 0 means the graph's own, or
	// DefaultDPI.
	DPI float64
	// MaxPixels bounds width times height. 0 means DefaultMaxPixels. Neither
	// side gets longer than 32,767 pixels, which is as much as most programs
	// can show.
	MaxPixels int
}

// PNGSize is the size of a PNG.
type PNGSize struct {
	Width, Height int     // pixels
	DPI           float64 // pixels per inch
	// AskedDPI is what DPI would be without a bound on the number of pixels.
	// It is larger than DPI for a picture that had to be reduced.
	AskedDPI float64
}

// Reduced reports whether the picture is coarser than asked for, because it
// would have had too many pixels.
func (s PNGSize) Reduced() bool { return s.DPI < s.AskedDPI }

// PNGSize returns the size that WritePNG gives the picture.
func (d *Drawing) PNGSize(opts PNGOptions) PNGSize {
	w, h := d.pageSize()
	return pngSize(w, h, cmp.Or(opts.DPI, d.DPI), opts.MaxPixels)
}

// pngSize returns the size of the PNG of a page of so many points.
func pngSize(w, h, dpi float64, maxPixels int) PNGSize {
	if !(dpi > 0) {
		dpi = DefaultDPI
	}
	limit := float64(DefaultMaxPixels)
	if maxPixels > 0 {
		limit = float64(maxPixels)
	}
	fit := func(dpi float64) PNGSize {
		pixels := func(points float64) int { return max(int(math.Round(points*dpi/72)), 1) }
		return PNGSize{Width: pixels(w), Height: pixels(h), DPI: dpi}
	}
	wanted := dpi
	dpi = min(dpi, 72*maxSide/w, 72*maxSide/h, 72*math.Sqrt(limit/(w*h)))
	size := fit(dpi)
	// Rounding, and sides that cannot get below one pixel, may still exceed it.
	for float64(size.Width)*float64(size.Height) > limit && dpi > 1e-6 {
		dpi *= 0.99
		size = fit(dpi)
	}
	size.AskedDPI = wanted
	return size
}

// svgPage matches the size of an SVG, in points.
var svgPage = regexp.MustCompile(`<svg width="([0-9.]+)pt" height="([0-9.]+)pt"`)

// svgSize returns the size of the PNG of the drawing that is in an SVG.
func svgSize(svg []byte, opts PNGOptions) PNGSize {
	m := svgPage.FindSubmatch(svg)
	if m == nil {
		return PNGSize{}
	}
	w, errW := strconv.ParseFloat(string(m[1]), 64)
	h, errH := strconv.ParseFloat(string(m[2]), 64)
	if errW != nil || errH != nil {
		return PNGSize{}
	}
	return pngSize(max(w, 1), max(h, 1), opts.DPI, opts.MaxPixels)
}

// pageSize returns the size of the picture in points, after the graph's own
// bound has been applied.
func (d *Drawing) pageSize() (w, h float64) {
	w, h = max(d.Width+2*d.Pad.X, 1), max(d.Height+2*d.Pad.Y, 1)
	z := d.zoom(w, h)
	return w * z, h * z
}

func (d *Drawing) zoom(w, h float64) float64 {
	m := d.MaxSize
	if m.X <= 0 || m.Y <= 0 {
		return 1
	}
	if m.X < w || m.Y < h || d.Fill && m.X > w && m.Y > h {
		return min(m.X/w, m.Y/h)
	}
	return 1
}

// WritePNG draws d and writes the picture. It stops early with ctx's error
// when ctx ends.
func (d *Drawing) WritePNG(ctx context.Context, w io.Writer, opts PNGOptions) (PNGSize, error) {
	size := d.PNGSize(opts)
	p := d.painter(size)
	p.draw(d.ops)
	for i := range d.Clusters {
		p.draw(d.Clusters[i].Ops)
	}
	nodes := func() {
		for i := range d.Nodes {
			p.draw(d.Nodes[i].Ops)
		}
	}
	edges := func() {
		for i := range d.Edges {
			p.draw(d.Edges[i].Ops)
		}
	}
	if d.edgesFirst {
		edges()
		nodes()
	} else {
		nodes()
		edges()
	}
	return size, p.canvas.WritePNG(ctx, w, size.DPI)
}

// painter carries out drawing operations on a canvas.
type painter struct {
	canvas *raster.Canvas
	pad    xdot.Point
	scale  float64 // pixels per point
}

func (p *painter) point(q xdot.Point) raster.Point {
	return raster.Point{X: (q.X + p.pad.X) * p.scale, Y: (q.Y + p.pad.Y) * p.scale}
}

func (p *painter) draw(ops []xdot.Op) {
	for _, op := range ops {
		switch op := op.(type) {
		case *xdot.Shape:
			p.shape(op)
		case *xdot.Text:
			p.text(op)
		case *xdot.Image:
			p.image(op)
		}
	}
}

func (p *painter) shape(s *xdot.Shape) {
	path := p.path(s)
	if path == nil {
		return
	}
	if s.Filled {
		p.canvas.Fill(path, p.paint(s.Fill))
	}
	if s.Pen.Line != xdot.Invisible && s.Pen.Color.A > 0 && s.Pen.Width > 0 {
		p.canvas.Stroke(path, p.pen(s.Pen), image.NewUniform(s.Pen.Color))
	}
}

func (p *painter) path(s *xdot.Shape) *raster.Path {
	if len(s.Points) < 2 {
		return nil
	}
	at := func(i int) raster.Point { return p.point(s.Points[i]) }
	if s.Kind == xdot.Ellipse {
		return raster.Ellipse(at(0), s.Points[1].X*p.scale, s.Points[1].Y*p.scale)
	}
	path := raster.MoveTo(at(0))
	if s.Kind == xdot.Bezier {
		for i := 1; i+2 < len(s.Points); i += 3 {
			path.CubeTo(at(i), at(i+1), at(i+2))
		}
	} else {
		for i := 1; i < len(s.Points); i++ {
			path.LineTo(at(i))
		}
	}
	if s.Kind == xdot.Polygon || s.Filled {
		path.Close()
	}
	return path
}

// thinnest is the least width, in pixels, that a line is drawn with: below, it
// would vanish from a picture that has been reduced.
const thinnest = 0.5

// Dash patterns of Graphviz's cairo renderer, in points.
var dashPatterns = map[xdot.Line][]float64{
	xdot.Dashed: {6, 6},
	xdot.Dotted: {2, 6},
}

func (p *painter) pen(pen xdot.Pen) raster.Pen {
	out := raster.Pen{Width: max(pen.Width*p.scale, thinnest)}
	for _, v := range dashPatterns[pen.Line] {
		out.Dash = append(out.Dash, max(v*p.scale, thinnest))
	}
	return out
}

func (p *painter) image(op *xdot.Image) {
	frame := xdot.Shape{
		Kind: xdot.Polygon,
		Points: []xdot.Point{
			op.Min, {X: op.Max.X, Y: op.Min.Y}, op.Max, {X: op.Min.X, Y: op.Max.Y},
		},
		Pen: xdot.Pen{Color: color.NRGBA{0xd3, 0xd3, 0xd3, 0xff}, Width: 1},
	}
	p.shape(&frame)
}
