package ui

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// A track is a row of the timeline: one kind of activity.
type track struct {
	name  string
	of    []lookup.Activity
	style cells.Style
	mark  string                                                     // "": bars, because it happens often
	draw  func(*timelineView, *state, []lookup.Bucket, cells.Region) // nil: as mark says
	// any reports whether there is something to draw; nil: if the counts are not 0.
	any func(*state) bool
}

// tracks are the rows of the timeline. Without room for all, the last ones are not shown.
// An activity that never happens has no row.
var tracks = []track{
	{name: "forward", of: []lookup.Activity{lookup.ActivityForward}, style: leaf},
	{name: "backward", of: []lookup.Activity{lookup.ActivityPassBegan}, draw: (*timelineView).drawPasses},
	{name: "nodes", of: []lookup.Activity{lookup.ActivityNode}, style: gradient},
	{name: "in place", of: []lookup.Activity{lookup.ActivityInPlace}, style: saved},
	{name: "hits", draw: (*timelineView).drawHits, any: (*state).anyQueries},
	{name: "bookmarks", draw: func(v *timelineView, s *state, _ []lookup.Bucket, r cells.Region) { v.drawBookmarks(s, r) }, any: (*state).anyBookmarks},
	{name: "findings", draw: (*timelineView).drawFindings, any: (*state).anyFindings},
	{name: "errors", of: []lookup.Activity{lookup.ActivityError, lookup.ActivityPassFailed}, draw: (*timelineView).drawErrors},
	{name: "iterations", draw: (*timelineView).drawIterations, any: (*state).anyIterations},
	{name: "steps", of: []lookup.Activity{lookup.ActivityStep}, style: output, mark: stepMark},
	{name: "freed", of: []lookup.Activity{lookup.ActivityFreed}, style: freed},
	{name: "hooks", of: []lookup.Activity{lookup.ActivityHook}, style: hinted},
	{name: "warnings", of: []lookup.Activity{lookup.ActivityWarning}, style: warned, mark: "!"},
	{name: "zero_grad", of: []lookup.Activity{lookup.ActivityZeroing}, style: muted, mark: "∅"},
	{name: "printed", of: []lookup.Activity{lookup.ActivityOutput}, style: muted},
}

const (
	stepMark     = "↓" // an optimizer step
	errorMark    = "✗"
	hitMark      = "●" // a hit of a breakpoint
	bookmarkMark = "◈"
	lonePass     = "▪" // a backward pass in one column
	// tallest is how many rows the bars of a track take at most.
	tallest = 4
	// nameColumns and countColumns are the widths of the labels before the tracks.
	nameColumns  = 11
	countColumns = 8
)

// timeMarks are the marks of the timeline and of the memory pane.
var timeMarks = [...]statusMark{
	{mark: "▁▄█", style: leaf, means: "activity; the colour shows the majority: forward blue, backward nodes purple, in-place changes orange"},
	{mark: "├#3┤", style: gradient, means: "backward pass 3; " + lonePass + ": one, or more, in one column"},
	{mark: "│3", style: muted, means: "iteration 3 begins"},
	{mark: stepMark, style: output, means: "an optimizer step"},
	{mark: hitMark, style: keycap, means: "hits of breakpoints"},
	{mark: bookmarkMark, style: keycap, means: "a bookmark"},
	{mark: errorMark, style: failed, means: "an error, or a finding; !: a warning, ·: a hint"},
	{mark: cursorMark, style: running, means: "the cursor; its column is reversed"},
	{mark: graphShade, style: saved, means: "memory that only saved tensors keep alive"},
	{mark: unread, style: muted, means: "not read yet"},
}

// times returns how often the activities of a track happened.
func (t *track) times(c *lookup.Counts) (n int) {
	for _, a := range t.of {
		n += int(c[a])
	}
	return n
}

func (s *state) anyIterations() bool { return len(s.index.timeline.Iterations()) > 0 }

func (t *track) bars() bool { return t.draw == nil && t.mark == "" }

// drawTracks draws a row for each kind of activity, and an axis.
func (v *timelineView) drawTracks(s *state, r cells.Region) {
	buckets := v.buckets(s, r.W-v.gutter)
	all := s.index.timeline.Count(0, s.index.timeline.Pos())
	var shown []*track
	bars := 0
	for i := range tracks {
		t := &tracks[i]
		if len(shown) == r.H-1 || t.any == nil && t.times(&all) == 0 || t.any != nil && !t.any(s) {
			continue
		}
		shown = append(shown, t)
		if t.bars() {
			bars++
		}
	}
	height := min(1+(r.H-1-len(shown))/max(bars, 1), tallest)
	within := s.index.timeline.Count(v.scale.from, v.scale.to)
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
		v.drawTrack(s, t, buckets, r.Part(cells.Rect{X: v.gutter, Y: y + gap, W: r.W - v.gutter, H: h - gap}))
		y += h
	}
	s.drawAxis(v.scale, r.Part(cells.Rect{X: v.gutter, Y: min(y, r.H-1), W: r.W - v.gutter, H: 1}))
}

