package graph

import "math"

// TensorCreated says that a tensor object came into being: by a factory, as
// the result of an op, or because the recorder met it for the first time.
type TensorCreated struct {
	Tensor  TensorID
	Storage StorageID
	Bytes   uint64 // size of the storage, whoever shares it
	Counter CounterID
	Version uint32 // of the counter, now
	DType   DType
	Shape   []int
	Strides []int // in elements; empty when the tensor is contiguous
	Offset  uint64
	Flags   TensorFlags
	Node    NodeID   // grad_fn; zero for a leaf
	Output  uint32   // output_nr: which result of Node
	Base    TensorID // the tensor this is a view of, never itself a view
	View    ViewKind
	Value   Value
}

// TensorFlags are facts about a tensor at its creation.
type TensorFlags uint8

// Facts about a tensor.
const (
	FlagRequiresGrad TensorFlags = 1 << iota // the flag itself; a grad_fn implies it too
	FlagParameter                            // an nn.Parameter
	FlagNumber                               // a Python number that an operator wrapped
	FlagInference                            // created in inference mode
	FlagExisting                             // created before recording began
	FlagGradient                             // a gradient made by a backward pass
)

var tensorFlagNames = []string{"requires_grad", "parameter", "number", "inference", "existing", "gradient"}

// ViewKind says how a view may be used; PyTorch calls it the creation kind.
type ViewKind uint8

// The kinds of views.
const (
	NotAView        ViewKind = iota
	PlainView                // an ordinary view: in-place changes rewrite the history of its base
	MultiOutputView          // one of several views made by one op (unbind, split): in-place changes are errors
	NoGradView               // made under no_grad
	FunctionView             // returned by a custom Function
	InferenceView            // made in inference mode
)

var viewNames = []string{"none", "plain", "multi_output", "no_grad", "function", "inference"}

func (v ViewKind) String() string { return enumName(uint8(v), viewNames) }

// Kind returns KindTensorCreated.
func (*TensorCreated) Kind() Kind { return KindTensorCreated }

func (e *TensorCreated) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	number(c, "storage", &e.Storage)
	number(c, "bytes", &e.Bytes)
	number(c, "counter", &e.Counter)
	number(c, "version", &e.Version)
	enum(c, "dtype", &e.DType, dtypeNames)
	ints(c, "shape", &e.Shape)
	ints(c, "strides", &e.Strides)
	number(c, "offset", &e.Offset)
	flags(c, "flags", &e.Flags, tensorFlagNames)
	number(c, "node", &e.Node)
	number(c, "output", &e.Output)
	number(c, "base", &e.Base)
	enum(c, "view", &e.View, viewNames)
	object(c, "value", &e.Value, (*Value).fields)
}

// OpRan says that an operator ran. Its results, and the node if one was made,
// were announced before it.
type OpRan struct {
	Op      StringID // "mul", "add_"
	Inputs  []TensorID
	Outputs []TensorID
	Mutated []TensorID // inputs that it changed in place
	Node    NodeID     // the node that it created, or zero
	Attrs   []Attr     // arguments that are no tensors
}

// Kind returns KindOpRan.
func (*OpRan) Kind() Kind { return KindOpRan }

func (e *OpRan) fields(c *codec) {
	c.str("op", &e.Op)
	ids(c, "inputs", &e.Inputs)
	ids(c, "outputs", &e.Outputs)
	ids(c, "mutated", &e.Mutated)
	number(c, "node", &e.Node)
	list(c, "attrs", &e.Attrs, record((*Attr).fields))
}

// NodeCreated says that a node of the backward graph came into being.
type NodeCreated struct {
	Node     NodeID
	Name     StringID // "MulBackward0"
	Sequence uint64   // creation order, which is the priority in backward; MaxSequence for AccumulateGrad
	Outputs  uint32   // results of the forward op, which are the node's inputs in backward
	Variable TensorID // the leaf of an AccumulateGrad node
	Edges    []Edge   // next_functions: one for each differentiable input of the op
	Saved    []Saved
	Attrs    []Attr // saved values that are no tensors
}

