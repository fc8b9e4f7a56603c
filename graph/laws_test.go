package graph_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

func dump(t interface{ Fatal(...any) }, g *graph.Graph) string {
	var s strings.Builder
	if err := g.Dump(&s); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// text is the canonical form of a tape.
func text(t interface{ Fatal(...any) }, tape *graph.Tape) string {
	var s strings.Builder
	if err := tape.WriteText(&s); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

func eachTape(t *testing.T, law func(*rapid.T, *graph.Tape)) {
	t.Run("well formed", rapid.MakeCheck(func(t *rapid.T) { law(t, tapetest.WellFormed(t)) }))
	t.Run("hostile", rapid.MakeCheck(func(t *rapid.T) { law(t, tapetest.Hostile(t)) }))
}

// A graph depends on the position alone, not on the way that led there: event by
// event, by seeking, from the end backwards, or at random.
func TestTheWayToAPositionDoesNotMatter(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		// Dumping costs much more than moving, and what is wrong stays wrong.
		stride := rapid.IntRange(1, 9).Draw(t, "stride")
		want := map[graph.Pos]string{}
		c := graph.NewCursor(tape)
		for p := graph.Pos(0); p <= tape.Len(); p++ {
			if int(p)%stride == 0 {
				want[p] = dump(t, c.Graph())
			}
			if _, _, err := c.Next(); err != nil && p != tape.Len() {
				t.Fatalf("event %d: %v", p, err)
			}
		}
		check := func(way string) {
			if want, ok := want[c.Pos()]; ok {
				if got := dump(t, c.Graph()); got != want {
					t.Fatalf("%s to %d:\n%s", way, c.Pos(), cmp.Diff(want, got))
				}
			}
		}
		for check("staying"); c.Prev(); {
			check("going back")
		}
		if c.Pos() != 0 {
			t.Fatal(c.Pos())
		}
		for range 30 {
			p := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "position"))
			if err := c.Seek(p); err != nil || c.Pos() != p {
				t.Fatal(c.Pos(), err)
			}
			check("seeking")
			if rapid.Bool().Draw(t, "turn") {
				c.Prev()
				c.Next()
				check("turning")
			}
		}
	})
}

// So it is where the cursor cannot undo what was long ago, has packed it, and goes from
// a checkpoint.
func TestTheWayToAPositionOnALongTapeDoesNotMatter(t *testing.T) {
	tape := longTape(6000)
	want := map[graph.Pos]string{}
	const stride = 500
	for p := graph.Pos(0); p <= tape.Len(); p += stride {
		want[p] = dump(t, tape.CursorAt(p).Graph())
	}
	rapid.Check(t, func(t *rapid.T) {
		c := graph.NewCursor(tape)
		graph.Forgetful(c, 1<<rapid.IntRange(8, 12).Draw(t, "interval"))
		scout := c.Scout()
		graph.Forgetful(scout, 1<<8)
		for range rapid.IntRange(1, 3).Draw(t, "ways") {
			p := graph.Pos(rapid.IntRange(0, len(want)-1).Draw(t, "position")) * stride
			events := rapid.IntRange(1, 3*stride).Draw(t, "events")
			scout.Extend(min(scout.Pos()+graph.Pos(rapid.IntRange(0, 2000).Draw(t, "ahead")), tape.Len()))
			for range rapid.IntRange(0, 3).Draw(t, "detours") {
				c.Approach(graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "detour")), events)
			}
			for n := 0; !c.Approach(p, events); n++ {
				if n > int(tape.Len()) {
					t.Fatal("it does not arrive")
				}
			}
			for range rapid.IntRange(0, 2).Draw(t, "back") {
				if c.Prev() {
					c.Next()
				}
			}
			if got := dump(t, c.Graph()); c.Pos() != p || got != want[p] {
				t.Fatalf("at %d instead of %d:\n%s", c.Pos(), p, cmp.Diff(want[p], got))
			}
		}
		if p := scout.Pos() / stride * stride; scout.Approach(p, int(tape.Len())) {
			if got := dump(t, scout.Graph()); got != want[p] {
				t.Fatalf("the scout at %d:\n%s", p, cmp.Diff(want[p], got))
			}
		}
	})
}

func TestThereAreNotMoreCheckpointsOnALongerTape(t *testing.T) {
	tape := longTape(20_000)
	c := graph.NewCursor(tape)
	graph.Forgetful(c, 1<<8)
	c.Seek(tape.Len())
	if n := graph.Checkpoints(c); n < 10 || n > 33 {
		t.Errorf("%d checkpoints", n)
	}
}

