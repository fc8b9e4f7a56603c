package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// A block is a run of events together with the strings and call stacks that
// they are the first to use. Blocks in a row make up a tape: in a file, or on
// the wire between a program and the debugger. Its layout, numbers being
// uvarints:
//
//	number of events so far
//	strings: number so far, number of new ones, then length and bytes of each
//	stacks:  number so far, number of new ones, then length and bytes of each
//	events:  time before the first in nanoseconds, number, then length and bytes of each
//
// The empty string and the empty stack, number 0, are there from the start. A
// stack is its frames, innermost first; a frame is the strings of its file and
// function, its line, column, end line and end column. An event is its kind (a
// byte), its thread, its stack, the nanoseconds since the event before (of the
// block's first event they do not count), and its fields. What follows the
// events was added by a later version and is skipped.

const (
	// MaxBlockSize bounds the size of a block.
	MaxBlockSize = 16 << 20
	// A part of a block ends when it is larger than this, which leaves room for
	// three parts that end with the largest string, stack and event.
	blockPart = 1 << 20
)

// An Exporter hands out a tape as blocks, each going on where the last ended.
type Exporter struct {
	tape    *Tape
	next    Pos
	strings int
	stacks  int
	dec     Decoder
}

// NewExporter returns an exporter that begins at the tape's first event.
func (t *Tape) NewExporter() *Exporter {
	return &Exporter{tape: t, strings: 1, stacks: 1, dec: Decoder{tape: t}}
}

// Next is the position of the first event that has not been exported.
func (x *Exporter) Next() Pos { return x.next }

// AppendBlock appends one block of at most limit events to dst and returns the
// extended buffer and the number of events in it. When there are no new events
// it appends nothing. Blocks end early when they get large; one that has many
// strings to tell may hold no events at all.
func (x *Exporter) AppendBlock(dst []byte, limit int) ([]byte, int, error) {
	n := min(int(x.tape.Len()-x.next), limit)
	if n <= 0 {
		return dst, 0, nil
	}
	h, _, err := x.dec.Read(x.next)
	if err != nil {
		return dst, 0, err
	}
	start := len(dst)
	dst = binary.AppendUvarint(dst, uint64(x.next))
	dst, complete := x.appendNames(dst)
	if !complete {
		n = 0
	}
	count, size := 0, 0
	for count < n && size < blockPart {
		raw, _, err := x.dec.locate(x.next + Pos(count))
		if err != nil {
			return dst[:start], 0, err
		}
		size += len(raw)
		count++
	}
	dst = binary.AppendUvarint(dst, uint64(h.Time))
	dst = binary.AppendUvarint(dst, uint64(count))
	for range count {
		raw, _, _ := x.dec.locate(x.next)
		dst = binary.AppendUvarint(dst, uint64(len(raw)))
		dst = append(dst, raw...)
		x.next++
	}
	return dst, count, nil
}

// appendNames writes the strings and stacks interned since the last block. It
// reports false when they do not all fit into this one.
func (x *Exporter) appendNames(dst []byte) ([]byte, bool) {
	t := x.tape
	// Encoding a stack looks its names up, which are all interned already.
	t.mu.Lock()
	defer t.mu.Unlock()
	n, size := x.strings, 0
	for n < len(t.names.list) && size < blockPart {
		size += len(t.names.list[n]) + 1
		n++
	}
	dst = binary.AppendUvarint(dst, uint64(x.strings))
	dst = binary.AppendUvarint(dst, uint64(n-x.strings))
	for _, s := range t.names.list[x.strings:n] {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		dst = append(dst, s...)
	}
	x.strings = n

	n, size = x.stacks, 0
	for x.strings == len(t.names.list) && n < len(t.stacks.list) && size < blockPart {
		size += len(t.stacks.list[n]) * maxFrame
		n++
	}
	dst = binary.AppendUvarint(dst, uint64(x.stacks))
	dst = binary.AppendUvarint(dst, uint64(n-x.stacks))
	var frames []byte
	for _, s := range t.stacks.list[x.stacks:n] {
		frames = appendStack(frames[:0], &t.names, s)
		dst = binary.AppendUvarint(dst, uint64(len(frames)))
		dst = append(dst, frames...)
	}
	x.stacks = n
	return dst, x.strings == len(t.names.list) && x.stacks == len(t.stacks.list)
}

