package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/gradtui/gradtui/internal/terminal"
)

// The measures of the picture, in pixels. A cell has the proportions of the usual fixed-width
// fonts; text is stretched to its cells, so that columns stay columns in any font.
const (
	cellWidth  = 8.4
	cellHeight = 17.0
	baseline   = 12.8 // of the text in a cell
	fontSize   = 14
	margin     = 12
)

// The terminal's own colours, and the first sixteen of its palette.
const (
	foreground = "#d7dae0"
	background = "#17191e"
)

var palette = [16]string{
	"#3a3f4b", "#e5697b", "#8fc470", "#e0b15c", "#63a8f0", "#c583e6", "#57b6c2", "#c8ccd4",
	"#767c8a", "#f28392", "#a5d685", "#f0c674", "#82bcfa", "#d79df2", "#73cbd6", "#ffffff",
}

// write draws a screen. Lines and corners are drawn as shapes, because a font's do
// not meet; all else is text that can be selected and searched.
func write(out io.Writer, screen terminal.Screen, title string) error {
	b := &bytes.Buffer{}
	width, height := float64(screen.Columns)*cellWidth+2*margin, float64(screen.Rows)*cellHeight+2*margin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s">`+"\n", px(width), px(height))
	fmt.Fprintf(b, "<title>%s</title>\n", escape(title))
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	fmt.Fprintf(b, `<g transform="translate(%d %d)" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d" fill="%s" xml:space="preserve">`+"\n",
		margin, margin, fontSize, foreground)
	for y := range screen.Rows {
		for _, s := range segments(screen, y) {
			s.writeBackground(b, y)
		}
	}
	for y := range screen.Rows {
		for _, s := range segments(screen, y) {
			s.write(b, y)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	_, err := b.WriteTo(out)
	return err
}

// A segment is cells beside each other that look the same and are drawn in one go.
type segment struct {
	x, width int
	text     string
	looks    terminal.Cell // of each cell
	lines    bool          // the text is line drawing
}

// segments are the parts of a line from left to right. A wide character is one of its own,
// because fonts disagree about its width.
func segments(screen terminal.Screen, y int) (list []segment) {
	for x := 0; x < screen.Columns; {
		cell := screen.Cell(x, y)
		s := segment{x: x, width: 1, text: cell.Text, looks: cell, lines: drawn(cell.Text)}
		s.looks.Text = ""
		for x++; x < screen.Columns && screen.Cell(x, y).Text == ""; x++ {
			s.width++
		}
		if n := len(list); n > 0 && s.width == 1 && list[n-1].continues(s) {
			list[n-1].width++
			list[n-1].text += s.text
			continue
		}
		list = append(list, s)
	}
	return list
}

func (s segment) continues(next segment) bool {
	wide := s.width != len([]rune(s.text))
	return !wide && s.looks == next.looks && s.lines == next.lines
}

// colors are the colours of text and background; the latter is "" if it is the terminal's.
func (s segment) colors() (fg, bg string) {
	fg, bg = rgb(s.looks.Fg), rgb(s.looks.Bg)
	if s.has("reverse") {
		if fg == "" {
			fg = foreground
		}
		if bg == "" {
			bg = background
		}
		fg, bg = bg, fg
	}
	return fg, bg
}

func (s segment) has(attr string) bool {
	for a := range strings.FieldsSeq(s.looks.Attrs) {
		if a == attr {
			return true
		}
	}
	return false
}

func (s segment) writeBackground(b *bytes.Buffer, y int) {
	if _, bg := s.colors(); bg != "" {
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
			px(float64(s.x)*cellWidth), px(float64(y)*cellHeight), px(float64(s.width)*cellWidth), px(cellHeight), bg)
	}
}

func (s segment) write(b *bytes.Buffer, y int) {
	fg, _ := s.colors()
	if !s.has("underline") {
		s = s.trimmed()
	}
	if s.text == "" || s.has("conceal") {
		return
	}
	if s.lines {
		if fg == "" {
			fg = foreground
		}
		fmt.Fprintf(b, `<path fill="none" stroke="%s"%s d="%s"/>`+"\n", fg, s.opacity(), strokes(s.text, s.x, y))
		return
	}
	fmt.Fprintf(b, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		px(float64(s.x)*cellWidth), px(float64(y)*cellHeight+baseline), px(float64(s.width)*cellWidth))
	if fg != "" {
		fmt.Fprintf(b, ` fill="%s"`, fg)
	}
	for _, attr := range []struct{ name, svg string }{
		{"bold", ` font-weight="bold"`},
		{"italic", ` font-style="italic"`},
		{"underline", ` text-decoration="underline"`},
		{"strike", ` text-decoration="line-through"`},
	} {
		if s.has(attr.name) {
			b.WriteString(attr.svg)
		}
	}
	fmt.Fprintf(b, "%s>%s</text>\n", s.opacity(), escape(s.text))
}

// trimmed is a segment without the blanks around its text.
func (s segment) trimmed() segment {
	text := strings.TrimLeft(s.text, " ")
	s.x += len(s.text) - len(text)
	s.width -= len(s.text) - len(text)
	s.text = strings.TrimRight(text, " ")
	s.width -= len(text) - len(s.text)
	return s
}

func (s segment) opacity() string {
	if s.has("faint") {
		return ` opacity="0.6"`
	}
	return ""
}

// rgb is a colour as Cell names it: a number of the palette is looked up.
func rgb(name string) string {
	n, err := strconv.Atoi(name)
	switch {
	case err != nil || n < 0 || n > 255:
		return name
	case n < len(palette):
		return palette[n]
	}
	r, g, b, _ := ansi.IndexedColor(n).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// px is a length without needless digits.
func px(x float64) string { return strconv.FormatFloat(float64(int(x*100+0.5))/100, 'f', -1, 64) }

func escape(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
