package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/repr"
	"github.com/gradtui/gradtui/graph"
)

// A Node is a function of the backward graph: the grad_fn of the tensors that
// an operator made. It knows where its results go (edges), what it saved for
// its formula, and its place in the order of creation.
type Node struct {
	op    *Op     // of an operator's node
	apply applier // of the special nodes; nil means the op's formulas
	args  *Args   // the arguments that are no tensors
	edges []Edge
	saved []saved
	outs  []output // shape and dtype of each result of the forward op
	seq   uint64
	ext   *nodeExtension
	freed bool
	state *passState // of the innermost backward pass that visits the node

	id     graph.NodeID
	gen    uint32
	handle uint32 // of a front end

	// The first elements of edges, saved and outs live here.
	edge2  [2]Edge
	saved2 [2]saved
	out1   [1]output
}

// An Edge leads to the node that receives a gradient. A nil Node stands for an
// input that needs none.
type Edge struct {
	Node  *Node
	Input int // which result of Node's forward op
}

// output describes a result of a forward op: gradients that come for it must
// have its shape and are cast to its dtype.
type output struct {
	sizes []int
	dtype DType
}

// An applier is the backward function of a node that is not described by the op
// table: AccumulateGrad, CopySlices, custom functions.
type applier interface {
	// className is the name that printing shows; the full name may carry a
	// namespace.
	className() string
	fullName() string
	// backward computes the gradients for the edges. It gets one gradient for
	// each result of the forward op; nil is an undefined one.
	backward(p *pass, n *Node, grads []*Tensor) ([]*Tensor, error)
	// release drops what was saved.
	release(n *Node)
}

type nodeExtension struct {
	pre, post []*nodeHook
	retainers []*Tensor // outputs that keep their gradient
	watched   []*watch
	hooked    []*tensorHooks
	origin    *origin
	front     any // of a front end
}

// An origin is what anomaly mode remembers of a node: where the forward op was
// called, and the node of a backward pass that called it.
type origin struct {
	stack  graph.Stack
	parent *Node
}

// tensorHooks are the hooks on one output of a node.
type tensorHooks struct {
	output int
	hooks  []*hook
}

func (n *Node) extend() *nodeExtension {
	if n.ext == nil {
		n.ext = new(nodeExtension)
	}
	return n.ext
}

// maxSequence is the sequence number of AccumulateGrad nodes, which run as soon
// as they can.
const maxSequence = graph.MaxSequence

func (n *Node) init() *Node {
	n.seq = current.sequence
	current.sequence++
	n.edges, n.saved, n.outs = n.edge2[:0], n.saved2[:0], n.out1[:0]
	if anomalyMode() {
		n.extend().origin = &origin{programStack(), current.running}
	}
	return n
}

// ClassName returns the name of the node's class: MulBackward0.
func (n *Node) ClassName() string {
	if n.apply != nil {
		return n.apply.className()
	}
	return n.op.Node
}

// Name returns the node's name as PyTorch's name() gives it; some built-in nodes
// carry a namespace there.
func (n *Node) Name() string {
	if n == nil {
		return "None"
	}
	if n.apply != nil {
		return n.apply.fullName()
	}
	if n.op.Node == "CopyBackwards" {
		return "torch::autograd::CopyBackwards"
	}
	return n.op.Node
}

// String returns the node's class.
func (n *Node) String() string {
	if n == nil {
		return "None"
	}
	return n.ClassName()
}

// NextFunctions returns the edges to the nodes that receive this node's gradients,
// one for each differentiable input of the operator. It must not be changed.
func (n *Node) NextFunctions() []Edge {
	if n == nil {
		return nil
	}
	return n.edges
}

// SequenceNr returns the node's place in the order of creation, which is its
// priority in backward.
func (n *Node) SequenceNr() uint64 {
	if n == nil {
		return 0
	}
	return n.seq
}

