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
	Shape   []int  // size of each dimension
	Strides []int  // in elements; empty when the tensor is contiguous
	Offset  uint64 // of the first element in the storage, in elements
	Flags   TensorFlags
	Node    NodeID   // grad_fn; zero for a leaf
	Output  uint32   // output_nr: which result of Node
	Base    TensorID // the tensor this is a view of, never itself a view
	View    ViewKind
	Value   Value
	Device  StringID // where it is, as PyTorch names it: "cuda:0"; empty: the CPU
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
	if c.brief {
		return
	}
	object(c, "value", &e.Value, (*Value).fields)
	c.rare("device", &e.Device)
}

// OpRan says that an operator ran. Its results, and the node if one was made,
// were announced before it.
type OpRan struct {
	Op      StringID   // "mul", "add_"
	Inputs  []TensorID // in the order of its parameters; zero stands for None
	Outputs []TensorID // its results, which may be inputs
	Mutated []TensorID // inputs that it changed in place
	Node    NodeID     // the node that it created, or zero
	Attrs   []Attr     // arguments that are not tensors
}

// Kind returns KindOpRan.
func (*OpRan) Kind() Kind { return KindOpRan }

func (e *OpRan) fields(c *codec) {
	c.str("op", &e.Op)
	ids(c, "inputs", &e.Inputs)
	ids(c, "outputs", &e.Outputs)
	ids(c, "mutated", &e.Mutated)
	number(c, "node", &e.Node)
	list(c, "attrs", &e.Attrs, (*Attr).fields)
}

// NodeCreated says that a node of the backward graph came into being.
type NodeCreated struct {
	Node     NodeID
	Name     StringID // "MulBackward0"
	Sequence uint64   // creation order, which is the priority in backward; MaxSequence for AccumulateGrad
	Outputs  uint32   // results of the forward op, which are the node's inputs in backward
	Variable TensorID // the leaf of an AccumulateGrad node
	Edges    []Edge   // next_functions: one for each differentiable input of the op
	Saved    []Saved  // what its backward formula needs
	Attrs    []Attr   // saved values that are not tensors
	Inner    NodeID   // CopySlices: the node that it applies to a part of the gradient
	Results  []Result // what the results of the forward op look like, one for each; empty: their tensors say so
}

// Result is what a result of a forward op looks like: PyTorch's input_metadata. A node has
// them on the tape where no tensor of the program is its result, as within an op that
// others are composed of.
type Result struct {
	DType DType
	Shape []int // size of each dimension
}

// Known reports whether it is known what the result looks like.
func (r Result) Known() bool { return r.DType != NoDType }

func (r *Result) fields(c *codec) {
	enum(c, "dtype", &r.DType, dtypeNames)
	ints(c, "shape", &r.Shape)
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
	list(c, "edges", &e.Edges, (*Edge).fields)
	list(c, "saved", &e.Saved, (*Saved).fields)
	if c.brief {
		return
	}
	list(c, "attrs", &e.Attrs, (*Attr).fields)
	number(c, "inner", &e.Inner)
	rareList(c, "results", &e.Results, (*Result).fields)
}

// Mutated says that the memory of a tensor was changed in place, which moved
// its version counter. That of an inference tensor does not move.
type Mutated struct {
	Tensor   TensorID
	From, To uint32 // version before and afterwards
	Value    Value  // content afterwards
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
	OldNode   NodeID // grad_fn until now; zero for a leaf
	OldOutput uint32 // output_nr until now
	Node      NodeID // grad_fn from now on
	Output    uint32 // output_nr from now on
	Why       RebaseReason
	View      ViewKind // how the tensor may be used as a view from now on; zero: as before
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
	RebasedExisting                          // no change: recording began in the middle and met the tensor before its history
)

var rebaseNames = []string{"", "inplace", "base", "stale_view", "detach", "function", "existing"}

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
	enum(c, "view", &e.View, viewNames)
}

// Reshaped says that an existing tensor shows other memory, or its memory in
// another way: x.data = y, unsqueeze_(), resize_(), a parameter of a module that
// moves to another device. Its version counter stays the same.
type Reshaped struct {
	Tensor  TensorID
	Storage StorageID
	Bytes   uint64 // size of the storage, whoever shares it
	DType   DType
	Shape   []int    // size of each dimension
	Strides []int    // in elements; empty when the tensor is contiguous
	Offset  uint64   // of the first element in the storage, in elements
	Value   Value    // content now
	Device  StringID // where it is, as PyTorch names it: "cuda:0"; empty: the CPU
}

// Kind returns KindReshaped.
func (*Reshaped) Kind() Kind { return KindReshaped }

func (e *Reshaped) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	number(c, "storage", &e.Storage)
	number(c, "bytes", &e.Bytes)
	enum(c, "dtype", &e.DType, dtypeNames)
	ints(c, "shape", &e.Shape)
	ints(c, "strides", &e.Strides)
	number(c, "offset", &e.Offset)
	object(c, "value", &e.Value, (*Value).fields)
	c.rare("device", &e.Device)
}

// ValueRead says what a tensor holds that has not changed since it was recorded: more elements
// than the tape had.
type ValueRead struct {
	Tensor  TensorID
	Version uint32 // of the tensor, now
	// Part is the part of the tensor that was read: start, step and number of indices of each
	// dimension. Empty: all of it, as in other events. Value is about the part, which then has all
	// its elements.
	Part  []int
	Value Value
}

// Kind returns KindValueRead.
func (*ValueRead) Kind() Kind { return KindValueRead }

func (e *ValueRead) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	number(c, "version", &e.Version)
	ints(c, "part", &e.Part)
	object(c, "value", &e.Value, (*Value).fields)
}

// RequiresGrad says that the requires_grad flag of a tensor was set.
type RequiresGrad struct {
	Tensor TensorID
	To     bool // what it is now
}

// Kind returns KindRequiresGrad.
func (*RequiresGrad) Kind() Kind { return KindRequiresGrad }

func (e *RequiresGrad) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	c.bool("to", &e.To)
}

// RetainGrad says that a non-leaf tensor will keep its gradient.
type RetainGrad struct{ Tensor TensorID }

// Kind returns KindRetainGrad.
func (*RetainGrad) Kind() Kind { return KindRetainGrad }

func (e *RetainGrad) fields(c *codec) { number(c, "tensor", &e.Tensor) }

// LineageCut says that values flowed from tensors to another one, or out of
// the tensor world, without a path for the gradient.
type LineageCut struct {
	Why    CutReason
	Inputs []TensorID // where the values came from
	Output TensorID   // where they went; zero when the value left as a plain number or array
	Value  Value      // what left, if the tape does not know it of the tensor
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
	if c.brief {
		return
	}
	object(c, "value", &e.Value, (*Value).fields)
}
