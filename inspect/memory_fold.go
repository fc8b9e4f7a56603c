package inspect

import (
	"cmp"
	"context"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A fold follows what is in use on a tape, event by event.
type fold struct {
	tape   *graph.Tape
	dec    *graph.Decoder
	memory *memory   // nil before the first event: until then it is not known what program this is
	pos    graph.Pos // so many events were taken
}

func newFold(tape *graph.Tape) *fold { return &fold{tape: tape, dec: tape.NewDecoder()} }

// next takes the next event; ok is false if it is damaged and says nothing.
func (f *fold) next() (head graph.Header, e graph.Event, ok bool) {
	if f.memory == nil {
		f.memory = newMemory(f.tape)
	}
	p := f.pos
	f.pos++
	head, e, err := f.dec.Read(p)
	if err != nil {
		return head, e, false
	}
	f.memory.take(p, head, e)
	return head, e, true
}

// step takes the next event without decoding it if it changes nothing.
func (f *fold) step() {
	if k, err := f.dec.Kind(f.pos); err == nil && !changesUse[k] && f.memory != nil {
		f.pos++
		return
	}
	f.next()
}

// use is what is in use now.
func (f *fold) use() Use {
	if f.memory == nil {
		return Use{}
	}
	return f.memory.now
}

// A LineUse is what one line of the program made that is in use at some moment.
type LineUse struct {
	graph.Frame // file, line and function; empty: an unknown place
	Use
}

// foldSlice is how many events are folded between two looks at a context.
const foldSlice = 1 << 12

// LineUses says which lines of a program made what is in use. It follows the tape: to
// go on costs what happened since, to go back is to begin anew. LineUses serves one
// goroutine.
type LineUses struct{ fold *fold }

// NewLineUses returns the lines at the beginning of a tape.
func NewLineUses(tape *graph.Tape) *LineUses { return &LineUses{newFold(tape)} }

// At are the lines that made what is in use after a number of events, those that made
// most bytes first. The context ends the way there early.
func (l *LineUses) At(ctx context.Context, at graph.Pos) ([]LineUse, error) {
	if at < l.fold.pos {
		l.fold = newFold(l.fold.tape)
	}
	f := l.fold
	for at = min(at, f.tape.Len()); f.pos < at; f.step() {
		if f.pos%foldSlice == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if f.memory == nil {
		return nil, nil
	}
	var lines []LineUse
	for i := range f.memory.lines.list {
		if l := &f.memory.lines.list[i]; l.End != (Use{}) {
			lines = append(lines, LineUse{l.Frame, l.End})
		}
	}
	slices.SortStableFunc(lines, func(a, b LineUse) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Graph, a.Graph), cmp.Compare(b.Nodes, a.Nodes))
	})
	return lines, nil
}
