package audit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/replay"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// An origin is where in the program something happened.
type origin struct {
	at    graph.Pos
	stack graph.StackID
}

// A machine computes again what the events of a tape say, in double precision and with tangents.
type machine struct {
	tape     *graph.Tape
	step     Step
	storages map[graph.StorageID]*storage
	tensors  map[graph.TensorID]*tensor
	nodes    map[graph.NodeID]*node
	seeds    map[graph.TensorID][]float64 // the direction of each leaf
	random   *rand.Rand
	along    func([]float64) []float64 // nil: random

	running  bool // the step has begun
	inner    map[graph.Pos]bool
	made     []graph.NodeID                  // nodes since the last operation
	rebased  map[graph.TensorID]graph.NodeID // tensors that got another node since then, with the one before
	fresh    []*tensor                       // with memory of their own, since then
	written  []write                         // since then
	last     []*tensor                       // the results of that operation
	escaped  []escape
	away     map[float32]exit // where a number has left last
	numbers  map[float32]bool // that came from Python before the step
	after    map[float32]bool // and that come from it after the step; nil: not looked for yet
	missing  bool             // elements that the step needs are not on the tape
	passes   []*pass
	pass     *pass // the one that runs, if its gradients reach leaves
	within   int   // passes of autograd.grad that run
	cuts     []*Cut
	cutAt    map[cutPlace]column
	gaps     []Gap
	gapAt    map[cutPlace]bool
	gradient bool // the step has differentiated within itself
}

type cutPlace struct {
	file string
	line int
	why  string
}

// An escape is what has left for Python: a number, or the numbers of a list or an array.
type escape struct {
	content
	made origin
	why  graph.CutReason
	back bool // it has come back
}

// A write is a tensor whose memory has changed.
type write struct {
	to   *tensor
	made origin
}

// An exit is an element of an escape.
type exit struct{ escape, element int }

// A node is a node of the backward graph.
type node struct {
	name     string
	edges    []graph.Edge
	variable graph.TensorID
	op       *operation
}

// An operation is one that autograd saw, with the visible tangents around it.
type operation struct {
	name    string
	made    origin
	nodes   []graph.NodeID
	ins     []end
	outs    []end
	rebased bool // it was in place: the tensor got another node
	// custom says that it is a custom Function; identity that the Function's result is what it was given.
	custom, identity bool
}

// An end is a tensor that an operation reads or gives, as the backward graph names it.
type end struct {
	tensor  graph.TensorID
	edge    graph.Edge // zero: a leaf
	tangent []float64
}

// A pass is a backward pass that reaches leaves.
type pass struct {
	id       graph.BackwardID
	made     origin
	executed map[graph.NodeID]*graph.NodeExecuted
	order    []graph.NodeID
	hooks    []hook
	roots    []graph.Root
	own      map[graph.NodeID]graph.StackID // where the program's code ran for a node
	inside   graph.StackID                  // where it ran since the last node
	share    map[column]float64             // of the derivative
	size     float64                        // of the terms of A
	sum      float64                        // A
}

type hook struct {
	graph.HookRan
	made origin
}

func newMachine(tape *graph.Tape, step Step, seed uint64) *machine {
	return &machine{
		tape: tape, step: step, random: rand.New(rand.NewPCG(seed, 17)),
		storages: map[graph.StorageID]*storage{}, tensors: map[graph.TensorID]*tensor{}, nodes: map[graph.NodeID]*node{}, rebased: map[graph.TensorID]graph.NodeID{},
		seeds: map[graph.TensorID][]float64{}, inner: map[graph.Pos]bool{}, cutAt: map[cutPlace]column{}, gapAt: map[cutPlace]bool{},
		cuts: []*Cut{nil}, away: map[float32]exit{}, numbers: map[float32]bool{},
	}
}

// run reads the tape to the end of the step.
func (m *machine) run() error {
	for p := range m.step.End {
		if p == m.step.Begin {
			if err := m.begin(); err != nil {
				return err
			}
		}
		h, e, err := m.tape.At(p)
		if err != nil {
			return err
		}
		m.take(origin{p, h.Stack}, e)
	}
	if m.missing {
		return ErrValues
	}
	m.lost()
	return nil
}

