package graph

import (
	"encoding/binary"
	"math"
)

// Recording encodes a handful of events for each op of the program, and has a
// fraction of a microsecond for all of them. The kinds that make up most of a
// tape are therefore written here without the detour over their lists of fields,
// which stay the definition: both ways give the same bytes.

// encodeEvent writes the fields of an event.
func (c *codec) encodeEvent(e Event) {
	if c.short {
		e.fields(c)
		return
	}
	switch e := e.(type) {
	case *TensorCreated:
		e.encode(c)
	case *OpRan:
		e.encode(c)
	case *NodeCreated:
		e.encode(c)
	case *NodeReady:
		c.putPair(uint64(e.Backward), uint64(e.Node))
	case *NodeExecuted:
		e.encode(c)
	case *SavedFreed:
		c.putPair(uint64(e.Backward), uint64(e.Node))
	case *GradArrived:
		e.encode(c)
	default:
		e.fields(c)
	}
}

// maxDirect is the longest list of plain numbers that is written directly; the
// general way checks longer ones against the size of an event.
const maxDirect = 64

// space returns room for n numbers, to be filled with put and ended with done.
func (c *codec) space(n int) []byte {
	c.reserve(n * binary.MaxVarintLen64)
	return c.buf[c.off:]
}

func (c *codec) done(n int) { c.off += n }

// put stores a number at b[i:] and returns the place of the next one.
func put(b []byte, i int, x uint64) int {
	for x >= 0x80 {
		b[i] = byte(x) | 0x80
		x >>= 7
		i++
	}
	b[i] = byte(x)
	return i + 1
}

func putIDs[T ~uint32](b []byte, i int, list []T) int {
	i = put(b, i, uint64(len(list)))
	for _, x := range list {
		i = put(b, i, uint64(x))
	}
	return i
}

func putInts(b []byte, i int, list []int) int {
	i = put(b, i, uint64(len(list)))
	for _, x := range list {
		i = put(b, i, uint64(x<<1)^uint64(x>>63))
	}
	return i
}

func (c *codec) putPair(x, y uint64) {
	b := c.space(2)
	c.done(put(b, put(b, 0, x), y))
}

// interned is the identifier of a string as str writes it.
func (c *codec) interned(id StringID) uint64 {
	if int(id) >= len(c.names.list) {
		return 0
	}
	return uint64(id)
}

func (e *TensorCreated) encode(c *codec) {
	if len(e.Shape)+len(e.Strides) > maxDirect {
		e.fields(c)
		return
	}
	b := c.space(14 + len(e.Shape) + len(e.Strides))
	i := put(b, 0, uint64(e.Tensor))
	i = put(b, i, uint64(e.Storage))
	i = put(b, i, e.Bytes)
	i = put(b, i, uint64(e.Counter))
	i = put(b, i, uint64(e.Version))
	i = put(b, i, uint64(e.DType))
	i = putInts(b, i, e.Shape)
	i = putInts(b, i, e.Strides)
	i = put(b, i, e.Offset)
	i = put(b, i, uint64(e.Flags))
	i = put(b, i, uint64(e.Node))
	i = put(b, i, uint64(e.Output))
	i = put(b, i, uint64(e.Base))
	i = put(b, i, uint64(e.View))
	c.done(i)
	e.Value.encode(c)
	c.rare("device", &e.Device)
}

func (e *OpRan) encode(c *codec) {
	if len(e.Inputs)+len(e.Outputs)+len(e.Mutated) > maxDirect {
		e.fields(c)
		return
	}
	b := c.space(5 + len(e.Inputs) + len(e.Outputs) + len(e.Mutated))
	i := put(b, 0, c.interned(e.Op))
	i = putIDs(b, i, e.Inputs)
	i = putIDs(b, i, e.Outputs)
	i = putIDs(b, i, e.Mutated)
	i = put(b, i, uint64(e.Node))
	c.done(i)
	list(c, "attrs", &e.Attrs, (*Attr).fields)
}

