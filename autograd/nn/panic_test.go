package nn_test

import (
	"reflect"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

// zeros returns zero values for all arguments of a function.
func zeros(f reflect.Type) []reflect.Value {
	var args []reflect.Value
	for i := range f.NumIn() {
		if f.IsVariadic() && i == f.NumIn()-1 {
			break
		}
		args = append(args, reflect.Zero(f.In(i)))
	}
	return args
}

func survives(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s panics: %v", name, r)
		}
	}()
	f()
}

func TestMethodsDoNotPanicWithoutAModuleOrArguments(t *testing.T) {
	quiet(t)
	for name, m := range map[string]func() *nn.Module{
		"nil":        func() *nn.Module { return nil },
		"zero":       func() *nn.Module { return new(nn.Module) },
		"failed":     func() *nn.Module { return nn.Linear(2, 2, autograd.Kw("bias", 3)) },
		"linear":     linear,
		"sequential": func() *nn.Module { return nn.Sequential(nil, linear()) },
		"list":       func() *nn.Module { return nn.ModuleList(nil, linear(), nil) },
	} {
		for i := range reflect.TypeFor[*nn.Module]().NumMethod() {
			method := reflect.TypeFor[*nn.Module]().Method(i)
			survives(t, name+"."+method.Name, func() {
				module := m()
				f := reflect.ValueOf(module).Method(i)
				f.Call(zeros(f.Type()))
				_, _ = module.Run(row(1, 2))
				_ = module.String()
			})
		}
	}
}

func TestConstructorsDoNotPanicWithoutArguments(t *testing.T) {
	quiet(t)
	for _, f := range []any{
		nn.Sequential, nn.SequentialOf, nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict, nn.New,
		nn.Uniform_, nn.Normal_, nn.TruncNormal_, nn.Constant_, nn.Ones_, nn.Zeros_, nn.Eye_, nn.XavierUniform_, nn.XavierNormal_,
		nn.KaimingUniform_, nn.KaimingNormal_, nn.Orthogonal_, nn.CalculateGain, nn.ClipGradNorm_, nn.ClipGradValue_,
	} {
		v := reflect.ValueOf(f)
		survives(t, v.Type().String(), func() { v.Call(zeros(v.Type())) })
	}
	for _, class := range nn.Classes() {
		for _, args := range [][]any{nil, {0}, {0, 0}, {0, 0, 0}, {-1, -1, -1}, {nil, nil}, {[]int{}}, {[]int{}, []int{}}, {1, 1, []int{}}} {
			survives(t, class, func() {
				m := nn.Make(class, args)
				_ = m.String()
				for _, x := range []*autograd.Tensor{nil, autograd.New(1.0), row(1, 2), autograd.Zeros([]int{0}), autograd.Zeros([]int{2, 0, 3})} {
					_, _ = m.Run(x)
					_, _ = m.Run(x, x)
					_, _ = m.Run(x, x, nil)
					_, _ = m.Run()
				}
			})
		}
	}
}
