package pyeval

import (
	"errors"
	"math"
	"slices"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/autograd/optim"
)

func as(err error, e **autograd.Error) bool { return errors.As(err, e) }

// A module is the full name of a Python module.
type module string

// marker represents a class of torch from which programs derive.
type marker string

const (
	functionClass = marker("torch.autograd.Function")
	moduleClass   = marker("torch.nn.Module")
)

// torchNames are the names that recorded programs use without importing them.
var torchNames = map[string]any{
	"torch": module("torch"), "nn": module("torch.nn"), "F": module("torch.nn.functional"), "copy": module("torch.copy"),
	"Function": functionClass, "once_differentiable": &function{"once_differentiable", onceDifferentiable},
	"nan": math.NaN(), "inf": math.Inf(1),
}

var modules = []module{"torch.nn", "torch.nn.functional", "torch.autograd", "torch.optim", "torch.linalg", "torch.special"}

// torchValues are the members of modules that are not functions of the engine.
var torchValues = map[string]any{
	"torch.autograd.Function": functionClass,
	"torch.nn.Module":         moduleClass,
	"torch.no_grad":           contextFunction(func(any) func() { return restoring(autograd.SetGradEnabled, false) }),
	"torch.enable_grad":       contextFunction(func(any) func() { return restoring(autograd.SetGradEnabled, true) }),
	"torch.set_grad_enabled":  contextFunction(func(on any) func() { return restoring(autograd.SetGradEnabled, on == true) }),
	"torch.inference_mode":    contextFunction(func(on any) func() { return restoring(autograd.SetInferenceMode, on != false) }),
	"torch.autograd.set_detect_anomaly": &function{"set_detect_anomaly", func(args []any, _ []autograd.Option) (any, error) {
		autograd.SetDetectAnomaly(args[0] == true, true)
		return nil, nil
	}},
}

// dtypeNames are the names of dtypes in torch.
var dtypeNames = map[string]autograd.DType{
	"float32": autograd.Float32, "float": autograd.Float32, "float64": autograd.Float64, "double": autograd.Float64, "float16": autograd.Float16, "half": autograd.Float16,
	"bfloat16": autograd.BFloat16, "int8": autograd.Int8, "int16": autograd.Int16, "short": autograd.Int16, "int32": autograd.Int32, "int": autograd.Int32,
	"int64": autograd.Int64, "long": autograd.Int64, "uint8": autograd.UInt8, "bool": autograd.Bool,
}

func restoring(set func(bool) bool, on bool) (restore func()) {
	before := set(on)
	return func() { set(before) }
}

func contextFunction(enter func(arg any) (leave func())) *function {
	return &function{"context", func(args []any, opts []autograd.Option) (any, error) {
		var arg any
		if len(args) > 0 {
			arg = args[0]
		}
		return &contextManager{func() func() { return enter(arg) }}, nil
	}}
}

// attr returns a member of a module. Unknown names are resolved as functions of
// the engine, which returns an error if there is none.
func (m module) attr(name string) (any, error) {
	full := string(m) + "." + name
	if v, ok := torchValues[full]; ok {
		return v, nil
	}
	if d, ok := dtypeNames[name]; ok && m == "torch" {
		return d, nil
	}
	switch {
	case slices.Contains(modules, module(full)):
		return module(full), nil
	case full == "torch.nn.Sequential":
		return &function{name, func(args []any, _ []autograd.Option) (any, error) {
			layers := make([]*nn.Module, len(args))
			for i, arg := range args {
				layers[i], _ = arg.(*nn.Module)
			}
			return nn.Sequential(layers...), nil
		}}, nil
	case m == "torch.nn" && slices.Contains(nn.Classes(), name):
		return &function{name, func(args []any, opts []autograd.Option) (any, error) {
			layer := nn.Make(name, forEngine(args), engineOptions(opts)...)
			return layer, layer.Err()
		}}, nil
	case m == "torch.optim":
		return &function{name, func(args []any, opts []autograd.Option) (any, error) {
			if len(args) > 0 {
				args = append([]any{toParams(args[0])}, args[1:]...)
			}
			return optim.Make(name, args, engineOptions(opts)...)
		}}, nil
	}
	return &function{name, func(args []any, opts []autograd.Option) (any, error) {
		return autograd.CallFunction(full, forEngine(args), engineOptions(opts)...)
	}}, nil
}

// toEngine converts a value of the program to the engine's form.
func toEngine(v any) any {
	switch x := v.(type) {
	case *function:
		return &autograd.Callback{Name: x.name, Call: func(args []any) (any, error) {
			result, err := x.call(args, nil)
			return toEngine(result), err
		}}
	case []any:
		return forEngine(x)
	case autograd.Tuple:
		return autograd.Tuple(forEngine(x))
	}
	return v
}

func forEngine(values []any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = toEngine(v)
	}
	return out
}

func engineOptions(opts []autograd.Option) []autograd.Option {
	out := make([]autograd.Option, len(opts))
	for i, o := range opts {
		out[i] = autograd.Kw(o.Name, toEngine(o.Value))
	}
	return out
}

// toParams converts the dicts among the parameters of an optimizer to groups.
func toParams(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	params := slices.Clone(list)
	for i, p := range params {
		if d, ok := p.(*dict); ok {
			m := map[string]any{}
			for _, entry := range d.pairs {
				m[entry.key.(string)] = entry.value
			}
			params[i] = m
		}
	}
	return params
}

