package inspect

import (
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
)

// This file answers questions. Begin reading with Tensor, Op and Pass, which look something up
// by its number, and Flows (lineage.go), which leads from a tensor to what it was made of.

// Tape returns the tape that the history reads.
func (h *History) Tape() *graph.Tape { return h.tape }

// Graph returns the graph at the history's position.
func (h *History) Graph() *graph.Graph { return h.cursor.Graph() }

// Tensor returns what is known of a tensor. For a tensor that the tape never created, and for one
// that was forgotten, the result is empty and not Known.
func (h *History) Tensor(id graph.TensorID) *Tensor {
	if t := h.tensor(id); t != nil {
		return t
	}
	none := unknownTensor()
	return &none
}

// tensor returns the entry of a tensor, to change it; nil if there is none.
func (h *History) tensor(id graph.TensorID) *Tensor {
	if id == 0 {
		return nil
	}
	return h.tensors.find(int(id))
}

// TensorCount returns the number of tensors; their numbers are 1 to that.
func (h *History) TensorCount() int { return h.tensors.Len() - 1 }

// Tensors returns the tensors that were not forgotten, by number.
func (h *History) Tensors() *Log[Tensor] { return &h.tensors }

// NodeMade returns the event that created a node, -1 for an unknown one.
func (h *History) NodeMade(id graph.NodeID) graph.Pos {
	if id == 0 || int(id) >= len(h.made) {
		return -1
	}
	return graph.Pos(h.made[id])
}

// Ops returns the operations, in order.
func (h *History) Ops() *Log[Op] { return &h.ops }

// Op returns an operation by its number. The result is empty, at position -1, for the number -1,
// which stands for no operation, and for an operation that was forgotten.
func (h *History) Op(i int) *Op { return h.ops.At(i) }

// Writes returns the changes in place, in order.
func (h *History) Writes() *Log[Write] { return &h.writes }

// Passes returns the backward passes by their number; element 0 is none.
func (h *History) Passes() []Pass { return h.passes }

// Pass returns a backward pass by its number. The result is empty, at position -1, for a number
// that no pass has.
func (h *History) Pass(id graph.BackwardID) *Pass {
	if p := h.pass(id); p != nil {
		return p
	}
	return &Pass{At: -1, End: -1}
}

// Gradients returns the gradients that a pass accumulated. If they were forgotten, they are read
// from the tape again.
func (h *History) Gradients(id graph.BackwardID) (leaves []Contribution) {
	p := h.Pass(id)
	if p.End < 0 || h.memory.full(p.At) {
		return p.Leaves
	}
	for at := p.At; at < p.End; at++ {
		if k, err := h.dec.Kind(at); err != nil || k != graph.KindGradAccumulated {
			continue
		}
		if _, e, err := h.dec.ReadUntimed(at); err == nil {
			if e := e.(*graph.GradAccumulated); e.Backward == id {
				leaves = append(leaves, contribution(at, e))
			}
		}
	}
	return leaves
}

// Steps returns the steps of optimizers.
func (h *History) Steps() []Step { return h.steps }

// Updates returns the changes to leaves that require grad.
func (h *History) Updates() *Log[Update] { return &h.updates }

// Zeroings returns the events that cleared gradients.
func (h *History) Zeroings() *Log[Zeroing] { return &h.zeroings }

// Calls returns the calls of functions that are not operations.
func (h *History) Calls() []Call { return h.calls }

// Exits returns the values that became plain numbers.
func (h *History) Exits() *Log[Exit] { return &h.exits }

// Flaggings returns the switches of requires_grad flags.
func (h *History) Flaggings() []Flagging { return h.flags }

// Shared returns what several rules need, by a name that they agree on. The first rule that asks
// computes it.
func (h *History) Shared(name string, compute func() any) any {
	if v, ok := h.shared[name]; ok {
		return v
	}
	v := compute()
	h.shared[name] = v
	return v
}

// Hooks returns the hooks that were registered.
func (h *History) Hooks() []Hook { return h.hooks }

// Optimizers returns the groups of parameters that optimizers got.
func (h *History) Optimizers() []Params { return h.optimizers }

// Modules returns the parameters that outermost modules had registered.
func (h *History) Modules() []Params { return h.modules }

// MissingGrads returns the reads of .grad that gave None.
func (h *History) MissingGrads() []MissingGrad { return h.missingGrads }

// Raised returns the errors that reached the program.
func (h *History) Raised() []Raise { return h.raised }

// Failed returns the event of the exception that ended the program; ok is false if none
// did.
func (h *History) Failed() (p graph.Pos, ok bool) { return h.failed, h.failed >= 0 }

