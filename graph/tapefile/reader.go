package tapefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/regular"
)

// Options bound what reading a tape may take.
type Options struct {
	// MaxBytes bounds the memory of the tape; 0 means 2 GiB.
	MaxBytes int64
}

const defaultMaxBytes = 2 << 30

// A Report says what was found in a file.
type Report struct {
	Text         bool // it is in text form, which has no blocks and no index
	Major, Minor int  // version of the format
	Events       int
	Blocks       []Block
	// Closed: the file ends with an index, so its writer was not killed.
	Closed bool
	// Rebuilt: the index was missing, or contradicts the blocks, and was rebuilt
	// from them.
	Rebuilt bool
	// Truncated: the file ends in the middle of a block, as it does when the
	// writer was killed.
	Truncated bool
	// Damage says what is wrong with the bytes at which reading stopped; nil if
	// nothing is. It wraps [ErrDamaged].
	Damage error
	// Ignored is the number of bytes at the end that were not read.
	Ignored int64
}

// A Reader reads a tape file that may still be written to.
type Reader struct {
	file    *os.File // nil when the file is not ours
	src     io.ReaderAt
	size    func() (int64, error)
	tape    *graph.Tape
	im      *graph.Importer
	max     int64 // bytes that the tape may take
	left    int64 // how many raw bytes may be read, which bounds the work
	offset  int64 // of the next block
	next    graph.Pos
	report  Report
	err     error // of the first damage
	raw, in []byte
}

// OpenReader opens a tape file and reads its header. Events come with
// [Reader.More].
func OpenReader(path string, o Options) (*Reader, error) {
	file, err := regular.Open(path)
	var not *regular.Error
	if errors.As(err, &not) {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrNotTape, not)
	}
	if err != nil {
		return nil, err
	}
	r, err := newReader(file, func() (int64, error) {
		info, err := file.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}, o)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.file = file
	return r, nil
}

func newReader(src io.ReaderAt, size func() (int64, error), o Options) (*Reader, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	r := &Reader{src: src, size: size, tape: graph.NewTape(graph.Limits{Bytes: o.MaxBytes}), max: o.MaxBytes, left: o.MaxBytes}
	r.im = r.tape.NewImporter()
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	return r, nil
}

// decoder unpacks the blocks of all readers. It writes no more than the buffer
// that it is given can hold.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(graph.MaxBlockSize),
		zstd.WithDecoderMaxWindow(graph.MaxBlockSize), zstd.WithDecodeAllCapLimit(true))
})

// Tape is the tape that the events are appended to.
func (r *Reader) Tape() *graph.Tape { return r.tape }

// Close closes the file. The tape stays.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Finished reports whether the writer has closed the file: there will be no more
// events.
func (r *Reader) Finished() bool { return r.report.Closed }

// More reads the blocks that have been added since the last call and returns the
// number of events in them; a block that is not complete is left for later. The
// error wraps [ErrDamaged] or [ErrTooLarge], or is one of the file system; after
// the first two there is nothing more to read.
func (r *Reader) More() (events int, err error) {
	for {
		n, ok, err := r.Next()
		events += n
		if err != nil || !ok {
			return events, err
		}
	}
}

// Next reads one block and returns the number of events in it; ok is false when
// there is none, or not all of it. A tape in text form is a single block. It
// returns the same errors as [Reader.More].
func (r *Reader) Next() (events int, ok bool, err error) {
	switch {
	case r.err != nil || r.report.Closed:
		return 0, false, r.err
	case r.report.Text:
		r.report.Closed = true
		r.err = r.readText()
		return int(r.tape.Len()), false, r.err
	}
	events, ok, err = r.block()
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrTooLarge) {
		r.err = err
	}
	return events, ok && !r.report.Closed, err
}

// Lost says why nothing will come any more although the writer has not closed the
// file: it was removed, it was replaced by another one, or it is shorter than what
// was read from it. The error wraps [ErrLost]; it is nil while the file is there.
func (r *Reader) Lost() error {
	if r.file == nil || r.report.Closed {
		return nil
	}
	ours, err := r.file.Stat()
	if err != nil {
		return err
	}
	switch named, err := os.Stat(r.file.Name()); {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%w: it was removed", ErrLost)
	case err != nil:
		return err
	case !os.SameFile(ours, named):
		return fmt.Errorf("%w: another file has taken its place", ErrLost)
	case ours.Size() < r.offset:
		return fmt.Errorf("%w: it was cut off to %d bytes", ErrLost, ours.Size())
	}
	return nil
}

// Report says what has been found so far.
func (r *Reader) Report() Report {
	rep := r.report
	rep.Events = int(r.tape.Len())
	if errors.Is(r.err, ErrDamaged) {
		rep.Damage = r.err
	}
	if size, err := r.size(); err == nil && !rep.Text {
		rep.Ignored = max(size-r.offset, 0)
	}
	rep.Rebuilt = rep.Rebuilt || !rep.Closed
	rep.Truncated = rep.Ignored > 0 && r.err == nil && !rep.Closed
	return rep
}

// Begins reports whether a file that begins like this says that it is a tape. One in text
// form that was written by hand may not.
func Begins(start []byte) bool {
	return bytes.HasPrefix(start, []byte(magic)) || bytes.HasPrefix(start, []byte(textMagic))
}

