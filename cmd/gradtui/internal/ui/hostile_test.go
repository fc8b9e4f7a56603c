package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// Whatever is on a tape and whatever is pressed, clicked and resized, there is a screen.
func TestNoTapeAndNoKeyIsTooMuch(t *testing.T) {
	keys := []string{
		"4", "7", "5", "1", "left", "right", "up", "down", "pgup", "pgdown", "home", "end", "+", "-", "enter", "esc", "z", "tab",
		"n", "N", "s", "S", "u", "U", "B", "<", ">", "C", "f", "m", "/", ":", "t", "@", "!", "backspace", "space", "v", "r", "V", "=", "[", "]",
	}
	rapid.Check(t, func(r *rapid.T) {
		tape := graph.NewTape(graph.Limits{})
		switch rapid.IntRange(0, 3).Draw(r, "tape") {
		case 0:
			tape = tapetest.Hostile(r)
		case 1:
			tape = tapetest.WellFormed(r)
		case 2:
			tape = tapetest.Recorded(rapid.Uint64().Draw(r, "seed"), 100)
		}
		d := &driver{t: t, Model: New(Options{Tape: tape})}
		d.settle(d.Init())
		for range rapid.IntRange(1, 30).Draw(r, "deeds") {
			switch rapid.IntRange(0, 9).Draw(r, "deed") {
			case 0:
				d.Send(tea.WindowSizeMsg{Width: rapid.IntRange(0, 220).Draw(r, "columns"), Height: rapid.IntRange(0, 60).Draw(r, "rows")})
			case 1:
				d.Send(tea.MouseClickMsg{
					X: rapid.IntRange(0, 220).Draw(r, "x"), Y: rapid.IntRange(0, 60).Draw(r, "y"), Button: tea.MouseLeft,
				})
			default:
				d.Press(rapid.SampledFrom(keys).Draw(r, "key"))
			}
			d.View()
		}
	})
}
