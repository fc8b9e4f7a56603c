package ui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/console"
)

// memoryView shows how many bytes are held over the tape, and by which lines at the
// cursor. The lines take the whole tape up to the cursor, so they are computed in a
// goroutine, on a long tape only for some positions.
type memoryView struct {
	list
	scale  scale // of the chart, as it was drawn
	series series[usage.UseBucket]
	chart  cells.Rect
	rows   cells.Rect      // of the list
	shown  linesMsg        // what is known of the lines
	asking bool            // more is being computed
	lines  *usage.LineUses // computes them, one position at a time
	then   *usage.LineUses // the same at moment A; nil: none was asked for
}

func newMemory(tape *graph.Tape) *memoryView { return &memoryView{lines: usage.NewLineUses(tape)} }

// linesMsg brings the lines that hold most at a position.
type linesMsg struct {
	at    graph.Pos
	lines []usage.LineUse
	since linesSince
	then  map[graph.Frame]int64 // the bytes that each line held at A
}

// linesSince says which moment A the lines are compared with.
type linesSince struct {
	pin *pin
	at  graph.Pos
}

// about summarizes what is held at the cursor.
func (v *memoryView) about(s *state) string {
	peak, at := s.index.memory.Peak()
	if at < 0 {
		return ""
	}
	if s.index.memory.Pos() < s.at() {
		return "reading the tape…"
	}
	use := s.index.memory.At(s.at())
	if p := s.pin; p != nil && p.index.memory.Pos() >= p.at() {
		then := p.index.memory.At(p.at())
		return fmt.Sprintf("A %s → B %s held (%s), by saved tensors %s → %s", size(then.Bytes), size(use.Bytes), change(use.Bytes-then.Bytes), size(then.Graph), size(use.Graph))
	}
	return fmt.Sprintf("%s held, %s by saved tensors, peak %s at event %d", size(use.Bytes), size(use.Graph), size(peak.Bytes), at)
}

// change writes a number of bytes with its sign.
func change(bytes int64) string {
	switch {
	case bytes > 0:
		return "+" + size(bytes)
	case bytes < 0:
		return "-" + size(-bytes)
	}
	return "±0"
}

func size(bytes int64) string { return inspect.Bytes(uint64(max(bytes, 0))) }

func (v *memoryView) refresh(*state, cells.Rect) {}

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

func (v *memoryView) draw(s *state, r cells.Region, focused bool) {
	if _, at := s.index.memory.Peak(); at < 0 {
		text := "No tensors so far."
		if s.index.memory.Pos() < s.tape.Len() {
			text = "Reading the tape…"
		}
		r.Fit(1, 0, r.W-1, muted, text)
		return
	}
	v.divide(r)
	v.drawChart(s, r.Part(v.chart))
	v.drawLines(s, r.Part(v.rows), focused)
}

// drawChart draws how many bytes are held over the window, and as a part of them what
// only the graph keeps.
func (v *memoryView) drawChart(s *state, r cells.Region) {
	v.scale = s.scale(r.W - axisWidth)
	buckets := v.series.of(v.scale, s.index.memory.Pos(), s.index.memory.Buckets)
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
	v.scale.fillUnread(bars, s.index.memory.Pos())
	v.scale.flagCursor(s.at(), bars)
	s.drawAxis(v.scale, axis)
	side := r.Part(cells.Rect{Y: bars.Y - r.Y, W: axisWidth - 1, H: bars.H})
	drawSizes(side, most)
}

// graphShade fills what only the graph keeps.
const graphShade = "▒"

// drawSizes labels the heights of the bars.
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

// drawPeak labels the peak, and explains the shades if there is room.
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

// drawLines lists the lines of the program that made the memory held at the cursor.
func (v *memoryView) drawLines(s *state, r cells.Region, focused bool) {
	if r.H < 2 {
		return
	}
	since := ""
	if s.pin != nil && v.shown.since.pin == s.pin {
		since = fmt.Sprintf(" %10s", "since A")
	}
	title := styled{{muted, fmt.Sprintf("%9s%s %9s %6s  made at", "held", since, "by graph", "nodes")}}
	if v.shown.at != s.at() && len(v.shown.lines) > 0 {
		title = append(title, piece{muted, fmt.Sprintf(", at event %d", v.shown.at)})
	}
	title.write(r, 1, 0)
	body := r.Below(1)
	if len(v.shown.lines) == 0 {
		text := "No memory is held here."
		if v.asking || s.moving() {
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
			{plain, fmt.Sprintf("%9s", size(l.Bytes))}, v.sinceText(since, &l), {plain, " "}, {style, fmt.Sprintf("%9s ", size(l.Graph))},
			{plain, fmt.Sprintf("%6d  ", l.Nodes)}, {strong, console.OneLine(place)}, {muted, " " + console.OneLine(l.Func)},
		}.write(body, 1, i-from)
		if i == v.chosen && focused {
			body.Flag(i-from, cells.Chosen)
		}
	}
}