// begin gives the leaves their directions.
func (m *machine) begin() error {
	m.running = true
	for _, t := range m.sorted() {
		if t.requires && t.node == 0 && t.dtype.IsFloat() {
			m.seed(t)
		}
	}
	return m.findFunctions()
}

func (m *machine) sorted() []*tensor {
	list := make([]*tensor, 0, len(m.tensors))
	for _, t := range m.tensors {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *tensor) int { return cmp.Compare(a.id, b.id) })
	return list
}

// flagged: the program froze a leaf, or thawed it.
func (m *machine) flagged(t *tensor) {
	switch {
	case !m.running || t.node != 0 || m.seeds[t.id] == nil:
	case t.requires:
		m.seed(t)
	default:
		t.write(content{})
	}
}

func (m *machine) seed(t *tensor) {
	v := m.seeds[t.id]
	if v == nil {
		v = make([]float64, t.count())
		for i := range v {
			v[i] = m.random.NormFloat64()
		}
		if m.along != nil {
			v = m.along(t.read().values)
		}
		m.seeds[t.id] = v
	}
	t.write(content{nil, map[column][]float64{visible: v}})
	t.memory.depend(t.id)
}

// sprout gives a leaf that came up in the step a direction when it is read first. For autograd it has nothing to do with the tensor
// whose memory it shares.
func (m *machine) sprout(t *tensor) {
	c := t.read()
	if c.tangents[visible] != nil {
		if t.cut == 0 {
			t.cut = m.cut(t.made, m.why(t))
		}
		m.hide(&c, t.cut)
	}
	m.leave(t)
	t.memory, t.storage = &storage{tangents: map[column][]float64{}, users: 1}, 0
	t.offset, t.strides = 0, nil
	m.seed(t)
	c.add(visible, m.seeds[t.id], 1)
	t.write(c)
	t.memory.depend(t.id)
}

// findFunctions finds the operations in forward functions of custom Functions: autograd sees only what they
// give.
func (m *machine) findFunctions() error {
	dec := m.tape.NewDecoder()
	var before []origin // operations and their call stacks
	for p := m.step.Begin; p < m.step.End; p++ {
		h, e, err := dec.Read(p)
		if err != nil {
			return err
		}
		op, ok := e.(*graph.OpRan)
		if !ok {
			continue
		}
		if op.Node != 0 && m.isFunction(dec, p, op) {
			outer := m.tape.Stack(h.Stack)
			for _, o := range slices.Backward(before) {
				if !within(m.tape.Stack(o.stack), outer) {
					break
				}
				m.inner[o.at] = true
			}
		}
		before = append(before, origin{p, h.Stack})
	}
	return nil
}

// isFunction reports whether an operation is a custom Function: PyTorch names its node without a number.
func (m *machine) isFunction(dec *graph.Decoder, p graph.Pos, op *graph.OpRan) bool {
	name, id := m.tape.String(op.Op), op.Node
	for q := p - 1; q >= 0 && q > p-64; q-- {
		if _, e, err := dec.Read(q); err == nil {
			if n, ok := e.(*graph.NodeCreated); ok && n.Node == id {
				return m.tape.String(n.Name) == name+"Backward"
			}
		}
	}
	return false
}

// within reports whether a call stack is deeper than another one, in the same calls.
func within(deep, outer graph.Stack) bool {
	n := len(deep) - len(outer)
	return n > 0 && slices.EqualFunc(deep[n:], outer, func(a, b graph.Frame) bool { return a.File == b.File && a.Func == b.Func && a.Line == b.Line })
}

