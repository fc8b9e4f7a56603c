package rules

import (
	"fmt"
	"maps"
	"math"
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
		return &nans{check: check, broken: map[graph.TensorID]defect{}}
	},
}

// nans looks for the first value that is not finite, in the forward pass and in the
// backward passes.
type nans struct {
	check  *inspect.Checker
	broken map[graph.TensorID]defect
	births []birth
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

// A birth is an operation that made a value that is not finite from finite ones, or a NaN from
// infinite ones.
type birth struct {
	op  int
	out graph.TensorID
	defect
}

// A source is the node in which a gradient ceased to be finite.
type source struct {
	pass   graph.BackwardID
	node   graph.NodeID
	at     graph.Pos
	masked bool // zeros came in: the operation's value was masked
	defect
}

const (
	// What is larger overflows because something has grown, not because a
	// derivative is singular.
	overgrown = 1e15
	maxBirths = 64
)

// masks are operations that put infinite values into a tensor on purpose.
var masks = map[string]bool{
	"masked_fill": true, "masked_fill_": true, "fill_": true, "where": true, "copy_": true, "index_put_": true,
	"index_fill": true, "index_fill_": true, "masked_scatter": true, "scatter": true, "scatter_": true,
}

// Settle drops the values of tensors that were forgotten.
func (n *nans) Settle(graph.Pos) {
	maps.DeleteFunc(n.broken, func(id graph.TensorID, _ defect) bool { return !n.check.Tensor(id).Known() })
}

func (n *nans) Event(p graph.Pos, _ graph.Header, e graph.Event) {
	n.follow(e)
	switch e := e.(type) {
	case *graph.TensorCreated:
		if d := defectOf(e.Value); d != 0 {
			n.broken[e.Tensor] = d
			if e.Flags&graph.FlagGradient != 0 {
				n.returned(p, e.Tensor)
			}
		}
	case *graph.Mutated:
		n.written(e)
	case *graph.OpRan:
		n.ran(e)
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

// written notes a change in place. A gradient that the program has repaired is harmless.
func (n *nans) written(e *graph.Mutated) {
	if !e.Value.Known() {
		return
	}
	d := defectOf(e.Value)
	if d != 0 {
		n.broken[e.Tensor] = d
		return
	}
	delete(n.broken, e.Tensor)
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

// ran looks for the birth of a value that is not finite.
func (n *nans) ran(e *graph.OpRan) {
	var in, out defect
	var result graph.TensorID
	for _, t := range e.Inputs {
		in |= n.broken[t]
	}
	for _, t := range e.Outputs {
		if d := n.broken[t]; d != 0 && result == 0 {
			out, result = d, t
		}
	}
	born := out &^ in
	if in == notANumber || in&notANumber != 0 {
		born = 0
	}
	if born == 0 || len(n.births) >= maxBirths || len(e.Inputs) == 0 || masks[n.check.Tape().String(e.Op)] {
		return
	}
	for _, t := range e.Inputs {
		if g, ok := n.check.Graph().Tensor(t); ok && math.Max(g.Value.Max, -g.Value.Min) > overgrown {
			return
		}
	}
	n.births = append(n.births, birth{n.check.Ops().Len() - 1, result, born})
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
	if b, ok := n.forward(pass); ok {
		op := check.Op(b.op)
		f.Message = fmt.Sprintf("%s makes %s from finite values, and so the loss is not finite", op.Name, b.defect)
		f.Primary = check.In(op.Stack, op.At, "the first value that is not finite")
		f.At = op.At
		f.Evidence = append(facts(check.In(op.Stack, op.At, fmt.Sprintf("its inputs are finite, and its result holds %s", b.defect))), f.Evidence...)
	} else if b, ok := n.saved(node); ok {
		op := check.Op(b.op)
		f.Related = slices.Insert(f.Related, 0, f.Primary)
		f.Primary = check.In(op.Stack, op.At, "makes "+b.defect.String()+" from finite values")
		f.Evidence = append(f.Evidence, facts(check.In(op.Stack, op.At, fmt.Sprintf("%s saved the result of this operation, which holds %s", node.Name, b.defect)))...)
	} else if n.fromData(node) {
		return
	}
	check.Report(f)
}

func (d defect) String() string {
	if d&notANumber != 0 {
		return "NaN"
	}
	return "infinite values"
}

// forward returns the birth because of which the loss of a pass is not finite.
func (n *nans) forward(pass *inspect.Pass) (birth, bool) {
	var roots []graph.TensorID
	for _, r := range pass.Roots {
		if n.broken[r.Tensor] != 0 {
			roots = append(roots, r.Tensor)
		}
	}
	if len(roots) == 0 {
		return birth{}, false
	}
	ancestry := n.check.Ancestry(roots, nil)
	for _, b := range n.births {
		if _, ok := ancestry[b.out]; ok && n.check.Op(b.op).At < pass.At {
			return b, true
		}
	}
	return birth{}, false
}

// saved returns the birth of a value that a node saved.
func (n *nans) saved(node graph.Node) (birth, bool) {
	for _, s := range node.Saved {
		i := slices.IndexFunc(n.births, func(b birth) bool { return b.out == s.Tensor })
		if i >= 0 {
			return n.births[i], true
		}
	}
	return birth{}, false
}

// fromData reports whether a node saved a value that is not finite and that no
// operation made: the data are to blame.
func (n *nans) fromData(node graph.Node) bool {
	for _, s := range node.Saved {
		if n.broken[s.Tensor] != 0 && n.check.Maker(s.Tensor) == nil {
			return true
		}
	}
	return false
}
