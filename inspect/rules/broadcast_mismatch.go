package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var broadcastMismatch = inspect.Rule{
	Code:     "broadcast-mismatch",
	Severity: inspect.SeverityWarning,
	Title:    "Two tensors that should have the same shape are broadcast against each other.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &mismatches{check: check, lines: map[graph.StackID]int{}}
	},
}

// mismatches collects operations whose operands have as many elements in shapes
// that do not match: [n, 1] and [n] broadcast to [n, n].
type mismatches struct {
	check  *inspect.Checker
	found  []mismatch
	lines  map[graph.StackID]int // index in found
	warned graph.StackID         // of a loss function that has just warned
}

type mismatch struct {
	op    int
	stack graph.StackID
	out   graph.TensorID
	large graph.TensorID // the operand with more dimensions
	small graph.TensorID
	loss  bool // a loss function has warned
	rows  bool // the smaller one is a reduction over the rows of the larger one
	count int
}

// pairwise are the operations that combine two tensors element by element.
var pairwise = map[string]bool{
	"add": true, "sub": true, "rsub": true, "mul": true, "div": true, "pow": true, "maximum": true, "minimum": true,
	"add_": true, "sub_": true, "mul_": true, "div_": true, "where": true, "atan2": true, "lerp": true,
}

func (m *mismatches) End() {
	for _, x := range m.found {
		if x.loss || m.flowsIntoLoss(x) && (x.rows || !m.deliberate(x)) {
			m.report(x)
			return
		}
	}
}

func (m *mismatches) Event(_ graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.Warned:
		if strings.Contains(e.Message, "different to the input size") {
			m.warned = head.Stack
		}
	case *graph.OpRan:
		op := m.check.Op(m.check.Ops().Len() - 1)
		switch {
		case m.warned == op.Stack && strings.HasSuffix(op.Name, "_loss"):
			m.warned = 0
			if len(op.Inputs) > 1 && len(op.Outputs) > 0 {
				m.add(op, mismatch{large: m.unexpanded(op.Inputs[0]), small: m.unexpanded(op.Inputs[1]), loss: true})
			}
		case pairwise[op.Name] && len(op.Inputs) >= 2 && op.Pass == 0 && op.Step < 0:
			m.pair(op)
		}
	}
}

// unexpanded returns what a loss function has broadcast.
func (m *mismatches) unexpanded(id graph.TensorID) graph.TensorID {
	if op := m.check.Maker(id); op != nil && op.Name == "expand" && len(op.Inputs) > 0 {
		return op.Inputs[0]
	}
	return id
}

// pair looks at the shapes of two operands.
func (m *mismatches) pair(op *inspect.Op) {
	n := len(op.Inputs)
	a, b := m.check.Tensor(op.Inputs[n-2]), m.check.Tensor(op.Inputs[n-1])
	if !a.Known() || !b.Known() || len(a.Shape) == len(b.Shape) || len(op.Outputs) == 0 {
		return
	}
	x := mismatch{large: op.Inputs[n-2], small: op.Inputs[n-1]}
	if len(a.Shape) < len(b.Shape) {
		a, b, x.large, x.small = b, a, x.small, x.large
	}
	out := m.check.Tensor(op.Outputs[0])
	switch {
	case numel(out.Shape) > numel(a.Shape) && slices.Equal(significant(a.Shape), significant(b.Shape)):
		m.add(op, x)
	case (op.Name == "div" || op.Name == "sub") && square(a.Shape) && len(b.Shape) == 1 && m.reducesRows(x.small, x.large):
		x.rows = true
		m.add(op, x)
	}
}

func (m *mismatches) add(op *inspect.Op, x mismatch) {
	if i, known := m.lines[op.Stack]; known {
		m.found[i].count++
		return
	}
	x.stack, x.op, x.count, x.out = op.Stack, m.check.Ops().Len()-1, 1, op.Outputs[0]
	m.lines[op.Stack] = len(m.found)
	m.check.Remember(op.At)
	m.found = append(m.found, x)
}

// significant returns the sizes that are not 1.
func significant(shape []int) []int {
	return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
}

func square(shape []int) bool { return len(shape) == 2 && shape[0] == shape[1] && shape[0] > 1 }

// reductions are the operations that make one element of many.
var reductions = map[string]bool{
	"sum": true, "mean": true, "amax": true, "max": true, "amin": true, "min": true, "std": true, "var": true,
	"logsumexp": true, "linalg_vector_norm": true, "norm": true, "prod": true,
}

