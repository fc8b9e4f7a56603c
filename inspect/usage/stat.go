package usage

import (
	"cmp"
	"slices"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// A Stat says what a program did and what it keeps alive: as a whole, per line, and
// per iteration.
type Stat struct {
	Total      LineStat // without a place
	Peak       Use      // when most bytes were in use
	PeakAt     graph.Pos
	PeakLine   graph.Frame
	Devices    []DeviceUse // by name; nil: all memory was on one device
	Lines      []LineStat  // lines that did something, in order of their first event
	Iterations []IterationStat
	Growth     *Growth // nil: what is in use does not grow with each iteration
}

// A LineStat is what one line of the program did.
type LineStat struct {
	graph.Frame // file, line and function
	Events      int
	Ops         int // operations that ran
	Nodes       int // nodes of the backward graph that it made
	// Time is what passed from its events to the next ones; so it includes what the
	// program did in between.
	Time time.Duration
	Made int64 // bytes of the storages that it made
	End  Use   // what it made that is in use at the end
	Peak Use   // what it made that was in use at the peak of the whole program
	// Grows is how much more of it was in use after each iteration.
	Grows Rate

	number int // of the line
	dirty  bool
}

// An IterationStat is what one iteration did.
type IterationStat struct {
	Iteration
	Ops, Nodes int
	Time       time.Duration
	Made       int64
	After      Use // what was in use when it had ended
}

// A Rate is what is added with each iteration, on average.
type Rate struct{ Nodes, Bytes float64 }

// A Growth says that a program keeps more with each iteration.
type Growth struct {
	From, To int        // the numbers of the iterations that were compared
	Rate                // 0: this does not grow steadily
	Lines    []LineStat // the lines that grow, fastest first
}

// Measure measures a tape up to a number of events.
func Measure(tape *graph.Tape, events graph.Pos) *Stat {
	meter := NewMeter(tape)
	iterations := Iterations(tape, events)
	s := &Stat{PeakAt: -1, Iterations: make([]IterationStat, len(iterations))}
	for i := range iterations {
		s.Iterations[i].Iteration = iterations[i]
	}
	samples := newSamples(s.Iterations)
	var now *IterationStat
	next, line, last := 0, 0, time.Duration(0)
	for meter.pos < events {
		if now != nil && meter.pos == now.To {
			now.After = meter.now()
			samples.take(next-1, meter.memory)
			now = nil
		}
		if next < len(iterations) && meter.pos == iterations[next].From {
			now = &s.Iterations[next]
			next++
		}
		head, e, ok := meter.next()
		if !ok {
			continue
		}
		lines := &meter.memory.lines
		lines.list[line].Time += head.Time - last
		if now != nil {
			now.Time += head.Time - last
			now.count(e)
		}
		last, line = head.Time, lines.of(head.Stack)
		lines.list[line].count(e)
	}
	if now != nil {
		now.After = meter.now()
		samples.take(next-1, meter.memory)
	}
	if meter.memory != nil {
		s.sum(meter.memory)
		s.Devices = deviceUses(meter)
	}
	s.Growth = samples.growth(s)
	return s
}

func (l *LineStat) count(e graph.Event) {
	l.Events++
	if e.Kind() == graph.KindOpRan {
		l.Ops++
	}
}

func (t *IterationStat) count(e graph.Event) {
	switch e := e.(type) {
	case *graph.OpRan:
		t.Ops++
	case *graph.NodeCreated:
		t.Nodes++
	case *graph.TensorCreated:
		if e.Base == 0 {
			t.Made += int64(e.Bytes)
		}
	}
}

// sum adds up what was counted for lines.
func (s *Stat) sum(m *Memory) {
	for i := range m.lines.list {
		l := &m.lines.list[i]
		if l.Events == 0 {
			continue
		}
		s.Lines = append(s.Lines, *l)
		s.Total.Events += l.Events
		s.Total.Ops += l.Ops
		s.Total.Nodes += l.Nodes
		s.Total.Time += l.Time
		s.Total.Made += l.Made
	}
	s.Total.End, s.Total.Peak = m.now, m.peak
	s.Peak, s.PeakAt = m.peak, m.peakAt
	if head, _, err := m.tape.At(m.peakAt); err == nil && m.peak.Bytes > 0 {
		s.PeakLine = m.tape.Stack(head.Stack).Top()
	}
}

// Heaviest returns the lines, sorted by the bytes in use at the end or at the peak, then by
// nodes, then by time.
func (s *Stat) Heaviest() []LineStat {
	lines := slices.Clone(s.Lines)
	slices.SortStableFunc(lines, func(a, b LineStat) int {
		return cmp.Or(
			cmp.Compare(max(b.End.Bytes, b.Peak.Bytes), max(a.End.Bytes, a.Peak.Bytes)),
			cmp.Compare(b.End.Nodes, a.End.Nodes),
			cmp.Compare(b.Nodes, a.Nodes),
			cmp.Compare(b.Time, a.Time),
		)
	})
	return lines
}

// Busiest returns the lines with most events, which made the tape grow.
func (s *Stat) Busiest() []LineStat {
	lines := slices.Clone(s.Lines)
	slices.SortStableFunc(lines, func(a, b LineStat) int { return cmp.Compare(b.Events, a.Events) })
	return lines
}

// PeakIteration returns the number of the iteration in which most was in use, 0 if it was
// in none.
func (s *Stat) PeakIteration() int {
	for _, t := range s.Iterations {
		if t.From <= s.PeakAt && s.PeakAt < t.To {
			return t.Number
		}
	}
	return 0
}

// A lineTable numbers the lines of a program; number 0 stands for an unknown place.
type lineTable struct {
	tape    *graph.Tape
	list    []LineStat
	byStack []int32 // number + 1
	byPlace map[codeLine]int
}

type codeLine struct {
	file, function string
	line           int
}

func newLineTable(tape *graph.Tape) lineTable {
	return lineTable{tape: tape, list: make([]LineStat, 1), byPlace: map[codeLine]int{{}: 0}}
}

// of returns the number of the line at the top of a call stack.
func (t *lineTable) of(s graph.StackID) int {
	if int(s) < len(t.byStack) && t.byStack[s] > 0 {
		return int(t.byStack[s]) - 1
	}
	f := t.tape.Stack(s).Top()
	k := codeLine{f.File, f.Func, f.Line}
	i, ok := t.byPlace[k]
	if !ok {
		i = len(t.list)
		t.byPlace[k] = i
		t.list = append(t.list, LineStat{Frame: graph.Frame{File: f.File, Line: f.Line, Func: f.Func}, number: i})
	}
	for int(s) >= len(t.byStack) {
		t.byStack = append(t.byStack, 0)
	}
	t.byStack[s] = int32(i) + 1
	return i
}
