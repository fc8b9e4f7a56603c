package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var targetNotDetached = inspect.Rule{
	Code:     "target-not-detached",
	Severity: inspect.SeverityWarning,
	Title:    "A target, a baseline or the difference of a straight-through estimator carries a gradient.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return inspect.AtEnd(func() {
			(&targets{check: check, behind: map[graph.TensorID]map[graph.TensorID]bool{}, reported: map[graph.StackID]bool{}}).look()
		})
	},
}

// targets looks for values that a loss should take as constants. Many losses pull on both of their
// sides by design, so it goes by forms that have a meaning only with a constant.
type targets struct {
	check    *inspect.Checker
	behind   map[graph.TensorID]map[graph.TensorID]bool // by tensor: what a gradient goes back to from it
	fitted   map[graph.TensorID]bool                    // values that a loss fits to something without a history
	reported map[graph.StackID]bool
}

// regressing are the losses that pull their first operand towards the second one.
var regressing = map[string]bool{"mse_loss": true, "l1_loss": true, "smooth_l1_loss": true, "huber_loss": true}

func (t *targets) look() {
	var losses, others []*inspect.Op
	var pulls []pull
	for _, op := range t.check.Ops().All() {
		if op.Pass != 0 || op.Step >= 0 || len(op.Inputs) < 2 || !t.runsBack(op) {
			continue
		}
		switch {
		case regressing[op.Name]:
			losses = append(losses, op)
		case op.Name == "cosine_similarity":
			others = append(others, op)
		case op.Name == "xlogy", op.Name == "kl_div", strings.HasPrefix(op.Name, "binary_cross_entropy"):
			if scores, ok := t.scores(op); ok {
				pulls = append(pulls, pull{op, scores, op.Inputs[1]})
			}
		case op.Name == "sub", op.Name == "rsub", op.Name == "add", op.Name == "mul":
			others = append(others, op)
		}
	}
	t.fit(losses, others)
	t.halves(losses)
	t.soft(pulls)
	t.predicted(append(slices.Clone(losses), others...))
	for _, op := range append(losses, others...) {
		switch op.Name {
		case "mul":
			t.baseline(op)
		case "add":
			t.cancels(op)
		default:
			t.bootstrapped(op)
		}
	}
}

// runsBack reports whether a backward pass has run through an operation.
func (t *targets) runsBack(op *inspect.Op) bool {
	n, ok := t.check.Graph().Node(op.Node)
	return ok && op.Node != 0 && n.Runs > 0
}

// bootstrapped reports a target that the network itself has computed: r + gamma * v(next).
func (t *targets) bootstrapped(op *inspect.Op) {
	for i, target := range op.Inputs[:2] {
		estimate := op.Inputs[1-i]
		if !t.trains(target) || !t.trains(estimate) {
			continue
		}
		sum, value, ok := t.discounted(target)
		if !ok || t.from(value)[estimate] || t.from(estimate)[value] || !t.share(value, estimate) {
			continue
		}
		t.report(sum, inspect.Finding{
			Message: t.named("the target", target) + " carries a gradient into the network that it is a target for",
			Primary: t.check.In(sum.Stack, sum.At, "the value of the next state has a history"),
			Related: []inspect.Span{t.made(value), t.check.In(op.Stack, op.At, "pulls on both sides")},
			Tensors: names(t.check.History, target),
			Help:    "compute the target inside torch.no_grad(), or detach() it",
			Evidence: facts(
				t.check.In(sum.Stack, sum.At, "a reward without a gradient is added to a value with a discount and a history"),
				t.check.In(op.Stack, op.At, "both sides of this difference lead to the same parameters"),
			),
		})
		return
	}
}

// discounted returns the sum of a reward, which needs no gradient, and a discounted value, and that value.
func (t *targets) discounted(id graph.TensorID) (sum *inspect.Op, value graph.TensorID, ok bool) {
	sum = t.check.Maker(t.unviewed(id))
	if sum == nil || sum.Name != "add" || len(sum.Inputs) != 2 {
		return nil, 0, false
	}
	for i, reward := range sum.Inputs {
		if value, ok := t.discount(sum.Inputs[1-i]); ok && !t.trains(reward) && !t.number(reward) {
			return sum, value, true
		}
	}
	return nil, 0, false
}

