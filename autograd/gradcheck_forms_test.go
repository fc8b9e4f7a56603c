package autograd

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// This file compares derivatives with each other: forward mode with backward,
// single arguments with all together, in-place forms with operators, and
// changes of views with changes of their base.

// weightsFor returns a fixed gradient or tangent for each tensor.
func weightsFor(ts []*Tensor, seed int) []*Tensor {
	ws := make([]*Tensor, len(ts))
	for i, t := range ts {
		ws[i] = as(spread(t.sizes, seed+i, domains[""], false), t.dtype)
	}
	return ws
}

// pull propagates fixed gradients from the outputs to the inputs that require
// grad. Missing gradients are zeros.
func pull(outs, in []*Tensor) ([]*Tensor, error) {
	outs = differentiableOf(outs)
	return Grad(outs, differentiableOf(in), GradOutputs(weightsFor(outs, 50)...), MaterializeGrads)
}

// push propagates fixed tangents from all inputs to the outputs that require
// grad.
func push(f func(in []*Tensor) []*Tensor, in []*Tensor) (values, tangents []*Tensor, err error) {
	differentiable := f(in)
	primals := make([]*Tensor, len(in))
	for i, t := range in {
		primals[i] = t.Detach()
	}
	all, changes, err := ForwardJVP(f, primals, weightsFor(in, 70))
	for i := range all {
		if differentiable[i].requiresGrad() {
			values, tangents = append(values, all[i]), append(tangents, changes[i])
		}
	}
	return values, tangents, err
}

// innerProduct returns the inner product of two lists of tensors.
func innerProduct(a, b []*Tensor) (sum float64) {
	for i := range a {
		y := b[i].Float64s()
		for k, x := range a[i].Float64s() {
			sum += x * y[k]
		}
	}
	return sum
}

func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// sameValues reports whether two lists of tensors have the same shapes and, up
// to rounding, the same elements.
func sameValues(a, b []*Tensor) bool {
	return slices.EqualFunc(a, b, func(x, y *Tensor) bool {
		return slices.Equal(x.Shape(), y.Shape()) && slices.EqualFunc(x.Float64s(), y.Float64s(), nearly)
	})
}

// checkAdjoint compares forward mode with backward. For the Jacobian J,
// tangents v and gradients u, (J v)·u = v·(Jᵀ u) must hold.
func (s *opSample) checkAdjoint(t *testing.T, f func(in []*Tensor) []*Tensor, in []*Tensor) {
	if slices.ContainsFunc(in, func(x *Tensor) bool { return x.Numel() == 0 }) {
		return // some formulas of PyTorch raise for empty tensors
	}
	grads, err := pull(f(in), in)
	if err != nil {
		t.Errorf("%s: backward: %v", s, err)
		return
	}
	values, tangents, err := push(f, in)
	if !s.expect(t, "forward mode", err) {
		return
	}
	if a, b := innerProduct(tangents, weightsFor(values, 50)), innerProduct(weightsFor(in, 70), grads); !nearly(a, b) {
		t.Errorf("%s: forward mode gives %v, backward mode %v", s, a, b)
	}
}

// checkEachAlone lets one argument at a time require grad. Its gradient must
// not depend on whether other gradients are wanted.
func (s *opSample) checkEachAlone(t *testing.T, in []*Tensor) {
	f := s.function()
	all, err := pull(f(in), in)
	if err != nil || len(in) < 2 {
		return // GradCheck reports it
	}
	for i := range in {
		alone := make([]*Tensor, len(in))
		for k, x := range in {
			alone[k] = x.Detach().RequiresGrad_(k == i)
		}
		outs := f(alone)
		if why := misfit(outs); why != "" {
			t.Errorf("%s: only leaf %d requires grad: %s", s, i, why)
			continue
		}
		if len(differentiableOf(outs)) == 0 {
			if !allZero(all[i]) {
				t.Errorf("%s: no gradient if only leaf %d requires grad", s, i)
			}
			continue
		}
		if len(differentiableOf(outs)) != len(differentiableOf(f(in))) {
			continue // a different sum
		}
		grads, err := pull(outs, alone)
		switch {
		case err != nil:
			t.Errorf("%s: only leaf %d requires grad: %v", s, i, err)
		case !sameValues(grads, all[i:i+1]):
			t.Errorf("%s: the gradient of leaf %d is %v alone and %v with the others", s, i, grads[0], all[i])
		}
	}
}

