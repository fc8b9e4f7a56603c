package graphviz

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
	"github.com/gradtui/gradtui/export/graphviz/internal/engine"

	"github.com/gradtui/gradtui/internal/race"
)

// go-graphviz v0.2.10 has defects that a program must not get to feel. These are
// the tests that it does not:
//
//	PNGs without outlines, curves filled black (issue 106)
//		TestBoxesHaveOutlinesAndCurvesAreNotFilled, TestPNGEqualsThatOfDot
//	memory that each graph leaves behind (issue 111)
//		TestOneHundredRendersLeaveNoMemoryBehind
//	goroutines that corrupt each other's graphs (issue 117)
//		TestConcurrentRendersDoNotMix
//	contexts that stop nothing
//		TestCancelStopsALayout, TestTimeoutStopsALayout
//	work and memory at the start of programs that do not draw
//		package dormant: TestDormantProgramsLeaveTheDiskAlone
//	a panic before main where another user has made the cache
//		TestForeignCacheDoesNotStopTheProgram
//	formats it does not know: "failed to read wasm memory"
//		TestUnknownFormatsAreNamed

// Each graph that go-graphviz draws costs its process memory (issue 111).
func TestOneHundredRendersLeaveNoMemoryBehind(t *testing.T) {
	dot := string(goldens(t)["mlp.saved"])
	renders, checks := 100, 4
	if race.Enabled {
		renders = 20 // a child takes ten times as long
	}
	var sizes []uint64
	for i := range renders {
		mustRender(t, dot, [...]Format{SVG, PNG}[i%2])
		if (i+1)%(renders/checks) == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			sizes = append(sizes, m.HeapAlloc)
		}
	}
	// One SVG of this size costs go-graphviz 0.4 MB, and a PNG 24 MB.
	const noise = 2 << 20
	if first, last := sizes[0], sizes[len(sizes)-1]; last > first+noise {
		t.Errorf("heap after each quarter of %d renders: %d bytes", renders, sizes)
	}
}

// Goroutines that use go-graphviz at once corrupt each other's graphs
// (issue 117).
func TestConcurrentRendersDoNotMix(t *testing.T) {
	const n = 12
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			name := fmt.Sprintf("only%dhere", i)
			d, err := Layout(t.Context(), fmt.Appendf(nil, "digraph { %s -> b%d }", name, i), Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if len(d.Nodes) != 2 || d.Nodes[0].Name != name || len(d.Edges) != 1 {
				t.Errorf("layout of %s: %d nodes, %d edges, first %q", name, len(d.Nodes), len(d.Edges), d.Nodes[0].Name)
			}
		})
	}
	wg.Wait()
}

// watchChildren returns a channel of the children that get jobs from now on.
func watchChildren(t *testing.T) <-chan *child {
	children := make(chan *child, 10)
	onJob = func(c *child) { children <- c }
	t.Cleanup(func() { onJob = func(*child) {} })
	return children
}

// wantGone checks that a child has ended and been waited for.
func wantGone(t *testing.T, c *child) {
	t.Helper()
	if c.Cmd.ProcessState == nil {
		t.Error("Render returned before its child had ended")
	}
}

// go-graphviz takes a context and goes on to the end.
func TestCancelStopsALayout(t *testing.T) {
	children := watchChildren(t)
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := Render(ctx, slowGraph(), SVG, Options{MaxProcessorTime: time.Hour})
		result <- err
	}()
	c := <-children
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	wantGone(t, c)
}

func TestTimeoutStopsALayout(t *testing.T) {
	for _, tc := range []struct {
		opts  Options
		error string
		busy  bool
	}{
		{
			Options{MaxProcessorTime: 300 * time.Millisecond},
			"graphviz: graph is too large to lay out: it needs more than the limit on processor time (300ms)", false,
		},
		{
			Options{Timeout: 5 * time.Second, MaxProcessorTime: time.Hour},
			"graphviz: the machine is too busy: a layout did not end within 5s", true,
		},
	} {
		if tc.busy && race.Enabled {
			continue // the race detector takes more memory in 5s than a layout may have
		}
		children := watchChildren(t)
		_, err := Render(t.Context(), slowGraph(), SVG, tc.opts)
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Busy() != tc.busy || err.Error() != tc.error {
			t.Errorf("error %v, want %s", err, tc.error)
		}
		wantGone(t, <-children)
	}
}

func TestCallersDeadlineIsNotTheTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := Render(ctx, slowGraph(), SVG, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestWaitingForATurnEndsWithTheContext(t *testing.T) {
	turn <- struct{}{}
	defer func() { <-turn }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Render(ctx, []byte("digraph {}"), SVG, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// A parent that is killed cannot stop its child, but its end of the pipe
// closes.
func TestChildEndsWithItsParent(t *testing.T) {
	cmd := again(t, "", boot.Role+"="+boot.Child)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	forEver := job{Format: engine.SVG, MaxMemory: 1 << 30, MaxProcessorTime: time.Hour}
	if err := writeJob(in, forEver, slowGraph()); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("child ended with %v, want exit status 1", err)
	}
}