// discount returns what a product with a history multiplies, if one of the factors is a discount: a number
// a little smaller than 1.
func (t *targets) discount(id graph.TensorID) (value graph.TensorID, ok bool) {
	const smallest, deepest = 0.5, 6
	for range deepest {
		id = t.unviewed(id)
		op := t.check.Maker(id)
		if op == nil || op.Name != "mul" || len(op.Inputs) != 2 {
			break
		}
		next := graph.TensorID(0)
		for _, in := range op.Inputs {
			if t.trains(in) {
				next = in
				continue
			}
			if g, known := t.check.Graph().Tensor(in); known && t.number(in) && len(g.Value.First) == 1 && g.Value.First[0] >= smallest && g.Value.First[0] < 1 {
				ok = true
			} else if _, inside := t.discount(in); inside {
				ok = true
			}
		}
		if next == 0 {
			return id, ok
		}
		id = next
	}
	return id, ok
}

// baseline reports a policy gradient whose baseline has a history: log p * (return - value), where
// the value has a loss of its own.
func (t *targets) baseline(op *inspect.Op) {
	for i, advantage := range op.Inputs[:2] {
		if !t.trains(advantage) || !t.trains(op.Inputs[1-i]) || !t.logarithm(op.Inputs[1-i]) {
			continue
		}
		_, value, ok := t.residual(t.check.Maker(t.unviewed(advantage)))
		if !ok || !t.fitted[value] || t.logarithm(value) {
			continue
		}
		t.report(op, inspect.Finding{
			Message: t.named("the baseline", value) + " carries a gradient: the loss of the policy trains it, too",
			Primary: t.made(advantage),
			Related: []inspect.Span{t.check.In(op.Stack, op.At, "weighs the gradient of the policy"), t.made(value)},
			Tensors: names(t.check.History, value),
			Help:    "detach() the baseline, or what is left after it",
			Evidence: facts(
				t.made(advantage),
				t.check.In(op.Stack, op.At, "it multiplies a logarithm of a probability"),
				fact("another loss fits the baseline to its target"),
			),
		})
		return
	}
}

// residual returns the operands of a difference of which only one, the second result, has a history.
func (t *targets) residual(op *inspect.Op) (constant, value graph.TensorID, ok bool) {
	if op == nil || op.Name != "sub" && op.Name != "rsub" && !regressing[op.Name] || len(op.Inputs) < 2 {
		return 0, 0, false
	}
	a, b := op.Inputs[0], op.Inputs[1]
	if t.trains(a) {
		a, b = b, a
	}
	return a, t.unviewed(b), !t.trains(a) && t.trains(b) && !t.number(a)
}

// fit finds the values that losses fit to constants: (return - value)².
func (t *targets) fit(losses, others []*inspect.Op) {
	t.fitted = map[graph.TensorID]bool{}
	for _, op := range losses {
		if _, value, ok := t.residual(op); ok {
			t.fitted[value] = true
		}
	}
	for _, op := range others {
		_, value, ok := t.residual(op)
		if !ok {
			continue
		}
		for _, out := range op.Outputs {
			for _, use := range t.check.Uses(out) {
				use := t.check.Op(use)
				if use.Name == "pow" || use.Name == "square" || use.Name == "mul" && use.Inputs[0] == use.Inputs[1] || regressing[use.Name] {
					t.fitted[value] = true
				}
			}
		}
	}
}

// logarithm reports whether a tensor is a logarithm of a probability, or a ratio of two, before a few more
// operations.
func (t *targets) logarithm(id graph.TensorID) bool {
	const deepest = 8
	for range deepest {
		op := t.check.Maker(id)
		if op == nil || len(op.Inputs) == 0 {
			return false
		}
		switch op.Name {
		case "log_softmax", "_log_softmax", "log", "logsigmoid", "log_sigmoid", "binary_cross_entropy_with_logits", "cross_entropy", "nll_loss":
			return true
		case "sub": // of logits or of a square, which a distribution normalises
			if len(op.Inputs) > 1 && t.normaliser(op.Inputs[1]) {
				return true
			}
		case "gather", "neg", "exp", "add", "sum", "mul", "div", "clamp", "minimum":
		default:
			if !sameValues[op.Name] {
				return false
			}
		}
		id = op.Inputs[0]
	}
	return false
}

// normaliser reports whether a tensor is the logarithm of a sum of exponentials, or of a scale.
func (t *targets) normaliser(id graph.TensorID) bool {
	op := t.check.Maker(t.unviewed(id))
	return op != nil && (op.Name == "logsumexp" || op.Name == "log")
}

