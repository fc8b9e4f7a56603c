package graph

// OptimizerStepped says that an optimizer began or finished a step. The ops
// between the two belong to it.
type OptimizerStepped struct {
	Optimizer StringID   // "SGD"
	Done      bool       // false: it begins
	Params    []TensorID // the parameters with gradients, which it updates; all before the closure of a step has computed them
	Number    uint32     // which optimizer it is, as in OptimizerMade; zero: unknown
	Rates     []float64  // the learning rate of each group of parameters; empty: unknown
}

// Kind returns KindOptimizerStepped.
func (*OptimizerStepped) Kind() Kind { return KindOptimizerStepped }

func (e *OptimizerStepped) fields(c *codec) {
	c.str("optimizer", &e.Optimizer)
	c.bool("done", &e.Done)
	ids(c, "params", &e.Params)
	if c.brief {
		return
	}
	number(c, "number", &e.Number)
	reals(c, "rates", Float64, &e.Rates)
}

// GradsZeroed says that zero_grad() was called. What it did to each .grad
// follows as GradAssigned or Mutated.
type GradsZeroed struct {
	By        StringID   // the optimizer's or module's class
	SetToNone bool       // .grad becomes None rather than zero
	Params    []TensorID // the parameters whose .grad it cleared
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

// TensorHeld says where the program keeps a tensor that requires grad. The recorder looks through the
// variables of the program between iterations, so the program may have put the tensor there earlier. Each
// time it names a few elements of a long container.
type TensorHeld struct {
	Tensor TensorID // zero: unknown
	Path   StringID // how the program could write it: "self.losses[3]", "cache['h']", "seen[...]" in a set
	Scope  StringID // the function, class or module of the variable that the path begins with; empty: global
	Class  StringID // of the object that has the last attribute in the path; empty: there is none
}

// Kind returns KindTensorHeld.
func (*TensorHeld) Kind() Kind { return KindTensorHeld }

func (e *TensorHeld) fields(c *codec) {
	number(c, "tensor", &e.Tensor)
	c.str("path", &e.Path)
	c.str("scope", &e.Scope)
	c.str("class", &e.Class)
}

// ModuleEntered says that the forward pass of a module began.
type ModuleEntered struct {
	Path StringID   // "encoder.layers.0"; empty for the root module
	Type StringID   // "Linear"
	Mode ModuleMode // training or evaluation
}

// Kind returns KindModuleEntered.
func (*ModuleEntered) Kind() Kind { return KindModuleEntered }

func (e *ModuleEntered) fields(c *codec) {
	c.str("path", &e.Path)
	c.str("type", &e.Type)
	enum(c, "mode", &e.Mode, moduleModeNames)
}

// ModuleMode says whether a module trains, as its attribute training does. Dropout and batch
// normalisation depend on it.
type ModuleMode uint8

// The modes of modules.
const (
	ModeUnknown ModuleMode = iota
	ModeTraining
	ModeEvaluation
)

var moduleModeNames = []string{"", "training", "evaluation"}

func (m ModuleMode) String() string { return enumName(uint8(m), moduleModeNames) }

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

// OutputWritten says that the program wrote to stdout or stderr.
type OutputWritten struct {
	Stream  uint8  // 1: stdout, 2: stderr
	Text    string // the bytes, usually UTF-8
	Dropped uint64 // bytes before Text that the tape does not have: there were too many
}

// Kind returns KindOutputWritten.
func (*OutputWritten) Kind() Kind { return KindOutputWritten }

func (e *OutputWritten) fields(c *codec) {
	number(c, "stream", &e.Stream)
	c.text("text", &e.Text)
	number(c, "dropped", &e.Dropped)
}

// Warned says that a warning was issued.
type Warned struct {
	Category StringID // "UserWarning"
	Message  string   // what the warning says
}

// Kind returns KindWarned.
func (*Warned) Kind() Kind { return KindWarned }

func (e *Warned) fields(c *codec) {
	c.str("category", &e.Category)
	c.text("message", &e.Message)
}

// Raised says that an error was raised to the program.
type Raised struct {
	Type    StringID   // "RuntimeError"
	Code    StringID   // a stable word for the cause: "freed", "version"
	Op      StringID   // the operator that raised it, if one did
	Message string     // what the error says
	Tensors []TensorID // what the function that failed was given, as far as it is known
}

// Kind returns KindRaised.
func (*Raised) Kind() Kind { return KindRaised }

func (e *Raised) fields(c *codec) {
	c.str("type", &e.Type)
	c.str("code", &e.Code)
	c.str("op", &e.Op)
	c.text("message", &e.Message)
	ids(c, "tensors", &e.Tensors)
}

// Iteration says that an iteration of the program's main loop began.
type Iteration struct {
	Number uint64   // of the iteration, as the program counts
	Label  StringID // "epoch", "step"
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
	To   bool // whether it is on now
}

// Mode is one of the switches that PyTorch keeps.
type Mode uint8

// The modes.
const (
	GradMode Mode = iota + 1 // on at the start
	InferenceMode
	AnomalyMode
	AutocastMode // on for some sort of device
)

var modeNames = []string{"", "grad", "inference", "anomaly", "autocast"}

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
type RecordingStopped struct {
	Reason string // "the limit of 1000000 events was reached"
}

// Kind returns KindRecordingStopped.
func (*RecordingStopped) Kind() Kind { return KindRecordingStopped }

func (e *RecordingStopped) fields(c *codec) { c.text("reason", &e.Reason) }

// SourceRead holds the text of a source file that call stacks refer to, or says why the
// tape does not have it.
type SourceRead struct {
	File    StringID // as frames name it
	Text    string   // what the file holds, unless that is left out
	Size    uint64   // bytes of a text that is left out
	Sum     string   // the SHA-256 of such a text, in hexadecimal digits; empty: it is not known
	LeftOut string   // why the text is left out: "a tape takes 1048576 bytes of a file"
}

// Kind returns KindSourceRead.
func (*SourceRead) Kind() Kind { return KindSourceRead }

func (e *SourceRead) fields(c *codec) {
	c.str("file", &e.File)
	c.text("text", &e.Text)
	number(c, "size", &e.Size)
	c.text("sum", &e.Sum)
	c.text("left_out", &e.LeftOut)
}

// OptimizerMade says that an optimizer was made, or got more parameters.
type OptimizerMade struct {
	Optimizer StringID   // "SGD"
	Params    []TensorID // the parameters that it got, one group
	Number    uint32     // which optimizer it is, counted from 1; zero: unknown
	Rates     []float64  // the learning rate of this group; empty: unknown
	Settings  []Attr     // of this group: "momentum" and "weight_decay", which move parameters with gradients of zero
}

// Kind returns KindOptimizerMade.
func (*OptimizerMade) Kind() Kind { return KindOptimizerMade }

func (e *OptimizerMade) fields(c *codec) {
	c.str("optimizer", &e.Optimizer)
	ids(c, "params", &e.Params)
	number(c, "number", &e.Number)
	reals(c, "rates", Float64, &e.Rates)
	rareList(c, "settings", &e.Settings, (*Attr).fields)
}

// ModuleParameters says which parameters a module had registered when its forward
// pass began, as the outermost one, for the first time.
type ModuleParameters struct {
	Type   StringID   // "Sequential"
	Params []TensorID // of the module and of the modules inside it
}

// Kind returns KindModuleParameters.
func (*ModuleParameters) Kind() Kind { return KindModuleParameters }

func (e *ModuleParameters) fields(c *codec) {
	c.str("type", &e.Type)
	ids(c, "params", &e.Params)
}

// ProgramFailed says that an uncaught exception ended the program, or a
// thread of it. Its stack is where the exception was raised.
type ProgramFailed struct {
	Type    StringID // "TypeError"
	Message string   // what the exception says
}

// Kind returns KindProgramFailed.
func (*ProgramFailed) Kind() Kind { return KindProgramFailed }

func (e *ProgramFailed) fields(c *codec) {
	c.str("type", &e.Type)
	c.text("message", &e.Message)
}

// Called says that the program called a function that matters for training and that
// no other event covers: clip_grad_norm_, LRScheduler.step, LRScheduler for its constructor.
type Called struct {
	Function StringID
	Tensors  []TensorID // what it was given, or the parameters that it is about
	Settings []Attr     // of a scheduler: its number, and when it is made its class and its plan, as "step_size"
}

// Kind returns KindCalled.
func (*Called) Kind() Kind { return KindCalled }

func (e *Called) fields(c *codec) {
	c.str("function", &e.Function)
	ids(c, "tensors", &e.Tensors)
	rareList(c, "settings", &e.Settings, (*Attr).fields)
}
