package ui

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/klauspost/compress/zstd"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/autograd/optim"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

const million = 1_000_000

// trained writes the tape of a training of at least some events and returns its file.
func trained(b *testing.B, events graph.Pos) string {
	tape := graph.NewTape(graph.Limits{})
	err := capture.Local(tape, nil, nil, func() error {
		ag.ManualSeed(0)
		net := nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
		sgd, err := optim.NewSGD(net.Parameters(), optim.LR(0.01))
		if err != nil {
			return err
		}
		x, want := ag.Rand([]int{16, 4}), ag.Rand([]int{16, 1})
		for tape.Len() < events {
			if err := sgd.ZeroGrad(); err != nil {
				return err
			}
			loss := nn.MSELoss().Forward(net.Forward(x), want)
			if err := loss.Backward(); err != nil {
				return err
			}
			if err := sgd.Step(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "million.tape")
	w, err := tapefile.Create(path, tape.Info(), tapefile.WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	if err := w.Flush(tape); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// unpacked reads the blocks of a tape and unpacks them, and nothing more: what opening
// is compared with.
func unpacked(b *testing.B, path string) time.Duration {
	_, report, err := tapefile.Stat(path, tapefile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	begin := time.Now()
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	const header = 84 // of a block, before the compressed bytes
	var raw []byte
	for _, k := range report.Blocks {
		block := data[k.Offset+header : k.Offset+int64(k.Size)]
		if raw, err = z.DecodeAll(block, raw[:0]); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begin)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkOpenAMillion opens a tape of a million events, as the debugger does: until
// there is a whole frame, and until all is read, the cursor is at the end and the
// indices know everything. Times are shares of the time that it takes to unpack the
// file; "B/event" is what tape, graph and indices take then.
func BenchmarkOpenAMillion(b *testing.B) {
	path := trained(b, million)
	var plain, frame, end, worst time.Duration
	var bytes, events float64
	for b.Loop() {
		plain += unpacked(b, path)
		before := heap()
		begin := time.Now()
		r, err := tapefile.OpenReader(path, tapefile.Options{})
		if err != nil {
			b.Fatal(err)
		}
		m := New(Options{Tape: r.Tape(), Title: path, More: func() (Reading, error) { panic("it is read here") }})
		update := func(msg tea.Msg) {
			since := time.Now()
			m.Update(msg)
			io.WriteString(io.Discard, m.View().Content)
			worst = max(worst, time.Since(since))
		}
		update(tea.WindowSizeMsg{Width: 120, Height: 40})
		for reading := Behind; reading != Finished; {
			for until := time.Now().Add(20 * time.Millisecond); time.Now().Before(until); {
				if _, ok, err := r.Next(); err != nil {
					b.Fatal(err)
				} else if !ok {
					reading = Finished
					break
				}
			}
			update(moreMsg{reading, nil})
			for range 4 {
				if m.unfinished() {
					update(workMsg{})
				}
			}
			if m.at() > 0 && frame == 0 {
				frame = time.Since(begin)
			}
		}
		for m.unfinished() {
			update(workMsg{})
		}
		end += time.Since(begin)
		r.Close()
		events = float64(m.Tape.Len())
		bytes = float64(heap()-before) / events
		runtime.KeepAlive(m)
	}
	n := float64(b.N)
	b.ReportMetric(float64(frame)/(float64(plain)/n), "frame/unpack")
	b.ReportMetric(float64(end)/float64(plain), "end/unpack")
	b.ReportMetric(bytes, "B/event")
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
	b.ReportMetric(float64(plain.Microseconds())/n/1000, "ms-unpack")
	b.ReportMetric(float64(end.Nanoseconds())/n/events, "ns/event")
}
