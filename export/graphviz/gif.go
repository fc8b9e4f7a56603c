package graphviz

import (
	"cmp"
	"context"
	"image"
	"image/color"
	"image/gif"
	"io"
	"math"
	"slices"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/raster"
	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

// Bounds of animations.
const (
	DefaultGIFPixels = 3_000_000 // of a frame
	MaxFrames        = 200       // that a caller should ask for
)

// A Look is how a node or an edge of a Drawing is drawn in a frame of an animation. A
// transparent colour, or a width of 0, leaves what the drawing has.
type Look struct {
	Fill, Line, Text color.NRGBA
	Width            float64 // of lines, in points
	Dashed           bool
	Short            bool // leaves out the last line of the label
}

// An Animation says how frames differ from a Drawing.
type Animation struct {
	Frames int
	Delay  time.Duration // between frames; the last one is shown for ten times as long
	// Node and Edge return the look of a node, and of the edges from one to another, in a
	// frame.
	Node func(frame int, name string) Look
	Edge func(frame int, tail, head string) Look
	// Caption replaces, in each frame, the line of the label of the graph that is Caption of
	// the last frame.
	Caption func(frame int) string
}

// WriteGIF draws the frames of an animation and writes them. A frame after the first has only what changed. It stops early with ctx's error when ctx ends.
func (d *Drawing) WriteGIF(ctx context.Context, w io.Writer, a Animation, opts PNGOptions) (PNGSize, error) {
	opts.MaxPixels = cmp.Or(opts.MaxPixels, DefaultGIFPixels)
	size := d.PNGSize(opts)
	colors := newPalette()
	last := a.Frames - 1
	for _, frame := range []int{0, last / 2, last} {
		colors.count(d.frame(a, frame, size).paint(image.Rect(0, 0, size.Width, size.Height)))
		if err := ctx.Err(); err != nil {
			return size, err
		}
	}
	colors.choose()
	out := gif.GIF{Config: image.Config{ColorModel: colors.colors, Width: size.Width, Height: size.Height}}
	delay := max(int(a.Delay/(10*time.Millisecond)), 2)
	shown := image.NewPaletted(image.Rect(0, 0, size.Width, size.Height), colors.colors)
	for frame := range a.Frames {
		if err := ctx.Err(); err != nil {
			return size, err
		}
		area := image.Rect(0, 0, size.Width, size.Height)
		if frame > 0 {
			area = d.changed(a, frame, size)
		}
		img := colors.paletted(d.frame(a, frame, size).paint(area))
		if frame == 0 {
			copy(shown.Pix, img.Pix)
		} else {
			onlyChanges(img, shown)
		}
		out.Image = append(out.Image, img)
		out.Delay = append(out.Delay, delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	out.Delay[last] = min(10*delay, 500)
	return size, gif.EncodeAll(w, &out)
}

// A frame is a canvas with a frame of an animation.
type frame struct{ canvas *raster.Canvas }

func (f frame) paint(area image.Rectangle) *image.RGBA {
	img := image.NewRGBA(area)
	f.canvas.Paint(img)
	return img
}

// painter returns what draws the picture in a size.
func (d *Drawing) painter(size PNGSize) painter {
	pageW, _ := d.pageSize()
	return painter{
		canvas: raster.NewCanvas(size.Width, size.Height, d.Background),
		pad:    d.Pad,
		scale:  size.DPI / 72 * pageW / max(d.Width+2*d.Pad.X, 1),
	}
}

func (d *Drawing) frame(a Animation, number int, size PNGSize) frame {
	p := d.painter(size)
	p.draw(captioned(d.ops, a, number))
	for i := range d.Clusters {
		p.draw(d.Clusters[i].Ops)
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		p.draw(a.Edge(number, e.Tail, e.Head).apply(e.Ops))
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		p.draw(a.Node(number, n.Name).apply(n.Ops))
	}
	return frame{p.canvas}
}

// captioned replaces the caption of the last frame.
func captioned(ops []xdot.Op, a Animation, number int) []xdot.Op {
	last := a.Caption(a.Frames - 1)
	out := slices.Clone(ops)
	for i, op := range out {
		if t, ok := op.(*xdot.Text); ok && t.String == last {
			c := *t
			c.String = a.Caption(number)
			c.Width *= float64(len(c.String)) / float64(max(len(last), 1))
			out[i] = &c
		}
	}
	return out
}

// apply changes drawing operations.
func (l Look) apply(ops []xdot.Op) []xdot.Op {
	if l == (Look{}) {
		return ops
	}
	lastText := -1
	for i, op := range ops {
		if _, ok := op.(*xdot.Text); ok {
			lastText = i
		}
	}
	out := make([]xdot.Op, 0, len(ops))
	for i, op := range ops {
		switch op := op.(type) {
		case *xdot.Shape:
			s := *op
			if s.Filled && s.Fill.Color.A > 0 && l.Fill.A > 0 {
				s.Fill = xdot.Paint{Color: l.Fill}
			}
			if s.Pen.Color.A > 0 && l.Line.A > 0 {
				s.Pen.Color = l.Line
			}
			if l.Width > 0 {
				s.Pen.Width = l.Width
			}
			if l.Dashed {
				s.Pen.Line = xdot.Dashed
			}
			out = append(out, &s)
		case *xdot.Text:
			if l.Short && i == lastText {
				continue
			}
			t := *op
			if l.Text.A > 0 {
				t.Color = l.Text
			}
			out = append(out, &t)
		default:
			out = append(out, op)
		}
	}
	return out
}

// changed is the part of a frame that differs from the one before.
func (d *Drawing) changed(a Animation, number int, size PNGSize) image.Rectangle {
	p := d.painter(size)
	var area image.Rectangle
	const margin = 4 // points, for the width of lines
	add := func(min, max xdot.Point) {
		from, to := p.point(xdot.Point{X: min.X - margin, Y: min.Y - margin}), p.point(xdot.Point{X: max.X + margin, Y: max.Y + margin})
		area = area.Union(image.Rect(int(from.X), int(from.Y), int(math.Ceil(to.X)), int(math.Ceil(to.Y))))
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if a.Node(number, n.Name) != a.Node(number-1, n.Name) {
			add(xdot.Point{X: n.Center.X - n.Width/2, Y: n.Center.Y - n.Height/2}, xdot.Point{X: n.Center.X + n.Width/2, Y: n.Center.Y + n.Height/2})
		}
	}
	for i := range d.Edges {
		if e := &d.Edges[i]; a.Edge(number, e.Tail, e.Head) != a.Edge(number-1, e.Tail, e.Head) {
			add(extent(e.Ops))
		}
	}
	if a.Caption(number) != a.Caption(number-1) {
		for _, op := range d.ops {
			if t, ok := op.(*xdot.Text); ok && t.String == a.Caption(a.Frames-1) {
				add(xdot.Point{X: 0, Y: t.At.Y - t.Font.Size}, xdot.Point{X: t.At.X + 2*t.Width, Y: t.At.Y + t.Font.Size/2})
			}
		}
	}
	area = area.Intersect(image.Rect(0, 0, size.Width, size.Height))
	if area.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return area
}

// extent is the smallest box around what operations draw.
func extent(ops []xdot.Op) (low, high xdot.Point) {
	low, high = xdot.Point{X: math.Inf(1), Y: math.Inf(1)}, xdot.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	add := func(p xdot.Point) {
		low = xdot.Point{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = xdot.Point{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	for _, op := range ops {
		switch op := op.(type) {
		case *xdot.Shape:
			for _, p := range op.Points {
				add(p)
			}
		case *xdot.Text:
			add(xdot.Point{X: op.At.X - op.Width, Y: op.At.Y - op.Font.Size})
			add(xdot.Point{X: op.At.X + op.Width, Y: op.At.Y + op.Font.Size/2})
		}
	}
	return low, high
}

// onlyChanges makes those pixels of a frame transparent that are shown already, which takes
// hardly any room in the file, and notes what is shown then.
func onlyChanges(img, shown *image.Paletted) {
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, y):][:img.Rect.Dx()]
		before := shown.Pix[shown.PixOffset(img.Rect.Min.X, y):][:img.Rect.Dx()]
		for x, c := range row {
			if before[x] == c {
				row[x] = transparent
			} else {
				before[x] = c
			}
		}
	}
}

// transparent is the place of the transparent colour in palettes.
const transparent = 0

// A palette is the at most 256 colours of an animation: none, and the most frequent ones.
type palette struct {
	colors color.Palette
	counts map[uint32]int // by colour, rounded
	near   map[uint32]uint8
}

func newPalette() *palette {
	return &palette{counts: map[uint32]int{}, near: map[uint32]uint8{}}
}

// rounded is a colour in six bits a channel.
func rounded(p []byte) uint32 { return uint32(p[0]>>2)<<12 | uint32(p[1]>>2)<<6 | uint32(p[2]>>2) }

// widened is a rounded colour with eight bits a channel.
func widened(c uint32) color.RGBA {
	up := func(v uint32) uint8 { v &= 63; return uint8(v<<2 | v>>4) }
	return color.RGBA{up(c >> 12), up(c >> 6), up(c), 0xff}
}

func (p *palette) count(img *image.RGBA) {
	for i := 0; i+3 < len(img.Pix); i += 4 {
		p.counts[rounded(img.Pix[i:])]++
	}
}

// choose takes the most frequent colours.
func (p *palette) choose() {
	list := make([]uint32, 0, len(p.counts))
	for c := range p.counts {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(p.counts[b], p.counts[a]), cmp.Compare(a, b))
	})
	p.colors = color.Palette{transparent: color.RGBA{}}
	for _, c := range list[:min(len(list), 255)] {
		p.colors = append(p.colors, widened(c))
	}
}

// paletted gives each pixel the nearest colour of the palette.
func (p *palette) paletted(img *image.RGBA) *image.Paletted {
	out := image.NewPaletted(img.Rect, p.colors)
	for i := range out.Pix {
		c := rounded(img.Pix[4*i:])
		at, ok := p.near[c]
		if !ok {
			at = uint8(p.colors[1:].Index(widened(c)) + 1)
			p.near[c] = at
		}
		out.Pix[i] = at
	}
	return out
}
