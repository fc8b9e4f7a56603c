package control_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A debuggee runs a program behind a gate and reports its stops.
type debuggee struct {
	t     *testing.T
	tape  *graph.Tape
	s     *control.Session
	ended chan error
}

// start runs a program that stops by the command first.
func start(t *testing.T, program func() error, first control.Command) *debuggee {
	t.Helper()
	return startIn(t, control.NewSession(first), program)
}

// startIn runs a program that a session controls.
func startIn(t *testing.T, s *control.Session, program func() error) *debuggee {
	t.Helper()
	gate, err := s.Gate()
	if err != nil {
		t.Fatal(err)
	}
	d := &debuggee{t, graph.NewTape(graph.Limits{}), s, make(chan error, 1)}
	go func() {
		r, stop := autograd.Record(d.tape)
		r.SetGate(gate)
		err := program()
		stop()
		s.End()
		d.ended <- err
	}()
	t.Cleanup(func() { s.Detach(); <-d.ended })
	return d
}

// stop waits until the program stops and returns why, and the event.
func (d *debuggee) stop() (control.Stop, graph.Event) {
	d.t.Helper()
	stop, ok := <-d.s.Stops()
	if !ok {
		d.t.Fatal("the program ended instead of stopping")
	}
	if int(d.tape.Len()) < stop.Events {
		d.t.Errorf("stopped at event %d, but the tape has %d", stop.Events, d.tape.Len())
	}
	_, e, err := d.tape.At(graph.Pos(stop.Events - 1))
	if err != nil {
		d.t.Fatal(err)
	}
	return stop, e
}

// over waits until the program has ended.
func (d *debuggee) over() {
	d.t.Helper()
	if stop, ok := <-d.s.Stops(); ok {
		d.t.Errorf("stopped once more: %+v", stop)
	}
}

func chain() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("w")
	y := w.Mul(w)
	z := y.Add(1)
	loss := z.Sum()
	if err := loss.Backward(); err != nil {
		return err
	}
	autograd.NoGrad(func() { w.Mul_(2) })
	return nil
}

func TestStepsByOperator(t *testing.T) {
	d := start(t, chain, control.Command{Resume: true, Step: control.StepOp})
	var ops []string
	for range 4 {
		_, e := d.stop()
		ops = append(ops, d.tape.String(e.(*graph.OpRan).Op))
		d.s.Resume(control.StepOp)
	}
	d.over()
	if got := ops; !slices.Equal(got, []string{"mul", "add", "sum", "mul_"}) {
		t.Errorf("stopped after %v", got)
	}
}

func TestStepsThroughBackward(t *testing.T) {
	d := start(t, chain, control.Command{Resume: true, Step: control.StepBackward})
	if _, e := d.stop(); e.Kind() != graph.KindBackwardBegan {
		t.Fatalf("stopped at %T", e)
	}
	for range 4 { // sum, add, mul, the leaf
		d.s.Resume(control.StepNode)
		if _, e := d.stop(); e.Kind() != graph.KindNodeReady {
			t.Fatalf("stopped at %T", e)
		}
	}
	d.s.Resume(control.StepBackward)
	if _, e := d.stop(); e.Kind() != graph.KindBackwardEnded {
		t.Fatalf("stopped at %T", e)
	}
	d.s.Resume(control.Continue)
	d.over()
}

// Nodes that are ready wait for those with a later number. The program stops when one
// is about to run, not when it is ready.
func TestStepsStopBeforeTheNodeThatRuns(t *testing.T) {
	d := start(t, func() error {
		w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
		return w.Mul(2).Add(w.Exp().Sin()).Sum().Backward()
	}, control.Command{Resume: true, Step: control.StepBackward})
	d.stop()
	var stops, runs []string
	for {
		d.s.Resume(control.StepNode)
		stop, ok := <-d.s.Stops()
		if !ok {
			break
		}
		n, _ := d.tape.CursorAt(graph.Pos(stop.Events)).Graph().Node(graph.NodeID(stop.Node))
		stops = append(stops, n.Name)
	}
	d.over()
	g := d.tape.CursorAt(d.tape.Len()).Graph()
	for p := range d.tape.Len() {
		if _, e, _ := d.tape.At(p); e.Kind() == graph.KindNodeExecuted {
			n, _ := g.Node(e.(*graph.NodeExecuted).Node)
			runs = append(runs, n.Name)
		}
	}
	if want := []string{"SumBackward0", "AddBackward0", "SinBackward0", "ExpBackward0", "MulBackward0", "AccumulateGrad"}; !slices.Equal(stops, want) || !slices.Equal(runs, want) {
		t.Errorf("stopped before %v; ran %v", stops, runs)
	}
}

