package autograd

import (
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/graph"
)

// A Recorder writes what the engine does to a tape. Without one the engine pays
// a nil check.
type Recorder struct {
	tape  *graph.Tape
	batch graph.Batch
	gen   uint32
	began time.Time

	depth  int // of nested entries into the engine
	muted  int // inside a backward pass that is not itself recorded
	header graph.Header
	given  bool // the stack is supplied from outside

	tensors  graph.TensorID
	nodes    graph.NodeID
	storages graph.StorageID
	counters graph.CounterID
	passes   graph.BackwardID

	stacks  map[[stackDepth]uintptr]graph.StackID
	names   map[*Op]*opNames
	held    []func() // rebases wait here until the node that they lead to is complete
	waiting bool

	// Scratch: events are encoded at once and their memory is used again.
	floats  []float64
	created graph.TensorCreated
	made    graph.NodeCreated
	ran     graph.OpRan
	readyEv graph.NodeReady
	done    graph.NodeExecuted
	freedEv graph.SavedFreed
	mutated graph.Mutated
	arrive  graph.GradArrived
	added   graph.GradAccumulated
}

// opNames are the interned names of an op.
type opNames struct {
	op, inPlace, node graph.StringID
	slots             []graph.StringID
	attrs             []graph.StringID
	params            []graph.StringID
}

// firstElements is how many leading elements a summary keeps.
const firstElements = 8

var (
	recorder   *Recorder
	generation uint32
)

// Record makes the engine write to a tape from now on. It returns a function
// that stops the recording and brings back the recorder before, if there was
// one.
func Record(tape *graph.Tape) (r *Recorder, stop func()) {
	generation++
	r = &Recorder{
		tape: tape, gen: generation, began: time.Now(),
		stacks: map[[stackDepth]uintptr]graph.StackID{},
		names:  map[*Op]*opNames{},
	}
	before := recorder
	recorder = r
	return r, func() {
		if recorder == r {
			recorder = before
		}
	}
}

func recording() bool { return recorder != nil }

// SetStack supplies the call stack of the program for the events that follow,
// instead of the stack of Go.
func (r *Recorder) SetStack(id graph.StackID) {
	r.given = true
	r.header.Stack = id
}

// enter begins a call of the engine by the program: it notes the time and the
// place. Calls that the engine makes of itself nest.
func (r *Recorder) enter() {
	if r.depth == 0 {
		r.header.Time = time.Since(r.began)
		r.header.Thread = current.id
		if !r.given {
			r.header.Stack = r.callers()
		}
	}
	r.depth++
}

func (r *Recorder) leave() { r.depth-- }

// outside suspends the engine's own state while the program's code runs.
func (r *Recorder) outside() (back func()) {
	depth, muted, header := r.depth, r.muted, r.header
	r.depth, r.muted = 0, 0
	return func() { r.depth, r.muted, r.header = depth, muted, header }
}

// single appends one event outside of an operator.
func (r *Recorder) single(e func() graph.Event) {
	r.enter()
	defer r.leave()
	r.begin()
	defer r.end()
	if ev := e(); ev != nil {
		r.batch.Append(r.header, ev)
	}
}

func (r *Recorder) begin() { r.batch = r.tape.Lock() }
func (r *Recorder) end()   { r.tape.Unlock() }

func (r *Recorder) append(e graph.Event) {
	r.batch.Append(r.header, e)
	r.floats = r.floats[:0]
}

// stackDepth is how many levels of the call stack are kept.
const stackDepth = 24

// callers interns the present call stack.
func (r *Recorder) callers() graph.StackID {
	var pcs [stackDepth]uintptr
	runtime.Callers(4, pcs[:])
	if id, ok := r.stacks[pcs]; ok {
		return id
	}
	id := r.tape.InternStack(resolve(pcs[:]))
	r.stacks[pcs] = id
	return id
}

// callStack is the present call stack of the program.
func callStack() graph.Stack {
	var pcs [stackDepth]uintptr
	runtime.Callers(3, pcs[:])
	return resolve(pcs[:])
}

// enginePrefix begins the names of the engine's own functions.
const enginePrefix = "github.com/gradtui/gradtui/autograd"

