package usage

import (
	"encoding/binary"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/stretch"
	"github.com/gradtui/gradtui/internal/packed"
)

// A MemorySeries knows what was in use after every event of a tape, and between which
// bounds it was over any stretch. It follows a tape that grows. It takes a fraction
// of a byte for each event, besides the records of living tensors and nodes: what an event changed is noted as a difference, before every 256th event the
// sum of those, and the bounds of 256 events, of 64 times 256 and so on in a pyramid.
//
// A MemorySeries serves one goroutine.
type MemorySeries struct {
	meter  *Meter
	blocks []useBlock   // one for every blockEvents events
	deltas packed.Bytes // of the events that changed something: see note
	bounds pyramid
	last   Use // after the event taken last
	noted  int // the number in the newest block of the event that was noted last; 0: none was
}

// A useBlock begins a run of blockEvents events.
type useBlock struct {
	before     Use
	page, from int32 // where its differences begin
}

const (
	blockEvents = 256
)

// A UseBucket says what was in use after each event from From to To, without To; if
// there is none, what is in use at that position.
type UseBucket struct {
	From, To       graph.Pos
	Min, Max, Last Use // the smallest and largest of each number, and the numbers after the last event
}

// NewMemorySeries returns the series at the beginning of a tape.
func NewMemorySeries(tape *graph.Tape) *MemorySeries { return &MemorySeries{meter: NewMeter(tape)} }

// Pos returns how many events the series knows.
func (s *MemorySeries) Pos() graph.Pos { return s.meter.pos }

// Extend takes the events before a position, at most those that the tape has.
func (s *MemorySeries) Extend(to graph.Pos) {
	for to = min(to, s.meter.tape.Len()); s.meter.pos < to; {
		p := s.meter.pos
		if p%blockEvents == 0 {
			s.begin()
		}
		s.meter.step()
		s.note(int(p%blockEvents), s.meter.now())
		if s.meter.pos%blockEvents == 0 {
			s.bounds.add(s.within(len(s.blocks)-1, 0, blockEvents))
		}
	}
}

// begin begins a block.
func (s *MemorySeries) begin() {
	s.deltas.Settle()
	page, from := s.deltas.End()
	s.blocks = append(s.blocks, useBlock{s.last, int32(page), int32(from)})
	s.noted = 0
}

// note writes down what an event changed: its distance from the event noted before in the block,
// or from the block's beginning, and three differences. In a loop these repeat.
func (s *MemorySeries) note(i int, now Use) {
	if now == s.last {
		return
	}
	var room [1 + 3*binary.MaxVarintLen64]byte
	b := append(room[:0], byte(i-s.noted))
	b = binary.AppendVarint(b, int64(now.Nodes-s.last.Nodes))
	b = binary.AppendVarint(b, now.Bytes-s.last.Bytes)
	s.deltas.Append(binary.AppendVarint(b, now.Graph-s.last.Graph)...)
	s.last, s.noted = now, i
}

// within returns the bounds of what was in use after some events of a block, from the
// from-th one to the to-th one, without that; and what was in use after the last one.
func (s *MemorySeries) within(block, from, to int) (r useRange) {
	b := s.blocks[block]
	use, rest := b.before, s.deltas.Page(int(b.page))
	if block+1 < len(s.blocks) && s.blocks[block+1].page == b.page {
		rest = rest[:s.blocks[block+1].from]
	}
	rest = rest[b.from:]
	held := 0 // the event after which it was first in use
	for len(rest) > 0 {
		at := held + int(rest[0])
		if max(held, from) < min(at, to) {
			r.add(use)
		}
		rest = rest[1:]
		use.Nodes += int(cutVarint(&rest))
		use.Bytes += cutVarint(&rest)
		use.Graph += cutVarint(&rest)
		held = at
	}
	if max(held, from) < to {
		r.add(use)
	}
	return r
}

func cutVarint(b *[]byte) int64 {
	v, n := binary.Varint(*b)
	*b = (*b)[n:]
	return v
}

// At returns what was in use at a position: after the events before it.
func (s *MemorySeries) At(pos graph.Pos) Use {
	switch pos = min(pos, s.Pos()); {
	case pos <= 0:
		return Use{}
	case pos == s.Pos():
		return s.last
	}
	block, i := inBlock(pos - 1)
	return s.within(block, i, i+1).max
}

func inBlock(p graph.Pos) (block, index int) { return int(p / blockEvents), int(p % blockEvents) }

// Peak returns what was in use when most bytes were, and the event that made it so; -1:
// nothing was ever in use.
func (s *MemorySeries) Peak() (Use, graph.Pos) {
	if s.meter.memory == nil {
		return Use{}, -1
	}
	return s.meter.memory.peak, s.meter.memory.peakAt
}

// Buckets divides the events between two positions into n parts of about the same
// length. What that costs depends on n only.
func (s *MemorySeries) Buckets(from, to graph.Pos, n int) []UseBucket {
	from, to = stretch.Clamp(from, to, s.Pos())
	buckets := make([]UseBucket, max(n, 0))
	for i := range buckets {
		b := &buckets[i]
		b.From, b.To = stretch.Part(from, to, i, n), stretch.Part(from, to, i+1, n)
		b.Last = s.At(b.To)
		b.Min, b.Max = b.Last, b.Last
		if b.From < b.To {
			r := s.over(b.From, b.To)
			b.Min, b.Max = r.min, r.max
		}
	}
	return buckets
}

// over returns the bounds over the events between two different positions.
func (s *MemorySeries) over(from, to graph.Pos) useRange {
	first, i := inBlock(from)
	last, j := inBlock(to - 1)
	if first == last {
		return s.within(first, i, j+1)
	}
	r := s.within(first, i, blockEvents)
	r.join(s.bounds.over(first+1, last))
	r.join(s.within(last, 0, j+1))
	return r
}
