package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var softmaxWrongDim = inspect.Rule{
	Code:     "softmax-wrong-dim",
	Severity: inspect.SeverityWarning,
	Title:    "A softmax normalizes over the batch, or over another dimension that is not the one of the choices.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &acrossBatch{noted: noted{check: check}, over: marks{}, known: map[graph.StackID]int{}}
	},
}

// acrossBatch follows the dimension that a softmax has normalized over. What it should normalize
// over is only known from its use: attention over time steps or nodes may well be over the first
// dimension, but then its weights are added up over that dimension. It is wrong if what comes later
// takes the positions of that dimension for separate examples.
type acrossBatch struct {
	noted
	over      marks
	softmaxes []softmax
	known     map[graph.StackID]int // number of a softmax, by its call stack
}

// A softmax is a call of softmax or log_softmax.
type softmax struct {
	visit
	dim      int
	shape    []int
	root     graph.TensorID // what its operand was made of, element by element
	leading  bool           // it is over the first of several dimensions
	reported bool
}

// What has happened to the result of a softmax.
const (
	mixed    uint8 = 1 << iota // it was combined with other tensors
	combined                   // another dimension was added up, and the normalized one stayed
	against                    // it was multiplied with what was normalized over another dimension
	compared                   // it was subtracted from a target, or a target from it
	logged                     // it is a logarithm
	weighted                   // the logarithm was multiplied with a target, or with its own probabilities
)

// asItIs are the operations after which each row of probabilities is still one.
var asItIs = words(`log clamp clamp_min add neg clone contiguous to to_copy detach exp transpose t T mT permute cat stack index index_select
	getitem select slice narrow unbind split chunk`)

// Event follows the results.
func (w *acrossBatch) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorReleased:
		delete(w.over, e.Tensor)
	case *graph.OpRan:
		c, ok := newCall(w.check, e)
		if !ok || len(e.Inputs) == 0 || w.check.Running() != 0 {
			return
		}
		at := visit{p, head.Stack}
		w.over.follow(c, func(operand int, x mark, to arrival) (mark, bool) { return w.look(at, c, operand, x, to) })
		if c.name == "softmax" || c.name == "log_softmax" || c.name == "safe_softmax" {
			w.began(at, c)
		}
	}
}

// began notes a softmax.
func (w *acrossBatch) began(at visit, c call) {
	shape := c.in(0)
	d := c.dim("dim", 0, len(shape), -1)
	if d < 0 || d >= len(shape) || len(significant(shape)) < 2 || shape[d] == 1 {
		return
	}
	s := softmax{visit: at, dim: d, shape: shape, root: w.root(c.e.Inputs[0])}
	if learned(w.check.History, s.root) {
		return
	}
	s.leading = d == 0 && !square(shape)
	i, known := w.known[at.stack]
	if !known {
		i = len(w.softmaxes)
		w.known[at.stack] = i
		w.softmaxes = append(w.softmaxes, s)
	} else {
		s.reported = w.softmaxes[i].reported
		w.softmaxes[i] = s
	}
	x := mark{dim: d, from: i}
	if c.name == "log_softmax" {
		x.state = logged
	}
	w.over.add(c.e.Outputs[0], x)
}

// root returns the tensor whose elements a tensor was made of, one by one.
func (w *acrossBatch) root(id graph.TensorID) graph.TensorID {
	const most = 6
	for range most {
		op := w.check.Maker(id)
		if op == nil || len(op.Inputs) == 0 || op.Inputs[0] == 0 || !alignedOps[op.Name] && !regrouping[op.Name] && !exchanging[op.Name] {
			break
		}
		id = op.Inputs[0]
	}
	return id
}

// look looks at what an operation does with a normalized dimension. It returns the mark that goes
// on, if one does.
func (w *acrossBatch) look(at visit, c call, operand int, x mark, to arrival) (mark, bool) {
	s := &w.softmaxes[x.from]
	switch {
	case operand == 0 && x.state&mixed == 0 && w.takesRows(c, x.dim, to),
		s.leading && x.dim == 0 && w.separates(c, operand, x, to):
		w.report(at, c, operand, s)
		return x, false
	case to.outcome != kept:
		return x, false
	}
	if !asItIs[c.name] && !regrouping[c.name] || len(c.e.Inputs) > 1 && pairwise[c.name] && len(c.in(1-operand&1)) > 0 {
		x.state |= mixed
	}
	if len(to.less) > 0 && c.name != "select" {
		x.state |= combined
	}
	if c.name == "log" {
		x.state |= logged
	}
	if pairwise[c.name] || c.name == "xlogy" {
		if c.name != "sub" && w.otherwise(c, operand, x) {
			x.state |= against
		}
		if (c.name == "sub" || c.name == "rsub") && w.target(c, operand) {
			x.state |= compared
		}
		if c.name == "mul" && x.state&logged != 0 && (w.target(c, operand) || w.itself(c, operand, x)) {
			x.state |= weighted
		}
	}
	return x, true
}

