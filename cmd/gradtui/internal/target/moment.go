package target

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A Moment is a position on a tape as it is given on the command line:
//
//	end               after the last event
//	120               after event 120
//	backward:2        when the second backward pass begins
//	backward:2+5      after that pass has executed five nodes
//	backward:2+end    when that pass has ended
//
// A negative pass counts from the newest one, -1.
type Moment struct {
	text     string
	event    graph.Pos // if pass is 0
	pass     int
	executed int // nodes of the pass; -1: all
}

const MomentHelp = "end, an event number, backward:K, backward:K+N (after N nodes) or backward:K+end; K = -1 is the newest pass"

// ParseMoment reads a moment as [MomentHelp] describes it.
func ParseMoment(s string) (Moment, error) {
	m := Moment{text: s, event: -1}
	word, _, _ := strings.Cut(s, ":")
	bad := fmt.Errorf("--at: %q is not a moment%s; use %s", s, suggest.Hint(word, []string{"end", "backward"}), MomentHelp)
	if s == "" || s == "end" {
		return m, nil
	}
	rest, ok := strings.CutPrefix(s, "backward:")
	if !ok {
		n, err := strconv.ParseUint(s, 10, 31)
		if err != nil {
			return m, bad
		}
		m.event = graph.Pos(n)
		return m, nil
	}
	pass, executed, hasExecuted := strings.Cut(rest, "+")
	var err error
	if m.pass, err = strconv.Atoi(pass); err != nil || m.pass == 0 {
		return m, bad
	}
	if hasExecuted {
		if executed == "end" {
			m.executed = -1
		} else if m.executed, err = strconv.Atoi(executed); err != nil || m.executed < 0 {
			return m, bad
		}
	}
	return m, nil
}

// Position is the position on a tape, as the number of events before it.
func (m Moment) Position(tape *graph.Tape) (graph.Pos, error) {
	switch {
	case m.pass == 0 && m.event < 0:
		return tape.Len(), nil
	case m.pass == 0 && m.event >= tape.Len():
		return 0, fmt.Errorf("--at %s: the tape has %d events, the last one is %d", m.text, tape.Len(), tape.Len()-1)
	case m.pass == 0:
		return m.event + 1, nil
	}
	g := tape.CursorAt(tape.Len()).Graph()
	passes := g.BackwardCount()
	pass := m.pass
	if pass < 0 {
		pass += passes + 1
	}
	b, ok := g.Backward(graph.BackwardID(pass))
	if !ok {
		return 0, fmt.Errorf("--at %s: %s", m.text, recordedPasses(passes))
	}
	if m.executed == 0 {
		return b.Began + 1, nil
	}
	return m.within(tape, b)
}

func recordedPasses(n int) string {
	switch n {
	case 0:
		return "no backward pass was recorded"
	case 1:
		return "one backward pass was recorded"
	}
	return fmt.Sprintf("%d backward passes were recorded", n)
}

// within finds the moment in a pass.
func (m Moment) within(tape *graph.Tape, b graph.Backward) (graph.Pos, error) {
	end := tape.Len()
	if !b.Running() {
		end = b.Finished + 1
	}
	if m.executed < 0 {
		return end, nil
	}
	d := tape.NewDecoder()
	executed := 0
	for p := b.Began; p < end; p++ {
		if k, err := d.Kind(p); err != nil || k != graph.KindNodeExecuted {
			continue
		}
		_, e, err := d.Read(p)
		if err != nil {
			return 0, err
		}
		if e.(*graph.NodeExecuted).Backward == b.ID {
			if executed++; executed == m.executed {
				return p + 1, nil
			}
		}
	}
	return 0, fmt.Errorf("--at %s: this pass executed %d nodes", m.text, executed)
}
