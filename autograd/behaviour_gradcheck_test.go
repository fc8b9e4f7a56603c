package autograd_test

import (
	"strings"

	. "github.com/gradtui/gradtui/autograd"
)

// point returns a float64 leaf that requires grad.
func point(values ...float64) *Tensor { return New(values, WithDType(Float64), RequiresGrad) }

// unary converts a function of one tensor to the form of GradCheck.
func unary(f func(x *Tensor) *Tensor) func(in []*Tensor) []*Tensor {
	return func(in []*Tensor) []*Tensor { return list(f(in[0])) }
}

var sin = unary(func(x *Tensor) *Tensor { return x.Sin() })

// squareWith returns x*x with a backward, and possibly a jvp, that are to be
// checked.
func squareWith(backward, jvp func(ctx *FunctionCtx, x []*Tensor) any) func(in []*Tensor) []*Tensor {
	f := pyFunction{backward: backward, jvp: jvp, forward: func(ctx *FunctionCtx, x []*Tensor) any {
		ctx.SaveForBackward(x[0])
		ctx.SetMaterializeGrads(false)
		return x[0].Mul(x[0])
	}}
	return unary(func(x *Tensor) *Tensor { return f.apply(x) })
}

// slope returns the derivative of x*x.
func slope(ctx *FunctionCtx) *Tensor { return get(ctx.Saved())[0].Mul(2) }

// defined calls a backward for gradients that are defined.
func defined(backward func(ctx *FunctionCtx, g *Tensor) *Tensor) func(ctx *FunctionCtx, g []*Tensor) any {
	return func(ctx *FunctionCtx, g []*Tensor) any {
		if g[0] == nil {
			return nil
		}
		return backward(ctx, g[0])
	}
}

func gradcheck(f func(in []*Tensor) []*Tensor, in []*Tensor, o GradCheckOptions) any {
	do(GradCheck(f, in, o))
	return true
}

func gradgradcheck(f func(in []*Tensor) []*Tensor, in, grads []*Tensor, o GradCheckOptions) any {
	do(GradGradCheck(f, in, grads, o))
	return true
}

var gradcheckCases = map[string]func() any{
	"right_derivatives": func() any {
		x, w := point(0.5, -1.25), point(2.5)
		both := func(in []*Tensor) []*Tensor { return list(in[0].Mul(in[1]), in[0].Add(in[1])) }
		return []any{
			gradcheck(sin, list(x), GradCheckOptions{}),
			gradcheck(sin, list(x), GradCheckOptions{Forward: true}),
			gradcheck(both, list(x, w), GradCheckOptions{Eps: 1e-4, ATol: 1e-3, RTol: 1e-2}),
			gradcheck(func(in []*Tensor) []*Tensor { return list(in[0].Mul(in[1])) }, list(x, w.Detach()), GradCheckOptions{}),
			gradgradcheck(sin, list(x), nil, GradCheckOptions{}),
			gradgradcheck(sin, list(x), list(point(0.5, 0.25)), GradCheckOptions{}),
			gradgradcheck(sin, list(x), nil, GradCheckOptions{Forward: true}),
			gradgradcheck(sin, list(x), nil, GradCheckOptions{Forward: true, SkipBackward: true}),
			x.Grad(),
		}
	},
	"wrong_derivatives": func() any {
		x := point(0.5, -1.25)
		half := squareWith(defined(func(ctx *FunctionCtx, g *Tensor) *Tensor { return g.Mul(slope(ctx)).Div(2) }), nil)
		constant := squareWith(defined(func(ctx *FunctionCtx, g *Tensor) *Tensor { return g.Mul(slope(ctx).Detach()) }), nil)
		forward := squareWith(
			defined(func(ctx *FunctionCtx, g *Tensor) *Tensor { return g.Mul(slope(ctx)) }),
			func(_ *FunctionCtx, t []*Tensor) any { return t[0].Mul(3) },
		)
		check := func(f func(in []*Tensor) []*Tensor, in []*Tensor, o GradCheckOptions) string {
			return raised(func() any { return gradcheck(f, in, o) })
		}
		return []any{
			check(half, list(x), GradCheckOptions{}),
			check(func(in []*Tensor) []*Tensor { return list(in[0].Mul(2), half(in)[0]) }, list(x), GradCheckOptions{}),
			check(func(in []*Tensor) []*Tensor { return list(in[0].Mul(half(in[1:])[0])) }, list(x, point(0.5, 0.75)), GradCheckOptions{}),
			check(forward, list(x), GradCheckOptions{Forward: true}),
			check(forward, list(x), GradCheckOptions{Forward: true, SkipBackward: true}),
			gradcheck(constant, list(x), GradCheckOptions{}),
			raised(func() any { return gradgradcheck(constant, list(x), list(point(1, 1)), GradCheckOptions{}) }),
		}
	},
	"what_gradcheck_refuses": func() any {
		x := point(0.5, -1.25)
		check := func(f func(in []*Tensor) []*Tensor, in ...*Tensor) string {
			return raised(func() any { return gradcheck(f, in, GradCheckOptions{}) })
		}
		return []any{
			check(sin, x.Detach()),
			check(sin, point(0.5).Expand([]int{3})),
			check(unary(func(x *Tensor) *Tensor { return x.Detach().Mul(2) }), x),
			check(unary(func(*Tensor) *Tensor { return ones(2) }), x),
			check(func(in []*Tensor) []*Tensor { return list(in[0].Heaviside(in[1])) }, x, x),
		}
	},
	"single_precision": func() any {
		return gradcheck(unary(func(x *Tensor) *Tensor { return x.Mul(2) }), list(leaf(0.5, -1.25)), GradCheckOptions{Eps: 0.25})
	},
	"backward_that_ignores_its_argument": func() any {
		total := pyFunction{
			forward:  func(_ *FunctionCtx, x []*Tensor) any { return x[0].Sum() },
			backward: func(*FunctionCtx, []*Tensor) any { return Ones([]int{2}, WithDType(Float64)) },
		}
		return raised(func() any {
			return gradcheck(unary(func(x *Tensor) *Tensor { return total.apply(x) }), list(point(0.5, -1.25)), GradCheckOptions{})
		})
	},
	"backward_that_changes_its_mind": func() any {
		calls := 0
		fickle := squareWith(func(ctx *FunctionCtx, g []*Tensor) any {
			calls++
			return g[0].Mul(slope(ctx)).Mul(calls)
		}, nil)
		text := raised(func() any { return gradcheck(fickle, list(point(0.5, -1.25)), GradCheckOptions{}) })
		first, _, _ := strings.Cut(text, "\n")
		return first
	},
	"backward_that_wants_a_gradient": func() any {
		wants := squareWith(func(ctx *FunctionCtx, g []*Tensor) any {
			if g[0] == nil {
				do(&Error{Type: RuntimeError, Text: "no gradient"})
			}
			return g[0].Mul(slope(ctx))
		}, nil)
		return []any{
			raised(func() any { return gradcheck(wants, list(point(0.5, -1.25)), GradCheckOptions{}) }),
			gradcheck(wants, list(point(0.5)), GradCheckOptions{SkipUndefined: true}),
		}
	},
	"backward_that_makes_up_a_gradient": func() any {
		makes := squareWith(func(ctx *FunctionCtx, g []*Tensor) any {
			if g[0] == nil {
				return slope(ctx)
			}
			return g[0].Mul(slope(ctx))
		}, nil)
		return raised(func() any { return gradcheck(makes, list(point(0.5, -1.25)), GradCheckOptions{}) })
	},
}
