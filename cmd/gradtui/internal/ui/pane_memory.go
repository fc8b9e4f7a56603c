package ui

import (
	"context"
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// memoryView shows how many bytes are held over the tape, and by which lines at the
// cursor. What the lines hold takes the whole tape up to there; so it is computed beside
// everything else, for positions that are some distance from each other on a long tape.
type memoryView struct {
	list
	scale  scale // of the chart, as it was drawn
	series series[inspect.UseBucket]
	chart  cells.Rect
	rows   cells.Rect        // of the list
	shown  linesMsg          // what is known of the lines
	asking bool              // more is being computed
	lines  *inspect.LineUses // computes them, one position at a time
}

func newMemory(tape *graph.Tape) *memoryView { return &memoryView{lines: inspect.NewLineUses(tape)} }

// linesMsg brings the lines that hold most at a position.
type linesMsg struct {
	at    graph.Pos
	lines []inspect.LineUse
}

// about says what is held at the cursor.
func (v *memoryView) about(m *Model) string {
	peak, at := m.memory.Peak()
	if at < 0 {
		return ""
	}
	if m.memory.Pos() < m.at() {
		return "reading the tape…"
	}
	use := m.memory.At(m.at())
	return fmt.Sprintf("%s held, %s by saved tensors, peak %s at event %d", size(use.Bytes), size(use.Graph), size(peak.Bytes), at)
}

func size(bytes int64) string { return inspect.Bytes(uint64(max(bytes, 0))) }

func (v *memoryView) refresh(*Model) {}

// The parts of the pane.
const (
	leastChart = 3  // rows of the chart: a bar, its axis
	axisWidth  = 11 // columns of the sizes beside the chart
	wideMemory = 96 // columns from which on the lines are beside the chart
)

// divide says where the chart and the lines are drawn.
func (v *memoryView) divide(r cells.Region) {
	all := cells.Rect{W: r.W, H: r.H}
	if r.W >= wideMemory {
		v.chart, v.rows = all.Columns(0, r.W*3/5), all.Columns(r.W*3/5+2, r.W)
		return
	}
	h := max(r.H/2, min(leastChart, r.H))
	v.chart, v.rows = all.Rows(0, h), all.Rows(h, r.H)
}

func (v *memoryView) draw(m *Model, r cells.Region) {
	if _, at := m.memory.Peak(); at < 0 {
		text := "No tensors so far."
		if m.memory.Pos() < m.tape.Len() {
			text = "Reading the tape…"
		}
		r.Fit(1, 0, r.W-1, muted, text)
		return
	}
	v.divide(r)
	v.drawChart(m, r.Part(v.chart))
	v.drawLines(m, r.Part(v.rows))
}

// drawChart draws how many bytes are held over the window: what the program reaches, and
// below it what only the graph keeps.
func (v *memoryView) drawChart(m *Model, r cells.Region) {
	v.scale = m.scale(r.W - axisWidth)
	buckets := v.series.of(v.scale, m.memory.Pos(), m.memory.Buckets)
	most, top := int64(0), 0
	for i, b := range buckets {
		if b.Max.Bytes > most {
			most, top = b.Max.Bytes, i
		}
	}
	axis := r.Part(cells.Rect{X: axisWidth, Y: r.H - 1, W: r.W - axisWidth, H: 1})
	bars := r.Part(cells.Rect{X: axisWidth, Y: 0, W: r.W - axisWidth, H: r.H - 1})
	if r.H > leastChart {
		v.drawPeak(r.Part(cells.Rect{X: axisWidth, W: r.W - axisWidth, H: 1}), top, most)
		bars = bars.Below(1)
	}
	for i, b := range buckets {
		from, to := v.scale.column(i), v.scale.column(i+1)
		drawBar(bars, from, to, fill(float64(b.Max.Bytes), float64(most), bars.H), leaf)
		for y := range (fill(float64(b.Max.Graph), float64(most), bars.H) + 4) / 8 {
			bars.Fill(from, bars.H-1-y, to-from, saved, graphShade)
		}
	}
	v.scale.fillUnread(bars, m.memory.Pos())
	v.scale.flagCursor(m, bars)
	v.scale.drawAxis(m, axis)
	side := r.Part(cells.Rect{Y: bars.Y - r.Y, W: axisWidth - 1, H: bars.H})
	drawSizes(side, most)
}

// graphShade fills what only the graph keeps.
const graphShade = "▒"

// drawSizes draws what the heights of bars mean.
func drawSizes(r cells.Region, most int64) {
	label := func(y int, bytes int64) {
		text := size(bytes)
		r.Text(max(r.W-len(text), 0), y, muted, text)
	}
	label(0, most)
	if r.H >= 5 {
		label(r.H/2, most-most/int64(r.H)*int64(r.H/2))
	}
}

// drawPeak says how much there is where most is, and what the shades mean.
func (v *memoryView) drawPeak(r cells.Region, part int, most int64) {
	at, text := v.scale.column(part), size(most)
	if at+2+len(text) <= r.W {
		r.Text(at, 0, warned, "▼ "+text)
	} else {
		r.Text(at-len(text)-1, 0, warned, text+" ▼")
	}
	legend := styled{{leaf, "█"}, {muted, " held  "}, {saved, graphShade}, {muted, " only by saved tensors"}}
	width := legend.width()
	switch {
	case at-len(text)-3 > width:
		legend.write(r, 0, 0)
	case at+len(text)+4+width < r.W:
		legend.write(r, r.W-width, 0)
	}
}

// drawLines lists the lines of the program that made what is held at the cursor.
func (v *memoryView) drawLines(m *Model, r cells.Region) {
	if r.H < 2 {
		return
	}
	title := styled{{muted, fmt.Sprintf("%9s %9s %6s  made at", "held", "by graph", "nodes")}}
	if v.shown.at != m.at() && len(v.shown.lines) > 0 {
		title = append(title, piece{muted, fmt.Sprintf(", at event %d", v.shown.at)})
	}
	title.write(r, 1, 0)
	body := r.Below(1)
	if len(v.shown.lines) == 0 {
		text := "No memory is held here."
		if v.asking || m.moving() {
			text = "Looking for the lines…"
		}
		body.Fit(1, 0, r.W-1, muted, text)
		return
	}
	from, to := v.window(len(v.shown.lines), body.H)
	for i := from; i < to; i++ {
		l := v.shown.lines[i]
		place := "(elsewhere)"
		if l.Line > 0 {
			place = fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
		}
		style := muted
		if l.Graph > 0 {
			style = saved
		}
		styled{
			{plain, fmt.Sprintf("%9s ", size(l.Bytes))}, {style, fmt.Sprintf("%9s ", size(l.Graph))},
			{plain, fmt.Sprintf("%6d  ", l.Nodes)}, {strong, console.OneLine(place)}, {muted, " " + console.OneLine(l.Func)},
		}.write(body, 1, i-from)
		if i == v.chosen && m.focus == memoryPane {
			body.Flag(i-from, cells.Chosen)
		}
	}
}

// finest is how many different positions before the end the lines are computed for.
const finest = 1 << 14

// measure asks for the lines at the cursor, if they are shown and not known.
func (m *Model) measure() tea.Cmd {
	v := m.panes[memoryPane].(*memoryView)
	if m.layout.panes[memoryPane].H == 0 || m.moving() || v.asking {
		return nil
	}
	at := m.at()
	if end := m.tape.Len(); at < end {
		at -= at % (end/finest + 1)
	}
	if at == v.shown.at {
		return nil
	}
	v.asking = true
	return func() tea.Msg {
		lines, _ := v.lines.At(context.Background(), at) // fails with its context only
		return linesMsg{at, lines}
	}
}

// take takes what was computed.
func (v *memoryView) take(msg linesMsg) {
	v.asking, v.shown = false, msg
	v.chosen = max(min(v.chosen, len(msg.lines)-1), 0)
}

func (v *memoryView) move(_ *Model, rows, _ int) { v.list.move(rows, len(v.shown.lines)) }

// open shows the chosen line in the source.
func (v *memoryView) open(m *Model) tea.Cmd {
	if v.chosen >= len(v.shown.lines) {
		return nil
	}
	if l := v.shown.lines[v.chosen]; l.Line > 0 {
		m.place = l.Frame
		m.refresh()
		return nil
	}
	return m.say(muted, "the tape does not say which line made this")
}

// click moves the cursor to a column of the chart, or chooses a line.
func (v *memoryView) click(m *Model, column, row int) tea.Cmd {
	switch {
	case v.chart.Contains(column, row) && column >= v.chart.X+axisWidth && v.scale.parts() > 0:
		return m.goToPart(v.scale, v.scale.at(column-v.chart.X-axisWidth))
	case v.rows.Contains(column, row) && row > v.rows.Y:
		if i := v.top + row - v.rows.Y - 1; i < len(v.shown.lines) {
			v.chosen = i
			return v.open(m)
		}
	}
	return nil
}

func (v *memoryView) sideways(m *Model, n int) tea.Cmd { return m.stepPart(v.scale, n) }