func (v *timelineView) drawTrack(s *state, t *track, buckets []lookup.Bucket, r cells.Region) {
	if t.draw != nil {
		t.draw(v, s, buckets, r)
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
func (v *timelineView) drawStrip(s *state, r cells.Region) {
	buckets := v.buckets(s, r.W)
	marks := r.Part(cells.Rect{Y: r.H - 1, W: r.W, H: 1})
	v.drawActivity(buckets, r.Part(cells.Rect{W: r.W, H: max(r.H-1, 1)}))
	if r.H > 1 {
		v.numberIterations(buckets, marks, func(b *lookup.Bucket) bool { return b.Backward != 0 })
		v.drawPasses(s, buckets, marks)
		for i, b := range buckets {
			if b.Backward == 0 && b.Counts[lookup.ActivityStep] > 0 {
				marks.Text(v.scale.column(i), 0, output, stepMark)
			}
		}
	}
	from, _ := v.scale.cursor(s.at())
	marks.Text(from, 0, running, cursorMark)
	s.drawPinMark(v.scale, marks)
	if first, last, ok := s.amid(); ok && v.scale.parts() > 0 {
		left, _ := v.scale.cursor(first)
		_, right := v.scale.cursor(last)
		marks.FlagColumns(left, right, 0, cells.Marked)
	}
	v.drawHits(s, buckets, marks)
	v.drawBookmarks(s, marks)
	v.drawErrors(s, buckets, marks)
	v.drawFindings(s, buckets, marks)
}

func (s *state) anyQueries() bool { return len(s.queries) > 0 }

// drawHits draws where breakpoints have hits.
func (v *timelineView) drawHits(s *state, buckets []lookup.Bucket, r cells.Region) {
	for i := range s.queries {
		found := s.queries[i].found(s)
		for j, b := range buckets {
			if n, _ := slices.BinarySearch(found, b.From+1); n < len(found) && found[n] <= b.To {
				r.Text(v.scale.column(j), 0, keycap, hitMark)
			}
		}
	}
}

// drawActivity draws how many operations, nodes and in-place changes each part has, in the
// colour of the majority.
func (v *timelineView) drawActivity(buckets []lookup.Bucket, r cells.Region) {
	kinds := [...]struct {
		of    lookup.Activity
		style cells.Style
	}{{lookup.ActivityForward, leaf}, {lookup.ActivityNode, gradient}, {lookup.ActivityInPlace, saved}}
	total := func(c *lookup.Counts) (n uint32) {
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
func (v *timelineView) drawIterations(_ *state, buckets []lookup.Bucket, r cells.Region) {
	v.numberIterations(buckets, r, func(*lookup.Bucket) bool { return false })
}

// numberIterations draws where iterations begin, except at parts that are taken.
func (v *timelineView) numberIterations(buckets []lookup.Bucket, r cells.Region, taken func(*lookup.Bucket) bool) {
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
func (v *timelineView) drawPasses(_ *state, buckets []lookup.Bucket, r cells.Region) {
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
		if buckets[first].Counts[lookup.ActivityPassBegan] > 0 {
			r.Text(from, 0, gradient, "├")
		}
		if c := &buckets[i-1].Counts; c[lookup.ActivityPassEnded]+c[lookup.ActivityPassFailed] > 0 {
			r.Text(to-1, 0, gradient, "┤")
		}
		if number := fmt.Sprintf("#%d", id); len(number)+2 <= to-from {
			r.Text(from+(to-from-len(number))/2, 0, gradient, number)
		}
	}
}

// drawErrors draws where an error was raised or a backward pass failed.
func (v *timelineView) drawErrors(_ *state, buckets []lookup.Bucket, r cells.Region) {
	for i := range buckets {
		if c := &buckets[i].Counts; c[lookup.ActivityError]+c[lookup.ActivityPassFailed] > 0 {
			r.Text(v.scale.column(i), 0, failed, errorMark)
		}
	}
}

// drawFindings draws where something was found, the worst of a column.
func (v *timelineView) drawFindings(s *state, _ []lookup.Bucket, r cells.Region) {
	for bad := inspect.SeverityHint; bad <= inspect.SeverityError; bad++ {
		for _, f := range s.findings.all() {
			if f.Severity == bad && v.scale.holds(f.At) {
				r.Text(v.scale.column(v.scale.part(f.At)), 0, severityStyles[bad], severityMarks[bad])
			}
		}
	}
}
