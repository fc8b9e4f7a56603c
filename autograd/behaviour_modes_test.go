package autograd_test

import . "github.com/gradtui/gradtui/autograd"

var modeCases = map[string]func() any{
	"no_grad": func() any {
		x := leaf(1, 1)
		var seen []any
		NoGrad(func() {
			seen = append(seen, meta(x.Mul(2)), meta(x.Index(0)), meta(Ones([]int{2}, RequiresGrad)))
			seen = append(seen, meta(x.Clone()), meta(NewParameter(ones(1), true)))
			EnableGrad(func() { seen = append(seen, meta(x.Mul(2))) })
			seen = append(seen, GradEnabled())
			do(x.Add_(1))
			seen = append(seen, meta(x))
		})
		return append(seen, GradEnabled())
	},
	"set_grad_enabled": func() any {
		SetGradEnabled(false)
		off := GradEnabled()
		SetGradEnabled(true)
		return Tuple{off, GradEnabled()}
	},
	"backward_under_no_grad": func() any {
		x := leaf(1)
		y := x.Mul(2)
		NoGrad(func() { do(y.Backward()) })
		return Tuple{x.Grad(), meta(x.Grad())}
	},
	"views_under_no_grad": func() any {
		x := leaf()
		var v *Tensor
		NoGrad(func() { v = x.Index(0) })
		seen := []any{show(v), meta(v), tree(v.Mul(2))}
		do(v.Mul(2).Backward())
		return append(seen, x.Grad(), v.Grad(), raised(func() any { return v.RequiresGrad_(false) }), meta(v))
	},
	"view_under_no_grad_as_input": func() any {
		x := leaf()
		var v *Tensor
		NoGrad(func() { v = x.Index(0) })
		return raised(func() any { return get(Grad([]*Tensor{v.Mul(2).Sum()}, []*Tensor{v})) })
	},
	"inference_mode": func() any {
		x := leaf(1, 1)
		var seen []any
		var y *Tensor
		InferenceMode(func() {
			y = x.Mul(2)
			seen = append(seen, GradEnabled(), InferenceEnabled())
			seen = append(seen, meta(y), meta(Ones([]int{2}, RequiresGrad)), meta(x.Index(0)))
			do(x.Add_(1))
			seen = append(seen, meta(x))
			do(y.Add_(1))
		})
		return append(seen, meta(y), y, y.Index(0).IsInference(), y.Clone().IsInference())
	},
	"inference_tensors_outside": func() any {
		x := leaf(1, 1)
		var y *Tensor
		InferenceMode(func() { y = ones(2) })
		return []any{
			raised(func() any { return get(y.Version()) }),
			raised(func() any { return x.Mul(y) }),
			raised(func() any { return x.Add(y) }),
			raisedBy(func() error { return y.Add_(1) }),
			raised(func() any { return y.RequiresGrad_(true) }),
			raised(func() any { return y.RequiresGrad_(false) }),
			raised(func() any { return x.Mul(y.Clone()) }),
			raisedBy(func() error { return y.Mul_(x) }),
			raised(func() any { return y.Mul(2).IsInference() }),
			raised(func() any { return y.View([]int{2, 1}).IsInference() }),
		}
	},
	"inference_mode_and_grad_mode": func() any {
		x := leaf()
		var seen []any
		InferenceMode(func() {
			EnableGrad(func() { seen = append(seen, GradEnabled(), meta(x.Mul(2))) })
			NoInferenceMode(func() { seen = append(seen, GradEnabled(), meta(x.Mul(2))) })
		})
		return seen
	},
	"inference_views_of_normal_tensors": func() any {
		y := leaf().Mul(1)
		var v, w *Tensor
		InferenceMode(func() { v, w = y.Index(0), y.View([]int{3}) })
		return Tuple{
			meta(v),
			raised(func() any { return inPlace(v, v.Add_(1)) }),
			raised(func() any { return inPlace(w, w.Mul_(2)) }),
			meta(y),
		}
	},
	"backward_in_inference_mode": func() any {
		x := leaf(1)
		y := x.Mul(2)
		InferenceMode(func() { do(y.Backward()) })
		return Tuple{x.Grad(), meta(x.Grad())}
	},
	"anomaly_finds_nan": func() any {
		SetDetectAnomaly(true, true)
		x := scalar(0)
		y := x.Sqrt().Mul(0)
		return Tuple{raisedBy(func() error { return y.Backward() }), x.Grad()}
	},
	"anomaly_without_nan_check": func() any {
		SetDetectAnomaly(true, false)
		x := scalar(0)
		do(x.Sqrt().Mul(0).Backward())
		return x.Grad()
	},
	"anomaly_hint": func() any {
		SetDetectAnomaly(true, true)
		x := leaf()
		z := x.Mul(x)
		NoGrad(func() { do(x.Add_(1)) })
		return raisedBy(func() error { return z.Sum().Backward() })
	},
	"anomaly_for_nodes_made_before": func() any {
		y := scalar(0).Sqrt().Mul(0)
		SetDetectAnomaly(true, true)
		return raisedBy(func() error { return y.Backward() })
	},
	"anomaly_in_a_hook": func() any {
		SetDetectAnomaly(true, true)
		y := leaf(1).Mul(2)
		lambda(y, func(*Tensor) any { return ones(5) })
		return raisedBy(func() error { return y.Mul(3).Backward() })
	},
	"anomaly_in_double_backward": func() any {
		SetDetectAnomaly(true, true)
		x := scalar(2)
		g := get(Grad([]*Tensor{x.Pow(3)}, []*Tensor{x}, CreateGraph))[0]
		NoGrad(func() { do(x.Add_(1)) })
		return raisedBy(func() error { return g.Backward() })
	},
}
