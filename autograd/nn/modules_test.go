package nn_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/autograd/optim"
)

// programs are the programs of tools/record/modules.py, in Go. They must show
// what PyTorch was recorded to show.
var programs = map[string]func() any{}

func TestProgramsShowWhatTheyShowInPyTorch(t *testing.T) {
	quiet(t)
	text, err := os.ReadFile("testdata/modules.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded map[string]string
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		t.Run(name, func(t *testing.T) {
			program := programs[name]
			if program == nil {
				t.Fatal("has no counterpart in Go")
			}
			seed(t, 0)
			if diff := cmp.Diff(recorded[name], show(program())); diff != "" {
				t.Errorf("(-PyTorch +here):\n%s", diff)
			}
		})
	}
	if len(programs) != len(recorded) {
		t.Errorf("%d programs, %d recorded", len(programs), len(recorded))
	}
}

type list = []any

// show formats a value as modules.py does.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "None"
	case list:
		return showAll(v)
	case []string:
		return showAll(v)
	case []bool:
		return showAll(v)
	case []float64:
		return showAll(v)
	case []*autograd.Tensor:
		return showAll(v)
	case error:
		if v == nil {
			return "None"
		}
		return v.Error()
	case bool:
		return autograd.BoolScalar(v).String()
	case float64:
		return autograd.FloatScalar(v).String()
	case autograd.DType:
		return "torch." + v.String()
	case *autograd.Tensor:
		if v == nil {
			return "None"
		}
		return v.String()
	}
	return fmt.Sprint(value)
}

