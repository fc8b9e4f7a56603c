package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var misalignedReshape = inspect.Rule{
	Code:     "misaligned-reshape",
	Severity: inspect.SeverityWarning,
	Title:    "A reshape is used where dimensions have to be exchanged: samples or axes are mixed.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &misaligned{
			noted: noted{check: check}, torn: marks{}, known: map[graph.StackID]int{},
			transposed: map[graph.TensorID]transposition{}, from: map[graph.TensorID]graph.TensorID{},
			sequences: map[graph.TensorID]bool{}, joined: marks{}, joins: map[graph.StackID]int{},
		}
	},
}

// misaligned looks for reshapes that give dimensions the sizes that an exchange would give them.
// Such a reshape tears dimensions: one position of the result holds parts of several positions of two
// dimensions of the operand. Sizes may agree by chance, so it also has to matter: what comes later
// takes one torn dimension apart from the other.
type misaligned struct {
	noted
	torn       marks
	tears      []tear
	known      map[graph.StackID]int // number of a tear, by its call stack
	transposed map[graph.TensorID]transposition
	from       map[graph.TensorID]graph.TensorID // what was transposed, by the result
	latest     transposition                     // the last one of all
	storage    graph.StorageID                   // of what it was made of
	sequences  map[graph.TensorID]bool           // results of recurrent layers
	joined     marks                             // first dimensions that were made of several
	joints     []junction
	joins      map[graph.StackID]int // number of a junction, by its call stack
	modules    []bool                // the modules that run: whether each is one of sequences
}

// A tear is a reshape that tears dimensions.
type tear struct {
	visit
	of       graph.TensorID
	from, to []int
	name     string
	sizes    []int // the first dimension was made of dimensions of these sizes; nil: it need not be
	reported bool
}

// A junction is a reshape that makes the first dimension of several, as samples and frames for a layer that
// knows neither.
type junction struct {
	visit
	sizes []int // of these dimensions
}

// A transposition is an exchange of dimensions whose result no operation has read.
type transposition struct {
	visit
	result graph.TensorID
	shape  []int
	gone   bool // the program has released the result
}

// What is known of a torn dimension. Without any of it, the sizes of the first two of three
// dimensions are exchanged, which may be by chance; the modules of sequences know which one is the time.
const (
	firm  uint8 = 1 << iota // no regrouping of whole parts explains the sizes
	heads                   // the sizes are right for heads that are joined before their dimension is moved
)

// sequenceModules are the modules that know which dimension is the time.
var sequenceModules = words("RNN LSTM GRU MultiheadAttention")

// exchanging are the operations that exchange dimensions.
var exchanging = words("transpose swapaxes swapdims permute t T mT numpy_T movedim moveaxis")

// arbitrary are the operations that make tensors whose values have no order yet.
var arbitrary = words(`rand randn randint randperm rand_like randn_like randint_like zeros ones empty full zeros_like ones_like
	empty_like full_like new_zeros new_ones new_empty new_full arange linspace eye normal uniform normal_ uniform_ random_ bernoulli`)

// Event follows torn dimensions.
func (w *misaligned) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.ModuleEntered:
		w.modules = append(w.modules, sequenceModules[w.check.Tape().String(e.Type)])
	case *graph.ModuleLeft:
		if n := len(w.modules); n > 0 {
			w.modules = w.modules[:n-1]
		}
	case *graph.TensorReleased:
		w.released(e.Tensor)
	case *graph.OpRan:
		if c, ok := newCall(w.check, e); ok && w.check.Running() == 0 {
			w.ran(visit{p, head.Stack}, c)
		}
	}
}

func (w *misaligned) released(id graph.TensorID) {
	delete(w.torn, id)
	delete(w.joined, id)
	delete(w.sequences, id)
	if x, ok := w.transposed[id]; ok {
		delete(w.from, x.result)
		delete(w.transposed, id)
	}
	if id == w.latest.result {
		w.latest.gone = true
	}
	if of, ok := w.from[id]; ok {
		x := w.transposed[of]
		x.gone = true
		w.transposed[of] = x
	}
}

