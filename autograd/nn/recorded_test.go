package nn_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

// A layerRecord is what PyTorch did with a layer (testdata/layers.py).
type layerRecord struct {
	Class  string
	Args   []json.RawMessage
	Kwargs map[string]json.RawMessage

	Type   string
	Repr   string
	Params []namedRecord
	State  []string

	Inputs, Outputs []tensorRecord
	Nodes           map[string]int
	Tree            string
	Grads           []*tensorRecord // of the inputs and the parameters
	Buffers         []namedRecord
	After           []int // versions of the parameters after the forward pass
	Eval            []tensorRecord

	Error string
	// Constructor says that it is the constructor that fails.
	Constructor bool
}

// A tensorRecord is a tensor; floats are written by their bits.
type tensorRecord struct {
	Shape        []int
	DType        string
	Bits         string
	Ints         []int64
	RequiresGrad bool `json:"requires_grad"`
	Version      int
}

// A namedRecord is a pair of a name and a tensor.
type namedRecord struct {
	name   string
	tensor tensorRecord
}

func (r *namedRecord) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&r.name, &r.tensor})
}

func (r layerRecord) title() string {
	var text strings.Builder
	text.WriteString(r.Class)
	for _, a := range r.Args {
		fmt.Fprintf(&text, " %s", a)
	}
	for _, name := range sortedKeys(r.Kwargs) {
		fmt.Fprintf(&text, " %s=%s", name, r.Kwargs[name])
	}
	return text.String()
}

func sortedKeys[T any](m map[string]T) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func readLayers(t *testing.T) []layerRecord {
	t.Helper()
	text, err := os.ReadFile("testdata/layers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var records []layerRecord
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r layerRecord
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return records
}

var dtypes = map[string]autograd.DType{"float32": autograd.Float32, "float64": autograd.Float64, "int64": autograd.Int64}

// tensor makes the recorded tensor.
func (r tensorRecord) tensor(t *testing.T) *autograd.Tensor {
	t.Helper()
	if r.Bits == "" && r.DType == "int64" {
		return autograd.FromInt64s(r.Ints, r.Shape...)
	}
	return autograd.FromFloat64s(r.floats(t), r.Shape...).To(dtypes[r.DType]).RequiresGrad_(r.RequiresGrad)
}

func (r tensorRecord) floats(t *testing.T) []float64 {
	t.Helper()
	raw, err := hex.DecodeString(r.Bits)
	if err != nil {
		t.Fatal(err)
	}
	var list []float64
	for len(raw) > 0 {
		size := dtypes[r.DType].Size()
		bits, err := strconv.ParseUint(hex.EncodeToString(raw[:size]), 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if size == 4 {
			list = append(list, float64(math.Float32frombits(uint32(bits))))
		} else {
			list = append(list, math.Float64frombits(bits))
		}
		raw = raw[size:]
	}
	return list
}

// argument reads an argument of a constructor.
func argument(t *testing.T, text json.RawMessage) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if _, object := v.(map[string]any); !object {
		return numbers(v)
	}
	var r tensorRecord
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if r.Shape == nil {
		return dtypes[r.DType]
	}
	return r.tensor(t)
}

// numbers turns JSON's numbers into ints and float64s.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	}
	return v
}

// make makes the layer as the recording did.
func (r layerRecord) make(t *testing.T) *nn.Module {
	t.Helper()
	if err := autograd.ManualSeed(0); err != nil {
		t.Fatal(err)
	}
	var args []any
	for _, a := range r.Args {
		args = append(args, argument(t, a))
	}
	var opts []autograd.Option
	for _, name := range sortedKeys(r.Kwargs) {
		opts = append(opts, autograd.Kw(name, argument(t, r.Kwargs[name])))
	}
	return nn.Make(r.Class, args, opts...)
}

func (r layerRecord) inputs(t *testing.T) []*autograd.Tensor {
	t.Helper()
	var inputs []*autograd.Tensor
	for _, in := range r.Inputs {
		inputs = append(inputs, in.tensor(t))
	}
	return inputs
}

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
	checkNamed(t, "buffer", r.Buffers, m.NamedBuffers(), close)
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
			t.Error("there is no graph")
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
			checkTensor(t, what, *want, have[i], close)
		}
	}
}

// ramp is a gradient of numbers that floats hold exactly.
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

// tree writes the graph below a node as nested calls.
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

// exact and close say how well numbers must agree. PyTorch adds up with vectors
// and several accumulators; sums may differ in the last bits.
const (
	exact = 0
	close = 1e-6 // of the largest element
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
		checkTensor(t, fmt.Sprintf("%s %d", what, i), w, have[i], close)
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
				t.Errorf("the constructor says %v", err)
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
