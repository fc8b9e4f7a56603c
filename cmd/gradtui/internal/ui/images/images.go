// Package images shows pictures in terminals that support them.
//
// A [Terminal] finds out what a terminal supports without waiting for it (terminal.go):
// from the environment, and from the answers to questions, which may come late or never.
// There are four ways ([Way]). With one of them the picture lives in the cells of the
// screen: the terminal receives it once ([Transmit]) and draws a piece of it at each
// placeholder (package cells). The others draw at the cursor, over whatever is there, and
// scroll, so they are used outside the alternate screen ([Write]).
package images

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/ansi/sixel"
	"golang.org/x/image/draw"
)

// A Picture is a PNG.
type Picture struct {
	PNG           []byte
	Width, Height int // in pixels
}

// Read reads the size of a PNG.
func Read(data []byte) (Picture, error) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Picture{}, fmt.Errorf("reading the picture: %w", err)
	}
	return Picture{data, c.Width, c.Height}, nil
}

// maxCells is how many columns and rows a picture in cells can have: placeholders have
// no higher numbers.
const maxCells = 297

// Cells is how many columns and rows a picture takes, in its own size or reduced to
// at most so many columns.
func (p Picture) Cells(cell Size, columns int) (w, h int) {
	w = min((p.Width+cell.Width-1)/cell.Width, columns, maxCells)
	h = (p.Height*w*cell.Width/max(p.Width, 1) + cell.Height - 1) / cell.Height
	if h > maxCells {
		w, h = w*maxCells/h, maxCells
	}
	return max(w, 1), max(h, 1)
}

// ID is the number of the picture for the terminal. It is also the number of the
// colour by which placeholders say which picture they are of.
const ID = 73

// Colour switches on the colour of the placeholders.
const Colour = "\x1b[38;5;73m"

// Transmit returns the sequence that sends a picture of so many cells to the terminal. It shows nothing
// until there are placeholders.
func Transmit(p Picture, columns, rows int) string {
	return graphics(kitty.Options{
		Action: kitty.TransmitAndPut, VirtualPlacement: true, ID: ID, Columns: columns, Rows: rows,
	}, p.PNG)
}

// Forget makes the terminal forget the picture.
func Forget() string {
	o := kitty.Options{Action: kitty.Delete, Delete: kitty.DeleteID, DeleteResources: true, ID: ID, Quiet: 2}
	return ansi.KittyGraphics(nil, o.Options()...)
}

// graphics is a picture in the protocol of kitty, in pieces.
func graphics(o kitty.Options, data []byte) string {
	o.Format, o.Quiet = kitty.PNG, 2 // 2: no answers
	text := base64.StdEncoding.EncodeToString(data)
	options := o.Options()
	var b strings.Builder
	for more := true; more; {
		piece := text[:min(len(text), kitty.MaxChunkSize)]
		text = text[len(piece):]
		more = text != ""
		last := map[bool]string{true: "m=1", false: "m=0"}[more]
		b.WriteString(ansi.KittyGraphics([]byte(piece), append(options, last)...))
		options = []string{"q=2"}
	}
	return b.String()
}

// Write draws a picture at the cursor, reduced to at most so many columns, in one of
// the ways that need the normal screen.
func Write(w io.Writer, way Way, p Picture, cell Size, columns int) error {
	wide := p.Width > columns*cell.Width
	var text string
	switch way {
	case Kitty:
		o := kitty.Options{Action: kitty.TransmitAndPut}
		if wide {
			o.Columns = columns
		}
		text = graphics(o, p.PNG)
	case ITerm2:
		f := iterm2.File{Inline: true, Size: int64(len(p.PNG)), Content: []byte(base64.StdEncoding.EncodeToString(p.PNG))}
		if wide {
			f.Width = iterm2.Cells(columns)
		}
		text = ansi.ITerm2(f)
	case Sixel:
		img, err := p.flat(columns * cell.Width)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := new(sixel.Encoder).Encode(&b, img); err != nil {
			return fmt.Errorf("encoding the picture: %w", err)
		}
		text = ansi.SixelGraphics(0, 1, 0, b.Bytes())
	default:
		return fmt.Errorf("this terminal shows no images")
	}
	_, err := io.WriteString(w, text)
	return err
}

// maxSixels bounds the pixels of a picture as sixels: their encoder takes 32 bytes for
// each.
const maxSixels = 2 << 20

// flat is the picture on white, at most so wide.
func (p Picture) flat(width int) (image.Image, error) {
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	scale := min(1, float64(width)/float64(p.Width), math.Sqrt(maxSixels/float64(p.Width)/float64(p.Height)))
	side := func(n int) int { return max(int(float64(n)*scale), 1) }
	out := image.NewRGBA(image.Rect(0, 0, side(p.Width), side(p.Height)))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(out, out.Rect, img, img.Bounds(), draw.Over, nil)
	return out, nil
}
