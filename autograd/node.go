package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/repr"
	"github.com/gradtui/gradtui/graph"
)

// A Node is a function of the backward graph: the grad_fn of the tensors that
// an operator computed. It holds its edges, the saved tensors of its formula,
// and its sequence number.
type Node struct {
	op    *Op     // the operator; nil for special nodes
	apply applier // the function of a special node; nil: the op's formulas
	args  *Args   // the non-tensor arguments
	edges []Edge
	saved []saved
	outs  []output // shape and dtype of each result of the forward op
	seq   uint64
	ext   *nodeExtension
	freed bool
	state *passState // state in the innermost backward pass that visits the node

	id     graph.NodeID
	gen    uint32
	handle uint32 // the front end's number for the node

	// The first elements of edges, saved and outs live here.
	edge2  [2]Edge
	saved2 [2]saved
	out1   [1]output
}

// An Edge leads to the node that receives a gradient. Its Node is nil if the
// input does not require grad.
type Edge struct {
	Node  *Node
	Input int // index of the result of Node's forward op
}

// output describes a result of a forward op. Its gradients must have this shape
// and are cast to this dtype.
type output struct {
	sizes []int
	dtype DType
}

// An applier is the backward function of a node that the op table does not
// describe: AccumulateGrad, CopySlices, custom functions.
type applier interface {
	// className returns the name that printing shows; the full name may include
	// a namespace.
	className() string
	fullName() string
	// backward computes the gradients for the edges from one gradient for each
	// result of the forward op. nil is an undefined gradient.
	backward(p *pass, n *Node, grads []*Tensor) ([]*Tensor, error)
	// release drops the saved tensors.
	release(n *Node)
}

type nodeExtension struct {
	pre, post []*nodeHook
	retainers []*Tensor // outputs that retain their gradient
	watched   []*watch
	hooked    []*tensorHooks
	origin    *origin
	front     any // a front end's object, see SetFrontEnd
	rule      int // that says how much is recorded of the gradients of its results
}

// An origin is what anomaly mode records about a node: where the forward op was
// called, and the node of the backward pass that called it.
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

// maxSequence is the sequence number of AccumulateGrad nodes, which run as
// early as possible.
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

// Name returns the node's name as PyTorch's name() does; for some built-in
// nodes it includes a namespace.
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

// String returns the name of the node's class.
func (n *Node) String() string {
	if n == nil {
		return "None"
	}
	return n.ClassName()
}

// NextFunctions returns the edges to the nodes that receive this node's
// gradients, one for each differentiable input of the operator. The slice must
// not be changed.
func (n *Node) NextFunctions() []Edge {
	if n == nil {
		return nil
	}
	return n.edges
}

// SequenceNr returns the node's sequence number. Backward runs ready nodes with
// higher numbers first.
func (n *Node) SequenceNr() uint64 {
	if n == nil {
		return 0
	}
	return n.seq
}

// Variable returns the leaf of an AccumulateGrad node, or nil for other nodes.
func (n *Node) Variable() *Tensor {
	if n == nil {
		return nil
	}
	if a, ok := n.apply.(*accumulateGrad); ok {
		return a.leaf
	}
	return nil
}

// Expression returns the graph above the node as nested calls, at most depth
// levels deep, as in MulBackward0(AccumulateGrad, None). Shared nodes appear
// once per use.
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

// gradEdge returns the edge for the gradient of t: no node, the grad_fn, or the
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

// release frees the saved tensors of the node.
func (n *Node) release() {
	for i := range n.saved {
		n.saved[i].release()
	}
	if n.apply != nil {
		n.apply.release(n)
	}
	n.freed = true
}

// saved is a slot of a node: a tensor for the backward formula, with its
// version when it was saved.
type saved struct {
	tensor   *Tensor
	version  uint32
	outputNr uint16
	kind     slotKind
	leaf     bool
	isOutput bool // a result of the node's own op, with or without history
	inView   bool // a result that is a view modified in place
	copied   bool // a private copy of an input that was modified in place
	packed   *packed
}

type slotKind uint8

const (
	emptySlot  slotKind = iota // reads as None, even after freeing
	inputSlot                  // an input, or a leaf
	resultSlot                 // a result of the node's own op
	freedSlot
)

// save fills the next slot with a tensor, or leaves it empty for nil. isResult
// says that the tensor is a result of the node's op.
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

// unpack reads a slot, with the checks of PyTorch's SavedVariable::unpack. n is
// the node that saved the tensor.
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

// alias returns a saved result as PyTorch does: as another tensor, whose
// grad_fn is the node, whatever the history of the result is now.
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

// SavedNames returns the names of the saved tensors in the order in which they
// were saved, including empty slots.
func (n *Node) SavedNames() []string {
	if n == nil {
		return nil
	}
	return n.slotNames()
}

// Saved returns a saved tensor, as the attribute _saved_name does: nil for an
// empty slot, an error if the tensor was freed or modified in place.
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
