package graph

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Tape is the append-only log of events. It may be appended to by several
// goroutines and read by others at the same time; what has been written never
// changes. Whatever is appended, every event on a tape can be decoded.
type Tape struct {
	mu      sync.Mutex
	enc     codec  // for append
	spare   []byte // memory for events that are not encoded where they stay
	names   interner
	stacks  stackInterner
	chunks  []*chunk
	shelf   shelf // of the chunks but the newest one
	count   int
	bytes   int64         // encoded events and their index
	last    time.Duration // time of the newest event
	limits  Limits
	full    string                // why recording stopped; empty while it goes on
	ended   chan struct{}         // closed when it has
	waiting map[Pos]chan struct{} // closed when the tape is longer than the key
	info    Info
}

// Info says where a tape comes from.
type Info struct {
	Engine  string // "builtin" or "torch 2.6.0"
	Program string // the program's file or package
	Args    []string
	// Rank is the rank of the process in a distributed program of WorldSize processes. In
	// other programs WorldSize is 0.
	Rank, WorldSize int
}

// Limits bound what a tape records. Zero means no limit. A tape that reaches a
// limit records one more event, RecordingStopped, and drops what follows.
type Limits struct {
	Events int
	Bytes  int64 // events, strings and call stacks, about what [Tape.Size] says

	// Elements asks recorders for this many leading elements of every tensor, at most
	// MostElements. 0: [UsualElements], and of tensors that are expensive to read nothing.
	Elements int
	// Named asks for other amounts of tensors by name. A gradient has the amount of its tensor.
	Named *Amounts
}

// How many leading elements of a tensor recorders keep.
const (
	UsualElements = 8
	MostElements  = 1 << 18
)

// A chunk holds encoded events back to back. What was written to its buffer never
// changes, so that readers need no lock while they decode.
type chunk struct {
	first   Pos
	events  int
	buf     []byte
	offsets []uint32        // where each event begins; nil: the chunk is not in memory
	marks   []time.Duration // the time before every markEvents-th event
	used    uint64          // when, by the clock of the shelf
	shelved shelved
}

const (
	minChunkBytes = 4 << 10
	chunkBytes    = 64 << 10
	chunkEvents   = 4096
	markEvents    = 64
	eventIndex    = 4 // bytes that an event takes besides its encoding
)

// NewTape returns an empty tape.
func NewTape(limits Limits) *Tape {
	t := &Tape{limits: limits, ended: make(chan struct{}), shelf: shelf{limit: keptBytes}}
	t.enc.mode = encoding
	t.enc.names = &t.names
	t.names.init()
	t.stacks.init()
	return t
}

// Limits returns what the tape was made with.
func (t *Tape) Limits() Limits { return t.limits }

// SetInfo notes where the tape comes from.
func (t *Tape) SetInfo(info Info) {
	t.mu.Lock()
	defer t.mu.Unlock()
	info.Args = slices.Clone(info.Args)
	t.info = info
}

// Info says where the tape comes from.
func (t *Tape) Info() Info {
	t.mu.Lock()
	defer t.mu.Unlock()
	info := t.info
	info.Args = slices.Clone(info.Args)
	return info
}

// Append adds an event and returns its position. The event is encoded at once
// and may be reused by the caller.
//
// A time before the newest event's counts as the same time. Strings and
// stacks that the tape does not know count as empty. An event that takes more
// than [MaxEventSize] loses the ends of its texts and most elements of its
// values; if that does not help, recording stops.
//
// Append reports false when the event was dropped because a limit has been
// reached, or because it is an [Unknown] whose content contradicts its kind.
func (t *Tape) Append(h Header, e Event) (Pos, bool) {
	t.mu.Lock()
	p, ok := t.append(h, e, nil)
	t.announce()
	t.mu.Unlock()
	return p, ok
}

// A Batch appends several events as one unit: no other goroutine's events come
// between them. It is valid from [Tape.Lock] to [Tape.Unlock]; methods of the
// tape that lock it themselves must not be called meanwhile.
type Batch struct{ t *Tape }

// Append adds an event to the batch, as [Tape.Append] does.
func (b Batch) Append(h Header, e Event) (Pos, bool) { return b.t.append(h, e, nil) }