// cancels reports a straight-through estimator without detach(): in x + (q - x), where q was computed from
// x, the gradient of x cancels.
func (t *targets) cancels(op *inspect.Op) {
	if len(op.Inputs) != 2 {
		return
	}
	for i, x := range op.Inputs {
		difference := t.check.Maker(op.Inputs[1-i])
		if !t.trains(x) || difference == nil || difference.Name != "sub" || len(difference.Inputs) != 2 || difference.Inputs[1] != x {
			continue
		}
		if _, computed := t.check.Ancestry(difference.Inputs[:1], nil)[x]; !computed {
			continue // a rest that is added again, as in a union
		}
		t.report(op, inspect.Finding{
			Message: fmt.Sprintf("the gradient of %s cancels: the difference that is added to it has a history, too", t.check.Called(x)),
			Primary: t.check.In(difference.Stack, difference.At, "subtracts what is added again"),
			Related: []inspect.Span{t.check.In(op.Stack, op.At, "adds it")},
			Tensors: names(t.check.History, x),
			Help:    "detach() the difference, as in `x + (q - x).detach()`: the values are of q, the gradient goes to x",
			Evidence: facts(
				t.check.In(difference.Stack, difference.At, fmt.Sprintf("%s is subtracted from what was computed from it", t.check.Called(x))),
				t.check.In(op.Stack, op.At, "it is added again, and both have a history"),
			),
		})
		return
	}
}

// A pull is a loss that takes its second operand as probabilities to which the scores are fitted.
type pull struct {
	op             *inspect.Op
	scores, target graph.TensorID
}

// scores returns what a loss with such a target fits to it. On the built-in engine kl_div is
// xlogy(t, t) - t * scores.
func (t *targets) scores(op *inspect.Op) (graph.TensorID, bool) {
	if op.Name != "xlogy" {
		return op.Inputs[0], true
	}
	target := op.Inputs[0]
	if op.Inputs[1] != target {
		return 0, false
	}
	for _, i := range t.check.Uses(target) {
		use := t.check.Op(i)
		if use.Name != "mul" || use.Stack != op.Stack || len(use.Inputs) != 2 {
			continue
		}
		if use.Inputs[0] == target {
			return use.Inputs[1], true
		}
		return use.Inputs[0], true
	}
	return 0, false
}

// soft reports a loss whose target, probabilities that the same parameters have made, carries a gradient. A
// divergence in both directions, from a mean or of one output from itself, which is its entropy, is meant.
func (t *targets) soft(pulls []pull) {
	type sides struct{ scores, target graph.TensorID }
	mirrored, targets := map[sides]bool{}, map[graph.TensorID]int{}
	for _, p := range pulls {
		mirrored[sides{t.raw(p.scores), t.raw(p.target)}] = true
		targets[p.target]++
	}
	for _, p := range pulls {
		scores, target := t.raw(p.scores), t.raw(p.target)
		maker := t.check.Maker(t.unviewed(p.target))
		if !t.trains(p.target) || !t.trains(p.scores) || scores == target || mirrored[sides{target, scores}] || targets[p.target] > 1 ||
			maker == nil || maker.Name == "mean" || t.from(p.scores)[p.target] || !t.share(p.target, p.scores) {
			continue
		}
		t.report(p.op, inspect.Finding{
			Message: t.named("the target", p.target) + " carries a gradient: the loss pulls it towards the scores, too",
			Primary: t.made(p.target),
			Related: []inspect.Span{t.check.In(p.op.Stack, p.op.At, "fits the scores to it")},
			Tensors: names(t.check.History, p.target),
			Help:    "detach() the target, or compute it inside torch.no_grad()",
			Evidence: facts(
				t.check.In(p.op.Stack, p.op.At, "a gradient goes back through the probabilities that the scores are fitted to"),
				fact("both lead to the same parameters, and no loss fits them the other way round"),
			),
		})
	}
}

// squashes are the operations between scores, their probabilities and the logarithms of these.
var squashes = words("log log_softmax _log_softmax softmax _softmax exp sigmoid logsigmoid clamp clamp_min")

// raw returns the scores that probabilities, or their logarithms, were made of.
func (t *targets) raw(id graph.TensorID) graph.TensorID {
	const deepest = 8
	for range deepest {
		id = t.unviewed(id)
		op := t.check.Maker(id)
		if op == nil || len(op.Inputs) == 0 || op.Inputs[0] == 0 || !squashes[op.Name] && !(op.Name == "add" && len(op.Inputs) == 2 && t.number(op.Inputs[1])) {
			break
		}
		id = op.Inputs[0]
	}
	return id
}

