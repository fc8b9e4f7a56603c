package xdot

import (
	"image/color"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	black = color.NRGBA{0, 0, 0, 255}
	red   = color.NRGBA{255, 0, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
)

func TestParse(t *testing.T) {
	pen := Pen{Color: black, Width: 1}
	solid := Paint{Color: black}
	for _, tc := range []struct {
		name, in string
		want     []Op
	}{
		{"nothing", "", nil},
		{
			"filled box", "c 7 -#ff0000 C 9 -#0000ff80 P 3 0 0 1.5 -2 1e2 3 ",
			[]Op{&Shape{
				Kind: Polygon, Points: []Point{{0, 0}, {1.5, -2}, {100, 3}}, Filled: true,
				Pen: Pen{Color: red, Width: 1}, Fill: Paint{Color: color.NRGBA{0, 0, 255, 128}},
			}},
		},
		{
			"shapes without a fill", "p 1 1 1 L 2 1 1 2 2 B 4 0 0 1 1 2 2 3 3 e 5 5 2 1",
			[]Op{
				&Shape{Kind: Polygon, Points: []Point{{1, 1}}, Pen: pen, Fill: solid},
				&Shape{Kind: Polyline, Points: []Point{{1, 1}, {2, 2}}, Pen: pen, Fill: solid},
				&Shape{Kind: Bezier, Points: []Point{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, Pen: pen, Fill: solid},
				&Shape{Kind: Ellipse, Points: []Point{{5, 5}, {2, 1}}, Pen: pen, Fill: solid},
			},
		},
		{
			"styles last", "S 15 -setlinewidth(3) S 6 -dashed e 0 0 1 1 S 6 -dotted S 7 -rounded e 0 0 1 1 S 5 -invis e 0 0 1 1 S 5 -solid S 4 -bold E 0 0 1 1",
			[]Op{
				&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: Pen{black, 3, Dashed}, Fill: solid},
				&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: Pen{black, 3, Dotted}, Fill: solid},
				&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: Pen{black, 3, Invisible}, Fill: solid},
				&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: Pen{black, 2, Solid}, Filled: true, Fill: solid},
			},
		},
		{
			"text", "F 10 7 -Courier c 7 -#ff0000 t 5 T 1 2 -1 30.5 4 -é b F 8 5 -Times T 0 0 1 0 0 - ",
			[]Op{
				&Text{"é b", Point{1, 2}, 30.5, Left, Font{"Courier", 10, Bold | Underline}, red},
				&Text{"", Point{}, 0, Right, Font{"Times", 8, Bold | Underline}, red},
			},
		},
		{"backslashes of version 12", `T 0 0 0 0 5 -a\\b\\c T 0 0 0 0 1 -x `, []Op{
			&Text{`a\b\c`, Point{}, 0, Center, Font{"Times-Roman", 14, 0}, black},
			&Text{`x`, Point{}, 0, Center, Font{"Times-Roman", 14, 0}, black},
		}},
		{"backslashes of version 2", `T 0 0 0 0 5 -a\b\c T 0 0 0 0 4 -\\\\ `, []Op{
			&Text{`a\b\c`, Point{}, 0, Center, Font{"Times-Roman", 14, 0}, black},
			&Text{`\\\\`, Point{}, 0, Center, Font{"Times-Roman", 14, 0}, black},
		}},
		{"text that looks like operations", "T 0 0 0 0 9 -c 7 -#xyz ", []Op{
			&Text{"c 7 -#xyz", Point{}, 0, Center, Font{"Times-Roman", 14, 0}, black},
		}},
		{"not UTF-8", "T 0 0 0 0 2 -a\xff ", []Op{
			&Text{"a\uFFFD", Point{}, 0, Center, Font{"Times-Roman", 14, 0}, black},
		}},
		{
			"gradients", "C 40 -[0 90 54 90 2 0 7 -#ff0000 1 7 -#0000ff] E 0 0 1 1 C 42 -(1 2 3 4 5 6 2 0 7 -#ff0000 .5 7 -#0000ff) E 0 0 1 1",
			[]Op{
				&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: pen, Filled: true, Fill: Paint{red, &Gradient{
					From: Point{0, 90}, To: Point{54, 90}, Stops: []Stop{{0, red}, {1, blue}},
				}}},
				&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: pen, Filled: true, Fill: Paint{red, &Gradient{
					Radial: true, From: Point{1, 2}, R0: 3, To: Point{4, 5}, R1: 6, Stops: []Stop{{0, red}, {.5, blue}},
				}}},
			},
		},
		{"image", "I 1 2 30 40 5 -a.png ", []Op{&Image{"a.png", Point{1, 2}, Point{31, 42}}}},
		{"transparent", "c 11 -transparent e 0 0 1 1", []Op{
			&Shape{Kind: Ellipse, Points: []Point{{}, {1, 1}}, Pen: Pen{Width: 1}, Fill: solid},
		}},
	} {
		got, err := Parse(tc.in)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"Z", "unknown operation 'Z'"},
		{"E 1 2 3", `bad number ""`},
		{"E 1 2 3 NaN", `bad number "NaN"`},
		{"E 1 2 3 1e300", `bad number "1e300"`},
		{"P 999999999 1 1", "999999999 points do not fit"},
		{"P -1", `bad count "-1"`},
		{"B 3 0 0 1 1 2 2", "Bézier curve with 3 points"},
		{"c 7 #ff0000", "string without a dash"},
		{"c 99 -#ff0000", "string is not 99 bytes long"},
		{"c 3 -#ff0000", "string is not 3 bytes long"},
		{"c 3 -red", `bad colour "red"`},
		{"C 3 -[0]", `bad gradient "[0]"`},
	} {
		if _, err := Parse(tc.in); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: error %v, want %s", tc.in, err, tc.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"c 7 -#ff0000 C 7 -#0000ff P 3 0 0 1 1 2 2 ",
		"F 14 11 -Times-Roman t 1 T 27 85.8 0 6.21 1 -a S 6 -dashed B 4 0 0 1 1 2 2 3 3",
		"C 40 -[0 90 54 90 2 0 7 -#ff0000 1 7 -#0000ff] E 0 0 1 1",
		`T 0 0 0 0 5 -a\\b\\c I 1 2 3 4 1 -x`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ops, err := Parse(s)
		if err == nil && len(ops) > len(s) {
			t.Errorf("%d operations from %d bytes", len(ops), len(s))
		}
	})
}
