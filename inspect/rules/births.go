package rules

import (
	"maps"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// births follow which tensors hold NaN or infinite values, and which operations made them of finite ones. Only
// values on the tape are known: what is not there counts as finite.
type births struct {
	turn
	h      *inspect.History
	broken map[graph.TensorID]defect
	list   []birth
}

// birthsOf returns what all rules together follow.
func birthsOf(h *inspect.History) *births {
	return h.Shared("births", func() any { return &births{h: h, broken: map[graph.TensorID]defect{}} }).(*births)
}

// A defect says what is in a tensor.
type defect uint8

const (
	infinite defect = 1 << iota
	notANumber
)

func defectOf(v graph.Value) (d defect) {
	if v.Inf > 0 {
		d |= infinite
	}
	if v.NaN > 0 {
		d |= notANumber
	}
	return d
}

func (d defect) String() string {
	if d&notANumber != 0 {
		return "NaN"
	}
	return "infinite values"
}

// A birth is an operation that made a value that is not finite from finite ones, or a NaN from
// infinite ones.
type birth struct {
	op  int
	out graph.TensorID
	defect
	grown  bool // its inputs were so large that something has grown before
	unsure bool // the tape does not have all of its inputs' values
}

// evidence is what shows the birth.
func (b birth) evidence() string {
	if b.unsure {
		return "its result is the first that is known to hold " + b.defect.String()
	}
	return "its inputs are finite, and its result holds " + b.defect.String()
}

const (
	// What is larger overflows because something has grown, not because an operation or its
	// derivative is singular.
	overgrown = 1e15
	maxBirths = 64
)

// masks are operations that put infinite values into a tensor on purpose.
var masks = words(`masked_fill masked_fill_ fill_ where copy_ index_put_ index_fill index_fill_ masked_scatter scatter scatter_`)

// Event follows values. Each rule that asks shows it all events.
func (b *births) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	if !b.first(p) {
		return
	}
	switch e := e.(type) {
	case *graph.TensorCreated:
		if d := defectOf(e.Value); d != 0 {
			b.broken[e.Tensor] = d
		}
	case *graph.Mutated:
		if d := defectOf(e.Value); d != 0 {
			b.broken[e.Tensor] = d
		} else if e.Value.Known() {
			delete(b.broken, e.Tensor)
		}
	case *graph.OpRan:
		b.ran(e)
	}
}

// Settle drops what is about tensors that were forgotten.
func (b *births) Settle(graph.Pos) {
	forgotten := func(id graph.TensorID) bool { return !b.h.Tensor(id).Known() }
	maps.DeleteFunc(b.broken, func(id graph.TensorID, _ defect) bool { return forgotten(id) })
	b.list = slices.DeleteFunc(b.list, func(x birth) bool { return forgotten(x.out) })
}

// ran looks for the birth of a value that is not finite.
func (b *births) ran(e *graph.OpRan) {
	var in, out defect
	var result graph.TensorID
	for _, t := range e.Inputs {
		in |= b.broken[t]
	}
	for _, t := range e.Outputs {
		if d := b.broken[t]; d != 0 && result == 0 {
			out, result = d, t
		}
	}
	name := b.h.Tape().String(e.Op)
	born := out &^ in
	if in&notANumber != 0 {
		born = 0
	}
	if born == 0 || len(b.list) >= maxBirths || len(e.Inputs) == 0 || masks[name] {
		return
	}
	if sameValues[name] && b.h.Tensor(e.Inputs[0]).DType == b.h.Tensor(result).DType { // it was there, and is shown here
		b.broken[e.Inputs[0]] |= born
		return
	}
	x := birth{op: b.h.Ops().Len() - 1, out: result, defect: born}
	for _, t := range e.Inputs {
		g, ok := b.h.Graph().Tensor(t)
		if !ok || !g.DType.IsFloat() || numel(g.Shape) == 0 {
			continue
		}
		x.grown = x.grown || math.Max(g.Value.Max, -g.Value.Min) > overgrown
		x.unsure = x.unsure || !g.Value.Known() || g.ValueStale
	}
	b.list = append(b.list, x)
}

// behind returns the first birth of a value that is among some tensors, before an event: a sure one, or of an
// operation that is known to make such values. unsure is the first of the others.
func (b *births) behind(ancestry map[graph.TensorID]inspect.Flow, before graph.Pos) (found, unsure *birth) {
	for i, x := range b.list {
		op := b.h.Op(x.op)
		if _, ok := ancestry[x.out]; !ok || op.At >= before {
			continue
		}
		if !x.unsure || singular[plain(op)] {
			return &b.list[i], unsure
		}
		if unsure == nil {
			unsure = &b.list[i]
		}
	}
	return nil, unsure
}

// singular are the operations that can make NaN or infinity of finite values, by the names of both engines, without
// the ones that every network has.
var singular = words(`log log2 log10 log1p sqrt rsqrt div true_divide divide reciprocal pow exp expm1 exp2 acos asin atanh acosh
	arccos arcsin logit erfinv std var std_mean var_mean logsumexp lgamma digamma xlogy cholesky inverse linalg_inv
	linalg_cholesky linalg_solve ctc_loss kl_div poisson_nll_loss gaussian_nll_loss binary_cross_entropy cosh sinh tan`)
