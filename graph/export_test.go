package graph

// Encodings are an event's fields as recording writes them and as its list of
// fields does.
func Encodings(t *Tape, e Event) (recorded, listed []byte) {
	encode := func(write func(c *codec)) []byte {
		c := codec{mode: encoding, names: &t.names}
		write(&c)
		return c.buf[:c.off]
	}
	return encode(func(c *codec) { c.encodeEvent(e) }), encode(e.fields)
}

// PutAway leaves nothing but the newest chunk in memory, now and later.
func PutAway(t *Tape) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shelf.limit = 0
	for len(t.shelf.chunks) > 0 && t.shelf.putAway(t.shelf.chunks[0]) {
		t.shelf.remove(0)
	}
}

// LoseFile makes the file unreadable that holds what is not in memory; false: there is none.
func LoseFile(t *Tape) bool { return t.shelf.file != nil && t.shelf.file.Close() == nil }

// Forgetful makes a cursor leave checkpoints often, undo little and pack early, as one of
// a tape that is very long.
func Forgetful(c *Cursor, interval Pos) {
	c.interval, c.step = interval, interval
	g := c.graph
	g.journal.most = 2
	g.tensors.list.Keep(2)
	g.nodes.list.Keep(2)
	g.storages.list.Keep(2)
	g.counters.list.Keep(2)
	g.backwards.list.Keep(2)
}

// Checkpoints is how many a cursor has.
func Checkpoints(c *Cursor) int { return len(c.list) }
