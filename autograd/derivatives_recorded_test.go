package autograd

import (
	"math"
	"slices"
	"strings"
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
			compareRecorded(t, s, false, compared)
			compareRecorded(t, s, true, compared)
		}
	}
	for name, why := range skipped {
		if !compared[name] {
			t.Log(name, why)
		}
	}
	for _, name := range []string{
		"CatBackward0 tensors", "StackBackward0 tensors", "SplitBackward0 self", "UnbindBackward0 self", "SliceBackward0 self", "SelectBackward0 self",
		"PermuteBackward0 self", "VarBackward0 self", "StdBackward0 self", "ProdBackward0 self", "ProdBackward1 self", "EmbeddingBackward0 weight",
		"NllLossBackward0 self", "NativeLayerNormBackward0 input", "NativeBatchNormBackward0 input", "NativeBatchNormBackward0 weight",
		"NativeBatchNormBackward0 bias", "ConvolutionBackward0 bias", "LinalgVectorNormBackward0 self", "IndexSelectBackward0 self", "GatherBackward0 self", "ConstantPadNdBackward0 self",
	} {
		if !compared[name] {
			t.Errorf("%s was not compared", name)
		}
	}
	if len(compared) < 430 {
		t.Errorf("only %d formulas could be compared", len(compared))
	}
}

// compareRecorded records a sample, of which elements may be zero, and compares the formulas of its node with the
// gradients. It notes what it could compare.
func compareRecorded(t *testing.T, s *opSample, zero bool, compared map[string]bool) {
	tape, ok := recordedSample(s, zero)
	if !ok {
		return
	}
	c := graph.NewCursor(tape)
	if err := c.Seek(tape.Len()); err != nil {
		t.Fatal(err)
	}
	g, index := c.Graph(), lookup.NewIndex(tape)
	for id := range graph.NodeID(200) {
		v, ok := index.NodeAt(g, id)
		if !ok || v.Node.Name != s.op.Node {
			continue
		}
		for _, d := range formula.Of(tape, g, v) {
			if back := v.Edges[d.Edge]; back.Sent >= 0 && back.Back.Defined() {
				if checkRecorded(t, s, &d, back.Back) {
					input, _, _ := strings.Cut(d.Input, "[")
					compared[s.op.Node+" "+input] = true
				}
			}
		}
	}
}

// skipped holds the formulas that could not be evaluated, and why.
var skipped = map[string]string{}

// recordedSample records a call and a backward pass through it.
func recordedSample(s *opSample, zero bool) (*graph.Tape, bool) {
	in := s.inputs()
	if zero {
		setZeros(in)
	}
	tape := graph.NewTape(graph.Limits{})
	r, stop := Record(tape)
	defer stop()
	r.first = math.MaxInt
	outs, err := s.call(s.op, s.op.Mutate != nil, in, s.changesSelf())
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
	switch {
	case err != nil && strings.HasSuffix(err.Error(), "has no value"):
		skipped[s.op.Node+" "+d.Input] = err.Error()
		return false
	case err != nil:
		t.Errorf("%s: %s: %v", s, d.Expr, err)
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
	case graph.Int32:
		return x.To(Int32)
	}
	return x
}