// An Importer appends blocks to a tape. Other writers may use the tape too:
// strings and stacks of the blocks get the tape's own identifiers. Only events
// of unknown kinds keep the identifiers that the source wrote.
type Importer struct {
	tape    *Tape
	next    Pos        // of the source
	strings []StringID // the tape's identifier for each of the source's
	stacks  []StackID
	dec     Decoder
	rename  codec // translates an event's strings
	renamed bool  // and notes whether one changed
	same    verbatim
	// OnEvent, if set, sees each event after it was appended, with the
	// position it got on the tape. The event is valid during the call.
	OnEvent func(p Pos, h Header, e Event)
}

// NewImporter returns an importer for a source whose blocks are to be appended
// to the tape.
func (t *Tape) NewImporter() *Importer {
	im := &Importer{tape: t, strings: []StringID{0}, stacks: []StackID{0}}
	im.rename = codec{mode: translating, strings: func(id StringID) StringID {
		to := im.translate(id)
		im.renamed = im.renamed || to != id
		return to
	}}
	return im
}

// ErrBlock is wrapped by the errors for blocks that are damaged or out of order.
var ErrBlock = errors.New("damaged block")

// Append adds the events of one block to the tape and returns their number.
// Damaged or hostile blocks give an error that wraps [ErrBlock]; events before
// the damage have been appended then. Once the tape has stopped recording, what
// is left is dropped without an error.
func (im *Importer) Append(block []byte) (int, error) {
	if im.tape.Stopped() != "" {
		return 0, nil
	}
	if len(block) > MaxBlockSize {
		return 0, fmt.Errorf("%w: it has %d bytes, more than %d", ErrBlock, len(block), MaxBlockSize)
	}
	c := codec{mode: decoding, buf: block, inner: 1}
	if first := c.readUvarint(); c.err == nil && first != uint64(im.next) {
		return 0, fmt.Errorf("%w: event %d expected, it begins with event %d", ErrBlock, im.next, first)
	}
	im.readNames(&c)
	start, count := c.readUvarint(), c.readCount("events", 5)
	if start > math.MaxInt64 {
		c.fail("it begins before the tape")
	}
	switch {
	case im.tape.Stopped() != "":
		return 0, nil
	case c.err != nil:
		return 0, fmt.Errorf("%w: %w", ErrBlock, c.err)
	}
	n, err := im.readEvents(&c, time.Duration(start), count)
	if err != nil {
		err = fmt.Errorf("%w: event %d: %w", ErrBlock, im.next, err)
	}
	return n, err
}

// readNames reads the new strings and stacks of a block.
func (im *Importer) readNames(c *codec) {
	t := im.tape
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.announce()
	if first := c.readUvarint(); first != uint64(len(im.strings)) {
		c.fail("string %d expected, not %d", len(im.strings), first)
	}
	for range c.readCount("strings", 1) {
		s := c.readBytes(c.readUvarint())
		if c.err != nil || !t.room(Header{}) {
			return
		}
		im.strings = append(im.strings, t.names.intern(string(s)))
		t.names.bytes += 4
	}
	if first := c.readUvarint(); first != uint64(len(im.stacks)) {
		c.fail("stack %d expected, not %d", len(im.stacks), first)
	}
	for range c.readCount("stacks", 1) {
		frames := codec{mode: decoding, buf: c.readBytes(c.readUvarint()), inner: 1}
		s := decodeStack(&frames, im.text)
		if frames.err != nil {
			c.fail("stack %d: %w", len(im.stacks), frames.err)
		}
		if c.err != nil || !t.room(Header{}) {
			return
		}
		im.stacks = append(im.stacks, t.stacks.intern(&t.names, s))
		t.stacks.bytes += 4
	}
}