// String interns a string, as [Tape.InternString] does.
func (b Batch) String(s string) StringID { return b.t.names.intern(s) }

// Stack interns a call stack, as [Tape.InternStack] does.
func (b Batch) Stack(s Stack) StackID { return b.t.stacks.intern(&b.t.names, s) }

// Len is how many events the tape has.
func (b Batch) Len() int { return b.t.count }

// Text is an interned string, as [Tape.String].
func (b Batch) Text(id StringID) string { return b.t.names.text(id) }

// StackOf is an interned call stack, as [Tape.Stack].
func (b Batch) StackOf(id StackID) Stack { return b.t.stacks.stack(id) }

// Lock begins a batch; the caller must call [Tape.Unlock].
func (t *Tape) Lock() Batch {
	t.mu.Lock()
	return Batch{t}
}

// Unlock ends a batch.
func (t *Tape) Unlock() {
	t.announce()
	t.mu.Unlock()
}

// announce wakes those who wait for the events that have been appended.
func (t *Tape) announce() {
	if len(t.waiting) == 0 {
		return
	}
	for n, ch := range t.waiting {
		if t.count > int(n) {
			close(ch)
			delete(t.waiting, n)
		}
	}
}

// Grown returns a channel that is closed as soon as the tape is longer than n
// events.
func (t *Tape) Grown(n Pos) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := t.waiting[n]
	if ch == nil {
		ch = make(chan struct{})
		if t.count > int(n) {
			close(ch)
			return ch
		}
		if t.waiting == nil {
			t.waiting = map[Pos]chan struct{}{}
		}
		t.waiting[n] = ch
	}
	return ch
}

// append adds an event, followed by the bytes of fields that this version does
// not know.
func (t *Tape) append(h Header, e Event, more []byte) (Pos, bool) {
	if t.full != "" {
		return Pos(t.count), false
	}
	if u, ok := e.(*Unknown); ok && u.Code.known() {
		if e, more, ok = u.decode(); !ok {
			return Pos(t.count), false
		}
	}
	if !t.room(h) {
		return Pos(t.count), false
	}
	if err := t.encode(&h, e, more); err != nil {
		t.stop(fmt.Sprintf("a %s event could not be recorded: %v", e.Kind(), err), h)
		return Pos(t.count), false
	}
	return t.store(h.Time), true
}

// room reports whether the tape takes another event; a tape that has just
// reached a limit says so first.
func (t *Tape) room(h Header) bool {
	if t.full == "" {
		if why := t.limits.exceeded(t.count, t.size()); why != "" {
			t.stop(why, h)
		}
	}
	return t.full == ""
}

// stop records why later events are missing.
func (t *Tape) stop(why string, h Header) {
	e := &RecordingStopped{Reason: why}
	t.encode(&h, e, nil)
	t.store(h.Time)
	t.full = why
	close(t.ended)
	t.names.frozen, t.stacks.frozen = true, true
}

// encode leaves an event in t.enc and corrects its header.
func (t *Tape) encode(h *Header, e Event, more []byte) error {
	h.Time = max(h.Time, t.last)
	if int(h.Stack) >= len(t.stacks.list) {
		h.Stack = 0
	}
	c := &t.enc
	c.short, c.buf = false, t.place()
	c.putEvent(e, *h, h.Time-t.last, more)
	if c.err != nil {
		c.short, c.buf = true, nil
		c.putEvent(e, *h, h.Time-t.last, more)
	}
	return c.err
}

// amplePlace is the memory that an event takes at most, but for rare ones.
const amplePlace = 512

// place is where the next event is to be encoded: in the newest chunk, where it
// will stay, if that has ample room.
func (t *Tape) place() []byte {
	if n := len(t.chunks); n > 0 {
		c := t.chunks[n-1]
		if free := c.buf[len(c.buf):cap(c.buf)]; len(free) >= amplePlace && c.events < chunkEvents {
			return free
		}
	}
	return t.spare
}