// MaxSequence is the sequence number of AccumulateGrad nodes: they run as soon
// as they are ready.
const MaxSequence = math.MaxUint64

// Edge points to the node that receives a gradient. Node zero stands for an
// input that needs none.
type Edge struct {
	Node  NodeID
	Input uint32 // which result of Node's forward op the gradient belongs to
}

func (e *Edge) fields(c *codec) {
	number(c, "node", &e.Node)
	number(c, "input", &e.Input)
}

// Saved is a tensor that a node keeps for its backward formula.
type Saved struct {
	Name    StringID // "self", "result"; elements of a list carry an index: "indices[0]"
	Tensor  TensorID // zero: the slot is empty
	Version uint32   // of the tensor when it was saved
	Flags   SavedFlags
}

// SavedFlags are facts about a saved tensor.
type SavedFlags uint8

// Facts about a saved tensor.
const (
	SavedOutput SavedFlags = 1 << iota // a result of the very op that saved it
	SavedLeaf                          // it was a leaf when it was saved
	SavedCopy                          // a private copy, taken because the op worked in place
)

var savedFlagNames = []string{"output", "leaf", "copy"}

func (s *Saved) fields(c *codec) {
	c.str("name", &s.Name)
	number(c, "tensor", &s.Tensor)
	number(c, "version", &s.Version)
	flags(c, "flags", &s.Flags, savedFlagNames)
}

// Kind returns KindNodeCreated.
func (*NodeCreated) Kind() Kind { return KindNodeCreated }

func (e *NodeCreated) fields(c *codec) {
	number(c, "node", &e.Node)
	c.str("name", &e.Name)
	number(c, "sequence", &e.Sequence)
	number(c, "outputs", &e.Outputs)
	number(c, "variable", &e.Variable)
	list(c, "edges", &e.Edges, record((*Edge).fields))
	list(c, "saved", &e.Saved, record((*Saved).fields))
	list(c, "attrs", &e.Attrs, record((*Attr).fields))
}

// Mutated says that the memory of a tensor was changed in place, which moved
// its version counter.
type Mutated struct {
	Tensor   TensorID
	From, To uint32 // version
	Value    Value  // afterwards
}

// Kind returns KindMutated.
func (*Mutated) Kind() Kind { return KindMutated }

func (e *Mutated) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	number(c, "from", &e.From)
	number(c, "to", &e.To)
	object(c, "value", &e.Value, (*Value).fields)
}

// Rebased says that an existing tensor got another grad_fn.
type Rebased struct {
	Tensor    TensorID
	OldNode   NodeID
	OldOutput uint32
	Node      NodeID
	Output    uint32
	Why       RebaseReason
}

// RebaseReason says why a tensor got another grad_fn.
type RebaseReason uint8

// The reasons for a new grad_fn.
const (
	RebasedInPlace   RebaseReason = iota + 1 // an in-place op on the tensor
	RebasedBase                              // an in-place op on a view of the tensor (CopySlices)
	RebasedStaleView                         // the base of this view, or another view of it, was changed
	RebasedDetach                            // detach_()
	RebasedFunction                          // a custom Function marked it dirty
)

var rebaseNames = []string{"", "inplace", "base", "stale_view", "detach", "function"}

func (r RebaseReason) String() string { return enumName(uint8(r), rebaseNames) }

// Kind returns KindRebased.
func (*Rebased) Kind() Kind { return KindRebased }

func (e *Rebased) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	number(c, "old_node", &e.OldNode)
	number(c, "old_output", &e.OldOutput)
	number(c, "node", &e.Node)
	number(c, "output", &e.Output)
	enum(c, "why", &e.Why, rebaseNames)
}

