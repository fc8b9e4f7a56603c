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
	op     int
	stack  graph.StackID
	out    graph.TensorID
	large  graph.TensorID // the operand with more dimensions
	small  graph.TensorID
	loss   bool // a loss function has warned
	rows   bool // the smaller one is a reduction over the rows of the larger one
	itself bool // the larger one is the smaller one, with a leading dimension that pairs nothing
	twice  bool // the smaller one was broadcast along the same dimension before, on the same line
	count  int
}

// pairwise are the operations that combine two tensors element by element.
var pairwise = map[string]bool{
	"add": true, "sub": true, "rsub": true, "mul": true, "div": true, "pow": true, "maximum": true, "minimum": true,
	"add_": true, "sub_": true, "mul_": true, "div_": true, "where": true, "atan2": true, "lerp": true,
}

func (m *mismatches) End() {
	for _, x := range m.found {
		if x.loss || x.itself || x.twice || m.flowsIntoLoss(x) && (x.rows || !m.deliberate(x)) {
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
		case m.warned == op.Stack && len(op.Inputs) > 1 && (pairwise[op.Name] || strings.HasSuffix(op.Name, "_loss")):
			m.warned = 0
			if len(op.Outputs) > 0 {
				m.add(op, mismatch{large: m.unexpanded(op.Inputs[0]), small: m.unexpanded(op.Inputs[1]), loss: true})
			}
		case len(op.Inputs) < 2 || op.Pass != 0 || op.Step >= 0:
		case comparisons[op.Name] && m.comparesItself(op):
		case pairwise[op.Name] && m.pairsAgain(op):
		case pairwise[op.Name]:
			m.pair(op)
		}
	}
}

// comparisons are the operations whose result says nothing about a tensor and itself.
var comparisons = map[string]bool{"eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true, "sub": true, "__eq__": true, "__ne__": true}

// comparesItself looks for x.unsqueeze(0) == x, which compares each element with itself: to pair all
// elements, the other operand needs a new dimension as well.
func (m *mismatches) comparesItself(op *inspect.Op) bool {
	large, small := op.Inputs[0], op.Inputs[1]
	a, b := m.check.Tensor(large), m.check.Tensor(small)
	if len(a.Shape) < len(b.Shape) {
		a, b, large, small = b, a, small, large
	}
	if !a.Known() || !b.Known() || len(op.Outputs) == 0 || len(a.Shape) != len(b.Shape)+1 || len(b.Shape) == 0 || b.Shape[0] == 1 {
		return false
	}
	if a.Shape[0] != 1 || !slices.Equal(a.Shape[1:], b.Shape) || m.unsqueezed(large) != small {
		return false
	}
	m.add(op, mismatch{large: large, small: small, itself: true})
	return true
}

// pairsAgain looks for d.unsqueeze(0) * matrix * d, which is twice along the columns: the new dimension says that
// one of the two is for the rows.
func (m *mismatches) pairsAgain(op *inspect.Op) bool {
	vector, of, row, matrix := m.vector(op)
	by := m.check.Maker(matrix)
	if vector == 0 || of == 0 || by == nil || !pairwise[by.Name] || addsUp[plain(op)] != addsUp[plain(by)] {
		return false
	}
	_, before, rowBefore, _ := m.vector(by)
	if before != of || row == rowBefore {
		return false
	}
	here, there := m.check.In(op.Stack, op.At, ""), m.check.In(by.Stack, by.At, "")
	if here.File != there.File || here.Line != there.Line {
		return false
	}
	m.add(op, mismatch{large: matrix, small: vector, twice: true})
	return true
}

// addsUp are the operations that add or subtract, of those that combine elements.
var addsUp = words("add sub rsub")

// vector returns the operand of an operation on a square matrix that has one element for each column, what that is
// or is a view of, whether it has a dimension for the rows, and the other operand; zeros if there is none.
func (m *mismatches) vector(op *inspect.Op) (id, of graph.TensorID, row bool, matrix graph.TensorID) {
	if len(op.Outputs) == 0 || len(op.Inputs) < 2 || !square(m.check.Tensor(op.Outputs[0]).Shape) {
		return 0, 0, false, 0
	}
	n := m.check.Tensor(op.Outputs[0]).Shape[0]
	operands := op.Inputs[len(op.Inputs)-2:]
	for i, t := range operands {
		switch shape := m.check.Tensor(t).Shape; {
		case !square(m.check.Tensor(operands[1-i]).Shape):
		case slices.Equal(shape, []int{n}):
			return t, t, false, operands[1-i]
		case slices.Equal(shape, []int{1, n}):
			return t, m.unsqueezed(t), true, operands[1-i]
		}
	}
	return 0, 0, false, 0
}

// unsqueezed returns the tensor that a tensor is a view of, with a dimension more.
func (m *mismatches) unsqueezed(id graph.TensorID) graph.TensorID {
	op := m.check.Maker(id)
	if op == nil || len(op.Inputs) != 1 || op.Name != "getitem" && !regrouping[op.Name] {
		return 0
	}
	return op.Inputs[0]
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
	case len(b.Shape) == 1 && m.coordinates(x.small) && !m.computed(x.large):
	case numel(out.Shape) > numel(a.Shape) && slices.Equal(significant(a.Shape), significant(b.Shape)):
		m.add(op, x)
	case (op.Name == "div" || op.Name == "sub") && square(a.Shape) && len(b.Shape) == 1 && m.reducesRows(x.small, x.large):
		x.rows = true
		m.add(op, x)
	}
}

