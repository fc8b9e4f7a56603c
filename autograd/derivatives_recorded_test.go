package autograd

import (
	"math"
	"slices"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/formula"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// TestFormulasComputeTheRecordedGradients records the samples of all operators with a backward pass, and compares
// what the formulas of their nodes compute, from the values on the tape alone, with the gradients on the tape.
func TestFormulasComputeTheRecordedGradients(t *testing.T) {
	defer quiet()()
	compared := map[string]bool{}
	for _, o := range Ops() {
		if len(o.VJP) == 0 || o.Node == "" || o.Node == notImplemented {
			continue
		}
		for _, s := range tracedSamples(o) {
			tape, ok := recordedSample(s)
			if !ok {
				continue
			}
			c := graph.NewCursor(tape)
			if err := c.Seek(tape.Len()); err != nil {
				t.Fatal(err)
			}
			g, index := c.Graph(), lookup.NewIndex(tape)
			for id := range graph.NodeID(200) {
				v, ok := index.NodeAt(g, id)
				if !ok || v.Node.Name != o.Node {
					continue
				}
				for _, d := range formula.Of(tape, g, v) {
					if back := v.Edges[d.Edge]; back.Sent >= 0 && back.Back.Defined() {
						if checkRecorded(t, s, &d, back.Back) {
							compared[o.Node+" "+d.Input] = true
						}
					}
				}
			}
		}
	}
	for name, why := range skipped {
		if !compared[name] {
			t.Log(name, why)
		}
	}
	if len(compared) < 400 {
		t.Errorf("only %d formulas could be compared", len(compared))
	}
}

// skipped holds the formulas that could not be evaluated, and why.
var skipped = map[string]string{}

// recordedSample records a call and a backward pass through it.
func recordedSample(s *opSample) (*graph.Tape, bool) {
	tape := graph.NewTape(graph.Limits{})
	r, stop := Record(tape)
	defer stop()
	r.first = math.MaxInt
	outs, err := s.call(s.op, s.op.Mutate != nil, s.inputs(), s.changesSelf())
	if err != nil {
		return nil, false
	}
	var roots, grads []*Tensor
	for i, out := range differentiableOf(outs) {
		roots = append(roots, out)
		grads = append(grads, spread(out.sizes, 99+i, domains[""], false))
	}
	return tape, len(roots) > 0 && BackwardAll(roots, grads) == nil
}

// checkRecorded compares a formula with a gradient. It returns false if the tape lacks a value, such as the list of a
// saved list.
func checkRecorded(t *testing.T, s *opSample, d *formula.Gradient, want graph.Grad) bool {
	if !want.Value.Whole() {
		return false
	}
	env := map[string]any{}
	for _, name := range d.Names() {
		v := d.Value(name)
		shape, ok := d.Shape(formula.Leaf(name))
		if !ok || !v.Whole() {
			return false
		}
		env[name] = fromTape(v, shape)
	}
	v, err := evaluateFormula(d.Expr, env)
	if err != nil {
		skipped[s.op.Node+" "+d.Input] = err.Error()
		return false
	}
	got, err := asTensor(v)
	if err != nil {
		t.Errorf("%s: %s: %v", s, d.Expr, err)
		return false
	}
	if !slices.Equal(got.sizes, want.Shape) {
		got = sumTo(got, want.Shape)
	}
	if !nearTensors(fromTape(want.Value, want.Shape), got.To(Float64)) {
		t.Errorf("%s: %s is %v, the gradient of %s is %v", s, d.Expr, got, d.Input, fromTape(want.Value, want.Shape))
		return false
	}
	return true
}

// fromTape returns a recorded value as a tensor.
func fromTape(v graph.Value, shape []int) *Tensor {
	x := filled(shape, Float64, 0)
	for i, e := range v.First {
		x.setElement(x.at(i), FloatScalar(e))
	}
	switch v.DType {
	case graph.Bool:
		return x.To(Bool)
	case graph.Int64:
		return x.To(Int64)
	}
	return x
}
