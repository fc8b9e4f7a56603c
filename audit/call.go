package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/replay"
	"github.com/gradtui/gradtui/graph"
)

// An operand is a tensor that an operator is given; nil stands for None.
type operand struct {
	shape []int
	dtype graph.DType
	content
}

// tensor makes an engine's tensor of the operand: floating point numbers in double precision.
func (o *operand) tensor() *ag.Tensor {
	if o == nil {
		return nil
	}
	return made(o.values, o.shape, o.dtype)
}

func made(values []float64, shape []int, dtype graph.DType) *ag.Tensor {
	as := dtype
	if dtype.IsFloat() {
		as = graph.Float64
	}
	return ag.New(values, ag.WithDType(ag.Float64)).To(as).Reshape(shape)
}

// A call is an operator with its arguments, as the tape has them.
type call struct {
	name     string
	operands []*operand
	args     []replay.Arg
}

// results are the results of a call: contents, in the order of the operator's results.
type results []content

// evaluate computes the results of a call in double precision with all columns of their tangents. wanted are the
// results as the tape has them, nil where it has none.
func (c *call) evaluate(wanted []*operand) (results, error) {
	if special, ok := specials[strings.TrimSuffix(c.name, "_")]; ok {
		if len(c.operands) == 0 || c.operands[0] == nil || len(wanted) == 0 || wanted[0] == nil {
			return nil, fmt.Errorf("%s has no tensor, or no result", c.name)
		}
		given, err := special(c, wanted)
		return append(given, make(results, max(len(wanted)-len(given), 0))...), err
	}
	present := make([]bool, len(c.operands))
	for i, o := range c.operands {
		present[i] = o != nil
	}
	err := fmt.Errorf("the engine has no operator %s that takes these arguments", c.name)
	var found results
	for _, run := range replay.Calls(c.name, present, c.args) {
		given, failed := c.primal(run, wanted)
		if failed == nil {
			given, failed = c.tangents(run, given)
		}
		switch {
		case failed != nil:
			if found == nil {
				err = failed
			}
		case found == nil:
			found, err = given, nil
		case !found.alike(given):
			return nil, fmt.Errorf("%s may be read in two ways that give the same numbers here, and not the same derivative", c.name)
		}
	}
	return found, err
}

// alike reports whether results have the same tangents.
func (r results) alike(other results) bool {
	for i := range r {
		a, b := r[i].tangents, other[i].tangents
		if len(a) != len(b) {
			return false
		}
		for k, list := range a {
			if !alike(list, b[k], 1e-9*largest(list)) {
				return false
			}
		}
	}
	return true
}

// primal computes the results, and compares them with the recorded ones.
func (c *call) primal(run replay.Call, wanted []*operand) (results, error) {
	outs, err := run(c.tensors())
	if err != nil {
		return nil, err
	}
	if len(outs) < len(wanted) {
		return nil, fmt.Errorf("%s gives %d results, not %d", c.name, len(outs), len(wanted))
	}
	list := make(results, len(wanted))
	for i, w := range wanted {
		if w == nil || outs[i] == nil {
			continue
		}
		if err := outs[i].Err(); err != nil {
			return nil, err
		}
		if !slices.Equal(outs[i].Shape(), w.shape) {
			return nil, fmt.Errorf("%s gives a result of another shape", c.name)
		}
		list[i] = content{outs[i].Float64s(), map[column][]float64{}}
		if w.values != nil && !alike(list[i].values, w.values, c.error(w)) {
			return nil, fmt.Errorf("%s gives other numbers here than in the program", c.name)
		}
	}
	return list, nil
}

func (c *call) tensors() []*ag.Tensor {
	list := make([]*ag.Tensor, len(c.operands))
	for i, o := range c.operands {
		list[i] = o.tensor()
	}
	return list
}

// tangents computes the columns of the results, one after the other.
func (c *call) tangents(run replay.Call, list results) (results, error) {
	columns := map[column]bool{}
	for _, o := range c.operands {
		if o != nil && o.dtype.IsFloat() {
			for k := range o.content.tangents {
				columns[k] = true
			}
		}
	}
	for k := range columns {
		outs, err := c.forward(run, k)
		if err != nil {
			outs, err = c.difference(run, k)
		}
		if err != nil {
			return nil, err
		}
		for i := range list {
			if list[i].tangents != nil && i < len(outs) && outs[i] != nil {
				list[i].add(k, outs[i], 1)
			}
		}
	}
	return list, nil
}

