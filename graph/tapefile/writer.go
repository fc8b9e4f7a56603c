package tapefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/gradtui/gradtui/graph"
)

// A Writer writes one tape. Its methods may be called from several goroutines:
// one that follows the tape and others that flush.
//
// After an error of the file, such as a full disk, what was flushed before can
// still be read, and the next call tries again where the last one stopped.
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	closer  io.Closer
	options WriterOptions

	tape     *graph.Tape
	exporter *graph.Exporter
	decoder  *graph.Decoder
	blocks   []Block
	offset   int64  // in the file, after everything that was written or is pending
	pending  []byte // made, but not written yet; a part of out
	out, raw []byte // scratch
	closed   bool
}

// WriterOptions say how to write. The zero value is a good choice.
type WriterOptions struct {
	// Overwrite replaces a file that exists. The old one stays until the new one
	// has a header.
	Overwrite bool
	// BlockEvents is the number of events in a block; 0 means 4096. Larger blocks
	// compress better, smaller ones lose less when the program is killed.
	BlockEvents int
	// FlushEvery is how long events wait for their block to fill up while
	// [Writer.Follow] runs; 0 means half a second.
	FlushEvery time.Duration
}

// Create creates a tape file that only its owner can read. Unless it may
// overwrite, it gives an error that wraps [os.ErrExist] when there is a file.
func Create(path string, info graph.Info, o WriterOptions) (*Writer, error) {
	header, err := encodeHeader(info)
	if err != nil {
		return nil, err
	}
	file, err := createFile(path, header, o.Overwrite)
	if err != nil {
		return nil, err
	}
	return newWriter(file, file, len(header), o), nil
}

// NewWriter writes a tape to w, beginning with the header.
func NewWriter(w io.Writer, info graph.Info, o WriterOptions) (*Writer, error) {
	header, err := encodeHeader(info)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(header); err != nil {
		return nil, err
	}
	return newWriter(w, nil, len(header), o), nil
}

func newWriter(w io.Writer, c io.Closer, header int, o WriterOptions) *Writer {
	if o.BlockEvents <= 0 {
		o.BlockEvents = 4096
	}
	if o.FlushEvery <= 0 {
		o.FlushEvery = 500 * time.Millisecond
	}
	return &Writer{w: w, closer: c, options: o, offset: int64(header)}
}

// encoder compresses the blocks of all writers.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false))
})

// createFile creates a file that begins with the header. An existing one is
// replaced in one step, by renaming.
func createFile(path string, header []byte, overwrite bool) (*os.File, error) {
	old, err := os.Lstat(path)
	if err != nil || !overwrite {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		return begin(file, header)
	}
	if !old.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file and cannot be replaced", path)
	}
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	file, err := os.CreateTemp(dir, name+".new-*")
	if err != nil {
		return nil, err
	}
	if file, err = begin(file, header); err != nil {
		return nil, err
	}
	return moveTo(path, file)
}

// moveTo renames a file and goes on with it under its new name: not every system
// can rename an open file.
func moveTo(path string, file *os.File) (*os.File, error) {
	before, err := file.Stat()
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, err
	}
	if file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return nil, err
	}
	if now, err := file.Stat(); err != nil || !os.SameFile(before, now) {
		file.Close()
		return nil, fmt.Errorf("%s was replaced by something else", path)
	}
	return file, nil
}

// begin writes the header of a new file and removes the file if it cannot.
func begin(file *os.File, header []byte) (*os.File, error) {
	if _, err := file.Write(header); err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, err
	}
	return file, nil
}

// Flush writes the events that the tape has and the file has not. A writer writes
// one tape; giving it another one is an error.
func (w *Writer) Flush(tape *graph.Tape) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(tape, 1)
}

// Follow writes the tape while it grows, a block whenever there are enough events
// for one or when events have waited long enough, until the context is done;
// then it flushes the rest. Close the writer after Follow has returned.
func (w *Writer) Follow(ctx context.Context, tape *graph.Tape) error {
	late := time.NewTicker(w.options.FlushEvery)
	defer late.Stop()
	for {
		next, err := w.writeBlocks(tape)
		if err != nil {
			return err
		}
		select {
		case <-tape.Grown(next + graph.Pos(w.options.BlockEvents) - 1):
		case <-late.C:
			if err := w.Flush(tape); err != nil {
				return err
			}
		case <-ctx.Done():
			return w.Flush(tape)
		}
	}
}

// writeBlocks writes full blocks and returns the position after them.
func (w *Writer) writeBlocks(tape *graph.Tape) (graph.Pos, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.write(tape, w.options.BlockEvents); err != nil {
		return 0, err
	}
	return w.exporter.Next(), nil
}

// Flushed is the number of events that are in the file.
func (w *Writer) Flushed() graph.Pos {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.exporter == nil:
		return 0
	case len(w.pending) > 0:
		return w.blocks[len(w.blocks)-1].First
	}
	return w.exporter.Next()
}

// Close flushes the rest of the tape, writes the index and closes the file. The
// file can be read even if that fails.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	err := w.push()
	if err == nil && w.tape != nil {
		err = w.write(w.tape, 1)
	}
	if err == nil {
		w.pending = appendIndex(nil, w.offset, w.blocks)
		err = w.push()
	}
	w.closed = true
	if w.closer != nil {
		err = errors.Join(err, w.closer.Close())
	}
	return err
}

// write writes the events that the tape has now, as long as there are at least
// the given number.
func (w *Writer) write(tape *graph.Tape, atLeast int) error {
	switch {
	case w.closed:
		return os.ErrClosed
	case w.tape == nil:
		w.tape, w.exporter, w.decoder = tape, tape.NewExporter(), tape.NewDecoder()
	case w.tape != tape:
		return errors.New("a tape file holds one tape")
	}
	if err := w.push(); err != nil {
		return err
	}
	for end := tape.Len(); int(end-w.exporter.Next()) >= atLeast; {
		if err := w.writeBlock(); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) writeBlock() error {
	f := frame{Block: Block{Offset: w.offset, First: w.exporter.Next()}}
	raw, n, err := w.exporter.AppendBlock(w.raw[:0], w.options.BlockEvents)
	if err != nil {
		return err
	}
	f.raw, f.Events = len(raw), n
	if err := describe(&f.Block, w.decoder); err != nil {
		return err
	}
	w.raw = raw
	z, err := encoder()
	if err != nil {
		return err
	}
	w.out = z.EncodeAll(raw, append(w.out[:0], make([]byte, frameSize)...))
	f.compressed, f.sum = len(w.out)-frameSize, checksum(w.out[frameSize:])
	f.append(w.out[:0])
	f.Size = len(w.out)
	w.blocks = append(w.blocks, f.Block)
	w.offset += int64(len(w.out))
	w.pending = w.out
	return w.push()
}

// push writes what is pending. If that fails half way, the next call goes on from
// there.
func (w *Writer) push() error {
	for len(w.pending) > 0 {
		n, err := w.w.Write(w.pending)
		w.pending = w.pending[min(max(n, 0), len(w.pending)):]
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrShortWrite
		}
	}
	return nil
}
