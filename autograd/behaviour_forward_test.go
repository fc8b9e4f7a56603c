package autograd_test

import . "github.com/gradtui/gradtui/autograd"

// unpackedDual shows a dual number without its history.
func unpackedDual(t *Tensor) any {
	primal, tangent := UnpackDual(t)
	return Tuple{primal.Detach(), tangent}
}

func tangent(t *Tensor) *Tensor {
	_, d := UnpackDual(t)
	return d
}

// level runs f with forward mode on.
func level(f func()) {
	do(EnterDualLevel())
	defer func() { do(ExitDualLevel()) }()
	f()
}

// inLevel shows the result or the error of f with forward mode on.
func inLevel(f func() any) string {
	return raised(func() (v any) {
		level(func() { v = show(f()) })
		return v
	})
}

func arange(n int) *Tensor { return Arange(float64(n)) }

var forwardCases = map[string]func() any{
	"making_and_unpacking": func() any {
		x := leaf()
		var seen []any
		var d, y *Tensor
		level(func() {
			d = MakeDual(x, ones(3))
			p, t := UnpackDual(d)
			seen = []any{nil, p.Detach(), t, meta(d), p.IsView()}
			y = d.Mul(2)
		})
		seen[0] = show(d)
		return append(seen, tangent(y))
	},
	"wrong_duals": func() any {
		integers := Ones([]int{3}, WithDType(Int64))
		dual := func(primal, tangent *Tensor) string {
			return inLevel(func() any { return MakeDual(primal, tangent) })
		}
		return []any{
			raised(func() any { return MakeDual(ones(3), ones(3)) }),
			inLevel(func() any { do(EnterDualLevel()); return nil }),
			dual(integers, ones(3)),
			dual(ones(3), integers),
			dual(ones(3), ones(2)),
			inLevel(func() any { return MakeDual(MakeDual(ones(3), ones(3)), ones(3)) }),
			inLevel(func() any { return MakeDual(ones(3), MakeDual(ones(3), ones(3))) }),
		}
	},
	"operators": func() any {
		var seen []any
		level(func() {
			d := MakeDual(New([]float64{1, 2, 3}), New([]float64{1, 10, 100}))
			for _, t := range list(
				d.Mul(d), d.Add(1), d.Sum(), d.Exp(), d.Index(1), d.View([]int{3, 1}), d.Div(2), d.Pow(2),
			) {
				seen = append(seen, tangent(t))
			}
		})
		return seen
	},
	"tangents_that_are_dropped_or_kept": func() any {
		var seen []any
		level(func() {
			d := MakeDual(ones(3), arange(3))
			for _, t := range list(
				d.Detach(), d.Data(), d.Clone(), d.Double(), d.To(Float32), NewParameter(d, true), d.DeepCopy(),
			) {
				seen = append(seen, tangent(t))
			}
			NoGrad(func() { seen = append(seen, tangent(d.Mul(2))) })
			var y *Tensor
			InferenceMode(func() { y = d.Mul(2) })
			seen = append(seen, tangent(y), tangent(d.Gt(0.5)))
		})
		return seen
	},
	"changes_in_place": func() (seen any) {
		level(func() {
			d := MakeDual(ones(3), arange(3))
			b := ones(3)
			do(b.Mul_(d))
			t := tangent(b)
			do(b.Mul_(2))
			same := tangent(b) == t
			c := ones(3)
			do(c.Copy_(d))
			do(d.Zero_())
			seen = Tuple{same, unpackedDual(b), unpackedDual(c), unpackedDual(d)}
		})
		return seen
	},
	"changes_of_views": func() any {
		var seen []any
		level(func() {
			note := func(ts ...*Tensor) {
				for _, t := range ts {
					seen = append(seen, show(unpackedDual(t)))
				}
			}
			b := zeros(3)
			v := b.Index(0)
			do(v.Mul_(3))
			do(v.Add_(MakeDual(New(2.0), New(5.0))))
			note(b, v, b.Index(1))
			b = MakeDual(ones(3), arange(3))
			v = b.Index(1)
			do(v.Mul_(3))
			note(b, v)
			y := MakeDual(ones(3), arange(3)).Mul(1)
			v = y.Index(1)
			do(v.Zero_())
			do(y.Add_(1))
			note(y, v)
		})
		return seen
	},
	"forward_over_reverse": func() any {
		x := leaf(1, 2)
		var seen []any
		level(func() {
			d := MakeDual(x, New([]float64{1, 0}))
			g := get(Grad(list(d.Exp().Mul(d).Sum()), list(x)))[0]
			seen = append(seen, unpackedDual(g))
			do(d.Pow(3).Sum().Backward())
			seen = append(seen, unpackedDual(x.Grad()))
			h := get(Grad(list(d.Mul(d).Mul(d).Sum()), list(x)))[0]
			seen = append(seen, unpackedDual(h))
		})
		return seen
	},
	"reverse_over_forward": func() any {
		x := leaf(1, 2)
		var t *Tensor
		level(func() {
			d := MakeDual(x, New([]float64{1, 10}))
			t = tangent(d.Mul(d).Mul(d))
		})
		return Tuple{t.Detach(), t.RequiresGrad(), get(Grad(list(t.Sum()), list(x)))}
	},
	"jvp": func() any {
		x := New([]float64{1, 2})
		one := func(f func(in []*Tensor) []*Tensor) any {
			outs, tangents, err := ForwardJVP(f, list(x), list(ones(2)))
			do(err)
			return Tuple{outs[0], tangents[0]}
		}
		outs, tangents, err := ForwardJVP(func(in []*Tensor) []*Tensor {
			return list(in[0].Mul(in[1]), in[0].Add(in[1]))
		}, list(x, x.Add(1)), list(ones(2), arange(2)))
		do(err)
		return []any{
			one(func(in []*Tensor) []*Tensor { return list(in[0].Pow(2)) }),
			one(func(in []*Tensor) []*Tensor { return list(ones(2)) }),
			Tuple{outs, tangents},
		}
	},
	"functions": func() any {
		run := func(f pyFunction, more ...any) string {
			return inLevel(func() any {
				d := MakeDual(ones(2), New([]float64{1, 10}))
				return unpackedDual(f.apply(append([]any{d}, more...)...))
			})
		}
		return []any{
			run(pyFunction{
				forward: func(ctx *FunctionCtx, x []*Tensor) any {
					ctx.SaveForBackward(x[0])
					return x[0].Mul(x[0]).Mul(ctx.Arg(1))
				},
				jvp: func(ctx *FunctionCtx, t []*Tensor) any {
					return get(ctx.Saved())[0].Mul(2).Mul(t[0]).Mul(ctx.Arg(1))
				},
			}, 3),
			run(pyFunction{forward: timesTwo}),
			run(pyFunction{forward: func(_ *FunctionCtx, x []*Tensor) any { return Tuple{x[0].Mul(2), x[0].Mul(3)} }, jvp: same}),
			run(pyFunction{forward: timesTwo, jvp: func(*FunctionCtx, []*Tensor) any { return ones(5) }}),
			run(pyFunction{forward: func(ctx *FunctionCtx, x []*Tensor) any {
				y := x[0].Gt(0)
				ctx.MarkNonDifferentiable(y)
				return y
			}, jvp: same}),
			run(pyFunction{forward: identity, jvp: same}),
			run(pyFunction{forward: identity, jvp: func(_ *FunctionCtx, t []*Tensor) any { return t[0].ViewAs(t[0]) }}),
			run(pyFunction{forward: addOne, jvp: timesTwo}),
			run(pyFunction{forward: addOne, jvp: func(_ *FunctionCtx, t []*Tensor) any { return inPlace(t[0], t[0].Mul_(2)) }}),
			run(pyFunction{forward: addOne, jvp: func(_ *FunctionCtx, t []*Tensor) any { return inPlace(t[0], t[0].Mul_(2)).Mul(1) }}),
		}
	},
	"arguments_without_tangent": func() any {
		var seen []any
		jvp := func(_ *FunctionCtx, t []*Tensor) any {
			seen = append(seen, tuple(t))
			return t[0]
		}
		product := func(_ *FunctionCtx, x []*Tensor) any { return x[0].Mul(x[1]) }
		bare := func(ctx *FunctionCtx, x []*Tensor) any {
			ctx.SetMaterializeGrads(false)
			return x[0].Mul(x[1])
		}
		level(func() {
			d := MakeDual(ones(2), arange(2))
			pyFunction{forward: product, jvp: jvp}.apply(d, ones(2))
			pyFunction{forward: bare, jvp: jvp}.apply(d, ones(2))
			pyFunction{forward: bare, jvp: jvp}.apply(ones(2), ones(2))
		})
		return seen
	},
	"nodes_of_duals": func() (seen any) {
		x := leaf()
		level(func() {
			d := MakeDual(x, ones(3))
			seen = Tuple{gradFn(d).ClassName(), tree(d.Mul(2))}
		})
		return seen
	},
	"operators_without_forward_mode": func() (seen any) {
		x, index := ones(3), New([]int{0, 1, 2})
		level(func() {
			with := func(f func(d *Tensor) error) string {
				return raisedBy(func() error { return f(MakeDual(ones(3), ones(3))) })
			}
			seen = []any{
				with(func(d *Tensor) error { return d.Nextafter(x).Err() }),
				with(func(d *Tensor) error { return d.Nextafter_(x) }),
				with(func(d *Tensor) error { return d.Asinh_() }),
				with(func(d *Tensor) error { return d.IndexReduce_(0, index, x, "prod") }),
				with(func(d *Tensor) error { return d.Heaviside(x).Err() }),
				with(func(d *Tensor) error { return d.Heaviside_(x) }),
				with(func(d *Tensor) error { _, err := Call("aminmax", []any{d}); return err }),
				with(func(d *Tensor) error { _, err := Call("unique", []any{d}); return err }),
				with(func(d *Tensor) error { _, err := Call("unique_consecutive", []any{d}); return err }),
				with(func(d *Tensor) error { _, err := Call("rrelu_", []any{d}); return err }),
			}
		})
		return seen
	},
}