// RequiresGrad says that the requires_grad flag of a tensor was set.
type RequiresGrad struct {
	Tensor TensorID
	To     bool
}

// Kind returns KindRequiresGrad.
func (*RequiresGrad) Kind() Kind { return KindRequiresGrad }

func (e *RequiresGrad) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	c.bool("to", &e.To)
}

// RetainGrad says that a tensor that is no leaf will keep its gradient.
type RetainGrad struct{ Tensor TensorID }

// Kind returns KindRetainGrad.
func (*RetainGrad) Kind() Kind { return KindRetainGrad }

func (e *RetainGrad) fields(c *codec) { number(c, "tensor", &e.Tensor) }

// LineageCut says that values flowed from tensors to another one, or out of
// the tensor world, without a path for the gradient.
type LineageCut struct {
	Why    CutReason
	Inputs []TensorID
	Output TensorID // zero when the value left as a plain number or array
}

// CutReason says how the path of the gradient was cut.
type CutReason uint8

// The reasons for a cut.
const (
	CutDetach    CutReason = iota + 1 // detach()
	CutData                           // .data
	CutItem                           // item(), float(), tolist(), bool()
	CutNumpy                          // numpy()
	CutNoGrad                         // an op under no_grad or inference_mode
	CutParameter                      // a new Parameter around the values
	CutCopy                           // torch.tensor(t) and other copies without history
	CutInteger                        // an op whose result cannot have a gradient
	CutDeepcopy                       // copy.deepcopy
)

var cutNames = []string{"", "detach", "data", "item", "numpy", "no_grad", "parameter", "copy", "integer", "deepcopy"}

func (r CutReason) String() string { return enumName(uint8(r), cutNames) }

// Kind returns KindLineageCut.
func (*LineageCut) Kind() Kind { return KindLineageCut }

func (e *LineageCut) fields(c *codec) {
	enum(c, "why", &e.Why, cutNames)
	ids(c, "inputs", &e.Inputs)
	number(c, "output", &e.Output)
}

// BackwardBegan says that backward() or autograd.grad() began.
type BackwardBegan struct {
	Backward BackwardID
	Flags    BackwardFlags
	Roots    []Root
	Inputs   []TensorID // inputs= of backward, or the inputs of grad; empty: all leaves
}

// BackwardFlags are the options of a backward pass.
type BackwardFlags uint8

// The options of a backward pass.
const (
	RetainGraph BackwardFlags = 1 << iota
	CreateGraph
	GradOnly // autograd.grad: results are returned, no .grad is touched
)

var backwardFlagNames = []string{"retain_graph", "create_graph", "grad"}

// Root is an output that a backward pass starts from.
type Root struct {
	Tensor TensorID
	Node   NodeID
	Output uint32
	Grad   Grad
}

func (r *Root) fields(c *codec) {
	number(c, "tensor", &r.Tensor)
	number(c, "node", &r.Node)
	number(c, "output", &r.Output)
	object(c, "grad", &r.Grad, (*Grad).fields)
}

// Grad is a gradient that travels through the graph. A zero Grad is an
// undefined gradient (None).
type Grad struct {
	Shape []int
	Value Value
}

// Defined reports whether there is a gradient.
func (g Grad) Defined() bool { return g.Value.Known() }

func (g *Grad) fields(c *codec) {
	ints(c, "shape", &g.Shape)
	g.Value.fields(c)
}

// Kind returns KindBackwardBegan.
func (*BackwardBegan) Kind() Kind { return KindBackwardBegan }

func (e *BackwardBegan) fields(c *codec) {
	number(c, "backward", &e.Backward)
	flags(c, "flags", &e.Flags, backwardFlagNames)
	list(c, "roots", &e.Roots, record((*Root).fields))
	ids(c, "inputs", &e.Inputs)
}

