package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A block is a run of events together with the strings and call stacks that
// they are the first to use. Blocks in a row make up a tape: in a file, or on
// the wire between a program and the debugger. Its layout:
//
//	first event, number of strings so far   uvarint each
//	new strings: count, then length and bytes of each
//	new stacks:  count, then length and bytes of each
//	start time in nanoseconds
//	events:      count, then length and bytes of each
//
// An event is its kind (a byte), its thread, its stack, the nanoseconds since
// the event before (uvarint each), and its fields.

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
// extended buffer and the number of events in it; zero when there is nothing
// new.
func (x *Exporter) AppendBlock(dst []byte, limit int) ([]byte, int, error) {
	t := x.tape
	n := min(int(t.Len()-x.next), limit)
	if n <= 0 {
		return dst, 0, nil
	}
	dst = binary.AppendUvarint(dst, uint64(x.next))
	dst = x.appendNames(dst)
	h, _, err := x.dec.Read(x.next)
	if err != nil {
		return dst, 0, err
	}
	dst = binary.AppendUvarint(dst, uint64(h.Time))
	dst = binary.AppendUvarint(dst, uint64(n))
	for range n {
		raw, _, err := x.dec.locate(t, x.next)
		if err != nil {
			return dst, 0, err
		}
		dst = binary.AppendUvarint(dst, uint64(len(raw)))
		dst = append(dst, raw...)
		x.next++
	}
	return dst, n, nil
}

// appendNames writes the strings and stacks interned since the last block.
func (x *Exporter) appendNames(dst []byte) []byte {
	t := x.tape
	// Encoding a stack looks its names up, which are all interned already.
	t.mu.Lock()
	defer t.mu.Unlock()
	dst = binary.AppendUvarint(dst, uint64(x.strings))
	dst = binary.AppendUvarint(dst, uint64(len(t.names.list)-x.strings))
	for _, s := range t.names.list[x.strings:] {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		dst = append(dst, s...)
	}
	x.strings = len(t.names.list)
	dst = binary.AppendUvarint(dst, uint64(x.stacks))
	dst = binary.AppendUvarint(dst, uint64(len(t.stacks.list)-x.stacks))
	for _, s := range t.stacks.list[x.stacks:] {
		frames := appendStack(nil, &t.names, s)
		dst = binary.AppendUvarint(dst, uint64(len(frames)))
		dst = append(dst, frames...)
	}
	x.stacks = len(t.stacks.list)
	return dst
}

// An Importer appends blocks to a tape. Other writers may use the tape too:
// strings and stacks of the blocks get the tape's own identifiers.
type Importer struct {
	tape    *Tape
	next    Pos // of the source
	names   interner
	strings []StringID // the tape's identifier for each of the source's
	stacks  []StackID
	dec     Decoder
	// OnEvent, if set, sees each event after it was appended, with the
	// position it got on the tape. The event is valid during the call.
	OnEvent func(p Pos, h Header, e Event)
}

// NewImporter returns an importer for a source whose blocks are to be appended
// to the tape.
func (t *Tape) NewImporter() *Importer {
	im := &Importer{tape: t, strings: []StringID{0}, stacks: []StackID{0}}
	im.names.list = []string{""}
	return im
}

// ErrBlock is wrapped by the errors for blocks that are damaged or out of order.
var ErrBlock = errors.New("damaged block")

// Append adds the events of one block to the tape and returns their number.
// Damaged or hostile blocks give an error that wraps [ErrBlock]; events before
// the damage have been appended then.
func (im *Importer) Append(block []byte) (int, error) {
	c := codec{mode: decoding, buf: block}
	if first := c.readUvarint(); c.err == nil && first != uint64(im.next) {
		return 0, fmt.Errorf("%w: event %d expected, it begins with event %d", ErrBlock, im.next, first)
	}
	im.readNames(&c)
	now := time.Duration(c.readUvarint())
	count := c.readCount("events")
	if now < 0 {
		c.fail("it begins before the tape")
	}
	if c.err != nil {
		return 0, fmt.Errorf("%w: %w", ErrBlock, c.err)
	}
	n := 0
	for ; n < count; n++ {
		size := c.readUvarint()
		raw := c.readBytes(size)
		if c.err == nil && (size == 0 || size > MaxEventSize) {
			c.fail("an event of %d bytes", size)
		}
		if c.err == nil {
			c.err = im.appendEvent(raw, &now, n == 0)
		}
		if c.err != nil {
			return n, fmt.Errorf("%w: event %d: %w", ErrBlock, im.next, c.err)
		}
		im.next++
	}
	return n, nil
}

// readNames reads the new strings and stacks of a block.
func (im *Importer) readNames(c *codec) {
	if first := c.readUvarint(); first != uint64(len(im.strings)) {
		c.fail("string %d expected, not %d", len(im.strings), first)
	}
	for range c.readCount("strings") {
		s := string(c.readBytes(c.readUvarint()))
		if c.err != nil {
			return
		}
		s = strings.ToValidUTF8(s, "\uFFFD")
		im.names.list = append(im.names.list, s)
		im.strings = append(im.strings, im.tape.InternString(s))
	}
	if first := c.readUvarint(); first != uint64(len(im.stacks)) {
		c.fail("stack %d expected, not %d", len(im.stacks), first)
	}
	for range c.readCount("stacks") {
		frames := codec{mode: decoding, buf: c.readBytes(c.readUvarint())}
		s := decodeStack(&frames, &im.names)
		if frames.err != nil {
			c.fail("stack %d: %w", len(im.stacks), frames.err)
		}
		if c.err != nil {
			return
		}
		im.stacks = append(im.stacks, im.tape.InternStack(s))
	}
}

// appendEvent decodes an event, translates its names and appends it. The time
// of the block's first event is known; its own difference belongs to the block
// before.
func (im *Importer) appendEvent(raw []byte, now *time.Duration, first bool) error {
	c := codec{mode: decoding, buf: raw}
	kind, h, delta := readHeader(&c)
	e := im.dec.event(kind)
	e.fields(&c)
	if c.err != nil {
		return fmt.Errorf("%s: %w", kind, c.err)
	}
	if !first {
		*now += delta
	}
	h.Time = *now
	if int(h.Stack) < len(im.stacks) {
		h.Stack = im.stacks[h.Stack]
	} else {
		h.Stack = 0
	}
	tr := codec{mode: translating, strings: func(id StringID) StringID {
		if int(id) < len(im.strings) {
			return im.strings[id]
		}
		return 0
	}}
	e.fields(&tr)
	if p, ok := im.tape.Append(h, e); ok && im.OnEvent != nil {
		im.OnEvent(p, h, e)
	}
	return nil
}
