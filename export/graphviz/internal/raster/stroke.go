package raster

import "math"

// Pen draws the line of a path.
type Pen struct {
	Width float64   // pixels
	Dash  []float64 // pixels on, off, on …; none for a solid line
}

// miterLimit is the longest tip of a corner, in pen widths; sharper corners
// are cut off. The value is cairo's.
const miterLimit = 10

// maxDashed is the longest line, in pixels, that is cut into dashes.
const maxDashed = 1e6

func length(pts []Point) float64 {
	sum := 0.0
	for i := 1; i < len(pts); i++ {
		sum += pts[i].minus(pts[i-1]).length()
	}
	return sum
}

// stroke returns the polygons whose union is the line that pen draws along p.
// They all turn the same way, so that a rasterizer that adds up winding
// numbers sees a union where they overlap.
func stroke(p *Path, pen Pen) []polygon {
	if len(p.pts) < 2 {
		return nil
	}
	pts := p.pts
	if p.closed {
		pts = append(pts[:len(pts):len(pts)], pts[0])
	}
	if len(pen.Dash) == 0 || length(pts) > maxDashed {
		return outline(nil, pts, p.closed && len(p.pts) > 2, pen.Width/2)
	}
	var out []polygon
	for _, piece := range dashes(pts, pen.Dash) {
		out = outline(out, piece, false, pen.Width/2)
	}
	return out
}

// outline appends the line through pts, h wide on either side: a rectangle for
// each segment and a corner between every two.
func outline(out []polygon, pts []Point, closed bool, h float64) []polygon {
	segment := func(i int) Point { return pts[i+1].minus(pts[i]) }
	last := len(pts) - 2
	for i := 0; i <= last; i++ {
		n := segment(i).leftNormal(h)
		a, b := pts[i], pts[i+1]
		out = appendPolygon(out, a.plus(n), a.minus(n), b.minus(n), b.plus(n))
		if i < last {
			out = corner(out, b, segment(i), segment(i+1), h)
		} else if closed {
			out = corner(out, b, segment(i), segment(0), h)
		}
	}
	return out
}

// corner appends what is missing on the outer side of the bend at p, where a
// line coming along u leaves along v.
func corner(out []polygon, p, u, v Point, h float64) []polygon {
	turn := cross(u, v) / (u.length() * v.length())
	if math.Abs(turn)*h < 0.05 && dot(u, v) > 0 {
		return out // too small to see
	}
	side := h
	if turn > 0 {
		side = -h // a turn to the left opens on the right
	}
	a, b := u.leftNormal(side), v.leftNormal(side)
	mid := a.plus(b)
	// The tip lies on the bisector, h / cos(half the turn) away.
	if l := mid.length(); l > 1e-9 {
		if reach := 2 * h * h / l; reach <= miterLimit*h {
			return appendPolygon(out, p, p.plus(a), p.plus(mid.times(reach/l)), p.plus(b))
		}
	}
	return appendPolygon(out, p, p.plus(a), p.plus(b))
}

// dashes cuts a line into the pieces that are drawn.
func dashes(pts []Point, pattern []float64) [][]Point {
	var out [][]Point
	phase, left := 0, pattern[0]
	piece := []Point{pts[0]}
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		length := b.minus(a).length()
		at := 0.0
		for length-at > left {
			at += left
			q := lerp(a, b, at/length)
			if phase%2 == 0 {
				out = append(out, append(piece, q))
			}
			piece = []Point{q}
			phase++
			left = pattern[phase%len(pattern)]
		}
		left -= length - at
		piece = append(piece, b)
	}
	if phase%2 == 0 && len(piece) > 1 {
		out = append(out, piece)
	}
	return dropPoints(out)
}

// dropPoints removes pieces and steps of no length, which have no direction.
func dropPoints(pieces [][]Point) [][]Point {
	out := pieces[:0]
	for _, piece := range pieces {
		kept := piece[:1]
		for _, p := range piece[1:] {
			if p.minus(kept[len(kept)-1]).length() > 1e-6 {
				kept = append(kept, p)
			}
		}
		if len(kept) > 1 {
			out = append(out, kept)
		}
	}
	return out
}

// polygon is a closed outline with its bounds.
type polygon struct {
	pts []Point
	box box
}

// appendPolygon appends the polygon through pts, turned so that its signed
// area is positive.
func appendPolygon(out []polygon, pts ...Point) []polygon {
	area := 0.0
	for i, p := range pts {
		area += cross(p, pts[(i+1)%len(pts)])
	}
	if area < 0 {
		for i, j := 0, len(pts)-1; i < j; i, j = i+1, j-1 {
			pts[i], pts[j] = pts[j], pts[i]
		}
	}
	return append(out, polygon{pts, bounds(pts)})
}
