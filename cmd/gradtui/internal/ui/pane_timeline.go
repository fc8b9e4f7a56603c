package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// timelineView shows the run at a glance, and the cursor in it: in few rows how much
// happened and which backward passes ran; in many rows one for each kind of activity.
type timelineView struct {
	scale  scale // as it was drawn
	gutter int   // columns before it
	series series[lookup.Bucket]
}

// manyRows is how many rows the timeline needs to have one for each kind of activity.
const manyRows = 5

// about says where the cursor is in the run.
func (v *timelineView) about(s *state) string {
	var parts []string
	if s.index.timeline.Pos() >= s.at() {
		parts = append(parts, s.where()...)
	}
	if from, to, ok := s.amid(); ok {
		parts = append(parts, plural(int(to-from), "event")+" from A to B")
	}
	if from, to := s.window.stretch(s.tape.Len()); to-from < s.tape.Len() {
		parts = append(parts, fmt.Sprintf("events %d to %d", from, to))
	}
	if n := s.tape.Len(); s.index.timeline.Pos() < n {
		parts = append(parts, fmt.Sprintf("%d%% read", int64(s.index.timeline.Pos())*100/int64(n)))
	}
	return strings.Join(parts, " · ")
}

// where describes the cursor's iteration, and what the program was doing.
func (s *state) where() (parts []string) {
	if n := len(s.index.timeline.Iterations()); n > 0 {
		if i, _ := s.index.timeline.Iteration(s.at() - 1); i > 0 {
			parts = append(parts, fmt.Sprintf("iteration %d of %d", i, n))
		} else {
			parts = append(parts, fmt.Sprintf("before the first of %d iterations", n))
		}
	}
	if phase := s.phase(); phase != "" {
		parts = append(parts, phase)
	}
	return parts
}

// phases describe what the program was doing, by the activity that was last.
var phases = [...]struct {
	since lookup.Activity
	text  string
}{
	{lookup.ActivityForward, "forward"},
	{lookup.ActivityStepped, "after the optimizer step"},
	{lookup.ActivityPassEnded, "after backward #%d"},
	{lookup.ActivityPassFailed, "backward #%d failed"},
}

// phase describes what the program was doing at the cursor.
func (s *state) phase() string {
	if b, ok := s.runningPass(); ok {
		ran := s.index.timeline.Count(b.Began, s.at())[lookup.ActivityNode]
		return fmt.Sprintf("backward #%d, %s run", b.ID, plural(int(ran), "node"))
	}
	began, ended := s.lastOf(lookup.ActivityStep), s.lastOf(lookup.ActivityStepped)
	if began > ended {
		return "optimizer step"
	}
	last, phase := graph.Pos(-1), ""
	for _, f := range phases {
		if p := s.lastOf(f.since); p > last {
			last, phase = p, f.text
		}
	}
	if strings.Contains(phase, "%d") {
		return fmt.Sprintf(phase, s.graph().BackwardCount())
	}
	return phase
}

// lastOf returns the last event of an activity before the cursor, or -1.
func (s *state) lastOf(a lookup.Activity) graph.Pos {
	if p, ok := s.index.timeline.Prev(s.at(), a); ok {
		return p
	}
	return -1
}

func (v *timelineView) refresh(*state, cells.Rect) {}

func (v *timelineView) draw(s *state, r cells.Region, _ bool) {
	if s.tape.Len() == 0 {
		r.Fit(1, 0, r.W-1, muted, "Nothing has happened yet.")
		return
	}
	if r.H < manyRows {
		v.gutter = 0
		v.drawStrip(s, r)
	} else {
		v.gutter = min(nameColumns+countColumns, r.W/3)
		v.drawTracks(s, r)
	}
	chart := r.Part(cells.Rect{X: v.gutter, W: r.W - v.gutter, H: r.H})
	v.scale.fillUnread(chart, s.index.timeline.Pos())
	v.scale.flagCursor(s.at(), chart)
}