func (m *machine) take(o origin, e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		m.created(o, e)
	case *graph.Mutated:
		if t := m.tensors[e.Tensor]; t != nil {
			t.recorded = e.Value
			if !m.running {
				m.store(t)
			} else if m.pass == nil {
				m.written = append(m.written, write{t, o})
			}
		}
	case *graph.Reshaped:
		m.reshaped(o, e)
	case *graph.Rebased:
		if t := m.tensors[e.Tensor]; t != nil {
			t.node, t.output = e.Node, e.Output
			m.rebased[t.id] = e.OldNode
		}
	case *graph.RequiresGrad:
		if t := m.tensors[e.Tensor]; t != nil {
			t.requires = e.To
			m.flagged(t)
		}
	case *graph.TensorReleased:
		if t := m.tensors[e.Tensor]; t != nil {
			m.leave(t)
			delete(m.tensors, e.Tensor)
		}
	case *graph.LineageCut:
		m.left(o, e)
	case *graph.NodeCreated:
		m.nodes[e.Node] = &node{name: m.tape.String(e.Name), edges: slices.Clone(e.Edges), variable: e.Variable}
		m.made = append(m.made, e.Node)
	case *graph.OpRan:
		m.fromPython(e)
		if m.running {
			m.overwrite(e)
			m.ran(o, e)
			m.last = m.last[:0]
			for _, id := range e.Outputs {
				if t := m.tensors[id]; t != nil {
					m.last = append(m.last, t)
				}
			}
			if p := m.pass; p != nil && within(m.tape.Stack(o.stack), m.tape.Stack(p.made.stack)) {
				p.inside = o.stack
			}
		}
		m.made, m.rebased, m.fresh, m.written = nil, map[graph.TensorID]graph.NodeID{}, nil, nil
	case *graph.OptimizerStepped:
		m.stepped(e)
	default:
		if m.running {
			m.backward(o, e)
		}
	}
}

func (m *machine) created(o origin, e *graph.TensorCreated) {
	t := &tensor{
		id: e.Tensor, dtype: e.DType, shape: slices.Clone(e.Shape), strides: slices.Clone(e.Strides), offset: int(e.Offset),
		node: e.Node, output: e.Output, requires: e.Flags&graph.FlagRequiresGrad != 0, made: o, recorded: e.Value,
		family: e.Base,
	}
	if t.family == 0 {
		t.family = t.id
	}
	if !t.fits() {
		return
	}
	m.tensors[e.Tensor] = t
	if fresh := m.show(t, e.Storage); fresh {
		m.store(t)
		m.fresh = append(m.fresh, t)
		m.returned(t)
	}
}

// show lets a tensor have its elements in a storage, and reports whether that is new.
func (m *machine) show(t *tensor, id graph.StorageID) (fresh bool) {
	s := m.storages[id]
	if fresh = s == nil; fresh {
		s = &storage{tangents: map[column][]float64{}, blank: true}
		m.storages[id] = s
	}
	s.users++
	t.memory, t.storage = s, id
	return fresh
}

// leave ends that; a storage that no tensor shows is gone.
func (m *machine) leave(t *tensor) {
	if t.memory.users--; t.memory.users == 0 {
		delete(m.storages, t.storage)
	}
}

// store takes over what the tape says that a tensor holds; it has no tangent.
func (m *machine) store(t *tensor) {
	if values := t.known(); values != nil {
		t.write(content{values, nil})
	}
}

// reshaped: a tensor shows other memory. A leaf stays what it is for autograd.
func (m *machine) reshaped(o origin, e *graph.Reshaped) {
	t := m.tensors[e.Tensor]
	if t == nil {
		return
	}
	var before content
	follows := m.running && t.requires && t.node == 0 && t.storage != e.Storage && slices.Equal(t.shape, e.Shape)
	if follows {
		before = t.read()
	}
	old := *t
	t.dtype, t.offset, t.recorded = e.DType, int(e.Offset), e.Value
	t.shape, t.strides = slices.Clone(e.Shape), slices.Clone(e.Strides)
	if t.fits() {
		if fresh := m.show(t, e.Storage); fresh {
			m.store(t)
		}
	} else {
		delete(m.tensors, e.Tensor)
		follows = false
	}
	m.leave(&old)
	if m.running && !t.seen() && old.memory != t.memory {
		t.cut = m.cut(o, graph.CutData.String())
	}
	if follows {
		now := t.read()
		m.unseenWrite(o, &now, before.tangents[visible], Written, t)
		t.write(now)
	}
}

