package ui

import (
	"bytes"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// FuzzDebugger opens any tape, in text form or not, and presses any keys in a window of
// any size, and gives every command. Nothing panics, and each screen is one that can be shown.
func FuzzDebugger(f *testing.F) {
	keys := func(names string) (b []byte) {
		for _, name := range strings.Fields(names) {
			for i, known := range keyNames {
				if known == name {
					b = append(b, byte(i))
					break
				}
			}
		}
		return b
	}
	for _, name := range []string{"inplace", "lesson"} {
		f.Add(textOf(f, recorded(f, name)), keys(strings.Join(tour, " ")))
	}
	for seed := range uint64(3) {
		tape := tapetest.Recorded(seed, 60)
		f.Add(textOf(f, tape), keys("n N s v v G 4 + 7 enter g l B"))
		f.Add(written(f, tape), []byte{200, 3, 230, 4, 250, 9, 255})
	}
	for _, lie := range lies {
		tape := graph.NewTape(graph.Limits{})
		if lie(tape); tape.Size() < 1<<14 {
			f.Add(textOf(f, tape), keys("n s v 3 down 4 5 enter"))
		}
	}
	f.Fuzz(func(t *testing.T, data, keys []byte) {
		tape, _, _ := tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{MaxBytes: 1 << 20})
		if tape == nil || tape.Len() > 2000 {
			return
		}
		d := &driver{t: t, Model: New(Options{Tape: tape, Title: string(data[:min(len(data), 20)]), Rules: rules.All()})}
		d.settle(d.Init())
		d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		checkFrame(t, d.Model)
		for _, k := range keys[:min(len(keys), 60)] {
			// The largest bytes are the mouse and the window.
			switch n := len(keyNames); {
			case int(k) < n:
				d.Press(keyNames[k])
			case k >= 240:
				d.Send(tea.WindowSizeMsg{Width: int(k-240) * int(k-240), Height: int(k-240) * 5})
			case k%2 == 0:
				d.Send(tea.MouseClickMsg{X: int(k) * 7 % 80, Y: int(k) % 24, Button: tea.MouseLeft})
			default:
				d.Send(tea.MouseWheelMsg{X: int(k) * 7 % 80, Y: int(k) % 24, Button: tea.MouseWheelDown})
			}
			if d.columns > 0 && d.rows > 0 {
				checkFrame(t, d.Model)
			}
		}
		d.commandAll()
	})
}