func (w *misaligned) ran(v visit, c call) {
	recurs := w.recurs()
	for _, in := range c.e.Inputs {
		if in != 0 && in == w.latest.result {
			w.latest = transposition{}
		}
		if of, ok := w.from[in]; ok {
			delete(w.from, in)
			delete(w.transposed, of)
		}
	}
	w.torn.follow(c, func(operand int, x mark, to arrival) (mark, bool) {
		if w.matters(c, operand, x, to) {
			w.report(v, &w.tears[x.from])
			return x, false
		}
		return x, to.outcome == kept && (x.state != 0 || alignedOps[c.name]) || to.outcome == batched && x.state != 0
	})
	w.join(v, c)
	switch {
	case recurrentOps[c.name]:
		for _, t := range c.e.Outputs {
			w.sequences[t] = true
		}
	case recurs && (c.name == "stack" || c.name == "cat" || c.name == "transpose" && w.sequences[c.e.Inputs[0]]):
		w.sequences[c.e.Outputs[0]] = true
	case exchanging[c.name] && len(c.e.Inputs) == 1:
		of := c.e.Inputs[0]
		delete(w.from, w.transposed[of].result)
		w.transposed[of] = transposition{visit: v, result: c.e.Outputs[0], shape: c.out}
		w.from[c.e.Outputs[0]] = of
		w.latest, w.storage = w.transposed[of], w.check.Tensor(of).Storage
	case regrouping[c.name] && !recurs:
		w.reshaped(v, c)
	}
}

// recurs reports whether a module of sequences runs.
func (w *misaligned) recurs() bool { return len(w.modules) > 0 && w.modules[len(w.modules)-1] }

// reshaped looks at a reshape.
func (w *misaligned) reshaped(v visit, c call) {
	of := c.e.Inputs[0]
	if by := w.check.Maker(of); by != nil && by.Stack == v.stack && (by.Name == "clone" || by.Name == "contiguous") {
		of = by.Inputs[0] // a reshape that copies
	}
	from := w.check.Tensor(of).Shape
	if numel(from) != numel(c.out) || len(significant(c.out)) < 2 {
		return
	}
	t := tear{visit: v, of: of, from: from, to: c.out, name: w.check.Called(of)}
	x, ok := w.transposed[of]
	if !ok && w.latest.result != 0 && w.storage == w.check.Tensor(of).Storage {
		x, ok = w.latest, true // of another view of the same elements
	}
	shaped := ok && x.gone && slices.Equal(x.shape, c.out) && w.sameLine(x.stack, v.stack)
	dims, state, ok := tearing(from, c.out)
	leading := len(from) == 3 && len(c.out) == 3 && slices.Equal(dims, []int{0, 1})
	if !shaped && w.sequences[w.plain(of)] && batchFirst(from, c.out) {
		w.report(v, w.tear(t))
		return
	}
	if !shaped && (!ok || state == 0 && !leading || learned(w.check.History, of) || !w.ordered(of, c.out)) {
		return
	}
	known := w.tear(t)
	if shaped {
		w.report(x.visit, known)
		return
	}
	if leading && w.sequences[w.plain(of)] {
		w.report(v, known)
		return
	}
	for _, d := range dims {
		w.torn.add(c.e.Outputs[0], mark{dim: d, from: w.known[v.stack], state: state})
	}
}

// tear returns what is known of the reshape at a call stack.
func (w *misaligned) tear(t tear) *tear {
	i, known := w.known[t.stack]
	if !known {
		i = len(w.tears)
		w.known[t.stack] = i
		w.tears = append(w.tears, t)
	}
	return &w.tears[i]
}

// batchFirst reports whether a reshape takes the second of three dimensions for the first, and joins the others.
func batchFirst(from, to []int) bool {
	return len(from) == 3 && len(to) == 2 && from[0] > 1 && from[1] > 1 && from[0] != from[1] && to[0] == from[1]
}

// layered says of a joined dimension that it has come through a layer.
const layered uint8 = 1

// join follows first dimensions that were made of several, and looks at reshapes that take them apart in
// another order.
func (w *misaligned) join(v visit, c call) {
	w.joined.follow(c, func(operand int, x mark, to arrival) (mark, bool) {
		j := w.joints[x.from]
		in := c.in(operand)
		if regrouping[c.name] && operand == 0 && len(to.dims) > 1 {
			if parts := leadingParts(c.out, in[0]); x.state == layered && reordered(j.sizes, parts) {
				t := w.tear(tear{visit: v, of: c.e.Inputs[0], from: in, to: c.out, name: w.check.Called(c.e.Inputs[0])})
				t.sizes = j.sizes
				w.report(j.visit, t)
			}
			return x, false
		}
		if w.weighs(c) {
			x.state = layered
		}
		aligned := to.outcome == kept && slices.Equal(to.dims, []int{0}) && c.out[0] == in[0]
		return x, aligned && !picks[c.name] && numel(j.sizes) == in[0]
	})
	if !regrouping[c.name] || len(c.e.Inputs) == 0 || c.e.Inputs[0] == 0 || len(c.out) < 2 {
		return
	}
	sizes := leadingParts(c.in(0), c.out[0])
	if len(sizes) < 2 || slices.Contains(sizes, 1) || len(sizes) == len(c.in(0)) {
		return
	}
	i, known := w.joins[v.stack]
	if !known {
		i = len(w.joints)
		w.joins[v.stack] = i
		w.joints = append(w.joints, junction{})
	}
	w.joints[i] = junction{v, sizes}
	w.joined.add(c.e.Outputs[0], mark{from: i})
}

