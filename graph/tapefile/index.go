package tapefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// maxIndex bounds the size of an index that is read at once.
const maxIndex = 64 << 20

// index reads the index that ends the file; ok is false when it is not complete
// yet. What it says is known already, from the blocks.
func (r *Reader) index() (ok bool, err error) {
	blocks, size, err := r.readIndex(r.offset)
	switch {
	case err != nil:
		return false, err
	case size == 0:
		return false, nil // not complete yet
	}
	r.report.Closed = true
	r.report.Rebuilt = !slices.Equal(blocks, r.report.Blocks)
	r.offset += size
	return true, nil
}

// readIndex reads an index and the trailer behind it. The size is 0 when there is
// none, or not all of it.
func (r *Reader) readIndex(offset int64) (blocks []Block, size int64, err error) {
	head := make([]byte, indexHeader)
	if n, err := r.readAt(head, offset); err != nil || n < len(head) {
		return nil, 0, err
	}
	entry, count := int64(binary.LittleEndian.Uint16(head[4:])), int64(binary.LittleEndian.Uint32(head[8:]))
	sum := binary.LittleEndian.Uint32(head[12:])
	if string(head[:4]) != indexMagic {
		return nil, 0, nil
	}
	if entry < entrySize || entry*count > maxIndex {
		return nil, 0, r.damaged("%d index entries of %d bytes", count, entry)
	}
	size = indexHeader + entry*count + trailerSize
	if end, err := r.size(); err != nil || end < offset+size {
		return nil, 0, err
	}
	b := make([]byte, size)
	if n, err := r.readAt(b, offset); err != nil || n < len(b) {
		return nil, 0, err
	}
	entries, trailer := b[indexHeader:size-trailerSize], b[size-trailerSize:]
	if at, err := parseTrailer(trailer); err != nil || at != offset || sum != checksum(head[:12], entries) {
		return nil, 0, r.damaged("the checksum of the index does not match")
	}
	for part := range slices.Chunk(entries, int(entry)) {
		blocks = append(blocks, parseEntry(part))
	}
	return blocks, size, nil
}

// Stat describes a tape file without reading its events: from the index, or from
// the headers of the blocks when there is none. A tape in text form has no
// blocks.
func Stat(path string, o Options) (graph.Info, *Report, error) {
	r, err := OpenReader(path, o)
	if err != nil {
		return graph.Info{}, nil, err
	}
	defer r.Close()
	if r.report.Text {
		_, err := r.More()
		rep := r.Report()
		return r.tape.Info(), &rep, err
	}
	if !r.statIndex() {
		for r.err == nil {
			f, ok, err := r.header()
			if errors.Is(err, ErrDamaged) {
				r.err = err
			} else if err != nil {
				return graph.Info{}, nil, err
			}
			if size, err := r.size(); err != nil || !ok || size < r.offset+int64(f.Size) {
				break
			}
			r.add(f.Block)
		}
	}
	rep := r.Report()
	rep.Events = 0
	for _, b := range rep.Blocks {
		rep.Events += b.Events
	}
	return r.tape.Info(), &rep, nil
}

// statIndex takes the blocks from the index at the end of the file.
func (r *Reader) statIndex() bool {
	size, err := r.size()
	trailer := make([]byte, trailerSize)
	if err != nil || size < r.offset+indexHeader+trailerSize {
		return false
	}
	if n, err := r.readAt(trailer, size-trailerSize); err != nil || n < len(trailer) {
		return false
	}
	at, err := parseTrailer(trailer)
	if err != nil || at < r.offset || at > size-indexHeader-trailerSize {
		return false
	}
	blocks, n, err := r.readIndex(at)
	if err != nil || at+n != size {
		return false
	}
	offset, next := r.offset, graph.Pos(0)
	for _, b := range blocks {
		if b.Offset != offset || b.First != next || b.Size < frameSize || b.Events < 0 {
			return false
		}
		offset, next = offset+int64(b.Size), next+graph.Pos(b.Events)
	}
	if offset != at {
		return false
	}
	r.report.Blocks, r.report.Closed, r.offset = blocks, true, size
	return true
}

// Verify reads a whole tape file and checks that nothing is missing or damaged:
// all blocks, the index, and what both say about the events. Whether the events
// make sense is for [graph.Validate] to say.
func Verify(path string, o Options) (*Report, error) {
	tape, rep, err := Open(path, o)
	if err != nil || rep.Text {
		return rep, err
	}
	switch {
	case rep.Damage != nil:
		return rep, rep.Damage
	case rep.Truncated:
		return rep, fmt.Errorf("%w: it ends in the middle of a block, %d bytes were ignored", ErrDamaged, rep.Ignored)
	case rep.Ignored > 0:
		return rep, fmt.Errorf("%w: %d bytes follow the index", ErrDamaged, rep.Ignored)
	case !rep.Closed:
		return rep, fmt.Errorf("%w: the index is missing, the writer did not finish", ErrDamaged)
	case rep.Rebuilt:
		return rep, fmt.Errorf("%w: the index contradicts the blocks", ErrDamaged)
	}
	d := tape.NewDecoder()
	for _, b := range rep.Blocks {
		found := Block{Offset: b.Offset, Size: b.Size, First: b.First, Events: b.Events}
		if err := describe(&found, d); err != nil {
			return rep, err
		}
		if found != b {
			return rep, fmt.Errorf("%w: the block at byte %d has other kinds or times than its header says", ErrDamaged, b.Offset)
		}
	}
	return rep, nil
}

// describe finds the times and kinds of a block's events.
func describe(b *Block, d *graph.Decoder) error {
	if b.Events == 0 {
		return nil
	}
	last := b.First + graph.Pos(b.Events) - 1
	for p := b.First; p <= last; p++ {
		k, err := d.Kind(p)
		if err != nil {
			return err
		}
		b.Kinds.Add(k)
	}
	h, _, err := d.Read(b.First)
	if err != nil {
		return err
	}
	b.Start = h.Time
	h, _, err = d.Read(last)
	b.End = h.Time
	return err
}