// Explains reports whether a finding says why the program failed: it is about an error, or about the line
// that failed.
func (h *History) Explains(f *Finding) bool {
	if f.Severity == SeverityError || f.Symptom >= 0 {
		return true
	}
	p, failed := h.Failed()
	if !failed {
		return false
	}
	at := h.tape.Stack(h.StackAt(p)).Top()
	return slices.ContainsFunc(append([]Span{f.Primary}, f.Related...), func(s Span) bool {
		return s.File == at.File && s.Line == at.Line
	})
}

// AssignedGrads returns the tensors whose .grad the program assigned itself, and where it did so
// first.
func (h *History) AssignedGrads() map[graph.TensorID]graph.Pos { return h.assignedGrads }

// GradOf returns the tensor whose .grad a tensor is, or was, or shows the memory of.
func (h *History) GradOf(grad graph.TensorID) (graph.TensorID, bool) {
	if t := h.tensor(grad); t != nil {
		leaf, ok := h.gradOf[t.Storage]
		return leaf, ok
	}
	return 0, false
}

// holdsGrad notes that a tensor is the .grad of a leaf.
func (h *History) holdsGrad(leaf, grad graph.TensorID) {
	if t := h.tensor(grad); t != nil {
		h.gradOf[t.Storage] = leaf
	}
}

// gradModeOff returns where grad mode was switched off in a thread for what runs there
// now; -1: it is on.
func (h *History) gradModeOff(thread graph.ThreadID) graph.Pos {
	if p, off := h.modes[thread]; off {
		return p
	}
	return -1
}

// Visits returns how often the program came to a call stack.
func (h *History) Visits(s graph.StackID) int { return len(h.visits(s)) }

// CallStacks returns the call stacks that the program came to, in no particular order.
func (h *History) CallStacks() iter.Seq[graph.StackID] { return maps.Keys(h.callSites) }

// FirstVisit returns when the program first came to a call stack; -1: never.
func (h *History) FirstVisit(s graph.StackID) graph.Pos {
	if v := h.visits(s); len(v) > 0 {
		return graph.Pos(v[0])
	}
	return -1
}

func (h *History) visits(s graph.StackID) []uint32 {
	if p := h.callSites[s]; p != nil {
		return p.visits
	}
	return nil
}

// Gains returns what backward passes gave to the known leaves.
func (h *History) Gains() map[graph.TensorID]Gain { return h.gains }

// StackAt returns the call stack of an event.
func (h *History) StackAt(p graph.Pos) graph.StackID {
	head, _ := h.dec.Header(p)
	return head.Stack
}

// visitBefore returns the newest visit of a stack before p, leaving out the visit that p
// itself belongs to; -1: there is none.
func (h *History) visitBefore(s graph.StackID, p graph.Pos) graph.Pos {
	v := h.visits(s)
	i := firstAfter(v, p)
	if i < 2 {
		return -1
	}
	return graph.Pos(v[i-2])
}

// visited reports whether the program came to a stack after one event and before
// another.
func (h *History) visited(s graph.StackID, after, before graph.Pos) bool {
	return between(h.visits(s), after, before)
}

// firstAfter returns the index of the first of some positions after p.
func firstAfter(positions []uint32, p graph.Pos) int {
	return sort.Search(len(positions), func(i int) bool { return graph.Pos(positions[i]) > p })
}

// between reports whether one of some positions is after one event and before another.
func between(positions []uint32, after, before graph.Pos) bool {
	i := firstAfter(positions, after)
	return i < len(positions) && graph.Pos(positions[i]) < before
}

// UpdatedBetween reports whether the program changed a parameter after one event
// and before another.
func (h *History) UpdatedBetween(after, before graph.Pos) bool {
	return between(h.updated, after, before)
}

// ParameterBetween reports whether a parameter was made after one event and before
// another.
func (h *History) ParameterBetween(after, before graph.Pos) bool {
	return between(h.params, after, before)
}

// SameIteration reports whether two events belong to one iteration of the loop that
// the later one is in. A tape knows no loops: a new iteration has begun when the
// program comes to the later event's call stack again and parameters were updated
// since, or, in a program that updates none, when it has come again to where the
// earlier event was.
func (h *History) SameIteration(earlier, later graph.Pos) bool {
	again := h.visitBefore(h.StackAt(later), later)
	if again < 0 || earlier > again {
		return true
	}
	if len(h.updated) > 0 {
		return !h.UpdatedBetween(again, later)
	}
	return !h.visited(h.StackAt(earlier), again, later)
}

// OpAt finds the operation of an event: the one that was recorded at p or is the
// next one after it.
func (h *History) OpAt(p graph.Pos) *Op {
	for _, op := range h.ops.From(p) {
		return op
	}
	return nil
}

// Maker returns the operation that made a tensor; nil if none did, or if it was forgotten.
func (h *History) Maker(id graph.TensorID) *Op {
	t := h.Tensor(id)
	if t.Op < 0 {
		return nil
	}
	return h.ops.find(t.Op)
}