// However far checkpoints are apart on a long tape, one is near to where the scout is.
func TestTheEndOfALongTapeIsNearToACheckpoint(t *testing.T) {
	tape := longTape(20_000)
	c := graph.NewCursor(tape)
	const interval = 1 << 8
	graph.Forgetful(c, interval)
	c.Scout().Extend(tape.Len())
	if !c.Approach(tape.Len(), interval) {
		t.Errorf("after %d events it is at %d of %d", interval, c.Pos(), tape.Len())
	}
}

func TestEveryRecordedEventCanBeRead(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		d := tape.NewDecoder()
		for range 2 {
			for p := range tape.Len() {
				wantHeader, want, err := tape.At(p)
				if err != nil {
					t.Fatal(err)
				}
				h, e, err := d.Read(p)
				if err != nil || h != wantHeader {
					t.Fatalf("event %d: %+v, %v; want %+v", p, h, err, wantHeader)
				}
				if diff := cmp.Diff(want, e, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
					t.Fatalf("event %d differs when memory is reused:\n%s", p, diff)
				}
			}
		}
	})
}

func TestAnEnginesTapeIsWellOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := tapetest.WellFormed(t)
		for _, p := range graph.Validate(tape, 3) {
			t.Errorf("%s\n%s", p, text(t, tape))
		}
	})
}

func TestValidateAcceptsAnyTapeWithoutPanicking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { graph.Validate(tapetest.Hostile(t), 100) })
}

// A recorder takes its identifiers while it holds the tape's lock.
func TestThreadsMayRecordInAnyInterleaving(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	engine := tapetest.NewEngine(tape)
	const writers, readers, steps = 6, 3, 1500
	var writing, reading sync.WaitGroup
	done := make(chan struct{})
	for i := range writers {
		th := engine.NewThread(graph.ThreadID(i), tapetest.NewRandom(uint64(i)))
		writing.Go(func() {
			for range steps {
				th.Step()
			}
			th.Finish()
		})
	}
	for range readers {
		reading.Go(func() {
			c := graph.NewCursor(tape)
			for {
				if h, e, err := c.Next(); err == nil {
					tape.String(graph.StringID(c.Pos()))
					tape.Stack(h.Stack)
					tape.EventText(nil, e)
					if c.Pos()%500 == 0 {
						c.Seek(c.Pos() / 2)
						c.Graph().Tensor(3)
						c.Seek(tape.Len())
					}
					continue
				}
				select {
				case <-tape.Grown(c.Pos()):
				case <-done:
					if c.Pos() == tape.Len() {
						return
					}
				}
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	for _, p := range graph.Validate(tape, 5) {
		t.Error(p)
	}
}

// Who reads through all nodes learns what Node tells.
func TestReadingThroughTheNodesTellsWhatNodeTells(t *testing.T) {
	eachTape(t, func(t *rapid.T, tape *graph.Tape) {
		g := tape.CursorAt(graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "position"))).Graph()
		for id := graph.NodeID(0); int(id) <= g.NodeCount()+1; id++ {
			n, known := g.Node(id)
			h, e, ok := g.NodeOrigin(id)
			if ok != known {
				t.Fatalf("node %d: %v, want %v", id, ok, known)
			}
			if !ok {
				continue
			}
			want, _, _ := tape.At(n.Created)
			status, pass, freed := g.NodeStatus(id)
			got := graph.Node{
				ID: e.Node, Name: tape.String(e.Name), Sequence: e.Sequence, Outputs: int(e.Outputs), Variable: e.Variable,
				Edges: e.Edges, Module: g.NodeModule(id), Status: status, Backward: pass, Freed: freed,
			}
			n = graph.Node{
				ID: n.ID, Name: n.Name, Sequence: n.Sequence, Outputs: n.Outputs, Variable: n.Variable,
				Edges: n.Edges, Module: n.Module, Status: n.Status, Backward: n.Backward, Freed: n.Freed,
			}
			if diff := cmp.Diff(n, got, cmpopts.EquateEmpty()); diff != "" || h.Stack != want.Stack {
				t.Fatalf("stack %d, want %d\n%s", h.Stack, want.Stack, diff)
			}
			if m, _ := g.Module(n.Module); g.ModuleOuter(n.Module) != m.Outer {
				t.Fatalf("call %d is in %d, want %d", m.ID, g.ModuleOuter(m.ID), m.Outer)
			}
		}
	})
}