func TestBreakpoints(t *testing.T) {
	for _, test := range []struct {
		name  string
		point control.Breakpoint
		kinds []graph.Kind
	}{
		{"operator", control.Breakpoint{Query: "op a?d"}, []graph.Kind{graph.KindOpRan}},
		{"node", control.Breakpoint{Query: "op Mul*"}, []graph.Kind{graph.KindNodeReady}},
		{"condition", control.Breakpoint{Query: "op * if max > 4"}, []graph.Kind{graph.KindOpRan, graph.KindOpRan}},
		{"version", control.Breakpoint{Query: "inplace if version > 1"}, nil},
		{"skipped", control.Breakpoint{Query: "op *", Skip: 3}, []graph.Kind{graph.KindNodeReady, graph.KindNodeReady, graph.KindNodeReady, graph.KindNodeReady, graph.KindOpRan}},
		{"in place", control.Breakpoint{Query: "inplace"}, []graph.Kind{graph.KindMutated}},
		{"in place by name", control.Breakpoint{Query: "inplace w"}, []graph.Kind{graph.KindMutated}},
		{"in place, other name", control.Breakpoint{Query: "inplace y"}, nil},
		{"freed", control.Breakpoint{Query: "free MulBackward0"}, []graph.Kind{graph.KindSavedFreed}},
		{"tensor", control.Breakpoint{Query: "tensor w"}, []graph.Kind{graph.KindNameBound, graph.KindGradAccumulated, graph.KindMutated}},
		{"finite", control.Breakpoint{Query: "nan"}, nil},
		{"elsewhere", control.Breakpoint{Query: "elsewhere.go:3"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.point.ID = 7
			d := start(t, chain, control.Command{Breakpoints: &[]control.Breakpoint{test.point}})
			for _, kind := range test.kinds {
				stop, e := d.stop()
				if e.Kind() != kind || stop.Reason != control.BreakpointHit || stop.Breakpoint != 7 {
					t.Errorf("stopped at %T, %+v", e, stop)
				}
				d.s.Resume(control.Continue)
			}
			d.over()
		})
	}
}

// A NaN is noticed where it appears: in a small tensor, and in a gradient.
func TestABreakpointOnNaNStopsWhereItAppears(t *testing.T) {
	d := start(t, func() error {
		w := autograd.New([]float64{0, 2}, autograd.RequiresGrad)
		if err := w.Sqrt().Mul(0).Sum().Backward(); err != nil { // 0 times infinity
			return err
		}
		w.Detach().Sub(1).Log() // of -1
		return nil
	}, control.Command{Breakpoints: &[]control.Breakpoint{{ID: 1, Query: "nan"}}})
	var stops []string
	for stop := range d.s.Stops() {
		_, e, _ := d.tape.At(graph.Pos(stop.Events - 1))
		stops = append(stops, e.Kind().String())
		d.s.Resume(control.Continue)
	}
	d.over()
	if want := []string{"node-executed", "grad-accumulated", "tensor-created"}; !slices.Equal(stops, want) {
		t.Errorf("stopped at %v, want %v", stops, want)
	}
}

func TestStepsByLineAndBreaksThere(t *testing.T) {
	d := start(t, chain, control.Command{Resume: true, Step: control.StepLine})
	d.stop()
	lines := map[int]bool{}
	first := 0
	for range 3 {
		stop, _ := d.stop2(control.StepLine)
		h, _, _ := d.tape.At(graph.Pos(stop.Events - 1))
		line := d.tape.Stack(h.Stack)[0].Line
		if lines[line] {
			t.Errorf("line %d twice", line)
		}
		lines[line] = true
		if first == 0 {
			first = line
		}
	}
	d.s.Detach()
	d.over()
	again := start(t, chain, control.Command{Breakpoints: &[]control.Breakpoint{{ID: 1, Query: fmt.Sprintf("control_test.go:%d", first)}}})
	if stop, _ := again.stop(); stop.Breakpoint != 1 {
		t.Errorf("%+v", stop)
	}
	again.s.Detach()
	again.over()
}

// stop2 resumes and waits for the next stop.
func (d *debuggee) stop2(step control.Step) (control.Stop, graph.Event) {
	d.t.Helper()
	d.s.Resume(step)
	return d.stop()
}

func TestInterruptsALoop(t *testing.T) {
	over := make(chan bool)
	d := start(t, func() error {
		x := autograd.New([]float64{1})
		for {
			x = x.Add(1)
			select {
			case <-over:
				return nil
			default:
			}
		}
	}, control.Command{})
	d.s.Interrupt()
	if stop, _ := d.stop(); stop.Reason != control.Interrupted {
		t.Errorf("%+v", stop)
	}
	close(over)
	d.s.Resume(control.Continue)
	d.over()
}

func TestRefusesWhatMakesNoSense(t *testing.T) {
	s := control.NewSession(control.Command{})
	if err := s.Resume(control.Continue); !errors.Is(err, control.ErrNotRunning) {
		t.Error(err)
	}
	if _, err := s.Gate(); err != nil {
		t.Fatal(err)
	}
	for _, b := range []control.Breakpoint{
		{Query: "moon"}, {Query: "op"}, {Query: "tensor"}, {Query: "a.py:0"}, {Query: "op ["},
	} {
		if s.Break(b) == nil {
			t.Errorf("%+v is accepted", b)
		}
	}
	if s.Resume("sideways") == nil {
		t.Error("a step that does not exist is accepted")
	}
}

// TestAnInterruptWaitsForAProgramThatRunsAhead is about a program whose events come later
// than it makes them: an interrupt stops it when they no longer do.
func TestAnInterruptWaitsForAProgramThatRunsAhead(t *testing.T) {
	gate := control.NewGate(nil)
	tape := graph.NewTape(graph.Limits{})
	see := func() bool {
		e := &graph.ModuleLeft{}
		b := tape.Lock()
		defer tape.Unlock()
		b.Append(graph.Header{}, e)
		return gate.Saw(b, graph.Header{}, e)
	}
	gate.Ahead(true)
	gate.Do(control.Command{Interrupt: true})
	if see() {
		t.Error("it stops where the program no longer is")
	}
	if !gate.Wanted().Everything {
		t.Error("it does not look out for the next event")
	}
	gate.Ahead(false)
	if !see() {
		t.Error("it does not stop")
	}
}