// checkLayouts lays out gradients and arguments differently in memory, and
// propagates the gradient of a sum, whose elements are all one. The results
// must not depend on the layout.
func (s *opSample) checkLayouts(t *testing.T, in []*Tensor) {
	f := s.function()
	outs := differentiableOf(f(in))
	same := func(what string, want, got []*Tensor) {
		a, err := Grad(outs, in, GradOutputs(want...), MaterializeGrads, RetainGraph)
		if err != nil {
			return // GradCheck reports it
		}
		b, err := Grad(outs, in, GradOutputs(got...), MaterializeGrads, RetainGraph)
		if err != nil || !sameValues(a, b) {
			t.Errorf("%s: %s gives the gradients %v (%v), not %v", s, what, b, err, a)
		}
	}
	weights := weightsFor(outs, 50)
	same("a gradient in column order", weights, turnedAround(weights))
	var dense, expanded []*Tensor
	for _, out := range outs {
		dense = append(dense, filled(out.sizes, out.dtype, 0.75))
		expanded = append(expanded, filled(nil, out.dtype, 0.75).Expand(out.sizes))
	}
	same("an expanded gradient", dense, expanded)
	if readsMemory[opKey(s.op)] || drawsRandomNumbers(s.op) {
		return // the generator follows the memory order
	}
	turned := turnedAround(in)
	for i, x := range turned {
		turned[i] = x.RequiresGrad_(true)
	}
	all := f(turned)
	if why := misfit(all); why != "" {
		if !strings.Contains(why, "view size is not compatible") {
			t.Errorf("%s: arguments in column order: %s", s, why)
		}
	} else if got := differentiableOf(all); len(got) > 0 {
		a, err := pull(outs, in)
		b, turnedErr := pull(got, turned)
		if (err != nil) != (turnedErr != nil) || !sameValues(outs, got) || err == nil && !sameValues(a, b) {
			t.Errorf("%s: arguments in column order give %v with gradients %v (%v), not %v with %v", s, got, b, turnedErr, outs, a)
		}
	}
}

// readsMemory are the operators whose result depends on strides.
var readsMemory = set("as_strided", "set_.source_Tensor_storage_offset", "as_strided_scatter", "as_strided_copy", "_reshape_alias")

// turnedAround copies tensors to memory with the first dimension innermost.
func turnedAround(ts []*Tensor) []*Tensor {
	turned := make([]*Tensor, len(ts))
	for i, t := range ts {
		strides, n := make([]int, len(t.sizes)), 1
		for d, size := range t.sizes {
			strides[d] = n
			n *= max(size, 1)
		}
		turned[i] = laidOut(t.sizes, strides)
		copyData(turned[i], t)
	}
	return turned
}

// eachSample calls f with the samples of an operator that fit it.
func eachSample(t *testing.T, o *Op, f func(s *opSample)) {
	list, _, err := samplesOf(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if misfit(s.function()(s.inputs())) == "" {
			f(s)
		}
	}
}

// TestInPlaceFormsHaveTheDerivativesOfTheirOperators compares values, gradients
// and tangents of in-place forms, and of in-place forms that change a view.
func TestInPlaceFormsHaveTheDerivativesOfTheirOperators(t *testing.T) {
	defer quiet()()
	forms := 0
	for _, o := range Ops() {
		if !o.InPlace || o.Node == "" || zeroByDesign[opKey(o)] {
			continue
		}
		fits := 0
		eachSample(t, o, func(s *opSample) {
			if len(s.leaves) > 0 && s.leaves[0].param == o.tensors[0] && s.compareInPlace(t) {
				fits++
			}
		})
		if fits > 0 {
			forms++
		} else {
			t.Errorf("no sample of %s_ fits", opKey(o))
		}
	}
	if forms < 100 {
		t.Errorf("only %d in-place forms were compared", forms)
	}
}

// compareInPlace compares the in-place form with the operator. It reports
// whether the operator's result fits its argument.
func (s *opSample) compareInPlace(t *testing.T) bool {
	outOfPlace := s.function()
	in := s.inputs()
	want := outOfPlace(in)
	inPlace := func(in []*Tensor) []*Tensor {
		outs, err := s.call(s.op.inPlaceForm(), true, in, true)
		if err != nil {
			return errTensor(err).alone()
		}
		return outs
	}
	got := inPlace(in)
	if want[0].dtype != Float64 || s.op.Views == NoViews && !slices.Equal(want[0].Shape(), in[0].Shape()) {
		if got[0].err == nil || got[0].err.Code == CodeInternal {
			t.Errorf("%s: the in-place form gives %v", s, got[0])
		}
		return false
	}
	s.compareFunctions(t, "the in-place form", inPlace, outOfPlace)
	s.expect(t, "second derivative of the in-place form", GradGradCheck(inPlace, in, nil, GradCheckOptions{}))
	if s.op.Views != NoViews {
		return true // they change the geometry of a view, not its memory
	}
	stacked := func(in []*Tensor) []*Tensor { return Stack([]*Tensor{in[0], outOfPlace(in)[0]}).alone() }
	s.compareFunctions(t, "the in-place form on a view", func(in []*Tensor) []*Tensor {
		base := Stack([]*Tensor{in[0], in[0]})
		in = slices.Clone(in)
		in[0] = base.Select(0, 1)
		if _, err := s.call(s.op.inPlaceForm(), true, in, false); err != nil {
			return errTensor(err).alone()
		}
		return base.alone()
	}, stacked)
	return true
}