// resolve turns program counters into frames, leaving out the engine and the Go
// runtime.
func resolve(pcs []uintptr) graph.Stack {
	n := 0
	for n < len(pcs) && pcs[n] != 0 {
		n++
	}
	var stack graph.Stack
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		engine := strings.HasPrefix(f.Function, enginePrefix) && !strings.HasSuffix(f.File, "_test.go")
		if !engine && !strings.HasPrefix(f.Function, "runtime.") && f.Function != "" {
			stack = append(stack, graph.Frame{File: f.File, Line: f.Line, Func: shortName(f.Function)})
		}
		if !more {
			return stack
		}
	}
}

// shortName is a function's name without the path of its package.
func shortName(function string) string {
	return function[strings.LastIndexByte(function, '/')+1:]
}

// tensor returns the identifier of a tensor, announcing it first if the tape
// does not know it.
func (r *Recorder) tensor(t *Tensor) graph.TensorID {
	switch {
	case t == nil:
		return 0
	case t.gen == r.gen:
		return t.id
	}
	if t.flags&numberFlag != 0 {
		return r.announce(t, 0)
	}
	return r.announce(t, graph.FlagExisting)
}

// announce appends TensorCreated, after what the tensor refers to.
func (r *Recorder) announce(t *Tensor, extra graph.TensorFlags) graph.TensorID {
	node := r.node(t.gradFn)
	var base graph.TensorID
	var view graph.ViewKind
	if v := t.viewInfo(); v != nil {
		base, view = r.tensor(v.base), v.kind
	}
	if t.gen == r.gen {
		return t.id // announced on the way
	}
	if t.st.gen != r.gen {
		r.storages++
		t.st.id, t.st.gen = r.storages, r.gen
	}
	if t.version.gen != r.gen {
		r.counters++
		t.version.id, t.version.gen = r.counters, r.gen
	}
	r.tensors++
	t.id, t.gen = r.tensors, r.gen
	e := &r.created
	*e = graph.TensorCreated{
		Tensor: t.id, Storage: t.st.id, Bytes: uint64(t.st.len() * t.dtype.Size()),
		Counter: t.version.id, Version: t.version.v, DType: t.dtype, Shape: t.sizes,
		Offset: uint64(t.offset), Flags: extra, Node: node, Output: t.outputNr,
		Base: base, View: view, Value: r.value(t),
	}
	if t.flags&contiguousFlag == 0 {
		e.Strides = t.strides
	}
	for flag, out := range tensorFlagsOnTape {
		if t.flags&(1<<flag) != 0 {
			e.Flags |= out
		}
	}
	r.append(e)
	if t.ext != nil && t.ext.name != "" {
		r.append(&graph.NameBound{Name: r.batch.String(t.ext.name), Tensor: t.id})
	}
	return t.id
}

// tensorFlagsOnTape says what a tensor's own flags are called on a tape; the
// index is the bit.
var tensorFlagsOnTape = [...]graph.TensorFlags{graph.FlagRequiresGrad, graph.FlagParameter, graph.FlagInference, 0, graph.FlagNumber, 0}

// value summarises a tensor.
func (r *Recorder) value(t *Tensor) graph.Value {
	n := numel(t.sizes)
	v := graph.Value{DType: t.dtype, Count: uint64(n)}
	start := len(r.floats)
	first := min(n, firstElements)
	for i := range first {
		r.floats = append(r.floats, t.float(t.at(i)))
	}
	v.First = r.floats[start : start+first : start+first]
	if n <= firstElements {
		return v
	}
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	t.eachFloat(func(x float64) {
		switch {
		case x-x == 0:
			lo, hi = min(lo, x), max(hi, x)
			sum += x
		case x != x:
			v.NaN++
		default:
			v.Inf++
		}
	})
	if finite := v.Count - v.NaN - v.Inf; finite > 0 {
		v.Min, v.Max, v.Mean = lo, hi, sum/float64(finite)
	}
	return v
}