// unseenWrite splits the tangents of memory that was written past autograd, which takes the visible part for what it
// was before.
func (m *machine) unseenWrite(o origin, now *content, before []float64, why string, t *tensor) {
	if now.tangents[visible] == nil && before == nil {
		return
	}
	change := content{tangents: map[column][]float64{}}
	n := t.count()
	change.add(visible, pad(now.tangents[visible], n), 1)
	change.add(visible, pad(before, n), -1)
	to := m.cut(o, why)
	if c := change.tangents[visible]; c != nil {
		now.add(to, c, 1)
	}
	if list := now.tangents[t.cut]; t.cut != 0 && t.cut != to && list != nil { // what it read of itself
		delete(now.tangents, t.cut)
		now.add(to, list, 1)
	}
	delete(now.tangents, visible)
	if before != nil {
		now.add(visible, before, 1)
	}
}

// writes says what an operation writes to a tensor: something that depends on other leaves, or what was there in a leaf in
// another form, as a projection does.
func (m *machine) writes(t *tensor, e *graph.OpRan, ins []*operand) string {
	for i, id := range e.Inputs {
		if in := m.tensors[id]; in != nil && in.memory != t.memory && len(ins[i].content.tangents) > 0 && !in.memory.dependsOnly(m.leafIn(t)) {
			return Written
		}
	}
	for _, other := range m.tensors {
		if other.memory == t.memory && other.node != 0 {
			return Written // what autograd has computed
		}
	}
	return Projected
}

// filled: the constants in some memory stand behind the cut at which they were written, not where they were made.
func (m *machine) filled(t *tensor, at column) {
	for _, other := range m.tensors {
		if other.memory == t.memory && !other.seen() {
			other.cut = at
		}
	}
}

// leafIn returns the leaf whose memory a tensor shows; nil if it is not a leaf's.
func (m *machine) leafIn(t *tensor) *tensor {
	if t.requires && t.node == 0 {
		return t
	}
	for _, other := range m.tensors {
		if other.memory == t.memory && other.requires && other.node == 0 {
			return other
		}
	}
	return nil
}

// updated: a leaf was written after a backward pass, as optimizers and averages do; it is a new variable from here on.
func (m *machine) updated(leaf, t *tensor, now *content) {
	now.tangents = map[column][]float64{}
	if v := m.seeds[leaf.id]; v != nil && slices.Equal(leaf.shape, t.shape) {
		now.add(visible, v, 1)
	}
}

// past reports whether an operation wrote to a tensor past autograd, or past the history of the memory: through an alias
// that had none.
func (m *machine) past(t *tensor, e *graph.OpRan) bool {
	before, is := m.rebased[t.id]
	if e.Node == 0 && !is {
		return true
	}
	return is && before == 0 && !t.requires && m.seenElsewhere(t)
}

// seenElsewhere reports whether autograd sees the memory of a tensor through another one, with a history that does not
// have what this one does.
func (m *machine) seenElsewhere(t *tensor) bool {
	for _, other := range m.tensors {
		if other.memory == t.memory && other.family != t.family && other.seen() {
			return true
		}
	}
	return false
}

func pad(list []float64, n int) []float64 {
	if list == nil {
		return make([]float64, n)
	}
	return list
}

// cut returns the column of a place where autograd takes a value for a constant.
func (m *machine) cut(o origin, why string) column {
	f := m.frame(o.stack)
	at := cutPlace{f.File, f.Line, why}
	if c, ok := m.cutAt[at]; ok {
		return c
	}
	c := column(len(m.cuts))
	m.cuts = append(m.cuts, &Cut{At: o.at, Stack: o.stack, Frame: f, Why: why})
	m.cutAt[at] = c
	return c
}

// frame is the innermost frame of the program in a call stack.
func (m *machine) frame(s graph.StackID) graph.Frame {
	stack := m.tape.Stack(s)
	for _, f := range stack {
		if f.File != "" && !inspect.IsLibrary(f.File) {
			return f
		}
	}
	return stack.Top()
}

// gap notes that tangents ended where they could not be followed.
func (m *machine) gap(o origin, what, why string) {
	f := m.frame(o.stack)
	at := cutPlace{f.File, f.Line, what}
	if !m.gapAt[at] {
		m.gapAt[at] = true
		m.gaps = append(m.gaps, Gap{At: o.at, Stack: o.stack, Frame: f, What: what, Why: why})
	}
}