// readAt fills b as far as the file goes.
func (r *Reader) readAt(b []byte, offset int64) (int, error) {
	n, err := r.src.ReadAt(b, offset)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

// readHeader reads the header of the file and finds out what it is.
func (r *Reader) readHeader() error {
	start := make([]byte, 4096)
	n, err := r.readAt(start, 0)
	if err != nil {
		return err
	}
	start = start[:n]
	if len(start) == 0 {
		return fmt.Errorf("%w: the file is empty", ErrNotTape)
	}
	if string(start[:min(n, len(magic))]) != magic[:min(n, len(magic))] {
		if r.report.Text = looksLikeText(start); !r.report.Text {
			return fmt.Errorf("%w: it begins with %.16q", ErrNotTape, start)
		}
		first, _, _ := strings.Cut(string(start), "\n")
		return new(textHeader).line(strings.TrimSpace(first))
	}
	if n < headerSize {
		return fmt.Errorf("%w: the file ends inside it", ErrHeader)
	}
	r.report.Major = int(binary.LittleEndian.Uint16(start[8:]))
	r.report.Minor = int(binary.LittleEndian.Uint16(start[10:]))
	if r.report.Major > Major {
		return newer(fmt.Sprintf("%d.%d", r.report.Major, r.report.Minor))
	}
	length := binary.LittleEndian.Uint32(start[12:])
	if length > maxInfo {
		return fmt.Errorf("%w: the info has %d bytes", ErrHeader, length)
	}
	record := make([]byte, length)
	if n, err = r.readAt(record, headerSize); err != nil {
		return err
	}
	if n < len(record) {
		return fmt.Errorf("%w: the file ends inside it", ErrHeader)
	}
	if checksum(start[:16], record) != binary.LittleEndian.Uint32(start[16:]) {
		return fmt.Errorf("%w: the checksum does not match", ErrHeader)
	}
	info, err := decodeInfo(record)
	if err != nil {
		return err
	}
	r.tape.SetInfo(info)
	r.offset = headerSize + int64(length)
	return nil
}

// header reads the header of the next block; ok is false when there is no block
// yet, or the index follows.
func (r *Reader) header() (f frame, ok bool, err error) {
	b := make([]byte, frameSize)
	n, err := r.readAt(b, r.offset)
	switch {
	case err != nil || n < len(indexMagic) || string(b[:4]) == indexMagic:
		return f, false, err
	case string(b[:4]) != blockMagic:
		return f, false, r.damaged("no block begins here")
	case n < frameSize:
		return f, false, nil
	}
	f, more, err := parseFrame(b, r.offset)
	if more > 0 {
		b = make([]byte, more)
		if n, err = r.readAt(b, r.offset); err != nil || n < more {
			return f, false, err
		}
		f, _, err = parseFrame(b, r.offset)
	}
	switch {
	case err != nil:
		return f, false, r.damaged("%w", err)
	case f.First != r.next:
		return f, false, r.damaged("event %d expected, the block begins with event %d", r.next, f.First)
	}
	return f, true, nil
}

// add notes a block that has been read.
func (r *Reader) add(b Block) {
	r.report.Blocks = append(r.report.Blocks, b)
	r.offset += int64(b.Size)
	r.next += graph.Pos(b.Events)
}

// block reads the next block, or the index; ok is false when it is not there yet.
func (r *Reader) block() (events int, ok bool, err error) {
	f, ok, err := r.header()
	if err != nil {
		return 0, false, err
	}
	if !ok {
		ok, err = r.index()
		return 0, ok, err
	}
	const perBlock = 128 // what a block takes besides its content
	if int64(f.raw)+perBlock > r.left {
		return 0, false, r.tooLarge("its blocks hold more than that")
	}
	if ok, err = r.content(&f); err != nil || !ok {
		return 0, false, err
	}
	r.left -= int64(f.raw) + perBlock
	events, err = r.im.Append(r.raw)
	switch {
	case r.tape.Stopped() != "":
		return events, false, r.tooLarge("%s", r.tape.Stopped())
	case err != nil:
		return events, false, r.damaged("%w", err)
	case events != f.Events:
		return events, false, r.damaged("a block of %d events has %d", f.Events, events)
	}
	r.add(f.Block)
	return events, true, nil
}

// content reads the content of a block into r.raw.
func (r *Reader) content(f *frame) (ok bool, err error) {
	size, err := r.size()
	if err != nil || size < f.Offset+int64(f.Size) {
		return false, err
	}
	r.in = grow(r.in, f.compressed)
	n, err := r.readAt(r.in, f.Offset+int64(f.size))
	if err != nil || n < len(r.in) {
		return false, err
	}
	if checksum(r.in) != f.sum {
		return false, r.damaged("the checksum of a block does not match")
	}
	z, err := decoder()
	if err != nil {
		return false, err
	}
	r.raw = grow(r.raw, f.raw)
	r.raw, err = z.DecodeAll(r.in, r.raw[:0:f.raw])
	if err != nil {
		return false, r.damaged("%w", err)
	}
	if len(r.raw) != f.raw {
		return false, r.damaged("a block of %d bytes has %d", f.raw, len(r.raw))
	}
	return true, nil
}

// grow returns a buffer of length n, which may be b.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func (r *Reader) damaged(format string, args ...any) error {
	return fmt.Errorf("%w at byte %d: %w", ErrDamaged, r.offset, fmt.Errorf(format, args...))
}

func (r *Reader) tooLarge(format string, args ...any) error {
	return fmt.Errorf("%w for %d bytes of memory: %s", ErrTooLarge, r.max, fmt.Sprintf(format, args...))
}