// node returns the identifier of a node, announcing it first, and all nodes that
// it leads to, if the tape does not know it.
func (r *Recorder) node(n *Node) graph.NodeID {
	switch {
	case n == nil:
		return 0
	case n.gen == r.gen:
		return n.id
	}
	// Nodes below that were made before recording began: deepest first,
	// without recursion, since chains can be long.
	stack := []*Node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if top.gen == r.gen {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		for _, e := range top.edges {
			if e.Node != nil && e.Node.gen != r.gen {
				stack = append(stack, e.Node)
				ready = false
			}
		}
		if ready {
			stack = stack[:len(stack)-1]
			r.announceNode(top, nil, nil)
		}
	}
	return n.id
}

// announceNode appends NodeCreated for a node whose edges lead to known nodes. a
// are the arguments of the op that made it just now, if they are still there,
// and outs its results.
func (r *Recorder) announceNode(n *Node, a *Args, outs []*Tensor) {
	// What the node refers to comes first: it may have to be announced too.
	leaf := r.tensor(n.Variable())
	for i := range n.saved {
		if t := n.saved[i].tensor; t != nil && indexOf(outs, t) < 0 {
			r.tensor(t)
		}
	}
	if n.gen == r.gen {
		return
	}
	e := &r.made
	*e = graph.NodeCreated{Sequence: n.seq, Outputs: uint32(len(n.outs)), Variable: leaf, Edges: e.Edges[:0], Saved: e.Saved[:0], Attrs: e.Attrs[:0]}
	for _, edge := range n.edges {
		to := graph.NodeID(0)
		if edge.Node != nil {
			to = edge.Node.id
		}
		e.Edges = append(e.Edges, graph.Edge{Node: to, Input: uint32(edge.Input)})
	}
	if n.apply != nil {
		e.Name = r.batch.String(n.ClassName())
		r.savedSlots(n, n.slotNames(), nil, outs)
	} else {
		names := r.opNames(n.op)
		e.Name = names.node
		if n.op.plainSlots != nil {
			r.savedSlots(n, nil, names.slots, outs)
		} else {
			r.savedSlots(n, n.slotNames(), nil, outs)
		}
		if a == nil {
			a = n.args
		}
		for i := range n.op.attrs {
			e.Attrs = append(e.Attrs, graph.Attr{Name: names.attrs[i], AttrValue: a.attr(&n.op.attrs[i])})
		}
	}
	if c, ok := n.apply.(*copySlices); ok && c.inner != nil {
		e.Inner = c.inner.id
	}
	r.nodes++
	n.id, n.gen = r.nodes, r.gen
	e.Node = n.id
	r.append(e)
}

func indexOf(list []*Tensor, t *Tensor) int {
	for i, x := range list {
		if x == t {
			return i
		}
	}
	return -1
}

// savedSlots fills in the saved tensors of r.made. A result that is not on the
// tape yet will get one of the next identifiers.
func (r *Recorder) savedSlots(n *Node, names []string, ids []graph.StringID, outs []*Tensor) {
	for i := range n.saved {
		s := &n.saved[i]
		slot := graph.Saved{Version: s.version}
		if ids != nil {
			slot.Name = ids[i]
		} else if i < len(names) {
			slot.Name = r.batch.String(names[i])
		}
		if t := s.tensor; t != nil {
			if t.gen == r.gen {
				slot.Tensor = t.id
			} else {
				slot.Tensor = r.tensors + 1 + graph.TensorID(r.unknownBefore(outs, t))
			}
			if s.kind == resultSlot {
				slot.Flags |= graph.SavedOutput
			}
			if s.leaf {
				slot.Flags |= graph.SavedLeaf
			}
			if s.copied {
				slot.Flags |= graph.SavedCopy
			}
		}
		r.made.Saved = append(r.made.Saved, slot)
	}
}

// unknownBefore counts the results in front of t that are not on the tape yet.
func (r *Recorder) unknownBefore(outs []*Tensor, t *Tensor) int {
	n := 0
	for _, o := range outs {
		if o == t {
			break
		}
		if o != nil && o.gen != r.gen {
			n++
		}
	}
	return n
}

