package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/inspect"
)

// openedFinding returns the finding that is open; nil if there are no findings.
func (s *state) openedFinding() *inspect.Finding {
	all := s.findings.all()
	if len(all) == 0 {
		return nil
	}
	return &all[min(max(s.findings.opened, 0), len(all)-1)]
}

// places are the lines that a finding names, in order: the line to change, the related ones, and where the
// program noticed.
func (s *state) places(f *inspect.Finding) (all []inspect.Span) {
	add := func(p inspect.Span) {
		same := func(q inspect.Span) bool { return q.File == p.File && q.Line == p.Line && q.At == p.At }
		if p.Known() && !slices.ContainsFunc(all, same) {
			all = append(all, p)
		}
	}
	add(f.Primary)
	for _, r := range f.Related {
		add(r)
	}
	add(s.symptom(f))
	return all
}

// symptom is where the program noticed what a finding is about; not known if it did not.
func (s *state) symptom(f *inspect.Finding) inspect.Span {
	h, e := s.event(f.Symptom)
	if e == nil {
		return inspect.Span{At: -1}
	}
	return inspect.PlaceOf(s.tape, h.Stack, f.Symptom, "the program notices here")
}

// shows reports whether a place is what the cursor and the source pane show.
func (s *state) shows(p inspect.Span) bool {
	return s.place.File == p.File && s.place.Line == p.Line && (p.At < 0 || s.goal == p.At+1)
}

// walk goes to the next or the previous place of the open finding, to the first or the last one from
// elsewhere.
func (m *Model) walk(by int) tea.Cmd {
	f := m.openedFinding()
	all := m.places(f)
	if len(all) == 0 {
		return m.say(muted, f.Code+" names no line of the program")
	}
	i := m.findings.walked
	switch {
	case i >= 0 && i < len(all) && m.shows(all[i]):
		i = (i + by + len(all)) % len(all)
	case by < 0:
		i = len(all) - 1
	default:
		i = 0
	}
	move := m.apply(toPlace(all[i]))
	m.findings.walked = i
	m.panes.findings.choosePlace(&m.state, all[i])
	said := fmt.Sprintf("place %d of %d: %s %s", i+1, len(all), lineName(all[i].Frame), all[i].Label)
	if len(all) == 1 {
		said = fmt.Sprintf("the only place of this finding: %s %s", lineName(all[i].Frame), all[i].Label)
	}
	m.say(strong, said)
	return move
}
