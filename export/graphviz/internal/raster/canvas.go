// Package raster draws paths and lines of text into a picture and writes it as
// PNG.
//
// A Canvas records what is drawn. The picture comes into being when it is
// written, in bands of a few rows: several are drawn and compressed at once,
// and none of them outlives its turn. Memory is a few bands and what was
// recorded, whatever the size of the picture, and a line across the whole
// picture costs in each band only the few pixels it touches there.
package raster

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// Canvas is a picture in the making. It is for one goroutine.
type Canvas struct {
	width, height int
	background    color.NRGBA
	items         []item
	text          *typesetter
}

// item is something drawn: the union of polygons, or glyphs, in one colour.
type item struct {
	src      image.Image
	polygons []polygon
	glyphs   []placed
	box      box
}

// NewCanvas returns a canvas of width times height pixels.
func NewCanvas(width, height int, background color.NRGBA) *Canvas {
	return &Canvas{width: width, height: height, background: background, text: newTypesetter()}
}

// Fill paints the inside of p with src, whose coordinates are the canvas's.
func (c *Canvas) Fill(p *Path, src image.Image) {
	if len(p.pts) > 2 {
		c.add(item{src: src, polygons: appendPolygon(nil, p.pts...)})
	}
}

// Stroke draws the line of p.
func (c *Canvas) Stroke(p *Path, pen Pen, src image.Image) {
	c.add(item{src: src, polygons: stroke(p, pen)})
}

// Text draws a line of text. One too small to read becomes a pale bar.
func (c *Canvas) Text(t Text, col color.NRGBA) {
	if t.Size < readable {
		col.A /= 3
		x := t.Start.X - t.Width*t.Align
		bar := MoveTo(Point{x, t.Start.Y})
		bar.LineTo(Point{x + t.Width, t.Start.Y})
		bar.LineTo(Point{x + t.Width, t.Start.Y - t.Size/2})
		bar.LineTo(Point{x, t.Start.Y - t.Size/2})
		c.Fill(bar, image.NewUniform(col))
		return
	}
	c.add(item{src: image.NewUniform(col), glyphs: c.text.line(t)})
}

func (c *Canvas) add(it item) {
	it.box = emptyBox
	for i := range it.polygons {
		it.box.join(it.polygons[i].box)
	}
	for _, g := range it.glyphs {
		it.box.add(Point{float64(g.rect.Min.X), float64(g.rect.Min.Y)})
		it.box.add(Point{float64(g.rect.Max.X), float64(g.rect.Max.Y)})
	}
	if it.box.y1 < 0 || it.box.y0 > float64(c.height) || it.box.x1 < 0 || it.box.x0 > float64(c.width) {
		return // outside, or nothing at all
	}
	c.items = append(c.items, it)
}

// drawBand draws the rows of img, which is a window on the canvas.
func (c *Canvas) drawBand(img *image.RGBA, items []int, z *vector.Rasterizer) {
	draw.Draw(img, img.Rect, image.NewUniform(c.background), image.Point{}, draw.Src)
	for _, i := range items {
		it := &c.items[i]
		drawPolygons(img, it, z)
		for _, g := range it.glyphs {
			r := g.rect.Intersect(img.Rect)
			if !r.Empty() {
				draw.DrawMask(img, r, it.src, image.Point{}, g.mask, r.Min.Sub(g.rect.Min), draw.Over)
			}
		}
	}
}

// drawPolygons draws the polygons of it that touch img, as one shape.
func drawPolygons(img *image.RGBA, it *item, z *vector.Rasterizer) {
	touched := emptyBox
	for i := range it.polygons {
		if overlaps(img.Rect, it.polygons[i].box) {
			touched.join(it.polygons[i].box)
		}
	}
	r := touched.pixels(img.Rect)
	if r.Empty() {
		return
	}
	z.Reset(r.Dx(), r.Dy())
	l := liner{z, float64(r.Dx()), float64(r.Dy())}
	origin := Point{float64(r.Min.X), float64(r.Min.Y)}
	for i := range it.polygons {
		pg := &it.polygons[i]
		if !overlaps(img.Rect, pg.box) {
			continue
		}
		last := pg.pts[len(pg.pts)-1].minus(origin)
		for _, p := range pg.pts {
			p = p.minus(origin)
			l.line(last, p)
			last = p
		}
	}
	z.Draw(img, r, it.src, r.Min)
}

// liner adds lines to a rasterizer. It cuts them first, to the rasterizer's
// size and into short pieces: the rasterizer computes with 32 bits, and its
// error, of up to 1/1024 pixel, adds up row by row along a line.
type liner struct {
	z             *vector.Rasterizer
	width, height float64
}

// maxRows is the height of the pieces.
const maxRows = 8

// line adds the part of a line between the top and the bottom. What is beyond
// the sides becomes a line along them, because it counts for what lies to its
// right.
func (l *liner) line(a, b Point) {
	if max(a.Y, b.Y) <= 0 || min(a.Y, b.Y) >= l.height {
		return
	}
	a, b = cutY(a, b, 0, l.height), cutY(b, a, 0, l.height)
	for _, x := range [2]float64{0, l.width} {
		if a.X < x && x < b.X || b.X < x && x < a.X {
			m := lerp(a, b, (x-a.X)/(b.X-a.X))
			m.X = x
			l.line(a, m)
			l.line(m, b)
			return
		}
	}
	if math.Abs(b.Y-a.Y) > maxRows {
		m := lerp(a, b, 0.5)
		l.line(a, m)
		l.line(m, b)
		return
	}
	l.z.MoveTo(float32(min(max(a.X, 0), l.width)), float32(a.Y))
	l.z.LineTo(float32(min(max(b.X, 0), l.width)), float32(b.Y))
}

// cutY moves p along the line to q until it is between two heights.
func cutY(p, q Point, top, bottom float64) Point {
	y := min(max(p.Y, top), bottom)
	if y == p.Y {
		return p
	}
	return Point{p.X + (q.X-p.X)*(y-p.Y)/(q.Y-p.Y), y}
}

func overlaps(r image.Rectangle, b box) bool {
	return b.y0 < float64(r.Max.Y) && b.y1 > float64(r.Min.Y) &&
		b.x0 < float64(r.Max.X) && b.x1 > float64(r.Min.X)
}

// pixels returns the pixels within r that b touches.
func (b box) pixels(r image.Rectangle) image.Rectangle {
	if b.x0 > b.x1 {
		return image.Rectangle{}
	}
	low := func(v float64, least int) int { return int(math.Max(math.Floor(v), float64(least))) }
	high := func(v float64, most int) int { return int(math.Min(math.Ceil(v), float64(most))) }
	return image.Rect(0, 0, 0, 0).Union(image.Rectangle{
		Min: image.Pt(low(b.x0, r.Min.X), low(b.y0, r.Min.Y)),
		Max: image.Pt(high(b.x1, r.Max.X), high(b.y1, r.Max.Y)),
	})
}
