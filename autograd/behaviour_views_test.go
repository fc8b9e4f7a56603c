package autograd_test

import . "github.com/gradtui/gradtui/autograd"

var viewCases = map[string]func() any{
	"change_of_a_view": func() any {
		x := leaf()
		y := x.Mul(1)
		v := y.Index(0)
		fn := gradFn(y)
		do(v.Mul_(5))
		seen := []any{tree(y), meta(y), tree(v), meta(v), gradFn(y) == fn, show(y), show(v)}
		do(y.Sum().Backward())
		return append(seen, x.Grad())
	},
	"element_assigned": func() any {
		x := leaf()
		y, s := x.Mul(1), scalar(7)
		do(y.SetIndex(s, 0))
		graph := tree(y)
		do(y.Sum().Backward())
		return Tuple{graph, x.Grad(), s.Grad()}
	},
	"slice_assigned": func() any {
		x := leaf()
		y := x.Mul(1)
		do(y.SetIndex(x.Index(Slice{1, nil, nil}).Mul(10), Slice{0, 2, nil}))
		graph := tree(y)
		do(y.Mul(New([]float64{1, 10, 100})).Sum().Backward())
		return Tuple{graph, x.Grad()}
	},
	"element_of_a_constant_assigned": func() any {
		z, s := zeros(3), scalar(7)
		do(z.SetIndex(s, 1))
		seen := []any{meta(z), tree(z)}
		do(z.Sum().Backward())
		return append(seen, s.Grad())
	},
	"two_views_one_changed": func() any {
		y := leaf().Mul(1)
		v, w := y.View([]int{3}), y.Index(Slice{1, nil, nil})
		do(v.Add_(1))
		return Tuple{tree(y), tree(v), tree(w)}
	},
	"view_of_a_view_changed": func() any {
		x := rows2()
		y := x.Mul(1)
		v := y.Index(0)
		w := v.Index(1)
		do(w.Mul_(10))
		graphs := []any{tree(y), tree(v), tree(w)}
		do(v.Mul(New([]float64{1, 2, 3})).Sum().Backward())
		return []any{graphs[0], graphs[1], graphs[2], x.Grad()}
	},
	"base_changed": func() any {
		x := leaf()
		y := x.Mul(1)
		v := y.Index(0)
		do(y.Mul_(2))
		seen := []any{tree(v), meta(v), show(v)}
		do(v.Backward())
		return append(seen, x.Grad())
	},
	"base_changed_under_a_transpose": func() any {
		x := rows2()
		y := x.Mul(1)
		v := y.T()
		do(y.Mul_(2))
		fn := gradFn(v)
		seen := []any{tree(v), get(Attr(fn, "_saved_size")), get(Attr(fn, "_saved_stride")), get(Attr(fn, "_saved_storage_offset"))}
		do(v.Mul(New([][]float64{{1, 2}, {3, 4}, {5, 6}})).Sum().Backward())
		return append(seen, x.Grad())
	},
	"rows_changed_one_after_the_other": func() any {
		x := rows2()
		y := x.Mul(1)
		a := y.Index(0)
		do(a.Mul_(2))
		b := y.Index(1)
		do(b.Mul_(3))
		seen := []any{tree(y), tree(a), tree(b)}
		do(y.Sum().Backward())
		return append(seen, x.Grad())
	},
	"column_changed": func() any {
		y := rows2().Mul(1)
		do(y.T().Index(1).Mul_(y.T().Index(0)))
		do(y.Sum().Backward())
		return nil
	},
	"base_with_an_offset": func() any {
		x := leaf(1, 2, 3, 4)
		y := x.Mul(1).Index(Slice{1, nil, nil}).Detach()
		y.RequiresGrad_(true)
		z := y.ExpandAs(y).Mul(1)
		v := z.Index(Slice{1, nil, nil})
		do(v.Mul_(10))
		do(z.Sum().Backward())
		return Tuple{y.Grad(), meta(v)}
	},
	"view_of_a_constant_gets_history": func() any {
		a := zeros(3)
		v := a.Index(0)
		do(v.Add_(scalar(1)))
		return Tuple{meta(a), tree(a), tree(v)}
	},
	"copy_slices": func() any {
		y := leaf().Mul(1)
		v := y.Index(0)
		do(v.Mul_(5))
		fn := gradFn(y)
		seen := []any{fn.Name(), gradFn(v).Name(), raised(func() any { return get(Attr(fn, "_saved_self")) })}
		do(y.Sum().Backward())
		return append(seen, backwardOf(y))
	},
	"copy_slices_that_save_nothing": func() any {
		y := leaf().Add(1)
		do(y.Index(0).Add_(5))
		do(y.Sum().Backward())
		return backwardOf(y)
	},
	"leaf_changed_under_no_grad": func() any {
		x := leaf()
		v := x.Index(0)
		addOneUntracked(x)
		return Tuple{tree(v), meta(v), v}
	},
	"base_of_changed_view_used_before": func() any {
		x := leaf()
		y := x.Mul(1)
		z := y.Sum()
		do(y.Index(0).Mul_(2))
		do(z.Add(y.Sum()).Backward())
		return Tuple{x.Grad(), tree(z)}
	},
	"multiple_outputs": func() any {
		four := func() *Tensor { return leaf(1, 2, 3, 4).Mul(1) }
		return []any{
			raisedBy(func() error { return get(leaf().Mul(1).Unbind())[0].Add_(1) }),
			raisedBy(func() error { return get(leaf().Mul(1).Unpack(3))[0].Mul_(2) }),
			raisedBy(func() error { return get(four().Split(2))[1].Mul_(2) }),
			raisedBy(func() error { return get(four().Chunk(2))[1].Add_(1) }),
			raisedBy(func() error {
				for _, row := range get(rows2().Mul(1).Rows()) {
					if err := row.Add_(1); err != nil {
						return err
					}
				}
				return nil
			}),
			raisedBy(func() error { return get(leaf().Rows())[0].Add_(1) }),
			raised(func() any { x := zeros(4); do(get(x.Split(2))[1].Add_(1)); return x }),
			raisedBy(func() error { return get(zeros(4).Split(2))[1].Add_(leaf(1, 1)) }),
		}
	},
	"multiple_outputs_after_the_base_changed": func() any {
		y := leaf(1, 2, 3, 4).Mul(1)
		parts := get(y.Split(2))
		a, b := parts[0], parts[1]
		do(y.Add_(1))
		return []any{
			raised(func() any { return gradFn(a) }),
			raised(func() any { return get(Attr(b, "is_leaf")) }),
			raised(func() any { return a }),
			raised(func() any { return a.Mul(2) }),
			raised(func() any { return get(CallAttr(a, "tolist", nil)) }),
			raised(func() any { return a.Detach() }),
			raised(func() any { return a.RequiresGrad() }),
		}
	},
	"views_of_one_output_views": func() any {
		y := leaf(1, 2, 3, 4).Mul(1)
		v := get(y.Split(2))[0].Index(0)
		return Tuple{meta(v), raisedBy(func() error { return v.Add_(1) })}
	},
	"no_grad_views": func() any {
		view := func(y *Tensor) (v *Tensor) {
			NoGrad(func() { v = y.Index(0) })
			return v
		}
		return []any{
			raised(func() any {
				p := leaf()
				var v *Tensor
				NoGrad(func() { v = p.Index(0); do(v.Add_(1)) })
				return v
			}),
			raised(func() any {
				y := leaf().Mul(1)
				v := y.Index(0)
				addOneUntracked(v)
				return Tuple{tree(v), tree(y), v}
			}),
			raised(func() any { v := view(leaf().Mul(1)); return inPlace(v, v.Add_(1)) }),
			raised(func() any {
				y := leaf().Mul(1)
				v := view(y)
				do(y.Add_(1))
				return gradFn(v)
			}),
			raised(func() any {
				v := view(ones(2))
				do(v.Add_(1))
				return Tuple{v, raisedBy(func() error { return v.Add_(scalar(1)) })}
			}),
		}
	},
	"detached_views_are_no_views": func() any {
		y := leaf().Mul(1)
		d := y.Detach()
		do(d.Add_(1))
		return Tuple{meta(d), meta(y), tree(y)}
	},
	"stale_view_in_the_graph": func() any {
		x := leaf()
		y := x.Mul(1)
		v := y.Index(Slice{nil, 2, nil})
		z := v.Mul(3)
		do(y.Mul_(2))
		do(z.Sum().Add(v.Sum()).Backward())
		return Tuple{x.Grad(), tree(z), tree(v)}
	},
	"retained_grad_of_changed_tensors": func() any {
		x := leaf()
		y := x.Mul(1)
		do(y.RetainGrad())
		do(y.Mul_(2))
		v := y.Index(0)
		do(v.RetainGrad())
		do(v.Mul_(5))
		w := y.Index(1)
		do(w.RetainGrad())
		do(y.Add_(1))
		do(y.Sum().Add(v.Mul(2)).Add(w.Mul(3)).Backward())
		retains := []any{y.RetainsGrad(), v.RetainsGrad(), w.RetainsGrad()}
		return Tuple{x.Grad(), y.Grad(), v.Grad(), w.Grad(), retains}
	},
	"view_whose_base_got_history": func() any {
		view := func() *Tensor {
			a := zeros(3)
			v := a.Index(0)
			do(a.Add_(leaf()))
			return v
		}
		return []any{
			raisedBy(func() error { return view().Mul_(2) }),
			raised(func() any { return view().RequiresGrad_(false) }),
			raisedBy(func() error { return view().SetRequiresGrad(true) }),
			raised(func() any { return view().Grad() }),
			raised(func() any {
				v := view()
				do(v.RetainGrad())
				do(v.Mul(2).Backward())
				return Tuple{v.Grad(), v.RetainsGrad()}
			}),
			raised(func() any { return get(Attr(view(), "is_leaf")) }),
			raised(func() any { return meta(view().Mul(2)) }),
		}
	},
}
