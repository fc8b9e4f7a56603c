package raster

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"image"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/image/vector"
)

// rowsOf returns the height of the bands of a picture: as many rows as make
// about 100 KB, because each band costs a table of codes in the file and the
// time to compute it, but not fewer than 32, for lines that cross bands, nor
// more than fit in the picture.
func rowsOf(width, height int) int {
	return min(max(1<<15/width, 32), height)
}

// WritePNG draws the picture and writes it. Colours are 8-bit RGB, with alpha
// when the background has any. dpi is stored as the resolution of the picture.
func (c *Canvas) WritePNG(ctx context.Context, w io.Writer, dpi float64) error {
	out := pngWriter{w: w}
	out.header(c.width, c.height, c.transparent(), dpi)
	sum := uint32(1) // of nothing
	err := c.bands(ctx, func(b *band) error {
		sum = combineAdler(sum, b.sum, b.length)
		out.chunk("IDAT", b.compressed.Bytes())
		return out.err
	})
	if err != nil {
		return err
	}
	out.chunk("IDAT", binary.BigEndian.AppendUint32(nil, sum))
	out.chunk("IEND", nil)
	return out.err
}

func (c *Canvas) transparent() bool { return c.background.A != 0xff }

// pngWriter writes the parts of a PNG file. The first error sticks.
type pngWriter struct {
	w   io.Writer
	err error
}

func (p *pngWriter) header(width, height int, alpha bool, dpi float64) {
	if _, p.err = io.WriteString(p.w, "\x89PNG\r\n\x1a\n"); p.err != nil {
		return
	}
	colorType := byte(2) // RGB
	if alpha {
		colorType = 6 // RGBA
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(width))
	b = binary.BigEndian.AppendUint32(b, uint32(height))
	p.chunk("IHDR", append(b, 8, colorType, 0, 0, 0))

	perMetre := uint32(math.Round(dpi / 0.0254))
	b = binary.BigEndian.AppendUint32(nil, perMetre)
	b = binary.BigEndian.AppendUint32(b, perMetre)
	p.chunk("pHYs", append(b, 1))

	p.chunk("IDAT", []byte{0x78, 0x01}) // the zlib header
}

