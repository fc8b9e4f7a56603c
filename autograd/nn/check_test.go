package nn_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

// ramp returns a gradient of numbers that floats represent exactly.
func ramp(x *autograd.Tensor) *autograd.Tensor {
	list := make([]float64, x.Numel())
	for i := range list {
		list[i] = float64(i)*0.25 - 1
	}
	return autograd.FromFloat64s(list, x.Shape()...).To(x.DType())
}

func gradFn(t *testing.T, x *autograd.Tensor) *autograd.Node {
	t.Helper()
	fn, err := x.GradFn()
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// nodeNames counts the nodes below tensors by their names.
func nodeNames(t *testing.T, roots []*autograd.Tensor) map[string]int {
	t.Helper()
	names, seen := map[string]int{}, map[*autograd.Node]bool{}
	var todo []*autograd.Node
	for _, r := range roots {
		todo = append(todo, gradFn(t, r))
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		names[n.ClassName()]++
		for _, e := range n.NextFunctions() {
			todo = append(todo, e.Node)
		}
	}
	return names
}

// tree returns the graph below a node as nested calls.
func tree(n *autograd.Node) string {
	if n == nil {
		return "None"
	}
	var below []string
	for _, e := range n.NextFunctions() {
		text := tree(e.Node)
		if e.Input != 0 {
			text += fmt.Sprintf(":%d", e.Input)
		}
		below = append(below, text)
	}
	if below == nil {
		return n.ClassName()
	}
	return n.ClassName() + "(" + strings.Join(below, ", ") + ")"
}

// exact and nearly are tolerances. PyTorch sums with vectors and several
// accumulators, so sums may differ in the last bits.
const (
	exact  = 0
	nearly = 1e-6 // relative to the largest element
)

func checkNamed(t *testing.T, what string, want []namedRecord, have []nn.Named[*autograd.Tensor], tolerance float64) {
	t.Helper()
	if len(want) != len(have) {
		t.Errorf("%d %ss, PyTorch has %d", len(have), what, len(want))
		return
	}
	for i, w := range want {
		if have[i].Name != w.name {
			t.Errorf("%s %d is %s, in PyTorch %s", what, i, have[i].Name, w.name)
		}
		checkTensor(t, what+" "+w.name, w.tensor, have[i].Value, tolerance)
	}
}

func checkTensors(t *testing.T, what string, want []tensorRecord, have []*autograd.Tensor) {
	t.Helper()
	if len(want) != len(have) {
		t.Fatalf("%d %ss, PyTorch has %d", len(have), what, len(want))
	}
	for i, w := range want {
		checkTensor(t, fmt.Sprintf("%s %d", what, i), w, have[i], nearly)
	}
}

func checkTensor(t *testing.T, what string, want tensorRecord, have *autograd.Tensor, tolerance float64) {
	t.Helper()
	if err := have.Err(); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	meta := tensorRecord{Shape: have.Shape(), DType: have.DType().String(), RequiresGrad: have.RequiresGrad(), Version: version(t, have)}
	wanted := tensorRecord{want.Shape, want.DType, "", nil, want.RequiresGrad, want.Version}
	if diff := cmp.Diff(wanted, meta, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-PyTorch +here):\n%s", what, diff)
		return
	}
	var list []float64
	if want.DType == "int64" {
		for _, n := range want.Ints {
			list = append(list, float64(n))
		}
	} else {
		list = want.floats(t)
	}
	largest := 0.0
	for _, f := range list {
		largest = max(largest, math.Abs(f))
	}
	for i, f := range have.Detach().Float64s() {
		if !(math.Abs(f-list[i]) <= tolerance*largest) && !(f != f && list[i] != list[i]) {
			t.Errorf("%s: element %d is %v, in PyTorch %v", what, i, f, list[i])
			return
		}
	}
}

func version(t *testing.T, x *autograd.Tensor) int {
	t.Helper()
	v, err := x.Version()
	if err != nil {
		t.Fatal(err)
	}
	return v
}
