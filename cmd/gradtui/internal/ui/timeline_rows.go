package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/inspect"
)

// A track is a row of the timeline: one kind of activity.
type track struct {
	name  string
	of    []inspect.Activity
	style cells.Style
	mark  string                                                      // what stands for it; "": bars, for it happens often
	draw  func(*timelineView, *Model, []inspect.Bucket, cells.Region) // nil: as mark says
	// any reports whether there is something to draw; nil: the counts say that.
	any func(*Model) bool
}

// tracks are the rows of the timeline; where there is no room the last ones are not
// shown. What never happens has no row.
var tracks = []track{
	{name: "forward", of: []inspect.Activity{inspect.ActivityForward}, style: leaf},
	{name: "backward", of: []inspect.Activity{inspect.ActivityPassBegan}, draw: (*timelineView).drawPasses},
	{name: "nodes", of: []inspect.Activity{inspect.ActivityNode}, style: gradient},
	{name: "in place", of: []inspect.Activity{inspect.ActivityInPlace}, style: saved},
	{name: "findings", draw: (*timelineView).drawFindings, any: (*Model).anyFindings},
	{name: "errors", of: []inspect.Activity{inspect.ActivityError, inspect.ActivityPassFailed}, draw: (*timelineView).drawErrors},
	{name: "iterations", draw: (*timelineView).drawIterations, any: (*Model).anyIterations},
	{name: "steps", of: []inspect.Activity{inspect.ActivityStep}, style: output, mark: stepMark},
	{name: "freed", of: []inspect.Activity{inspect.ActivityFreed}, style: freed},
	{name: "hooks", of: []inspect.Activity{inspect.ActivityHook}, style: hinted},
	{name: "warnings", of: []inspect.Activity{inspect.ActivityWarning}, style: warned, mark: "!"},
	{name: "zero_grad", of: []inspect.Activity{inspect.ActivityZeroing}, style: muted, mark: "∅"},
	{name: "printed", of: []inspect.Activity{inspect.ActivityOutput}, style: muted},
}

const (
	stepMark  = "↓" // an optimizer step
	errorMark = "✗"
	lonePass  = "▪" // a backward pass in one column
	// tallest is how many rows the bars of a track take at most.
	tallest = 4
	// nameColumns and countColumns are what stands before the tracks.
	nameColumns  = 11
	countColumns = 8
)

// timeMarks are the marks of the timeline and of the memory pane.
var timeMarks = [...]statusMark{
	{mark: "▁▄█", style: leaf, means: "activity; the colour shows the majority: forward blue, backward nodes purple, in-place changes orange"},
	{mark: "├#3┤", style: gradient, means: "backward pass 3; " + lonePass + ": one, or more, in one column"},
	{mark: "│3", style: muted, means: "iteration 3 begins"},
	{mark: stepMark, style: output, means: "an optimizer step"},
	{mark: errorMark, style: failed, means: "an error, or a finding; !: a warning, ·: a hint"},
	{mark: cursorMark, style: running, means: "the cursor; its column is reversed"},
	{mark: graphShade, style: saved, means: "memory that only saved tensors keep alive"},
	{mark: unread, style: muted, means: "not read yet"},
}

// times is how often the activities of a track are among some.
func (t *track) times(c *inspect.Counts) (n int) {
	for _, a := range t.of {
		n += int(c[a])
	}
	return n
}

func (m *Model) anyIterations() bool { return len(m.timeline.Iterations()) > 0 }

func (t *track) bars() bool { return t.draw == nil && t.mark == "" }

// drawTracks draws a row for each kind of activity, and an axis.
func (v *timelineView) drawTracks(m *Model, r cells.Region) {
	buckets := v.buckets(m, r.W-v.gutter)
	all := m.timeline.Count(0, m.timeline.Pos())
	var shown []*track
	bars := 0
	for i := range tracks {
		t := &tracks[i]
		if len(shown) == r.H-1 || t.any == nil && t.times(&all) == 0 || t.any != nil && !t.any(m) {
			continue
		}
		shown = append(shown, t)
		if t.bars() {
			bars++
		}
	}
	height := min(1+(r.H-1-len(shown))/max(bars, 1), tallest)
	within := m.timeline.Count(v.scale.from, v.scale.to)
	y := 0
	for _, t := range shown {
		h := 1
		if t.bars() {
			h = height
		}
		label := r.Part(cells.Rect{Y: y + h - 1, W: v.gutter - 1, H: 1})
		label.Text(1, 0, headline, t.name)
		if t.of != nil {
			n := fmt.Sprint(t.times(&within))
			label.Text(max(label.W-len(n), nameColumns), 0, muted, n)
		}
		gap := h / 3 // so that high bars do not touch the row above
		v.drawTrack(m, t, buckets, r.Part(cells.Rect{X: v.gutter, Y: y + gap, W: r.W - v.gutter, H: h - gap}))
		y += h
	}
	v.scale.drawAxis(m, r.Part(cells.Rect{X: v.gutter, Y: min(y, r.H-1), W: r.W - v.gutter, H: 1}))
}

func (v *timelineView) drawTrack(m *Model, t *track, buckets []inspect.Bucket, r cells.Region) {
	if t.draw != nil {
		t.draw(v, m, buckets, r)
		return
	}
	most := 0
	for i := range buckets {
		most = max(most, t.times(&buckets[i].Counts))
	}
	for i := range buckets {
		n := t.times(&buckets[i].Counts)
		if t.mark == "" {
			drawBar(r, v.scale.column(i), v.scale.column(i+1), fill(float64(n), float64(most), r.H), t.style)
		} else if n > 0 {
			r.Text(v.scale.column(i), 0, t.style, t.mark)
		}
	}
}