func showAll[T any](values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = show(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// must returns the value of a call that must not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func do(err error) {
	if err != nil {
		panic(err)
	}
}

// failure returns the error of a call, or its result.
func failure[T any](v T, err error) any {
	if err != nil {
		return err
	}
	return v
}

// linear returns a layer of whole numbers: weight [[1, 2], [3, 4]], bias [5,
// 6].
func linear() *nn.Module {
	m := nn.Linear(2, 2)
	autograd.NoGrad(func() {
		do(m.Param("weight").Copy_(autograd.New([][]float64{{1, 2}, {3, 4}})))
		do(m.Param("bias").Copy_(autograd.New([]float64{5, 6})))
	})
	return m
}

func row(values ...float64) *autograd.Tensor {
	return autograd.New([][]float64{values}, autograd.RequiresGrad)
}

func parameter(values ...float64) *autograd.Tensor {
	return autograd.NewParameter(autograd.New(values), true)
}

func versionOf(x *autograd.Tensor) int { return must(x.Version()) }

func names[T any](values []nn.Named[T]) []string {
	out := []string{}
	for _, n := range values {
		out = append(out, n.Name)
	}
	return out
}

func init() {
	programs["shared_parameters_count_once"] = func() any {
		a, b := nn.Linear(2, 2), nn.Linear(2, 2)
		do(b.SetAttr("weight", a.Param("weight")))
		m := nn.Sequential(a, b, a)
		return list{
			names(m.NamedParameters()), len(m.Parameters()), m.StateDict().Names(),
			names(m.NamedModules()), names(m.NamedChildren()), len(m.Children()), m.Len(),
		}
	}
	programs["assignments"] = assignments
	programs["registrations"] = registrations
	programs["assignments_before_init"] = func() any {
		m := new(nn.Module)
		p := parameter(1)
		return list{m.SetAttr("p", p), m.SetAttr("child", nn.Tanh()), m.RegisterParameter("p", p), m.RegisterBuffer("b", nil, true)}
	}
	programs["modes_and_order"] = func() any {
		m := nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.Linear(1, 1), nn.Dropout(0.1)))
		var order []string
		m.Apply(func(m *nn.Module) { order = append(order, m.Class()) })
		training := func() []bool {
			var on []bool
			for _, c := range m.Modules() {
				on = append(on, c.Training())
			}
			return on
		}
		m.Eval()
		off := training()
		m.At(1).Train(true)
		on := training()
		m.RequiresGrad_(false)
		var requires []bool
		for _, p := range m.Parameters() {
			requires = append(requires, p.RequiresGrad())
		}
		return list{order, off, on, requires, must(m.Submodule("1.0"))}
	}
	programs["zeroing"] = func() any {
		m := linear()
		do(m.Forward(row(1, 2)).Sum().Backward())
		w := m.Param("weight")
		g := w.Grad()
		do(m.ZeroGrad(nn.SetToNone(false)))
		kept := list{w.Grad() == g, w.Grad(), versionOf(g)}
		do(m.ZeroGrad())
		return list{kept, w.Grad()}
	}
	programs["conversion"] = func() any {
		m := nn.BatchNorm1d(2)
		w := m.Param("weight")
		m.Double()
		same := list{m.Param("weight") == w, w.DType(), versionOf(w), m.Buffer("running_mean").DType(), m.Buffer("num_batches_tracked").DType()}
		return list{same, m.Float().Param("weight"), m.To(autograd.Int64).Err()}
	}
	programs["loading"] = loading
	programs["buffers"] = func() any {
		m := nn.New("Module", nil)
		do(m.RegisterBuffer("kept", autograd.New([]float64{1}), true))
		do(m.RegisterBuffer("fleeting", autograd.New([]float64{1, 1}), false))
		do(m.RegisterBuffer("empty", nil, true))
		before := list{names(m.NamedBuffers()), m.StateDict().Names()}
		do(m.SetAttr("empty", autograd.New([]float64{0})))
		return list{before, names(m.NamedBuffers()), m.StateDict().Names()}
	}
	programs["printing"] = func() any {
		inner := nn.SequentialOf(nn.Child("lin", nn.Linear(1, 2)), nn.Child("act", nn.ReLU()))
		return list{
			nn.Sequential(inner, nn.Flatten(), nn.Sequential()),
			nn.ModuleList(nn.Tanh(), nn.Tanh(), nn.Linear(1, 1), inner, nn.Tanh()),
			nn.ModuleList(),
			nn.ModuleDict(nn.Child("a", nn.Tanh()), nn.Child("b", inner)),
			nn.ParameterList(autograd.NewParameter(autograd.Ones([]int{2, 3}), true), autograd.NewParameter(autograd.New(1.0), true)),
			nn.ParameterDict(nn.Param("w", parameter(1, 1))),
			parameter(1, 2),
			autograd.NewParameter(autograd.New(1.0), false),
		}
	}
	programs["custom_modules"] = func() any {
		scale, lin := autograd.NewParameter(autograd.New(2.0), true), linear()
		m := nn.New("Custom", func(x ...*autograd.Tensor) *autograd.Tensor {
			return lin.Forward(x...).Mul(scale)
		}, nn.Param("scale", scale), nn.Child("lin", lin))
		m.SetExtraRepr(func() string { return "scale\ntwo lines" })
		y := m.Forward(row(1, 0))
		do(y.Sum().Backward())
		return list{m, y, scale.Grad(), names(m.NamedParameters())}
	}
	programs["containers"] = func() any {
		m := nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Tanh())
		m.Append(nn.Sigmoid())
		many := nn.ModuleList(nn.Tanh())
		many.Append(nn.ReLU())
		named := nn.ModuleDict(nn.Child("a", nn.Tanh()))
		return list{
			list{m.At(0).Class(), m.At(-1).Class(), m.Len()},
			m.At(4).Err(), m.At(-5).Err(), many.At(2).Err(),
			m.Slice(1, 3), many.Slice(1, many.Len()),
			many.Forward(row(1)).Err(), named.Key("b").Err(), named.Key("a"),
		}
	}
}

