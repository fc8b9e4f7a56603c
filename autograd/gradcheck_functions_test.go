package autograd_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
)

// Functions defined by a program, with their own backward and jvp.

// cube saves its argument.
var cube = &Function{
	Name: "Cube",
	Forward: func(ctx *FunctionCtx, x []*Tensor) ([]*Tensor, error) {
		ctx.SaveForBackward(x[0])
		return list(x[0].Pow(3)), nil
	},
	Backward: func(ctx *FunctionCtx, g []*Tensor) ([]*Tensor, error) {
		x, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		return list(g[0].Mul(x[0].Pow(2)).Mul(3)), nil
	},
	JVP: func(ctx *FunctionCtx, t []*Tensor) ([]*Tensor, error) {
		x, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		return list(t[0].Mul(x[0].Pow(2)).Mul(3)), nil
	},
}

// exponential saves its result.
var exponential = &Function{
	Name: "Exponential",
	Forward: func(ctx *FunctionCtx, x []*Tensor) ([]*Tensor, error) {
		y := x[0].Exp()
		ctx.SaveForBackward(y)
		return list(y), nil
	},
	Backward: func(ctx *FunctionCtx, g []*Tensor) ([]*Tensor, error) {
		y, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		return list(g[0].Mul(y[0])), nil
	},
	JVP: func(ctx *FunctionCtx, t []*Tensor) ([]*Tensor, error) {
		y, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		return list(t[0].Mul(y[0])), nil
	},
}

// polar has two arguments, two results, and a non-tensor argument. Its backward
// distinguishes undefined gradients from zeros.
var polar = &Function{
	Name: "Polar",
	Forward: func(ctx *FunctionCtx, x []*Tensor) ([]*Tensor, error) {
		ctx.SaveForBackward(x[0], x[1])
		ctx.SetMaterializeGrads(false)
		scale := ctx.Arg(2).(float64)
		return list(x[0].Mul(x[1].Cos()).Mul(scale), x[0].Mul(x[1].Sin()).Mul(scale)), nil
	},
	Backward: func(ctx *FunctionCtx, g []*Tensor) ([]*Tensor, error) {
		x, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		scale := ctx.Arg(2).(float64)
		grads := make([]*Tensor, 3)
		add := func(i int, term *Tensor) {
			if term = term.Mul(scale); grads[i] != nil {
				term = grads[i].Add(term)
			}
			grads[i] = term
		}
		if g[0] != nil {
			add(0, g[0].Mul(x[1].Cos()))
			add(1, g[0].Mul(x[0]).Mul(x[1].Sin()).Neg())
		}
		if g[1] != nil {
			add(0, g[1].Mul(x[1].Sin()))
			add(1, g[1].Mul(x[0]).Mul(x[1].Cos()))
		}
		return grads, nil
	},
	JVP: func(ctx *FunctionCtx, t []*Tensor) ([]*Tensor, error) {
		x, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		scale := ctx.Arg(2).(float64)
		var dx, dy *Tensor
		if t[0] != nil {
			dx, dy = t[0].Mul(x[1].Cos()), t[0].Mul(x[1].Sin())
		}
		if t[1] != nil {
			turn := t[1].Mul(x[0])
			x, y := turn.Mul(x[1].Sin()).Neg(), turn.Mul(x[1].Cos())
			if dx != nil {
				x, y = x.Add(dx), y.Add(dy)
			}
			dx, dy = x, y
		}
		return list(dx.Mul(scale), dy.Mul(scale)), nil
	},
}

// tripled changes its argument and its tangent in place.
var tripled = &Function{
	Name: "Tripled",
	Forward: func(ctx *FunctionCtx, x []*Tensor) ([]*Tensor, error) {
		ctx.MarkDirty(x[0])
		return x[:1], x[0].Mul_(3)
	},
	Backward: func(_ *FunctionCtx, g []*Tensor) ([]*Tensor, error) { return list(g[0].Mul(3)), nil },
	JVP: func(_ *FunctionCtx, t []*Tensor) ([]*Tensor, error) {
		return t[:1], t[0].Mul_(3)
	},
}

// turned returns a view of its argument.
var turned = &Function{
	Name:     "Turned",
	Forward:  func(_ *FunctionCtx, x []*Tensor) ([]*Tensor, error) { return list(x[0].T()), nil },
	Backward: func(_ *FunctionCtx, g []*Tensor) ([]*Tensor, error) { return list(g[0].T()), nil },
	JVP:      func(_ *FunctionCtx, t []*Tensor) ([]*Tensor, error) { return list(t[0].T()), nil },
}

// largest returns the largest element and, without a gradient, its index.
var largest = &Function{
	Name: "Largest",
	Forward: func(ctx *FunctionCtx, x []*Tensor) ([]*Tensor, error) {
		at := x[0].Argmax()
		ctx.MarkNonDifferentiable(at)
		ctx.SaveForBackward(at)
		ctx.Attributes["shape"] = x[0].Shape()
		return list(x[0].Flatten().IndexSelect(0, at), at), nil
	},
	Backward: func(ctx *FunctionCtx, g []*Tensor) ([]*Tensor, error) {
		at, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		shape := ctx.Attributes["shape"].([]int)
		whole := Zeros([]int{shape[0] * shape[1]}, WithDType(Float64))
		return list(whole.IndexAdd(0, at[0], g[0].View([]int{1})).View(shape)), nil
	},
	JVP: func(ctx *FunctionCtx, t []*Tensor) ([]*Tensor, error) {
		at, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		return list(t[0].Flatten().IndexSelect(0, at[0]), nil), nil
	},
}

