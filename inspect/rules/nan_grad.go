package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var nanGrad = inspect.Rule{
	Code:     "nan-grad",
	Severity: inspect.SeverityWarning,
	Title:    "An operation turned finite gradients into NaN or infinity.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &nans{check: check, births: birthsOf(check.History), losses: lossesOf(check)}
	},
}

// nans looks for the first value that is not finite, in the forward pass and in the
// backward passes.
type nans struct {
	check  *inspect.Checker
	births *births
	losses *lossWatch
	source source
	hit    graph.Pos // where such a gradient came out of a pass; 0: nowhere
	leaf   graph.TensorID
	failed bool // anomaly mode has stopped the pass

	spread  *spread // of the gradient, if autograd.grad gave it to the program
	dropped fault   // the first one of which the program has dropped everything
}

// A fault is where a gradient ceased to be finite, and where it came out of the pass.
type fault struct {
	source source
	hit    graph.Pos
}

// A source is the node in which a gradient ceased to be finite.
type source struct {
	pass   graph.BackwardID
	node   graph.NodeID
	at     graph.Pos
	masked bool // zeros came in: the operation's value was masked
	defect
}

// Settle drops the values of tensors that were forgotten.
func (n *nans) Settle(before graph.Pos) { n.losses.Settle(before) }

func (n *nans) Event(p graph.Pos, head graph.Header, e graph.Event) {
	n.losses.Event(p, head, e)
	n.follow(e)
	switch e := e.(type) {
	case *graph.TensorCreated:
		if e.Flags&graph.FlagGradient != 0 && defectOf(e.Value) != 0 {
			n.returned(p, e.Tensor)
		}
	case *graph.Mutated:
		n.written(e)
	case *graph.NodeExecuted:
		n.executed(p, e)
	case *graph.GradAccumulated:
		if n.hit == 0 && n.source.pass == e.Backward && n.source.node != 0 && !e.Added.Value.Finite() {
			n.hit, n.leaf = p, e.Tensor
			n.check.Remember(p)
		}
	case *graph.BackwardFailed:
		if n.hit == 0 && n.source.pass == e.Backward && strings.Contains(e.Message, "returned nan values") {
			n.hit, n.failed = p, true
			n.check.Remember(p)
		}
	}
}

// written looks at a change in place. A gradient that the program has repaired is harmless.
func (n *nans) written(e *graph.Mutated) {
	if !e.Value.Known() || defectOf(e.Value) != 0 {
		return
	}
	if leaf, ok := n.check.GradOf(e.Tensor); ok && leaf == n.leaf && !n.used(n.hit) {
		n.hit, n.leaf, n.source = 0, 0, source{}
	}
}

// returned notes that autograd.grad gives such a gradient to the program.
func (n *nans) returned(p graph.Pos, gradient graph.TensorID) {
	if n.source.node == 0 || n.check.Pass(n.source.pass).Flags&graph.GradOnly == 0 {
		return
	}
	if n.hit == 0 {
		n.hit, n.spread = p, &spread{check: n.check, alive: map[graph.TensorID]bool{}}
		n.check.Remember(p)
	}
	if n.spread != nil {
		n.spread.alive[gradient] = true
	}
}

// follow notes what becomes of a gradient that the program has. When everything is dropped
// the next fault counts.
func (n *nans) follow(e graph.Event) {
	if n.spread == nil {
		return
	}
	n.spread.event(e)
	if !n.spread.discarded() {
		return
	}
	if n.dropped.hit == 0 {
		n.dropped = fault{n.source, n.hit}
	}
	n.source, n.hit, n.spread = source{}, 0, nil
}

// executed looks for the node in which a gradient ceases to be finite.
func (n *nans) executed(p graph.Pos, e *graph.NodeExecuted) {
	if n.source.node != 0 {
		return
	}
	for _, g := range e.In {
		if !g.Value.Finite() || magnitude(g.Value) > overgrown {
			return
		}
	}
	for _, g := range e.Out {
		if d := defectOf(g.Value); d != 0 {
			n.source = source{pass: e.Backward, node: e.Node, at: p, defect: d}
			n.source.masked = slices.ContainsFunc(e.In, func(g graph.Grad) bool { return g.Value.Min == 0 || g.Value.Max == 0 })
			return
		}
	}
}

// used reports whether a step used the gradient of the leaf after an event, before
// it was cleared. Nothing is known before the end of the program.
func (n *nans) used(after graph.Pos) bool {
	for _, u := range n.check.Updates().Backward(n.check.Updates().Len()) {
		if u.At < after {
			break
		}
		if u.Tensor == n.leaf {
			return true
		}
	}
	return false
}

// skipped reports whether the program trains the leaf, but did not use this gradient.
func (n *nans) skipped() bool {
	t := trainingOf(n.check.History)
	if n.leaf == 0 || !t.trains(n.leaf) {
		return false
	}
	for _, m := range t.of(n.leaf).All() {
		if m.at() > n.hit && (m.kind == used || m.kind == cleared) {
			return m.kind == cleared
		}
	}
	return false
}

