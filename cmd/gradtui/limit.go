package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// after is what happens at a limit.
func (f *programFlags) after() string {
	if f.endAtLimit {
		return "end the program"
	}
	return "stop recording"
}

const (
	// maxMeasured bounds the events of a full tape that its report looks at.
	maxMeasured = 4 << 20
	// maxGrowers is how many lines the report names.
	maxGrowers = 5
)

// meterEvery is how often a program's memory is looked at.
const meterEvery = 50 * time.Millisecond

// holdBack ends the recording when more is in use than --max-held-bytes.
func (f *programFlags) holdBack(tape *graph.Tape, ended <-chan struct{}) {
	meter := inspect.NewMeter(tape)
	tick := time.NewTicker(meterEvery)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tape.Ended():
			return
		case <-tick.C:
		}
		if meter.Use().Bytes >= int64(min(f.held, math.MaxInt64)) {
			tape.Stop(fmt.Sprintf("tensors reached the limit of %d bytes", f.held))
			return
		}
	}
}

// watch waits for the tape to reach a limit. It says so at once, with the lines that
// grew the tape: the program may not live to its end. With endAtLimit the context
// that it returns ends then. wait has to be called when the program has ended.
func (f *programFlags) watch(ctx context.Context, w io.Writer, tape *graph.Tape) (watched context.Context, wait func()) {
	watched, cancel := context.WithCancel(ctx)
	ended, done := make(chan struct{}), make(chan struct{})
	if f.held > 0 {
		go f.holdBack(tape, ended)
	}
	go func() {
		defer close(done)
		select {
		case <-tape.Ended():
		case <-ended:
			if tape.Stopped() == "" {
				return
			}
		}
		if f.endAtLimit {
			fmt.Fprintf(w, "gradtui: %sthe recording is not complete: %s; the program is ended\n", who(tape.Info()), tape.Stopped())
			cancel()
			return
		}
		fmt.Fprintf(w, "gradtui: %sthe recording is not complete: %s; the program goes on\n", who(tape.Info()), tape.Stopped())
		if !f.python.plain {
			reportGrowth(w, tape)
		}
	}()
	return watched, func() {
		close(ended)
		<-done
		cancel()
	}
}

// reportGrowth names the lines that grew a tape, and those that keep more memory with
// each iteration.
func reportGrowth(w io.Writer, tape *graph.Tape) {
	s := inspect.Measure(tape, min(tape.Len(), maxMeasured))
	lines := newTable("grew the tape", "events", "ops", "nodes", "made", "in use")
	busiest := upTo(s.Busiest(), maxGrowers)
	for _, l := range busiest {
		lines.row(codeLine(l.Frame), l.Events, l.Ops, l.Nodes, bytesOf(l.Made), bytesOf(l.End.Bytes))
	}
	lines.write(w, len(busiest))
	writeGrowth(w, false, s.Growth, maxGrowers)
	fmt.Fprintln(w)
}
