package optim_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
	"github.com/gradtui/gradtui/graph"
)

func leaf(values ...float64) *autograd.Tensor {
	return autograd.New(values, autograd.RequiresGrad)
}

func list(ts ...*autograd.Tensor) []*autograd.Tensor { return ts }

// must returns the optimizer of a constructor that must not fail.
func must(o *optim.Optimizer, err error) *optim.Optimizer {
	if err != nil {
		panic(err)
	}
	return o
}

func TestParametersThatCannotBeOptimizedAreRefused(t *testing.T) {
	shared := leaf(1)
	failed := leaf(1, 2).Add(leaf(1, 2, 3))
	for _, c := range []struct {
		name   string
		groups []optim.Group
		want   string
	}{
		{"none", nil, "ValueError: optimizer got an empty parameter list"},
		{"no parameters", []optim.Group{{}}, "ValueError: optimizer got an empty parameter list"},
		{"nil", []optim.Group{{Params: list(nil)}}, "TypeError: optimizer can only optimize Tensors, but one of the params is NoneType"},
		{"non-leaf", []optim.Group{{Params: list(leaf(1).Mul(2))}}, "ValueError: can't optimize a non-leaf Tensor"},
		{"twice", []optim.Group{{Params: list(shared)}, {Params: list(shared)}}, "ValueError: some parameters appear in more than one parameter group"},
		{"a tensor that failed", []optim.Group{{Params: list(failed)}}, failed.Err().Error()},
		{
			"a setting of the wrong type",
			[]optim.Group{{Params: list(leaf(1)), Settings: []autograd.Option{autograd.Kw("lr", "fast")}}},
			"TypeError: SGD: setting 'lr' must be float, not str",
		},
		{
			"another implementation",
			[]optim.Group{{Params: list(leaf(1)), Settings: []autograd.Option{autograd.Kw("foreach", true)}}},
			"NotImplementedError: SGD: foreach=True is not supported by this engine; leave it out",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := optim.New("SGD", c.groups)
			if err == nil || err.Error() != c.want || o != nil {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	for _, betas := range []any{0.5, []float64{0.5}, "half", nil} {
		o := must(optim.NewAdam(list(leaf(1))))
		if err := o.Groups()[0].Set(autograd.Kw("betas", betas)); err == nil {
			t.Errorf("betas=%v is accepted", betas)
		}
	}
	if _, err := optim.New("LBFGS", nil); err == nil || err.Error() != "AttributeError: module 'torch.optim' has no attribute 'LBFGS'" {
		t.Error(err)
	}
	retained := leaf(1).Mul(2)
	if err := retained.RetainGrad(); err != nil {
		t.Fatal(err)
	}
	if _, err := optim.NewSGD(list(retained)); err != nil {
		t.Errorf("a tensor that retains its gradient: %v", err)
	}
}

func TestGroupsThatWereTakenApartFailInTheStep(t *testing.T) {
	for name, spoil := range map[string]func(g *optim.Group){
		"no settings":   func(g *optim.Group) { g.Settings = nil },
		"a nil param":   func(g *optim.Group) { g.Params[0] = nil },
		"half the beta": func(g *optim.Group) { g.Get("betas").([]float64)[0] = 2; g.Settings[1].Value = []float64{1} },
	} {
		p := leaf(1)
		if err := p.SetGrad(autograd.New([]float64{1})); err != nil {
			t.Fatal(err)
		}
		o := must(optim.NewAdam(list(p)))
		spoil(o.Groups()[0])
		if err := o.Step(); err == nil {
			t.Errorf("%s: the step does not fail", name)
		}
		if o.String() == "" {
			t.Errorf("%s: nothing is printed", name)
		}
	}
}

func TestOneGroupWithAParameterTwiceWarns(t *testing.T) {
	var warnings []string
	before := autograd.OnWarning
	autograd.OnWarning = func(w autograd.Warning) { warnings = append(warnings, w.Category+": "+w.Text) }
	defer func() { autograd.OnWarning = before }()
	p := leaf(1)
	o := must(optim.NewSGD(list(p, p), optim.LR(0.5), optim.Momentum(0.5)))
	want := "[UserWarning: optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see github.com/pytorch/pytorch/issues/40967 for more information]"
	if fmt.Sprint(warnings) != want {
		t.Errorf("%v", warnings)
	}
	if err := p.SetGrad(autograd.New([]float64{1})); err != nil {
		t.Fatal(err)
	}
	if err := o.Step(); err != nil {
		t.Fatal(err)
	}
	// Two updates of -0.5, each with a new buffer; the second buffer stays.
	if got := p.Detach().String(); got != "tensor([0.])" {
		t.Errorf("p = %s", got)
	}
	if s := o.StateDict(); fmt.Sprint(s.Groups[0].Params) != "[1 1]" || s.State[0].Param != 1 {
		t.Errorf("%+v", s)
	}
}

func TestGradientsAreZeroedOrRemoved(t *testing.T) {
	p, q := leaf(1, 2), leaf(3)
	o := must(optim.NewSGD(list(p, q)))
	if err := p.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	g := p.Grad().RequiresGrad_(true)
	if err := o.ZeroGrad(optim.SetToNone(false)); err != nil {
		t.Fatal(err)
	}
	if p.Grad() != g || p.Grad().String() != "tensor([0., 0.])" || q.Grad() != nil {
		t.Errorf("p.grad %v, q.grad %v: want the same tensor, of zeros that require no grad, and None", p.Grad(), q.Grad())
	}
	if err := o.ZeroGrad(); err != nil || p.Grad() != nil {
		t.Errorf("p.grad %v, %v: want None", p.Grad(), err)
	}
	if err := o.ZeroGrad(autograd.Kw("to_none", true)); err == nil {
		t.Error("an unknown option is accepted")
	}
}

func TestClosureRunsWithGradModeOnAndItsFailureStopsTheStep(t *testing.T) {
	p := leaf(2)
	o := must(optim.NewSGD(list(p), optim.LR(0.25)))
	autograd.NoGrad(func() {
		loss, err := o.StepWith(func() (*autograd.Tensor, error) {
			loss := p.Pow(2).Sum()
			return loss, loss.Backward()
		})
		if err != nil || loss.Float() != 4 || p.Float() != 1 {
			t.Errorf("loss %v, p %v, %v", loss, p, err)
		}
		if autograd.GradEnabled() {
			t.Error("the step turned grad mode on")
		}
	})
	broken := errors.New("no data")
	if _, err := o.StepWith(func() (*autograd.Tensor, error) { return nil, broken }); !errors.Is(err, broken) || p.Float() != 1 {
		t.Errorf("%v, p %v", err, p)
	}
}

func TestSettingsOfGroupsCanBeChanged(t *testing.T) {
	p, q := leaf(1), leaf(1)
	o := must(optim.NewSGD(list(p), optim.LR(0.5)))
	if err := o.AddParamGroup(optim.Group{Params: list(q), Settings: []autograd.Option{optim.LR(0.25)}}); err != nil {
		t.Fatal(err)
	}
	groups := o.Groups()
	if err := groups[0].Set(optim.LR(0.125), optim.WeightDecay(1)); err != nil {
		t.Fatal(err)
	}
	for _, x := range list(p, q) {
		if err := x.SetGrad(autograd.New([]float64{1})); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Step(); err != nil {
		t.Fatal(err)
	}
	if p.Float() != 0.75 || q.Float() != 0.75 || groups[1].LR() != 0.25 || groups[0].Get("weight_decay") != 1.0 {
		t.Errorf("p %v, q %v, groups %v %v", p, q, groups[0].Settings, groups[1].Settings)
	}
	if err := groups[0].Set(autograd.Kw("nesterov", 1)); err == nil {
		t.Error("a number is accepted for a bool")
	}
}

func TestStateMovesToAnotherOptimizer(t *testing.T) {
	train := func(p *autograd.Tensor, o *optim.Optimizer) {
		t.Helper()
		if err := p.SetGrad(p.Detach().Mul(2)); err != nil {
			t.Fatal(err)
		}
		if err := o.Step(); err != nil {
			t.Fatal(err)
		}
	}
	p := leaf(1, -3)
	first := must(optim.NewAdam(list(p), optim.LR(0.1), optim.AMSGrad))
	train(p, first)
	q := p.Detach().Clone().RequiresGrad_(true)
	second := must(optim.NewAdam(list(q)))
	if err := second.LoadStateDict(first.StateDict()); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("%s", second)
	}
	if first.State(p)[1].Tensor != second.State(q)[1].Tensor {
		t.Error("the state is copied; PyTorch shares it when the dtypes agree")
	}
	wide := p.Detach().To(autograd.Float64).RequiresGrad_(true)
	third := must(optim.NewAdam(list(wide)))
	if err := third.LoadStateDict(first.StateDict()); err != nil {
		t.Fatal(err)
	}
	var dtypes []string
	for _, v := range third.State(wide) {
		dtypes = append(dtypes, v.Name+" "+v.Tensor.DType().String())
	}
	if got, want := strings.Join(dtypes, ", "), "step float32, exp_avg float64, exp_avg_sq float64, max_exp_avg_sq float64"; got != want {
		t.Errorf("state: %s, want %s", got, want)
	}
	for _, c := range []struct {
		o    *optim.Optimizer
		want string
	}{
		{must(optim.New("SGD", []optim.Group{{Params: list(leaf(1))}, {Params: list(leaf(1))}})), "ValueError: loaded state dict has a different number of parameter groups"},
		{must(optim.NewSGD(list(leaf(1), leaf(1)))), "ValueError: loaded state dict contains a parameter group that doesn't match the size of optimizer's group"},
	} {
		if err := c.o.LoadStateDict(first.StateDict()); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestAStepIsOneSpanOnTheTape(t *testing.T) {
	p, idle := leaf(1, 2), leaf(5)
	o := must(optim.NewSGD(list(p, idle), optim.Momentum(0.9)))
	if err := p.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	if err := o.Step(); err != nil {
		t.Fatal(err)
	}
	if err := o.ZeroGrad(); err != nil {
		t.Fatal(err)
	}
	for _, problem := range graph.Validate(tape, 5) {
		t.Error(problem)
	}
	var story []string
	for pos := range tape.Len() {
		_, e, err := tape.At(pos)
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case *graph.OptimizerStepped:
			story = append(story, fmt.Sprintf("%s done=%v %d", tape.String(e.Optimizer), e.Done, len(e.Params)))
		case *graph.OpRan:
			story = append(story, tape.String(e.Op))
		case *graph.GradsZeroed:
			story = append(story, fmt.Sprintf("%s zeroed none=%v %d", tape.String(e.By), e.SetToNone, len(e.Params)))
		case *graph.ModeChanged:
			story = append(story, "mode")
		}
	}
	want := "SGD done=false 1, clone, detach, add_, SGD done=true 1, SGD zeroed none=true 2"
	if got := strings.Join(story, ", "); got != want {
		t.Errorf("the tape says\n%s\nwant\n%s", got, want)
	}
}

func TestMethodsDoNotPanicWithoutAnOptimizerOrArguments(t *testing.T) {
	for name, receiver := range map[string]any{
		"no optimizer": (*optim.Optimizer)(nil), "zero optimizer": new(optim.Optimizer), "optimizer": must(optim.NewAdam(list(leaf(1)))),
		"no group": (*optim.Group)(nil), "zero group": new(optim.Group),
	} {
		v := reflect.ValueOf(receiver)
		for i := range v.NumMethod() {
			f := v.Method(i)
			var args []reflect.Value
			for n := range f.Type().NumIn() {
				if !f.Type().IsVariadic() || n < f.Type().NumIn()-1 {
					args = append(args, reflect.Zero(f.Type().In(n)))
				}
			}
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: %s panics: %v", name, v.Type().Method(i).Name, r)
					}
				}()
				f.Call(args)
			}()
		}
	}
}