func (p *pngWriter) chunk(name string, data []byte) {
	if p.err != nil {
		return
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	head = append(head, name...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	for _, b := range [][]byte{head, data, binary.BigEndian.AppendUint32(nil, sum)} {
		if _, p.err = p.w.Write(b); p.err != nil {
			return
		}
	}
}

// band is a number of rows on their way to the file.
type band struct {
	compressed bytes.Buffer
	sum        uint32 // Adler-32 of the filtered rows
	length     int    // of the filtered rows, in bytes
	err        error
}

// bands draws and compresses all bands, several at once, and hands them to
// emit in order, from the top. Worker k of n paints the bands k, k+n, k+2n …
func (c *Canvas) bands(ctx context.Context, emit func(*band) error) error {
	ctx, stop := context.WithCancel(ctx)
	rows := rowsOf(c.width, c.height)
	n := (c.height + rows - 1) / rows
	items := c.itemsByBand(n, rows)
	painted := make([]chan *band, min(runtime.GOMAXPROCS(0), n))
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	for k := range painted {
		painted[k] = make(chan *band, 1)
		workers.Go(func() {
			p := newPainter(c, rows)
			for i := k; i < n; i += len(painted) {
				select {
				case painted[k] <- p.paint(i, items[i], i == n-1):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	for i := range n {
		select {
		case b := <-painted[i%len(painted)]:
			if b.err != nil {
				return b.err
			}
			if err := emit(b); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// itemsByBand lists, for each of n bands, the items that touch it, in drawing
// order.
func (c *Canvas) itemsByBand(n, rows int) [][]int {
	bands := make([][]int, n)
	for i := range c.items {
		b := c.items[i].box
		first := max(int(math.Floor(b.y0))/rows, 0)
		last := min(int(math.Min(b.y1, float64(c.height)))/rows, n-1)
		for k := first; k <= last; k++ {
			bands[k] = append(bands[k], i)
		}
	}
	return bands
}

// painter draws and compresses bands, one at a time.
type painter struct {
	c      *Canvas
	height int // of a band
	z      vector.Rasterizer
	pix    []byte
	rows   []byte
	zip    *flate.Writer
}

func newPainter(c *Canvas, rows int) *painter {
	return &painter{c: c, height: rows, pix: make([]byte, 4*c.width*rows)}
}

func (p *painter) paint(i int, items []int, last bool) *band {
	y := i * p.height
	rect := image.Rect(0, y, p.c.width, min(y+p.height, p.c.height))
	img := &image.RGBA{Pix: p.pix[:4*rect.Dx()*rect.Dy()], Stride: 4 * rect.Dx(), Rect: rect}
	p.c.drawBand(img, items, &p.z)
	p.rows = filterRows(p.rows[:0], img, p.c.transparent())

	b := &band{sum: adler32.Checksum(p.rows), length: len(p.rows)}
	if p.zip == nil {
		p.zip, b.err = flate.NewWriter(&b.compressed, flate.BestSpeed)
	} else {
		p.zip.Reset(&b.compressed)
	}
	if b.err == nil {
		_, b.err = p.zip.Write(p.rows)
	}
	// A flushed stream ends on a byte and goes on with whatever comes next:
	// the bands, compressed apart, are one stream when put together.
	if b.err == nil && last {
		b.err = p.zip.Close()
	} else if b.err == nil {
		b.err = p.zip.Flush()
	}
	return b
}

// filterRows appends the rows of img as PNG stores them. All but the first of
// the band use the filter "up": most rows are much like the one above.
func filterRows(out []byte, img *image.RGBA, alpha bool) []byte {
	size := 3
	if alpha {
		size = 4
	}
	width := img.Rect.Dx()
	out = slices.Grow(out, (1+size*width)*img.Rect.Dy())
	var above []byte
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride : y*img.Stride+4*width]
		if y == 0 {
			out = append(out, 0)
		} else {
			out = append(out, 2)
		}
		if alpha {
			out = appendRGBA(out, row, above)
		} else {
			out = appendRGB(out, row, above)
		}
		above = row
	}
	return out
}

func appendRGB(out, row, above []byte) []byte {
	if above == nil {
		for x := 0; x < len(row); x += 4 {
			out = append(out, row[x], row[x+1], row[x+2])
		}
		return out
	}
	above = above[:len(row)]
	for x := 0; x+3 < len(row); x += 4 {
		out = append(out, row[x]-above[x], row[x+1]-above[x+1], row[x+2]-above[x+2])
	}
	return out
}

func appendRGBA(out, row, above []byte) []byte {
	for x := 0; x < len(row); x += 4 {
		px := straight(row[x : x+4])
		var up [4]byte
		if above != nil {
			up = straight(above[x : x+4])
		}
		out = append(out, px[0]-up[0], px[1]-up[1], px[2]-up[2], px[3]-up[3])
	}
	return out
}

// straight undoes the premultiplication of a pixel.
func straight(p []byte) [4]byte {
	a := uint32(p[3])
	if a == 0 {
		return [4]byte{}
	}
	un := func(v byte) byte { return byte((uint32(v)*0xff + a/2) / a) }
	return [4]byte{un(p[0]), un(p[1]), un(p[2]), p[3]}
}

// combineAdler returns the Adler-32 of two concatenated texts from their checksums a and b; n is
// the length of the second.
func combineAdler(a, b uint32, n int) uint32 {
	const base = 65521
	a1, a2 := a&0xffff, a>>16
	b1, b2 := b&0xffff, b>>16
	shift := uint64(n%base) * uint64(a1+base-1) % base
	s1 := (a1 + b1 + base - 1) % base
	s2 := (uint64(a2) + uint64(b2) + shift) % base
	return uint32(s2)<<16 | s1
}
