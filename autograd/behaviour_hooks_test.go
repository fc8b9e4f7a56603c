package autograd_test

import (
	"fmt"

	. "github.com/gradtui/gradtui/autograd"
)

// tagLog is the log of the backward functions of tag.
var tagLog []any

// tag copies its input. Its backward logs that it ran.
func tag(x *Tensor, name string) *Tensor {
	f := Function{
		Name: "Tag",
		Forward: func(ctx *FunctionCtx, in []*Tensor) ([]*Tensor, error) {
			return list(in[0].Clone()), nil
		},
		Dynamic: func(ctx *FunctionCtx, gs []*Tensor) ([]any, error) {
			tagLog = append(tagLog, ctx.Arg(1))
			return []any{gs[0], nil}, nil
		},
	}
	return f.Call(x, name)
}

// nothing is a function whose backward returns no gradient.
func nothing(x *Tensor) *Tensor {
	f := Function{
		Name:    "Nothing",
		Forward: func(ctx *FunctionCtx, in []*Tensor) ([]*Tensor, error) { return list(in[0].Mul(1)), nil },
		Dynamic: func(*FunctionCtx, []*Tensor) ([]any, error) { return []any{nil}, nil },
	}
	return f.Call(x)
}

func accumulator(x *Tensor) *Node { return gradFn(x.ExpandAs(x)).NextFunctions()[0].Node }

// prehook and posthook register hooks on nodes as Python programs do.
func prehook(n *Node, f func(out []*Tensor) any) {
	n.RegisterNamedPrehook("<lambda>", func(out []*Tensor) (any, error) { return f(out), nil })
}

func posthook(n *Node, f func(into, out []*Tensor) any) {
	n.RegisterNamedHook("<lambda>", func(into, out []*Tensor) (any, error) { return f(into, out), nil })
}

// A journal is a list that hooks append to.
type journal []any

// add appends and returns None.
func (l *journal) add(v any) any { *l = append(*l, kept(v)); return nil }

// kept calls Hold for the gradients in v, as a front end must when the program
// keeps them.
func kept(v any) any {
	switch v := v.(type) {
	case *Tensor:
		if v != nil {
			v.Hold()
		}
	case []*Tensor:
		for _, t := range v {
			kept(t)
		}
	case []any:
		for _, x := range v {
			kept(x)
		}
	case Tuple:
		for _, x := range v {
			kept(x)
		}
	}
	return v
}

// formatted returns f"{t}".
func formatted(t *Tensor) string {
	if t == nil {
		return "None"
	}
	return get(t.PythonFormat(""))
}

// tagged runs a program and shows the log of its tags.
func tagged(program func()) string {
	tagLog = nil
	program()
	return show(append([]any{}, tagLog...))
}

// accumulations shows the order in which the leaves get their gradients.
func accumulations(n int, backward func(x []*Tensor) error) string {
	var order journal
	xs := make([]*Tensor, n)
	for k := range xs {
		xs[k] = leaf(1)
		lambda(xs[k], func(*Tensor) any { return order.add(k) })
	}
	do(backward(xs))
	return show([]any(order))
}

func reversed(ts []*Tensor) []*Tensor {
	out := make([]*Tensor, len(ts))
	for i, t := range ts {
		out[len(ts)-1-i] = t
	}
	return out
}

