package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var nonfiniteLoss = inspect.Rule{
	Code:     "nonfinite-loss",
	Severity: inspect.SeverityWarning,
	Title:    "A loss or a gradient becomes NaN or infinite, and a step uses it.",
	Last:     true,
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &blowUps{lossesOf(check), check}
	},
}

// blowUps report losses that are not finite.
type blowUps struct {
	*lossWatch
	check *inspect.Checker
}

// A lossWatch looks for backward passes that begin from a loss that is not finite, or give such gradients. All rules
// follow them together.
type lossWatch struct {
	turn
	check  *inspect.Checker // of the first rule
	births *births
	lines  map[graph.StackID]*lossLine // by the call stack of the pass
	order  []graph.StackID
}

// lossesOf returns what all rules together follow.
func lossesOf(check *inspect.Checker) *lossWatch {
	return check.Shared("losses", func() any {
		return &lossWatch{check: check, births: birthsOf(check.History), lines: map[graph.StackID]*lossLine{}}
	}).(*lossWatch)
}

// diverges reports whether the losses or gradients of a line grew from pass to pass until they were not finite.
func (w *lossWatch) diverges(line graph.StackID) bool {
	l := w.lines[line]
	return l != nil && l.fault != nil && (l.losses.grown() || l.grads.grown())
}

// A lossLine is a line that begins backward passes.
type lossLine struct {
	passes  int   // until the first trouble
	losses  trend // of the losses that are known
	grads   trend // of the largest gradient of each pass
	largest float64
	rooted  graph.TensorID
	fault   *blowUp // the first that a step may use
	retried int
}

// A trend is how a size went from pass to pass.
type trend struct {
	first, last, most float64
	sizes             int
}

func (c *trend) add(size float64) {
	if c.sizes == 0 {
		c.first = size
	}
	c.sizes, c.last, c.most = c.sizes+1, size, max(c.most, size)
}

// grown reports whether the size has grown until it can only overflow.
func (c *trend) grown() bool {
	return c.sizes > 1 && c.most >= enoughGrowth*max(c.first, 1) && c.last >= c.most/10
}

// A blowUp is a pass that is not finite, with what was known then of the cause.
type blowUp struct {
	pass   graph.BackwardID
	at     graph.Pos
	defect defect
	leaf   graph.TensorID // a leaf that the pass gives a gradient
	bad    graph.TensorID // a leaf that gets one that is not finite; 0: the loss is not finite
	loss   visit          // where the loss was computed
	name   string         // of the loss
	blame  blame
}

// A blame is the nearest place where values ceased to be finite.
type blame struct {
	kind  blameKind
	at    visit
	what  string         // the operation, or the tensor
	shows string         // what shows it
	also  []inspect.Span // other places
}

type blameKind uint8

const (
	noBlame    blameKind = iota
	bornHere             // an operation made it of finite values
	bornLarge            // of very large values
	inData               // it is in a tensor that no operation made
	inWeights            // it is in a parameter
	firstKnown           // its result is the first that is known
	mayBe                // the operation can make it; no values are known
)

// mostFaults is how often a line is looked at again, after a fault that no step used.
const mostFaults = 16

// Event follows losses and gradients.
func (w *lossWatch) Event(p graph.Pos, head graph.Header, e graph.Event) {
	if !w.first(p) {
		return
	}
	w.births.Event(p, head, e)
	switch e := e.(type) {
	case *graph.BackwardBegan:
		w.began(p, head, e)
	case *graph.GradAccumulated:
		w.gains(p, e)
	case *graph.BackwardEnded:
		if l := w.lines[w.check.Pass(e.Backward).Stack]; l != nil && l.fault == nil && l.largest > 0 {
			l.grads.add(l.largest)
			l.largest = 0
		}
	case *graph.LineageCut:
		w.read()
	}
}

// Settle drops values that were forgotten.
func (w *lossWatch) Settle(before graph.Pos) { w.births.Settle(before) }

// began looks at the loss of a pass.
func (w *lossWatch) began(p graph.Pos, head graph.Header, e *graph.BackwardBegan) {
	if e.Flags&graph.GradOnly != 0 {
		return
	}
	l := w.lines[head.Stack]
	if l == nil {
		l = &lossLine{}
		w.lines[head.Stack] = l
		w.order = append(w.order, head.Stack)
	}
	if l.fault == nil {
		l.passes++
	}
	for _, r := range e.Roots {
		t, ok := w.check.Graph().Tensor(r.Tensor)
		if !ok || !t.Value.Known() || t.ValueStale {
			continue
		}
		if d := defectOf(t.Value); d != 0 {
			w.fails(l, e.Backward, p, d, 0)
		} else if l.fault == nil {
			l.losses.add(magnitude(t.Value))
			l.rooted = r.Tensor
		}
	}
}

