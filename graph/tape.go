package graph

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Tape is the append-only log of events. It may be appended to by several
// goroutines and read by others at the same time; what has been written never
// changes.
type Tape struct {
	mu     sync.RWMutex
	enc    codec // scratch for Append
	names  interner
	stacks stackInterner
	chunks []*chunk
	count  int
	bytes  int64         // encoded size of all events
	last   time.Duration // time of the newest event
	limits Limits
	full   string        // why recording stopped; empty while it goes on
	grown  chan struct{} // closed and replaced when events were appended and somebody waits
	info   Info
}

// Info says where a tape comes from.
type Info struct {
	Engine  string // "builtin" or "torch 2.6.0"
	Program string // the program's file or package
	Args    []string
}

// Limits bound what a tape records. Zero means no limit. A tape that reaches a
// limit records a last event, RecordingStopped, and drops what follows.
type Limits struct {
	Events int
	Bytes  int64
}

// A chunk holds encoded events back to back. Its buffer is never moved once it
// is allocated, so that readers need no lock while they decode.
type chunk struct {
	first   Pos
	start   time.Duration // times in the chunk are relative to this
	buf     []byte
	offsets []uint32 // where each event begins
	prev    time.Duration
}

const (
	chunkBytes  = 64 << 10
	chunkEvents = 4096
	// MaxEventSize bounds the encoded size of one event.
	MaxEventSize = 8 << 20
)

// NewTape returns an empty tape.
func NewTape(limits Limits) *Tape {
	t := &Tape{limits: limits}
	t.enc.mode = encoding
	t.names.init()
	t.stacks.init()
	return t
}

// SetInfo notes where the tape comes from.
func (t *Tape) SetInfo(info Info) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.info = info
}

// Info says where the tape comes from.
func (t *Tape) Info() Info {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.info
}

// Append adds an event and returns its position. Times must not decrease; an
// earlier time counts as the newest one. The event is encoded at once and may
// be reused by the caller. Append reports false when a limit has been reached
// and the event was dropped.
func (t *Tape) Append(h Header, e Event) (Pos, bool) {
	t.mu.Lock()
	p, ok := t.append(h, e)
	t.announce()
	t.mu.Unlock()
	return p, ok
}

// A Batch appends several events as one unit: no other goroutine's events come
// between them. It is only valid during the call of [Tape.Batch].
type Batch struct{ t *Tape }

// Append adds an event to the batch.
func (b Batch) Append(h Header, e Event) (Pos, bool) { return b.t.append(h, e) }

// String interns a string.
func (b Batch) String(s string) StringID { return b.t.names.intern(s) }

// Stack interns a call stack.
func (b Batch) Stack(s Stack) StackID { return b.t.stacks.intern(&b.t.names, s) }

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

func (t *Tape) announce() {
	if t.grown != nil {
		close(t.grown)
		t.grown = nil
	}
}

// Grown returns a channel that is closed as soon as the tape is longer than n
// events.
func (t *Tape) Grown(n Pos) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count > int(n) {
		done := make(chan struct{})
		close(done)
		return done
	}
	if t.grown == nil {
		t.grown = make(chan struct{})
	}
	return t.grown
}

func (t *Tape) append(h Header, e Event) (Pos, bool) {
	if t.full != "" {
		return Pos(t.count), false
	}
	if why := t.limits.exceeded(t.count, t.bytes); why != "" {
		t.full = why
		e = &RecordingStopped{Reason: why}
	}
	c := t.tail()
	h.Time = max(h.Time, t.last)
	t.last = h.Time

	t.enc.off = 0
	putHeader(&t.enc, e.Kind(), h, h.Time-c.prev)
	e.fields(&t.enc)
	return t.store(c, t.enc.buf[:t.enc.off], h.Time), t.full == ""
}

// store adds an encoded event to chunk c, or to a new one when it does not fit.
func (t *Tape) store(c *chunk, event []byte, now time.Duration) Pos {
	if len(c.buf)+len(event) > cap(c.buf) {
		next := &chunk{first: Pos(t.count), start: c.prev, prev: c.prev, buf: make([]byte, 0, max(chunkBytes, len(event)))}
		t.chunks = append(t.chunks, next)
		c = next
	}
	c.offsets = append(c.offsets, uint32(len(c.buf)))
	c.buf = append(c.buf, event...)
	c.prev = now
	t.bytes += int64(len(event))
	t.count++
	return Pos(t.count - 1)
}

// tail is the chunk that takes the next event.
func (t *Tape) tail() *chunk {
	if n := len(t.chunks); n > 0 {
		c := t.chunks[n-1]
		if len(c.offsets) < chunkEvents {
			return c
		}
	}
	c := &chunk{first: Pos(t.count), start: t.last, prev: t.last, buf: make([]byte, 0, chunkBytes)}
	t.chunks = append(t.chunks, c)
	return c
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
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.full
}

// Len is the number of events on the tape.
func (t *Tape) Len() Pos {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return Pos(t.count)
}

// Size is the memory in bytes that the events take: encoded events and their
// index.
func (t *Tape) Size() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var n int64
	for _, c := range t.chunks {
		n += int64(cap(c.buf)) + 4*int64(cap(c.offsets)) + 96
	}
	return n
}

// InternString returns the identifier of s on this tape.
func (t *Tape) InternString(s string) StringID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names.intern(s)
}

