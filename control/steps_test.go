package control_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// A recording is stepped through as the program itself was.
func TestARecordingIsSteppedAsTheProgramWas(t *testing.T) {
	for step, kind := range map[control.Step]lookup.Stop{
		control.StepNode: lookup.StopNode,
		control.StepOp:   lookup.StopOp,
		control.StepLine: lookup.StopLine,
	} {
		t.Run(string(step), func(t *testing.T) {
			d := start(t, differentiatesTwice, control.Command{Resume: true, Step: step})
			var live []graph.Pos
			for stop := range d.s.Stops() {
				live = append(live, graph.Pos(stop.Events))
				d.s.Resume(step)
			}
			if len(live) < 5 {
				t.Fatalf("%d stops", len(live))
			}
			s := lookup.NewSteps(d.tape)
			at := graph.Pos(0)
			for _, p := range live {
				next, ok := s.Next(at, kind)
				if want := s.Behind(p, kind); !ok || next != want {
					t.Errorf("from %d to %d, but the program stopped at %d", at, next, want)
				}
				at = next
			}
			if p, more := s.Next(at, kind); more {
				t.Errorf("one more stop at %d", p)
			}
		})
	}
}

// A step may begin anywhere: an interrupt stops a program also behind an event without a call
// stack.
func TestStepsFromAnyEventEndAtTheSamePlace(t *testing.T) {
	for step, kind := range map[control.Step]lookup.Stop{control.StepOp: lookup.StopOp, control.StepLine: lookup.StopLine} {
		t.Run(string(step), rapid.MakeCheck(func(t *rapid.T) {
			tape := tapetest.WellFormed(t)
			s, gate := lookup.NewSteps(tape), control.NewGate(nil)
			command := control.Command{Resume: true, Step: step}
			from := graph.Pos(0)
			for p := range tape.Len() {
				command.Interrupt = rapid.IntRange(0, 9).Draw(t, "interrupted") == 0
				if err := gate.Do(command); err != nil {
					t.Fatal(err)
				}
				h, e, err := tape.At(p)
				if err != nil {
					t.Fatal(err)
				}
				b := tape.Lock()
				stops := gate.Saw(b, h, e)
				tape.Unlock()
				next, ok := s.Next(from, kind)
				ends := ok && next == s.Behind(p+1, kind)
				if !command.Interrupt && stops != ends {
					t.Fatalf("from %d: a live program stops behind event %d: %v, a recording: %v", from, p, stops, ends)
				}
				command.Resume = stops
				if stops {
					from = p + 1
				}
			}
		}))
	}
}

// differentiatesTwice runs backward through a backward pass, with a hook that runs one
// more inside it, and fails in the end.
func differentiatesTwice() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	y := w.Mul(w).Add(w.Exp())
	y.RegisterHook(func(g *autograd.Tensor) *autograd.Tensor {
		inner := autograd.New([]float64{3}, autograd.RequiresGrad)
		if err := inner.Mul(inner).Sum().Backward(); err != nil {
			panic(err)
		}
		return g.Mul(2)
	})
	grads, err := autograd.Grad([]*autograd.Tensor{y.Sum()}, []*autograd.Tensor{w}, autograd.CreateGraph)
	if err != nil {
		return err
	}
	loss := grads[0].Mul(w).Sum()
	if err := loss.Backward(); err != nil {
		return err
	}
	loss.Backward() // fails: what it needs is freed
	return nil
}

// A program that is to run up to a number of events stands exactly there.
func TestAProgramRunsToANumberOfEvents(t *testing.T) {
	whole := start(t, differentiatesTwice, control.Command{})
	whole.over()
	for _, n := range []int{1, 7, int(whole.tape.Len()) - 1} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			d := start(t, differentiatesTwice, control.Command{Resume: true, Step: control.StepEvent, Times: n})
			if stop, _ := d.stop(); stop.Events != n || stop.Reason != control.StepEnded {
				t.Errorf("to %d: %+v", n, stop)
			}
		})
	}
}

// Several steps that are asked for at once end where as many single ones do.
func TestStepsThatAreAskedForAtOnceEndWhereSingleOnesDo(t *testing.T) {
	for _, step := range []control.Step{control.StepEvent, control.StepOp, control.StepLine, control.StepNode, control.StepBackward, control.StepModule} {
		t.Run(string(step), rapid.MakeCheck(func(t *rapid.T) {
			tape := tapetest.WellFormed(t)
			single, several := control.NewGate(nil), control.NewGate(nil)
			left, times := 0, rapid.IntRange(1, 5).Draw(t, "times")
			resume := func(g *control.Gate, times int) {
				if err := g.Do(control.Command{Resume: true, Step: step, Times: times}); err != nil {
					t.Fatal(err)
				}
			}
			resume(single, 0)
			resume(several, times)
			left = times
			for p := range tape.Len() {
				h, e, err := tape.At(p)
				if err != nil {
					t.Fatal(err)
				}
				b := tape.Lock()
				one, all := single.Saw(b, h, e), several.Saw(b, h, e)
				tape.Unlock()
				if one {
					left--
					resume(single, 0)
				}
				if want := one && left == 0; all != want {
					t.Fatalf("behind event %d, with %d of %d steps to go: stops %v, want %v", p, left, times, all, want)
				}
				if all {
					left, times = 3, 3
					resume(several, times)
				}
			}
		}))
	}
}

// A breakpoint stops the program in the middle of several steps, also behind the event that ends one of them.
func TestABreakpointEndsStepsThatAreAskedForAtOnce(t *testing.T) {
	points := []control.Breakpoint{{ID: 7, Query: "op sum"}}
	d := start(t, differentiatesTwice, control.Command{Breakpoints: &points, Resume: true, Step: control.StepOp, Times: 1000})
	if stop, _ := d.stop(); stop.Reason != control.BreakpointHit || stop.Breakpoint != 7 {
		t.Errorf("%+v", stop)
	}
	if err := d.s.Repeat(control.StepOp, -1); err == nil {
		t.Error("a negative number of steps is taken")
	}
	d.s.Detach()
	d.over()
}
