//go:build unix

package capture

import (
	"context"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// TestControlsAProgram steps through a program in another process.
func TestControlsAProgram(t *testing.T) {
	private(t)
	s := control.NewSession(control.Command{Resume: true, Step: control.StepOp})
	tape := graph.NewTape(graph.Limits{})
	over := make(chan int, 1)
	go func() {
		run, err := record(t, context.Background(), Program{Args: []string{"well"}, Session: s}, tape)
		if err != nil {
			t.Error(err)
		}
		over <- run.ExitCode
	}()
	for _, want := range []string{"mul", "sum"} {
		if stop, ok := <-s.Stops(); !ok || stop.Reason != control.StepEnded {
			t.Fatalf("%+v, %v", stop, ok)
		}
		if got := lastOp(tape); got != want {
			t.Errorf("stopped after %s, not %s", got, want)
		}
		s.Resume(control.StepOp)
	}
	if code := <-over; code != 0 {
		t.Errorf("exit code %d", code)
	}
	if _, ok := <-s.Stops(); ok {
		t.Error("a stop too many")
	}
	if s.Resume(control.Continue) == nil {
		t.Error("a program that is over can be resumed")
	}
}

// TestEndsAStoppedProgram cancels a program that waits for the debugger.
func TestEndsAStoppedProgram(t *testing.T) {
	private(t)
	s := control.NewSession(control.Command{Resume: true, Step: control.StepBackward})
	tape := graph.NewTape(graph.Limits{})
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan bool)
	go func() {
		record(t, ctx, Program{Args: []string{"well"}, Session: s}, tape)
		close(over)
	}()
	<-s.Stops()
	cancel()
	<-over
	if lastOp(tape) != "sum" {
		t.Errorf("the tape ends after %s", lastOp(tape))
	}
}

// lastOp is the name of the last operator on a tape.
func lastOp(tape *graph.Tape) (name string) {
	for p := graph.Pos(0); p < tape.Len(); p++ {
		if _, e, err := tape.At(p); err == nil {
			if op, ok := e.(*graph.OpRan); ok {
				name = tape.String(op.Op)
			}
		}
	}
	return name
}