// coordinates reports whether a tensor was counted off, or computed from such a tensor alone: the points of
// time or space at which data is made.
func (m *mismatches) coordinates(id graph.TensorID) bool {
	for range 8 {
		op := m.check.Maker(id)
		switch {
		case op == nil:
			return false
		case counts[op.Name]:
			return true
		case len(op.Inputs) == 0 || !alignedOps[op.Name] && !sameValues[op.Name]:
			return false
		}
		for _, in := range op.Inputs[1:] {
			if m.check.Tensor(in).Flags&graph.FlagNumber == 0 {
				return false
			}
		}
		id = op.Inputs[0]
	}
	return false
}

// counts are the operations whose results are evenly spaced.
var counts = words("arange linspace logspace range")

// computed reports whether weights went into a tensor.
func (m *mismatches) computed(id graph.TensorID) bool {
	for t := range m.check.Ancestry([]graph.TensorID{id}, nil) {
		if learned(m.check.History, t) || m.check.Graph().RequiresGrad(t) {
			return true
		}
	}
	return false
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
		if op == nil || len(op.Inputs) == 0 || m.shapesItself(op) {
			return false
		}
		next := graph.TensorID(0)
		for _, in := range op.Inputs {
			if t := m.check.Tensor(in); t.Known() && slices.Equal(t.Shape, m.check.Tensor(id).Shape) {
				next = in
			}
		}
		if reshapers[op.Name] || (next == 0 || !alignedOps[op.Name]) && m.reshapes(op.Stack) {
			return m.check.Visits(op.Stack) >= m.check.Visits(x.stack)
		}
		if next == 0 {
			return false
		}
		id = next
	}
	return false
}

// shapesItself reports whether an operation gives its result a shape of its own: what the program
// reshapes at its line is an argument.
func (m *mismatches) shapesItself(op *inspect.Op) bool {
	if matrixProducts[op.Name] {
		return slices.ContainsFunc(op.Inputs, func(id graph.TensorID) bool { return learned(m.check.History, id) })
	}
	return op.Name == "linear" || op.Name == "gather" || convolutionOps[op.Name] || recurrentOps[op.Name] || cells[op.Name]
}

// flowsIntoLoss reports whether one of the next backward passes begins at something that the
// result went into. A program may take the gradients of several losses, one after the other.
func (m *mismatches) flowsIntoLoss(x mismatch) bool {
	const most = 4 // passes
	at, looked := m.check.Op(x.op).At, 0
	for _, pass := range m.check.Passes()[1:] {
		if pass.At < at {
			continue
		}
		if looked++; looked > most {
			break
		}
		var roots []graph.TensorID
		for _, r := range pass.Roots {
			roots = append(roots, r.Tensor)
		}
		if _, ok := m.check.Ancestry(roots, nil)[x.out]; ok {
			return true
		}
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
		Evidence: facts(
			check.In(op.Stack, op.At, fmt.Sprintf("%s gets operands of the shapes %s and %s", op.Name, inspect.ShapeText(large.Shape), inspect.ShapeText(small.Shape))),
			check.At(check.Tensor(x.out).Created, fmt.Sprintf("the result has the shape %s", inspect.ShapeText(check.Tensor(x.out).Shape))),
		),
	}
	switch {
	case x.loss:
		f.Evidence = append(f.Evidence, facts(check.In(op.Stack, op.At, "the loss function warns that the sizes differ"))...)
	case !x.itself && !x.twice:
		f.Evidence = append(f.Evidence, facts(fact("a backward pass begins from what the result went into"))...)
	}
	if x.rows {
		f.Message = fmt.Sprintf("one value per row, %s, is broadcast along the columns of %s", inspect.ShapeText(small.Shape), inspect.ShapeText(large.Shape))
		f.Primary.Label = "pairs each column with the value of a row"
		f.Related = f.Related[1:]
		f.Help = "reduce with keepdim=True"
	}
	if x.itself {
		f.Message = fmt.Sprintf("%s is compared with itself: shapes %s and %s pair each element with itself only",
			check.Called(x.small), inspect.ShapeText(large.Shape), inspect.ShapeText(small.Shape))
		f.Primary.Label = "compares each element with itself"
		f.Related = f.Related[1:]
		f.Help = "to compare all pairs, add a dimension to both: unsqueeze(0) to one and unsqueeze(1) to the other"
	}
	if x.twice {
		f.Message = fmt.Sprintf("%s is broadcast along the same dimension of %s twice", check.Called(x.small), inspect.ShapeText(large.Shape))
		f.Primary.Label = "pairs the columns with it again; the rows never are"
		f.Related = f.Related[1:]
		f.Help = "give one of the two a dimension for the columns: unsqueeze(1)"
	}
	check.Report(f)
}
