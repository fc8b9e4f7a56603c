package autograd_test

import (
	"fmt"

	. "github.com/gradtui/gradtui/autograd"
)

var metadataCases = map[string]func() any{
	"kinds_of_tensors": func() any {
		x := leaf()
		y := x.Mul(2)
		return dict{
			{"leaf", meta(x)},
			{"constant", meta(ones(2))},
			{"result", meta(y)},
			{"view", meta(x.Index(0))},
			{"detached", meta(x.Detach())},
			{"data", meta(x.Data())},
			{"clone", meta(x.Clone())},
			{"detached clone", meta(x.Detach().Clone())},
			{"Parameter", meta(NewParameter(x, true))},
			{"Parameter(False)", meta(NewParameter(x, false))},
			{"Parameter of a result", meta(NewParameter(y, true))},
			{"Parameter's data", meta(NewParameter(x, true).Data())},
		}
	},
	"results_without_history": func() any {
		x := leaf()
		var seen []any
		for _, t := range []*Tensor{x.Gt(0), call("argmax", x), x.Long(), x.ZerosLike(), x.Detach(), x.Isnan()} {
			seen = append(seen, meta(t))
		}
		return seen
	},
	"results_with_zero_gradient": func() any {
		x := leaf(1, 1)
		return Tuple{x.Floor(), x.Round(), x.Sign(), x.FloorDivide(1), x.OnesLike(RequiresGrad)}
	},
	"same_object_comes_back": func() any {
		x := leaf()
		return dict{
			{"to(same)", x.To(Float32) == x},
			{"float()", get(Call("float", []any{x}))[0] == x},
			{"contiguous()", x.Contiguous() == x},
			{"+x", x.Positive() == x},
			{"flatten of 1-D", x.Flatten() == x},
			{"dropout in eval", get(Call("nn_functional_dropout", []any{x, 0.5, false}))[0] == x},
			{"reshape(same)", x.Reshape([]int{3}) == x},
			{"view_as", x.ViewAs(x) == x},
			{"double()", x.Double() == x},
		}
	},
	"requires_grad_of_results": func() any {
		y := leaf().Mul(2)
		return []any{
			raisedBy(func() error { return y.SetRequiresGrad(false) }),
			raisedBy(func() error { return y.SetRequiresGrad(true) }),
			raised(func() any { return y.RequiresGrad_(false) }),
			raised(func() any { return y.RequiresGrad_(true) == y }),
		}
	},
	"requires_grad_of_integers": func() any {
		one := []int{1}
		return []any{
			raisedBy(func() error { return New(one).SetRequiresGrad(true) }),
			raised(func() any { return New(one).RequiresGrad_(true) }),
			raised(func() any { return New(one).RequiresGrad_(false) }),
			raised(func() any { return New(one, RequiresGrad) }),
			raised(func() any { return New([]bool{true}, RequiresGrad) }),
			raised(func() any { return Zeros([]int{2}, WithDType(Int64), RequiresGrad) }),
			raised(func() any { return Arange(3, RequiresGrad) }),
			raised(func() any { return NewParameter(New(one), true) }),
			raised(func() any { return NewParameter(New(one), false) }),
		}
	},
	"requires_grad_takes_a_bool": func() any {
		x := leaf()
		var seen []any
		for _, v := range []any{"a", 1, nil} {
			seen = append(seen, raisedBy(func() error { return SetAttr(x, "requires_grad", v) }))
		}
		return seen
	},
	"read_only_attributes": func() any {
		x := leaf()
		var seen []any
		for _, name := range []string{"grad_fn", "is_leaf", "_version", "retains_grad", "output_nr"} {
			seen = append(seen, raisedBy(func() error { return SetAttr(x, name, true) }))
		}
		return seen
	},
	"unknown_attribute": func() any {
		return Tuple{
			raised(func() any { return get(Attr(leaf(), "foo")) }),
			raised(func() any { return get(Attr(gradFn(leaf().Mul(2)), "foo")) }),
		}
	},
	"requires_grad_set_after_forward": func() any {
		x := ones(3)
		y := x.Mul(2)
		x.RequiresGrad_(true)
		return Tuple{raisedBy(func() error { return y.Sum().Backward() }), meta(x), meta(y)}
	},
	"requires_grad_cleared_after_forward": func() any {
		x := leaf()
		y := x.Mul(2)
		x.RequiresGrad_(false)
		do(y.Sum().Backward())
		return Tuple{x.Grad(), meta(x)}
	},
	"grad_of_a_result_warns_each_time": func() any {
		y := leaf().Mul(2)
		return Tuple{y.Grad(), y.Grad(), y.Detach().Grad()}
	},
	"retains_grad": func() any {
		x := leaf()
		z := x.Mul(2)
		do(z.RetainGrad())
		do(x.RetainGrad())
		return Tuple{z.Grad(), z.RetainsGrad(), x.RetainsGrad(), raisedBy(ones(2).RetainGrad)}
	},
	"assigning_grad": func() any {
		x, g := leaf(), ones(3)
		do(x.SetGrad(g))
		same := x.Grad() == g
		do(x.SetGrad(nil))
		y := x.Mul(2)
		do(y.SetGrad(g))
		plain := ones(3)
		do(plain.SetGrad(ones(3)))
		do(x.SetGrad(x.Mul(2)))
		return Tuple{same, y.Grad(), plain.Grad(), plain.RequiresGrad(), x.Grad()}
	},
	"assigning_wrong_grad": func() any {
		x := leaf()
		var seen []any
		for _, g := range []any{ones(2), Ones([]int{3}, WithDType(Float64)), 1, "g", x} {
			seen = append(seen, raisedBy(func() error { return SetAttr(x, "grad", g) }))
		}
		return seen
	},
	"deleting_grad": func() any {
		x := leaf()
		do(x.Sum().Backward())
		g := x.Grad()
		do(x.SetGrad(nil))
		return Tuple{x.Grad(), g}
	},
	"sharing_of_memory_and_versions": func() any {
		var seen dict
		for _, way := range []struct {
			label string
			of    func(x *Tensor) *Tensor
		}{
			{"view(-1)", func(x *Tensor) *Tensor { return x.View([]int{-1}) }},
			{"x[:]", func(x *Tensor) *Tensor { return x.Index(all) }},
			{"x[0]", func(x *Tensor) *Tensor { return x.Index(0) }},
			{"detach()", func(x *Tensor) *Tensor { return x.Detach() }},
			{"data", func(x *Tensor) *Tensor { return x.Data() }},
			{"clone()", func(x *Tensor) *Tensor { return x.Clone() }},
			{"detach().clone()", func(x *Tensor) *Tensor { return x.Detach().Clone() }},
			{"reshape", func(x *Tensor) *Tensor { return x.Reshape([]int{2, 2}) }},
			{"t()", func(x *Tensor) *Tensor { return x.T() }},
			{"expand", func(x *Tensor) *Tensor { return x.Expand([]int{4}) }},
			{"contiguous()", func(x *Tensor) *Tensor { return x.Contiguous() }},
			{"Parameter(x)", func(x *Tensor) *Tensor { return NewParameter(x, true) }},
			{"Parameter(x).data", func(x *Tensor) *Tensor { return NewParameter(x, true).Data() }},
			{"to(float32)", func(x *Tensor) *Tensor { return x.To(Float32) }},
			{"to(float64)", func(x *Tensor) *Tensor { return x.To(Float64) }},
			{"float()", func(x *Tensor) *Tensor { return get(Call("float", []any{x}))[0] }},
			{"view(2, 2).detach()", func(x *Tensor) *Tensor { return x.View([]int{2, 2}).Detach() }},
			{"unbind()[0]", func(x *Tensor) *Tensor { return get(x.Unbind())[0] }},
			{"split(2)[0]", func(x *Tensor) *Tensor { return get(x.Split(2))[0] }},
			{"view(2, 2).diagonal()", func(x *Tensor) *Tensor { return x.View([]int{2, 2}).Diagonal() }},
			{"view_as", func(x *Tensor) *Tensor { return x.ViewAs(x) }},
			{"narrow", func(x *Tensor) *Tensor { return x.Narrow(0, 0, 2) }},
			{"squeeze", func(x *Tensor) *Tensor { return x.Squeeze() }},
			{"flatten", func(x *Tensor) *Tensor { return x.Flatten() }},
			{"T", func(x *Tensor) *Tensor { return get(Attr(x, "T")).(*Tensor) }},
			{"requires_grad_(False)", func(x *Tensor) *Tensor { return x.RequiresGrad_(false) }},
			{"copy.copy", func(x *Tensor) *Tensor { return x.ShallowCopy() }},
			{"copy.deepcopy", func(x *Tensor) *Tensor { return x.DeepCopy() }},
		} {
			x := ones(4)
			do(x.Add_(1))
			seen = append(seen, struct {
				label string
				value any
			}{way.label, sharing(way.of(x), x)})
		}
		return seen
	},
	"assigning_data": func() any {
		x := Ones([]int{2}, RequiresGrad)
		do(x.Data().Add_(5))
		seen := []any{x.Clone(), version(x)}
		do(x.SetData(zeros(3)))
		seen = append(seen, x, version(x))
		y := Ones([]int{2}, RequiresGrad)
		do(y.SetData(Zeros([]int{2}, WithDType(Float64))))
		return append(seen, y, version(y))
	},
	"assigning_data_keeps_the_counter": func() any {
		x := inPlaceOnce(ones(2))
		n := inPlaceOnce(inPlaceOnce(zeros(2)))
		do(x.SetData(n))
		seen := []any{version(x), version(n)}
		do(n.Add_(3))
		return append(seen, version(x), version(n), x)
	},
	"changes_through_data_go_unnoticed": func() any {
		x := leaf(1, 1)
		y := x.Mul(1)
		z := y.Mul(y)
		do(y.Data().Mul_(5))
		do(z.Sum().Backward())
		return Tuple{x.Grad(), version(y)}
	},
	"changes_through_detach_are_noticed": func() any {
		y := leaf(1, 1).Mul(1)
		z := y.Mul(y)
		do(y.Detach().Mul_(5))
		do(z.Sum().Backward())
		return nil
	},
	"detach_in_place": func() any {
		x := leaf()
		y := x.Mul(2)
		do(y.Detach_())
		do(x.Detach_())
		return Tuple{
			meta(y), meta(x),
			raisedBy(leaf().Mul(2).Index(0).Detach_),
			raisedBy(ones(2).Index(0).Detach_),
		}
	},
	"copies": func() any {
		a := leaf()
		do(a.Sum().Backward())
		shallow, deep := a.ShallowCopy(), a.DeepCopy()
		p := NewParameter(ones(2), true)
		do(p.Sum().Backward())
		q := p.DeepCopy()
		y := a.Mul(2)
		return []any{
			meta(shallow), shallow.Grad(), SameMemory(shallow, a),
			meta(deep), deep.Grad(), deep.Grad() == a.Grad(), SameMemory(deep, a),
			q, meta(q), q.Grad(),
			meta(y.ShallowCopy()),
			raised(func() any { return y.DeepCopy() }),
		}
	},
	"parameter_shares_the_version": func() any {
		a := inPlaceOnce(ones(2))
		p := NewParameter(a, true)
		seen := []any{version(a), version(p)}
		NoGrad(func() { do(p.Add_(1)) })
		seen = append(seen, version(a), version(p))
		do(a.Mul_(2))
		return append(seen, version(a), version(p), p, p.IsView())
	},
	"parameter_drops_hooks_and_grad": func() any {
		a := leaf(1, 1)
		lambda(a, func(g *Tensor) any { return g.Mul(10) })
		do(a.SetGrad(ones(2)))
		p := NewParameter(a, true)
		do(p.Mul(1).Sum().Backward())
		return Tuple{p.Grad(), a.Grad()}
	},
	"tensor_of_tensors": func() any {
		x := leaf()
		return []any{
			New(x), New(x, RequiresGrad), New(x.Mul(2)),
			New([]any{x.Index(0), x.Index(1)}),
			New([]any{New(1.0), New(2.0, RequiresGrad)}),
		}
	},
	"leaving_tensors": func() any {
		x := leaf()
		var list []any
		for _, v := range x.Float64s() {
			list = append(list, v)
		}
		return []any{
			raised(func() any { return get(x.Item()) }),
			get(New([][]float64{{2.5}}, RequiresGrad).Item()),
			raised(func() any { return get(x.Truth()) }),
			get(New([]float64{0}).Truth()),
			raised(func() any { return get(New([]float64{}).Truth()) }),
			raised(func() any { return get(x.Float32s()) }),
			list,
			raised(func() any { return get(New(1.0).Len()) }),
			raised(func() any { return get(New(1.0).Rows()) }),
			get(New(1.23456, RequiresGrad).PythonFormat(".2f")),
			get(New(3.5).PythonFormat("")),
			raised(func() any { return get(x.PythonFormat(".2f")) }),
			get(x.PythonFormat("")),
		}
	},
	"view_made_a_leaf": func() any {
		b := ones(2)
		v := b.Index(0)
		v.RequiresGrad_(true)
		seen := []any{meta(v), meta(b)}
		do(b.Add_(1))
		return append(seen, meta(b), meta(v))
	},
	"nodes": func() any {
		x := leaf()
		y := x.Mul(ones(3))
		fn := gradFn(y)
		acc := fn.NextFunctions()[0].Node
		var next []any
		for _, e := range fn.NextFunctions() {
			next = append(next, Tuple{e.Node.String(), e.Input})
		}
		return []any{
			fn.Name(), fn.ClassName(), acc.Name(), next, acc.Variable() == x,
			acc == gradFn(x.Mul(3)).NextFunctions()[0].Node, gradFn(y) == fn, make(Tuple, len(acc.NextFunctions())),
		}
	},
	"output_numbers": func() any {
		x := leaf(1, 2, 3, 4)
		parts := get(x.Split(2))
		var numbers []any
		for _, t := range get(x.Unbind()) {
			numbers = append(numbers, t.OutputNr())
		}
		return Tuple{meta(parts[0]), meta(parts[1]), tree(parts[0].Mul(parts[1])), numbers}
	},
	"sequence_numbers": func() any {
		x := leaf()
		a, b := x.Mul(1), x.Mul(1)
		v := b.Index(0)
		do(b.Add_(1))
		c := v.Mul(2)
		var seen []any
		for _, t := range []*Tensor{a, b, c, v} {
			seen = append(seen, gradFn(t).SequenceNr()-gradFn(a).SequenceNr())
		}
		return append(seen, gradFn(a).NextFunctions()[0].Node.SequenceNr())
	},
	"bases_of_views": func() any {
		x := leaf()
		y := x.Mul(1)
		v := y.Index(Slice{0, 2, nil})
		w := v.Index(0)
		d := y.Detach()
		return []any{
			v.Base() == y, w.Base() == y, y.Base() == nil, x.Index(0).Base() == x, d.Base() == nil,
			d.IsView(), d.Index(0).Base() == d, tree(w), y.Reshape([]int{3, 1}).Base() == y,
		}
	},
}

// sharing shows what two tensors share: memory, version counter, base.
func sharing(s, x *Tensor) string {
	do(s.Err())
	var versions []any
	note := func() { versions = append(versions, Tuple{version(x), version(s)}) }
	note()
	NoGrad(func() {
		do(x.Add_(1))
		note()
		do(s.Add_(1))
		note()
	})
	memory := "copy"
	if SameMemory(s, x) {
		memory = "memory"
	}
	return fmt.Sprintf("%s %s base %s", memory, show(versions), show(s.Base() == x))
}

// inPlaceOnce increments the version of a tensor by one.
func inPlaceOnce(t *Tensor) *Tensor { return inPlace(t, t.Add_(1)) }
