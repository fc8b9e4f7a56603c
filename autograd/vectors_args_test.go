package autograd

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"
)

// The recorded operator vectors of testdata/ops. This file builds the arguments
// of a case. The README there describes the format.

type vectorCase struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Fn       string         `json:"fn"`
	Args     []any          `json:"args"`
	Kwargs   map[string]any `json:"kwargs"`
	NoGrad   bool           `json:"no_grad"`
	NoValues bool           `json:"no_values"`
	Result   map[string]any `json:"result"`
}

// arguments holds the arguments of a case. Tensors are numbered in order of
// appearance.
type arguments struct {
	args    []any
	kwargs  []Option
	tensors []*Tensor
	leaves  map[int]*Tensor
	dual    bool
	err     error
}

func buildArguments(c *vectorCase, dual bool) *arguments {
	a := &arguments{leaves: map[int]*Tensor{}, dual: dual}
	for _, arg := range c.Args {
		a.args = append(a.args, a.value(arg))
	}
	names := make([]string, 0, len(c.Kwargs))
	for name := range c.Kwargs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		a.kwargs = append(a.kwargs, Kw(name, a.value(c.Kwargs[name])))
	}
	return a
}

func (a *arguments) value(v any) any {
	switch v := v.(type) {
	case json.Number:
		return plainNumber(v)
	case []any:
		return a.list(v)
	case map[string]any:
		return a.tagged(v)
	}
	return v
}

func plainNumber(n json.Number) any {
	if !strings.ContainsAny(string(n), ".eE") {
		if i, err := n.Int64(); err == nil {
			return int(i)
		}
		if u, err := parseUint(string(n)); err == nil {
			return u
		}
	}
	f, _ := n.Float64()
	return f
}

// list converts a list of tensors or ints to the Go type that operators take.
func (a *arguments) list(items []any) any {
	values := make([]any, len(items))
	tensors, ints := len(items) > 0, true
	for i, item := range items {
		values[i] = a.value(item)
		_, isTensor := values[i].(*Tensor)
		_, isInt := values[i].(int)
		tensors, ints = tensors && isTensor, ints && isInt
	}
	switch {
	case tensors:
		ts := make([]*Tensor, len(values))
		for i, v := range values {
			ts[i] = v.(*Tensor)
		}
		return ts
	case ints:
		is := make([]int, len(values))
		for i, v := range values {
			is[i] = v.(int)
		}
		return is
	}
	return values
}

func (a *arguments) tagged(m map[string]any) any {
	for key, v := range m {
		switch key {
		case "t":
			return a.tensor(v.(map[string]any))
		case "ref":
			return a.tensors[plainNumber(v.(json.Number)).(int)]
		case "tuple":
			tuple := Tuple{}
			for _, item := range v.([]any) {
				tuple = append(tuple, a.value(item))
			}
			return tuple
		case "slice":
			parts := v.([]any)
			return Slice{a.value(parts[0]), a.value(parts[1]), a.value(parts[2])}
		case "ellipsis":
			return Ellipsis
		case "dtype":
			return namedDType(v.(string))
		case "f":
			return specialFloat(v.(string))
		case "call":
			return a.call(v.(map[string]any))
		}
	}
	return fmt.Sprintf("unknown argument %v", m)
}

func namedDType(name string) DType {
	for d := Float32; d <= Bool; d++ {
		if d.String() == name {
			return d
		}
	}
	return 0
}

func specialFloat(s string) float64 {
	switch s {
	case "nan":
		return math.NaN()
	case "inf":
		return math.Inf(1)
	default:
		return math.Inf(-1)
	}
}

func (a *arguments) tensor(m map[string]any) *Tensor {
	t := recordedTensor(m)
	n := len(a.tensors)
	a.tensors = append(a.tensors, t)
	if m["requires_grad"] != true {
		return t
	}
	a.leaves[n] = t
	if a.dual {
		t = MakeDual(t, direction(n, t))
	} else if err := t.SetRequiresGrad(true); err != nil {
		a.err = err
	}
	if m["leaf"] == false {
		t = t.Mul(1)
	}
	a.tensors[n] = t
	return t
}

// recordedTensor makes a tensor from its recorded form.
func recordedTensor(m map[string]any) *Tensor {
	d := namedDType(m["dtype"].(string))
	sizes := intsOf(m["shape"])
	values, ok := m["values"].([]any)
	if ok {
		t := alloc(d, sizes)
		for i, v := range values {
			t.setElement(i, scalarOf(v))
		}
		return t
	}
	values = m["storage_values"].([]any)
	base := alloc(d, []int{len(values)})
	for i, v := range values {
		base.setElement(i, scalarOf(v))
	}
	offset := 0
	if o, ok := m["offset"].(json.Number); ok {
		offset = plainNumber(o).(int)
	}
	t := base.shallow(sizes, intsOf(m["strides"]), offset)
	t.st.aliased = false
	return t
}