func TestFunctionsOfProgramsPassTheGradientCheck(t *testing.T) {
	matrix := func() *Tensor {
		return New([][]float64{{0.3, -1.1, 0.7}, {1.6, -0.4, 0.9}}, WithDType(Float64), RequiresGrad)
	}
	row := func() *Tensor { return point(0.8, -0.6, 1.2) }
	tests := []struct {
		name string
		f    func(in []*Tensor) []*Tensor
		in   []*Tensor
	}{
		{"a saved argument", unary(func(x *Tensor) *Tensor { return cube.Call(x) }), list(matrix())},
		{"a saved result", unary(func(x *Tensor) *Tensor { return exponential.Call(x) }), list(matrix())},
		{"several arguments and results", func(in []*Tensor) []*Tensor { return get(polar.Apply(in[0], in[1], 1.5)) }, list(row(), point(0.1, 0.2, -0.3))},
		{"an argument without gradient", func(in []*Tensor) []*Tensor { return get(polar.Apply(in[0], in[1], 1.5)) }, list(row().Detach(), point(0.1, 0.2, -0.3))},
		{"one of several results", func(in []*Tensor) []*Tensor { return get(polar.Apply(in[0], in[1], 1.5))[1:] }, list(row(), point(0.1, 0.2, -0.3))},
		{"a change in place", unary(func(x *Tensor) *Tensor { return tripled.Call(x.Sin()).Exp() }), list(matrix())},
		{"a change of a view in place", unary(func(x *Tensor) *Tensor {
			base := x.Sin()
			return base.Add(tripled.Call(base.Select(0, 1)))
		}), list(matrix())},
		{"a view", unary(func(x *Tensor) *Tensor { return turned.Call(x).Exp() }), list(matrix())},
		{"a result without gradient", func(in []*Tensor) []*Tensor { return get(largest.Apply(in[0].Mul(in[0]))) }, list(matrix())},
		{"functions of functions", unary(func(x *Tensor) *Tensor { return cube.Call(exponential.Call(turned.Call(cube.Call(x)))) }), list(matrix())},
		{"one argument at three places", unary(func(x *Tensor) *Tensor { return cube.Call(x).Mul(exponential.Call(x)).Add(x.Mul(cube.Call(x))) }), list(matrix())},
		{"a broadcast argument", func(in []*Tensor) []*Tensor {
			return list(in[0].Mul(cube.Call(in[1])), exponential.Call(in[0].Sub(in[1])).Sum())
		}, list(matrix(), row())},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := GradCheckOptions{Forward: true}
			if err := GradCheck(test.f, test.in, o); err != nil {
				t.Errorf("gradient: %v", err)
			}
			if err := GradGradCheck(test.f, test.in, nil, o); err != nil {
				t.Errorf("second derivative: %v", err)
			}
		})
	}
}

func TestFunctionsThatCannotBeDifferentiatedSaySo(t *testing.T) {
	once := *cube
	once.OnceDifferentiable = true
	reverse := *cube
	reverse.JVP = nil
	f := func(f *Function) func(in []*Tensor) []*Tensor {
		return unary(func(x *Tensor) *Tensor { return f.Call(x) })
	}
	in := list(point(0.8, -0.6))
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"once differentiable, once", GradCheck(f(&once), in, GradCheckOptions{Forward: true}), ""},
		{"once differentiable, twice", twice(f(&once), in[0]), "trying to differentiate twice a function that was marked with @once_differentiable"},
		{"no jvp, backward", GradCheck(f(&reverse), in, GradCheckOptions{}), ""},
		{"no jvp, forward mode", GradCheck(f(&reverse), in, GradCheckOptions{Forward: true}), "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."},
	}
	for _, test := range tests {
		if (test.err == nil) != (test.want == "") || test.err != nil && !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v, not %q", test.name, test.err, test.want)
		}
	}
}

// twice differentiates a function of x twice.
func twice(f func(in []*Tensor) []*Tensor, x *Tensor) error {
	g, err := Grad(f(list(x)), list(x), GradOutputs(point(1, 1)), CreateGraph)
	if err != nil {
		return err
	}
	return g[0].Sum().Backward()
}

func ExampleGradCheck() {
	wrong := &Function{
		Name:     "Double",
		Forward:  func(_ *FunctionCtx, x []*Tensor) ([]*Tensor, error) { return []*Tensor{x[0].Mul(2)}, nil },
		Backward: func(_ *FunctionCtx, g []*Tensor) ([]*Tensor, error) { return []*Tensor{g[0].Mul(3)}, nil },
	}
	x := New([]float64{1}, WithDType(Float64), RequiresGrad)
	fmt.Print(GradCheck(func(in []*Tensor) []*Tensor { return []*Tensor{wrong.Call(in[0])} }, []*Tensor{x}, GradCheckOptions{}))
	// Output:
	// GradcheckError: Jacobian mismatch for output 0 with respect to input 0,
	// numerical:tensor([[2.0000]], dtype=torch.float64)
	// analytical:tensor([[3.]], dtype=torch.float64)
}