// picks are the operations that may put positions of the first dimension into another order.
var picks = words("index index_select getitem gather take_along_dim sort flip roll repeat_interleave expand")

// leadingParts returns the first dimensions of a shape that have so many positions together; nil: there are none.
func leadingParts(shape []int, n int) []int {
	product := 1
	for i, size := range shape {
		if product *= size; product == n {
			return shape[:i+1]
		} else if product > n {
			break
		}
	}
	return nil
}

// reordered reports whether sizes are others in another order.
func reordered(a, b []int) bool {
	return !slices.Equal(a, b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (w *misaligned) sameLine(a, b graph.StackID) bool {
	x, y := w.check.In(a, -1, ""), w.check.In(b, -1, "")
	return x.File == y.File && x.Line == y.Line
}

// plain returns the tensor that a tensor was made of by dropout and the like.
func (w *misaligned) plain(id graph.TensorID) graph.TensorID {
	const most = 3
	for range most {
		op := w.check.Maker(id)
		if w.sequences[id] || op == nil || len(op.Inputs) == 0 || !alignedOps[op.Name] {
			break
		}
		id = op.Inputs[0]
	}
	return id
}

// ordered reports whether the elements of a tensor have a meaning by their place, in a shape that
// the new one does not merely restore.
func (w *misaligned) ordered(id graph.TensorID, to []int) bool {
	const most = 4 // reshapes before this one
	for range most {
		op := w.check.Maker(id)
		switch {
		case op == nil || len(op.Inputs) == 0:
			return op == nil || !arbitrary[op.Name]
		case arbitrary[op.Name]:
			return false
		case !regrouping[op.Name] && op.Name != "clone" && op.Name != "contiguous":
			return true
		}
		id = op.Inputs[0]
		if from := w.check.Tensor(id).Shape; numel(from) == numel(to) {
			if _, _, torn := tearing(from, to); !torn {
				return false
			}
		}
	}
	return true
}

// matters reports whether an operation takes a torn dimension for what it is not.
func (w *misaligned) matters(c call, operand int, x mark, to arrival) bool {
	switch {
	case operand == 0 && (recurrentOps[c.name] || w.recurs()):
		return true
	case x.state&heads != 0:
		return to.outcome == contracted && w.weighs(c)
	case x.state&firm == 0:
		return false
	}
	switch to.outcome {
	case contracted, normalized, reduced, picked:
		return true
	case kept, totalled:
		return len(c.e.Inputs) > 1 && w.meetsOther(c, operand)
	}
	return false
}

// weighs reports whether an operation has weights.
func (w *misaligned) weighs(c call) bool {
	return slices.ContainsFunc(c.e.Inputs, func(id graph.TensorID) bool { return id != 0 && learned(w.check.History, id) })
}

// meetsOther reports whether an operand is combined with a tensor of the same shape that was not
// torn: one that a gradient flows to, or the target of a loss.
func (w *misaligned) meetsOther(c call, operand int) bool {
	if operand > 1 || !losses[c.name] && !pairwise[c.name] {
		return false
	}
	other := c.e.Inputs[1-operand]
	if other == 0 || len(w.torn[other]) > 0 || !slices.Equal(c.in(0), c.in(1)) {
		return false
	}
	return losses[c.name] || w.check.Tensor(other).Node != 0 && !arbitrary[w.makerName(other)]
}

func (w *misaligned) makerName(id graph.TensorID) string {
	if op := w.check.Maker(id); op != nil {
		return op.Name
	}
	return ""
}

func (w *misaligned) report(at visit, t *tear) {
	if t.reported {
		return
	}
	t.reported = true
	what := "mixes their elements"
	if slices.Equal(t.from, t.to) {
		what = "changes nothing"
	}
	message := fmt.Sprintf("%s is reshaped from %s to %s, which does not exchange dimensions: it %s",
		t.name, inspect.ShapeText(t.from), inspect.ShapeText(t.to), what)
	related, seen := "takes the dimensions for what they were before", "this operation takes that dimension apart from the others"
	if t.sizes != nil {
		message = fmt.Sprintf("%s is reshaped from %s to %s, but its first dimension was made of %s: it %s",
			t.name, inspect.ShapeText(t.from), inspect.ShapeText(t.to), inspect.ShapeText(t.sizes), what)
		related, seen = "makes one dimension of "+inspect.ShapeText(t.sizes), "the dimension is made here, in that order"
	}
	w.found = append(w.found, inspect.Finding{
		Message: message,
		Primary: w.check.In(t.stack, t.at, "keeps the elements in their order and cuts them into other rows"),
		Related: []inspect.Span{
			w.check.In(at.stack, at.at, related),
			w.check.At(w.check.Tensor(t.of).Created, "has shape "+inspect.ShapeText(t.from)),
		},
		Tensors: names(w.check.History, t.of),
		Help:    "exchange dimensions with transpose() or permute(), and reshape afterwards",
		Evidence: facts(
			w.check.In(t.stack, t.at, fmt.Sprintf("a dimension of %s holds parts of several dimensions of %s", inspect.ShapeText(t.to), inspect.ShapeText(t.from))),
			w.check.In(at.stack, at.at, seen),
		),
		At:      t.at,
		Symptom: -1,
	})
}

// tearing finds dimensions of a result of a reshape that hold parts of several dimensions of the
// operand, with the sizes that an exchange of dimensions would give them.
func tearing(from, to []int) (dims []int, state uint8, ok bool) {
	i, o := len(from)-1, len(to)-1
	for i >= 0 && o >= 0 {
		ins, outs, p, q := []int{i}, []int{o}, from[i], to[o]
		for i, o = i-1, o-1; p != q; {
			if p < q && i >= 0 {
				p *= from[i]
				ins = append(ins, i)
				i--
			} else if p > q && o >= 0 {
				q *= to[o]
				outs = append(outs, o)
				o--
			} else {
				return nil, 0, false
			}
		}
		ins, outs = large(ins, from), large(outs, to)
		if len(ins) < 2 || len(outs) < 2 || !exchanged(sizes(ins, from), sizes(outs, to)) {
			continue
		}
		a, b := sizes(ins, from), sizes(outs, to)
		switch {
		case tears(a, b):
			return outs, firm, true
		case len(a) == 3 && len(b) == 2 && ins[0] > 0 && b[0] == a[1]:
			return outs, heads, true
		case len(a) == 2 && len(b) == 2:
			return outs, 0, true
		}
	}
	return nil, 0, false
}

// large returns the dimensions with more than one position, in order.
func large(dims []int, shape []int) []int {
	slices.Reverse(dims)
	return slices.DeleteFunc(dims, func(d int) bool { return shape[d] == 1 })
}

func sizes(dims []int, shape []int) (n []int) {
	for _, d := range dims {
		n = append(n, shape[d])
	}
	return n
}

// exchanged reports whether sizes become others if they are put into another order and neighbours
// are merged, or the other way round.
func exchanged(a, b []int) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	const most = 6
	if len(a) > most {
		return false
	}
	var fill func(k int, used uint) bool
	fill = func(k int, used uint) bool {
		all := uint(1)<<len(a) - 1
		if k == len(b) {
			return used == all
		}
		free := all &^ used
		for set := free; set != 0; set = (set - 1) & free {
			n := 1
			for i, size := range a {
				if set>>i&1 == 1 {
					n *= size
				}
			}
			if n == b[k] && fill(k+1, used|set) {
				return true
			}
		}
		return false
	}
	return fill(0, 0)
}

// tears reports whether no splitting and merging of whole parts makes one shape of another: the
// parts do not fit, or a dimension gets parts of two dimensions of which neither is whole.
func tears(from, to []int) bool {
	var borders []int
	for _, shape := range [][]int{from, to} {
		for d := range shape {
			low, _ := span(shape, d)
			borders = append(borders, low)
		}
	}
	slices.Sort(borders)
	for i := 1; i < len(borders); i++ {
		if borders[i]%borders[i-1] != 0 {
			return true
		}
	}
	for o := range to {
		low, high := span(to, o)
		parts := 0
		for d := range from {
			if l, h := span(from, d); max(l, low) < min(h, high) && (l < low || h > high) {
				parts++
			}
		}
		if parts > 1 {
			return true
		}
	}
	return false
}