// store adds the event in t.enc to the newest chunk, or to a new one when it
// does not fit.
func (t *Tape) store(now time.Duration) Pos {
	event := t.enc.buf[:t.enc.off]
	var c *chunk
	if n := len(t.chunks); n > 0 {
		c = t.chunks[n-1]
	}
	if c == nil || c.events == chunkEvents || len(c.buf)+len(event) > cap(c.buf) {
		if c != nil {
			t.shelf.add(c)
		}
		size := min(max(int(t.bytes), minChunkBytes), chunkBytes) // short tapes are many
		c = &chunk{first: Pos(t.count), buf: make([]byte, 0, max(size, len(event)))}
		t.chunks = append(t.chunks, c)
	}
	if c.events%markEvents == 0 {
		c.marks = append(c.marks, t.last)
	}
	start := len(c.buf)
	c.offsets = append(c.offsets, uint32(start))
	c.events++
	c.buf = c.buf[:start+len(event)]
	if &event[0] != &c.buf[start] {
		copy(c.buf[start:], event)
		t.spare = t.enc.buf
	}
	t.last = now
	t.bytes += int64(len(event)) + eventIndex
	t.count++
	return Pos(t.count - 1)
}

// Drop forgets events before a position, to give back their memory; those that
// share a chunk with later ones stay. They keep their positions but cannot be
// read any more, so no cursor can be made. It is for a program that has sent its
// tape on.
func (t *Tape) Drop(before Pos) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for n+1 < len(t.chunks) && t.chunks[n+1].first <= before {
		n++
	}
	for _, c := range t.chunks[:n] {
		t.shelf.drop(c)
	}
	t.chunks = slices.Delete(t.chunks, 0, n)
}

func (l Limits) exceeded(events int, bytes int64) string {
	switch {
	case l.Events > 0 && events >= l.Events:
		return fmt.Sprintf("the limit of %d events was reached", l.Events)
	case l.Bytes > 0 && bytes >= l.Bytes:
		return fmt.Sprintf("the limit of %d bytes was reached", l.Bytes)
	}
	return ""
}

// Stopped says why the tape takes no more events, or "".
func (t *Tape) Stopped() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.full
}

// Stop ends the recording as a limit does.
func (t *Tape) Stop(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full == "" {
		t.stop(why, Header{Time: t.last})
		t.announce()
	}
}

// Ended returns a channel that is closed when the tape takes no more events.
func (t *Tape) Ended() <-chan struct{} { return t.ended }

// Len is the number of events on the tape.
func (t *Tape) Len() Pos {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Pos(t.count)
}

// Size is about how large the tape is in bytes: encoded events and their index, strings
// and call stacks. Of the events of a long tape only a part is in memory.
func (t *Tape) Size() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size()
}

func (t *Tape) size() int64 { return t.bytes + t.names.bytes + t.stacks.bytes }

// InternString returns the identifier of s on this tape. Bytes that are not
// UTF-8 are replaced, and what goes beyond [MaxString] is cut off. A tape that
// has stopped recording takes no new strings: they get the identifier zero.
func (t *Tape) InternString(s string) StringID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names.intern(s)
}

// InternStack returns the identifier of a call stack on this tape. Frames beyond
// [MaxFrames] are left out. A tape that has stopped recording takes no new
// stacks: they get the identifier zero.
func (t *Tape) InternStack(s Stack) StackID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stacks.intern(&t.names, s)
}

// String returns an interned string; an unknown identifier gives "".
func (t *Tape) String(id StringID) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names.text(id)
}

// Stack returns an interned call stack; an unknown identifier gives nil. The
// caller must not change it.
func (t *Tape) Stack(id StackID) Stack {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stacks.stack(id)
}

// ErrPosition is returned for a position that is not on the tape.
var ErrPosition = errors.New("no such position on the tape")

// Files are the source files that call stacks refer to.
func (t *Tape) Files() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := map[string]bool{}
	var files []string
	for id := range t.stacks.list {
		for _, f := range t.stacks.list[id] {
			if f.File != "" && !seen[f.File] {
				seen[f.File] = true
				files = append(files, f.File)
			}
		}
	}
	return files
}

// At decodes the event at a position. The result is the caller's.
func (t *Tape) At(p Pos) (Header, Event, error) {
	d := Decoder{tape: t, fresh: true}
	return d.Read(p)
}
