package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

// A Reading is how far the file of a tape has been read.
type Reading uint8

const (
	Behind   Reading = iota // the file has more
	Waiting                 // no more at the moment, but the writer has not closed it
	Finished                // the whole file
)

// fileState is how far the file of the tape has been read, if it is read from a file.
type fileState struct {
	reading Reading
	waited  bool      // everything that it had at first has been read
	failed  bool      // it cannot be read any further
	seen    graph.Pos // events after the last reading
	still   bool      // the last reading brought no events
}

func newFileState(o Options) fileState {
	if o.More == nil {
		return fileState{reading: Finished}
	}
	return fileState{reading: Behind}
}

// moreMsg says that some of the file has been read.
type moreMsg struct {
	reading Reading
	err     error
}

// fileRest is the time between two readings of a file that has no more.
const fileRest = 100 * time.Millisecond

// readMore reads on in the file.
func (m *Model) readMore() tea.Cmd {
	read := func() tea.Msg {
		reading, err := m.More()
		return moreMsg{reading, err}
	}
	if m.file.reading == Waiting {
		return background(tea.Tick(fileRest, func(time.Time) tea.Msg { return read() }))
	}
	return read
}

// noEnd is shown for a file that its writer has not closed.
const noEnd = "the file has no end yet: its program is still running, or was killed; new events will appear"

// more takes what was added to the tape. The cursor goes with the end if it is there.
func (m *Model) more(msg moreMsg) tea.Cmd {
	f := &m.file
	first, grown := !f.waited, m.tape.Len() > f.seen
	m.following = m.following || m.goal == f.seen
	f.reading, f.failed = msg.reading, msg.err != nil
	f.seen, f.still = m.tape.Len(), !grown
	f.waited = f.waited || f.reading != Behind || f.failed
	if grown && m.notice.text == noEnd {
		m.notice = notice{} // it runs
	}
	var move, next tea.Cmd
	switch {
	case first && f.waited:
		move = m.atFirst()
	case m.following && f.reading == Finished:
		move = m.goToFailure(endOfProgram, failure)
	case grown:
		m.follow()
	}
	switch {
	case f.failed:
		m.sayError(msg.err)
	case f.reading == Finished:
		if !first {
			m.say(strong, fmt.Sprintf("the recording has ended, with event %d", f.seen))
		}
	default:
		next = m.readMore()
	}
	return tea.Batch(move, next, m.check())
}

// atFirst goes to the failure or to the end, unless the user has moved the cursor while the
// file was read.
func (m *Model) atFirst() tea.Cmd {
	if m.file.reading == Waiting && !m.file.failed {
		m.say(muted, noEnd)
	}
	if !m.following {
		return nil
	}
	move := m.goToFailure(m.tape.Len(), look)
	m.following = m.goal == m.tape.Len()
	return move
}

// goToFailure goes to the last failed backward pass among so many events at the end, or to the
// exception that ended the program, if that is another error; or else to the end.
func (m *Model) goToFailure(among graph.Pos, otherwise arrival) tea.Cmd {
	end, ended := m.tape.Len(), graph.Pos(-1)
	for p := end - 1; p >= 0 && p >= end-among; p-- {
		k, err := m.dec.Kind(p)
		switch {
		case err != nil:
		case k == graph.KindProgramFailed && ended < 0:
			ended = p
		case k == graph.KindBackwardFailed && (ended < 0 || sameError(m.tape, p, ended)):
			return m.goTo(p+1, failure)
		}
	}
	if ended >= 0 {
		return m.goTo(ended+1, failure)
	}
	return m.goTo(end, otherwise)
}

// settled reports whether the tape is worth a run of the rules: it does not grow at the
// moment, or has grown a lot.
func (s *state) settled() bool {
	end := s.tape.Len()
	switch {
	case s.program.running || s.file.reading == Behind && !s.file.failed:
		return false
	case s.file.reading == Waiting && !s.file.failed:
		return s.file.still || end > 2*s.findings.upTo
	}
	return true
}
