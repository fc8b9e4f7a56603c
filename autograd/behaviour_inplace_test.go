package autograd_test

import (
	"fmt"

	. "github.com/gradtui/gradtui/autograd"
)

// An effect is an operation of a program on a tensor.
type effect struct {
	label string
	on    func(x *Tensor) error
}

// bumps are ways to change a tensor of four elements.
func bumps() []effect {
	one := New([]int{0})
	op := func(name string, args ...any) func(x *Tensor) error {
		return func(x *Tensor) error {
			_, err := CallAttr(x, name, args)
			return err
		}
	}
	ok := func(f func(x *Tensor)) func(x *Tensor) error { return func(x *Tensor) error { f(x); return nil } }
	return []effect{
		{"add_", op("add_", 1)},
		{"+=", op("__iadd__", 1)},
		{"-=", op("__isub__", 1)},
		{"*=", op("__imul__", 2)},
		{"/=", op("__itruediv__", 2)},
		{"**=", op("__ipow__", 2)},
		{"//=", op("__ifloordiv__", 2)},
		{"%=", op("__imod__", 2)},
		{"add_ of itself", func(x *Tensor) error { return x.Add_(x) }},
		{"zero_", op("zero_")},
		{"fill_", op("fill_", 1)},
		{"copy_", op("copy_", ones(4))},
		{"x[0] = 1", func(x *Tensor) error { return x.SetIndex(1.0, 0) }},
		{"x[0] = tensor", func(x *Tensor) error { return x.SetIndex(New(1.0), 0) }},
		{"x[:] = 1", func(x *Tensor) error { return x.SetIndex(1.0, all) }},
		{"x[:] = tensor", func(x *Tensor) error { return x.SetIndex(ones(4), all) }},
		{"x[mask] = 0", func(x *Tensor) error { return x.SetIndex(0.0, x.Gt(2)) }},
		{"x[[0, 1]] = 1", func(x *Tensor) error { return x.SetIndex(1.0, []int{0, 1}) }},
		{"x[...] = 1", func(x *Tensor) error { return x.SetIndex(1.0, Ellipsis) }},
		{"exp_", op("exp_")},
		{"relu_", op("relu_")},
		{"sigmoid_", op("sigmoid_")},
		{"tanh_", op("tanh_")},
		{"neg_", op("neg_")},
		{"abs_", op("abs_")},
		{"sqrt_", op("sqrt_")},
		{"clamp_", op("clamp_", 0, 1)},
		{"pow_", op("pow_", 2)},
		{"square_", op("square_")},
		{"round_", op("round_")},
		{"cumsum_", op("cumsum_", 0)},
		{"normal_", op("normal_")},
		{"uniform_", op("uniform_")},
		{"random_", op("random_")},
		{"bernoulli_", op("bernoulli_", 0.5)},
		{"masked_fill_", func(x *Tensor) error { return x.MaskedFill_(x.Gt(2), 0) }},
		{"index_fill_", op("index_fill_", 0, one, 1)},
		{"index_add_", op("index_add_", 0, one, ones(1))},
		{"scatter_", op("scatter_", 0, one, 1.0)},
		{"addcmul_", func(x *Tensor) error { return x.Addcmul_(x, x) }},
		{"addcdiv_", func(x *Tensor) error { return x.Addcdiv_(x, x) }},
		{"lerp_", op("lerp_", ones(4), 0.5)},
		{"t_", op("t_")},
		{"unsqueeze_", op("unsqueeze_", 0)},
		{"squeeze_", op("squeeze_")},
		{"transpose_", op("transpose_", 0, 0)},
		{"resize_", op("resize_", 2)},
		{"requires_grad_", op("requires_grad_")},
		{"detach_", op("detach_")},
		{"data.add_", func(x *Tensor) error { return x.Data().Add_(1) }},
		{"detach().add_", func(x *Tensor) error { return x.Detach().Add_(1) }},
		{"view.add_", func(x *Tensor) error { return x.View([]int{2, 2}).Add_(1) }},
		{"x[0].add_", func(x *Tensor) error { return x.Index(0).Add_(1) }},
		{"add(out=)", func(x *Tensor) error { return ones(4).Add(1, Out(x)).Err() }},
		{"mul(out=) of itself", func(x *Tensor) error { return x.Mul(2, Out(x)).Err() }},
		{"F.relu(inplace)", ok(func(x *Tensor) { call("nn_functional_relu", x, true) })},
		{"F.dropout(inplace)", ok(func(x *Tensor) { call("nn_functional_dropout", x, 0.5, true, true) })},
		{"item", ok(func(x *Tensor) { get(x.Index(0).Item()) })},
		{"repr", ok(func(x *Tensor) { _ = x.String() })},
		{"data =", func(x *Tensor) error { return x.SetData(zeros(4)) }},
		{"x + 1", func(x *Tensor) error { return x.Add(1).Err() }},
		{"x[0] += 1", func(x *Tensor) error { return addToElement(x, 0) }},
	}
}

