package control_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

func TestAGateSaysWhatItLooksOutFor(t *testing.T) {
	gate := control.NewGate(nil)
	commands := 0
	gate.OnCommand(func() { commands++ })
	points := []control.Breakpoint{
		{ID: 1, Query: "op mul*"}, {ID: 2, Query: "train.py:3"},
		{ID: 3, Query: "tensor w"}, {ID: 4, Query: "inplace"}, {ID: 5, Query: "free"},
		{ID: 6, Query: "nan"}, {ID: 7, Query: "error"}, {ID: 8, Query: "finding"},
	}
	all := control.Wanted{Watched: true, Unsure: true, Needs: query.Needs{
		Ops: []string{"mul*"}, Tensors: []string{"w"}, Lines: []query.Line{{File: "train.py", Line: 3}},
		InPlace: true, Freed: []string{"*"}, NotFinite: true, Errors: true,
	}}
	everything, nodes := all, control.Wanted{Needs: query.Needs{Nodes: true}}
	everything.Everything = true
	for _, step := range []struct {
		do   control.Command
		want control.Wanted
	}{
		{control.Command{}, control.Wanted{Watched: true}},
		{control.Command{Breakpoints: &points}, all},
		{control.Command{Resume: true, Step: control.StepLine}, everything},
		{control.Command{Breakpoints: &[]control.Breakpoint{}, Resume: true}, control.Wanted{Watched: true, Needs: query.Needs{Everything: true}}},
		{control.Command{Interrupt: true}, control.Wanted{Watched: true, Needs: query.Needs{Everything: true}}},
		{control.Command{Detach: true}, control.Wanted{}},
		{control.Command{Interrupt: true}, control.Wanted{}},
		{control.Command{Resume: true, Step: control.StepNode}, nodes},
	} {
		if err := gate.Do(step.do); err != nil {
			t.Fatal(err)
		}
		got := gate.Wanted()
		if diff := cmp.Diff(step.want, got); diff != "" || !got.Equal(step.want) {
			t.Errorf("after %+v: %s", step.do, diff)
		}
	}
	if commands != 8 {
		t.Errorf("told of %d commands", commands)
	}
}

func TestAGateSaysWhichTensorsBreakpointsName(t *testing.T) {
	gate := control.NewGate(nil)
	tape := graph.NewTape(graph.Limits{})
	see := func(e graph.Event) {
		b := tape.Lock()
		defer tape.Unlock()
		gate.Saw(b, graph.Header{}, e)
	}
	w, b := tape.InternString("w"), tape.InternString("b")
	see(&graph.NameBound{Tensor: 1, Name: w})
	see(&graph.NameBound{Tensor: 2, Name: b})
	points := []control.Breakpoint{{ID: 1, Query: "tensor w"}, {ID: 2, Query: "tensor v*"}}
	if err := gate.Do(control.Command{Breakpoints: &points}); err != nil {
		t.Fatal(err)
	}
	want := func(unsure bool, tensors ...graph.TensorID) {
		t.Helper()
		got := gate.Wanted()
		if got.Unsure != unsure || !slices.Equal(got.Named, tensors) {
			t.Errorf("got %+v, want the tensors %v", got, tensors)
		}
	}
	want(true)
	see(&graph.NameBound{Tensor: 3, Name: b})
	want(false, 1)
	see(&graph.NameBound{Tensor: 3, Name: tape.InternString("velocity")})
	want(false, 1, 3)
	see(&graph.NameBound{Tensor: 1, Name: b})
	want(false, 3)
	see(&graph.TensorReleased{Tensor: 3})
	want(false)
}