func (e *NodeCreated) encode(c *codec) {
	if len(e.Edges)+len(e.Saved) > maxDirect {
		e.fields(c)
		return
	}
	b := c.space(7 + 2*len(e.Edges) + 4*len(e.Saved))
	i := put(b, 0, uint64(e.Node))
	i = put(b, i, c.interned(e.Name))
	i = put(b, i, e.Sequence)
	i = put(b, i, uint64(e.Outputs))
	i = put(b, i, uint64(e.Variable))
	i = put(b, i, uint64(len(e.Edges)))
	for k := range e.Edges {
		i = put(b, i, uint64(e.Edges[k].Node))
		i = put(b, i, uint64(e.Edges[k].Input))
	}
	i = put(b, i, uint64(len(e.Saved)))
	for k := range e.Saved {
		s := &e.Saved[k]
		i = put(b, i, c.interned(s.Name))
		i = put(b, i, uint64(s.Tensor))
		i = put(b, i, uint64(s.Version))
		i = put(b, i, uint64(s.Flags))
	}
	c.done(i)
	list(c, "attrs", &e.Attrs, (*Attr).fields)
	c.putUvarint(uint64(e.Inner))
	rareList(c, "results", &e.Results, (*Result).fields)
}

func (e *NodeExecuted) encode(c *codec) {
	if len(e.In)+len(e.Out) > maxDirect {
		e.fields(c)
		return
	}
	b := c.space(3)
	i := put(b, 0, uint64(e.Backward))
	i = put(b, i, uint64(e.Node))
	c.done(put(b, i, uint64(len(e.In))))
	for k := range e.In {
		e.In[k].encode(c)
	}
	c.putUvarint(uint64(len(e.Out)))
	for k := range e.Out {
		e.Out[k].encode(c)
	}
}

func (e *GradArrived) encode(c *codec) {
	if len(e.Raw) > maxDirect {
		e.fields(c)
		return
	}
	b := c.space(6)
	i := put(b, 0, uint64(e.Backward))
	i = put(b, i, uint64(e.Node))
	i = put(b, i, uint64(e.Input))
	i = put(b, i, uint64(e.From))
	i = put(b, i, uint64(e.Index))
	i = put(b, i, uint64(e.Waiting))
	c.done(i)
	e.Grad.encode(c)
	e.Sum.encode(c)
	c.done(putInts(c.space(1+len(e.Raw)), 0, e.Raw))
}

func (g *Grad) encode(c *codec) {
	if len(g.Shape) > maxDirect {
		ints(c, "shape", &g.Shape)
	} else {
		c.done(putInts(c.space(1+len(g.Shape)), 0, g.Shape))
	}
	g.Value.encode(c)
}

// encode does what fields describes.
func (v *Value) encode(c *codec) {
	if !v.Known() {
		c.putByte(0)
		return
	}
	if c.short {
		v = v.shortened(16)
	}
	b := c.space(4)
	i := put(b, 0, uint64(v.DType))
	i = put(b, i, v.Count)
	kept := v.kept()
	b[i] = kept
	c.done(put(b, i+1, uint64(len(v.First))))
	c.putReals(v.DType, v.First)
	if kept != keptWhole {
		c.putReal(v.DType, v.Min)
		c.putReal(v.DType, v.Max)
		c.putReal(Float64, v.Mean)
		c.putPair(v.NaN, v.Inf)
	}
	if kept == keptMeasures {
		c.putReal(Float64, v.Norm)
		c.putUvarint(v.Zeros)
	}
}

// putReals writes the elements of a tensor without their number.
func (c *codec) putReals(dtype DType, list []float64) {
	if !c.fits(len(list) * dtype.width()) {
		return
	}
	if !dtype.fitsFloat32() {
		for _, x := range list {
			c.putReal(dtype, x)
		}
		return
	}
	c.reserve(4 * len(list))
	b := c.buf[c.off:]
	for i, x := range list {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(x)))
	}
	c.off += 4 * len(list)
}
