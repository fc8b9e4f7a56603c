package optim_test

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
)

// recorded is PyTorch's recorded behaviour (tools/record/optimizers.py). Floats
// are hexadecimal.
type recorded struct {
	Start     [][]string
	Shapes    [][]int
	Gradients [][][]string
	Cases     []optimizerCase
	Refused   []struct {
		Class   string
		Options []setting
		Error   string
	}
}

type optimizerCase struct {
	Name, Class, DType string
	Options            []setting
	Groups             [][]setting
	Repr               string
	Settings           [][]setting
	Steps              []stepRecord
}

type stepRecord struct {
	Step         int
	Params       [][]string
	Versions     []int
	GradVersions []*int `json:"grad_versions"`
	State        []paramRecord
}

type paramRecord struct {
	Param  int
	Values []valueRecord
}

type valueRecord struct {
	Name, DType string
	Version     int
	Data        []string
}

// A setting is a pair of a name and a value; whole numbers stay ints.
type setting [2]any

func (s setting) option() autograd.Option {
	return autograd.Kw(s[0].(string), value(s[1]))
}

func value(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		list := make([]float64, len(v))
		for i, x := range v {
			list[i], _ = x.(json.Number).Float64()
		}
		return list
	case string:
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f // nan
		}
	}
	return v
}

func options(list []setting) []autograd.Option {
	var opts []autograd.Option
	for _, s := range list {
		opts = append(opts, s.option())
	}
	return opts
}

func read(t *testing.T) recorded {
	t.Helper()
	file, err := os.Open("testdata/optimizers.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r recorded
	d := json.NewDecoder(file)
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// tensor makes a tensor of recorded numbers.
func tensor(t *testing.T, data []string, shape []int, dtype string) *autograd.Tensor {
	t.Helper()
	numbers := make([]float64, len(data))
	for i, s := range data {
		var err error
		if numbers[i], err = strconv.ParseFloat(s, 64); err != nil {
			t.Fatal(err)
		}
	}
	d := autograd.Float32
	if dtype == "float64" {
		d = autograd.Float64
	}
	return autograd.FromFloat64s(numbers, shape...).To(d)
}

// hexed formats the elements of a tensor as in the recording.
func hexed(x *autograd.Tensor) []string {
	var out []string
	for _, f := range x.Detach().Float64s() {
		out = append(out, strconv.FormatFloat(f, 'x', -1, 64))
	}
	return out
}

// plainHex formats recorded numbers as hexed does: Python pads the mantissa.
func plainHex(list []string) []string {
	var out []string
	for _, s := range list {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			out = append(out, s)
			continue
		}
		out = append(out, strconv.FormatFloat(f, 'x', -1, 64))
	}
	return out
}

func TestStepsAgreeWithPyTorchToTheLastBit(t *testing.T) {
	r := read(t)
	for _, c := range r.Cases {
		t.Run(c.Name+"/"+c.DType, func(t *testing.T) {
			params := make([]*autograd.Tensor, len(r.Start))
			for i, start := range r.Start {
				params[i] = tensor(t, start, r.Shapes[i], c.DType).RequiresGrad_(true)
			}
			o := newOptimizer(t, c, params)
			if diff := cmp.Diff(c.Repr, o.String()); diff != "" {
				t.Errorf("repr (-PyTorch +here):\n%s", diff)
			}
			checkSettings(t, c.Settings, o.StateDict())
			steps := c.Steps
			for n, grads := range r.Gradients {
				for i, p := range params {
					var g *autograd.Tensor
					if grads[i] != nil {
						g = tensor(t, grads[i], r.Shapes[i], c.DType)
					}
					if err := p.SetGrad(g); err != nil {
						t.Fatal(err)
					}
				}
				if err := o.Step(); err != nil {
					t.Fatal(err)
				}
				if len(steps) == 0 || steps[0].Step != n+1 {
					continue
				}
				if diff := cmp.Diff(normalise(steps[0]), observe(t, n+1, o, params)); diff != "" {
					t.Fatalf("after step %d (-PyTorch +here):\n%s", n+1, diff)
				}
				steps = steps[1:]
			}
			if len(steps) > 0 {
				t.Errorf("%d recorded steps were not reached", len(steps))
			}
		})
	}
}

// newOptimizer makes the optimizer of a case. If there are several groups, each
// has one parameter.
func newOptimizer(t *testing.T, c optimizerCase, params []*autograd.Tensor) *optim.Optimizer {
	t.Helper()
	groups := []optim.Group{{Params: params}}
	if len(c.Groups) > 1 {
		groups = nil
		for i, g := range c.Groups {
			groups = append(groups, optim.Group{Params: params[i : i+1], Settings: options(g)})
		}
	}
	o, err := optim.New(c.Class, groups, options(c.Options)...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func checkSettings(t *testing.T, want [][]setting, s optim.StateDict) {
	t.Helper()
	for i, group := range want {
		if diff := cmp.Diff(options(group), s.Groups[i].Settings); diff != "" {
			t.Errorf("settings of group %d (-PyTorch +here):\n%s", i, diff)
		}
	}
}

func observe(t *testing.T, step int, o *optim.Optimizer, params []*autograd.Tensor) stepRecord {
	t.Helper()
	r := stepRecord{Step: step}
	for _, p := range params {
		r.Params = append(r.Params, hexed(p))
		r.Versions = append(r.Versions, version(t, p))
		if g := p.Grad(); g != nil {
			v := version(t, g)
			r.GradVersions = append(r.GradVersions, &v)
		} else {
			r.GradVersions = append(r.GradVersions, nil)
		}
	}
	for _, s := range o.StateDict().State {
		p := paramRecord{Param: s.Param}
		for _, v := range s.Values {
			p.Values = append(p.Values, valueRecord{v.Name, v.Tensor.DType().String(), version(t, v.Tensor), hexed(v.Tensor)})
		}
		r.State = append(r.State, p)
	}
	return r
}

// normalise converts a record to the form of observe.
func normalise(r stepRecord) stepRecord {
	params := make([][]string, len(r.Params))
	for i, p := range r.Params {
		params[i] = plainHex(p)
	}
	r.Params = params
	var state []paramRecord
	for _, p := range r.State {
		q := paramRecord{Param: p.Param}
		for _, v := range p.Values {
			v.Data = plainHex(v.Data)
			q.Values = append(q.Values, v)
		}
		state = append(state, q)
	}
	r.State = state
	return r
}

func version(t *testing.T, x *autograd.Tensor) int {
	t.Helper()
	v, err := x.Version()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestConstructorsRefuseWhatPyTorchRefuses(t *testing.T) {
	for _, c := range read(t).Refused {
		p := autograd.New([]float64{1}, autograd.RequiresGrad)
		_, err := optim.New(c.Class, []optim.Group{{Params: []*autograd.Tensor{p}}}, options(c.Options)...)
		if err == nil {
			t.Errorf("%s %v is accepted", c.Class, c.Options)
		} else if err.Error() != c.Error {
			t.Errorf("%s %v: %q, PyTorch says %q", c.Class, c.Options, err, c.Error)
		}
	}
}
