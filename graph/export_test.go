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