// left: a value left the tensors, or went on without a gradient.
func (m *machine) left(o origin, e *graph.LineageCut) {
	if !m.running || e.Output != 0 {
		switch out := m.tensors[e.Output]; {
		case !m.running || out == nil || len(e.Inputs) == 0:
		case len(e.Inputs) == 1:
			m.passOn(o, m.tensors[e.Inputs[0]], out, e.Why.String())
		default:
			m.joined(o, e, out)
		}
		return
	}
	for _, id := range e.Inputs {
		t := m.tensors[id]
		if t == nil {
			continue
		}
		c := t.read()
		if len(c.tangents) == 0 {
			continue
		}
		for i, x := range c.values {
			if unmistakable(x) {
				m.away[float32(x)] = exit{len(m.escaped), i}
			}
		}
		m.escaped = append(m.escaped, escape{content: c, made: o, why: e.Why})
	}
}

// joined copies numbers of several tensors to one, as torch.tensor([t, u]) does.
func (m *machine) joined(o origin, e *graph.LineageCut, out *tensor) {
	now := content{out.read().values, map[column][]float64{}}
	at := 0
	for _, id := range e.Inputs {
		t := m.tensors[id]
		if t == nil || at+t.count() > len(now.values) {
			return
		}
		c := t.read()
		if !alike(c.values, now.values[at:at+t.count()], roundings*epsilon(graph.Float32)*largest(c.values)) {
			return
		}
		for k, list := range c.tangents {
			moved := make([]float64, len(now.values))
			copy(moved[at:], list)
			now.add(k, moved, 1)
		}
		at += t.count()
	}
	m.hide(&now, m.cut(o, e.Why.String()))
	out.write(now)
}

// passOn copies what a tensor holds to one that was made of it in other memory without an operation, as
// torch.tensor(t) does.
func (m *machine) passOn(o origin, from, to *tensor, why string) {
	if from == nil || from.memory == to.memory {
		if from != nil && from.cut != 0 && !from.seen() {
			to.cut = from.cut
		}
		return
	}
	if from.count() != to.count() || !to.dtype.IsFloat() {
		return
	}
	c := from.read()
	now := to.read()
	now.values = c.values
	if values := to.known(); values != nil && !same(&operand{dtype: from.dtype, content: c}, &operand{dtype: to.dtype, content: content{values: values}}) {
		return
	}
	now.tangents = c.tangents
	if !to.seen() || to.node == 0 {
		m.hide(&now, m.cut(o, why))
	}
	to.write(now)
}

// hide moves what autograd sees behind a cut.
func (m *machine) hide(c *content, to column) {
	if list := c.tangents[visible]; list != nil {
		delete(c.tangents, visible)
		c.add(to, list, 1)
	}
}

// returned gives numbers that come back from Python the tangents that they left with: a list or an array as it was, or else single
// numbers.
func (m *machine) returned(t *tensor) {
	values := t.known()
	if !m.running || !t.dtype.IsFloat() || values == nil || len(m.escaped) == 0 {
		return
	}
	from := make([]exit, len(values)) // escapes count from 1 here
	if whole := m.wholeEscape(values); whole >= 0 {
		for i := range from {
			from[i] = exit{whole + 1, i}
		}
	} else {
		for i, x := range values {
			if e, ok := m.away[float32(x)]; ok && unmistakable(x) {
				from[i] = exit{e.escape + 1, e.element}
			}
		}
	}
	now := content{values, map[column][]float64{}}
	for i := range m.escaped {
		e := &m.escaped[i]
		came := false
		part := content{tangents: map[column][]float64{}}
		for k, list := range e.tangents {
			moved := make([]float64, len(values))
			for n, f := range from {
				if f.escape == i+1 {
					came, moved[n] = true, list[f.element]
				}
			}
			part.add(k, moved, 1)
		}
		if !came {
			continue
		}
		m.hide(&part, m.cut(e.made, e.why.String()))
		for k, list := range part.tangents {
			now.add(k, list, 1)
		}
		e.back = true
	}
	if len(now.tangents) > 0 {
		t.write(now)
	}
}

