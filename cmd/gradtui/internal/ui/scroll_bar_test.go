package ui

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// The bar is as long as the part of the rows that is seen, and stands where that part is.
func TestTheBarShowsWhichRowsAreSeen(t *testing.T) {
	for _, c := range []struct {
		top, n int
		want   string
	}{
		{0, 10, ".........."}, {0, 20, "┃┃┃┃┃....."}, {10, 20, ".....┃┃┃┃┃"}, {5, 20, "..┃┃┃┃┃..."},
		{0, 1000, "┃........."}, {990, 1000, ".........┃"}, {500, 1000, "....┃....."}, {0, 0, ".........."},
	} {
		canvas := cells.New(3, 10)
		drawScrollBar(canvas.All(), c.top, c.n)
		var got strings.Builder
		for line := range strings.Lines(canvas.Text()) {
			if strings.Contains(line, "┃") {
				got.WriteString("┃")
			} else {
				got.WriteString(".")
			}
		}
		if got.String() != c.want {
			t.Errorf("from row %d of %d: %s, want %s", c.top, c.n, got.String(), c.want)
		}
	}
}