// compareFunctions compares values, gradients and tangents of two functions.
func (s *opSample) compareFunctions(t *testing.T, what string, f, like func(in []*Tensor) []*Tensor) {
	in := s.inputs()
	got, want := f(in), like(in)
	if why := misfit(got); why != "" || !sameValues(got[:1], want[:1]) {
		t.Errorf("%s: %s gives %v, the operator %v", s, what, got, want)
		return
	}
	gotGrads, err := pull(got[:1], in)
	wantGrads, wantErr := pull(want[:1], in)
	if (err != nil) != (wantErr != nil) || err == nil && !sameValues(gotGrads, wantGrads) {
		t.Errorf("%s: the gradients of %s are %v (%v), the operator's %v (%v)", s, what, gotGrads, err, wantGrads, wantErr)
	}
	if !s.hasTangents() {
		return
	}
	_, gotTangents, err := push(f, in)
	_, wantTangents, wantErr := push(like, in)
	if (err != nil) != (wantErr != nil) || err == nil && !sameValues(gotTangents[:1], wantTangents[:1]) {
		t.Errorf("%s: the tangents of %s are %v (%v), the operator's %v (%v)", s, what, gotTangents, err, wantTangents, wantErr)
	}
}

// TestChangesOfViewsHaveTheRightDerivatives changes a view in place and
// differentiates the resulting base.
func TestChangesOfViewsHaveTheRightDerivatives(t *testing.T) {
	defer quiet()()
	checked := map[Views]int{}
	for _, o := range Ops() {
		if o.In&Hidden != 0 && o.Views == NoViews || o.Node == "" && o.Compose == nil || constantResults[opKey(o)] != "" {
			continue
		}
		eachSample(t, o, func(s *opSample) {
			if len(s.leaves) == 1 && s.leaves[0].item < 0 && !s.changesSelf() && s.checkView(t) {
				checked[o.Views]++
			}
		})
	}
	if checked[OneView] < 40 || checked[MultiView] < 5 || checked[NoViews] < 50 {
		t.Errorf("too few views were checked: %v", checked)
	}
}

// checkView checks changes of the operator's result. It reports whether the
// result is a view of the argument.
func (s *opSample) checkView(t *testing.T) bool {
	in := s.inputs()
	base := in[0].Mul(in[0])
	outs := s.function()(base.alone())
	if viewsOfSaved[opKey(s.op)] {
		return false
	}
	if misfit(outs) != "" || len(outs) == 0 || !outs[0].IsView() && outs[0] != base || outs[0].Numel() == 0 {
		return false
	}
	if sharesElements(outs[0]) && !overlaps(outs[0].sizes, outs[0].strides) {
		return false // PyTorch does not notice, and the result depends on the order
	}
	f := func(in []*Tensor) []*Tensor {
		base := in[0].Mul(in[0])
		v := s.function()(base.alone())[0]
		if err := v.Mul_(spread(v.sizes, 5, domains[""], false)); err != nil {
			return errTensor(err).alone()
		}
		return []*Tensor{base.Mul(base), v.Sin()}
	}
	if e := f(in)[0].err; e != nil {
		several := s.op.Views == MultiView || s.op.Compose != nil && len(outs) > 1
		if several && errors.Is(e, CodeViewInPlace) || overlaps(outs[0].sizes, outs[0].strides) && errors.Is(e, CodeOverlap) {
			return true
		}
		t.Errorf("%s: changing the view: %v", s, e)
		return false
	}
	if s.op.Views == MultiView {
		t.Errorf("%s: one of several views was changed in place", s)
	}
	s.expect(t, "gradient through the view", GradCheck(f, in, GradCheckOptions{Forward: true}))
	s.expect(t, "second derivative through the view", GradGradCheck(f, in, nil, GradCheckOptions{Forward: true}))
	return true
}

// sharesElements reports whether several elements have the same position.
func sharesElements(t *Tensor) bool {
	seen := map[int]bool{}
	for i := range t.Numel() {
		seen[t.at(i)] = true
	}
	return len(seen) < t.Numel()
}
