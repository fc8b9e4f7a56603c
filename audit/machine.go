package audit

import (
	"cmp"
	"math/rand/v2"
	"slices"

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
	saved    map[graph.TensorID]bool    // by nodes of the step, whose backward may be differentiated
	kept     map[graph.TensorID]*tensor // saved ones that the program has released
	nodes    map[graph.NodeID]*node
	seeds    map[graph.TensorID][]float64 // the direction of each leaf
	random   *rand.Rand
	along    func([]float64) []float64 // nil: random

	running   bool // the step has begun
	inner     map[graph.Pos]bool
	made      []graph.NodeID                  // nodes since the last operation
	rebased   map[graph.TensorID]graph.NodeID // tensors that got another node since then, with the one before
	fresh     []*tensor                       // with memory of their own, since then
	written   []write                         // since then
	last      []*tensor                       // the results of that operation
	escaped   []escape
	away      map[float32]exit // where a number has left last
	constants map[float32]bool // numbers that come from Python elsewhere; nil: not looked for yet
	missing   bool             // elements that the step needs are not on the tape
	passes    []*pass
	pass      *pass // the one that runs, if its gradients reach leaves
	within    int   // passes of autograd.grad that run
	cuts      []*Cut
	cutAt     map[cutPlace]column
	gaps      []Gap
	gapAt     map[cutPlace]bool
	gradient  bool // the step has differentiated within itself
	creates   bool // a pass with create_graph runs; on PyTorch its operations are not on the tape
}

type cutPlace struct {
	file string
	line int
	why  string
}

// A node is a node of the backward graph.
type node struct {
	name     string
	edges    []graph.Edge
	variable graph.TensorID
	op       *operation
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
		storages: map[graph.StorageID]*storage{}, tensors: map[graph.TensorID]*tensor{}, saved: map[graph.TensorID]bool{}, kept: map[graph.TensorID]*tensor{}, nodes: map[graph.NodeID]*node{}, rebased: map[graph.TensorID]graph.NodeID{},
		seeds: map[graph.TensorID][]float64{}, inner: map[graph.Pos]bool{}, cutAt: map[cutPlace]column{}, gapAt: map[cutPlace]bool{},
		cuts: []*Cut{nil}, away: map[float32]exit{},
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
	c := m.constant(t)
	m.leave(t)
	t.memory, t.storage = &storage{tangents: map[column][]float64{}, users: 1}, 0
	t.offset, t.strides = 0, nil
	m.seed(t)
	c.add(visible, m.seeds[t.id], 1)
	t.write(c)
}

// findFunctions finds the operations in forward functions of custom Functions: autograd sees only what they
// give.
func (m *machine) findFunctions() error {
	dec := m.tape.NewDecoder()
	for p := m.step.Begin; p < m.step.End; p++ {
		h, e, err := dec.Read(p)
		if err != nil {
			return err
		}
		if op, ok := e.(*graph.OpRan); ok && op.Node != 0 && m.isFunction(dec, p, op) {
			if _, err := m.findForward(dec, p, h.Stack); err != nil {
				return err
			}
		}
	}
	return nil
}

// findForward finds the operations in the forward of a custom Function, which come right before it, and returns where the first one is.
func (m *machine) findForward(dec *graph.Decoder, function graph.Pos, stack graph.StackID) (begin graph.Pos, err error) {
	begin = function
	outer := m.tape.Stack(stack)
	for p := function - 1; p >= m.step.Begin; p-- {
		h, e, err := dec.Brief(p)
		if err != nil {
			return 0, err
		}
		if _, ok := e.(*graph.OpRan); !ok {
			continue
		}
		if !within(m.tape.Stack(h.Stack), outer) {
			break
		}
		m.inner[p], begin = true, p
	}
	return begin, nil
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
			if m.running && m.saved[e.Tensor] {
				m.kept[e.Tensor] = t
			}
		}
	case *graph.LineageCut:
		m.left(o, e)
	case *graph.NodeCreated:
		m.note(e)
		m.made = append(m.made, e.Node)
		for _, s := range e.Saved {
			if m.running && s.Tensor != 0 {
				m.saved[s.Tensor] = true
			}
		}
	case *graph.OpRan:
		if m.running {
			m.fromPython(e)
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

// note takes a node of the backward graph.
func (m *machine) note(e *graph.NodeCreated) {
	m.nodes[e.Node] = &node{name: m.tape.String(e.Name), edges: slices.Clone(e.Edges), variable: e.Variable}
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