// forward computes a column of the results by the engine's forward mode.
func (c *call) forward(run replay.Call, k column) (outs [][]float64, err error) {
	err = ag.DualLevel(func() error {
		tensors := c.tensors()
		for i, o := range c.operands {
			if o != nil && o.dtype.IsFloat() && o.content.tangents[k] != nil {
				tensors[i] = ag.MakeDual(tensors[i], made(o.content.tangents[k], o.shape, o.dtype))
			}
		}
		given, err := run(tensors)
		if err != nil {
			return err
		}
		outs = make([][]float64, len(given))
		for i, t := range given {
			if t == nil {
				continue
			}
			if _, tangent := ag.UnpackDual(t); tangent != nil {
				outs[i] = tangent.Float64s()
			}
		}
		return nil
	})
	return outs, err
}

// difference computes a column by central differences, for operators without forward mode.
func (c *call) difference(run replay.Call, k column) ([][]float64, error) {
	const step = 1e-6
	var sides [2][]*ag.Tensor
	for side, factor := range []float64{step, -step} {
		tensors := c.tensors()
		for i, o := range c.operands {
			if o == nil || !o.dtype.IsFloat() || o.content.tangents[k] == nil {
				continue
			}
			moved := slices.Clone(o.values)
			for n, x := range o.content.tangents[k] {
				moved[n] += factor * x
			}
			tensors[i] = made(moved, o.shape, o.dtype)
		}
		var err error
		if sides[side], err = run(tensors); err != nil {
			return nil, err
		}
	}
	outs := make([][]float64, len(sides[0]))
	for i, t := range sides[0] {
		if t == nil || !t.DType().IsFloat() {
			continue
		}
		outs[i] = t.Float64s()
		for n, x := range sides[1][i].Float64s() {
			outs[i][n] = (outs[i][n] - x) / (2 * step)
		}
	}
	return outs, nil
}

// error is how far the program's results may be from ours: what was subtracted may be larger than what is left.
func (c *call) error(w *operand) float64 {
	from := 0.0
	for _, o := range c.operands {
		if o != nil && o.dtype.IsFloat() {
			from = max(from, largest(o.values))
		}
	}
	return 32*epsilon(w.dtype)*from + roundings*epsilon(w.dtype)*largest(w.values)
}

// roundings is how many units in the last place the numbers of a program may be off.
const roundings = 1e3

func largest(list []float64) float64 {
	most := 0.0
	for _, x := range list {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			most = max(most, math.Abs(x))
		}
	}
	return most
}

// alike reports whether numbers are the same up to an absolute error.
func alike(ours, theirs []float64, near float64) bool {
	if len(ours) != len(theirs) {
		return false
	}
	for i, x := range ours {
		switch y := theirs[i]; {
		case math.IsNaN(x) || math.IsNaN(y):
			if math.IsNaN(x) != math.IsNaN(y) {
				return false
			}
		case x == y:
		case math.Abs(x-y) > near:
			return false
		}
	}
	return true
}

// epsilon is the relative distance of neighbouring numbers of a type.
func epsilon(dtype graph.DType) float64 {
	switch dtype {
	case graph.Float64:
		return 0x1p-52
	case graph.Float16:
		return 0x1p-10
	case graph.BFloat16:
		return 0x1p-7
	}
	return 0x1p-23
}

// specials are operators that are not computed as the engine would: random ones, whose draws the results tell, and
// ones that only hand on numbers. The first tensor and the first result are there.
var specials = map[string]func(c *call, wanted []*operand) (results, error){
	"dropout": dropped, "feature_dropout": dropped, "dropout1d": dropped, "dropout2d": dropped, "dropout3d": dropped, "native_dropout": dropped,
	"to": handedOn, "_to_copy": handedOn, "clone": handedOn, "contiguous": handedOn, "float": handedOn, "double": handedOn, "half": handedOn,
	"bfloat16": handedOn, "type": handedOn, "type_as": handedOn, "cpu": handedOn, "cuda": handedOn, "detach": handedOn, "alias": handedOn,
	"_reshape_alias": handedOn, "view": handedOn, "reshape": handedOn, "flatten": handedOn, "Parameter": handedOn, "tensor": handedOn,
	"requires_grad": handedOn, "lift_fresh": handedOn, "as_tensor": handedOn,
	"setitem": assigned, "__setitem__": assigned,
	"rand_like": overwritten, "randn_like": overwritten, "randint_like": overwritten, "empty_like": overwritten, "zeros_like": overwritten,
	"ones_like": overwritten, "full_like": overwritten, "new_empty": overwritten, "new_zeros": overwritten, "new_ones": overwritten,
	"new_full": overwritten, "new_tensor": overwritten,
	"copy": copied, "uniform": overwritten, "normal": overwritten, "zero": overwritten, "fill": overwritten, "bernoulli": overwritten,
	"exponential": overwritten, "random": overwritten, "cauchy": overwritten, "geometric": overwritten, "log_normal": overwritten,
}