// optimizerAttr returns a method of an optimizer.
func optimizerAttr(o *optim.Optimizer, name string) (any, error) {
	methods := map[string]func(opts []autograd.Option) error{
		"step":      func([]autograd.Option) error { return o.Step() },
		"zero_grad": func(opts []autograd.Option) error { return o.ZeroGrad(opts...) },
	}
	if f, ok := methods[name]; ok {
		return &function{name, func(_ []any, opts []autograd.Option) (any, error) { return nil, f(opts) }}, nil
	}
	return nil, raised(autograd.AttributeError, "'%s' object has no attribute '%s'", o.Class(), name)
}

// moduleAttr returns an attribute of an nn.Module.
func moduleAttr(m *nn.Module, name string) (any, error) {
	methods := map[string]func(args []any) (any, error){
		"parameters": func([]any) (any, error) { return []any(tuple(m.Parameters())), nil },
		"zero_grad":  func([]any) (any, error) { return nil, m.ZeroGrad() },
		"train":      func([]any) (any, error) { return m.Train(true), nil },
		"eval":       func([]any) (any, error) { return m.Eval(), nil },
		"register_parameter": func(args []any) (any, error) {
			p, _ := args[1].(*autograd.Tensor)
			return nil, m.RegisterParameter(args[0].(string), p)
		},
		"load_state_dict": func(args []any) (any, error) {
			var s nn.StateDict
			for _, p := range args[0].(*dict).pairs {
				s = append(s, nn.Named[*autograd.Tensor]{Name: p.key.(string), Value: p.value.(*autograd.Tensor)})
			}
			_, err := m.LoadStateDict(s)
			return nil, err
		},
	}
	if f, ok := methods[name]; ok {
		return &function{name, func(args []any, _ []autograd.Option) (any, error) { return f(args) }}, nil
	}
	return m.Attr(name)
}

func callModule(m *nn.Module, args []any) (any, error) {
	inputs := make([]*autograd.Tensor, len(args))
	for i, arg := range args {
		inputs[i], _ = arg.(*autograd.Tensor)
	}
	outs, err := m.Run(inputs...)
	switch {
	case err != nil:
		return nil, err
	case len(outs) == 1:
		return outs[0], nil
	}
	return tuple(outs), nil
}

func tuple(ts []*autograd.Tensor) autograd.Tuple {
	out := make(autograd.Tuple, len(ts))
	for i, t := range ts {
		if t != nil {
			out[i] = t
		}
	}
	return out
}

// onceDifferentiable marks a backward as not differentiable.
func onceDifferentiable(args []any, _ []autograd.Option) (any, error) {
	return &function{"once_differentiable", args[0].(*function).call}, nil
}

// A functionContext is the ctx of a Function.
type functionContext struct{ ctx *autograd.FunctionCtx }

func (c *functionContext) attr(name string) (any, error) {
	methods := map[string]func(args []any) error{
		"save_for_backward": func(args []any) error { return c.ctx.SaveAnyForBackward(args...) },
		"mark_dirty":        func(args []any) error { c.ctx.MarkDirty(tensors(args)...); return nil },
		"mark_non_differentiable": func(args []any) error {
			c.ctx.MarkNonDifferentiable(tensors(args)...)
			return nil
		},
		"set_materialize_grads": func(args []any) error { c.ctx.SetMaterializeGrads(args[0] == true); return nil },
	}
	if f, ok := methods[name]; ok {
		return &function{name, func(args []any, _ []autograd.Option) (any, error) { return nil, f(args) }}, nil
	}
	if name == "saved_tensors" {
		ts, err := c.ctx.Saved()
		return tuple(ts), err
	}
	if v, ok := c.ctx.Attributes[name]; ok {
		return v, nil
	}
	return nil, raised(autograd.AttributeError, "'FnBackward' object has no attribute '%s'", name)
}

func tensors(values []any) []*autograd.Tensor {
	list := make([]*autograd.Tensor, len(values))
	for i, v := range values {
		list[i], _ = v.(*autograd.Tensor)
	}
	return list
}

// apply is Function.apply for a class of the program.
func (c *class) apply(args []any, _ []autograd.Option) (any, error) {
	several := false
	f := &autograd.Function{Name: c.name, Forward: func(ctx *autograd.FunctionCtx, inputs []*autograd.Tensor) ([]*autograd.Tensor, error) {
		given := []any{&functionContext{ctx}}
		for i := range inputs {
			given = append(given, ctx.Arg(i))
		}
		v, err := call(c.attrs["forward"], given, nil)
		if err != nil {
			return nil, err
		}
		list, isTuple := v.(autograd.Tuple)
		several = isTuple
		if !isTuple {
			list = autograd.Tuple{v}
		}
		return tensors(list), nil
	}}
	if backward, ok := c.attrs["backward"].(*function); ok {
		f.OnceDifferentiable = backward.name == "once_differentiable"
		f.Dynamic = func(ctx *autograd.FunctionCtx, grads []*autograd.Tensor) ([]any, error) {
			v, err := backward.call(append([]any{&functionContext{ctx}}, tuple(grads)...), nil)
			if list, ok := v.(autograd.Tuple); ok {
				return list, err
			}
			return []any{v}, err
		}
	}
	outs, err := f.Apply(forEngine(args)...)
	switch {
	case err != nil:
		return nil, err
	case several:
		return tuple(outs), nil
	}
	return outs[0], nil
}
