package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// amid returns the stretch between the two moments; ok is false if none is pinned, or it is on another tape.
func (s *state) amid() (from, to graph.Pos, ok bool) {
	if s.pin == nil || s.pin.elsewhere != nil {
		return 0, 0, false
	}
	return min(s.pin.goal, s.at()), max(s.pin.goal, s.at()), true
}

// between reports whether an event happened between the moments.
func (s *state) between(p graph.Pos) bool {
	from, to, ok := s.amid()
	return ok && p >= from && p < to
}

// momentMark is the mark of what happened between the moments: it came, or it is still to come.
func (s *state) momentMark() statusMark {
	if s.pin.goal > s.at() {
		return momentMarks[1]
	}
	return momentMarks[0]
}

// ranLines are the lines of the program that ran in a stretch of the tape. A stretch that is a little
// longer or shorter costs what is new.
type ranLines struct {
	dec      *graph.Decoder
	tape     *graph.Tape
	from, to graph.Pos
	stacks   map[graph.StackID]int
	lines    map[graph.Frame]int // with file and line only; how many of the stacks have it
}

func newRanLines(tape *graph.Tape) *ranLines {
	return &ranLines{dec: tape.NewDecoder(), tape: tape, stacks: map[graph.StackID]int{}, lines: map[graph.Frame]int{}}
}

// approach makes the stretch more like another one, by a number of events at most.
func (r *ranLines) approach(from, to graph.Pos, events int) {
	if from >= r.to || to <= r.from {
		r.from, r.to = from, from
		clear(r.stacks)
		clear(r.lines)
	}
	for ; events > 0; events-- {
		switch {
		case r.to < to:
			r.count(r.to, 1)
			r.to++
		case r.from > from:
			r.from--
			r.count(r.from, 1)
		case r.to > to:
			r.to--
			r.count(r.to, -1)
		case r.from < from:
			r.count(r.from, -1)
			r.from++
		default:
			return
		}
	}
}

// count counts an event, or takes it back.
func (r *ranLines) count(p graph.Pos, n int) {
	h, err := r.dec.Header(p)
	if err != nil {
		return
	}
	before := r.stacks[h.Stack]
	r.stacks[h.Stack] = before + n
	if before != 0 && before+n != 0 {
		return
	}
	for _, f := range r.tape.Stack(h.Stack) {
		r.lines[graph.Frame{File: f.File, Line: f.Line}] += n
	}
}

// ran reports whether a line ran between the moments, as far as that is known.
func (s *state) ran(file string, line int) bool {
	_, _, ok := s.amid()
	return ok && s.pin.ran.lines[graph.Frame{File: file, Line: line}] > 0
}

// ranBehind reports whether the lines between the moments are not known yet.
func (s *state) ranBehind() bool {
	from, to, ok := s.amid()
	return ok && !s.pin.moving() && !s.moving() && (s.pin.ran.from != from || s.pin.ran.to != to)
}

// drawStretch draws in an axis the stretch between the moments, before what stands there.
func (s *state) drawStretch(sc scale, r cells.Region) {
	from, to, ok := s.amid()
	if !ok || sc.parts() == 0 || to <= sc.from || from >= sc.to {
		return
	}
	first, _ := sc.cursor(from)
	_, last := sc.cursor(to)
	r.Fill(first, 0, last-first, keycap, "╌")
}

// drawAxis draws the axis of a chart with both moments.
func (s *state) drawAxis(sc scale, r cells.Region) {
	s.drawStretch(sc, r)
	sc.drawAxis(s.at(), r)
	s.drawPinMark(sc, r)
}

// pinMark is moment A in an axis.
const pinMark = "A"

// drawPinMark draws where moment A is.
func (s *state) drawPinMark(sc scale, r cells.Region) {
	if _, _, ok := s.amid(); ok && sc.parts() > 0 && s.pin.goal >= sc.from && s.pin.goal <= sc.to {
		at, _ := sc.cursor(s.pin.goal)
		r.Text(at, 0, keycap, pinMark)
	}
}

// sinceA returns the mark of a finding that is at one moment only; "" for others.
func (s *state) sinceA(f *inspect.Finding) (mark statusMark) {
	switch {
	case s.pin == nil:
	case s.pin.elsewhere != nil:
		for _, other := range s.pin.findings.all() {
			if other.Code == f.Code && other.Message == f.Message {
				return statusMark{}
			}
		}
		if s.pin.findings.report != nil {
			return momentMarks[0]
		}
	case s.between(f.At):
		return s.momentMark()
	}
	return statusMark{}
}

// countSinceA counts the findings that are at one moment only.
func (s *state) countSinceA() (n int) {
	for i := range s.findings.all() {
		if s.sinceA(&s.findings.report.Findings[i]).mark != "" {
			n++
		}
	}
	return n
}

// amidText counts what happened between the moments: "2 findings between A and B".
func amidText(n int, what string) string {
	return fmt.Sprintf("%s between A and B", plural(n, what))
}