func (r *Recorder) opNames(o *Op) *opNames {
	if n := r.names[o]; n != nil {
		return n
	}
	n := &opNames{op: r.batch.String(o.schema.Name), node: r.batch.String(o.Node)}
	n.inPlace = n.op
	if o.Mutate == nil {
		n.inPlace = r.batch.String(o.schema.Name + "_")
	}
	for _, s := range o.slots {
		n.slots = append(n.slots, r.batch.String(s.name))
	}
	for _, a := range o.attrs {
		n.attrs = append(n.attrs, r.batch.String(a.name))
	}
	for _, p := range o.schema.Params {
		n.params = append(n.params, r.batch.String(p.Name))
	}
	r.names[o] = n
	return n
}

// op records a call: its node, its results, the call itself. self is the tensor
// that an in-place call changed; from was its version before.
func (r *Recorder) op(a *Args, outs []*Tensor, n *Node, self *Tensor, from uint32) {
	if r.muted > 0 {
		r.waiting, r.held = false, r.held[:0]
		return
	}
	r.begin()
	defer r.end()
	o := a.op
	names := r.opNames(o)
	inputs := r.ran.Inputs[:0]
	a.each(func(t *Tensor) error {
		inputs = append(inputs, r.tensor(t))
		return nil
	})
	if self != nil {
		r.mutated = graph.Mutated{Tensor: self.id, From: from, To: self.version.v, Value: r.value(self)}
		r.append(&r.mutated)
	}
	var node graph.NodeID
	if n != nil {
		for _, e := range n.edges {
			r.node(e.Node)
		}
		r.announceNode(n, a, outs)
		node = n.id
	}
	r.flushRebases()
	outputs := r.ran.Outputs[:0]
	for _, t := range outs {
		if t == nil {
			continue
		}
		id := t.id
		if t.gen != r.gen {
			id = r.announce(t, 0)
		}
		outputs = append(outputs, id)
	}
	r.ran = graph.OpRan{Op: names.op, Inputs: inputs, Outputs: outputs, Mutated: r.ran.Mutated[:0], Node: node, Attrs: r.ran.Attrs[:0]}
	if self != nil {
		r.ran.Op = names.inPlace
		r.ran.Mutated = append(r.ran.Mutated, self.id)
	}
	for i := range o.schema.Params {
		p, v := &o.schema.Params[i], &a.values[i]
		if v.set && p.Type != schema.Tensor && !isDefault(p, v) {
			r.ran.Attrs = append(r.ran.Attrs, graph.Attr{Name: names.params[i], AttrValue: attrOf(p, v, false)})
		}
	}
	r.append(&r.ran)
	if o.Cut != 0 && len(outs) > 0 {
		r.append(&graph.LineageCut{Why: o.Cut, Inputs: inputs, Output: outs[0].id})
	}
}

func isDefault(p *schema.Param, v *value) bool {
	switch d := p.Default.(type) {
	case int64:
		return !p.List && int64(v.n) == d
	case float64:
		return v.n == math.Float64bits(d)
	case bool:
		return (v.n != 0) == d
	case string:
		return v.x == d
	}
	return false
}

// leafMade records a tensor that the program made without an operator.
func (r *Recorder) leafMade(t *Tensor) {
	if r.muted > 0 {
		return
	}
	r.begin()
	defer r.end()
	r.announce(t, 0)
}

// function records a call of a custom Function.
func (r *Recorder) function(c *FunctionCtx, n *Node, outs []*Tensor) {
	if r.muted > 0 {
		return
	}
	r.begin()
	defer r.end()
	r.ran.Inputs = r.ran.Inputs[:0]
	for _, t := range c.inputs {
		if t != nil {
			r.ran.Inputs = append(r.ran.Inputs, r.tensor(t))
		}
	}
	var node graph.NodeID
	if n != nil {
		for _, e := range n.edges {
			r.node(e.Node)
		}
		r.announceNode(n, nil, outs)
		node = n.id
	}
	r.flushRebases()
	r.ran = graph.OpRan{Op: r.batch.String(c.fn.Name), Inputs: r.ran.Inputs, Outputs: r.ran.Outputs[:0], Mutated: r.ran.Mutated[:0], Node: node}
	for _, t := range outs {
		if t != nil {
			r.ran.Outputs = append(r.ran.Outputs, r.tensor(t))
		}
	}
	for _, t := range c.dirty {
		r.ran.Mutated = append(r.ran.Mutated, r.tensor(t))
	}
	r.append(&r.ran)
}

