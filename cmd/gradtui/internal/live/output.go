package live

import (
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gradtui/gradtui/graph"
)

const (
	// There is an event for each window, or each eventBytes, of output. After a
	// silence there may be some more, up to burst, which are made at once.
	window     = 5 * time.Millisecond
	burst      = 64
	eventBytes = 4 << 10
	// The tape keeps keptBytes of a stream, counting eventCost bytes for each event, and
	// tailBytes of the end of a longer stream.
	keptBytes = 8 << 20
	eventCost = 32
	tailBytes = 64 << 10
)

// An output puts what a program writes to one of its streams on the tape. A line after a
// silence gets there at once, next to the events of the same moment; a lot of output is
// collected. When a stream becomes too long for the tape an event says so at once, and
// another one has its end when the program has ended.
type output struct {
	tape   *graph.Tape
	stream uint8

	mu      sync.Mutex
	pending []byte      // not on the tape yet
	timer   *time.Timer // will put it there; nil if nothing waits
	due     time.Time   // when the next event may be made
	used    int         // of keptBytes
	cut     bool        // an event has said that the tape does not have all
	dropped uint64      // bytes since then that are not in tail
	tail    []byte      // what was written last
	over    bool
}

func newOutput(tape *graph.Tape, stream uint8) *output { return &output{tape: tape, stream: stream} }

// Write takes what the program has written. It never fails.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part := rest[:min(len(rest), eventBytes)]
		rest = rest[len(part):]
		o.take(part)
	}
	return len(p), nil
}

func (o *output) take(p []byte) {
	switch {
	case o.over:
		return
	case o.used >= keptBytes:
		o.drop(p)
		return
	}
	o.pending = append(o.pending, p...)
	if len(o.pending) >= eventBytes || !time.Now().Before(o.due) {
		o.emit(whole(o.pending))
	} else if o.timer == nil {
		o.timer = time.AfterFunc(window, o.flush)
	}
}

// flush puts what is pending on the tape.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.timer = nil
	if !o.over {
		o.emit(whole(o.pending))
	}
}

// emit puts the first n pending bytes on the tape.
func (o *output) emit(n int) {
	if n == 0 {
		return
	}
	o.append(0, o.pending[:n])
	o.pending = append(o.pending[:0], o.pending[n:]...)
	o.used += n + eventCost
}

func (o *output) append(dropped uint64, text []byte) {
	o.tape.Append(graph.Header{}, &graph.OutputWritten{Stream: o.stream, Dropped: dropped, Text: string(text)})
	if earliest := time.Now().Add(-burst * window); o.due.Before(earliest) {
		o.due = earliest
	}
	o.due = o.due.Add(window)
}

// drop takes output that the tape has no room for.
func (o *output) drop(p []byte) {
	if !o.cut {
		o.cut = true
		o.emit(len(o.pending))
		o.append(uint64(len(p)), nil)
		return
	}
	if len(o.tail) >= 2*tailBytes {
		o.shorten()
	}
	o.tail = append(o.tail, p...)
}

// shorten leaves tailBytes of the tail.
func (o *output) shorten() {
	if extra := len(o.tail) - tailBytes; extra > 0 {
		o.dropped += uint64(extra)
		o.tail = append(o.tail[:0], o.tail[extra:]...)
	}
}

// close puts the rest on the tape. What is written later is lost.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return
	}
	o.over = true
	if o.timer != nil {
		o.timer.Stop()
	}
	o.emit(len(o.pending))
	o.shorten()
	if len(o.tail) > 0 {
		o.append(o.dropped, o.tail)
	}
}

// whole returns the length of text without an incomplete character at its end.
func whole(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
}