// gains looks at a gradient.
func (w *lossWatch) gains(p graph.Pos, e *graph.GradAccumulated) {
	l := w.lines[w.check.Pass(e.Backward).Stack]
	if l == nil || e.How == graph.AccumulateRetain {
		return
	}
	d := defectOf(e.Added.Value) | defectOf(e.Value)
	switch {
	case l.fault != nil && l.fault.pass == e.Backward:
		if l.fault.leaf == 0 {
			l.fault.leaf = e.Tensor
		}
	case d != 0:
		w.fails(l, e.Backward, p, d, e.Tensor)
	case l.fault == nil && e.Added.Value.Known():
		l.largest = max(l.largest, magnitude(e.Added.Value))
	}
}

// read looks at a loss that the program has taken a number from. Where the tape has few values it is the only one
// that says what the loss is.
func (w *lossWatch) read() {
	exits := w.check.Exits()
	if exits.Len() == 0 {
		return
	}
	exit := exits.At(exits.Len() - 1)
	pass := w.check.Tensor(exit.Tensor).Rooted
	if pass == 0 || len(exit.First) != 1 {
		return
	}
	l := w.lines[w.check.Pass(pass).Stack]
	if l == nil {
		return
	}
	v := exit.First[0]
	switch {
	case math.IsNaN(v):
		w.fails(l, pass, exit.At, notANumber, 0)
	case math.IsInf(v, 0):
		w.fails(l, pass, exit.At, infinite, 0)
	case l.fault == nil && l.rooted != exit.Tensor:
		l.losses.add(math.Abs(v))
	}
}

// fails notes a pass that is not finite, unless an earlier one of the line was and may have been used.
func (w *lossWatch) fails(l *lossLine, id graph.BackwardID, p graph.Pos, d defect, leaf graph.TensorID) {
	pass := w.check.Pass(id)
	if len(pass.Roots) == 0 {
		return
	}
	if l.fault != nil {
		if l.fault.pass == id || l.retried >= mostFaults || w.fate(l.fault) != cleared {
			return
		}
		l.retried++
	}
	root := pass.Roots[0].Tensor
	l.fault = &blowUp{pass: id, at: p, defect: d, leaf: leaf, bad: leaf, name: w.check.Called(root)}
	if l.fault.leaf == 0 && len(pass.Leaves) > 0 {
		l.fault.leaf = pass.Leaves[0].Tensor
	}
	l.fault.loss = visit{w.check.Tensor(root).Created, w.check.Tensor(root).Stack}
	var roots []graph.TensorID
	for _, r := range pass.Roots {
		roots = append(roots, r.Tensor)
	}
	l.fault.blame = w.blameOf(roots, pass.At, d)
	w.check.Remember(pass.At)
}

// fate says what happened first to a leaf after a fault: its gradient was used or cleared; gained: neither.
func (w *lossWatch) fate(f *blowUp) momentKind {
	t := trainingOf(w.check.History)
	for _, m := range t.of(f.leaf).All() {
		if m.at() > f.at && (m.kind == used || m.kind == cleared) {
			return m.kind
		}
	}
	return gained
}

// blameOf looks for what made a loss not finite.
func (w *lossWatch) blameOf(roots []graph.TensorID, before graph.Pos, d defect) blame {
	check := w.check
	ancestry := check.Ancestry(roots, nil)
	b, unsure := w.births.behind(ancestry, before)
	if b != nil {
		op := check.Op(b.op)
		c := blame{kind: bornHere, at: visit{op.At, op.Stack}, what: called(op), shows: b.evidence()}
		if b.grown {
			c.kind = bornLarge
		}
		return c
	}
	var ids []graph.TensorID
	for id := range ancestry {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b graph.TensorID) int { // the ones with names first
		return cmp.Or(cmp.Compare(min(1, len(check.Tensor(b).Names)), min(1, len(check.Tensor(a).Names))), cmp.Compare(a, b))
	})
	for _, id := range ids {
		t := check.Tensor(id)
		if w.births.broken[id]&d == 0 || t.Flags&graph.FlagParameter == 0 && w.computed(id) {
			continue
		}
		kind, at := inData, visit{t.Created, t.Stack}
		if g, ok := check.Graph().Tensor(id); ok && g.RequiresGrad && g.Leaf() {
			kind = inWeights
		}
		for _, wrote := range check.Writes().Backward(check.Writes().Len()) {
			if check.Tensor(wrote.Tensor).Counter == t.Counter && wrote.At < before {
				at = visit{wrote.At, wrote.Stack}
				break
			}
		}
		return blame{kind: kind, at: at, what: check.Called(id)}
	}
	if unsure == nil {
		return w.candidates(ancestry, before)
	}
	c := w.candidates(check.Ancestry([]graph.TensorID{unsure.out}, nil), before)
	if c.kind == noBlame {
		op := check.Op(unsure.op)
		c = blame{kind: firstKnown, at: visit{op.At, op.Stack}, what: called(op), shows: unsure.evidence()}
		for _, in := range op.Inputs {
			if check.Maker(in) == nil || !check.Graph().RequiresGrad(in) {
				c.also = append(c.also, check.At(created(check.History, in), "makes what it reads"))
			}
		}
	}
	return c
}

