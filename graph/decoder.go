package graph

import (
	"fmt"
	"time"
)

// A Decoder reads events of one tape and reuses its memory: what Read returns is
// valid until the next call. A Decoder serves one goroutine.
type Decoder struct {
	tape  *Tape
	fresh bool // allocate every event
	reuse [kindLimit]Event
	dec   codec

	// The chunk read last, as it was then: what a writer adds to it later is
	// not seen until it is located again.
	first   Pos
	buf     []byte
	offsets []uint32
	marks   []time.Duration

	// The time of the event at index of that chunk; events store the time since
	// the one before.
	index int
	now   time.Duration
}

// NewDecoder returns a decoder for the tape.
func (t *Tape) NewDecoder() *Decoder { return &Decoder{tape: t} }

// Read decodes the event at a position.
func (d *Decoder) Read(p Pos) (Header, Event, error) {
	raw, i, err := d.locate(p)
	if err != nil {
		return Header{}, nil, err
	}
	kind, h, delta := d.header(raw)
	if d.index != i-1 || i%markEvents == 0 {
		d.windTo(i)
	}
	d.index, d.now = i, d.now+delta
	h.Time = d.now
	e, err := d.body(p, kind)
	return h, e, err
}

// ReadUntimed decodes the event at a position without its time, which is several
// times faster out of order: an event stores the time since the one before.
func (d *Decoder) ReadUntimed(p Pos) (Header, Event, error) {
	raw, _, err := d.locate(p)
	if err != nil {
		return Header{}, nil, err
	}
	kind, h, _ := d.header(raw)
	e, err := d.body(p, kind)
	return h, e, err
}

// body decodes what follows the header.
func (d *Decoder) body(p Pos, kind Kind) (Event, error) {
	d.dec.brief = false
	e := d.event(kind)
	e.fields(&d.dec)
	if d.dec.err != nil {
		return e, fmt.Errorf("event %d (%s): %w", p, kind, d.dec.err)
	}
	return e, nil
}

// Brief decodes what a graph needs of the event at a position, and so what says
// which tensors and nodes it is about: not the time, no elements of values, and of a
// backward pass no more than its number. That takes a fraction of the time of Read.
func (d *Decoder) Brief(p Pos) (Header, Event, error) {
	raw, _, err := d.locate(p)
	if err != nil {
		return Header{}, nil, err
	}
	return d.brief(raw)
}

func (d *Decoder) brief(raw []byte) (Header, Event, error) {
	kind, h, _ := d.header(raw)
	d.dec.brief = true
	e := d.event(kind)
	e.fields(&d.dec)
	return h, e, d.dec.err
}

// readBrief is Brief for the events that the fold does not ignore; nil for others and
// for damaged ones.
func (d *Decoder) readBrief(p Pos) (Header, Event) {
	raw, _, err := d.locate(p)
	if err != nil || !folded(Kind(raw[0])) {
		return Header{}, nil
	}
	h, e, err := d.brief(raw)
	if err != nil {
		return h, nil
	}
	return h, e
}

// Kind returns the kind of the event at a position without decoding it.
func (d *Decoder) Kind(p Pos) (Kind, error) {
	raw, _, err := d.locate(p)
	if err != nil {
		return 0, err
	}
	return Kind(raw[0]), nil
}

// Header says where the event at a position came from, but for its time, without
// decoding the event.
func (d *Decoder) Header(p Pos) (Header, error) {
	raw, _, err := d.locate(p)
	if err != nil {
		return Header{}, err
	}
	_, h, _ := d.header(raw)
	return h, d.dec.err
}

// more is what follows the known fields of the event read last.
func (d *Decoder) more() []byte { return d.dec.buf[d.dec.off:] }

// locate finds the encoded event at p and its index in its chunk.
func (d *Decoder) locate(p Pos) (raw []byte, index int, err error) {
	if p < d.first || p >= d.first+Pos(len(d.offsets)) {
		if err := d.open(p); err != nil {
			return nil, 0, err
		}
	}
	index = int(p - d.first)
	start, end := int(d.offsets[index]), len(d.buf)
	if index+1 < len(d.offsets) {
		end = int(d.offsets[index+1])
	}
	return d.buf[start:end], index, nil
}

// open looks up the chunk that holds p.
func (d *Decoder) open(p Pos) error {
	t := d.tape
	t.mu.Lock()
	defer t.mu.Unlock()
	if p < 0 || int(p) >= t.count {
		return fmt.Errorf("%w: %d of %d", ErrPosition, p, t.count)
	}
	c := t.chunkOf(p)
	if p < c.first {
		return fmt.Errorf("%w: %d was dropped", ErrPosition, p)
	}
	if c.offsets == nil {
		if err := t.shelf.fetch(c); err != nil {
			return err
		}
		t.shelf.add(c)
	} else {
		t.shelf.use(c)
	}
	if d.first != c.first || len(d.offsets) == 0 {
		d.index = -2 // the time is unknown
	}
	d.first, d.buf, d.offsets, d.marks = c.first, c.buf, c.offsets, c.marks
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

// windTo computes the time before event i of the current chunk, starting from the time of an
// event not long before if it is known.
func (d *Decoder) windTo(i int) {
	from := i / markEvents * markEvents
	if from <= d.index && d.index < i {
		from = d.index + 1
	} else {
		d.now = d.marks[i/markEvents]
	}
	for j := from; j < i; j++ {
		c := codec{mode: decoding, buf: d.buf[d.offsets[j]:]}
		_, _, delta := c.readHeader()
		d.now += delta
	}
}

// header begins to decode an event.
func (d *Decoder) header(raw []byte) (Kind, Header, time.Duration) {
	d.dec.mode, d.dec.buf, d.dec.off, d.dec.err, d.dec.inner = decoding, raw, 0, nil, 0
	return d.dec.readHeader()
}

func (d *Decoder) event(kind Kind) Event {
	if d.fresh || !kind.known() {
		return newEvent(kind)
	}
	if d.reuse[kind] == nil {
		d.reuse[kind] = newEvent(kind)
	}
	return d.reuse[kind]
}

func newEvent(kind Kind) Event {
	if e := kind.New(); e != nil {
		return e
	}
	return &Unknown{Code: kind}
}

// putEvent writes an event: its kind, thread, stack, the time since the event
// before, its fields, and the bytes of fields that this version does not know.
func (c *codec) putEvent(e Event, h Header, delta time.Duration, more []byte) {
	c.off, c.err, c.followed = 0, nil, len(more) > 0
	b := c.space(4)
	b[0] = byte(e.Kind())
	i := put(b, 1, uint64(h.Thread))
	i = put(b, i, uint64(h.Stack))
	i = put(b, i, uint64(delta))
	c.done(i)
	c.encodeEvent(e)
	if c.followed {
		c.putBytes(more)
	}
}

func (c *codec) readHeader() (kind Kind, h Header, delta time.Duration) {
	if b := c.readBytes(1); b != nil {
		kind = Kind(b[0])
	}
	c.inner++
	number(c, "thread", &h.Thread)
	number(c, "stack", &h.Stack)
	delta = time.Duration(c.readUvarint())
	c.inner--
	if delta < 0 {
		c.fail("time runs backwards")
		delta = 0
	}
	return kind, h, delta
}
