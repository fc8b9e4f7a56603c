package images

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// picture is a PNG of noise, which does not get small, with some transparent pixels.
func picture(t *testing.T, width, height int) Picture {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	seed := uint32(1)
	for y := range height {
		for x := range width {
			seed = seed*1664525 + 1013904223
			img.Set(x, y, []color.Color{color.White, color.Black, color.NRGBA{R: 200, A: 255}, color.Transparent}[seed>>30])
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	p, err := Read(b.Bytes())
	if err != nil || p.Width != width || p.Height != height {
		t.Fatal(p.Width, p.Height, err)
	}
	return p
}

var apc = regexp.MustCompile(`\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\`)

// kittyPNG puts the pieces of a picture together, and returns the options of the first.
func kittyPNG(t *testing.T, text string) (options string, data []byte) {
	t.Helper()
	pieces := apc.FindAllStringSubmatch(text, -1)
	if whole := apc.ReplaceAllString(text, ""); whole != "" {
		t.Errorf("%q is not a picture", whole)
	}
	var payload strings.Builder
	for i, p := range pieces {
		more := strings.Contains(p[1], "m=1")
		if more != (i < len(pieces)-1) || len(p[2]) > kitty.MaxChunkSize || more && len(p[2])%4 != 0 {
			t.Errorf("piece %d of %d: %s, %d bytes", i, len(pieces), p[1], len(p[2]))
		}
		payload.WriteString(p[2])
	}
	data, err := base64.StdEncoding.DecodeString(payload.String())
	if err != nil {
		t.Error(err)
	}
	return pieces[0][1], data
}

func TestAPictureForCellsArrivesInPieces(t *testing.T) {
	p := picture(t, 300, 200)
	options, data := kittyPNG(t, Transmit(p, 30, 10))
	if !bytes.Equal(data, p.PNG) {
		t.Errorf("%d bytes instead of %d", len(data), len(p.PNG))
	}
	var o kitty.Options
	if err := o.UnmarshalText([]byte(options)); err != nil {
		t.Fatal(err)
	}
	got := []any{o.Action, o.VirtualPlacement, o.ID, o.Columns, o.Rows, o.Format, o.Quiet}
	if diff := cmp.Diff([]any{byte(kitty.TransmitAndPut), true, ID, 30, 10, kitty.PNG, byte(2)}, got); diff != "" {
		t.Error(diff)
	}
	if got := Forget(); got != "\x1b_Gq=2,i=73,d=I,a=d\x1b\\" {
		t.Errorf("%q", got)
	}
}

func write(t *testing.T, way Way, p Picture, columns int) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, way, p, Size{10, 20}, columns); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAPictureAtTheCursorIsAsWideAsTheScreenAtMost(t *testing.T) {
	p := picture(t, 150, 90)
	for columns, want := range map[int]string{80: "", 10: "c=10"} {
		options, data := kittyPNG(t, write(t, Kitty, p, columns))
		if !bytes.Equal(data, p.PNG) || want != "" && !strings.Contains(options, want) || want == "" && strings.Contains(options, "c=") {
			t.Errorf("%d columns: %s", columns, options)
		}
	}
	for columns, want := range map[int]string{80: "", 10: "width=10"} {
		text := write(t, ITerm2, p, columns)
		head, data, _ := strings.Cut(strings.TrimSuffix(text, "\x07"), ":")
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil || !bytes.Equal(decoded, p.PNG) || !strings.HasPrefix(head, "\x1b]1337;File=") ||
			!strings.Contains(head, "inline=1") || strings.Contains(head, "width=") != (want != "") || !strings.Contains(head, want) {
			t.Errorf("%d columns: %q, %v", columns, head, err)
		}
	}
}

// sixels draws what sixels say, for the parts of the format that are in use. (The
// decoder of the library that encodes them loses pixels after a repetition.)
func sixels(t *testing.T, text string) *image.RGBA {
	t.Helper()
	body, begins := strings.CutPrefix(text, "\x1bP0;1q")
	body, ends := strings.CutSuffix(body, "\x1b\\")
	var width, height, one int
	if _, err := fmt.Sscanf(body, "\"%d;%d;%d;%d", &one, &one, &width, &height); err != nil || !begins || !ends {
		t.Fatalf("%.40q: %v", text, err)
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	colours := map[int]color.RGBA{}
	colour, x, y := 0, 0, 0
	_, body, _ = strings.Cut(body, "#")
	for _, m := range regexp.MustCompile(`#?(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)(.)|.`).FindAllStringSubmatch("#"+body, -1) {
		number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
		count, sixel := 1, m[0][0]
		switch {
		case m[2] != "":
			part := func(i int) uint8 { return uint8((number(i)*255 + 50) / 100) }
			colours[number(1)] = color.RGBA{part(2), part(3), part(4), 255}
			continue
		case m[1] != "":
			colour = number(1)
			continue
		case m[0] == "$":
			x = 0
			continue
		case m[0] == "-":
			x, y = 0, y+6
			continue
		case m[5] != "":
			count, sixel = number(5), m[6][0]
		}
		for range count {
			for bit := range 6 {
				if (sixel-'?')>>bit&1 != 0 {
					img.Set(x, y+bit, colours[colour])
				}
			}
			x++
		}
	}
	return img
}

// What the sixels say is the picture on white, but for rounding: sixels have colours in
// per cent.
func TestSixelsDecodeToThePicture(t *testing.T) {
	p := picture(t, 60, 40)
	got := sixels(t, write(t, Sixel, p, 80))
	want, err := p.flat(p.Width)
	if err != nil || got.Bounds() != want.Bounds() {
		t.Fatal(got.Bounds(), want.Bounds(), err)
	}
	for y := range p.Height {
		for x := range p.Width {
			a, b := got.RGBAAt(x, y), color.RGBAModel.Convert(want.At(x, y)).(color.RGBA)
			if near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 3 }; !near(a.R, b.R) || !near(a.G, b.G) || !near(a.B, b.B) || a.A != b.A {
				t.Fatalf("(%d, %d) is %v, want %v", x, y, a, b)
			}
		}
	}
	if narrow := sixels(t, write(t, Sixel, p, 3)).Bounds(); narrow.Dx() != 30 || narrow.Dy() != 20 {
		t.Error(narrow)
	}
}

