package graph

// BackwardBegan says that backward() or autograd.grad() began.
type BackwardBegan struct {
	Backward BackwardID
	Flags    BackwardFlags
	Roots    []Root     // the tensors that it starts from
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
	Output uint32 // output_nr of Tensor
	Grad   Grad   // what it starts with
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
	Shape []int // size of each dimension
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
	if c.brief {
		return
	}
	flags(c, "flags", &e.Flags, backwardFlagNames)
	list(c, "roots", &e.Roots, (*Root).fields)
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
	Sum      Grad   // the sum of the contributions to that input so far
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
	if c.brief {
		return
	}
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

// NodeExecuted says that a node ran. A recorder that does not see the gradients
// leaves them out.
type NodeExecuted struct {
	Backward BackwardID
	Node     NodeID
	In       []Grad // what came in, one for each result of its forward op
	Out      []Grad // what went out, one for each edge
}

// Kind returns KindNodeExecuted.
func (*NodeExecuted) Kind() Kind { return KindNodeExecuted }

func (e *NodeExecuted) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
	if c.brief {
		return
	}
	list(c, "in", &e.In, (*Grad).fields)
	list(c, "out", &e.Out, (*Grad).fields)
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
	Message  string   // what the error says
}

// Kind returns KindBackwardFailed.
func (*BackwardFailed) Kind() Kind { return KindBackwardFailed }

func (e *BackwardFailed) fields(c *codec) {
	number(c, "backward", &e.Backward)
	number(c, "node", &e.Node)
	if c.brief {
		return
	}
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

// HookRegistered says that the program registered a hook.
type HookRegistered struct {
	Hook   HookKind
	Tensor TensorID // for hooks on tensors
	Node   NodeID   // for hooks on nodes
	Target StringID // for hooks on modules: the class of the module
	What   StringID // the function that registered it: "register_full_backward_hook"
}

// Kind returns KindHookRegistered.
func (*HookRegistered) Kind() Kind { return KindHookRegistered }

func (e *HookRegistered) fields(c *codec) {
	enum(c, "hook", &e.Hook, hookNames)
	number(c, "tensor", &e.Tensor)
	number(c, "node", &e.Node)
	c.str("target", &e.Target)
	c.str("what", &e.What)
}

// GradRead says that the program read .grad and got None.
type GradRead struct{ Tensor TensorID }

// Kind returns KindGradRead.
func (*GradRead) Kind() Kind { return KindGradRead }

func (e *GradRead) fields(c *codec) { number(c, "tensor", &e.Tensor) }