// GradArrived says that a gradient reached a node that waits for more than
// one, or an input whose gradient had to be summed over broadcast dimensions.
type GradArrived struct {
	Backward BackwardID
	Node     NodeID // the receiver
	Input    uint32 // which of its inputs
	From     NodeID // the sender; zero: a root gradient
	Index    uint32 // which edge of the sender
	Waiting  uint32 // how many more the receiver waits for
	Grad     Grad   // this contribution, in the shape of the receiver's input
	Sum      Grad   // the sum of the contributions to Input so far
	Raw      []int  // the shape before broadcasting was undone; empty: the same
}

// Kind returns KindGradArrived.
func (*GradArrived) Kind() Kind { return KindGradArrived }

func (e *GradArrived) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
	number(c, "input", &e.Input)
	number(c, "from", &e.From)
	number(c, "index", &e.Index)
	number(c, "waiting", &e.Waiting)
	object(c, "grad", &e.Grad, (*Grad).fields)
	object(c, "sum", &e.Sum, (*Grad).fields)
	ints(c, "raw", &e.Raw)
}

// NodeReady says that a node entered the ready queue.
type NodeReady struct {
	Backward BackwardID
	Node     NodeID
}

// Kind returns KindNodeReady.
func (*NodeReady) Kind() Kind { return KindNodeReady }

func (e *NodeReady) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
}

// NodeExecuted says that a node ran. In has a gradient for each result of its
// forward op, Out one for each edge.
type NodeExecuted struct {
	Backward BackwardID
	Node     NodeID
	In, Out  []Grad
}

// Kind returns KindNodeExecuted.
func (*NodeExecuted) Kind() Kind { return KindNodeExecuted }

func (e *NodeExecuted) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
	list(c, "in", &e.In, record((*Grad).fields))
	list(c, "out", &e.Out, record((*Grad).fields))
}

// SavedFreed says that a node dropped its saved tensors.
type SavedFreed struct {
	Backward BackwardID
	Node     NodeID
}

// Kind returns KindSavedFreed.
func (*SavedFreed) Kind() Kind { return KindSavedFreed }

func (e *SavedFreed) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
}

// GradAccumulated says that a gradient was added to a tensor's .grad.
type GradAccumulated struct {
	Backward BackwardID
	Tensor   TensorID
	Grad     TensorID // .grad afterwards
	How      AccumulateMode
	Added    Grad  // what was added
	Value    Value // of .grad afterwards
}

// AccumulateMode says how a gradient got into .grad.
type AccumulateMode uint8

// The ways to accumulate.
const (
	AccumulateSteal   AccumulateMode = iota + 1 // .grad was None and took over the gradient
	AccumulateCopy                              // .grad was None and became a copy
	AccumulateInPlace                           // added in place
	AccumulateNew                               // replaced by the sum, a new tensor
	AccumulateRetain                            // stored by retain_grad()
)

var accumulateNames = []string{"", "steal", "copy", "inplace", "new", "retain"}

func (m AccumulateMode) String() string { return enumName(uint8(m), accumulateNames) }

// Kind returns KindGradAccumulated.
func (*GradAccumulated) Kind() Kind { return KindGradAccumulated }

func (e *GradAccumulated) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "tensor", &e.Tensor)
	number(c, "grad", &e.Grad)
	enum(c, "how", &e.How, accumulateNames)
	object(c, "added", &e.Added, (*Grad).fields)
	object(c, "value", &e.Value, (*Value).fields)
}

// GradAssigned says that the program assigned .grad.
type GradAssigned struct {
	Tensor TensorID
	Grad   TensorID // zero: None
}

// Kind returns KindGradAssigned.
func (*GradAssigned) Kind() Kind { return KindGradAssigned }

func (e *GradAssigned) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	number(c, "grad", &e.Grad)
}

// BackwardEnded says that a backward pass ended normally.
type BackwardEnded struct{ Backward BackwardID }

// Kind returns KindBackwardEnded.
func (*BackwardEnded) Kind() Kind { return KindBackwardEnded }

