package graphviz

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/export/graphviz/internal/dotlang"
	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

// defaultPad is Graphviz's margin around a drawing.
const defaultPad = 4

// decode reads the xdot text of a laid-out graph.
func decode(text []byte) (*Drawing, error) {
	g, err := dotlang.Parse(text)
	if err != nil {
		return nil, err
	}
	d := &Drawing{
		Name:       g.Name,
		Directed:   g.Directed,
		Pad:        xdot.Point{X: defaultPad, Y: defaultPad},
		Background: color.NRGBA{0xff, 0xff, 0xff, 0xff},
		edgesFirst: g.Attrs["outputorder"] == "edgesfirst",
	}
	dec := decoder{d: d}
	dec.graph(g.Attrs)
	for _, c := range g.Clusters {
		dec.cluster(c)
	}
	for _, n := range g.Nodes {
		dec.node(n)
	}
	for _, e := range g.Edges {
		dec.edge(e)
	}
	return d, dec.err
}

// decoder fills a Drawing. The first error sticks.
type decoder struct {
	d         *Drawing
	left, top float64 // of the bounding box, in Graphviz's coordinates
	err       error
}

func (dec *decoder) fail(format string, args ...any) {
	if dec.err == nil {
		dec.err = fmt.Errorf(format, args...)
	}
}