func (n *nans) End() {
	severity := inspect.SeverityWarning
	if n.hit == 0 {
		n.source, n.hit, severity = n.dropped.source, n.dropped.hit, inspect.SeverityHint
	}
	if n.hit == 0 || n.skipped() {
		return
	}
	check := n.check
	if swellingsOf(check.History).explain() {
		return // exploding-grad names what has grown
	}
	node, _ := check.Graph().Node(n.source.node)
	pass := check.Pass(n.source.pass)
	made := check.NodeMade(n.source.node)
	f := inspect.Finding{
		Severity: severity,
		Message:  fmt.Sprintf("%s turns finite gradients into %s", node.Name, n.source.defect),
		Primary:  check.At(made, "its derivative is not finite for some of these values"),
		Related:  []inspect.Span{check.In(pass.Stack, pass.At, "in this backward pass")},
		Tensors:  names(check.History, n.leaf),
		Help:     "keep the values away from where the derivative is infinite: clamp them, or add a small number",
		At:       made,
		Symptom:  -1,
		Evidence: facts(check.At(n.source.at, fmt.Sprintf("finite gradients came into %s, and %s went out", node.Name, n.source.defect))),
		Instead:  []inspect.Alternative{not("exploding-grad", "nothing grew by a steady factor before")},
	}
	switch {
	case severity == inspect.SeverityHint:
		f.Evidence = append(f.Evidence, doubts(check.At(n.hit, "the program drops this gradient and all that it computes from it"))...)
	case n.leaf != 0:
		f.Evidence = append(f.Evidence, facts(check.At(n.hit, "it reaches "+check.Called(n.leaf)))...)
	}
	if n.failed {
		f.Symptom = n.hit
	}
	if n.source.masked {
		f.Help = "choose safe values with torch.where() before this operation: a mask after it does not stop 0 * inf"
	}
	b, lost := n.forward(pass)
	if lost || b != nil && b.grown || n.losses.diverges(pass.Stack) {
		return // the derivative is not to blame: nonfinite-loss reports it
	}
	if b != nil {
		op := check.Op(b.op)
		f.Message = fmt.Sprintf("%s makes %s from finite values, and so the loss is not finite", op.Name, b.defect)
		f.Primary = check.In(op.Stack, op.At, "the first value that is not finite")
		f.At = op.At
		f.Evidence = append(facts(check.In(op.Stack, op.At, b.evidence())), f.Evidence...)
	} else if b, ok := n.saved(node); ok {
		if b.grown {
			return
		}
		op := check.Op(b.op)
		f.Related = slices.Insert(f.Related, 0, f.Primary)
		f.Primary = check.In(op.Stack, op.At, "makes "+b.defect.String()+" from finite values")
		f.Evidence = append(f.Evidence, facts(check.In(op.Stack, op.At, fmt.Sprintf("%s saved the result of this operation, which holds %s", node.Name, b.defect)))...)
	} else if op := check.NodeOp(n.source.node); n.fromData(node) || op != nil && regular[plain(op)] {
		return // what was computed forward is not finite, even if the tape does not say so
	}
	check.Report(f)
}

// forward returns the birth because of which the loss of a pass is not finite; nil: it is finite. lost says that
// it is not, and no birth is known.
func (n *nans) forward(pass *inspect.Pass) (b *birth, lost bool) {
	var roots []graph.TensorID
	for _, r := range pass.Roots {
		if n.births.broken[r.Tensor] != 0 {
			roots = append(roots, r.Tensor)
		}
	}
	if len(roots) == 0 {
		return nil, false
	}
	b, _ = n.births.behind(n.check.Ancestry(roots, nil), pass.At)
	return b, b == nil
}

// regular are operations whose derivatives are finite wherever their operands are.
var regular = words(`add sub mul neg mm bmm matmul addmm baddbmm linear convolution conv1d conv2d conv3d mse_loss l1_loss
	smooth_l1_loss huber_loss cross_entropy cross_entropy_loss nll_loss tanh sigmoid relu gelu silu softmax log_softmax
	_softmax _log_softmax batch_norm layer_norm embedding mean sum`)

// saved returns the birth of a value that a node saved.
func (n *nans) saved(node graph.Node) (birth, bool) {
	for _, s := range node.Saved {
		i := slices.IndexFunc(n.births.list, func(b birth) bool { return b.out == s.Tensor })
		if i >= 0 {
			return n.births.list[i], true
		}
	}
	return birth{}, false
}

// fromData reports whether a node saved a value that is not finite and that no
// operation made: the data are to blame.
func (n *nans) fromData(node graph.Node) bool {
	for _, s := range node.Saved {
		if n.births.broken[s.Tensor] != 0 && n.check.Maker(s.Tensor) == nil {
			return true
		}
	}
	return false
}