// wholeEscape is the last escape that has left with just these numbers; -1 if none has.
func (m *machine) wholeEscape(values []float64) int {
	for i, e := range slices.Backward(m.escaped) {
		if (len(e.values) != 1 || unmistakable(e.values[0])) && alike(e.values, values, 4*epsilon(graph.Float32)*largest(e.values)) {
			return i
		}
	}
	return -1
}

// fromPython looks at tensors that no operation has made: their numbers come from Python. After numbers have left, what Python
// has computed of them may be among them.
func (m *machine) fromPython(e *graph.OpRan) {
	for _, t := range m.fresh {
		if slices.Contains(e.Outputs, t.id) || slices.Contains(e.Mutated, t.id) || !t.dtype.IsFloat() {
			continue
		}
		for _, x := range t.known() {
			if !unmistakable(x) {
				continue
			}
			if _, ok := m.away[float32(x)]; m.running && !ok && len(m.escaped) > 0 && !m.numbers[float32(x)] && !m.later(x) {
				left := m.frame(m.escaped[len(m.escaped)-1].made.stack)
				m.gap(t.made, "a number of Python", fmt.Sprintf("numbers left the tensors before, last at line %d; if it was computed of them, the derivative through it is missing", left.Line))
				break
			}
			m.numbers[float32(x)] = true
		}
	}
}

// later reports whether a number comes from Python again after the step: then it is a constant.
func (m *machine) later(x float64) bool {
	if m.after == nil {
		m.after = map[float32]bool{}
		dec := m.tape.NewDecoder()
		for p := m.step.End; p < min(m.tape.Len(), m.step.End+mostAfter); p++ {
			_, e, err := dec.Read(p)
			if err != nil {
				break
			}
			if t, ok := e.(*graph.TensorCreated); ok && t.Flags&graph.FlagNumber != 0 && len(t.Value.First) == 1 {
				m.after[float32(t.Value.First[0])] = true
			}
		}
	}
	return m.after[float32(x)]
}

// mostAfter bounds how many events behind a step are searched for constants.
const mostAfter = 1 << 18

// overwrite: memory was written by no operation that the tape names for it, as out= does. The numbers are those of a result, or
// come from Python.
func (m *machine) overwrite(e *graph.OpRan) {
	for _, w := range m.written {
		t := w.to
		if slices.Contains(e.Outputs, t.id) || slices.Contains(e.Mutated, t.id) || t.known() == nil || t.seen() {
			continue
		}
		m.store(t)
		m.returned(t)
		for _, from := range m.last {
			if slices.Equal(from.shape, t.shape) && slices.Equal(from.known(), t.known()) {
				m.passOn(w.made, from, t, graph.CutNoGrad.String())
			}
		}
	}
}

// unmistakable reports whether a number is hardly equal to another by chance: it has more than three decimals.
func unmistakable(x float64) bool {
	return math.Abs(x*1000-math.Round(x*1000)) > 1e-6*math.Abs(x*1000)
}

// lost notes the arrays that left and did not come back as they were: what the program computed with them is
// not known. Single numbers leave to be printed.
func (m *machine) lost() {
	for _, e := range m.escaped {
		if e.why == graph.CutNumpy && !e.back {
			m.gap(e.made, "numpy", "the values leave the tensors, and do not come back unchanged")
		}
	}
}

// operand reads a tensor for an operation. What autograd does not see in it stands behind a cut.
func (m *machine) operand(t *tensor) *operand {
	c := t.read()
	if !t.seen() && c.tangents[visible] != nil {
		if t.cut == 0 {
			t.cut = m.cut(t.made, m.why(t))
		}
		m.hide(&c, t.cut)
	}
	return &operand{t.shape, t.dtype, c}
}

// why says how autograd came to take a tensor for a constant.
func (m *machine) why(t *tensor) string {
	for p := t.made.at + 1; p < min(t.made.at+4, m.step.End); p++ {
		_, e, err := m.tape.At(p)
		if cut, ok := e.(*graph.LineageCut); err == nil && ok && cut.Output == t.id {
			return cut.Why.String()
		}
	}
	return graph.CutNoGrad.String()
}