func assignments() any {
	m := linear()
	do(m.RegisterBuffer("seen", autograd.Zeros([]int{1}), true))
	do(m.SetAttr("child", nn.Tanh()))
	out := list{
		m.SetAttr("weight", autograd.Ones([]int{1})), m.SetAttr("weight", 3), m.SetAttr("weight", nil),
		m.SetAttr("child", 1.5), m.SetAttr("seen", "yes"), m.SetAttr("seen", autograd.Ones([]int{2})), m.SetAttr("note", "free"),
		failure(m.Attr("nope")), m.DelAttr("nope"), m.DelAttr("weight"), m.SetAttr("weight", autograd.Ones([]int{1})),
		must(m.Attr("weight")), must(m.Attr("seen")), must(m.Attr("note")),
		names(m.NamedParameters()), m.StateDict().Names(),
	}
	do(m.SetAttr("child", nil))
	do(m.SetAttr("bias", nil))
	return append(out, m, names(m.NamedModules())[1:])
}

func registrations() any {
	m := linear()
	do(m.SetAttr("note", 1))
	p := parameter(1)
	return list{
		m.RegisterParameter("a", autograd.Ones([]int{1})),
		m.RegisterParameter("a.b", p), m.RegisterParameter("", p), m.RegisterParameter("training", p),
		m.RegisterParameter("note", p), m.RegisterParameter("forward", p),
		m.RegisterBuffer("weight", autograd.Ones([]int{1}), true), m.RegisterBuffer("a.b", nil, true), m.RegisterBuffer("", nil, true),
		m.AddModule("a.b", nn.Tanh()), m.AddModule("", nn.Tanh()), m.AddModule("weight", nn.Tanh()),
		m.RegisterParameter("weight", p), m.Param("weight"),
		failure(m.Submodule("x.y")), failure(m.Submodule("weight")),
		nn.New("Module", nil).Forward(row(1)).Err(),
	}
}

func loading() any {
	m := nn.Sequential(linear(), nn.BatchNorm1d(2))
	state := m.StateDict()
	fresh := nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
	keys := must(fresh.LoadStateDict(state))
	weight := fresh.At(0).Param("weight")
	shared := m.At(0).Param("weight")
	before := versionOf(shared)
	autograd.NoGrad(func() { do(state.Get("0.weight").Add_(0)) })
	loaded := list{
		list{keys.Missing, keys.Unexpected}, weight, versionOf(weight), state.Names(),
		state.Get("0.weight").RequiresGrad(), versionOf(shared) == before+1,
	}
	entry := func(name string, t *autograd.Tensor) nn.Named[*autograd.Tensor] {
		return nn.Named[*autograd.Tensor]{Name: name, Value: t}
	}
	broken := slices.DeleteFunc(slices.Clone(state), func(n nn.Named[*autograd.Tensor]) bool { return n.Name == "1.bias" })
	broken = append(broken, entry("0.extra", autograd.Ones([]int{1})), entry("other", autograd.Ones([]int{1})))
	broken[0].Value = autograd.Ones([]int{3, 2})
	_, strict := fresh.LoadStateDict(broken)
	_, lax := fresh.LoadStateDict(broken, nn.Strict(false))
	partial := nn.StateDict{entry("0.bias", autograd.Zeros([]int{2})), entry("x", autograd.Ones([]int{1}))}
	some := must(fresh.LoadStateDict(partial, nn.Strict(false)))
	return list{loaded, strict, lax, list{some.Missing, some.Unexpected, fresh.At(0).Param("bias")}}
}

// graded returns parameters with gradients, except for the last one.
func graded() []*autograd.Tensor {
	params := []*autograd.Tensor{autograd.Zeros([]int{2}), autograd.Zeros([]int{3}), autograd.Zeros([]int{1})}
	do(params[0].SetGrad(autograd.New([]float64{3, -4})))
	do(params[1].SetGrad(autograd.New([]float64{0.5, 1.5, -2.5})))
	return params
}

func grads(params []*autograd.Tensor) []*autograd.Tensor {
	var out []*autograd.Tensor
	for _, p := range params {
		out = append(out, p.Grad())
	}
	return out
}