// holdRebases keeps back the events about rewritten histories until the node
// that they lead to is complete and on the tape.
func (r *Recorder) holdRebases() { r.waiting = true }

func (r *Recorder) flushRebases() {
	r.waiting = false
	for _, f := range r.held {
		f()
	}
	r.held = r.held[:0]
}

func (r *Recorder) rebased(t *Tensor, old *Node, oldNr uint32, why graph.RebaseReason) {
	// Announcing the tensor must show it with its old history.
	id := t.id
	if t.gen != r.gen {
		fn, nr := t.gradFn, t.outputNr
		t.gradFn, t.outputNr = old, oldNr
		id = r.tensor(t)
		t.gradFn, t.outputNr = fn, nr
	}
	e := graph.Rebased{Tensor: id, OldNode: r.node(old), OldOutput: oldNr, Why: why}
	if t.gradFn != nil {
		e.Node, e.Output = r.node(t.gradFn), t.outputNr
	}
	r.append(&e)
}

func recordRebase(t *Tensor, old *Node, oldNr uint32, why graph.RebaseReason) {
	r := recorder
	switch {
	case r == nil || r.muted > 0:
	case r.waiting:
		r.held = append(r.held, func() { r.rebased(t, old, oldNr, why) })
	default:
		r.single(func() graph.Event { r.rebased(t, old, oldNr, why); return nil })
	}
}

func recordName(t *Tensor, name string) {
	if r := recorder; r != nil {
		r.single(func() graph.Event {
			if t.gen != r.gen {
				r.tensor(t) // which binds the name
				return nil
			}
			return &graph.NameBound{Name: r.batch.String(name), Tensor: t.id}
		})
	}
}

func recordRequiresGrad(t *Tensor, on bool) {
	r := recorder
	if t.gen != r.gen && t.flags&requiresGradFlag != 0 == on {
		r.single(func() graph.Event { r.tensor(t); return nil })
		return
	}
	r.single(func() graph.Event { return &graph.RequiresGrad{Tensor: r.tensor(t), To: on} })
}

func recordGradAssigned(t, g *Tensor) {
	r := recorder
	r.single(func() graph.Event { return &graph.GradAssigned{Tensor: r.tensor(t), Grad: r.tensor(g)} })
}

func recordRetainGrad(t *Tensor) {
	r := recorder
	r.single(func() graph.Event { return &graph.RetainGrad{Tensor: r.tensor(t)} })
}

// recordCut notes that values went from one tensor to another, or out of the
// tensor world when to is nil, without a path for the gradient.
func recordCut(why graph.CutReason, to *Tensor, from ...*Tensor) {
	r := recorder
	if r == nil || r.muted > 0 {
		return
	}
	r.single(func() graph.Event {
		e := &graph.LineageCut{Why: why}
		for _, t := range from {
			e.Inputs = append(e.Inputs, r.tensor(t))
		}
		e.Output = r.tensor(to)
		return e
	})
}

// recordMutated notes a change in place that no operator's event tells about.
func recordMutated(t *Tensor, from uint32) {
	r := recorder
	if r == nil || r.muted > 0 || t.version.v == from {
		return
	}
	r.single(func() graph.Event {
		if t.gen != r.gen {
			now := t.version.v
			t.version.v = from
			r.tensor(t)
			t.version.v = now
		}
		return &graph.Mutated{Tensor: t.id, From: from, To: t.version.v, Value: r.value(t)}
	})
}

func recordError(e *Error) {
	if r := recorder; r != nil && r.muted == 0 {
		r.single(func() graph.Event {
			return &graph.Raised{Type: r.batch.String(string(e.Type)), Code: r.batch.String(string(e.Code)), Op: r.batch.String(e.Op), Message: e.Text}
		})
	}
}

func recordMode(m graph.Mode, on bool) {
	if r := recorder; r != nil {
		r.single(func() graph.Event { return &graph.ModeChanged{Mode: m, To: on} })
	}
}