// addToElement is x[i] += 1 as Python runs it: the element is changed, then
// assigned.
func addToElement(x *Tensor, i int) error {
	element := x.Index(i)
	if err := element.Add_(1); err != nil {
		return err
	}
	return x.SetIndex(element, i)
}

// changes are operations of programs on y = x*1, x = [1, 2, 3].
func changes() []effect {
	mask := New([]bool{true, false, true})
	return []effect{
		{"*= x", func(y *Tensor) error { return y.Mul_(leaf()) }},
		{"*= 2", func(y *Tensor) error { return y.Mul_(2) }},
		{"exp_", func(y *Tensor) error { return y.Exp_() }},
		{"sigmoid_", func(y *Tensor) error { return y.Sigmoid_() }},
		{"tanh_", func(y *Tensor) error { return y.Tanh_() }},
		{"relu_", func(y *Tensor) error { return y.Relu_() }},
		{"sqrt_", func(y *Tensor) error { return y.Sqrt_() }},
		{"log_", func(y *Tensor) error { return y.Log_() }},
		{"abs_", func(y *Tensor) error { return y.Abs_() }},
		{"neg_", func(y *Tensor) error { return y.Neg_() }},
		{"clamp_", func(y *Tensor) error { return y.Clamp_(Kw("min", 0), Kw("max", 2)) }},
		{"pow_", func(y *Tensor) error { return y.Pow_(2) }},
		{"/= x", func(y *Tensor) error { return y.Div_(leaf()) }},
		{"/= 2", func(y *Tensor) error { return y.Div_(2) }},
		{"zero_", func(y *Tensor) error { return y.Zero_() }},
		{"fill_", func(y *Tensor) error { return y.Fill_(3.0) }},
		{"fill_ tensor", func(y *Tensor) error { return y.Fill_(scalar(3)) }},
		{"copy_", func(y *Tensor) error { return y.Copy_(ones(3)) }},
		{"copy_ x", func(y *Tensor) error { return y.Copy_(leaf()) }},
		{"masked_fill_", func(y *Tensor) error { return y.MaskedFill_(mask, 0.0) }},
		{"y[mask] = 0", func(y *Tensor) error { return y.SetIndex(0.0, mask) }},
		{"y[[0, 1]] = ones", func(y *Tensor) error { return y.SetIndex(ones(2), []int{0, 1}) }},
		{"y[:] = 0", func(y *Tensor) error { return y.SetIndex(0.0, all) }},
		{"y[0] = 5", func(y *Tensor) error { return y.SetIndex(5.0, 0) }},
		{"y[0] = tensor", func(y *Tensor) error { return y.SetIndex(New(5.0), 0) }},
		{"y[0] += 1", func(y *Tensor) error { return addToElement(y, 0) }},
		{"data[0] += 1", func(y *Tensor) error { return addToElement(y.Data(), 0) }},
		{"unsqueeze_", func(y *Tensor) error { return y.Unsqueeze_(0) }},
		{"y *= y", func(y *Tensor) error { return y.Mul_(y) }},
	}
}

// addOneUntracked adds 1 under no_grad.
func addOneUntracked(t *Tensor) {
	NoGrad(func() { do(t.Add_(1)) })
}

// backwardOf shows the error of backward from the sum of t, or None.
func backwardOf(t *Tensor) string { return raisedBy(func() error { return t.Sum().Backward() }) }

func (d *dict) add(label string, value any) {
	*d = append(*d, struct {
		label string
		value any
	}{label, value})
}

