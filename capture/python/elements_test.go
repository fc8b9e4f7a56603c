package python

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// elementsProgram stops at pow, and at the end in an operation after everything has changed.
const elementsProgram = `
import json
import torch
torch.manual_seed(0)
w = torch.randn(6, 5, 4)
w.requires_grad_()
x = torch.arange(120.).reshape(4, 5, 6).permute(2, 1, 0)
big = torch.arange(600_000, dtype=torch.int64).reshape(600, 1000)
flags = torch.arange(20) > 10
(w * x).sum().backward()
gone = torch.ones(30)
number = gone.sum()
del gone
print(json.dumps([w.flatten().tolist(), x.flatten().tolist(), w.grad.flatten().tolist()]), flush=True)
state = torch.rand(1).pow(2)
with torch.no_grad():
    w.add_(1)
again = torch.rand(1).exp()
print(repr(state.item()), repr(again.item()), w.sum().item())
`

// named returns the tensor that has a name at the end of the tape.
func (d *debuggee) named(name string) graph.Tensor {
	d.Helper()
	g := d.tape.CursorAt(d.tape.Len()).Graph()
	for b := range g.Bindings() {
		if b.Name == name {
			x, _ := g.Tensor(b.Tensor)
			return x
		}
	}
	d.Fatalf("nothing is named %s", name)
	return graph.Tensor{}
}

// read asks for the elements of a tensor. It returns the event, or the error.
func (d *debuggee) read(x graph.Tensor, part ...int) (*graph.ValueRead, string) {
	d.Helper()
	before := d.tape.Len()
	_, err := d.Ask(control.Ask{Kind: control.AskElements, Tensor: x.ID, Version: x.Version, Part: part})
	if err != nil {
		return nil, err.Error()
	}
	for p := before; p < d.tape.Len(); p++ {
		if _, e, _ := d.tape.At(p); e.Kind() == graph.KindValueRead {
			return e.(*graph.ValueRead), ""
		}
	}
	d.Fatalf("nothing was read of %s", x.Name)
	return nil, ""
}

// What is read of a tensor where the program stands is what PyTorch prints of it, and the program goes on as
// if it had not been asked.
func TestElementsAreReadWhereAProgramStands(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		d := debug(t, on, elementsProgram, atPow)
		d.stop()
		var printed [3][]float64
		if err := json.Unmarshal([]byte(d.printed()), &printed); err != nil {
			t.Fatal(err)
		}
		w, x, big := d.named("w"), d.named("x"), d.named("big")
		g := d.tape.CursorAt(d.tape.Len()).Graph()
		grad, _ := g.Tensor(w.Grad)
		for i, of := range []graph.Tensor{w, x, grad} {
			e, why := d.read(of)
			if why != "" {
				t.Fatalf("%s: %s", of.Name, why)
			}
			if e.Tensor != of.ID || e.Version != of.Version || !e.Value.Whole() || !near(e.Value.First, printed[i]) {
				t.Errorf("%s is %v, want %v", of.Name, e, printed[i])
			}
			now, _ := d.tape.CursorAt(d.tape.Len()).Graph().Tensor(of.ID)
			if !now.Value.Whole() || now.Version != of.Version || now.ValueStale {
				t.Errorf("afterwards %s is %+v", of.Name, now.Value)
			}
		}
		// x[1:6:2, 3, :]
		e, why := d.read(x, 1, 2, 3, 3, 1, 1, 0, 1, 4)
		var want []float64
		for i := 1; i < 6; i += 2 {
			want = append(want, printed[1][i*20+12:i*20+16]...)
		}
		if why != "" || !near(e.Value.First, want) || e.Value.Count != 12 {
			t.Errorf("a part of x is %v (%s), want %v", e, why, want)
		}
		e, why = d.read(big)
		if why != "" || len(e.Value.First) != graph.MostElements || e.Value.Count != 600_000 || e.Value.Max != 599_999 {
			t.Errorf("of big there are %d elements: %s", len(e.Value.First), why)
		}
		e, why = d.read(big, 599, 1, 1, 998, 1, 2)
		if why != "" || !slices.Equal(e.Value.First, []float64{599_998, 599_999}) {
			t.Errorf("the end of big is %v: %s", e, why)
		}
		if e, why = d.read(d.named("flags")); why != "" || e.Value.Zeros != 11 || !e.Value.Whole() {
			t.Errorf("flags are %v: %s", e, why)
		}
		for what, got := range map[string]string{
			control.OtherPart: second(d.read(x, 0, 1, 7, 0, 1, 5, 0, 1, 4)),
			control.Changed:   second(d.read(graph.Tensor{ID: w.ID, Version: w.Version + 1})),
			control.Dropped:   second(d.read(graph.Tensor{ID: 1 << 20})),
			"262144":          second(d.read(big, 0, 1, 600, 0, 1, 1000)),
		} {
			if !strings.Contains(got, what) {
				t.Errorf("%q is answered %q", what, got)
			}
		}
		d.Resume(control.Continue)
		<-d.over
		alone := debug(t, on, elementsProgram, control.Command{})
		<-alone.over
		if got, want := d.printed(), alone.printed(); !strings.HasSuffix(want, got) || got == "" {
			t.Errorf("it printed %s, and without questions %s", got, want)
		}
		if problems := graph.Validate(d.tape, 5); len(problems) > 0 {
			t.Error(problems)
		}
	})
}

func second(_ *graph.ValueRead, why string) string { return why }

// near reports whether numbers are the same in single precision.
func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return float32(x) == float32(y) || x-y < 1e-6 && y-x < 1e-6 })
}