// sinceText says how much more or less a line holds than at moment A.
func (v *memoryView) sinceText(column string, l *usage.LineUse) piece {
	if column == "" {
		return piece{}
	}
	style, d := plain, l.Bytes-v.shown.then[l.Frame]
	switch {
	case d > 0:
		style = warned
	case d < 0:
		style = done
	default:
		return piece{muted, fmt.Sprintf(" %10s", "")}
	}
	return piece{style, fmt.Sprintf(" %10s", change(d))}
}

// finest is for how many positions before the end the lines are computed.
const finest = 1 << 14

// measure returns a command that finds the lines at the cursor; nil if they are known or
// being computed.
func (v *memoryView) measure(s *state) tea.Cmd {
	if s.moving() || v.asking {
		return nil
	}
	at := coarse(s.tape, s.at())
	var since linesSince
	if s.pin != nil && !s.pin.moving() {
		since = linesSince{s.pin, coarse(s.pin.tape, s.pin.at())}
	}
	if at == v.shown.at && since == v.shown.since {
		return nil
	}
	v.asking = true
	if since.pin != v.shown.since.pin {
		v.then = nil
	}
	if since.pin != nil && v.then == nil {
		v.then = usage.NewLineUses(since.pin.tape)
	}
	then, known := v.then, v.shown
	return func() tea.Msg {
		msg := linesMsg{at: at, since: since, then: known.then}
		msg.lines, _ = v.lines.At(context.Background(), at) // fails with its context only
		if since.pin == nil {
			return msg
		}
		if since != known.since {
			lines, _ := then.At(context.Background(), since.at)
			msg.then = map[graph.Frame]int64{}
			for _, l := range lines {
				msg.then[l.Frame] = l.Bytes
			}
		}
		msg.lines = withGone(msg.lines, msg.then)
		return msg
	}
}

// coarse returns the position for which the lines are computed.
func coarse(tape *graph.Tape, at graph.Pos) graph.Pos {
	if end := tape.Len(); at < end {
		at -= at % (end/finest + 1)
	}
	return at
}

// withGone adds the lines that held something at moment A and nothing now.
func withGone(lines []usage.LineUse, then map[graph.Frame]int64) []usage.LineUse {
	gone := maps.Clone(then)
	for _, l := range lines {
		delete(gone, l.Frame)
	}
	for _, f := range slices.SortedFunc(maps.Keys(gone), func(a, b graph.Frame) int {
		return cmp.Or(cmp.Compare(gone[b], gone[a]), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Func, b.Func))
	}) {
		if gone[f] > 0 {
			lines = append(lines, usage.LineUse{Frame: f})
		}
	}
	return lines
}

// take takes what was computed.
func (v *memoryView) take(msg linesMsg) {
	v.asking, v.shown = false, msg
	v.chosen = max(min(v.chosen, len(msg.lines)-1), 0)
}

func (v *memoryView) move(_ *state, rows, _ int) intent {
	v.list.move(rows, len(v.shown.lines))
	return nil
}

// open shows the chosen line in the source.
func (v *memoryView) open(*state) intent {
	if v.chosen >= len(v.shown.lines) {
		return nil
	}
	if l := v.shown.lines[v.chosen]; l.Line > 0 {
		return toPlace{Frame: l.Frame, At: -1}
	}
	return saying(muted, "the tape does not say which line made this")
}

// click moves the cursor to a column of the chart, or chooses a line.
func (v *memoryView) click(s *state, column, row int) intent {
	switch {
	case v.chart.Contains(column, row) && column >= v.chart.X+axisWidth && v.scale.parts() > 0:
		return v.scale.goToPart(v.scale.at(column - v.chart.X - axisWidth))
	case v.rows.Contains(column, row) && row > v.rows.Y:
		if i := v.top + row - v.rows.Y - 1; i < len(v.shown.lines) {
			v.chosen = i
			return v.open(s)
		}
	}
	return nil
}

func (v *memoryView) sideways(s *state, n int) intent {
	return v.scale.step(n, s.at(), s.tape.Len())
}

// breakpoint is on the chosen line.
func (v *memoryView) breakpoint(*state) string {
	if v.chosen >= len(v.shown.lines) {
		return ""
	}
	return breakOnLine(v.shown.lines[v.chosen].Frame)
}

func (v *memoryView) words(s *state) (lines []string) {
	for _, l := range v.shown.lines[:min(len(v.shown.lines), maxRows)] {
		since := ""
		if d := l.Bytes - v.shown.then[l.Frame]; s.pin != nil && v.shown.since.pin == s.pin && d != 0 {
			since = change(d) + " since A, "
		}
		lines = append(lines, fmt.Sprintf("%s held, %s%s by saved tensors, %s, made at %s line %d in %s",
			size(l.Bytes), since, size(l.Graph), plural(l.Nodes, "node"), filepath.Base(l.File), l.Line, l.Func))
	}
	return lines
}

func (v *memoryView) wheel(_ *state, rows, _ int) {
	v.scroll(rows, len(v.shown.lines), max(v.rows.H-1, 1))
}