func init() {
	programs["clipping_norms"] = func() any {
		var out list
		for _, c := range [][2]float64{{1, 2}, {100, 2}, {1, math.Inf(1)}, {2, 1}} {
			params := graded()
			norm := must(nn.ClipGradNorm_(params, c[0], nn.NormType(c[1])))
			out = append(out, list{norm, grads(params), versionOf(params[0].Grad())})
		}
		params := graded()
		do(params[0].Grad().Select(0, 0).Fill_(math.NaN()))
		out = append(out, failure(nn.ClipGradNorm_(params, 1, nn.ErrorIfNonfinite)))
		return append(out, must(nn.ClipGradNorm_([]*autograd.Tensor{autograd.Zeros([]int{1})}, 1)))
	}
	programs["clipping_values"] = func() any {
		params := graded()
		do(nn.ClipGradValue_(params, 1))
		return list{grads(params), versionOf(params[0].Grad())}
	}
	programs["a_step_between_forward_and_a_second_backward"] = func() any {
		m := nn.Sequential(linear(), nn.Tanh(), linear())
		sgd := must(optim.NewSGD(m.Parameters(), optim.LR(0.1)))
		loss := m.Forward(row(1, -1)).Sum()
		do(loss.Backward(autograd.RetainGraph))
		do(sgd.Step())
		failure := loss.Backward()
		alone := linear()
		y := alone.Forward(autograd.Ones([]int{1, 2})).Sum()
		do(y.Backward(autograd.RetainGraph))
		do(must(optim.NewAdam(alone.Parameters())).Step())
		do(y.Backward())
		w := alone.Param("weight")
		return list{failure, w.Grad(), versionOf(w), w}
	}
	programs["initialisers"] = initialisers
	programs["orthogonal_initialisers"] = func() any {
		var out list
		for _, c := range []struct {
			shape []int
			gain  float64
		}{{[]int{2, 3}, 1}, {[]int{3, 2}, 2}, {[]int{2, 2, 2}, 1}} {
			do(autograd.ManualSeed(0))
			t := autograd.Zeros(c.shape)
			do(nn.Orthogonal_(t, nn.Gain(c.gain)))
			out = append(out, list{t, versionOf(t)})
		}
		return out
	}
	programs["bad_initialisers"] = func() any {
		line, t := autograd.Zeros([]int{2}), autograd.Zeros([]int{2, 3})
		var gains []float64
		for _, n := range []string{"linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"} {
			gains = append(gains, must(nn.CalculateGain(n, nil)))
		}
		return list{
			nn.XavierUniform_(line), nn.KaimingNormal_(line), nn.KaimingUniform_(t, nn.Mode("fan")), nn.KaimingUniform_(t, nn.Nonlinearity("swish")),
			nn.Eye_(line), nn.Orthogonal_(line), gains, must(nn.CalculateGain("leaky_relu", 0.5)),
		}
	}
}

func initialisers() any {
	var out list
	for _, f := range []func(t *autograd.Tensor) error{
		func(t *autograd.Tensor) error { return nn.Uniform_(t, -1, 2) },
		func(t *autograd.Tensor) error { return nn.Normal_(t, 1, 0.5) },
		func(t *autograd.Tensor) error { return nn.TruncNormal_(t, 0, 1, -0.5, 0.5) },
		func(t *autograd.Tensor) error { return nn.Constant_(t, 3.5) },
		nn.Ones_, nn.Zeros_, nn.Eye_,
		func(t *autograd.Tensor) error { return nn.XavierUniform_(t) },
		func(t *autograd.Tensor) error { return nn.XavierNormal_(t, nn.Gain(2)) },
		func(t *autograd.Tensor) error { return nn.KaimingUniform_(t, nn.A(0.5)) },
		func(t *autograd.Tensor) error {
			return nn.KaimingNormal_(t, nn.Mode("fan_out"), nn.Nonlinearity("relu"))
		},
	} {
		do(autograd.ManualSeed(0))
		t := autograd.Zeros([]int{2, 3})
		do(f(t))
		numbers := t.Float64s()
		out = append(out, list{list{numbers[:3], numbers[3:]}, versionOf(t)})
	}
	return out
}