// InternStack returns the identifier of a call stack on this tape.
func (t *Tape) InternStack(s Stack) StackID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stacks.intern(&t.names, s)
}

// String returns an interned string; an unknown identifier gives "".
func (t *Tape) String(id StringID) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.names.text(id)
}

// Stack returns an interned call stack; an unknown identifier gives nil. The
// caller must not change it.
func (t *Tape) Stack(id StackID) Stack {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if int(id) < len(t.stacks.list) {
		return t.stacks.list[id]
	}
	return nil
}

// ErrPosition is returned for a position that is not on the tape.
var ErrPosition = errors.New("no such position on the tape")

// At decodes the event at a position. The result is the caller's.
func (t *Tape) At(p Pos) (Header, Event, error) {
	var d Decoder
	d.fresh = true
	return d.read(t, p)
}

// A Decoder reads events of one tape and reuses its memory: what Read returns is
// valid until the next call. A Decoder serves one goroutine.
type Decoder struct {
	tape  *Tape
	fresh bool // allocate every event
	reuse [kindLimit]Event
	dec   codec

	// The chunk read last, as it was then: what a writer adds to it later is
	// not seen until it is located again.
	chunk   *chunk
	buf     []byte
	offsets []uint32

	// The time of the event read last; events store the time since the one
	// before.
	index int
	now   time.Duration
}

// NewDecoder returns a decoder for the tape.
func (t *Tape) NewDecoder() *Decoder { return &Decoder{tape: t} }

// Read decodes the event at a position.
func (d *Decoder) Read(p Pos) (Header, Event, error) { return d.read(d.tape, p) }

func (d *Decoder) read(t *Tape, p Pos) (Header, Event, error) {
	raw, i, err := d.locate(t, p)
	if err != nil {
		return Header{}, nil, err
	}
	d.dec = codec{mode: decoding, buf: raw}
	kind, h, _ := readHeader(&d.dec)
	e := d.event(kind)
	e.fields(&d.dec)
	if d.dec.err != nil {
		return h, e, fmt.Errorf("event %d (%s): %w", p, kind, d.dec.err)
	}
	h.Time = d.timeAt(i)
	return h, e, nil
}

// Kind returns the kind of the event at a position without decoding it.
func (d *Decoder) Kind(p Pos) (Kind, error) {
	raw, _, err := d.locate(d.tape, p)
	if err != nil || len(raw) == 0 {
		return 0, err
	}
	return Kind(raw[0]), nil
}

// locate finds the encoded event at p and its index in its chunk.
func (d *Decoder) locate(t *Tape, p Pos) (raw []byte, index int, err error) {
	if d.chunk == nil || p < d.chunk.first || p >= d.chunk.first+Pos(len(d.offsets)) {
		if err := d.open(t, p); err != nil {
			return nil, 0, err
		}
	}
	index = int(p - d.chunk.first)
	start, end := int(d.offsets[index]), len(d.buf)
	if index+1 < len(d.offsets) {
		end = int(d.offsets[index+1])
	}
	return d.buf[start:end], index, nil
}

// open looks up the chunk that holds p.
func (d *Decoder) open(t *Tape, p Pos) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if p < 0 || int(p) >= t.count {
		return fmt.Errorf("%w: %d of %d", ErrPosition, p, t.count)
	}
	c := t.chunkOf(p)
	if c != d.chunk {
		d.index, d.now = -1, c.start
	}
	d.chunk, d.buf, d.offsets = c, c.buf, c.offsets
	return nil
}

// chunkOf finds the chunk of an existing position by bisection.
func (t *Tape) chunkOf(p Pos) *chunk {
	lo, hi := 0, len(t.chunks)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) / 2)
		if t.chunks[mid].first <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return t.chunks[lo]
}

// timeAt sums the time differences up to event i of the current chunk.
func (d *Decoder) timeAt(i int) time.Duration {
	if d.index > i {
		d.index, d.now = -1, d.chunk.start
	}
	for d.index < i {
		d.index++
		c := codec{mode: decoding, buf: d.buf[d.offsets[d.index]:]}
		_, _, delta := readHeader(&c)
		d.now += delta
	}
	return d.now
}

func (d *Decoder) event(kind Kind) Event {
	known := kind < kindLimit && Kinds[kind].make != nil
	switch {
	case !known:
		return &Unknown{Code: kind}
	case d.fresh:
		return Kinds[kind].make()
	case d.reuse[kind] == nil:
		d.reuse[kind] = Kinds[kind].make()
	}
	return d.reuse[kind]
}

func putHeader(c *codec, kind Kind, h Header, delta time.Duration) {
	c.putByte(byte(kind))
	c.putUvarint(uint64(h.Thread))
	c.putUvarint(uint64(h.Stack))
	c.putUvarint(uint64(delta))
}

func readHeader(c *codec) (kind Kind, h Header, delta time.Duration) {
	if b := c.readBytes(1); b != nil {
		kind = Kind(b[0])
	}
	h.Thread = narrow[ThreadID](c, "thread", c.readUvarint())
	h.Stack = narrow[StackID](c, "stack", c.readUvarint())
	delta = time.Duration(c.readUvarint())
	if delta < 0 {
		c.fail("time runs backwards")
		delta = 0
	}
	return kind, h, delta
}
