package autograd_test

import . "github.com/gradtui/gradtui/autograd"

// A pyFunction is a torch.autograd.Function in the form of the cases: forward
// and backward are functions of ctx and the arguments.
type pyFunction struct {
	name     string
	forward  func(ctx *FunctionCtx, x []*Tensor) any // a tensor or a Tuple
	backward func(ctx *FunctionCtx, g []*Tensor) any // a value or a Tuple
	jvp      func(ctx *FunctionCtx, t []*Tensor) any
	once     bool
}

// values returns the items of the result of a Python function.
func values(v any) []any {
	if t, ok := v.(Tuple); ok {
		return t
	}
	return []any{v}
}

// asTensors converts the items to tensors. For a non-tensor it raises the error
// that ctx raises.
func asTensors(v any) []*Tensor {
	var ts []*Tensor
	for _, x := range values(v) {
		t, _ := x.(*Tensor)
		ts = append(ts, t)
	}
	return ts
}

func (p pyFunction) function() *Function {
	name := p.name
	if name == "" {
		name = "Fn"
	}
	f := &Function{Name: name, OnceDifferentiable: p.once}
	f.Forward = func(ctx *FunctionCtx, x []*Tensor) (outs []*Tensor, err error) {
		defer func() { err = errorOf(recover(), err) }()
		return asTensors(p.forward(ctx, x)), nil
	}
	if p.backward != nil {
		f.Dynamic = func(ctx *FunctionCtx, g []*Tensor) (out []any, err error) {
			defer func() { err = errorOf(recover(), err) }()
			return values(p.backward(ctx, g)), nil
		}
	}
	if p.jvp != nil {
		f.JVP = func(ctx *FunctionCtx, t []*Tensor) (out []*Tensor, err error) {
			defer func() { err = errorOf(recover(), err) }()
			return asTensors(p.jvp(ctx, t)), nil
		}
	}
	return f
}

func (p pyFunction) apply(args ...any) *Tensor { return get(p.function().Apply(args...))[0] }

func (p pyFunction) all(args ...any) []*Tensor { return get(p.function().Apply(args...)) }

func same(_ *FunctionCtx, g []*Tensor) any { return g[0] }

func squareForward(ctx *FunctionCtx, x []*Tensor) any {
	ctx.SaveForBackward(x[0])
	return x[0].Mul(x[0])
}

func squareBackward(ctx *FunctionCtx, g []*Tensor) any {
	return get(ctx.Saved())[0].Mul(2).Mul(g[0])
}

var (
	square     = pyFunction{name: "Square", forward: squareForward, backward: squareBackward}
	squareOnce = pyFunction{name: "Square", forward: squareForward, backward: squareBackward, once: true}
)

func timesTwo(_ *FunctionCtx, x []*Tensor) any { return x[0].Mul(2) }

func addOne(ctx *FunctionCtx, x []*Tensor) any {
	do(x[0].Add_(1))
	ctx.MarkDirty(x[0])
	return x[0]
}

func timesTen(_ *FunctionCtx, g []*Tensor) any { return g[0].Mul(10) }

func identity(_ *FunctionCtx, x []*Tensor) any { return x[0] }

func savedTensors(t *Tensor) any { return get(Attr(gradFn(t), "saved_tensors")) }