// takesRows reports whether an operation takes the positions of a dimension for separate examples,
// each with a distribution of its own.
func (w *acrossBatch) takesRows(c call, d int, to arrival) bool {
	in := c.in(0)
	switch c.name {
	case "nll_loss", "nll_loss_nd", "nll_loss2d", "nll_loss_forward", "nll_loss2d_forward":
		return len(in) > 1 && d != 1
	case "ctc_loss":
		return d != len(in)-1
	case "multinomial":
		return len(in) == 2 && d == 0
	case "argmax", "max", "amax":
		return len(in) > 1 && d == 0 && !square(in) && len(c.e.Inputs) == 1 && to.outcome == kept && slices.Equal(to.less, []int{len(in) - 1})
	case "gather":
		return len(in) == 2 && d == 0 && !square(in) && to.outcome == kept && slices.Equal(c.out, []int{in[0], 1})
	case "index", "getitem":
		return len(in) == 2 && d == 0 && !square(in) && len(c.e.Inputs) == 3 && slices.Equal(c.in(1), in[:1]) && slices.Equal(c.in(2), in[:1])
	}
	return false
}

// separates reports whether an operation shows that the positions of the first dimension are
// separate examples: each has a matrix product of its own, or a loss of its own after another
// dimension was added up.
func (w *acrossBatch) separates(c call, operand int, x mark, to arrival) bool {
	switch {
	case to.outcome == batched:
		return len(c.in(operand)) > 2
	case losses[c.name]:
		return x.state&combined != 0 || operand < 2 && w.otherwise(c, operand, x)
	case c.name == "sub":
		return w.otherwise(c, operand, x)
	case to.outcome == totalled:
		return x.state&against != 0 || x.state&combined != 0 && x.state&(compared|weighted) != 0
	case reducing[c.name] && to.outcome == kept:
		return x.state&against != 0 && len(to.less) > 0
	}
	return false
}

// otherwise reports whether the other operand is the result of a softmax of something else over
// another dimension of the same shape.
func (w *acrossBatch) otherwise(c call, operand int, x mark) bool {
	if len(c.e.Inputs) < 2 || operand > 1 || !slices.Equal(c.in(0), c.in(1)) {
		return false
	}
	s := w.softmaxes[x.from]
	return slices.ContainsFunc(w.over[c.e.Inputs[1-operand]], func(y mark) bool {
		other := w.softmaxes[y.from]
		return x.dim == s.dim && y.dim == other.dim && x.dim != y.dim && s.root != other.root
	})
}

// itself reports whether the other operand is a result of the same softmax, over the same dimension.
func (w *acrossBatch) itself(c call, operand int, x mark) bool {
	return len(c.e.Inputs) == 2 && slices.Equal(c.in(0), c.in(1)) && slices.ContainsFunc(w.over[c.e.Inputs[1-operand]], func(y mark) bool {
		return y.from == x.from && y.dim == x.dim
	})
}

// target reports whether the other operand may be the target of the examples: no gradient flows to it.
func (w *acrossBatch) target(c call, operand int) bool {
	if len(c.e.Inputs) != 2 || !slices.Equal(c.in(0), c.in(1)) {
		return false
	}
	other := w.check.Tensor(c.e.Inputs[1-operand])
	return other.Known() && other.Node == 0 && other.Flags&(graph.FlagRequiresGrad|graph.FlagNumber) == 0
}

func (w *acrossBatch) report(at visit, c call, operand int, s *softmax) {
	if s.reported {
		return
	}
	s.reported = true
	what := "the batch"
	if s.dim > 0 {
		what = fmt.Sprintf("dimension %d of %s", s.dim, inspect.ShapeText(s.shape))
	}
	t := c.e.Inputs[operand]
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf("the softmax is over %s: the values of %s depend on the other examples", what, w.check.Called(t)),
		Primary: w.check.In(s.stack, s.at, fmt.Sprintf("normalizes over dimension %d", s.dim)),
		Related: []inspect.Span{w.check.In(at.stack, at.at, "takes them for separate examples")},
		Tensors: names(w.check.History, t),
		Help:    "normalize over the choices of one example, such as the classes: dim=-1",
		Evidence: facts(
			w.check.In(s.stack, s.at, fmt.Sprintf("the softmax is over dimension %d of %s", s.dim, inspect.ShapeText(s.shape))),
			w.check.In(at.stack, at.at, fmt.Sprintf("%s takes the positions of that dimension for separate examples", c.name)),
		),
		At:      s.at,
		Symptom: -1,
	})
}