func TestALargePictureTakesABoundedNumberOfSixels(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, 1000, 8000), color.Palette{color.White})); err != nil {
		t.Fatal(err)
	}
	p, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	img, err := p.flat(1000)
	if err != nil {
		t.Fatal(err)
	}
	if w, h := img.Bounds().Dx(), img.Bounds().Dy(); w*h > maxSixels || h/w != 8 && h/w != 7 {
		t.Error(w, h)
	}
}

func TestOtherBytesAreNoPicture(t *testing.T) {
	if _, err := Read([]byte("GIF89a")); err == nil {
		t.Error("no error")
	}
	if err := Write(nil, Sixel, Picture{PNG: []byte("no"), Width: 5, Height: 5}, Size{8, 16}, 80); err == nil {
		t.Error("no error")
	}
	if err := Write(nil, None, picture(t, 1, 1), Size{8, 16}, 80); err == nil {
		t.Error("no error")
	}
}

// A picture has at most as many columns as there are, no number that placeholders do
// not have, and its shape up to a cell.
func TestAPictureKeepsItsShapeInCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Picture{Width: rapid.IntRange(0, 40000).Draw(t, "width"), Height: rapid.IntRange(0, 40000).Draw(t, "height")}
		cell := Size{rapid.IntRange(1, 40).Draw(t, "cell width"), rapid.IntRange(1, 80).Draw(t, "cell height")}
		columns := rapid.IntRange(1, 500).Draw(t, "columns")
		w, h := p.Cells(cell, columns)
		if w < 1 || h < 1 || w > columns || w > maxCells || h > maxCells {
			t.Fatalf("%d x %d", w, h)
		}
		if p.Width == 0 || p.Height == 0 {
			return
		}
		// The height lies between the exact heights for one column less and for one
		// more.
		exact := func(w int) int { return p.Height * w * cell.Width / p.Width / cell.Height }
		if h < exact(w-1) && h < maxCells || h > exact(w+1)+1 {
			t.Fatalf("%d x %d; exact %d", w, h, exact(w))
		}
	})
}