// dropped scales each element by what the result tells.
func dropped(c *call, wanted []*operand) (results, error) {
	in, out := c.operands[0], wanted[0]
	if len(in.values) != len(out.values) {
		return nil, fmt.Errorf("the result of %s is not on the tape", c.name)
	}
	r := content{make([]float64, len(in.values)), map[column][]float64{}}
	factors := make([]float64, len(in.values))
	scale := 0.0 // of the elements that stay
	for i, x := range in.values {
		if x != 0 {
			factors[i] = out.values[i] / x
			scale = max(scale, factors[i])
		}
	}
	for i, x := range in.values {
		if factors[i] != 0 {
			factors[i] = scale
		}
		r.values[i] = x * factors[i]
	}
	for k, list := range in.content.tangents {
		part := make([]float64, len(list))
		for i := range part {
			part[i] = list[i] * factors[i]
		}
		r.add(k, part, 1)
	}
	return results{r}, nil
}

// handedOn gives the elements of the first tensor in another form.
func handedOn(c *call, wanted []*operand) (results, error) {
	in, out := c.operands[0], wanted[0]
	if size(in.shape) != size(out.shape) || out.values != nil && !same(in, out) {
		return nil, fmt.Errorf("%s gives other numbers than it was given", c.name)
	}
	return results{{slices.Clone(in.values), clonedTangents(in.content)}}, nil
}

// copied broadcasts the second tensor to the shape of the first.
func copied(c *call, wanted []*operand) (results, error) {
	if len(c.operands) < 2 || c.operands[1] == nil {
		return nil, fmt.Errorf("%s has no source", c.name)
	}
	from := c.operands[1]
	n := len(wanted[0].shape) - len(from.shape)
	if n < 0 {
		return nil, fmt.Errorf("the source of %s has more dimensions than its target", c.name)
	}
	view := tensor{shape: wanted[0].shape, strides: make([]int, len(wanted[0].shape))}
	for d, stride := len(from.shape)-1, 1; d >= 0; d-- {
		if from.shape[d] != 1 {
			view.strides[n+d] = stride
		}
		stride *= from.shape[d]
	}
	places := view.places()
	given := content{gather(from.values, places), map[column][]float64{}}
	for k, list := range from.content.tangents {
		given.add(k, gather(list, places), 1)
	}
	return results{given}, nil
}

// assigned writes numbers, or the elements of the second tensor, to some places of the first one: to those that have
// changed.
func assigned(c *call, wanted []*operand) (results, error) {
	into, after := c.operands[0], wanted[0]
	if len(after.values) != len(into.values) {
		return nil, fmt.Errorf("the result of %s is not on the tape", c.name)
	}
	var places []int
	for i, x := range after.values {
		if x != into.values[i] {
			places = append(places, i)
		}
	}
	r := content{after.values, clonedTangents(into.content)}
	for k := range r.tangents {
		for _, i := range places {
			r.tangents[k][i] = 0
		}
	}
	if len(c.operands) < 2 || c.operands[len(c.operands)-1] == nil {
		return results{r}, nil
	}
	from := c.operands[len(c.operands)-1]
	if len(from.content.tangents) == 0 {
		return results{r}, nil
	}
	if len(places) != len(from.values) || !alike(from.values, gather(after.values, places), roundings*epsilon(after.dtype)*largest(from.values)) {
		return nil, fmt.Errorf("the places that %s writes to cannot be told", c.name)
	}
	for k, list := range from.content.tangents {
		moved := make([]float64, len(after.values))
		scatter(moved, list, places)
		r.add(k, moved, 1)
	}
	return results{r}, nil
}

// overwritten gives what the tape says, whatever was there.
func overwritten(c *call, wanted []*operand) (results, error) {
	list := make(results, len(wanted))
	for i, w := range wanted {
		if w != nil {
			list[i] = content{w.values, map[column][]float64{}}
		}
	}
	return list, nil
}

// same reports whether two operands have the same numbers, in the precision of the coarser one.
func same(a, b *operand) bool {
	return alike(a.values, b.values, roundings*max(epsilon(a.dtype), epsilon(b.dtype))*largest(a.values))
}

func clonedTangents(c content) map[column][]float64 {
	m := map[column][]float64{}
	for k, list := range c.tangents {
		m[k] = slices.Clone(list)
	}
	return m
}

func size(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}
