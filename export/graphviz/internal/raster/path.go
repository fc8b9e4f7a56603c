package raster

import "math"

// Point is a position in pixels; y grows downwards.
type Point struct{ X, Y float64 }

func (p Point) plus(q Point) Point     { return Point{p.X + q.X, p.Y + q.Y} }
func (p Point) minus(q Point) Point    { return Point{p.X - q.X, p.Y - q.Y} }
func (p Point) times(k float64) Point  { return Point{p.X * k, p.Y * k} }
func (p Point) length() float64        { return math.Hypot(p.X, p.Y) }
func cross(p, q Point) float64         { return p.X*q.Y - p.Y*q.X }
func dot(p, q Point) float64           { return p.X*q.X + p.Y*q.Y }
func lerp(p, q Point, t float64) Point { return p.plus(q.minus(p).times(t)) }
func (p Point) leftNormal(h float64) Point {
	n := p.length()
	return Point{-p.Y / n * h, p.X / n * h}
}

// Path is one connected line. Curves are flattened as they are added, so a
// path belongs to one scale.
type Path struct {
	pts    []Point
	closed bool
}

// flatness is how far, in pixels, a flattened curve may be off.
const flatness = 0.05

// MoveTo begins a path at p.
func MoveTo(p Point) *Path {
	return &Path{pts: []Point{p}}
}

func (p *Path) end() Point { return p.pts[len(p.pts)-1] }

// LineTo adds a straight line. Lines of no length are dropped.
func (p *Path) LineTo(q Point) {
	if q.minus(p.end()).length() > 1e-6 {
		p.pts = append(p.pts, q)
	}
}

// CubeTo adds a cubic Bézier curve with the control points b and c.
func (p *Path) CubeTo(b, c, d Point) {
	a := p.end()
	// A chord is off by at most an eighth of the second derivative.
	bend := max(a.minus(b.times(2)).plus(c).length(), b.minus(c.times(2)).plus(d).length())
	n := math.Ceil(math.Sqrt(0.75 * bend / flatness))
	n = min(max(n, 1), 500)
	for i := 1.0; i < n; i++ {
		t := i / n
		ab, bc, cd := lerp(a, b, t), lerp(b, c, t), lerp(c, d, t)
		p.LineTo(lerp(lerp(ab, bc, t), lerp(bc, cd, t), t))
	}
	p.LineTo(d)
}

// Close joins the end to the beginning.
func (p *Path) Close() {
	p.closed = true
	if n := len(p.pts); n > 1 && p.end().minus(p.pts[0]).length() <= 1e-6 {
		p.pts = p.pts[:n-1]
	}
}

// Ellipse returns an ellipse about c with the radii rx and ry.
func Ellipse(c Point, rx, ry float64) *Path {
	const k = 0.5522847498 // makes four cubic curves a circle, within 0.03 %
	at := func(x, y float64) Point { return Point{c.X + x*rx, c.Y + y*ry} }
	p := MoveTo(at(1, 0))
	p.CubeTo(at(1, k), at(k, 1), at(0, 1))
	p.CubeTo(at(-k, 1), at(-1, k), at(-1, 0))
	p.CubeTo(at(-1, -k), at(-k, -1), at(0, -1))
	p.CubeTo(at(k, -1), at(1, -k), at(1, 0))
	p.Close()
	return p
}

// box is a rectangle that grows around points.
type box struct{ x0, y0, x1, y1 float64 }

var emptyBox = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (b *box) add(p Point) {
	b.x0, b.x1 = min(b.x0, p.X), max(b.x1, p.X)
	b.y0, b.y1 = min(b.y0, p.Y), max(b.y1, p.Y)
}

func (b *box) join(c box) {
	b.x0, b.x1 = min(b.x0, c.x0), max(b.x1, c.x1)
	b.y0, b.y1 = min(b.y0, c.y0), max(b.y1, c.y1)
}

func bounds(pts []Point) box {
	b := emptyBox
	for _, p := range pts {
		b.add(p)
	}
	return b
}
