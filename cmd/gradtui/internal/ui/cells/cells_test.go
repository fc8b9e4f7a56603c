package cells

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/console"
	"pgregory.net/rapid"
)

// Whatever is drawn, each row has as many columns as the canvas, and no control
// character gets through.
func TestRowsKeepTheirWidthAndNothingIsObeyed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(rapid.IntRange(0, 12).Draw(t, "columns"), rapid.IntRange(0, 4).Draw(t, "rows"))
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab 名é\u0301\u200d\x1b\x07\n\u202e\x9b🌸\x00")))
		for range rapid.IntRange(0, 8).Draw(t, "drawings") {
			part := c.All().Part(Rect{
				rapid.IntRange(-2, 12).Draw(t, "x"), rapid.IntRange(-2, 5).Draw(t, "y"),
				rapid.IntRange(0, 14).Draw(t, "w"), rapid.IntRange(0, 5).Draw(t, "h"),
			})
			x, y := rapid.IntRange(-5, 12).Draw(t, "at"), rapid.IntRange(-1, 4).Draw(t, "row")
			if rapid.Bool().Draw(t, "fit") {
				part.Fit(x, y, rapid.IntRange(-1, 9).Draw(t, "n"), 1, text.Draw(t, "text"))
			} else {
				part.Text(x, y, 2, text.Draw(t, "text"))
			}
			part.Flag(y, Chosen)
		}
		var b strings.Builder
		c.Write(&b, &Palette{1: "<", 2: "<"})
		columns, rows := c.Size()
		plain := strings.NewReplacer("<", "", "\x1b[m", "", "\x1b[7m", "").Replace(b.String())
		lines := strings.Split(plain, "\n")
		if len(lines) != max(rows, 1) {
			t.Fatalf("%d lines of %d", len(lines), rows)
		}
		for _, line := range lines {
			if rows > 0 && console.Width(line) != columns {
				t.Fatalf("%q has %d columns of %d", line, console.Width(line), columns)
			}
			if strings.ContainsAny(line, "\x1b\x07\x00\u009b\u202e") {
				t.Fatalf("%q would be obeyed", line)
			}
		}
	})
}

func TestTextIsCutWithDots(t *testing.T) {
	c := New(8, 2)
	end := c.All().Fit(1, 0, 5, 0, "gradient")
	c.All().Fit(1, 1, 5, 0, "名前名前")
	if got, want := c.Text(), " grad…\n 名前…\n"; got != want || end != 6 {
		t.Errorf("got %q and %d, want %q and 6", got, end, want)
	}
}
