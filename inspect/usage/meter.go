package usage

import (
	"cmp"
	"context"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Meter measures what a program has in use while it runs.
type Meter struct {
	tape   *graph.Tape
	dec    *graph.Decoder
	memory *Memory   // nil before the first event: until then the language of the program is unknown
	pos    graph.Pos // how many events were taken
}

// NewMeter returns a meter at the beginning of a tape.
func NewMeter(tape *graph.Tape) *Meter { return &Meter{tape: tape, dec: tape.NewDecoder()} }

// Use returns what is in use at the end of the tape as it is now.
func (m *Meter) Use() Use {
	for end := m.tape.Len(); m.pos < end; {
		m.step()
	}
	return m.now()
}

// next takes the next event; ok is false if it is damaged and says nothing.
func (m *Meter) next() (head graph.Header, e graph.Event, ok bool) {
	if m.memory == nil {
		m.memory = NewMemory(m.tape)
	}
	p := m.pos
	m.pos++
	head, e, err := m.dec.Read(p)
	if err != nil {
		return head, e, false
	}
	m.memory.Take(p, head, e)
	return head, e, true
}

// step takes the next event without decoding it if it changes nothing.
func (m *Meter) step() {
	if k, err := m.dec.Kind(m.pos); err == nil && !changesUse[k] && m.memory != nil {
		m.pos++
		return
	}
	m.next()
}

// now returns what is in use after the events that were taken.
func (m *Meter) now() Use {
	if m.memory == nil {
		return Use{}
	}
	return m.memory.now
}

// A LineUse is what one line of the program made that is in use at some moment.
type LineUse struct {
	graph.Frame // file, line and function; empty: an unknown place
	Use
}

// meterSlice is how many events are taken between two looks at a context.
const meterSlice = 1 << 12

// LineUses says which lines of a program made what is in use. It follows the tape: going forward
// costs what happened since, going back begins again. LineUses serves one goroutine.
type LineUses struct{ meter *Meter }

// NewLineUses returns the lines at the beginning of a tape.
func NewLineUses(tape *graph.Tape) *LineUses { return &LineUses{NewMeter(tape)} }

// At returns the lines that made what is in use after a number of events, most bytes first. The
// context ends the work early.
func (l *LineUses) At(ctx context.Context, at graph.Pos) ([]LineUse, error) {
	if at < l.meter.pos {
		l.meter = NewMeter(l.meter.tape)
	}
	m := l.meter
	for at = min(at, m.tape.Len()); m.pos < at; m.step() {
		if m.pos%meterSlice == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if m.memory == nil {
		return nil, nil
	}
	var lines []LineUse
	for i := range m.memory.lines.list {
		if l := &m.memory.lines.list[i]; l.End != (Use{}) {
			lines = append(lines, LineUse{l.Frame, l.End})
		}
	}
	slices.SortStableFunc(lines, func(a, b LineUse) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Graph, a.Graph), cmp.Compare(b.Nodes, a.Nodes))
	})
	return lines, nil
}