// computed reports whether an operation made a tensor of others, or put a mask into it.
func (w *lossWatch) computed(id graph.TensorID) bool {
	op := w.check.Maker(id)
	return op != nil && (len(op.Inputs) > 0 || masks[op.Name])
}

// attended are the operations that make NaN of rows without a finite element.
var attended = words(`softmax _softmax log_softmax _log_softmax`)

// candidates returns the operations that may have made a value that is not finite.
func (w *lossWatch) candidates(ancestry map[graph.TensorID]inspect.Flow, before graph.Pos) (c blame) {
	check := w.check
	type place struct {
		stack graph.StackID
		name  string
	}
	best := 0
	seen := map[place]bool{}
	masked := false
	note := func(op *inspect.Op, weight int) {
		k := place{op.Stack, op.Name}
		switch {
		case seen[k]:
		case weight > best:
			if c.kind == mayBe {
				c.also = slices.Insert(c.also, 0, check.In(c.at.stack, c.at.at, c.what+" can do so, too"))
			}
			best, c.kind, c.at, c.what = weight, mayBe, visit{op.At, op.Stack}, called(op)
		default:
			c.also = append(c.also, check.In(op.Stack, op.At, called(op)+" can do so, too"))
		}
		seen[k] = true
	}
	var ops []int
	for id := range ancestry {
		if t := check.Tensor(id); t.Op >= 0 && check.Maker(id) != nil {
			ops = append(ops, t.Op)
		}
	}
	slices.Sort(ops)
	for _, i := range slices.Compact(ops) {
		op := check.Op(i)
		if op.At < 0 || op.At >= before || op.Step >= 0 || len(op.Inputs) == 0 {
			continue
		}
		in, name := check.Tensor(op.Inputs[0]), plain(op)
		switch {
		case masks[op.Name]:
			masked = true
		case reduces[name] && name == "mean" && numel(in.Shape) == 0, spreads[name] && ofOne(check.History, op):
			note(op, 3)
		case attended[name] && masked:
			note(op, 2)
		case singular[name]:
			note(op, 1)
		}
	}
	return c
}

// called returns the name of an operation as programs write it.
func called(op *inspect.Op) string { return strings.Trim(op.Name, "_") }

// spreads are the operations that divide by the number of elements less one.
var spreads = words(`std var std_mean var_mean`)

// ofOne reports whether an operation makes as many elements as it has read.
func ofOne(h *inspect.History, op *inspect.Op) bool {
	return len(op.Outputs) > 0 && numel(h.Tensor(op.Outputs[0]).Shape) == numel(h.Tensor(op.Inputs[0]).Shape)
}

// End reports the first line of the program whose passes are not finite.
func (w *blowUps) End() {
	if explained(w.check, nonfiniteLoss.Code) {
		return
	}
	for _, s := range w.order {
		l := w.lines[s]
		if l.fault == nil {
			continue
		}
		trains := l.fault.leaf != 0 && trainingOf(w.check.History).trains(l.fault.leaf)
		if trains && w.fate(l.fault) == cleared {
			continue // the program, or a gradient scaler, has skipped the step
		}
		w.report(l, trains)
		return
	}
}

