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

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

// A layerRecord is PyTorch's behaviour for a layer (tools/record/layers.py).
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
	Grads           []*tensorRecord // gradients of the inputs and the parameters
	Buffers         []namedRecord
	After           []int // versions of the parameters after the forward pass
	Eval            []tensorRecord

	Error string
	// Constructor says that the constructor fails.
	Constructor bool
}

// A tensorRecord is a tensor. Floats are recorded as their bits.
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

// numbers converts JSON numbers to ints and float64s.
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

// make makes the layer like the recorder.
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
