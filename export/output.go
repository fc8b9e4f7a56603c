package export

import (
	"bufio"
	"context"
	"io"
)

// An output is what an export is written to. It stops at the first error, and
// when its context ends.
type output struct {
	ctx   context.Context
	w     *bufio.Writer
	err   error // the first one
	calls int   // of stopped
}

func newOutput(ctx context.Context, w io.Writer) *output {
	return &output{ctx: ctx, w: bufio.NewWriterSize(contextWriter{ctx, w}, 64<<10)}
}

func (o *output) write(parts ...string) {
	for _, p := range parts {
		if o.err == nil {
			_, o.err = o.w.WriteString(p)
		}
	}
}

func (o *output) writeBytes(b []byte) {
	if o.err == nil {
		_, o.err = o.w.Write(b)
	}
}

// failed reports whether it is of no use to write more.
func (o *output) failed() bool { return o.err != nil }

// stopped is failed for loops that write nothing: it looks at the context now and
// then.
func (o *output) stopped() bool {
	if o.calls++; o.calls%4096 == 0 && o.err == nil {
		o.err = o.ctx.Err()
	}
	return o.err != nil
}

// flush ends the output and returns the first error.
func (o *output) flush() error {
	if o.err == nil {
		o.err = o.w.Flush()
	}
	return o.err
}

// A contextWriter writes as long as its context lasts.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w contextWriter) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}
