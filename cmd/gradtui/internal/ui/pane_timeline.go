package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// timelineView shows the run at a glance, and where the cursor is in it: in few rows how
// much happened and which backward passes ran; in many a row for each kind of activity.
type timelineView struct {
	scale  scale // as it was drawn
	gutter int   // columns before it
	series series[inspect.Bucket]
}

// manyRows is how many rows the timeline needs to have one for each kind of activity.
const manyRows = 5

// about says where the cursor is in the run.
func (v *timelineView) about(m *Model) string {
	var parts []string
	if m.timeline.Pos() >= m.at() {
		parts = append(parts, m.where()...)
	}
	if from, to := m.window.stretch(m.tape.Len()); to-from < m.tape.Len() {
		parts = append(parts, fmt.Sprintf("events %d to %d", from, to))
	}
	if n := m.tape.Len(); m.timeline.Pos() < n {
		parts = append(parts, fmt.Sprintf("%d%% read", int64(m.timeline.Pos())*100/int64(n)))
	}
	return strings.Join(parts, " · ")
}

// where says in which iteration the cursor is, and what the program was doing.
func (m *Model) where() (parts []string) {
	if n := len(m.timeline.Iterations()); n > 0 {
		if i, _ := m.timeline.Iteration(m.at() - 1); i > 0 {
			parts = append(parts, fmt.Sprintf("iteration %d of %d", i, n))
		} else {
			parts = append(parts, fmt.Sprintf("before the first of %d iterations", n))
		}
	}
	if phase := m.phase(); phase != "" {
		parts = append(parts, phase)
	}
	return parts
}

// phases say what the program was doing when the last event of an activity had come.
var phases = [...]struct {
	since inspect.Activity
	text  string
}{
	{inspect.ActivityForward, "forward"},
	{inspect.ActivityStepped, "after the optimizer step"},
	{inspect.ActivityPassEnded, "after backward #%d"},
	{inspect.ActivityPassFailed, "backward #%d failed"},
}

// phase says what the program was doing at the cursor.
func (m *Model) phase() string {
	if b, ok := m.runningPass(); ok {
		ran := m.timeline.Count(b.Began, m.at())[inspect.ActivityNode]
		return fmt.Sprintf("backward #%d, %s run", b.ID, plural(int(ran), "node"))
	}
	began, ended := m.lastOf(inspect.ActivityStep), m.lastOf(inspect.ActivityStepped)
	if began > ended {
		return "optimizer step"
	}
	last, phase := graph.Pos(-1), ""
	for _, f := range phases {
		if p := m.lastOf(f.since); p > last {
			last, phase = p, f.text
		}
	}
	if strings.Contains(phase, "%d") {
		return fmt.Sprintf(phase, m.graph().BackwardCount())
	}
	return phase
}

// lastOf is the last event of an activity before the cursor; -1: there is none.
func (m *Model) lastOf(a inspect.Activity) graph.Pos {
	if p, ok := m.timeline.Prev(m.at(), a); ok {
		return p
	}
	return -1
}

func (v *timelineView) refresh(m *Model) { m.window.follow(m.at(), m.tape.Len()) }

func (v *timelineView) draw(m *Model, r cells.Region) {
	if m.tape.Len() == 0 {
		r.Fit(1, 0, r.W-1, muted, "Nothing has happened yet.")
		return
	}
	if r.H < manyRows {
		v.gutter = 0
		v.drawStrip(m, r)
	} else {
		v.gutter = min(nameColumns+countColumns, r.W/3)
		v.drawTracks(m, r)
	}
	chart := r.Part(cells.Rect{X: v.gutter, W: r.W - v.gutter, H: r.H})
	v.scale.fillUnread(chart, m.timeline.Pos())
	v.scale.flagCursor(m, chart)
}

// buckets are the parts of the scale, as far as they are known.
func (v *timelineView) buckets(m *Model, columns int) []inspect.Bucket {
	v.scale = m.scale(columns)
	return v.series.of(v.scale, m.timeline.Pos(), m.timeline.Buckets)
}

// landmarks are the activities that keys go to, besides iterations and findings.
var landmarks = []inspect.Activity{
	inspect.ActivityPassBegan, inspect.ActivityPassFailed, inspect.ActivityStep, inspect.ActivityError,
}

// move goes to a later landmark, or to one before, or to an end of the tape.
func (v *timelineView) move(m *Model, rows, _ int) {
	m.following = false
	at := m.at()
	switch {
	case rows == allRows:
		at = m.tape.Len()
	case rows == -allRows:
		at = 0
	}
	for ; rows > 0 && at < m.tape.Len(); rows-- {
		at = m.landmarkAfter(at)
	}
	for ; rows < 0 && at > 0; rows++ {
		at = m.landmarkBefore(at)
	}
	m.goTo(at, look)
}

// landmarkAfter is the position behind the next landmark; the end of the tape if there
// is none.
func (m *Model) landmarkAfter(at graph.Pos) graph.Pos {
	next := m.tape.Len() - 1
	if p, ok := m.timeline.Next(at, landmarks...); ok {
		next = p
	}
	starts := m.timeline.Iterations()
	if i, _ := slices.BinarySearch(starts, at); i < len(starts) {
		next = min(next, starts[i])
	}
	for _, f := range m.found() {
		if f.At >= at {
			next = min(next, f.At)
		}
	}
	return next + 1
}

// landmarkBefore is the position behind the landmark before; the beginning of the tape
// if there is none.
func (m *Model) landmarkBefore(at graph.Pos) graph.Pos {
	last := graph.Pos(-1)
	if p, ok := m.timeline.Prev(at-1, landmarks...); ok {
		last = p
	}
	starts := m.timeline.Iterations()
	if i, _ := slices.BinarySearch(starts, at-1); i > 0 {
		last = max(last, starts[i-1])
	}
	for _, f := range m.found() {
		if f.At < at-1 {
			last = max(last, f.At)
		}
	}
	return last + 1
}

// found are the findings so far.
func (m *Model) found() []inspect.Finding {
	if m.report == nil {
		return nil
	}
	return m.report.Findings
}

// open shows the finding in the cursor's column, or else the graph.
func (v *timelineView) open(m *Model) tea.Cmd {
	here := v.scale.part(m.at() - 1)
	for i, f := range m.found() {
		if v.scale.holds(f.At) && v.scale.part(f.At) == here {
			m.show(findingsPane)
			m.findings().show(m, i)
			return nil
		}
	}
	m.show(graphPane)
	return nil
}

// click goes to a column: behind a finding in it, or else behind all that happened.
func (v *timelineView) click(m *Model, column, _ int) tea.Cmd {
	if v.scale.parts() == 0 || column < v.gutter {
		return nil
	}
	part := v.scale.at(column - v.gutter)
	for _, f := range m.found() {
		if v.scale.holds(f.At) && v.scale.part(f.At) == part {
			return m.goToEvent(f.At)
		}
	}
	return m.goToPart(v.scale, part)
}

func (v *timelineView) sideways(m *Model, n int) tea.Cmd { return m.stepPart(v.scale, n) }