// numbers reads the leading numbers of a list like "0,0,54,108".
func numbers(s string, n int) ([]float64, bool) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	if len(fields) < n {
		return nil, false
	}
	out := make([]float64, n)
	for i := range out {
		v, err := strconv.ParseFloat(strings.TrimSuffix(fields[i], "!"), 64)
		if err != nil || math.IsNaN(v) || math.Abs(v) > 1e9 {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// point turns a position of Graphviz's, y upwards, into one of ours.
func (dec *decoder) point(x, y float64) xdot.Point {
	return xdot.Point{X: x - dec.left, Y: dec.top - y}
}

func (dec *decoder) graph(a dotlang.Attrs) {
	d := dec.d
	bb, ok := numbers(a["bb"], 4)
	if !ok {
		dec.fail("graph without a bounding box: bb=%q", a["bb"])
		return
	}
	dec.left, dec.top = bb[0], bb[3]
	d.Width, d.Height = bb[2]-bb[0], bb[3]-bb[1]
	if s := a["size"]; s != "" {
		d.MaxSize, d.Fill = pair(s), strings.HasSuffix(s, "!")
	}
	if s := a["pad"]; s != "" {
		d.Pad = pair(s)
	}
	if v, ok := numbers(cmp.Or(a["dpi"], a["resolution"]), 1); ok && v[0] > 0 {
		d.DPI = v[0]
	}
	dec.background(a)
	label := dec.ops(a["_ldraw_"])
	d.Label = texts(label)
	d.ops = append(d.ops, label...)
}

// background reads the colour of the page. Graphviz paints it by a rectangle
// around the bounding box, which leaves the margin out.
func (dec *decoder) background(a dotlang.Attrs) {
	d := dec.d
	ops := dec.ops(a["_draw_"])
	if a["bgcolor"] == "transparent" {
		d.Background = color.NRGBA{}
		return
	}
	for i, op := range ops {
		if s, ok := op.(*xdot.Shape); ok && s.Filled {
			d.Background = s.Fill.Color
			if s.Fill.Gradient == nil {
				ops = slices.Delete(ops, i, i+1)
			}
			break
		}
	}
	d.ops = ops
}

// pair reads one or two lengths in inches and returns them in points.
func pair(s string) xdot.Point {
	if v, ok := numbers(s, 2); ok {
		return xdot.Point{X: max(v[0], 0) * 72, Y: max(v[1], 0) * 72}
	}
	if v, ok := numbers(s, 1); ok {
		return xdot.Point{X: max(v[0], 0) * 72, Y: max(v[0], 0) * 72}
	}
	return xdot.Point{}
}

func (dec *decoder) cluster(c *dotlang.Cluster) {
	bb, ok := numbers(c.Attrs["bb"], 4)
	if !ok {
		return // an empty cluster has no place
	}
	out := Cluster{
		Name:   c.Name,
		Center: dec.point((bb[0]+bb[2])/2, (bb[1]+bb[3])/2),
		Width:  bb[2] - bb[0],
		Height: bb[3] - bb[1],
		Ops:    dec.ops(c.Attrs["_draw_"], c.Attrs["_ldraw_"]),
	}
	out.Line, out.Fill = colors(out.Ops)
	out.Label = texts(out.Ops)
	dec.d.Clusters = append(dec.d.Clusters, out)
}

func (dec *decoder) node(n *dotlang.Node) {
	pos, ok := numbers(n.Attrs["pos"], 2)
	if !ok {
		dec.fail("node %q without a position: pos=%q", n.Name, n.Attrs["pos"])
		return
	}
	w, _ := numbers(n.Attrs["width"], 1)
	h, ok := numbers(n.Attrs["height"], 1)
	if w == nil || !ok {
		dec.fail("node %q without a size", n.Name)
		return
	}
	out := Node{
		Name:   n.Name,
		Center: dec.point(pos[0], pos[1]),
		Width:  w[0] * 72,
		Height: h[0] * 72,
		Shape:  cmp.Or(n.Attrs["shape"], "ellipse"),
		Style:  n.Attrs["style"],
		Ops:    dec.ops(n.Attrs["_draw_"], n.Attrs["_ldraw_"], n.Attrs["_xldraw_"]),
	}
	out.Line, out.Fill = colors(out.Ops)
	out.Label = texts(out.Ops)
	dec.d.Nodes = append(dec.d.Nodes, out)
}

func (dec *decoder) edge(e *dotlang.Edge) {
	a := e.Attrs
	out := Edge{
		Tail: e.Tail, Head: e.Head, Style: a["style"],
		Ops: dec.ops(a["_draw_"], a["_tdraw_"], a["_hdraw_"],
			a["_ldraw_"], a["_tldraw_"], a["_hldraw_"], a["_xldraw_"]),
	}
	for spline := range strings.SplitSeq(a["pos"], ";") {
		dec.spline(&out, a, spline)
	}
	out.Line, _ = colors(out.Ops)
	out.Label = texts(out.Ops)
	dec.d.Edges = append(dec.d.Edges, out)
}

// spline reads "s,x,y e,x,y x,y x,y …": where the arrows end, then a curve.
func (dec *decoder) spline(out *Edge, a dotlang.Attrs, s string) {
	var curve []xdot.Point
	for field := range strings.FieldsSeq(s) {
		kind, rest, _ := strings.Cut(field, ",")
		switch kind {
		case "s", "e":
		default:
			rest = field
		}
		v, ok := numbers(rest, 2)
		if !ok {
			dec.fail("edge %q -> %q with a bad position %q", out.Tail, out.Head, field)
			return
		}
		switch p := dec.point(v[0], v[1]); kind {
		case "s":
			out.TailArrow = &Arrow{cmp.Or(a["arrowtail"], "normal"), p}
		case "e":
			out.HeadArrow = &Arrow{cmp.Or(a["arrowhead"], "normal"), p}
		default:
			curve = append(curve, p)
		}
	}
	if len(curve) > 0 {
		out.Curves = append(out.Curves, curve)
	}
}

// ops reads drawing attributes into our coordinates.
func (dec *decoder) ops(attrs ...string) []xdot.Op {
	var out []xdot.Op
	for _, a := range attrs {
		ops, err := xdot.Parse(a)
		if err != nil {
			dec.fail("%w", err)
			return nil
		}
		out = append(out, ops...)
	}
	for _, op := range out {
		dec.place(op)
	}
	return out
}

// place moves op from Graphviz's coordinates to ours.
func (dec *decoder) place(op xdot.Op) {
	move := func(p *xdot.Point) { *p = dec.point(p.X, p.Y) }
	switch op := op.(type) {
	case *xdot.Shape:
		pts := op.Points
		if op.Kind == xdot.Ellipse {
			pts = pts[:1] // the other one is the radii
		}
		for i := range pts {
			move(&pts[i])
		}
		// Shapes of one attribute may share a gradient: each gets its own.
		if op.Fill.Gradient != nil {
			g := *op.Fill.Gradient
			move(&g.From)
			move(&g.To)
			op.Fill.Gradient = &g
		}
	case *xdot.Text:
		move(&op.At)
	case *xdot.Image:
		move(&op.Min)
		move(&op.Max)
		op.Min.Y, op.Max.Y = op.Max.Y, op.Min.Y
	}
}

// colors returns the colours of the first outline and of the first area.
func colors(ops []xdot.Op) (line, fill color.NRGBA) {
	lined, filled := false, false
	for _, op := range ops {
		s, ok := op.(*xdot.Shape)
		if !ok {
			continue
		}
		if !lined && s.Pen.Line != xdot.Invisible {
			line, lined = s.Pen.Color, true
		}
		if !filled && s.Filled {
			fill, filled = s.Fill.Color, true
		}
	}
	return line, fill
}

func texts(ops []xdot.Op) []*xdot.Text {
	var out []*xdot.Text
	for _, op := range ops {
		if t, ok := op.(*xdot.Text); ok {
			out = append(out, t)
		}
	}
	return out
}