func (e *BackwardEnded) fields(c *codec) { number(c, "backward", &e.Backward) }

// BackwardFailed says that a backward pass ended with an error.
type BackwardFailed struct {
	Backward BackwardID
	Node     NodeID   // the node that failed; zero if none was running
	Type     StringID // "RuntimeError"
	Message  string
}

// Kind returns KindBackwardFailed.
func (*BackwardFailed) Kind() Kind { return KindBackwardFailed }

func (e *BackwardFailed) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
	c.str("type", &e.Type)
	c.text("message", &e.Message)
}

// HookRan says that a hook of the program ran.
type HookRan struct {
	Backward BackwardID // zero for a hook of a forward pass
	Hook     HookKind
	Tensor   TensorID // for hooks on tensors
	Node     NodeID   // for hooks on nodes
	Replaced bool     // it returned another gradient
	Grad     Grad     // afterwards
}

// HookKind says what a hook hangs on.
type HookKind uint8

// The kinds of hooks.
const (
	HookTensor         HookKind = iota + 1 // Tensor.register_hook
	HookNodePre                            // Node.register_prehook
	HookNodePost                           // Node.register_hook
	HookPostAccumulate                     // Tensor.register_post_accumulate_grad_hook
	HookModule                             // hooks of modules
)

var hookNames = []string{"", "tensor", "pre", "post", "post_accumulate", "module"}

func (h HookKind) String() string { return enumName(uint8(h), hookNames) }

// Kind returns KindHookRan.
func (*HookRan) Kind() Kind { return KindHookRan }

func (e *HookRan) fields(c *codec) {
	number(c, "backward", &e.Backward)
	enum(c, "hook", &e.Hook, hookNames)
	number(c, "tensor", &e.Tensor)
	number(c, "node", &e.Node)
	c.bool("replaced", &e.Replaced)
	object(c, "grad", &e.Grad, (*Grad).fields)
}

// OptimizerStepped says that an optimizer began or finished a step. The ops
// between the two belong to it.
type OptimizerStepped struct {
	Optimizer StringID // "SGD"
	Done      bool     // false: it begins
	Params    []TensorID
}

// Kind returns KindOptimizerStepped.
func (*OptimizerStepped) Kind() Kind { return KindOptimizerStepped }

func (e *OptimizerStepped) fields(c *codec) {
	c.str("optimizer", &e.Optimizer)
	c.bool("done", &e.Done)
	ids(c, "params", &e.Params)
}

// GradsZeroed says that zero_grad() was called. What it did to each .grad
// follows as GradAssigned or Mutated.
type GradsZeroed struct {
	By        StringID // the optimizer's or module's class
	SetToNone bool
	Params    []TensorID
}

// Kind returns KindGradsZeroed.
func (*GradsZeroed) Kind() Kind { return KindGradsZeroed }

func (e *GradsZeroed) fields(c *codec) {
	c.str("by", &e.By)
	c.bool("set_to_none", &e.SetToNone)
	ids(c, "params", &e.Params)
}

// NameBound says that a name of the program now means a tensor.
type NameBound struct {
	Name   StringID // "loss", "self.weight", "layers.0.bias"
	Scope  StringID // function, class or module that the name belongs to; empty: global
	Tensor TensorID // zero: the name was unbound
}

// Kind returns KindNameBound.
func (*NameBound) Kind() Kind { return KindNameBound }

func (e *NameBound) fields(c *codec) {
	c.str("name", &e.Name)
	c.str("scope", &e.Scope)
	number(c, "tensor", &e.Tensor)
}

// ModuleEntered says that the forward pass of a module began.
type ModuleEntered struct {
	Path StringID // "encoder.layers.0"; empty for the root module
	Type StringID // "Linear"
}

// Kind returns KindModuleEntered.
func (*ModuleEntered) Kind() Kind { return KindModuleEntered }