var hookCases = map[string]func() any{
	"gradients_that_hooks_see": func() any {
		var log journal
		x := leaf(1)
		y := x.Mul(2)
		z := y.Mul(3)
		for i, t := range list(x, y, z) {
			label := "xyz"[i : i+1]
			lambda(t, func(g *Tensor) any { return log.add(Tuple{label, g.Clone()}) })
		}
		do(z.Backward())
		return []any(log)
	},
	"hooks_replace": func() any {
		x, y := leaf(1), leaf(1)
		lambda(x, func(g *Tensor) any { return g.Mul(10) })
		do(x.Mul(2).Backward())
		lambda(y, func(g *Tensor) any { return g.Add(1) })
		lambda(y, func(g *Tensor) any { return g.Mul(10) })
		do(y.Mul(2).Backward())
		return Tuple{x.Grad(), y.Grad()}
	},
	"hooks_and_retain_grad": func() any {
		var seen []any
		for _, first := range []bool{true, false} {
			x := leaf(1)
			y := x.Mul(2)
			if first {
				do(y.RetainGrad())
			}
			lambda(y, func(g *Tensor) any { return g.Mul(10) })
			if !first {
				do(y.RetainGrad())
			}
			do(y.Mul(3).Backward())
			seen = append(seen, x.Grad(), y.Grad())
		}
		return seen
	},
	"hooks_removed": func() any {
		x := leaf(1)
		handle := lambda(x, func(g *Tensor) any { return g.Mul(10) })
		handle.Remove()
		handle.Remove()
		do(x.Mul(2).Backward())
		return x.Grad()
	},
	"hooks_removed_and_added_meanwhile": func() any {
		x := leaf(1)
		var log journal
		var second HookHandle
		lambda(x, func(*Tensor) any {
			log.add("first")
			second.Remove()
			lambda(x, func(*Tensor) any { return log.add("third") })
			return nil
		})
		second = lambda(x, func(*Tensor) any { return log.add("second") })
		do(x.Mul(2).Backward())
		log.add("again")
		do(x.Mul(2).Backward())
		return []any(log)
	},
	"wrong_hooks": func() any {
		double := WithDType(Float64)
		var seen []any
		for _, result := range []any{ones(2), 3, Ones([]int{1}, double), Ones([]int{2}, double), Tuple{1}} {
			x := leaf(1)
			lambda(x, func(*Tensor) any { return result })
			seen = append(seen, tryBackward(x.Mul(2)))
		}
		return append(seen, raised(func() any { return lambda(ones(1), func(g *Tensor) any { return g }) }))
	},
	"leaf_hooks_see_the_sum_of_one_pass": func() any {
		var log journal
		x := leaf(1)
		lambda(x, func(g *Tensor) any { return log.add(g.Clone()) })
		y := x.Mul(2).Add(x.Mul(3))
		do(y.Backward(RetainGraph))
		do(y.Backward())
		return Tuple{[]any(log), x.Grad()}
	},
	"node_hooks": func() any {
		var log journal
		x := leaf(1)
		y := x.Mul(2)
		prehook(gradFn(y), func(out []*Tensor) any { return log.add(Tuple{"pre", out}) })
		posthook(gradFn(y), func(into, out []*Tensor) any { return log.add(Tuple{"post", into, out}) })
		posthook(accumulator(x), func(into, out []*Tensor) any {
			return log.add(Tuple{"leaf", tuple(append(list(), into...)), out, x.Grad().Clone()})
		})
		do(y.Mul(3).Backward())
		return []any(log)
	},
	"node_hooks_replace": func() any {
		x, w := leaf(1), leaf(1)
		y := x.Mul(2)
		prehook(gradFn(y), func(out []*Tensor) any { return Tuple{out[0].Mul(10)} })
		do(y.Mul(3).Backward())
		z := w.Mul(2)
		posthook(gradFn(z), func(into, out []*Tensor) any { return Tuple{into[0].Mul(10), into[1]} })
		do(z.Mul(3).Backward())
		return Tuple{x.Grad(), w.Grad()}
	},
	"wrong_node_hooks": func() any {
		var seen []any
		for _, result := range []func(g []*Tensor) any{
			func(g []*Tensor) any { return Tuple{g[0]} },
			func(g []*Tensor) any { return Tuple{ones(2), nil} },
			func(g []*Tensor) any { return Tuple{ones(1).Double(), nil} },
			func(g []*Tensor) any { return Tuple{g[0], ones(1)} },
			func(g []*Tensor) any { return Tuple{nil, nil} },
			func(g []*Tensor) any { return []any{g[0], nil} },
			func(g []*Tensor) any { return g[0] },
			func(g []*Tensor) any { return Tuple{3, nil} },
			func(g []*Tensor) any { return Tuple{g[0], g[1]} },
		} {
			x := leaf(1)
			y := x.Mul(2)
			posthook(gradFn(y), func(into, _ []*Tensor) any { return result(into) })
			seen = append(seen, raised(func() any { do(y.Backward()); return x.Grad() }))
		}
		for _, result := range []func(g []*Tensor) any{
			func(g []*Tensor) any { return Tuple{ones(2)} },
			func(g []*Tensor) any { return ones(1).Mul(7) },
			func(g []*Tensor) any { return Tuple{nil} },
			func(g []*Tensor) any { return Tuple{g[0].Mul(2)} },
		} {
			x := leaf(1)
			y := x.Mul(2)
			prehook(gradFn(y), result)
			seen = append(seen, raised(func() any { do(y.Backward()); return x.Grad() }))
		}
		return seen
	},
	"order_at_a_leaf": func() any {
		var log journal
		x := leaf(1)
		acc := accumulator(x)
		posthook(acc, func(_, _ []*Tensor) any { return log.add("post") })
		prehook(acc, func([]*Tensor) any { return log.add("pre") })
		get(x.RegisterPostAccumulateGradHook(func(p *Tensor) { log.add("after " + p.Grad().String()) }))
		lambda(x, func(*Tensor) any { return log.add("tensor") })
		do(x.Mul(3).Backward())
		return []any(log)
	},
	"order_at_a_result": func() any {
		var log journal
		x := leaf(1)
		y := x.Mul(2)
		fn := gradFn(y)
		posthook(fn, func(_, _ []*Tensor) any { return log.add("post 1") })
		prehook(fn, func([]*Tensor) any { return log.add("pre 1") })
		do(y.RetainGrad())
		lambda(y, func(*Tensor) any { return log.add("tensor 1 " + show(y.Grad() == nil)) })
		prehook(fn, func([]*Tensor) any { return log.add("pre 2 " + show(y.Grad() == nil)) })
		lambda(y, func(*Tensor) any { return log.add("tensor 2") })
		posthook(fn, func(_, _ []*Tensor) any { return log.add("post 2") })
		do(y.Mul(3).Backward())
		return []any(log)
	},
	"hooks_of_several_outputs": func() any {
		var log journal
		parts := get(leaf().Unbind())
		for _, i := range []int{2, 0, 1} {
			lambda(parts[i], func(g *Tensor) any { return log.add(fmt.Sprintf("%c %s", "abc"[i], formatted(g))) })
		}
		do(parts[0].Mul(parts[1]).Backward())
		return []any(log)
	},
	"hooks_before_and_after_a_change": func() any {
		var log journal
		y := leaf(1).Mul(2)
		lambda(y, func(g *Tensor) any { return log.add(Tuple{"before", g.Clone()}) })
		do(y.Mul_(5))
		lambda(y, func(g *Tensor) any { return log.add(Tuple{"after", g.Clone()}) })
		do(y.Backward())
		return []any(log)
	},
	"hooks_see_undefined_gradients": func() any {
		var log journal
		x := leaf(1)
		m := x.Mul(5)
		lambda(m, func(g *Tensor) any { return log.add(Tuple{"m", g}) })
		lambda(x, func(g *Tensor) any { return log.add(Tuple{"x", g}) })
		prehook(gradFn(m), func(out []*Tensor) any { return log.add(Tuple{"pre", out}) })
		posthook(gradFn(m), func(into, out []*Tensor) any { return log.add(Tuple{"post", into, out}) })
		do(nothing(m).Backward())
		log.add(x.Grad())
		m = x.Mul(5)
		lambda(m, func(*Tensor) any { return ones(1) })
		return append([]any(log), tryBackward(nothing(m)))
	},
	"hooks_in_grad": func() any {
		var log journal
		x := leaf(1)
		handle := lambda(x, func(g *Tensor) any { log.add("x"); return g.Mul(10) })
		seen := []any{get(Grad(list(x.Mul(2)), list(x))), x.Grad()}
		handle.Remove()
		y := x.Mul(2)
		lambda(y, func(g *Tensor) any { log.add("y"); return g.Mul(10) })
		seen = append(seen, get(Grad(list(y.Mul(3)), list(y))), get(Grad(list(y.Mul(3)), list(y, x))))
		return append(seen, []any(log))
	},
	"hooks_of_a_root_that_leads_nowhere": func() any {
		var log journal
		x, u := leaf(1), leaf(1)
		y := x.Mul(2)
		lambda(y, func(*Tensor) any { return log.add("y") })
		do(y.Backward(Inputs(u)))
		return Tuple{[]any(log), x.Grad(), u.Grad()}
	},
	"post_accumulate_hooks": func() any {
		x := leaf(1)
		var log journal
		step := func(p *Tensor) {
			log.add(Tuple{p == x, p.Grad().Clone()})
			do(p.SetGrad(nil))
		}
		handle := get(x.RegisterPostAccumulateGradHook(step))
		do(x.Mul(2).Backward())
		seen := x.Grad()
		handle.Remove()
		do(x.Mul(2).Backward())
		return []any{
			[]any(log), seen, x.Grad(),
			raised(func() any { return get(x.Mul(2).RegisterPostAccumulateGradHook(step)) }),
			raised(func() any { return get(ones(1).RegisterPostAccumulateGradHook(step)) }),
		}
	},
	"hooks_and_versions_of_grads": func() any {
		x := leaf()
		lambda(x, func(*Tensor) any { return nil })
		do(x.Mul(2).Sum().Backward())
		seen := []any{version(x.Grad())}
		x = leaf()
		lambda(x, func(g *Tensor) any { g.Hold(); return nil })
		do(x.Mul(2).Sum().Backward())
		seen = append(seen, version(x.Grad()))
		x = leaf()
		posthook(accumulator(x), func(_, _ []*Tensor) any { return nil })
		do(x.Mul(2).Sum().Backward())
		return append(seen, version(x.Grad()))
	},
	"order_of_accumulation": func() any {
		return []any{
			accumulations(2, func(x []*Tensor) error { return x[0].Add(x[1]).Backward() }),
			accumulations(3, func(x []*Tensor) error { return x[0].Mul(x[1]).Mul(x[2]).Backward() }),
			accumulations(4, func(x []*Tensor) error { return Cat(x).Sum().Backward() }),
			accumulations(7, func(x []*Tensor) error { return Cat(x).Sum().Backward() }),
			accumulations(7, func(x []*Tensor) error { return Cat(reversed(x)).Sum().Backward() }),
			accumulations(5, func(x []*Tensor) error { return Stack(x).Sum().Backward() }),
			accumulations(3, func(x []*Tensor) error { return BackwardAll(x, nil) }),
		}
	},
	"order_of_nodes": func() any {
		return []any{
			tagged(func() {
				x := leaf(1)
				a, b := tag(x, "a"), tag(x, "b")
				c, d := tag(a, "c"), tag(b, "d")
				do(tag(c.Add(d), "e").Backward())
			}),
			tagged(func() {
				x := leaf(1)
				a := tag(x, "a")
				c := tag(a, "c")
				b := tag(x, "b")
				d := tag(b, "d")
				do(tag(c.Add(d), "e").Backward())
			}),
			tagged(func() {
				x, y := leaf(1), leaf(1)
				lambda(x, func(*Tensor) any { tagLog = append(tagLog, "x"); return nil })
				lambda(y, func(*Tensor) any { tagLog = append(tagLog, "y"); return nil })
				a := tag(x, "a")
				do(tag(a.Mul(y), "b").Backward())
			}),
			tagged(func() {
				x := leaf(1)
				a, b := tag(x, "a"), tag(x, "b")
				do(BackwardAll(list(a, b), nil))
			}),
			tagged(func() {
				x := leaf(1)
				a, b := tag(x, "a"), tag(x, "b")
				do(BackwardAll(list(b, a), nil))
			}),
		}
	},
	"nodes_that_run_for_inputs": func() any {
		graph := func() (x, w, y, z *Tensor) {
			x, w = leaf(1), leaf(2)
			y = tag(x, "y")
			u := tag(w, "u")
			return x, w, y, tag(y.Mul(3).Add(u), "z")
		}
		return []any{
			tagged(func() {
				_, _, y, z := graph()
				get(Grad(list(z), list(y)))
			}),
			tagged(func() {
				_, _, y, z := graph()
				do(z.Backward(Inputs(y)))
				tagLog = append(tagLog, y.Grad(), y.RetainsGrad())
			}),
			tagged(func() {
				x, w, _, z := graph()
				do(z.Backward(Inputs(x)))
				tagLog = append(tagLog, x.Grad(), w.Grad())
			}),
		}
	},
	"nodes_after_an_undefined_gradient_run": func() any {
		return tagged(func() {
			x := leaf(1)
			do(nothing(tag(x.Mul(5), "t")).Backward())
			tagLog = append(tagLog, x.Grad())
		})
	},
	"metadata_of_a_hooked_leaf": func() any {
		x := leaf()
		lambda(x, func(g *Tensor) any { return g })
		return meta(x)
	},
}