var inPlaceCases = map[string]func() any{
	"versions": func() any {
		var seen dict
		for _, bump := range bumps() {
			x := New([]float64{1, 2, 3, 4})
			do(bump.on(x))
			seen.add(bump.label, version(x))
		}
		return seen
	},
	"leaves": func() any {
		x := leaf()
		return []any{
			raisedBy(func() error { return leaf().Add_(1) }),
			raisedBy(func() error { return leaf().SetIndex(5.0, 0) }),
			raisedBy(func() error { return leaf().Zero_() }),
			raisedBy(func() error { return leaf().Index(0).Add_(1) }),
			raisedBy(func() error { return leaf().View([]int{3}).Mul_(2) }),
			raisedBy(func() error { return leaf().Index(Slice{nil, 2, nil}).Zero_() }),
			raisedBy(func() error { return leaf(1).Expand([]int{3}).Add_(1) }),
			raised(func() any { t := leaf().RequiresGrad_(false); return inPlace(t, t.Add_(1)) }),
			inPlaceOnce(x.Detach()), x, version(x),
		}
	},
	"independent_errors": func() any {
		return []any{
			raisedBy(func() error { return ones(1).Expand([]int{3}).Add_(1) }),
			raisedBy(func() error { return ones(2).Add_(ones(2, 2)) }),
			raisedBy(func() error { return New([]int{1}).Add_(1.5) }),
			raisedBy(func() error { return ones(2).Bool().Add_(1) }),
			raisedBy(func() error { return ones(2).Copy_(ones(3)) }),
		}
	},
	"results_changed": func() any {
		x := leaf()
		y := x.Mul(2)
		do(y.Add_(1))
		z := x.Mul(1)
		do(z.Add_(1))
		do(z.Mul_(2))
		return Tuple{meta(y), tree(y), tree(z), version(z)}
	},
	"constants_become_results": func() any {
		x := leaf()
		a := zeros(3)
		before := meta(a)
		do(a.Add_(x))
		b := ones(3)
		do(b.Mul_(x))
		c := zeros(2, 2)
		row := c.Index(0)
		do(row.Copy_(x.Index(Slice{nil, 2, nil})))
		d := zeros(3)
		v := d.Index(0)
		do(d.Add_(x))
		return []any{
			before, meta(a), tree(a), meta(b), get(gradFn(b).Saved("self")), get(gradFn(b).Saved("other")),
			meta(c), tree(c), meta(row), tree(row), meta(v), tree(v),
		}
	},
	"graphs_after_changes": func() any {
		var seen dict
		for _, change := range changes() {
			x := leaf()
			y := x.Mul(1)
			do(change.on(y))
			graph := "v" + fmt.Sprint(version(y)) + " " + tree(y)
			seen.add(change.label, []any{graph, backwardOf(y), x.Grad()})
		}
		return seen
	},
	"old_value_saved_as_a_copy": func() any {
		x := leaf()
		y := x.Mul(1)
		do(y.Mul_(x))
		z := x.Mul(1)
		do(z.Pow_(2))
		return Tuple{get(gradFn(y).Saved("self")), tree(z), get(gradFn(z).Saved("self"))}
	},
	"modified_saved_tensors": func() any {
		x := leaf()
		y := x.Mul(1)
		z := y.Mul(y)
		do(y.Add_(1))
		once := backwardOf(z)
		do(y.Add_(1))
		w, d := ones(3), Ones([]int{2, 3}, WithDType(Float64))
		i, m := New([]int{0, 1}), x.Gt(1)
		p := NewParameter(ones(3), true)
		products := []*Tensor{x.Mul(w), x.Mul(d), x.Mul(x), x.Index(i), Where(m, x, x.Mul(2)), x.Mul(p)}
		for _, t := range []*Tensor{w, d, i, p} {
			addOneUntracked(t)
		}
		do(m.Zero_())
		addOneUntracked(x)
		seen := []any{once, backwardOf(z), raised(func() any { return get(gradFn(z).Saved("self")) })}
		for _, t := range products {
			seen = append(seen, backwardOf(t))
		}
		return seen
	},
	"modified_results": func() any {
		var seen []any
		x := leaf()
		y := x.Exp()
		do(y.Mul_(2))
		seen = append(seen, backwardOf(y))
		y = x.Exp()
		z := y.Mul(2)
		do(y.Add_(1))
		seen = append(seen, backwardOf(z))
		y = x.Exp()
		addOneUntracked(y)
		seen = append(seen, backwardOf(y))
		y = x.Tanh()
		do(y.Unsqueeze(0).Add_(1))
		seen = append(seen, backwardOf(y))
		y = call("softmax", x, 0)
		NoGrad(func() { do(y.SetIndex(0, 0)) })
		seen = append(seen, backwardOf(y))
		max := get(Call("max", []any{rows2(), 1}))
		do(max[1].Add_(1))
		return append(seen, backwardOf(max[0]))
	},
	"modified_outputs_by_number": func() any {
		m := get(Call("var_mean", []any{leaf()}))[1]
		z := m.Mul(m)
		do(m.Add_(1))
		s := get(Call("sort", []any{leaf()}))[0]
		w := s.Mul(s)
		do(s.Add_(1))
		n := get(Call("var_mean", []any{leaf()}))[1]
		u := n.Mul(n)
		addOneUntracked(n)
		return Tuple{backwardOf(z), backwardOf(w), backwardOf(u)}
	},
	"modified_views": func() any {
		var seen []any
		y := leaf().Mul(1)
		parts := get(y.Unbind())
		z := parts[0].Mul(parts[1])
		do(y.Mul_(2))
		seen = append(seen, raisedBy(func() error { return z.Backward() }))
		y = leaf().Mul(1)
		b := get(y.Split(2))[1]
		z = b.Mul(b).Sum()
		do(y.Mul_(2))
		seen = append(seen, raisedBy(func() error { return z.Backward() }))
		x := leaf()
		v := x.Index(0)
		z = v.Mul(v)
		addOneUntracked(x)
		seen = append(seen, raisedBy(func() error { return z.Backward() }))
		x = zeros(3)
		p := scalar(1)
		s := New(0.0)
		for k := range 3 {
			do(x.SetIndex(p.Mul(k+1), k))
			s = s.Add(x.Index(k).Mul(x.Index(k)))
		}
		return append(seen, raisedBy(func() error { return s.Backward() }))
	},
	"detached_saved_tensor": func() any {
		x := leaf()
		y := x.Mul(1)
		z := y.Mul(y).Sum()
		do(y.Detach_())
		w := x.Exp()
		u := w.Sum()
		do(w.Detach_())
		do(u.Backward())
		return Tuple{raisedBy(func() error { return z.Backward() }), x.Grad()}
	},
	"nothing_saved_nothing_noticed": func() any {
		var seen []any
		for _, f := range []func(y *Tensor) *Tensor{
			func(y *Tensor) *Tensor { return y.Add(y) },
			func(y *Tensor) *Tensor { return y.Mul(2) },
			func(y *Tensor) *Tensor { return y.Sum() },
			func(y *Tensor) *Tensor { return call("mean", y) },
			func(y *Tensor) *Tensor { return call("mean", y, 0) },
			func(y *Tensor) *Tensor { return y.Pow(2) },
			func(y *Tensor) *Tensor { return y.View([]int{3, 1}) },
			func(y *Tensor) *Tensor { return Cat([]*Tensor{y, y}) },
		} {
			x := leaf()
			y := x.Mul(1)
			z := f(y)
			do(y.Add_(1))
			seen = append(seen, []any{backwardOf(z), x.Grad()})
		}
		return seen
	},
	"optimizer_step_between": func() any {
		linear := func(in, out int) []*Tensor {
			return []*Tensor{Rand([]int{out, in}, RequiresGrad), Rand([]int{out}, RequiresGrad)}
		}
		apply := func(x *Tensor, p []*Tensor) *Tensor { return call("linear", x, p[0], p[1]) }
		step := func(ps []*Tensor) {
			NoGrad(func() {
				for _, p := range ps {
					do(p.Add_(p.Grad(), Alpha(-0.1)))
				}
			})
		}
		x := Rand([]int{2, 3})
		m := linear(3, 1)
		z := apply(x, m).Sum()
		do(z.Backward(RetainGraph))
		step(m)
		do(z.Backward())
		first, second := linear(3, 4), linear(4, 1)
		for _, p := range append(first, second...) {
			NoGrad(func() { do(p.Mul_(1)) }) // nn.Linear fills its parameters in place
		}
		z = apply(apply(x, first), second).Sum()
		do(z.Backward(RetainGraph))
		step(append(first, second...))
		return raisedBy(func() error { return z.Backward() })
	},
	"overwriting_elements_in_a_loop": func() any {
		x, p := zeros(3), scalar(1)
		for k := range 3 {
			do(x.SetIndex(p.Mul(k+1), k))
		}
		do(x.Sum().Backward())
		return Tuple{tree(x), p.Grad(), version(x)}
	},
}
