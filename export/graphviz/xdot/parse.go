package xdot

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// limit bounds coordinates and widths, in points. It is far beyond what
// Graphviz lays out and keeps later arithmetic away from infinities.
const limit = 1e9

// Parse reads the value of one drawing attribute. Each attribute begins with a
// black solid pen one point wide, a black fill, and Times at 14 points.
func Parse(s string) ([]Op, error) {
	black := color.NRGBA{A: 0xff}
	p := parser{
		rest: s,
		pen:  Pen{Color: black, Width: 1},
		fill: Paint{Color: black},
		font: Font{Name: "Times-Roman", Size: 14},
	}
	for p.op() {
	}
	if p.err != nil {
		return nil, fmt.Errorf("xdot: byte %d: %w", len(s)-len(p.rest), p.err)
	}
	return p.ops, nil
}

// parser reads operations from the front of rest. The first error sticks, and
// readers return zero values from then on.
type parser struct {
	rest string
	err  error
	ops  []Op

	pen  Pen
	fill Paint
	font Font
}

// op reads one operation and reports whether there may be another.
func (p *parser) op() bool {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return false
	}
	code := p.rest[0]
	p.rest = p.rest[1:]
	switch code {
	case 'E', 'e':
		centre := p.point()
		p.shape(Ellipse, code == 'E', []Point{centre, p.point()})
	case 'P', 'p':
		p.shape(Polygon, code == 'P', p.points())
	case 'L':
		p.shape(Polyline, false, p.points())
	case 'B', 'b':
		p.shape(Bezier, code == 'b', p.points())
	case 'T':
		p.text()
	case 't':
		p.font.Style = Style(p.count())
	case 'F':
		p.font.Size = p.number()
		p.font.Name = p.string()
	case 'C':
		p.fill = p.paint()
	case 'c':
		paint := p.paint()
		p.pen.Color = paint.Color
	case 'S':
		p.style(p.string())
	case 'I':
		min := p.point()
		size := p.point()
		max := Point{min.X + size.X, min.Y + size.Y}
		p.ops = append(p.ops, &Image{Name: p.string(), Min: min, Max: max})
	default:
		p.fail("unknown operation %q", code)
	}
	return p.err == nil
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *parser) shape(k Kind, filled bool, pts []Point) {
	if k == Bezier && len(pts)%3 != 1 {
		p.fail("Bézier curve with %d points", len(pts))
	}
	p.ops = append(p.ops, &Shape{Kind: k, Points: pts, Pen: p.pen, Filled: filled, Fill: p.fill})
}

func (p *parser) text() {
	t := &Text{At: p.point(), Align: Align(p.number()), Font: p.font, Color: p.pen.Color}
	t.Width = p.number()
	t.String = p.string()
	p.ops = append(p.ops, t)
}

// style reads the argument of S. Styles that only name a fill or a corner have
// taken effect on the shapes already.
func (p *parser) style(s string) {
	switch name, arg, _ := strings.Cut(s, "("); name {
	case "solid":
		p.pen.Line = Solid
	case "dashed":
		p.pen.Line = Dashed
	case "dotted":
		p.pen.Line = Dotted
	case "invis", "invisible":
		p.pen.Line = Invisible
	case "bold":
		p.pen.Width = 2
	case "setlinewidth":
		if w, err := strconv.ParseFloat(strings.TrimSuffix(arg, ")"), 64); err == nil && w >= 0 && w < limit {
			p.pen.Width = w
		}
	}
}

// field cuts the next blank-separated field.
func (p *parser) field() string {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	n := strings.IndexAny(p.rest, " \t\r\n")
	if n < 0 {
		n = len(p.rest)
	}
	f := p.rest[:n]
	p.rest = p.rest[n:]
	return f
}

func (p *parser) number() float64 {
	f := p.field()
	v, err := strconv.ParseFloat(f, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > limit {
		p.fail("bad number %q", f)
		return 0
	}
	return v
}

func (p *parser) count() int {
	f := p.field()
	n, err := strconv.Atoi(f)
	if err != nil || n < 0 {
		p.fail("bad count %q", f)
		return 0
	}
	return n
}

func (p *parser) point() Point {
	x := p.number()
	return Point{x, p.number()}
}

func (p *parser) points() []Point {
	n := p.count()
	if n > len(p.rest)/4 { // " 0 0" is the shortest point
		p.fail("%d points do not fit", n)
		return nil
	}
	pts := make([]Point, n)
	for i := range pts {
		pts[i] = p.point()
	}
	return pts
}

// string reads "n -text": n bytes of text. Graphviz 12 writes a backslash of
// the text twice and counts it once, earlier versions write it once. What
// follows the text, a blank or the end, tells them apart.
func (p *parser) string() string {
	n := p.count()
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " \t\r\n"), "-")
	if !ok {
		p.fail("string without a dash")
		return ""
	}
	ends := func(s string) bool { return s == "" || s[0] == ' ' }
	if s, after, ok := takeEscaped(rest, n); ok && ends(after) {
		p.rest = after
		return valid(s)
	}
	if n <= len(rest) && ends(rest[n:]) {
		p.rest = rest[n:]
		return valid(rest[:n])
	}
	p.fail("string is not %d bytes long", n)
	return ""
}

// takeEscaped cuts n bytes off the front of s, a doubled backslash being one.
func takeEscaped(s string, n int) (taken, after string, ok bool) {
	if n <= len(s) && strings.IndexByte(s[:n], '\\') < 0 {
		return s[:n], s[n:], true
	}
	var b strings.Builder
	i := 0
	for ; n > 0; n-- {
		if i >= len(s) {
			return "", "", false
		}
		if strings.HasPrefix(s[i:], `\\`) {
			i++
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String(), s[i:], true
}

// valid keeps a name from the wrong encoding from spreading.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// paint reads a colour or a gradient:
//
//	7 -#ff0000
//	40 -[x0 y0 x1 y1 n at colour at colour …]        linear
//	52 -(x0 y0 r0 x1 y1 r1 n at colour at colour …)  radial
func (p *parser) paint() Paint {
	s := p.string()
	if s == "" || s[0] != '[' && s[0] != '(' {
		return Paint{Color: p.color(s)}
	}
	radial := s[0] == '('
	in := parser{rest: strings.TrimRight(s[1:], ")]")}
	g := &Gradient{Radial: radial}
	g.From = in.point()
	if radial {
		g.R0 = in.number()
	}
	g.To = in.point()
	if radial {
		g.R1 = in.number()
	}
	n := in.count()
	for i := 0; i < n && in.err == nil; i++ {
		at := in.number()
		g.Stops = append(g.Stops, Stop{at, in.color(in.string())})
	}
	if in.err != nil || len(g.Stops) == 0 {
		p.fail("bad gradient %q", s)
		return Paint{}
	}
	return Paint{Color: g.Stops[0].Color, Gradient: g}
}

// color reads #rrggbb or #rrggbbaa, and "transparent".
func (p *parser) color(s string) color.NRGBA {
	hex, ok := strings.CutPrefix(s, "#")
	v, err := strconv.ParseUint(hex, 16, 32)
	switch {
	case s == "transparent":
		return color.NRGBA{}
	case ok && err == nil && len(hex) == 6:
		v = v<<8 | 0xff
	case ok && err == nil && len(hex) == 8:
	default:
		p.fail("bad colour %q", s)
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}
}