func intsOf(v any) []int {
	list, _ := v.([]any)
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = plainNumber(x.(json.Number)).(int)
	}
	return out
}

func scalarOf(v any) Scalar {
	switch v := v.(type) {
	case json.Number:
		s, _ := toScalar(plainNumber(v))
		if u, err := parseUint(string(v)); err == nil {
			s = IntScalar(int64(u))
		}
		return s
	case string:
		return FloatScalar(specialFloat(v))
	case bool:
		return BoolScalar(v)
	}
	return Scalar{}
}

func parseUint(s string) (u uint64, err error) {
	_, err = fmt.Sscanf(s+"\n", "%d\n", &u)
	if strings.ContainsAny(s, ".eE-") {
		err = fmt.Errorf("not an unsigned integer")
	}
	return u, err
}

func (a *arguments) call(m map[string]any) any {
	var args []any
	for _, arg := range m["args"].([]any) {
		args = append(args, a.value(arg))
	}
	outs, _, err := callNamed(m["fn"].(string), args, nil)
	if err != nil {
		a.err = err
		return nil
	}
	i := 0
	if item, ok := m["item"].(json.Number); ok {
		i = plainNumber(item).(int)
	}
	a.tensors = append(a.tensors, outs[i])
	return outs[i]
}

// cotangent and direction return the fixed weights of the recording.
func cotangent(result int, t *Tensor) *Tensor {
	return weights(t, func(k int) float64 {
		w := float64((5*k+3*result)%7+1) / 4
		if (k+result)%3 == 1 {
			w = -w
		}
		return w
	})
}

func direction(n int, t *Tensor) *Tensor {
	return weights(t, func(k int) float64 {
		w := float64((3*k+5*n)%8+1) / 8
		if (k+n)%4 == 2 {
			w = -w
		}
		return w
	})
}

func weights(t *Tensor, f func(k int) float64) *Tensor {
	w := alloc(t.dtype, t.sizes)
	for k := range w.Numel() {
		w.setElement(k, FloatScalar(f(k)))
	}
	return w
}

// callNamed runs a function by its recorded name. value is the result of a
// function that does not return tensors.
func callNamed(fn string, args []any, kwargs []Option) (outs []*Tensor, value any, err error) {
	if f, ok := plainFunctions[fn]; ok {
		value, err = f(args)
		if ts, ok := value.([]*Tensor); ok {
			return ts, nil, err
		}
		return nil, value, err
	}
	name := fn[strings.LastIndexByte(fn, '.')+1:]
	var op *Operator
	ok := false
	for _, prefix := range namePrefixes[fn[:len(fn)-len(name)]] {
		if op, ok = Lookup(prefix + name); ok {
			break
		}
	}
	if !ok {
		return nil, nil, errNoOperator
	}
	if strings.HasPrefix(fn, "Tensor.") {
		outs, err = op.CallMethod(args, kwargs...)
	} else {
		outs, err = op.Call(args, kwargs...)
	}
	switch {
	case err != nil && asError(err).Code == CodeOperand:
		return nil, object{"repr": "NotImplementedType"}, nil
	case err == nil && op.ops[0].schema.Returns[0] == "bool":
		value, err = outs[0].Truth()
		return nil, value, err
	}
	return outs, nil, err
}

var errNoOperator = fmt.Errorf("no such operator in the table")

// namePrefixes maps the namespaces of PyTorch to name prefixes in the table.
var namePrefixes = map[string][]string{
	"torch.":                {""},
	"torch.linalg.":         {"linalg_"},
	"torch.special.":        {"special_"},
	"torch.nn.utils.":       {"nn_utils_"},
	"F.":                    {"nn_functional_", ""},
	"Tensor.":               {""},
	"prop.":                 {""},
	"torch.autograd.":       {"autograd_"},
	"torch.autograd.graph.": {""},
}

func dtypeJSON(d DType) any { return object{"dtype": d.String()} }

func optional(t *Tensor) any {
	if t == nil {
		return nil
	}
	return []*Tensor{t}
}

func pythonNumber(s Scalar, err error) (any, error) {
	switch {
	case err != nil:
		return nil, err
	case s.IsFloat():
		return s.Float(), nil
	case s.IsBool():
		return s.Bool(), nil
	default:
		return int(s.Int()), nil
	}
}
