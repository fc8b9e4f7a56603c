package autograd_test

import (
	"math"

	. "github.com/gradtui/gradtui/autograd"
)

// list makes the arguments of Grad and BackwardAll readable.
func list(ts ...*Tensor) []*Tensor { return ts }

// tryBackward shows the error of t.backward(...), or None.
func tryBackward(t *Tensor, opts ...Option) string {
	return raisedBy(func() error { return t.Backward(opts...) })
}

func tryGrad(outputs, inputs []*Tensor, opts ...Option) string {
	return raised(func() any { return get(Grad(outputs, inputs, opts...)) })
}

// savedOther shows whether a node still has its saved tensors.
func savedOther(t *Tensor) string {
	text := raised(func() any { return get(gradFn(t).Saved("other")) })
	return text[:min(40, len(text))]
}

// twenty returns the first 20 bytes of a text.
func twenty(text string) string { return text[:min(20, len(text))] }

var backwardCases = map[string]func() any{
	"roots": func() any {
		x := leaf(1)
		do(x.Backward())
		return []any{
			tryBackward(ones(1)),
			tryBackward(leaf().Mul(2)),
			tryBackward(leaf(1).Mul(2).Reshape([]int{1, 1})),
			tryBackward(Empty([]int{0}, RequiresGrad).Mul(2)),
			tryBackward(leaf()),
			tryBackward(leaf(1).Gt(0)),
			tryBackward(New(3)),
			tryBackward(call("argmax", leaf())),
			x.Grad(),
		}
	},
	"gradients_to_start_from": func() any {
		of := func(g any) any {
			x := leaf()
			get(CallAttr(x.Mul(2), "backward", []any{g}))
			return x.Grad()
		}
		var seen []any
		for _, g := range []any{
			ones(2), ones(1), New(1.0), 1.0, []any{1.0}, "g",
			ones(3), Ones([]int{3}, WithDType(Int64)), Ones([]int{3}, WithDType(Float64)), Ones([]int{3}, RequiresGrad),
		} {
			seen = append(seen, raised(func() any { return of(g) }))
		}
		x := leaf()
		do(x.Sum().Backward(Gradient(New(5.0))))
		return append(seen, raised(func() any { return of(nil) }), x.Grad())
	},
	"several_roots": func() any {
		x := leaf(1)
		do(BackwardAll(list(x.Mul(2), x.Mul(3)), nil))
		first := x.Grad().Clone()
		y := x.Mul(2)
		do(x.SetGrad(nil))
		do(BackwardAll(list(y, y), nil))
		second := x.Grad().Clone()
		do(x.SetGrad(nil))
		y = x.Mul(2)
		do(BackwardAll(list(y, x), nil))
		third := x.Grad().Clone()
		do(x.SetGrad(nil))
		y = x.Mul(2)
		z := y.Mul(3)
		do(y.RetainGrad())
		do(BackwardAll(list(z, y), nil))
		return []any{
			first, second, third, x.Grad(), y.Grad(),
			raisedBy(func() error { return BackwardAll(list(leaf(1).Mul(2), ones(1)), nil) }),
			raisedBy(func() error { return BackwardAll(list(leaf().Mul(2)), list(nil)) }),
			raisedBy(func() error { return BackwardAll(nil, nil) }),
			raisedBy(func() error { return BackwardAll(list(x, x), list(ones(1))) }),
			raisedBy(func() error { return BackwardAll(list(ones(1)), list(ones(1))) }),
		}
	},
	"keywords": func() any {
		y := leaf(1).Mul(2)
		return []any{
			tryBackward(y, Kw("foo", 1)),
			raisedBy(func() error { return BackwardAll(list(y), nil, Kw("foo", 1)) }),
			tryGrad(list(y), list(y), Kw("foo", 1)),
			tryBackward(y, Kw("retain_graph", nil)),
		}
	},
	"grad": func() any {
		x, u := leaf(), leaf()
		y := x.Mul(2)
		z := y.Mul(y).Sum()
		both := get(Grad(list(z), list(y, x)))
		twice := func() []*Tensor { return list(x.Mul(2)) }
		sum := func() []*Tensor { return list(x.Mul(2).Sum()) }
		return []any{
			both, x.Grad(),
			tryGrad(sum(), list(x, u)),
			get(Grad(sum(), list(x, u), AllowUnused)),
			get(Grad(sum(), list(x, u), MaterializeGrads)),
			tryGrad(twice(), list(ones(3))),
			tryGrad(twice(), list(x)),
			get(Grad(twice(), list(x), GradOutputs(ones(3)))),
			tryGrad(twice(), list(x), GradOutputs(ones(2))),
			get(Grad(list(x.Sum()), list(x))),
			tryGrad(list(x.Sum()), nil),
			tryGrad(list(ones(1)), list(x)),
			get(Grad(list(x.Sum(), x.Mul(3).Sum()), list(x))),
		}
	},
	"grad_of_itself": func() any {
		x := leaf(1)
		y := x.Mul(2)
		return []any{
			get(Grad(list(x), list(x))),
			get(Grad(list(y), list(y))),
			tryGrad(list(x), list(y)),
			tryGrad(list(y), list(x, x)),
		}
	},
	"grad_frees": func() any {
		x := leaf()
		z := x.Mul(x).Sum()
		get(Grad(list(z), list(x)))
		w := x.Mul(x).Sum()
		tryGrad(list(w), list(x, leaf()))
		return []any{
			tryGrad(list(z), list(x)),
			tryGrad(list(w), list(x)),
			tryGrad(list(x.Sum()), list(x), MaterializeGrads, Kw("allow_unused", false)),
		}
	},
	"higher_derivatives": func() any {
		x := leaf(2)
		g := get(Grad(list(x.Pow(3)), list(x), CreateGraph))[0]
		g2 := get(Grad(list(g), list(x), CreateGraph))[0]
		g3 := get(Grad(list(g2), list(x)))[0]
		h := get(Grad(list(x.Pow(3)), list(x)))[0]
		return Tuple{g, g2, g3, tree(g), tryGrad(list(h), list(x))}
	},
	"backward_of_inputs": func() any {
		one := func(choose func(x, w, y, u *Tensor) any) string {
			return raised(func() any {
				x, w, u := leaf(1), leaf(2), leaf(1)
				y := x.Mul(w)
				z := y.Mul(3)
				do(z.Backward(Kw("inputs", choose(x, w, y, u))))
				return Tuple{x.Grad(), w.Grad(), y.Grad(), u.Grad(), y.RetainsGrad()}
			})
		}
		return []any{
			one(func(x, w, y, u *Tensor) any { return list(x) }),
			one(func(x, w, y, u *Tensor) any { return x }),
			one(func(x, w, y, u *Tensor) any { return list(y) }),
			one(func(x, w, y, u *Tensor) any { return list(y, x) }),
			one(func(x, w, y, u *Tensor) any { return list(u) }),
			one(func(x, w, y, u *Tensor) any { return list() }),
			one(func(x, w, y, u *Tensor) any { return list(ones(1)) }),
			one(func(x, w, y, u *Tensor) any { return []any{3} }),
			one(func(x, w, y, u *Tensor) any { return 3 }),
		}
	},
	"inputs_free_only_their_branch": func() any {
		x, w := leaf(1), leaf(2)
		z := x.Mul(w).Mul(3)
		do(z.Backward(Inputs(x)))
		first := tryBackward(z, Inputs(w))
		c := x.Mul(x).Add(w.Mul(w))
		do(c.Backward(Inputs(x)))
		do(c.Backward(Inputs(w)))
		return Tuple{first, x.Grad(), w.Grad(), tryBackward(c)}
	},
	"nodes_that_are_freed": func() any {
		x := leaf()
		y := x.Mul(3)
		z := y.Mul(4)
		get(Grad(list(z.Sum()), list(y)))
		seen := []any{savedOther(y), savedOther(z)}
		y = x.Mul(3)
		z = y.Mul(4)
		do(z.Sum().Backward(Inputs(y)))
		return append(seen, savedOther(y), savedOther(z))
	},
	"second_backward": func() any {
		x := leaf(1)
		y := x.Add(1)
		do(y.Backward())
		do(y.Backward())
		seen := []any{x.Grad()}
		z := x.Mul(2).Add(1)
		do(z.Backward())
		seen = append(seen, tryBackward(z))
		for _, first := range []bool{true, false} {
			x, w := leaf(1), leaf(1)
			var a, b *Tensor
			if first {
				b = w.Mul(2)
				a = x.Add(0)
			} else {
				a = x.Add(0)
				b = w.Mul(2)
			}
			z := a.Add(b)
			do(z.Backward())
			seen = append(seen, twenty(tryBackward(z)), x.Grad(), w.Grad())
		}
		return seen
	},
	"retaining": func() any {
		x := leaf(1)
		y := x.Mul(x)
		do(y.Backward(RetainGraph))
		kept := get(gradFn(y).Saved("self"))
		do(y.Backward())
		z := x.Mul(x)
		do(z.Backward(CreateGraph))
		do(z.Backward())
		w := x.Mul(x)
		do(w.Backward(CreateGraph, Kw("retain_graph", false)))
		return Tuple{kept, x.Grad(), tryBackward(w)}
	},
	"parts_of_a_graph": func() any {
		var seen []any
		x := leaf(1)
		y := x.Mul(x)
		z := y.Mul(y)
		do(z.Backward())
		seen = append(seen, tryBackward(y))
		y = x.Mul(x)
		z = y.Mul(y)
		do(y.Backward())
		seen = append(seen, tryBackward(z))
		y = x.Mul(x)
		do(y.Backward())
		z = y.Mul(3)
		seen = append(seen, tryBackward(z))
		return append(seen, y, y.RequiresGrad(), tree(y), y.Detach().Mul(2))
	},
	"failing_backward_accumulates_what_it_reaches": func() any {
		x, y := leaf(2), leaf(2)
		z := x.Mul(3).Add(y)
		do(z.Backward())
		seen := []any{twenty(tryBackward(z)), x.Grad(), y.Grad()}
		x = leaf(2)
		z = x.Mul(3).Add(x)
		do(z.Backward())
		return append(seen, twenty(tryBackward(z)), x.Grad())
	},
	"hook_that_raises_half_way": func() any {
		x, w := leaf(2), leaf(3)
		a := x.Mul(w)
		b := a.Mul(a)
		handle := lambda(a, func(*Tensor) any { panic(valueError("boom")) })
		first := tryBackward(b)
		handle.Remove()
		return []any{first, x.Grad(), savedOther(b), savedOther(a), twenty(tryBackward(b))}
	},
	"grad_modes_inside": func() any {
		x := leaf(2)
		y := x.Pow(2)
		var seen []any
		lambda(y, func(g *Tensor) any {
			seen = append(seen, Tuple{GradEnabled(), g.RequiresGrad()})
			return nil
		})
		do(y.Backward(CreateGraph))
		do(y.Backward())
		return seen
	},
	"versions_of_grads": func() any {
		var seen dict
		for _, program := range []struct {
			label string
			of    func(x *Tensor) *Tensor
		}{
			{"x.sum()", func(x *Tensor) *Tensor { return x.Sum() }},
			{"x.mean()", func(x *Tensor) *Tensor { return call("mean", x) }},
			{"(x*2).sum()", func(x *Tensor) *Tensor { return x.Mul(2).Sum() }},
			{"(2*x).mean()", func(x *Tensor) *Tensor { return call("mean", x.Mul(2)) }},
			{"(x*x).sum()", func(x *Tensor) *Tensor { return x.Mul(x).Sum() }},
			{"(x**2).sum()", func(x *Tensor) *Tensor { return x.Pow(2).Sum() }},
			{"(x+1).sum()", func(x *Tensor) *Tensor { return x.Add(1).Sum() }},
			{"(x+x).sum()", func(x *Tensor) *Tensor { return x.Add(x).Sum() }},
			{"x*2", func(x *Tensor) *Tensor { return x.Mul(2) }},
			{"x+1", func(x *Tensor) *Tensor { return x.Add(1) }},
			{"-x", func(x *Tensor) *Tensor { return x.Neg() }},
			{"x/2", func(x *Tensor) *Tensor { return x.Div(2) }},
			{"2/x", func(x *Tensor) *Tensor { return x.Reciprocal().Mul(2) }},
			{"x.exp()", func(x *Tensor) *Tensor { return x.Exp() }},
			{"x.relu()", func(x *Tensor) *Tensor { return x.Relu() }},
			{"x.t()*2", func(x *Tensor) *Tensor { return x.T().Mul(2) }},
			{"x.t()", func(x *Tensor) *Tensor { return x.T() }},
			{"x.view(-1)*2", func(x *Tensor) *Tensor { return x.View([]int{-1}).Mul(2) }},
			{"x.reshape(3,2)*2", func(x *Tensor) *Tensor { return x.Reshape([]int{3, 2}).Mul(2) }},
			{"x[0]*2", func(x *Tensor) *Tensor { return x.Index(0).Mul(2) }},
			{"x[:,1]", func(x *Tensor) *Tensor { return x.Index(all, 1) }},
			{"x.sum(0)", func(x *Tensor) *Tensor { return x.Sum(Dim(0)) }},
			{"x.sum(1)*2", func(x *Tensor) *Tensor { return x.Sum(Dim(1)).Mul(2) }},
			{"x.mean(0)", func(x *Tensor) *Tensor { return call("mean", x, 0) }},
			{"x@m", func(x *Tensor) *Tensor { return call("matmul", x, ones(3, 2)) }},
			{"m@x", func(x *Tensor) *Tensor { return call("matmul", ones(2, 2), x) }},
			{"x*2+x*3", func(x *Tensor) *Tensor { return x.Mul(2).Add(x.Mul(3)) }},
			{"x*2+x*3+x*4", func(x *Tensor) *Tensor { return x.Mul(2).Add(x.Mul(3)).Add(x.Mul(4)) }},
			{"x*2+x", func(x *Tensor) *Tensor { return x.Mul(2).Add(x) }},
			{"x+x*2", func(x *Tensor) *Tensor { return x.Add(x.Mul(2)) }},
			{"x.sum()+x.sum()", func(x *Tensor) *Tensor { return x.Sum().Add(x.Sum()) }},
			{"(x*2).unsqueeze(0)", func(x *Tensor) *Tensor { return x.Mul(2).Unsqueeze(0) }},
			{"x.unsqueeze(0)*2", func(x *Tensor) *Tensor { return x.Unsqueeze(0).Mul(2) }},
			{"x.expand(4,2,3)*2", func(x *Tensor) *Tensor { return x.Expand([]int{4, 2, 3}).Mul(2) }},
			{"x*ones(4,2,3)", func(x *Tensor) *Tensor { return x.Mul(ones(4, 2, 3)) }},
			{"x.double()*2", func(x *Tensor) *Tensor { return x.Double().Mul(2) }},
			{"x.clone()", func(x *Tensor) *Tensor { return x.Clone() }},
			{"cat", func(x *Tensor) *Tensor { return Cat(list(x, x.Mul(2))) }},
			{"stack", func(x *Tensor) *Tensor { return Stack(list(x, x)) }},
			{"x.tanh()", func(x *Tensor) *Tensor { return x.Tanh() }},
			{"where", func(x *Tensor) *Tensor { return Where(x.Gt(0.5), x, x.Mul(0)) }},
			{"x.max()", func(x *Tensor) *Tensor { return call("max", x) }},
			{"softmax", func(x *Tensor) *Tensor { return call("softmax", x, 1).Mul(2) }},
			{"index", func(x *Tensor) *Tensor { return x.Index(New([]int{0})).Mul(2) }},
			{"x.permute(1,0)", func(x *Tensor) *Tensor { return x.Permute([]int{1, 0}).Mul(2) }},
			{"unbind", func(x *Tensor) *Tensor { return get(x.Unbind())[0].Mul(2) }},
			{"split", func(x *Tensor) *Tensor { return get(x.Split(1, Dim(1)))[1].Mul(2) }},
		} {
			x := rows2()
			y := program.of(x)
			do(y.Backward(Gradient(y.OnesLike())))
			seen.add(program.label, Tuple{version(x.Grad()), strides(x.Grad())})
		}
		return seen
	},
	"grads_that_are_shared": func() any {
		x, y := leaf(), leaf()
		do(x.Add(y).Mul(2).Sum().Backward())
		seen := []any{Tuple{version(x.Grad()), version(y.Grad())}}
		x, b := rows2(), leaf()
		do(x.Add(b).Mul(2).Sum().Backward())
		seen = append(seen, Tuple{version(x.Grad()), version(b.Grad())})
		x, y = leaf(1), leaf(1)
		do(x.Add(y).Backward())
		seen = append(seen, Tuple{SameMemory(x.Grad(), y.Grad()), version(x.Grad())})
		x, y = leaf(), leaf()
		z := leaf()
		do(x.Add(y).Add(z).Mul(2).Sum().Backward())
		return append(seen, Tuple{version(x.Grad()), version(y.Grad()), version(z.Grad())})
	},
	"grads_of_one_element": func() any {
		x := leaf(1)
		do(x.Backward())
		seen := []any{version(x.Grad())}
		x = leaf(1)
		do(x.Sum().Backward())
		seen = append(seen, version(x.Grad()))
		x = leaf(1)
		do(x.Mul(10).Pow(2).Backward())
		seen = append(seen, version(x.Grad()))
		x = leaf(1)
		w := x.Add(1)
		do(w.RetainGrad())
		do(w.Mul(2).Backward())
		seen = append(seen, version(x.Grad()), version(w.Grad()), SameMemory(x.Grad(), w.Grad()))
		x = scalar(1)
		do(x.Mul(x).Backward())
		return append(seen, version(x.Grad()))
	},
	"accumulation": func() any {
		x := leaf(1)
		s := x.Mul(2)
		do(s.Backward(RetainGraph))
		g := x.Grad()
		first := meta(g)
		do(s.Backward(RetainGraph))
		do(s.Backward())
		seen := []any{first, g == x.Grad(), g, meta(g)}
		keep := func(values ...any) {
			seen = append(seen, values...)
		}
		do(x.Grad().Zero_())
		do(x.Mul(2).Backward())
		keep(g == x.Grad(), g, meta(g))
		do(x.SetGrad(zeros(1)))
		g = x.Grad()
		do(x.Mul(3).Backward())
		keep(g == x.Grad(), x.Grad(), meta(g))
		do(x.SetGrad(Ones([]int{1}, RequiresGrad)))
		do(x.Mul(2).Backward())
		keep(x.Grad(), meta(x.Grad()))
		return seen
	},
	"accumulation_with_a_graph": func() any {
		x := leaf(1)
		y := x.Mul(2)
		do(y.Backward(CreateGraph))
		g := x.Grad()
		seen := []any{g, meta(g)}
		do(y.Backward(CreateGraph))
		seen = append(seen, g == x.Grad(), g, x.Grad(), meta(x.Grad()))
		x = leaf(2)
		do(x.Pow(2).Backward(CreateGraph))
		g = x.Grad()
		seen = append(seen, show(g), meta(g), tree(g))
		do(x.SetGrad(nil))
		do(g.Backward())
		return append(seen, x.Grad())
	},
	"gradient_of_the_caller_is_copied": func() any {
		x, g := leaf(), ones(3)
		do(x.Add(0).Backward(Gradient(g)))
		do(x.Mul(1).Backward(Gradient(g)))
		return Tuple{SameMemory(x.Grad(), g), x.Grad(), g, version(x.Grad())}
	},
	"layout_of_grads": func() any {
		x := rows2()
		do(x.T().Sum().Backward())
		y := ones(2, 3).T().RequiresGrad_(true)
		do(y.Mul(2).Sum().Backward())
		z := ones(2, 3).T().RequiresGrad_(true)
		do(z.Mul(ones(3, 2)).Sum().Backward())
		w := ones(4, 3).Index(Slice{nil, nil, 2}).Detach().RequiresGrad_(true)
		do(w.Mul(2).Sum().Backward())
		e := ones(1, 3).Expand([]int{2, 3}).RequiresGrad_(true)
		do(e.Mul(2).Sum().Backward())
		var seen []any
		for _, t := range list(x, y, z, w, e) {
			seen = append(seen, Tuple{strides(t.Grad()), version(t.Grad())})
		}
		return seen
	},
	"broadcast_operands": func() any {
		x, b := rows2(), leaf()
		c, d := scalar(1), Ones([]int{2, 1}, RequiresGrad)
		z := x.Add(b).Mul(c).Add(d)
		do(z.Sum().Backward())
		return Tuple{x.Grad(), b.Grad(), c.Grad(), d.Grad(), tree(z)}
	},
	"dtypes_of_grads": func() any {
		x := New([]float64{1, 2}, WithDType(Float64), RequiresGrad)
		do(x.To(Float32).Mul(2).Sum().Backward())
		z := leaf()
		do(z.Mul(Ones([]int{3}, WithDType(Float64))).Sum().Backward())
		return Tuple{x.Grad(), z.Grad()}
	},
	"retained_grads": func() any {
		x := leaf(1)
		y := x.Mul(2)
		do(y.RetainGrad())
		do(y.RetainGrad())
		z := y.Mul(3)
		do(z.Backward(RetainGraph))
		g := y.Grad()
		do(z.Backward())
		seen := []any{g == y.Grad(), g, y.Grad(), show(x.Grad()), meta(y), meta(y.Grad())}
		y = x.Mul(2)
		do(y.RetainGrad())
		do(y.Add_(1))
		do(y.Mul(3).Backward())
		seen = append(seen, y.Grad(), meta(y))
		y = x.Mul(2)
		z = y.Mul(3)
		do(z.Backward(RetainGraph))
		do(y.RetainGrad())
		do(z.Backward())
		w := x.Mul(1)
		do(w.RetainGrad())
		do(w.Backward())
		t := rows2().Mul(2).T()
		do(t.RetainGrad())
		do(t.Mul(ones(3, 2)).Sum().Backward())
		seen[3] = x.Grad()
		return append(seen, y.Grad(), w.Grad(), strides(t.Grad()))
	},
	"leaf_kept_alive_by_the_graph": func() any {
		y := leaf(1).Mul(2)
		do(y.Backward())
		return gradFn(y).NextFunctions()[0].Node.Variable().Grad()
	},
	"detached_twin": func() any {
		x := leaf(1)
		y := x.Detach().RequiresGrad_(true)
		do(x.Mul(y).Backward())
		return Tuple{x.Grad(), y.Grad(), SameMemory(x, y)}
	},
	"nan_gradients": func() any {
		x := leaf(1, 2)
		do(x.Mul(New(math.Inf(1))).Mul(0).Sum().Backward())
		return x.Grad()
	},
	"subgradients_at_zero": func() any {
		var seen dict
		for _, program := range []struct {
			label string
			of    func(x *Tensor) *Tensor
		}{
			{"relu", func(x *Tensor) *Tensor { return x.Relu() }},
			{"abs", func(x *Tensor) *Tensor { return x.Abs() }},
			{"sqrt", func(x *Tensor) *Tensor { return x.Sqrt() }},
			{"norm", func(x *Tensor) *Tensor { return call("norm", x) }},
			{"clamp(min=0)", func(x *Tensor) *Tensor { return x.Clamp(Kw("min", 0)) }},
			{"clamp(0, 1)", func(x *Tensor) *Tensor { return x.Clamp(Kw("min", 0), Kw("max", 1)) }},
			{"sign", func(x *Tensor) *Tensor { return x.Sign() }},
			{"x**0", func(x *Tensor) *Tensor { return x.Pow(0) }},
			{"x**1", func(x *Tensor) *Tensor { return x.Pow(1) }},
			{"x**0.5", func(x *Tensor) *Tensor { return x.Pow(0.5) }},
			{"log", func(x *Tensor) *Tensor { return x.Log() }},
			{"1/x", func(x *Tensor) *Tensor { return x.Reciprocal().Mul(1) }},
			{"leaky_relu", func(x *Tensor) *Tensor { return x.LeakyRelu() }},
			{"hardtanh", func(x *Tensor) *Tensor { return x.Hardtanh(Kw("min_val", 0.0), Kw("max_val", 1.0)) }},
			{"std", func(x *Tensor) *Tensor { return call("std", Stack(list(x, x))) }},
			{"prod", func(x *Tensor) *Tensor { return call("prod", Stack(list(x, x.Add(1)))) }},
			{"where", func(x *Tensor) *Tensor { return Where(x.Gt(0), x.Mul(2), x.Mul(3)) }},
			{"floor", func(x *Tensor) *Tensor { return x.Floor() }},
			{"x%2", func(x *Tensor) *Tensor { return x.Remainder(2) }},
			{"x**x", func(x *Tensor) *Tensor { return x.Pow(x) }},
			{"0**x", func(x *Tensor) *Tensor { return zeros().Pow(x) }},
		} {
			x := scalar(0)
			y := program.of(x)
			do(y.Backward())
			seen.add(program.label, Tuple{y.Detach(), x.Grad()})
		}
		return seen
	},
	"ties": func() any {
		var seen []any
		for _, f := range []func(x *Tensor) *Tensor{
			func(x *Tensor) *Tensor { return call("max", x) },
			func(x *Tensor) *Tensor { return call("max", x, 0) },
			func(x *Tensor) *Tensor { return x.Maximum(New([]float64{1, 4, 5})).Sum() },
			func(x *Tensor) *Tensor { return call("amax", x) },
			func(x *Tensor) *Tensor { return call("median", x) },
		} {
			x := leaf(1, 5, 5)
			do(f(x).Backward())
			seen = append(seen, x.Grad())
		}
		return seen
	},
	"nested_backward": func() any {
		x := leaf(1)
		lambda(x, func(g *Tensor) any {
			y := Ones([]int{1}, RequiresGrad)
			var z *Tensor
			EnableGrad(func() { z = y.Mul(2) })
			do(z.Backward())
			return g.Mul(y.Grad())
		})
		do(x.Mul(3).Backward())
		return x.Grad()
	},
	"nested_backward_through_the_same_graph": func() any {
		x := leaf(3)
		y := x.Mul(x)
		var seen []any
		lambda(y, func(g *Tensor) any {
			if len(seen) == 0 {
				seen = append(seen, kept(g))
				seen = append(seen, tuple(get(Grad(list(y), list(x), RetainGraph))))
			}
			return nil
		})
		do(y.Mul(2).Backward())
		return Tuple{seen, x.Grad()}
	},
}

// strides returns strides as a Python tuple.
func strides(t *Tensor) Tuple {
	var list Tuple
	for _, s := range t.Stride() {
		list = append(list, s)
	}
	return list
}
