package nn_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

func TestLayersDoWhatPyTorchsDo(t *testing.T) {
	quiet(t)
	covered := map[string]bool{}
	for _, r := range readLayers(t) {
		if r.Error != "" {
			continue
		}
		covered[r.Class] = true
		t.Run(r.title(), func(t *testing.T) { checkLayer(t, r) })
	}
	for _, class := range nn.Classes() {
		if !covered[class] {
			t.Errorf("%s was not recorded", class)
		}
	}
}

// quiet drops warnings.
func quiet(t *testing.T) {
	before := autograd.OnWarning
	autograd.OnWarning = nil
	t.Cleanup(func() { autograd.OnWarning = before })
}

func checkLayer(t *testing.T, r layerRecord) {
	m := r.make(t)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Repr, m.String()); diff != "" {
		t.Errorf("printed (-PyTorch +here):\n%s", diff)
	}
	if got := m.PythonType(); got != r.Type {
		t.Errorf("type %s, in PyTorch %s", got, r.Type)
	}
	checkNamed(t, "parameter", r.Params, m.NamedParameters(), exact)
	if diff := cmp.Diff(append([]string{}, r.State...), m.StateDict().Names()); diff != "" {
		t.Errorf("state dict (-PyTorch +here):\n%s", diff)
	}
	if r.Inputs == nil {
		return
	}
	inputs := r.inputs(t)
	seed(t, 2)
	outs, err := m.Run(inputs...)
	if err != nil {
		t.Fatal(err)
	}
	checkTensors(t, "output", r.Outputs, outs)
	checkBackward(t, r, m, inputs, outs)
	checkNamed(t, "buffer", r.Buffers, m.NamedBuffers(), nearly)
	for i, p := range m.Parameters() {
		if v := version(t, p); v != r.After[i] {
			t.Errorf("parameter %d is at version %d, in PyTorch at %d", i, v, r.After[i])
		}
	}
	m.Eval()
	autograd.NoGrad(func() {
		seed(t, 3)
		outs, err := m.Run(inputs...)
		if err != nil {
			t.Fatal(err)
		}
		checkTensors(t, "output in evaluation mode", r.Eval, outs)
	})
}

func seed(t *testing.T, n int) {
	t.Helper()
	if err := autograd.ManualSeed(n); err != nil {
		t.Fatal(err)
	}
}

// checkBackward compares the graph and the gradients.
func checkBackward(t *testing.T, r layerRecord, m *nn.Module, inputs, outs []*autograd.Tensor) {
	t.Helper()
	var roots, grads []*autograd.Tensor
	for _, out := range outs {
		if out.RequiresGrad() {
			roots, grads = append(roots, out), append(grads, ramp(out))
		}
	}
	if len(roots) == 0 || gradFn(t, roots[0]) == nil {
		if r.Nodes != nil {
			t.Error("the outputs have no graph")
		}
		return
	}
	if diff := cmp.Diff(r.Nodes, nodeNames(t, roots)); diff != "" {
		t.Errorf("nodes (-PyTorch +here):\n%s", diff)
	}
	if r.Tree != "" {
		if diff := cmp.Diff(r.Tree, tree(gradFn(t, roots[0]))); diff != "" {
			t.Errorf("graph (-PyTorch +here):\n%s", diff)
		}
	}
	if err := autograd.BackwardAll(roots, grads); err != nil {
		t.Fatal(err)
	}
	var have []*autograd.Tensor
	for _, x := range append(slices.Clone(inputs), m.Parameters()...) {
		if x.RequiresGrad() {
			have = append(have, x.Grad())
		}
	}
	if len(have) != len(r.Grads) {
		t.Fatalf("%d gradients, PyTorch has %d", len(have), len(r.Grads))
	}
	for i, want := range r.Grads {
		if what := fmt.Sprintf("gradient %d", i); want == nil || have[i] == nil {
			if want != nil || have[i] != nil {
				t.Errorf("%s: %v, PyTorch has %v", what, have[i], want)
			}
		} else {
			checkTensor(t, what, *want, have[i], nearly)
		}
	}
}

func TestBadArgumentsFailAsInPyTorch(t *testing.T) {
	quiet(t)
	for _, r := range readLayers(t) {
		if r.Error == "" {
			continue
		}
		t.Run(r.title(), func(t *testing.T) {
			m := r.make(t)
			err := m.Err()
			if (err != nil) != r.Constructor {
				t.Errorf("the constructor returns %v", err)
			}
			if err == nil {
				_, err = m.Run(r.inputs(t)...)
			}
			if err == nil || err.Error() != r.Error {
				t.Errorf("%v\nPyTorch says\n%s", err, r.Error)
			}
			if out := m.Forward(r.inputs(t)...); out.Err() == nil {
				t.Error("Forward does not fail")
			}
		})
	}
}