// reducesRows reports whether a tensor holds one element for each row of another tensor, or of
// what that was made of.
func (m *mismatches) reducesRows(rows, of graph.TensorID) bool {
	op := m.check.Maker(rows)
	if op == nil || !reductions[op.Name] || len(op.Inputs) == 0 || m.reshapes(m.check.Op(m.check.Ops().Len()-1).Stack) {
		return false
	}
	from := op.Inputs[0]
	if maker := m.check.Maker(of); from != of && (maker == nil || !slices.Contains(maker.Inputs, from)) {
		return false
	}
	_, e, err := m.check.Tape().At(op.At)
	ran, ok := e.(*graph.OpRan)
	if err != nil || !ok {
		return false
	}
	for _, a := range ran.Attrs {
		if m.check.Tape().String(a.Name) == "dim" && len(a.Ints) == 1 {
			return a.Ints[0] == 1 || a.Ints[0] == -1
		}
	}
	return false
}

// reshaping is code that shows that shapes are meant to be different.
var reshaping = regexp.MustCompile(`\bNone\b|unsqueeze|keepdim|\.view\(|reshape|newaxis|expand|diag|outer|meshgrid|cdist`)

// reshapes reports whether the line of a call stack is such code.
func (m *mismatches) reshapes(s graph.StackID) bool {
	top := m.check.In(s, -1, "")
	return reshaping.MatchString(m.check.LineText(top.File, top.Line))
}

// reshapers are the operations that programs call to make shapes broadcast.
var reshapers = map[string]bool{"unsqueeze": true, "view": true, "reshape": true, "expand": true, "t": true, "transpose": true, "permute": true}

// deliberate reports whether the program has shaped an operand for this: on the line
// itself, or as often as it comes to that line.
func (m *mismatches) deliberate(x mismatch) bool {
	if m.reshapes(x.stack) {
		return true
	}
	id := x.large
	for range 8 {
		op := m.check.Maker(id)
		if op == nil || len(op.Inputs) == 0 {
			return false
		}
		if reshapers[op.Name] || m.reshapes(op.Stack) {
			return m.check.Visits(op.Stack) >= m.check.Visits(x.stack)
		}
		next := graph.TensorID(0)
		for _, in := range op.Inputs {
			if t := m.check.Tensor(in); t.Known() && slices.Equal(t.Shape, m.check.Tensor(id).Shape) {
				next = in
			}
		}
		if next == 0 {
			return false
		}
		id = next
	}
	return false
}

// flowsIntoLoss reports whether a backward pass begins at something that the result
// went into.
func (m *mismatches) flowsIntoLoss(x mismatch) bool {
	at := m.check.Op(x.op).At
	for _, pass := range m.check.Passes()[1:] {
		if pass.At < at {
			continue
		}
		var roots []graph.TensorID
		for _, r := range pass.Roots {
			roots = append(roots, r.Tensor)
		}
		_, ok := m.check.Ancestry(roots, nil)[x.out]
		return ok
	}
	return false
}

func (m *mismatches) report(x mismatch) {
	check := m.check
	op := check.Op(x.op)
	large, small := check.Tensor(x.large), check.Tensor(x.small)
	f := inspect.Finding{
		Message: fmt.Sprintf("shapes %s and %s are broadcast to every pair of elements", inspect.ShapeText(large.Shape), inspect.ShapeText(small.Shape)),
		Primary: check.In(op.Stack, op.At, "pairs every element of one with every element of the other"),
		Related: []inspect.Span{
			check.At(large.Created, "has shape "+inspect.ShapeText(large.Shape)),
			check.At(small.Created, "has shape "+inspect.ShapeText(small.Shape)),
		},
		Tensors: names(check.History, x.large, x.small),
		Help:    "give both the same shape: squeeze(-1) one of them, or unsqueeze(-1) the other",
		At:      op.At,
		Symptom: -1,
	}
	if x.rows {
		f.Message = fmt.Sprintf("one value per row, %s, is broadcast along the columns of %s", inspect.ShapeText(small.Shape), inspect.ShapeText(large.Shape))
		f.Primary.Label = "pairs each column with the value of a row"
		f.Related = f.Related[1:]
		f.Help = "reduce with keepdim=True"
	}
	check.Report(f)
}