// halves looks for two losses between the same two tensors. If one of them detaches a side, each of them
// is to train one side.
func (t *targets) halves(losses []*inspect.Op) {
	type sides struct {
		loss string
		a, b graph.TensorID
	}
	half := map[sides]*inspect.Op{}
	for _, op := range losses {
		a, b := op.Inputs[0], op.Inputs[1]
		if from := t.detached(b); from != 0 && t.trains(a) {
			half[sides{op.Name, min(a, from), max(a, from)}] = op
		} else if from := t.detached(a); from != 0 && t.trains(b) {
			half[sides{op.Name, min(b, from), max(b, from)}] = op
		}
	}
	for _, op := range losses {
		a, b := op.Inputs[0], op.Inputs[1]
		other := half[sides{op.Name, min(a, b), max(a, b)}]
		if other == nil {
			continue
		}
		t.report(op, inspect.Finding{
			Message: fmt.Sprintf("this loss trains both %s and %s, and another loss of the two detaches one of them", t.check.Called(a), t.check.Called(b)),
			Primary: t.check.In(op.Stack, op.At, "neither side is detached"),
			Related: []inspect.Span{t.check.In(other.Stack, other.At, "one side is detached")},
			Tensors: names(t.check.History, a, b),
			Help:    "detach() the side that this loss should not train",
			Evidence: facts(
				t.check.In(op.Stack, op.At, "both sides require grad"),
				t.check.In(other.Stack, other.At, fmt.Sprintf("%s of the same two has one side detached", other.Name)),
			),
		})
	}
}

// detached returns what a tensor was detached from; 0: it was not.
func (t *targets) detached(id graph.TensorID) graph.TensorID {
	if cuts := t.check.Tensor(id).Cuts; len(cuts) == 1 && (cuts[0].Cut == graph.CutDetach || cuts[0].Cut == graph.CutData) {
		return cuts[0].From
	}
	return 0
}

// share reports whether a gradient goes from both of two tensors to one parameter.
func (t *targets) share(a, b graph.TensorID) bool {
	other := t.from(b)
	for id := range t.from(a) {
		if g, ok := t.check.Graph().Tensor(id); ok && g.Leaf() && t.trains(id) && other[id] {
			return true
		}
	}
	return false
}

// from returns the tensors that a gradient goes back to from a tensor, and itself.
func (t *targets) from(id graph.TensorID) map[graph.TensorID]bool {
	found := t.behind[id]
	if found == nil {
		found = map[graph.TensorID]bool{}
		for from := range t.check.Ancestry([]graph.TensorID{id}, func(f inspect.Flow) bool { return !t.trains(f.From) || f.Cut != 0 }) {
			found[from] = true
		}
		t.behind[id] = found
	}
	return found
}

// unviewed returns the tensor that a tensor shows, perhaps in another shape or in part.
func (t *targets) unviewed(id graph.TensorID) graph.TensorID {
	for op := t.check.Maker(id); op != nil && sameValues[op.Name] && len(op.Inputs) > 0 && op.Inputs[0] != 0; op = t.check.Maker(id) {
		id = op.Inputs[0]
	}
	return id
}

// trains reports whether a gradient goes back to a tensor. A leaf that was frozen after training has had some.
func (t *targets) trains(id graph.TensorID) bool {
	_, got := t.check.Gains()[id]
	return got || t.check.Graph().RequiresGrad(id)
}

func (t *targets) number(id graph.TensorID) bool {
	return t.check.Tensor(id).Flags&graph.FlagNumber != 0
}

// named adds the name of a tensor to what it is, if it has one.
func (t *targets) named(what string, id graph.TensorID) string {
	if t.check.Name(id) == "" {
		return what
	}
	return what + " " + t.check.Called(id)
}

// made returns the line that made a tensor.
func (t *targets) made(id graph.TensorID) inspect.Span {
	return t.check.At(t.check.Tensor(id).Created, "made here with its history")
}

// report adds a finding about an operation, once for each line.
func (t *targets) report(op *inspect.Op, f inspect.Finding) {
	if t.reported[op.Stack] {
		return
	}
	t.reported[op.Stack] = true
	f.At, f.Symptom = op.At, -1
	t.check.Report(f)
}