var functionCases = map[string]func() any{
	"results": func() any {
		x := leaf(3)
		y := square.apply(x)
		seen := []any{y, meta(y), gradFn(y).Name(), tree(y), show(savedTensors(y))}
		do(y.Backward())
		return append(seen, x.Grad(), tryBackward(y), raised(func() any { return savedTensors(y) }), meta(square.apply(ones(1))))
	},
	"function_under_no_grad": func() any {
		x := leaf(3)
		var y, z *Tensor
		NoGrad(func() {
			y = square.apply(x)
			z = pyFunction{forward: identity, backward: same}.apply(x)
		})
		return Tuple{meta(y), meta(z), z == x}
	},
	"second_derivative": func() any {
		x := leaf(3)
		g := get(Grad(list(square.apply(x)), list(x), CreateGraph))[0]
		return Tuple{g, tree(g), get(Grad(list(g), list(x)))}
	},
	"once_differentiable_functions": func() any {
		x, w := leaf(3), leaf(1)
		g := get(Grad(list(squareOnce.apply(x)), list(x), CreateGraph))[0]
		h := get(Grad(list(squareOnce.apply(x).Mul(w)), list(x), CreateGraph))[0]
		return Tuple{g, meta(g), h, tree(h), gradFn(h).Name(), tryBackward(h)}
	},
	"nothing_saved": func() any {
		x := leaf(3)
		plusOne := func(_ *FunctionCtx, x []*Tensor) any { return x[0].Add(1) }
		y := pyFunction{forward: plusOne, backward: same}.apply(x)
		do(y.Backward())
		do(y.Backward())
		z := pyFunction{forward: plusOne, backward: func(ctx *FunctionCtx, g []*Tensor) any {
			get(ctx.Saved())
			return g[0]
		}}.apply(x)
		do(z.Backward())
		return Tuple{x.Grad(), tryBackward(z)}
	},
	"arguments_that_are_no_tensors": func() any {
		var seen []any
		needs := func(ctx *FunctionCtx) {
			seen = append(seen, Tuple{ctx.NeedsInputGrad(0), ctx.NeedsInputGrad(1), ctx.NeedsInputGrad(2), ctx.NeedsInputGrad(3)})
		}
		f := pyFunction{
			forward: func(ctx *FunctionCtx, x []*Tensor) any {
				ctx.Attributes["k"] = ctx.Arg(1)
				needs(ctx)
				return x[0].Mul(ctx.Arg(1)).Add(x[2])
			},
			backward: func(ctx *FunctionCtx, g []*Tensor) any {
				needs(ctx)
				return Tuple{g[0].Mul(ctx.Attributes["k"]), nil, nil, nil}
			},
		}
		x := leaf(1)
		z := f.apply(x, 5, ones(1), nil)
		do(z.Backward())
		return Tuple{seen, x.Grad(), tree(z)}
	},
	"wrong_gradients": func() any {
		of := func(arguments int, backward func(ctx *FunctionCtx, g []*Tensor) any) string {
			return raised(func() any {
				xs := make([]any, arguments)
				for i := range xs {
					xs[i] = leaf()
				}
				do(pyFunction{forward: timesTwo, backward: backward}.apply(xs...).Sum().Backward())
				var grads []any
				for _, x := range xs {
					grads = append(grads, x.(*Tensor).Grad())
				}
				return grads
			})
		}
		return []any{
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return g[0] }),
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return Tuple{g[0], g[0], g[0]} }),
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return Tuple{g[0], g[0], nil} }),
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return Tuple{ones(2, 2), g[0]} }),
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return Tuple{ones(2, 3), g[0]} }),
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return Tuple{1.0, g[0]} }),
			of(2, func(_ *FunctionCtx, g []*Tensor) any { return Tuple{nil, g[0]} }),
			of(1, func(_ *FunctionCtx, g []*Tensor) any { return nil }),
			of(1, func(_ *FunctionCtx, g []*Tensor) any { return []any{g[0]} }),
			of(1, func(_ *FunctionCtx, g []*Tensor) any { return g[0].Double() }),
			of(1, nil),
			raised(func() any {
				f := pyFunction{
					forward:  func(ctx *FunctionCtx, x []*Tensor) any { return x[0].Mul(ctx.Arg(1)) },
					backward: func(_ *FunctionCtx, g []*Tensor) any { return Tuple{g[0], g[0]} },
				}
				do(f.apply(leaf(), 2).Sum().Backward())
				return nil
			}),
		}
	},
	"wrong_forward": func() any {
		return []any{
			3.0, // in Go a forward returns tensors
			raised(func() any {
				return pyFunction{backward: same, forward: func(ctx *FunctionCtx, x []*Tensor) any {
					do(ctx.SaveAnyForBackward(3))
					return nil
				}}.apply(leaf())
			}),
			raised(func() any {
				return pyFunction{backward: same, forward: func(ctx *FunctionCtx, x []*Tensor) any {
					return Tuple{x[0].Mul(2), nil}
				}}.all(leaf())[1]
			}),
		}
	},
	"modes_inside": func() any {
		var seen []any
		f := pyFunction{
			forward: func(ctx *FunctionCtx, x []*Tensor) any {
				seen = append(seen, Tuple{GradEnabled(), x[0].RequiresGrad(), x[0].Mul(2).RequiresGrad()})
				return x[0].Mul(2)
			},
			backward: func(ctx *FunctionCtx, g []*Tensor) any {
				seen = append(seen, Tuple{GradEnabled(), g[0].RequiresGrad()})
				return g[0].Mul(2)
			},
		}
		x := leaf(1)
		do(f.apply(x).Backward())
		get(Grad(list(f.apply(x)), list(x), CreateGraph))
		return seen
	},
	"input_returned": func() any {
		f := pyFunction{name: "Identity", forward: identity, backward: same}
		x := leaf(1)
		y, z, p := f.apply(x), f.apply(x.Mul(1)), f.apply(ones(1))
		return []any{
			y == x, meta(y), tree(y), SameMemory(y, x),
			raisedBy(func() error { return z.Add_(1) }),
			p, meta(p),
		}
	},
	"view_of_an_input_returned": func() any {
		x := leaf().Mul(1)
		y := pyFunction{
			name:     "View",
			forward:  func(_ *FunctionCtx, x []*Tensor) any { return x[0].View([]int{3, 1}) },
			backward: func(_ *FunctionCtx, g []*Tensor) any { return g[0].View([]int{3}) },
		}.apply(x)
		seen := []any{meta(y), tree(y), raisedBy(func() error { return y.Add_(1) })}
		do(x.Add_(1))
		return append(seen, raised(func() any { return gradFn(y) }), backwardOf(y))
	},
	"several_views_returned": func() any {
		outs := pyFunction{
			name:     "Views",
			forward:  func(_ *FunctionCtx, x []*Tensor) any { return Tuple{x[0].Index(0), x[0].Index(1)} },
			backward: func(_ *FunctionCtx, g []*Tensor) any { return Stack(list(g[0], g[1], g[1])) },
		}.all(leaf().Mul(1))
		return Tuple{meta(outs[0]), meta(outs[1]), raisedBy(func() error { return outs[0].Add_(1) })}
	},
	"dirty_inputs": func() any {
		x := leaf(1)
		y := x.Mul(1)
		z := pyFunction{forward: addOne, backward: timesTen}.apply(y)
		graph := tree(y)
		do(y.Backward())
		f := pyFunction{forward: addOne, backward: same}
		return []any{
			z == y, meta(y), graph, x.Grad(),
			raised(func() any { return f.apply(leaf(1)) }),
			raised(func() any { return f.apply(ones(1)) }),
		}
	},
	"dirty_view": func() any {
		x := leaf()
		y := x.Mul(1)
		v := y.Index(0)
		w := pyFunction{forward: addOne, backward: timesTen}.apply(v)
		seen := []any{w == v, tree(y), tree(v), version(y)}
		do(y.Sum().Backward())
		return append(seen, x.Grad())
	},
	"dirty_misused": func() any {
		unmarked := leaf(1).Mul(1)
		pyFunction{backward: same, forward: func(_ *FunctionCtx, x []*Tensor) any {
			do(x[0].Add_(1))
			return x[0].Mul(1)
		}}.apply(unmarked)
		notReturned := pyFunction{backward: same, forward: func(ctx *FunctionCtx, x []*Tensor) any {
			ctx.MarkDirty(x[0])
			return x[0].Mul(1)
		}}
		viewAndAnother := pyFunction{backward: same, forward: func(ctx *FunctionCtx, x []*Tensor) any {
			do(x[0].Add_(1))
			ctx.MarkDirty(x[0])
			return Tuple{x[0], x[0].Mul(2)}
		}}
		notAnInput := pyFunction{backward: same, forward: func(ctx *FunctionCtx, x []*Tensor) any {
			y := x[0].Mul(2)
			ctx.MarkDirty(y)
			return y
		}}
		return []any{
			raised(func() any { return notReturned.apply(leaf(1).Mul(1)) }),
			raised(func() any { return viewAndAnother.apply(leaf().Mul(1).Index(0)) }),
			raised(func() any { return notAnInput.apply(leaf(1)) }),
			meta(unmarked),
		}
	},
	"dirty_drops_grad_and_hooks": func() any {
		var log journal
		x := leaf(1)
		y := x.Mul(1)
		do(y.RetainGrad())
		lambda(y, func(g *Tensor) any { return log.add(g.Clone()) })
		do(y.Mul(2).Backward(RetainGraph))
		before := y.Grad().Clone()
		pyFunction{forward: addOne, backward: timesTen}.apply(y)
		seen := []any{before, y.Grad(), meta(y)}
		do(y.Mul(3).Backward())
		return append(seen, y.Grad(), x.Grad(), []any(log))
	},
	"non_differentiable_outputs": func() any {
		var seen []any
		x := leaf(1, 2)
		outs := pyFunction{
			forward: func(ctx *FunctionCtx, x []*Tensor) any {
				a, b, c := x[0].Mul(2), x[0].Gt(0), x[0].Mul(3)
				ctx.MarkNonDifferentiable(b, c)
				return Tuple{a, b, c}
			},
			backward: func(ctx *FunctionCtx, g []*Tensor) any {
				seen = append(seen, tuple(g))
				return g[0]
			},
		}.all(x)
		do(outs[0].Sum().Backward())
		return Tuple{outs, []any{meta(outs[0]), meta(outs[1]), meta(outs[2])}, seen, x.Grad()}
	},
	"non_differentiable_input": func() any {
		x := leaf(1)
		y := pyFunction{backward: same, forward: func(ctx *FunctionCtx, x []*Tensor) any {
			ctx.MarkNonDifferentiable(x[0])
			return x[0]
		}}.apply(x)
		return Tuple{y == x, meta(y), meta(x)}
	},
	"undefined_gradients": func() any {
		of := func(materialize bool) any {
			var seen []any
			x := leaf(1, 2)
			do(pyFunction{
				forward: func(ctx *FunctionCtx, x []*Tensor) any {
					ctx.SetMaterializeGrads(materialize)
					return Tuple{x[0].Mul(1), x[0].Mul(2)}
				},
				backward: func(ctx *FunctionCtx, g []*Tensor) any {
					seen = append(seen, tuple(g))
					return g[0]
				},
			}.apply(x).Sum().Backward())
			return Tuple{seen, x.Grad()}
		}
		return Tuple{of(true), of(false)}
	},
	"saved_tensors_modified": func() any {
		x := leaf(1)
		y := pyFunction{
			forward: func(ctx *FunctionCtx, x []*Tensor) any {
				y := x[0].Mul(2)
				ctx.SaveForBackward(y)
				return y
			},
			backward: func(ctx *FunctionCtx, g []*Tensor) any { return get(ctx.Saved())[0].Mul(g[0]) },
		}.apply(x)
		do(y.Mul_(2))
		z := square.apply(x)
		addOneUntracked(x)
		return Tuple{tryBackward(y), tryBackward(z)}
	},
	"saved_results": func() any {
		x := leaf(0)
		y := pyFunction{
			name: "Exp",
			forward: func(ctx *FunctionCtx, x []*Tensor) any {
				y := x[0].Exp()
				ctx.SaveForBackward(y, nil)
				return y
			},
			backward: func(ctx *FunctionCtx, g []*Tensor) any { return get(ctx.Saved())[0].Mul(g[0]) },
		}.apply(x)
		saved := savedTensors(y).(Tuple)[0].(*Tensor)
		seen := []any{meta(saved), saved == y}
		g := get(Grad(list(y), list(x), CreateGraph))[0]
		return append(seen, g, tree(g), get(Grad(list(g), list(x))))
	},
	"function_that_raises": func() any {
		x := leaf(1)
		bad := func(*FunctionCtx, []*Tensor) any { panic(valueError("boom")) }
		y := pyFunction{forward: timesTwo, backward: bad}.apply(x)
		return Tuple{raised(func() any { return pyFunction{forward: bad}.apply(x) }), tryBackward(y), x.Grad()}
	},
	"versions_of_grads_of_functions": func() any {
		var seen []any
		for _, backward := range []func(ctx *FunctionCtx, g []*Tensor) any{
			same,
			func(_ *FunctionCtx, g []*Tensor) any { return g[0].Mul(2) },
			func(_ *FunctionCtx, g []*Tensor) any { kept := g[0].Mul(2); kept.Hold(); return kept },
		} {
			x := leaf()
			do(pyFunction{forward: timesTwo, backward: backward}.apply(x).Backward(Gradient(ones(3))))
			seen = append(seen, version(x.Grad()))
		}
		return seen
	},
}