// buckets returns the parts of the scale, as far as they are known.
func (v *timelineView) buckets(s *state, columns int) []lookup.Bucket {
	v.scale = s.scale(columns)
	return v.series.of(v.scale, s.index.timeline.Pos(), s.index.timeline.Buckets)
}

// landmarks are the activities that keys go to, besides iterations and findings.
var landmarks = []lookup.Activity{
	lookup.ActivityPassBegan, lookup.ActivityPassFailed, lookup.ActivityStep, lookup.ActivityError,
}

// move goes to a later landmark, or to one before, or to an end of the tape.
func (v *timelineView) move(s *state, rows, _ int) intent {
	at := s.at()
	switch {
	case rows == allRows:
		at = s.tape.Len()
	case rows == -allRows:
		at = 0
	}
	for ; rows > 0 && at < s.tape.Len(); rows-- {
		at = s.landmarkAfter(at)
	}
	for ; rows < 0 && at > 0; rows++ {
		at = s.landmarkBefore(at)
	}
	return goTo(at)
}

// landmarkAfter returns the position behind the next landmark, or the end of the tape.
func (s *state) landmarkAfter(at graph.Pos) graph.Pos {
	next := s.tape.Len() - 1
	if p, ok := s.index.timeline.Next(at, landmarks...); ok {
		next = p
	}
	starts := s.index.timeline.Iterations()
	if i, _ := slices.BinarySearch(starts, at); i < len(starts) {
		next = min(next, starts[i])
	}
	for _, f := range s.findings.all() {
		if f.At >= at {
			next = min(next, f.At)
		}
	}
	return next + 1
}

// landmarkBefore returns the position behind the previous landmark, or the start of the
// tape.
func (s *state) landmarkBefore(at graph.Pos) graph.Pos {
	last := graph.Pos(-1)
	if p, ok := s.index.timeline.Prev(at-1, landmarks...); ok {
		last = p
	}
	starts := s.index.timeline.Iterations()
	if i, _ := slices.BinarySearch(starts, at-1); i > 0 {
		last = max(last, starts[i-1])
	}
	for _, f := range s.findings.all() {
		if f.At < at-1 {
			last = max(last, f.At)
		}
	}
	return last + 1
}

// open shows the finding in the cursor's column, or else the graph.
func (v *timelineView) open(s *state) intent {
	here := v.scale.part(s.at() - 1)
	for i, f := range s.findings.all() {
		if v.scale.holds(f.At) && v.scale.part(f.At) == here {
			return inOrder{showPane(findingsPane), openFinding(i)}
		}
	}
	return showPane(graphPane)
}

// click goes to a column: behind a finding in it, or else behind all that happened.
func (v *timelineView) click(s *state, column, _ int) intent {
	if v.scale.parts() == 0 || column < v.gutter {
		return nil
	}
	part := v.scale.at(column - v.gutter)
	for _, f := range s.findings.all() {
		if v.scale.holds(f.At) && v.scale.part(f.At) == part {
			return after(f.At)
		}
	}
	return v.scale.goToPart(part)
}

func (v *timelineView) sideways(s *state, n int) intent {
	return v.scale.step(n, s.at(), s.tape.Len())
}

// breakpoint is on the line of the event that the cursor stands behind.
func (v *timelineView) breakpoint(s *state) string {
	return breakOnLine(s.line(s.at() - 1))
}

func (v *timelineView) words(s *state) (lines []string) {
	here, all := s.index.timeline.Count(0, s.at()), s.index.timeline.Count(0, s.tape.Len())
	for _, t := range tracks {
		if n := t.times(&all); n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d up to here, %d on the tape", t.name, t.times(&here), n))
		}
	}
	return lines
}

// wheel shows earlier or later events, if not all are shown.
func (v *timelineView) wheel(s *state, rows, _ int) { s.window.scroll(rows, s.at(), s.tape.Len()) }