// report reports a line whose passes are not finite. trained says that steps use its gradients.
func (w *blowUps) report(l *lossLine, trained bool) {
	check, b := w.check, l.fault
	pass := check.Pass(b.pass)
	is, made := "NaN", "NaN"
	if b.defect&notANumber == 0 {
		is, made = "infinite", "infinity"
	}
	subject, where := b.name, check.In(b.loss.stack, b.loss.at, fmt.Sprintf("this loss is %s in pass %d", is, l.passes))
	if b.bad != 0 {
		subject = "the gradient of " + check.Called(b.bad)
		where = check.In(pass.Stack, pass.At, fmt.Sprintf("this backward pass gives a gradient that is %s", is))
	}
	f := inspect.Finding{
		Tensors: names(check.History, b.bad),
		At:      b.at,
		Symptom: -1,
		Instead: []inspect.Alternative{
			not("nan-grad", "no derivative is known to be infinite where its values are finite"),
			not("exploding-grad", "no operation is known to make values larger each time that it runs in a pass"),
		},
	}
	began := check.In(pass.Stack, pass.At, "this backward pass begins from the loss")
	size, what := l.losses, "the loss"
	if !size.grown() {
		size, what = l.grads, "the largest gradient"
	}
	c := b.blame
	switch {
	case size.grown() && trained:
		f.Message = fmt.Sprintf("training diverges: %s grows from %.2g to %.2g within %s, and then %s is %s", what, size.first, size.most, several(size.sizes, "pass"), subject, is)
		f.Primary, f.Related = where, []inspect.Span{began}
		if i := holding(check.History, b.leaf); i >= 0 {
			group := check.Optimizers()[i]
			f.Primary = check.In(group.Stack, group.At, "the steps of this optimizer are too large")
			f.Related = []inspect.Span{where, began}
		}
		f.Help = "lower the learning rate, scale the inputs and targets to about 1, or clip the gradients"
		f.Evidence = facts(
			check.In(pass.Stack, pass.At, fmt.Sprintf("%s was %.2g in the first of these passes, and at most %.2g before it was %s", what, size.first, size.most, is)),
		)
		if c.kind == bornHere || c.kind == bornLarge {
			f.Related = append(f.Related, check.In(c.at.stack, c.at.at, c.what+" is the first to overflow"))
		}
	case c.kind == bornHere, c.kind == bornLarge:
		f.Message = fmt.Sprintf("%s is %s: %s makes %s of finite values", subject, is, c.what, made)
		f.Primary, f.Related = check.In(c.at.stack, c.at.at, "the first value that is not finite"), []inspect.Span{where, began}
		f.Help = "keep the inputs where the operation has finite values: clamp them, add a small number, or leave such rows out"
		f.Evidence = facts(check.In(c.at.stack, c.at.at, c.shows))
		if c.kind == bornLarge {
			f.Help = "look for what has made its inputs so large: the learning rate, the scale of the data, a sum that goes on"
			f.Evidence = facts(check.In(c.at.stack, c.at.at, fmt.Sprintf("its inputs are finite and larger than %.0e", overgrown)))
		}
	case c.kind == inData:
		f.Message = fmt.Sprintf("%s is %s, because %s holds %s already", subject, is, c.what, made)
		f.Primary, f.Related = check.In(c.at.stack, c.at.at, "it is in these values"), []inspect.Span{where, began}
		f.Help = "find out where the values come from, and leave out or fill in what is missing"
		f.Evidence = facts(check.In(c.at.stack, c.at.at, fmt.Sprintf("%s holds %s before any operation computes with it", c.what, made)))
	case c.kind == inWeights:
		f.Message = fmt.Sprintf("%s is %s, because the parameter %s holds %s", subject, is, c.what, made)
		f.Primary, f.Related = check.In(c.at.stack, c.at.at, "wrote it"), []inspect.Span{where, began}
		f.Help = "look at the step before: its gradients, its learning rate, and what the optimizer divides by"
		f.Evidence = facts(check.In(c.at.stack, c.at.at, fmt.Sprintf("%s is not finite after this line", c.what)))
	case c.kind == firstKnown:
		f.Message = fmt.Sprintf("%s is %s, as is the result of %s", subject, is, c.what)
		f.Primary = check.In(c.at.stack, c.at.at, "the first value that is known not to be finite")
		f.Related = slices.Concat(c.also, []inspect.Span{where, began})
		f.Help = "look at what this line reads"
		f.Evidence = append(facts(check.In(c.at.stack, c.at.at, c.shows)), doubts(fact("the tape does not have the values that it reads"))...)
	case c.kind == mayBe:
		f.Message = fmt.Sprintf("%s is %s, and %s may have made it so", subject, is, c.what)
		f.Primary = check.In(c.at.stack, c.at.at, "can make NaN or infinity of finite values")
		f.Related = slices.Concat([]inspect.Span{where}, c.also, []inspect.Span{began})
		f.Help = "look at the values before and after this line: `gradtui run --engine builtin` shows all of them"
		f.Evidence = append(facts(where), doubts(fact("the tape does not have the values in between"))...)
	default:
		f.Message = fmt.Sprintf("%s is %s", subject, is)
		f.Primary, f.Related = check.In(b.loss.stack, b.loss.at, "computes the loss"), []inspect.Span{where, began}
		f.Help = "print the values that this line is computed from, and go back to the first that is not finite"
		f.Evidence = facts(where)
	}
	if trained {
		f.Evidence = append(f.Evidence, facts(check.In(pass.Stack, pass.At, "a step uses the gradients of this pass"))...)
	} else {
		f.Severity = inspect.SeverityHint
		f.Evidence = append(f.Evidence, doubts(fact("no step is known to use the gradients"))...)
	}
	check.Report(f)
}