// text resolves a string of the source.
func (im *Importer) text(id StringID) string { return im.tape.names.text(im.translate(id)) }

// translate gives the tape's identifier of a string of the source.
func (im *Importer) translate(id StringID) StringID {
	if int(id) < len(im.strings) {
		return im.strings[id]
	}
	return 0
}

// readEvents appends the events of a block. The tape is locked for a while, not
// for the whole block: others want to read it.
func (im *Importer) readEvents(c *codec, now time.Duration, count int) (n int, err error) {
	t := im.tape
	batch := 64
	if im.OnEvent != nil {
		batch = 1
	}
	for n < count && err == nil {
		var p Pos
		var h Header
		var e Event
		ok := true
		t.mu.Lock()
		for i := 0; i < batch && n < count && err == nil && ok; i++ {
			var raw []byte
			if raw, h, e, err = im.readEvent(c, &now, n == 0); err != nil {
				break
			}
			if p, ok = im.append(h, e, raw); ok {
				n++
				im.next++
			}
		}
		t.announce()
		t.mu.Unlock()
		if !ok {
			break
		}
		if err == nil && im.OnEvent != nil {
			im.OnEvent(p, h, e)
		}
	}
	return n, err
}

// readEvent decodes an event. It returns the encoded fields as well.
func (im *Importer) readEvent(c *codec, now *time.Duration, first bool) ([]byte, Header, Event, error) {
	size := c.readUvarint()
	raw := c.readBytes(size)
	if c.err == nil && (size == 0 || size > MaxEventSize) {
		c.fail("it has %d bytes", size)
	}
	if c.err != nil {
		return nil, Header{}, nil, c.err
	}
	d := &im.dec
	d.dec.brief = false
	kind, h, delta := d.header(raw)
	fields := raw[d.dec.off:]
	e := d.event(kind)
	e.fields(&d.dec)
	if d.dec.err != nil {
		return nil, h, e, fmt.Errorf("%s: %w", kind, d.dec.err)
	}
	if !first {
		if *now > math.MaxInt64-delta {
			return nil, h, e, errors.New("time overflows")
		}
		*now += delta
	}
	h.Time = *now
	if int(h.Stack) < len(im.stacks) {
		h.Stack = im.stacks[h.Stack]
	} else {
		h.Stack = 0
	}
	return fields, h, e, nil
}

// append adds an event to the tape under the tape's names. If the source uses the
// same names, as when one tape is read into an empty one, the fields are copied as
// they are.
func (im *Importer) append(h Header, e Event, fields []byte) (Pos, bool) {
	im.renamed = false
	if kind := e.Kind(); kind < kindLimit && kindNames[kind] {
		e.fields(&im.rename)
	}
	if im.renamed || len(fields) > MaxEventSize/2 {
		return im.tape.append(h, e, im.dec.more())
	}
	im.same = verbatim{e.Kind(), fields}
	return im.tape.append(h, &im.same, nil)
}

// verbatim is an event that is encoded already.
type verbatim struct {
	kind Kind
	raw  []byte
}

func (e *verbatim) Kind() Kind { return e.kind }

func (e *verbatim) fields(c *codec) { c.putBytes(e.raw) }

// kindNames says which kinds of events refer to interned strings.
var kindNames = func() (has [kindLimit]bool) {
	var named func([]Field) bool
	named = func(fields []Field) bool {
		for _, f := range fields {
			if f.Type == "string" || named(f.Elements) {
				return true
			}
		}
		return false
	}
	for k := range has {
		has[k] = named(Kind(k).Fields())
	}
	return has
}()
