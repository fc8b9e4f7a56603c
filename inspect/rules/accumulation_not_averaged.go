package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var accumulationNotAveraged = inspect.Rule{
	Code:     "accumulation-not-averaged",
	Severity: inspect.SeverityWarning,
	Title:    "Gradients of several micro-batches are added up, and each loss is a mean that is not divided by their number.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &microBatches{check: check, lines: map[graph.StackID]*accumulatedLine{}, scalings: map[graph.StackID]graph.Pos{}}
	},
}

// microBatches counts the backward passes between two steps, by their line.
type microBatches struct {
	check    *inspect.Checker
	lines    map[graph.StackID]*accumulatedLine
	order    []*accumulatedLine
	since    []*accumulatedLine // lines with passes since the last step or zero_grad()
	began    graph.Pos          // when the gradients were cleared or used last
	scalings map[graph.StackID]graph.Pos
	assigned bool // the program gives parameters gradients of its own
}

// An accumulatedLine is a line that runs backward().
type accumulatedLine struct {
	first  visit
	loss   graph.Pos // that made the loss
	step   visit     // the step that uses the sum
	now    []graph.BackwardID
	most   int  // passes of one step
	often  int  // steps that used several passes
	single int  // steps that used one
	looked int  // passes that were looked at
	plain  bool // all of them begin at a mean
	linked bool // a pass builds on tensors of the pass before, as of the state of a sequence
	parted bool // passes reach different parameters
}

// Event counts.
func (w *microBatches) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.BackwardBegan:
		if e.Flags&graph.GradOnly == 0 && len(e.Roots) == 1 {
			w.passes(visit{p, head.Stack}, e)
		}
	case *graph.GradsZeroed:
		w.clear(p)
	case *graph.GradAssigned:
		if e.Grad == 0 {
			w.clear(p)
		} else {
			w.assigned = true
		}
	case *graph.OptimizerStepped:
		if !e.Done {
			w.stepped(visit{p, head.Stack})
		}
	case *graph.OpRan:
		if len(e.Mutated) > 0 && len(w.since) > 0 && w.check.Running() == 0 {
			w.wrote(p, head.Stack, e)
		}
	}
}

func (w *microBatches) clear(p graph.Pos) {
	for _, l := range w.since {
		l.now = l.now[:0]
	}
	w.since, w.began = w.since[:0], p
}

func (w *microBatches) passes(here visit, e *graph.BackwardBegan) {
	l := w.lines[here.stack]
	if l == nil {
		l = &accumulatedLine{first: here, plain: true}
		w.lines[here.stack] = l
		w.order = append(w.order, l)
	}
	if len(l.now) == 0 {
		w.since = append(w.since, l)
	}
	const enough = 8 // passes: all are alike
	if l.looked++; l.looked <= enough {
		root := e.Roots[0]
		since := w.began
		if n := len(l.now); n > 0 {
			since = w.check.Pass(l.now[n-1]).At
		}
		l.plain = l.plain && w.mean(root.Node, since, 0) && one(root.Grad)
		if op := w.check.Maker(root.Tensor); op != nil {
			l.loss = op.At
		}
		if n := len(l.now); n > 0 {
			l.linked = l.linked || w.buildsOn(root.Tensor, w.check.Pass(l.now[n-1]).At)
		}
	}
	l.now = append(l.now, e.Backward)
}

// one reports whether a pass begins with a gradient of one, as far as it is known.
func one(g graph.Grad) bool { return len(g.Value.First) == 0 || g.Value.First[0] == 1 }

// mean reports whether a node computes a mean of what was computed since a position, or a sum with one.
func (w *microBatches) mean(id graph.NodeID, since graph.Pos, depth int) bool {
	const deepest = 16
	node, ok := w.check.Graph().Node(id)
	if !ok || depth > deepest {
		return false
	}
	for _, a := range node.Attrs {
		if w.check.Tape().String(a.Name) == "reduction" && len(a.Ints) > 0 {
			return a.Ints[0] == 1
		}
	}
	name := strings.TrimRight(node.Name, "0123456789")
	switch name {
	case "MeanBackward":
		return true
	case "DivBackward":
		return w.meanByHand(node, since)
	case "AddBackward", "SubBackward", "NegBackward", "SqueezeBackward", "ViewBackward", "ToCopyBackward":
		for _, edge := range node.Edges {
			if edge.Node != 0 && w.mean(edge.Node, since, depth+1) {
				return true
			}
		}
	}
	return false
}

// meanByHand reports whether a node divides a sum by a count of what was added up: a tensor that needs no gradient and
// was computed since a position. An older count may be of all micro-batches, and a number may be their number.
func (w *microBatches) meanByHand(node graph.Node, since graph.Pos) bool {
	if len(node.Edges) == 0 || node.Edges[0].Node == 0 {
		return false
	}
	over, ok := w.check.Graph().Node(node.Edges[0].Node)
	op := w.check.NodeOp(node.ID)
	if !ok || op == nil || len(op.Inputs) != 2 || strings.TrimRight(over.Name, "0123456789") != "SumBackward" {
		return false
	}
	count := w.check.Tensor(op.Inputs[1])
	return count.Known() && count.Created > since && count.Node == 0 && count.Flags&(graph.FlagNumber|graph.FlagRequiresGrad) == 0
}

