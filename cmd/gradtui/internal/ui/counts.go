package ui

import (
	"fmt"
	"regexp"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// counted is a key with a count, as the command line takes it: "10n", "3 u".
var counted = regexp.MustCompile(`^([1-9][0-9]{0,5}) ?(\S+)$`)

// repeating is a key that is carried out several times. Each time waits until the program stands and the
// cursor has arrived; what is left at the end of the tape is one request to a program that can go on. Any key ends it.
type repeating struct {
	name        string // of the key
	left, times int
	at          graph.Pos // before the last time
	before      int       // times before those that the program was asked for at once
	stride      *stride   // of these times; nil: there are none
}

// resumeFor lets the program go on for a step, or for all that are left of a key that is being repeated.
func (m *Model) resumeFor(s stride) tea.Cmd {
	r := m.repeated
	if r == nil || r.left == 0 {
		return m.resume(s.step)
	}
	times := r.left + 1
	r.before, r.left, r.stride = r.times-times, 0, &s
	return m.letGo(func() error { return m.Program.Repeat(s.step, times) })
}

// taken returns how often a key was carried out. Of the times that the program was asked for at once, those count
// that it has ended, on the tape.
func (m *Model) taken(r *repeating) int {
	if r.stride == nil {
		return r.times - r.left
	}
	asked := 0
	for p := r.at; asked < r.times; asked++ {
		next, ok := r.stride.next(m.steps, p)
		if !ok {
			break
		}
		p = next
	}
	return min(r.before+asked, r.times)
}

// repeat carries out a key so many times.
func (m *Model) repeat(times int, name string) tea.Cmd {
	b := m.bound(name)
	switch {
	case b == nil || b.group != stepping && b.group != moving:
		return m.sayError(fmt.Errorf("%s cannot be repeated; a count is for keys that step or move, as in :10n", name))
	case !b.works(m):
		return m.say(muted, b.when.why(m))
	}
	m.repeated = &repeating{name: name, left: times, times: times, at: -1}
	return nil // an update carries it out
}

// repeatOn carries out the key once more, if what it did before is done. A key that has not moved the
// cursor would not do so again.
func (m *Model) repeatOn() tea.Cmd {
	r := m.repeated
	if r == nil || m.program.running || m.moving() || m.restarting {
		return nil
	}
	b := m.bound(r.name)
	stuck := b.group == stepping && r.at == m.at()
	if stop := m.program.stop; r.at >= 0 && (stop.Reason == control.BreakpointHit || r.stride != nil && stop.Reason == control.Interrupted) && graph.Pos(stop.Events) > r.at {
		stuck = true // at a breakpoint, or a key has ended it
	}
	stuck = stuck || r.stride != nil && m.program.over
	if r.left == 0 || stuck || !b.works(m) {
		m.repeated = nil
		if done := m.taken(r); done < r.times || stuck {
			return m.say(strong, fmt.Sprintf("%s: %d of %d times; %s", r.name, done, r.times, m.notice.text))
		}
		return nil
	}
	r.left--
	r.at = m.at()
	return tea.Batch(b.do(m), func() tea.Msg { return repeatMsg{} })
}

// repeatMsg asks for the next time.
type repeatMsg struct{}

// endRepeat ends what is being repeated, and reports whether there was something.
func (m *Model) endRepeat() bool {
	r := m.repeated
	switch {
	case r == nil:
		return false
	case r.stride != nil && m.program.running: // the end is said when the program stands
		if err := m.Program.Interrupt(); err != nil {
			m.sayError(err)
		}
		return true
	}
	m.repeated = nil
	m.say(strong, fmt.Sprintf("%s: ended after %d of %d times", r.name, r.times-r.left, r.times))
	return true
}

// readCount reads a key with a count.
func readCount(line string) (times int, key string, ok bool) {
	c := counted.FindStringSubmatch(line)
	if c == nil {
		return 0, "", false
	}
	times, err := strconv.Atoi(c[1])
	return times, c[2], err == nil
}