// ran carries values and tangents through an operation.
func (m *machine) ran(o origin, e *graph.OpRan) {
	name := m.tape.String(e.Op)
	outs := make([]*tensor, 0, len(e.Outputs))
	for _, id := range e.Outputs {
		outs = append(outs, m.tensors[id])
	}
	for _, id := range e.Mutated {
		if t := m.tensors[id]; t != nil && !slices.Contains(outs, t) {
			outs = append(outs, t)
		}
	}
	ins := make([]*operand, len(e.Inputs))
	tangents, blank := false, false
	memories := map[*storage]bool{}
	for i, id := range e.Inputs {
		if t := m.tensors[id]; t != nil {
			if t.requires && t.node == 0 && t.dtype.IsFloat() && m.seeds[id] == nil && !slices.Contains(e.Mutated, id) {
				m.sprout(t)
			}
			ins[i] = m.operand(t)
			tangents = tangents || len(ins[i].content.tangents) > 0
			memories[t.memory] = true
			blank = blank || t.dtype.IsFloat() && t.memory.blank && t.count() > 0
		}
	}
	m.missing = m.missing || blank && tangents
	op := m.operation(o, name, e, ins)
	if !m.compute(o, name, e, ins, outs, memories, tangents) {
		op = nil // nothing can be said about its nodes
	}
	inner := m.inner[o.at]
	for _, t := range outs {
		if t == nil {
			continue
		}
		t.inner = inner
		for from := range memories {
			t.memory.depend(slices.Collect(maps.Keys(from.leaves))...)
		}
		if !t.seen() && t.cut == 0 {
			for _, id := range e.Inputs { // a view of a constant stands behind the same cut
				if in := m.tensors[id]; in != nil && in != t && in.memory == t.memory && !in.seen() {
					t.cut = in.cut
				}
			}
		}
		if op != nil && op.custom {
			op.identity = op.identity || slices.ContainsFunc(ins, func(in *operand) bool {
				return in != nil && slices.Equal(in.shape, t.shape) && slices.Equal(in.values, t.read().values)
			})
		}
		if op != nil && t.node != 0 {
			op.outs = append(op.outs, end{t.id, graph.Edge{Node: t.node, Input: t.output}, t.read().tangents[visible]})
		}
	}
	if op != nil {
		for _, id := range op.nodes {
			m.nodes[id].op = op
		}
	}
}

// operation notes the nodes of an operation and what goes into it; nil if autograd did not see it.
func (m *machine) operation(o origin, name string, e *graph.OpRan, ins []*operand) *operation {
	op := &operation{name: name, made: o, custom: m.isNode(e.Node, name+"Backward")}
	for _, id := range m.made {
		if n := m.nodes[id]; n.variable == 0 && m.within == 0 {
			op.nodes = append(op.nodes, id)
		}
	}
	if len(op.nodes) == 0 {
		return nil
	}
	for i, id := range e.Inputs {
		if t := m.tensors[id]; t != nil && ins[i] != nil {
			x := end{tensor: id, tangent: ins[i].content.tangents[visible]}
			if t.node != 0 && !slices.Contains(e.Mutated, id) {
				x.edge = graph.Edge{Node: t.node, Input: t.output}
			}
			op.ins = append(op.ins, x)
		}
		op.rebased = op.rebased || slices.Contains(e.Mutated, id)
	}
	return op
}

