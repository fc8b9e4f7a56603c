package tapefile

import (
	"context"
	"errors"
	"io"
	"os"
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
	options WriterOptions

	file     *os.File // what w is, if Create made it
	path     string   // where it is; "": nowhere
	replaces string   // the file that it is going to replace; "": none

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
	// Overwrite replaces a tape that exists. The old one stays until the writer is closed
	// without an error: the new one is at [PartName] meanwhile. A tape without events
	// replaces nothing.
	Overwrite bool
	// BlockEvents is the number of events in a block; 0 means 4096. Larger blocks
	// compress better, smaller ones lose less when the program is killed.
	BlockEvents int
	// FlushEvery is how long events wait for their block to fill up while
	// [Writer.Follow] runs; 0 means half a second.
	FlushEvery time.Duration
}

// Create creates a tape file that only its owner can read. Unless it may
// overwrite, it gives an error that wraps [os.ErrExist] when there is a file; see
// [Replaceable] for what it overwrites.
func Create(path string, info graph.Info, o WriterOptions) (*Writer, error) {
	header, err := encodeHeader(info)
	if err != nil {
		return nil, err
	}
	file, replaces, err := createFile(path, header, o.Overwrite)
	if err != nil {
		return nil, err
	}
	w := newWriter(file, len(header), o)
	w.file, w.path, w.replaces = file, file.Name(), replaces
	return w, nil
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
	return newWriter(w, len(header), o), nil
}

func newWriter(w io.Writer, header int, o WriterOptions) *Writer {
	if o.BlockEvents <= 0 {
		o.BlockEvents = 4096
	}
	if o.FlushEvery <= 0 {
		o.FlushEvery = 500 * time.Millisecond
	}
	return &Writer{w: w, options: o, offset: int64(header)}
}

// encoder compresses the blocks of all writers.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false))
})

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

// Close flushes the rest of the tape, writes the index and closes the file, which then
// takes the place of the one that it replaces. The file can be read even if that fails:
// see [Writer.Path].
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
	return errors.Join(err, w.finish(err == nil))
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