// buildsOn reports whether the values of a loss come from what a graph of an earlier pass computed.
func (w *microBatches) buildsOn(loss graph.TensorID, earlier graph.Pos) bool {
	const most = 2000 // tensors
	queue, seen := []graph.TensorID{loss}, map[graph.TensorID]bool{loss: true}
	for len(queue) > 0 && len(seen) < most {
		id := queue[0]
		queue = queue[1:]
		t := w.check.Tensor(id)
		if t.Created > w.began && t.Created < earlier && t.Node != 0 {
			return true
		}
		if t.Created < w.began {
			continue
		}
		for _, f := range w.check.Flows(id) {
			if !seen[f.From] {
				seen[f.From] = true
				queue = append(queue, f.From)
			}
		}
	}
	return false
}

// wrote notes operations that scale gradients.
func (w *microBatches) wrote(p graph.Pos, stack graph.StackID, e *graph.OpRan) {
	name := w.check.Tape().String(e.Op)
	if !strings.Contains(name, "mul_") && !strings.Contains(name, "div_") {
		return
	}
	for _, id := range e.Mutated {
		if _, ok := w.check.GradOf(id); ok {
			if _, again := w.scalings[stack]; !again {
				w.scalings[stack] = p
			}
		}
	}
}

func (w *microBatches) stepped(here visit) {
	const enough = 4 // steps whose passes are compared
	for _, l := range w.since {
		n := len(l.now)
		switch {
		case n > 1:
			if l.often++; l.often <= enough {
				first, last := w.check.Pass(l.now[0]).Leaves, w.check.Pass(l.now[n-1]).Leaves
				l.parted = l.parted || !sameLeaves(first, last)
			}
			l.most = max(l.most, n)
			l.step = here
		case n == 1:
			l.single++
		}
	}
	w.clear(here.at)
}

// sameLeaves reports whether two passes gave gradients to the same leaves.
func sameLeaves(a, b []inspect.Contribution) bool {
	leaves := map[graph.TensorID]bool{}
	for _, c := range a {
		leaves[c.Tensor] = true
	}
	for _, c := range b {
		if !leaves[c.Tensor] {
			return false
		}
	}
	return len(a) == len(b)
}

// scaled reports whether the program scales gradients, but for clipping.
func (w *microBatches) scaled() bool {
	for stack, at := range w.scalings {
		if !strings.Contains(w.check.Text(w.check.In(stack, at, "").Frame), "clip_grad") {
			return true
		}
	}
	return w.assigned
}

// End reports the lines.
func (w *microBatches) End() {
	if w.scaled() || len(w.check.Hooks()) > 0 {
		return
	}
	for _, l := range w.order {
		if l.often < 2 || l.single > l.often || !l.plain || l.linked || l.parted {
			continue
		}
		severity := w.severity(l)
		if severity == 0 {
			continue
		}
		seen := facts(
			w.check.In(l.step.stack, l.step.at, fmt.Sprintf("%s used gradients of up to %d passes", several(l.often, "step"), l.most)),
			w.check.At(l.loss, "the loss ends in a mean, and each pass begins with a gradient of 1"),
			fact("nothing scales the gradients, but for clipping"),
		)
		if severity == inspect.SeverityHint {
			seen = append(seen, doubts(fact("nothing on the way names micro-batches or an accumulation"))...)
		}
		w.check.Report(inspect.Finding{
			Severity: severity,
			Message:  fmt.Sprintf("the step uses the sum of %d gradients, each of a mean: it is %d times as large as for the whole batch", l.most, l.most),
			Primary:  w.check.In(l.first.stack, l.first.at, "adds the gradient of one micro-batch"),
			Related: []inspect.Span{
				w.check.At(l.loss, "the loss is the mean of one micro-batch"),
				w.check.In(l.step.stack, l.step.at, "uses the sum"),
			},
			Help:     "divide the loss by the number of micro-batches before backward()",
			Evidence: seen,
			Instead:  []inspect.Alternative{not("grad-accumulated", "the gradients are cleared between the steps")},
			At:       l.first.at,
			Symptom:  -1,
		})
	}
}

var (
	namesAccumulation = regexp.MustCompile(`(?i)accum|micro_?batch|\bmicro`)
	parts             = regexp.MustCompile(`\b(chunk|split|tensor_split)\s*\(`)
	condition         = regexp.MustCompile(`^\s*(?:el)?if\b.*%`)
	dividedRate       = regexp.MustCompile(`\blr\s*=[^,)]*/`)
)

// severity says how sure it is that a line runs for the micro-batches of one batch; 0: it does
// not look like it.
func (w *microBatches) severity(l *accumulatedLine) inspect.Severity {
	for _, o := range w.check.Optimizers() {
		if dividedRate.MatchString(w.check.Text(w.check.In(o.Stack, o.At, "").Frame)) {
			return 0
		}
	}
	nest, outer := w.check.Loops(l.first.stack), w.check.Loops(l.step.stack)
	if inside(nest, outer) {
		loop := nest[len(outer)]
		header := w.check.LineText(loop.File, loop.Line)
		if namesAccumulation.MatchString(header) || parts.MatchString(header) {
			return inspect.SeverityWarning
		}
		return 0
	}
	if len(nest) == 0 || len(outer) < len(nest) || outer[len(nest)-1] != nest[len(nest)-1] {
		return 0
	}
	step := w.check.In(l.step.stack, l.step.at, "")
	for n := step.Line - 1; n > nest[len(nest)-1].Line; n-- {
		text := w.check.LineText(step.File, n)
		if !condition.MatchString(text) || w.check.BlockEnd(step.File, n) < step.Line {
			continue
		}
		header := w.check.LineText(nest[len(nest)-1].File, nest[len(nest)-1].Line)
		if namesAccumulation.MatchString(text) || namesAccumulation.MatchString(header) {
			return inspect.SeverityWarning
		}
		return inspect.SeverityHint
	}
	return 0
}
