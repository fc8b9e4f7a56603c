package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var unexpectedScores = inspect.Rule{
	Code:     "unexpected-scores",
	Severity: inspect.SeverityWarning,
	Title:    "A loss is given scores in another form than it expects, such as raw ones instead of log-probabilities.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &scores{noted{check: check}, map[graph.StackID]bool{}}
	},
}

// scores look at what losses are given.
type scores struct {
	noted
	looked map[graph.StackID]bool // losses that were given what they do not expect
}

// A form is what scores are.
type form string

const (
	rawScores     form = "scores that are not normalised"
	probabilities form = "probabilities"
	chances       form = "a probability for each class by itself"
	logarithms    form = "logarithms of probabilities"
)

// forms are the operations that give scores their form.
var forms = map[string]form{
	"softmax": probabilities, "_softmax": probabilities, "sigmoid": chances,
	"log_softmax": logarithms, "_log_softmax": logarithms, "logsigmoid": logarithms, "log_sigmoid_forward": logarithms,
}

// An expectation is what a loss expects.
type expectation struct {
	wants form
	not   []form // what is wrong, as far as no rule of its own says so
	help  string
}

var (
	takesLogarithms = expectation{
		logarithms, []form{rawScores, probabilities, chances},
		"give it the result of log_softmax(), or use cross_entropy() on the raw scores",
	}
	takesRaw  = expectation{rawScores, []form{chances}, "give it the result of the last layer, without a sigmoid"}
	takesEach = expectation{
		rawScores, []form{probabilities, logarithms},
		"give it the result of the last layer; use cross_entropy() for one of several classes",
	}
)

// Event looks at a loss.
func (w *scores) Event(p graph.Pos, head graph.Header, e graph.Event) {
	ran, ok := e.(*graph.OpRan)
	if !ok || ran.Node == 0 || w.looked[head.Stack] || len(ran.Inputs) == 0 {
		return
	}
	var expects expectation
	in, name := ran.Inputs[0], w.check.Tape().String(ran.Op)
	switch name {
	case "nll_loss", "nll_loss_nd", "nll_loss2d", "nll_loss_forward", "nll_loss2d_forward":
		expects = takesLogarithms
	case "kl_div":
		expects = takesLogarithms
	case "sub":
		if in, ok = w.divergence(ran); !ok {
			return
		}
		expects, name = takesLogarithms, "kl_div"
	case "cross_entropy_loss", "_log_softmax", "log_softmax":
		expects = takesRaw
	case "binary_cross_entropy_with_logits":
		expects = takesEach
	default:
		return
	}
	is, by := w.formOf(in)
	if by == nil || !slices.Contains(expects.not, is) || by.Stack == head.Stack {
		return
	}
	w.looked[head.Stack] = true
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf("%s expects %s, and %s holds %s", called(&inspect.Op{Name: name}), expects.wants, w.check.Called(in), is),
		Primary: w.check.In(head.Stack, p, "takes them for "+string(expects.wants)),
		Related: []inspect.Span{w.check.In(by.Stack, by.At, "makes "+string(is))},
		Tensors: names(w.check.History, in),
		Help:    expects.help,
		Evidence: facts(
			w.check.In(by.Stack, by.At, called(by)+" makes them, and nothing but the shape changes between"),
			w.check.In(head.Stack, p, fmt.Sprintf("%s is applied to them", called(&inspect.Op{Name: name}))),
		),
		Instead: []inspect.Alternative{not("softmax-before-cross-entropy", "it is not the activation of the loss that comes twice")},
		At:      p,
		Symptom: -1,
	})
}

// divergence returns the scores of a divergence that is computed as t log t - t x.
func (w *scores) divergence(sub *graph.OpRan) (x graph.TensorID, ok bool) {
	if len(sub.Inputs) < 2 {
		return 0, false
	}
	entropy, product := w.check.Maker(sub.Inputs[0]), w.check.Maker(sub.Inputs[1])
	if entropy == nil || product == nil || entropy.Name != "xlogy" || product.Name != "mul" || len(product.Inputs) != 2 ||
		len(entropy.Inputs) != 2 || entropy.Inputs[0] != entropy.Inputs[1] || product.Inputs[0] != entropy.Inputs[0] {
		return 0, false
	}
	return product.Inputs[1], true
}

// formOf returns the form of scores, and the operation that gave it to them; nil: it is not known. Scores are
// raw if a layer with weights made them.
func (w *scores) formOf(id graph.TensorID) (is form, by *inspect.Op) {
	known := func(t graph.TensorID) bool {
		op := w.check.Maker(t)
		if op == nil {
			return false
		}
		is = forms[op.Name]
		if at := products[op.Name]; at > 0 && at <= len(op.Inputs) && w.weight(op.Inputs[at-1]) {
			is = rawScores
		}
		return is != ""
	}
	if found, ok := shown(w.check.History, id, 6, known); ok {
		return is, w.check.Maker(found)
	}
	return "", nil
}

// weight reports whether a tensor is a parameter, perhaps in another shape.
func (w *scores) weight(id graph.TensorID) bool {
	_, ok := shown(w.check.History, id, 3, func(t graph.TensorID) bool { return w.check.Tensor(t).Flags&graph.FlagParameter != 0 })
	return ok
}