// compute gives the results of an operation their values and tangents.
func (m *machine) compute(o origin, name string, e *graph.OpRan, ins []*operand, outs []*tensor, memories map[*storage]bool, tangents bool) (followed bool) {
	followed = true
	views := len(e.Mutated) == 0
	wanted := make([]*operand, len(outs))
	floats := false
	for i, t := range outs {
		if t == nil {
			continue
		}
		wanted[i] = &operand{t.shape, t.dtype, content{values: t.known()}}
		floats = floats || t.dtype.IsFloat()
		views = views && memories[t.memory]
	}
	views = views || slices.Contains(reviewed, name)
	if views || m.isNode(e.Node, name+"Backward") {
		return true // the memory holds it already
	}
	var given results
	if tangents && floats {
		m.bend(name, ins)
		c := call{name: name, operands: ins, args: m.args(e.Attrs)}
		var err error
		if given, err = c.evaluate(wanted); err != nil && c.leaveOut(e) {
			given, err = c.evaluate(wanted)
		}
		if err != nil {
			given, followed = nil, false
			m.gap(o, name, err.Error())
		}
	}
	for i, t := range outs {
		if t == nil {
			continue
		}
		now := content{tangents: map[column][]float64{}}
		if given != nil && given[i].values != nil && t.dtype.IsFloat() {
			now = given[i]
		}
		if values := t.known(); values != nil { // so that later operations stand where the program stood: at the same side of a kink
			now.values = values
		}
		if slices.Contains(e.Mutated, t.id) && t.dtype.IsFloat() && !m.inner[o.at] && m.past(t, e) {
			if leaf := m.leafIn(t); leaf != nil && len(m.passes) > 0 && e.Node == 0 {
				m.updated(leaf, t, &now)
			} else if leaf != nil || t.seen() || m.seenElsewhere(t) {
				m.unseenWrite(o, &now, t.read().tangents[visible], m.writes(t, e, ins), t)
			} else if now.tangents[visible] != nil {
				m.filled(t, m.cut(o, graph.CutNoGrad.String()))
			}
		}
		t.write(now)
	}
	return followed
}

// leaveOut drops the last tensor of a call if the operation only writes to it: out=.
func (c *call) leaveOut(e *graph.OpRan) bool {
	n := len(c.operands) - 1
	if n < 1 || !slices.Contains(e.Mutated, e.Inputs[n]) {
		return false
	}
	c.operands = c.operands[:n]
	return true
}

// bend notes the cuts whose values go into something that is not linear in them.
func (m *machine) bend(name string, ins []*operand) {
	name = strings.TrimSuffix(name, "_")
	varying := 0
	for _, in := range ins {
		if in != nil && len(in.content.tangents) > 0 {
			varying++
		}
	}
	if slices.Contains(sums, name) || varying == 1 && slices.Contains(products, name) {
		return
	}
	for _, in := range ins {
		if in != nil {
			for k := range in.content.tangents {
				if k != visible {
					m.cuts[k].bent = true
				}
			}
		}
	}
}

// sums are linear in all their tensors, products in each of them.
var (
	sums     = []string{"add", "sub", "rsub", "neg", "sum", "mean", "stack", "cat"}
	products = []string{"mul", "div"}
)

// reviewed are the operators that change in place how a tensor shows its memory, not what is in it.
var reviewed = []string{"transpose_", "t_", "squeeze_", "unsqueeze_", "swapaxes_", "swapdims_", "as_strided_", "resize_", "detach_", "requires_grad_"}

func (m *machine) isNode(id graph.NodeID, name string) bool {
	n := m.nodes[id]
	return n != nil && n.name == name
}

// args are the arguments that are not tensors, as the engine takes them.
func (m *machine) args(list []graph.Attr) []replay.Arg {
	var out []replay.Arg
	for _, a := range list {
		out = append(out, replay.Arg{Name: m.tape.String(a.Name), Value: argument(a.AttrValue)})
	}
	return out
}

func argument(v graph.AttrValue) any {
	ints := make([]int, len(v.Ints))
	for i, n := range v.Ints {
		ints[i] = int(n)
	}
	switch v.Type {
	case graph.AttrBool:
		return v.Ints[0] != 0
	case graph.AttrInt, graph.AttrUint:
		return ints[0]
	case graph.AttrInts, graph.AttrUints:
		return ints
	case graph.AttrFloat:
		return v.Floats[0]
	case graph.AttrFloats:
		return v.Floats
	case graph.AttrText:
		return v.Text
	}
	return nil
}

// stepped: an optimizer has changed its parameters; from here on they are new variables.
func (m *machine) stepped(e *graph.OptimizerStepped) {
	if !m.running {
		return
	}
	for _, id := range e.Params {
		if t := m.tensors[id]; t != nil && m.seeds[id] != nil {
			m.seed(t)
		}
	}
}