// drawStrip draws how much happened, and below it what happened when.
func (v *timelineView) drawStrip(m *Model, r cells.Region) {
	buckets := v.buckets(m, r.W)
	marks := r.Part(cells.Rect{Y: r.H - 1, W: r.W, H: 1})
	v.drawActivity(buckets, r.Part(cells.Rect{W: r.W, H: max(r.H-1, 1)}))
	if r.H > 1 {
		v.numberIterations(buckets, marks, func(b *inspect.Bucket) bool { return b.Backward != 0 })
		v.drawPasses(m, buckets, marks)
		for i, b := range buckets {
			if b.Backward == 0 && b.Counts[inspect.ActivityStep] > 0 {
				marks.Text(v.scale.column(i), 0, output, stepMark)
			}
		}
	}
	from, _ := v.scale.cursor(m)
	marks.Text(from, 0, running, cursorMark)
	v.drawErrors(m, buckets, marks)
	v.drawFindings(m, buckets, marks)
}

// drawActivity draws how many operations, nodes and changes in place there are in each
// part, in the colour of what is most.
func (v *timelineView) drawActivity(buckets []inspect.Bucket, r cells.Region) {
	kinds := [...]struct {
		of    inspect.Activity
		style cells.Style
	}{{inspect.ActivityForward, leaf}, {inspect.ActivityNode, gradient}, {inspect.ActivityInPlace, saved}}
	total := func(c *inspect.Counts) (n uint32) {
		for _, k := range kinds {
			n += c[k.of]
		}
		return n
	}
	most := uint32(0)
	for i := range buckets {
		most = max(most, total(&buckets[i].Counts))
	}
	for i := range buckets {
		style, c := plain, &buckets[i].Counts
		for k, best := 0, uint32(0); k < len(kinds); k++ {
			if c[kinds[k].of] > best {
				best, style = c[kinds[k].of], kinds[k].style
			}
		}
		drawBar(r, v.scale.column(i), v.scale.column(i+1), fill(float64(total(c)), float64(most), r.H), style)
	}
}

// drawIterations draws where iterations begin, with their numbers if there is room.
func (v *timelineView) drawIterations(_ *Model, buckets []inspect.Bucket, r cells.Region) {
	v.numberIterations(buckets, r, func(*inspect.Bucket) bool { return false })
}

// numberIterations draws where iterations begin, beside parts that are taken by
// something else.
func (v *timelineView) numberIterations(buckets []inspect.Bucket, r cells.Region, taken func(*inspect.Bucket) bool) {
	begins := func(i int) bool { return i < len(buckets) && buckets[i].Iteration != 0 }
	for i := range buckets {
		first := i
		if taken(&buckets[i]) {
			first++
		}
		if !begins(i) || first > i && begins(first) || first == len(buckets) || taken(&buckets[first]) {
			continue
		}
		next := first + 1
		for next < len(buckets) && !begins(next) && !taken(&buckets[next]) {
			next++
		}
		x, number := v.scale.column(first), fmt.Sprint(buckets[i].Iteration)
		r.Text(x, 0, muted, "│")
		if x+1+len(number) < v.scale.column(next) {
			r.Text(x+1, 0, muted, number)
		}
	}
}

// drawPasses draws from where to where each backward pass ran, with its number.
func (v *timelineView) drawPasses(_ *Model, buckets []inspect.Bucket, r cells.Region) {
	for i := 0; i < len(buckets); {
		first, id := i, buckets[i].Backward
		for i++; i < len(buckets) && buckets[i].Backward == id; i++ {
		}
		if id == 0 {
			continue
		}
		from, to := v.scale.column(first), v.scale.column(i)
		if to-from == 1 {
			r.Text(from, 0, gradient, lonePass)
			continue
		}
		r.Fill(from, 0, to-from, gradient, "─")
		if buckets[first].Counts[inspect.ActivityPassBegan] > 0 {
			r.Text(from, 0, gradient, "├")
		}
		if c := &buckets[i-1].Counts; c[inspect.ActivityPassEnded]+c[inspect.ActivityPassFailed] > 0 {
			r.Text(to-1, 0, gradient, "┤")
		}
		if number := fmt.Sprintf("#%d", id); len(number)+2 <= to-from {
			r.Text(from+(to-from-len(number))/2, 0, gradient, number)
		}
	}
}

// drawErrors draws where an error was raised or a backward pass failed.
func (v *timelineView) drawErrors(_ *Model, buckets []inspect.Bucket, r cells.Region) {
	for i := range buckets {
		if c := &buckets[i].Counts; c[inspect.ActivityError]+c[inspect.ActivityPassFailed] > 0 {
			r.Text(v.scale.column(i), 0, failed, errorMark)
		}
	}
}

// drawFindings draws where something was found, the worst of a column.
func (v *timelineView) drawFindings(m *Model, _ []inspect.Bucket, r cells.Region) {
	for s := inspect.SeverityHint; s <= inspect.SeverityError; s++ {
		for _, f := range m.found() {
			if f.Severity == s && v.scale.holds(f.At) {
				r.Text(v.scale.column(v.scale.part(f.At)), 0, severityStyles[s], severityMarks[s])
			}
		}
	}
}
