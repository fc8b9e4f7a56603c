package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// keptBytes is how much of a tape stays in memory as it is. Only long tapes have more.
const keptBytes = 8 << 20

// A shelf keeps the full chunks of a tape: those used last in memory, the others
// compressed in a temporary file, and are read from there on demand.
// The file has no name, so that it goes with the process and that no other one can
// change it. If there cannot be such a file, compressed chunks stay in memory.
type shelf struct {
	limit  int64    // bytes of chunks that stay in memory
	bytes  int64    // of the chunks in memory
	chunks []*chunk // those in memory, in no order
	clock  uint64   // grows with each use of a chunk
	file   *os.File // nil: there is none yet
	end    int64    // of what was written
	failed bool     // there is no file, or it takes no more
}

// Shelved says where a chunk is when it is not in memory.
type shelved struct {
	packed []byte // nil: it is in the file
	offset int64
	size   int // 0: it was never put away
	raw    int // bytes before compression
}

var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true))
})

var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
})

// add takes a chunk that is in memory and puts others away for it.
func (s *shelf) add(c *chunk) {
	s.use(c)
	s.chunks = append(s.chunks, c)
	s.bytes += c.memory()
	for s.bytes > s.limit && len(s.chunks) > 1 {
		oldest := 0
		for i, c := range s.chunks {
			if c.used < s.chunks[oldest].used {
				oldest = i
			}
		}
		if !s.putAway(s.chunks[oldest]) {
			return
		}
		s.remove(oldest)
	}
}

func (s *shelf) use(c *chunk) {
	s.clock++
	c.used = s.clock
}

// drop forgets a chunk.
func (s *shelf) drop(c *chunk) {
	if i := slices.Index(s.chunks, c); i >= 0 {
		s.remove(i)
	}
}

// remove takes a chunk out of memory.
func (s *shelf) remove(i int) {
	c := s.chunks[i]
	s.bytes -= c.memory()
	c.buf, c.offsets, c.marks = nil, nil, nil
	s.chunks = slices.Delete(s.chunks, i, i+1)
}

// putAway compresses a chunk, unless that was done before. Its memory is free once no
// reader has it any more.
func (s *shelf) putAway(c *chunk) bool {
	if c.shelved.size > 0 {
		return true
	}
	z, err := packer()
	if err != nil {
		return false
	}
	raw := c.flat()
	packed := z.EncodeAll(raw, nil)
	c.shelved = shelved{offset: s.end, size: len(packed), raw: len(raw)}
	if !s.write(packed) {
		c.shelved.packed = packed
	}
	return true
}

// write appends to the file.
func (s *shelf) write(b []byte) bool {
	if s.file == nil && !s.failed {
		s.file = nameless()
	}
	if s.file == nil || s.failed {
		s.failed = true
		return false
	}
	if _, err := s.file.WriteAt(b, s.end); err != nil {
		s.failed = true
		return false
	}
	s.end += int64(len(b))
	return true
}

// nameless makes a temporary file without a name; nil where there can be none.
func nameless() *os.File {
	file, err := os.CreateTemp("", "gradtui-*.tape")
	if err != nil {
		return nil
	}
	if os.Remove(file.Name()) != nil { // not every system can remove an open file
		file.Close()
		os.Remove(file.Name())
		return nil
	}
	return file
}

// errShelf is why a chunk that was put away cannot be read.
var errShelf = errors.New("the temporary file of the tape cannot be read")

// fetch brings a chunk into memory.
func (s *shelf) fetch(c *chunk) error {
	packed := c.shelved.packed
	if packed == nil {
		packed = make([]byte, c.shelved.size)
		if _, err := s.file.ReadAt(packed, c.shelved.offset); err != nil {
			return fmt.Errorf("%w: %w", errShelf, err)
		}
	}
	z, err := unpacker()
	if err != nil {
		return err
	}
	raw, err := z.DecodeAll(packed, make([]byte, 0, c.shelved.raw))
	if err != nil {
		return fmt.Errorf("%w: %w", errShelf, err)
	}
	return c.unflatten(raw)
}

// memory is about what a chunk takes while it is in memory.
func (c *chunk) memory() int64 {
	return int64(cap(c.buf)) + eventIndex*int64(cap(c.offsets)) + 8*int64(cap(c.marks))
}

// flat is all of a chunk: its times as differences, the lengths of its events, and these.
func (c *chunk) flat() []byte {
	b := make([]byte, 0, len(c.buf)+2*len(c.offsets)+4*len(c.marks))
	last := time.Duration(0)
	for _, at := range c.marks {
		b = binary.AppendUvarint(b, uint64(at-last))
		last = at
	}
	for i, start := range c.offsets {
		end := len(c.buf)
		if i+1 < len(c.offsets) {
			end = int(c.offsets[i+1])
		}
		b = binary.AppendUvarint(b, uint64(end-int(start)))
	}
	return append(b, c.buf...)
}

// unflatten fills a chunk with what flat wrote.
func (c *chunk) unflatten(raw []byte) error {
	d := codec{mode: decoding, buf: raw, inner: 1}
	marks := make([]time.Duration, (c.events+markEvents-1)/markEvents)
	last := time.Duration(0)
	for i := range marks {
		last += time.Duration(d.readUvarint())
		marks[i] = last
	}
	offsets := make([]uint32, c.events)
	at := uint32(0)
	for i := range offsets {
		offsets[i] = at
		at += uint32(d.readUvarint())
	}
	if buf := raw[d.off:]; d.err != nil || int(at) != len(buf) {
		return errShelf
	}
	c.marks, c.offsets, c.buf = marks, offsets, raw[d.off:]
	return nil
}
