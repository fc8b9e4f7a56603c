package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/console"
)

// A curve is the losses of a run, by its backward passes. A loss that is not known is NaN.
type curve struct {
	mark, name string
	losses     []float64
}

// lossesMsg brings the losses of all runs, for a text that is shown.
type lossesMsg struct {
	shown *text
	all   []curve
}

// commandLosses draws the losses of all runs.
func (m *Model) commandLosses(string) tea.Cmd {
	t := &text{title: "Losses"}
	m.overlay = t
	return m.drawLosses(t)
}

// drawLosses adds a picture of the losses of all runs to a text that is shown.
func (m *Model) drawLosses(t *text) tea.Cmd {
	type run struct {
		curve
		tape *graph.Tape
	}
	var runs []run
	for i, other := range m.among.models {
		if other.launches() {
			continue
		}
		r := run{curve{mark: strconv.Itoa(i % 10), name: other.runName()}, other.tape}
		if f := m.among.forkOf(other); f != nil {
			r.mark = strconv.Itoa(f.number % 10)
		}
		runs = append(runs, r)
	}
	return func() tea.Msg {
		msg := lossesMsg{shown: t}
		for _, r := range runs {
			for _, loss := range usage.Losses(r.tape, r.tape.Len()) {
				r.losses = append(r.losses, loss.Value)
			}
			msg.all = append(msg.all, r.curve)
		}
		return msg
	}
}

// showLosses takes the losses, if the text is still shown.
func (m *Model) showLosses(msg lossesMsg) tea.Cmd {
	t := msg.shown
	if m.overlay != t {
		return nil
	}
	if len(t.lines) > 0 {
		t.lines = append(t.lines, nil)
	}
	picture := curves(msg.all, min(m.columns-10, mostCurveColumns), curveRows)
	t.drawn = drawn{from: len(t.lines), to: len(t.lines) + len(picture)}
	t.lines = append(append(t.lines, picture...), legend(msg.all)...)
	for _, c := range msg.all {
		t.drawn.words = append(t.drawn.words, c.words())
	}
	return nil
}

// words says what a curve draws.
func (c *curve) words() string {
	text := "losses"
	if c.name != "" {
		text += " of " + console.OneLine(c.name)
	}
	if n := len(c.losses) - mostSaid; n > 0 {
		text += fmt.Sprintf(", the newest %d", mostSaid)
	}
	var said []string
	for _, x := range c.losses[max(len(c.losses)-mostSaid, 0):] {
		said = append(said, numberText(x))
	}
	return text + ": " + strings.Join(said, ", ")
}

// The size of a picture of losses.
const (
	mostCurveColumns = 100
	curveRows        = 8
	marksOfSeveral   = "▪"
	logarithmicFrom  = 100 // times the smallest loss
	mostSaid         = 20  // losses, in words
)

// curves draws losses into so many columns and rows, with a line about them.
func curves(all []curve, columns, rows int) (lines []styled) {
	low, high, passes := math.Inf(1), math.Inf(-1), 0
	for _, c := range all {
		passes = max(passes, len(c.losses))
		for _, x := range c.losses {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	if low > high {
		return []styled{{{muted, "no loss of a backward pass is on the tape; --values summary records them on PyTorch"}}}
	}
	height := func(x float64) float64 { return (x - low) / (high - low) }
	scale := ""
	if low > 0 && high > logarithmicFrom*low {
		height = func(x float64) float64 { return math.Log(x/low) / math.Log(high/low) }
		scale = ", logarithmic"
	}
	axis := max(console.Width(numberText(low)), console.Width(numberText(high)))
	columns = max(min(columns-axis-2, 4*passes), 1)
	if low == high {
		rows, height = 1, func(float64) float64 { return 0 }
	}
	picture, several := make([][]string, rows), false
	for y := range picture {
		picture[y] = make([]string, columns)
	}
	for _, c := range all {
		for i, x := range c.losses {
			if math.IsNaN(x) {
				continue
			}
			at, y := i*columns/passes, 0
			if x <= high {
				y = rows - 1 - int(math.Round(height(max(x, low))*float64(rows-1)))
			}
			switch cell := &picture[y][at]; *cell {
			case "", c.mark:
				*cell = c.mark
			default:
				*cell, several = marksOfSeveral, true
			}
		}
	}
	for y, row := range picture {
		number := ""
		switch y {
		case 0:
			number = numberText(high)
		case rows - 1:
			number = numberText(low)
		}
		line := styled{{muted, fmt.Sprintf("%*s │", axis, number)}}
		for _, mark := range row {
			if mark == "" {
				mark = " "
			}
			line = append(line, piece{plain, mark})
		}
		lines = append(lines, line)
	}
	lines = append(lines, styled{{muted, fmt.Sprintf("losses of %s%s", backwardPasses(passes), scale)}})
	if several {
		lines = append(lines, styled{{headline, marksOfSeveral}, {plain, " several runs"}})
	}
	return lines
}

// backwardPasses counts backward passes.
func backwardPasses(n int) string {
	if n == 1 {
		return "1 backward pass"
	}
	return fmt.Sprintf("%d backward passes", n)
}

// legend names the runs of a picture of losses, with their newest losses.
func legend(all []curve) (lines []styled) {
	for _, c := range all {
		line := styled{{headline, c.mark}}
		if c.name != "" {
			line = append(line, piece{plain, " " + console.OneLine(c.name)})
		}
		if n := len(c.losses); n > 0 {
			line = append(line, piece{muted, fmt.Sprintf(": %s in the last of %s", numberText(c.losses[n-1]), backwardPasses(n))})
		} else {
			line = append(line, piece{muted, ": no backward pass"})
		}
		lines = append(lines, line)
	}
	return lines
}