func (e *ModuleEntered) fields(c *codec) {
	c.str("path", &e.Path)
	c.str("type", &e.Type)
}

// ModuleLeft says that the innermost module of the thread returned.
type ModuleLeft struct{}

// Kind returns KindModuleLeft.
func (*ModuleLeft) Kind() Kind { return KindModuleLeft }

func (e *ModuleLeft) fields(*codec) {}

// LineReached says that the program reached the line at the top of its stack.
type LineReached struct{}

// Kind returns KindLineReached.
func (*LineReached) Kind() Kind { return KindLineReached }

func (e *LineReached) fields(*codec) {}

// OutputWritten says that the program wrote to stdout (1) or stderr (2).
type OutputWritten struct {
	Stream uint8
	Text   string
}

// Kind returns KindOutputWritten.
func (*OutputWritten) Kind() Kind { return KindOutputWritten }

func (e *OutputWritten) fields(c *codec) {
	number(c, "stream", &e.Stream)
	c.text("text", &e.Text)
}

// Warned says that a warning was issued.
type Warned struct {
	Category StringID // "UserWarning"
	Message  string
}

// Kind returns KindWarned.
func (*Warned) Kind() Kind { return KindWarned }

func (e *Warned) fields(c *codec) {
	c.str("category", &e.Category)
	c.text("message", &e.Message)
}

// Raised says that an error was raised to the program.
type Raised struct {
	Type    StringID // "RuntimeError"
	Code    StringID // a stable word for the cause: "freed", "version"
	Op      StringID // the operator that raised it, if one did
	Message string
}

// Kind returns KindRaised.
func (*Raised) Kind() Kind { return KindRaised }

func (e *Raised) fields(c *codec) {
	c.str("type", &e.Type)
	c.str("code", &e.Code)
	c.str("op", &e.Op)
	c.text("message", &e.Message)
}

// Iteration says that an iteration of the program's main loop began.
type Iteration struct {
	Number uint64
	Label  StringID
}

// Kind returns KindIteration.
func (*Iteration) Kind() Kind { return KindIteration }

func (e *Iteration) fields(c *codec) {
	number(c, "number", &e.Number)
	c.str("label", &e.Label)
}

// ModeChanged says that a mode of the thread was switched.
type ModeChanged struct {
	Mode Mode
	To   bool
}

// Mode is one of the switches that PyTorch keeps.
type Mode uint8

// The modes.
const (
	GradMode Mode = iota + 1 // on at the start
	InferenceMode
	AnomalyMode
)

var modeNames = []string{"", "grad", "inference", "anomaly"}

func (m Mode) String() string { return enumName(uint8(m), modeNames) }

// Kind returns KindModeChanged.
func (*ModeChanged) Kind() Kind { return KindModeChanged }

func (e *ModeChanged) fields(c *codec) {
	enum(c, "mode", &e.Mode, modeNames)
	c.bool("to", &e.To)
}

// TensorReleased says that the program cannot reach a tensor any more, except
// through the graph.
type TensorReleased struct{ Tensor TensorID }

// Kind returns KindTensorReleased.
func (*TensorReleased) Kind() Kind { return KindTensorReleased }

func (e *TensorReleased) fields(c *codec) { number(c, "tensor", &e.Tensor) }

// NodeReleased says that a node was destroyed, and with it what it saved.
type NodeReleased struct{ Node NodeID }

// Kind returns KindNodeReleased.
func (*NodeReleased) Kind() Kind { return KindNodeReleased }

func (e *NodeReleased) fields(c *codec) { number(c, "node", &e.Node) }

// RecordingStopped says why no more events follow although the program went on.
type RecordingStopped struct{ Reason string }

// Kind returns KindRecordingStopped.
func (*RecordingStopped) Kind() Kind { return KindRecordingStopped }

func (e *RecordingStopped) fields(c *codec) { c.text("reason", &e.Reason) }