// NodeOp returns the operation that made a node; nil if none did. One operation of PyTorch may make
// several nodes: for its results, and others behind them.
func (h *History) NodeOp(id graph.NodeID) *Op {
	p := h.NodeMade(id)
	if p < 0 {
		return nil
	}
	if op := h.OpAt(p); op != nil && (op.Node == id || h.madeWithin(op, id)) {
		return op
	}
	return nil
}

// madeWithin reports whether a path of nodes that an operation has made leads from its results to
// a node.
func (h *History) madeWithin(op *Op, id graph.NodeID) bool {
	const most = 1000 // nodes
	first := h.NodeMade(id)
	var queue []graph.NodeID
	seen := map[graph.NodeID]bool{}
	push := func(n graph.NodeID) {
		if made := h.NodeMade(n); made >= first && made < op.At && !seen[n] {
			seen[n] = true
			queue = append(queue, n)
		}
	}
	for _, out := range op.Outputs {
		push(h.Tensor(out).Node)
	}
	for ; len(queue) > 0 && len(seen) < most; queue = queue[1:] {
		if n, ok := h.Graph().Node(queue[0]); ok {
			for _, e := range n.Edges {
				push(e.Node)
			}
		}
	}
	return seen[id]
}

// Uses returns the numbers of the operations that read a tensor and were not forgotten.
func (h *History) Uses(id graph.TensorID) []int {
	return h.uses[id]
}

// Sharing returns the tensors in one storage, in order of creation.
func (h *History) Sharing(s graph.StorageID) []graph.TensorID { return h.storages[s] }

// Name returns what the program calls a tensor: the newest name that it got, or "".
func (h *History) Name(id graph.TensorID) string {
	t := h.Tensor(id)
	if len(t.Names) == 0 {
		return ""
	}
	return t.Names[len(t.Names)-1].Name
}

// Called returns a name for messages: `x`, "a view of `x`", "a tensor of shape [2, 3]".
func (h *History) Called(id graph.TensorID) string {
	t := h.Tensor(id)
	switch {
	case !t.Known():
		return "a tensor"
	case h.Name(id) != "":
		return "`" + h.Name(id) + "`"
	case h.Name(t.Base) != "":
		return "a view of `" + h.Name(t.Base) + "`"
	}
	return "a tensor of shape " + ShapeText(t.Shape)
}

// At returns the place of an event.
func (h *History) At(p graph.Pos, label string) Span {
	return h.In(h.StackAt(p), p, label)
}

// In returns the innermost line of the program in a call stack.
func (h *History) In(s graph.StackID, p graph.Pos, label string) Span {
	return PlaceOf(h.tape, s, p, label)
}

// PlaceOf returns the innermost line of the program in a call stack of a tape.
func PlaceOf(tape *graph.Tape, s graph.StackID, p graph.Pos, label string) Span {
	stack := tape.Stack(s)
	for _, f := range stack {
		if !IsLibrary(f.File) {
			return Span{Frame: f, Label: label, At: p}
		}
	}
	return Span{Frame: stack.Top(), Label: label, At: p}
}

// InLibrary reports whether the innermost line of a call stack came with Python or was installed.
func (h *History) InLibrary(s graph.StackID) bool {
	return IsLibrary(h.tape.Stack(s).Top().File)
}

// IsLibrary reports whether a file came with Python or was installed.
func IsLibrary(file string) bool { return libraryFile.MatchString(file) }

// libraryFile matches files that came with Python or were installed.
var libraryFile = regexp.MustCompile(`[/\\](?:site-packages|dist-packages|lib[/\\]python3[^/\\]*)[/\\]`)

// Callers returns the lines of the program that called what ran at an event, innermost first,
// without the line itself. The label of each says which line it leads to.
func (h *History) Callers(p graph.Pos) (spans []Span) {
	stack := h.tape.Stack(h.StackAt(p))
	inner := h.At(p, "").Frame
	for _, f := range stack[min(1, len(stack)):] {
		if IsLibrary(f.File) || f == inner {
			continue
		}
		led := fmt.Sprintf("line %d", inner.Line)
		if f.File != inner.File {
			led = fmt.Sprintf("%s:%d", path.Base(inner.File), inner.Line)
		}
		spans = append(spans, Span{Frame: f, Label: "leads to " + led, At: p})
		inner = f
	}
	return spans
}

// leafOf returns the leaf that requires grad whose memory a tensor shows: itself,
// what it is a view of, or what it was detached from.
func (h *History) leafOf(id graph.TensorID) (graph.TensorID, bool) {
	t := h.tensor(id)
	if t == nil {
		return 0, false
	}
	for _, other := range h.storages[t.Storage] {
		if h.Tensor(other).Base != 0 {
			continue // a loop makes many views
		}
		if o, ok := h.Graph().Tensor(other); ok && o.Leaf() && o.RequiresGrad && o.Storage == t.Storage {
			return other, true
		}
	}
	return 0, false
}