// Variable returns the leaf of an AccumulateGrad node, or nil.
func (n *Node) Variable() *Tensor {
	if n == nil {
		return nil
	}
	if a, ok := n.apply.(*accumulateGrad); ok {
		return a.leaf
	}
	return nil
}

// Expression writes the graph above the node as nested calls, as in
// MulBackward0(AccumulateGrad, None). Shared nodes appear once per use, down to
// depth levels.
func (n *Node) Expression(depth int) string {
	if n == nil {
		return "None"
	}
	if depth == 0 {
		return "..."
	}
	if len(n.edges) == 0 {
		return n.ClassName()
	}
	parts := make([]string, len(n.edges))
	for i, e := range n.edges {
		parts[i] = e.Node.Expression(depth - 1)
	}
	return n.ClassName() + "(" + strings.Join(parts, ", ") + ")"
}

// gradEdge is where the gradient of t goes: nowhere, to its grad_fn, or to the
// AccumulateGrad node of a leaf, which is made on demand.
func gradEdge(t *Tensor) (Edge, error) {
	if t == nil || !t.requiresGrad() {
		return Edge{}, nil
	}
	fn, err := t.GradFn()
	if err != nil {
		return Edge{}, err
	}
	if fn != nil {
		return Edge{fn, int(t.outputNr)}, nil
	}
	if t.flags&requiresGradFlag == 0 {
		return Edge{}, nil // a view made under no_grad
	}
	return Edge{accumulatorOf(t), 0}, nil
}

func accumulatorOf(t *Tensor) *Node {
	x := t.extend()
	if x.accumulator == nil {
		n := &Node{apply: &accumulateGrad{leaf: t}, seq: maxSequence}
		n.outs = append(n.out1[:0], output{t.sizes, t.dtype})
		x.accumulator = n
	}
	return x.accumulator
}

func (n *Node) addEdge(t *Tensor) error {
	e, err := gradEdge(t)
	if e.Node != nil || n.op == nil || n.op.Node != notImplemented {
		n.edges = append(n.edges, e)
	}
	return err
}

// addOutput makes t the next output of the node.
func (n *Node) addOutput(t *Tensor) {
	t.setHistory(n, len(n.outs))
	n.outs = append(n.outs, output{t.sizes, t.dtype})
}

func (n *Node) setOutput(i int, t *Tensor) {
	if i < len(n.outs) {
		n.outs[i] = output{t.sizes, t.dtype}
	}
}

// release frees what the node saved.
func (n *Node) release() {
	for i := range n.saved {
		n.saved[i].release()
	}
	if n.apply != nil {
		n.apply.release(n)
	}
	n.freed = true
}

// A saved slot holds a tensor for the backward formula, with its version at the
// time.
type saved struct {
	tensor   *Tensor
	version  uint32
	outputNr uint16
	kind     slotKind
	leaf     bool
	isOutput bool // a result of the node's own op, with or without history
	inView   bool // a result that is a view changed in place
	copied   bool // a private copy of an input that was changed in place
	packed   *packed
}

type slotKind uint8

const (
	emptySlot  slotKind = iota // reads as None, also after freeing
	inputSlot                  // an input, or a leaf
	resultSlot                 // a result of the node's own op
	freedSlot
)

// save fills the next slot with a tensor; nil leaves it empty. isResult says
// that it is a result of the node's op.
func (n *Node) save(t *Tensor, isResult bool) error {
	var s saved
	if t != nil {
		if t.IsInference() {
			return fail(RuntimeError, CodeInference, "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal tensor and use it in autograd.")
		}
		s = saved{tensor: t, version: t.version.v, leaf: t.gradFn == nil, kind: inputSlot, isOutput: isResult}
		if isResult && t.gradFn != nil {
			s.kind, s.outputNr, s.inView = resultSlot, uint16(t.outputNr), t.IsView()
		}
		if hooks := current.savedHooks; len(hooks) > 0 && t.flags&numberFlag == 0 {
			if err := s.pack(hooks[len(hooks)-1], t); err != nil {
				return err
			}
		}
	}
	n.saved = append(n.saved, s)
	return nil
}

