package target

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// after says what happens at a limit.
func (f *Flags) after() string {
	if f.EndAtLimit {
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
func (f *Flags) holdBack(tape *graph.Tape, ended <-chan struct{}) {
	meter := usage.NewMeter(tape)
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
		if meter.Use().Bytes >= int64(min(f.MaxHeld, math.MaxInt64)) {
			tape.Stop(fmt.Sprintf("tensors reached the limit of %d bytes", f.MaxHeld))
			return
		}
	}
}

// watch waits for the tape to reach a limit. It reports that at once, with the lines that
// made the tape grow, because the program may not reach its end. With EndAtLimit the
// context that it returns ends then. The caller calls wait when the program has ended.
func (f *Flags) watch(ctx context.Context, w io.Writer, tape *graph.Tape) (watched context.Context, wait func()) {
	watched, cancel := context.WithCancel(ctx)
	ended, done := make(chan struct{}), make(chan struct{})
	if f.MaxHeld > 0 {
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
		if f.EndAtLimit {
			fmt.Fprintf(w, "gradtui: %sthe recording is not complete: %s; stopping the program\n", who(tape.Info()), tape.Stopped())
			cancel()
			return
		}
		fmt.Fprintf(w, "gradtui: %sthe recording is not complete: %s; the program continues\n", who(tape.Info()), tape.Stopped())
		if !f.Python.Plain {
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
	s := usage.Measure(tape, min(tape.Len(), maxMeasured))
	lines := cli.NewTable(false, "grew the tape", "events", "ops", "nodes", "made", "in use")
	busiest := cli.UpTo(s.Busiest(), maxGrowers)
	for _, l := range busiest {
		lines.Row(cli.CodeLine(l.Frame), l.Events, l.Ops, l.Nodes, cli.Bytes(l.Made), cli.Bytes(l.End.Bytes))
	}
	lines.Write(w, len(busiest))
	cli.WriteGrowth(w, false, s.Growth, maxGrowers)
	fmt.Fprintln(w)
}

// MemoryLimit is half of the machine's memory, 0 if that is not known.
func MemoryLimit() uint64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "MemTotal:")
	var kilobytes uint64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0
	}
	return kilobytes * 1024 / 2
}
