package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file looks for a network that is trained only to predict its own output for another input: p(f(x)) is
// drawn towards f(y), and both sides carry a gradient. A constant f makes such a loss as small as it can be.
// Whatever else trains f keeps it from that: a loss with a constant target, negatives, a variance.

// anchoring are the operations that keep outputs apart, wherever they stand between a network and its loss.
var anchoring = words(`log_softmax softmax logsumexp std var std_mean var_mean logdet slogdet linalg_slogdet margin_ranking_loss
	triplet_margin_loss cosine_embedding_loss nll_loss nll_loss_nd cross_entropy cross_entropy_loss binary_cross_entropy
	binary_cross_entropy_with_logits kl_div relu clamp softplus`)

// passing are the operations between a likeness and a loss that is small only if the likeness is large.
var passing = words("mean sum neg add rsub sub mul div pow square sqrt rsqrt linalg_vector_norm norm stack cat")

// predicted looks for such a network.
func (t *targets) predicted(ops []*inspect.Op) {
	for _, op := range ops {
		if !t.likens(op) || t.reported[op.Stack] {
			continue
		}
		for i, target := range op.Inputs[:2] {
			prediction := op.Inputs[1-i]
			if !t.trains(target) || !t.trains(prediction) || t.from(prediction)[t.unscaled(target)] || t.from(target)[t.unscaled(prediction)] {
				continue
			}
			made, ok := t.before(prediction, target)
			if !ok || !t.alone(op, target) {
				continue
			}
			t.report(op, inspect.Finding{
				Message: t.named("the target", target) + " carries a gradient into the network whose output is predicted: nothing keeps its output from becoming constant",
				Primary: t.check.In(op.Stack, op.At, "pulls on both sides"),
				Related: slices.Concat(t.check.Kept(target, op.Stack, op.At, "the target is kept here, with its history")[:1], t.check.Callers(op.At), []inspect.Span{t.made(made)}),
				Tensors: names(t.check.History, target),
				Help:    "detach() the target, or compute it inside torch.no_grad()",
				Evidence: facts(
					t.check.In(op.Stack, op.At, "compares a prediction with a target, and both lead to the same parameters"),
					t.check.At(t.check.Tensor(made).Created, fmt.Sprintf("the prediction is made of %s, by more parameters", t.check.Called(made))),
					fact("no loss with a constant target, and no other output, reaches these parameters"),
				),
			})
			break
		}
	}
}

// likens reports whether an operation compares two tensors, of which the loss makes the difference small or
// the likeness large.
func (t *targets) likens(op *inspect.Op) bool {
	if len(op.Inputs) < 2 {
		return false
	}
	switch {
	case regressing[op.Name], op.Name == "cosine_similarity":
	case op.Name == "mul": // of what was made as long as 1
		if !t.scaled(op.Inputs[0]) || !t.scaled(op.Inputs[1]) {
			return false
		}
	default:
		return false
	}
	return t.onlyPasses(op)
}

// onlyPasses reports whether what follows an operation adds up what it compares, and weighs it with numbers only.
func (t *targets) onlyPasses(op *inspect.Op) bool {
	const most = 64 // operations
	queue, seen := []*inspect.Op{op}, map[*inspect.Op]bool{op: true}
	for len(queue) > 0 && len(seen) < most {
		next := queue[0]
		queue = queue[1:]
		for _, out := range next.Outputs {
			for _, i := range t.check.Uses(out) {
				use := t.check.Op(i)
				if seen[use] || use.Node == 0 || use.Pass != 0 {
					continue
				}
				if !passing[use.Name] && !sameValues[use.Name] || use.Name == "sub" && !t.withNumber(use) {
					return false
				}
				seen[use] = true
				queue = append(queue, use)
			}
		}
	}
	return len(seen) < most
}

// withNumber reports whether one of two operands is a number.
func (t *targets) withNumber(op *inspect.Op) bool {
	return len(op.Inputs) < 2 || t.number(op.Inputs[0]) || t.number(op.Inputs[1])
}

// scaled reports whether a tensor was divided by a length of its own.
func (t *targets) scaled(id graph.TensorID) bool { return t.unscaled(id) != t.unviewed(id) }

// unscaled returns what a tensor was before it was divided by its length.
func (t *targets) unscaled(id graph.TensorID) graph.TensorID {
	id = t.unviewed(id)
	if op := t.check.Maker(id); op != nil && op.Name == "div" && len(op.Inputs) == 2 {
		from := t.unviewed(op.Inputs[0])
		if t.from(op.Inputs[1])[from] {
			return from
		}
	}
	return id
}

// weights returns the parameters that a gradient goes back to from a tensor.
func (t *targets) weights(id graph.TensorID) map[graph.TensorID]bool {
	found := map[graph.TensorID]bool{}
	for from := range t.from(id) {
		if g, ok := t.check.Graph().Tensor(from); ok && g.Leaf() && t.trains(from) {
			found[from] = true
		}
	}
	return found
}

// before returns the tensor that a prediction was made of by more parameters, and that leads to exactly the
// parameters of its target without being a part of it.
func (t *targets) before(prediction, target graph.TensorID) (made graph.TensorID, ok bool) {
	const most = 32 // tensors between the two
	goal, all := t.weights(target), t.weights(prediction)
	if len(goal) == 0 || len(all) <= len(goal) {
		return 0, false
	}
	for w := range goal {
		if !all[w] {
			return 0, false
		}
	}
	queue, seen := []graph.TensorID{prediction}, map[graph.TensorID]bool{}
	for len(queue) > 0 && len(seen) < most {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		if len(t.weights(id)) == len(goal) {
			return id, !t.from(target)[id]
		}
		for _, f := range t.check.Flows(id) {
			if f.Cut == 0 && t.trains(f.From) && len(t.weights(f.From)) >= len(goal) {
				queue = append(queue, f.From)
			}
		}
	}
	return 0, false
}

// alone reports whether nothing but comparisons of two trained sides trains what a target leads to.
func (t *targets) alone(compares *inspect.Op, target graph.TensorID) bool {
	goal := t.weights(target)
	reaches := func(id graph.TensorID) bool {
		for w := range t.weights(id) {
			if goal[w] {
				return true
			}
		}
		return false
	}
	inside := t.from(target)
	for _, op := range t.check.Ops().All() {
		if op.Pass != 0 || op.Step >= 0 || len(op.Inputs) == 0 || !t.runsBack(op) {
			continue
		}
		_, value, residual := t.residual(op)
		anchors := anchoring[op.Name] || strings.Contains(op.Name, "_loss")
		switch {
		case residual && reaches(value):
			return false
		case !anchors, op.Stack == compares.Stack, regressing[op.Name]:
		case len(op.Outputs) > 0 && inside[op.Outputs[0]], t.layer(op):
		case reaches(op.Inputs[0]):
			return false
		}
	}
	return true
}

// layer reports whether an operation is an activation inside a network: a layer with parameters follows it.
func (t *targets) layer(op *inspect.Op) bool {
	const deepest = 8
	if len(op.Outputs) == 0 {
		return false
	}
	id := op.Outputs[0]
	for range deepest {
		next := graph.TensorID(0)
		for _, i := range t.check.Uses(id) {
			use := t.check.Op(i)
			if use.Node == 0 || use.Pass != 0 || len(use.Outputs) == 0 {
				continue
			}
			for _, in := range use.Inputs {
				if in != id && learned(t.check.History, in) {
					return true
				}
			}
			next = use.Outputs[0]
		}
		if next == 0 {
			return false
		}
		id = next
	}
	return false
}