func (s *saved) release() {
	if s.kind != emptySlot {
		s.kind, s.tensor, s.packed = freedSlot, nil, nil
	}
}

const freedText = "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward."

func freedError() *Error { return fail(RuntimeError, CodeFreed, freedText) }

// unpack reads a slot, after the checks that PyTorch's SavedVariable::unpack
// makes. n is the node that saved it.
func (s *saved) unpack(n *Node) (*Tensor, error) {
	switch s.kind {
	case emptySlot:
		return nil, nil
	case freedSlot:
		return nil, freedError()
	}
	if s.packed != nil {
		return s.packed.unpack(n)
	}
	t, fn := s.tensor, n
	if s.kind == inputSlot || s.inView {
		var err error
		if fn, err = t.GradFn(); err != nil {
			return nil, err
		}
		if !s.leaf && fn == nil {
			return nil, fail(RuntimeError, CodeVersion, "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please use out-of-place `.detach()` instead")
		}
	}
	if t.version.v != s.version {
		return nil, s.versionError(fn)
	}
	if s.kind == inputSlot || t.gradFn == fn && t.outputNr == uint32(s.outputNr) {
		return t, nil
	}
	return s.alias(fn), nil
}

// alias returns the saved tensor as PyTorch hands out a result: another tensor, which
// has the node for its grad_fn whatever became of the result itself.
func (s *saved) alias(fn *Node) *Tensor {
	t := s.tensor
	v := t.shallow(t.sizes, t.strides, t.offset)
	v.gradFn, v.outputNr = fn, uint32(s.outputNr)
	if d := tangentOf(t); d != nil {
		setTangent(v, d)
	}
	return v
}

// reveal is unpack for programs.
func (s *saved) reveal(n *Node) (*Tensor, error) {
	t, err := s.unpack(n)
	if err != nil || s.packed != nil || t != s.tensor || s.kind != resultSlot {
		return t, err
	}
	return s.alias(t.gradFn), nil
}

func (s *saved) versionError(fn *Node) *Error {
	t := s.tensor
	which := ""
	if fn != nil {
		which = ", which is output " + itoa(int(s.outputNr)) + " of " + fn.Name() + ","
	}
	typ := typeString(t.dtype)
	if t.dtype == Bool {
		typ = "CPUBoolType"
	}
	hint := "enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True)."
	if anomalyMode() {
		hint = "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!"
	}
	return fail(RuntimeError, CodeVersion, "one of the variables needed for gradient computation has been modified by an inplace operation: [%s %s]%s is at version %d; expected version %d instead. Hint: %s",
		typ, repr.List(t.sizes), which, t.version.v, s.version, hint)
}

// slotNames returns the names of the saved tensors, in the order of n.saved.
func (n *Node) slotNames() []string {
	switch fn := n.apply.(type) {
	case nil:
		return n.op.slotNamesOf(n)
	case *functionNode:
		return fn.slotNames(n)
	}
	return nil
}

// SavedNames returns the names of the tensors that the node saved, in the order in
// which they were saved; slots that were left empty are included.
func (n *Node) SavedNames() []string {
	if n == nil {
		return nil
	}
	return n.slotNames()
}

// Saved reads a saved tensor, as the attribute _saved_name does: nil for a slot
// that was never filled, an error when the tensor was freed or changed in place.
func (n *Node) Saved(name string) (*Tensor, error) {
	if n == nil {
		return nil, noneError("_saved_" + name)
	}
	for i, slot := range n.slotNames() {
		if slot == name {
			return n.saved[i].reveal(n)
		}
	}
	return nil, fail(AttributeError, CodeAttribute, "'%s' object has no attribute '_saved_%s'", n.ClassName(), name)
}
