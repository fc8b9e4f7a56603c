package graph

import (
	"strconv"
	"time"
)

// Event is one fact about the program. The types below are the only
// implementations; [Unknown] stands for a kind that a newer version wrote.
type Event interface {
	Kind() Kind
	fields(*codec)
}

// Header says where an event came from.
type Header struct {
	Thread ThreadID
	Stack  StackID       // the program's call stack; [Tape.Stack] resolves it
	Time   time.Duration // since the tape began
}

// Kind tells the types of events apart. The numbers are part of the tape
// format: a kind keeps its number for ever.
type Kind uint8

// The kinds of events.
const (
	KindTensorCreated    Kind = 1
	KindOpRan            Kind = 2
	KindNodeCreated      Kind = 3
	KindMutated          Kind = 4
	KindRebased          Kind = 5
	KindRequiresGrad     Kind = 6
	KindRetainGrad       Kind = 7
	KindLineageCut       Kind = 8
	KindBackwardBegan    Kind = 9
	KindGradArrived      Kind = 10
	KindNodeReady        Kind = 11
	KindNodeExecuted     Kind = 12
	KindSavedFreed       Kind = 13
	KindGradAccumulated  Kind = 14
	KindGradAssigned     Kind = 15
	KindBackwardEnded    Kind = 16
	KindBackwardFailed   Kind = 17
	KindHookRan          Kind = 18
	KindOptimizerStepped Kind = 19
	KindGradsZeroed      Kind = 20
	KindNameBound        Kind = 21
	KindModuleEntered    Kind = 22
	KindModuleLeft       Kind = 23
	KindLineReached      Kind = 24
	KindOutputWritten    Kind = 25
	KindWarned           Kind = 26
	KindRaised           Kind = 27
	KindIteration        Kind = 28
	KindModeChanged      Kind = 29
	KindTensorReleased   Kind = 30
	KindNodeReleased     Kind = 31
	KindRecordingStopped Kind = 32
	KindReshaped         Kind = 33
	KindSourceRead       Kind = 34
	KindGradRead         Kind = 35
	KindHookRegistered   Kind = 36
	KindOptimizerMade    Kind = 37
	KindModuleParameters Kind = 38
	KindProgramFailed    Kind = 39
	KindCalled           Kind = 40
	KindTensorHeld       Kind = 41
	KindValueRead        Kind = 42
	kindLimit            Kind = 43
)

// Beside reports whether events of this kind come beside the run, whenever gradtui reads what they
// are about: two runs of one program may have them at other positions.
func (k Kind) Beside() bool {
	return k == KindOutputWritten || k == KindSourceRead || k == KindValueRead
}

// KindInfo describes one kind of event.
type KindInfo struct {
	Kind Kind
	Name string // as in the text form
	Doc  string
	make func() Event
}

// Kinds is the table of all kinds, indexed by Kind.
var Kinds = [kindLimit]KindInfo{
	KindTensorCreated:    {Name: "tensor-created", Doc: "A tensor object came into being.", make: func() Event { return new(TensorCreated) }},
	KindOpRan:            {Name: "op-ran", Doc: "An operator ran.", make: func() Event { return new(OpRan) }},
	KindNodeCreated:      {Name: "node-created", Doc: "A node of the backward graph came into being.", make: func() Event { return new(NodeCreated) }},
	KindMutated:          {Name: "mutated", Doc: "A tensor was changed in place; every tensor that shares its version counter sees the new version.", make: func() Event { return new(Mutated) }},
	KindRebased:          {Name: "rebased", Doc: "The grad_fn of an existing tensor was replaced.", make: func() Event { return new(Rebased) }},
	KindRequiresGrad:     {Name: "requires-grad", Doc: "The requires_grad flag of a tensor was set.", make: func() Event { return new(RequiresGrad) }},
	KindRetainGrad:       {Name: "retain-grad", Doc: "retain_grad() was called on a tensor that is not a leaf.", make: func() Event { return new(RetainGrad) }},
	KindLineageCut:       {Name: "lineage-cut", Doc: "Data flowed on but the gradient will not: detach, item, no_grad, a new Parameter, an integer result.", make: func() Event { return new(LineageCut) }},
	KindBackwardBegan:    {Name: "backward-began", Doc: "A backward pass began.", make: func() Event { return new(BackwardBegan) }},
	KindGradArrived:      {Name: "grad-arrived", Doc: "A node that waits for several gradients received one of them.", make: func() Event { return new(GradArrived) }},
	KindNodeReady:        {Name: "node-ready", Doc: "All gradients that a node waits for have arrived.", make: func() Event { return new(NodeReady) }},
	KindNodeExecuted:     {Name: "node-executed", Doc: "A node of the backward graph ran.", make: func() Event { return new(NodeExecuted) }},
	KindSavedFreed:       {Name: "saved-freed", Doc: "The saved tensors of a node were freed.", make: func() Event { return new(SavedFreed) }},
	KindGradAccumulated:  {Name: "grad-accumulated", Doc: "A gradient was added to a tensor's .grad.", make: func() Event { return new(GradAccumulated) }},
	KindGradAssigned:     {Name: "grad-assigned", Doc: "The program assigned .grad, or set it to None.", make: func() Event { return new(GradAssigned) }},
	KindBackwardEnded:    {Name: "backward-ended", Doc: "A backward pass ended normally.", make: func() Event { return new(BackwardEnded) }},
	KindBackwardFailed:   {Name: "backward-failed", Doc: "A backward pass ended with an error.", make: func() Event { return new(BackwardFailed) }},
	KindHookRan:          {Name: "hook-ran", Doc: "A hook of the program ran.", make: func() Event { return new(HookRan) }},
	KindOptimizerStepped: {Name: "optimizer-stepped", Doc: "An optimizer began or finished a step.", make: func() Event { return new(OptimizerStepped) }},
	KindGradsZeroed:      {Name: "grads-zeroed", Doc: "zero_grad() was called.", make: func() Event { return new(GradsZeroed) }},
	KindNameBound:        {Name: "name-bound", Doc: "A name of the program was bound to a tensor.", make: func() Event { return new(NameBound) }},
	KindModuleEntered:    {Name: "module-entered", Doc: "The forward pass of a module began.", make: func() Event { return new(ModuleEntered) }},
	KindModuleLeft:       {Name: "module-left", Doc: "The forward pass of a module ended.", make: func() Event { return new(ModuleLeft) }},
	KindLineReached:      {Name: "line-reached", Doc: "The program reached a line.", make: func() Event { return new(LineReached) }},
	KindOutputWritten:    {Name: "output-written", Doc: "The program wrote output.", make: func() Event { return new(OutputWritten) }},
	KindWarned:           {Name: "warned", Doc: "A warning was issued.", make: func() Event { return new(Warned) }},
	KindRaised:           {Name: "raised", Doc: "An error was raised.", make: func() Event { return new(Raised) }},
	KindIteration:        {Name: "iteration", Doc: "An iteration of the program's main loop began.", make: func() Event { return new(Iteration) }},
	KindModeChanged:      {Name: "mode-changed", Doc: "Grad mode, inference mode, anomaly mode or autocast was switched.", make: func() Event { return new(ModeChanged) }},
	KindTensorReleased:   {Name: "tensor-released", Doc: "The program dropped its last reference to a tensor.", make: func() Event { return new(TensorReleased) }},
	KindNodeReleased:     {Name: "node-released", Doc: "A node of the backward graph was destroyed.", make: func() Event { return new(NodeReleased) }},
	KindRecordingStopped: {Name: "recording-stopped", Doc: "Later events are missing: a limit was reached, or what the program sent was damaged.", make: func() Event { return new(RecordingStopped) }},
	KindReshaped:         {Name: "reshaped", Doc: "An existing tensor shows other memory, or its memory in another way.", make: func() Event { return new(Reshaped) }},
	KindSourceRead:       {Name: "source-read", Doc: "The text of a source file that call stacks refer to, or why the tape does not have it.", make: func() Event { return new(SourceRead) }},
	KindGradRead:         {Name: "grad-read", Doc: "The program read .grad and got None.", make: func() Event { return new(GradRead) }},
	KindHookRegistered:   {Name: "hook-registered", Doc: "The program registered a hook.", make: func() Event { return new(HookRegistered) }},
	KindOptimizerMade:    {Name: "optimizer-made", Doc: "An optimizer was made, or got more parameters.", make: func() Event { return new(OptimizerMade) }},
	KindModuleParameters: {Name: "module-parameters", Doc: "The parameters that a module had registered when its forward pass began, as the outermost one, for the first time.", make: func() Event { return new(ModuleParameters) }},
	KindProgramFailed:    {Name: "program-failed", Doc: "An uncaught exception ended the program, or a thread of it.", make: func() Event { return new(ProgramFailed) }},
	KindCalled:           {Name: "called", Doc: "The program called a function that matters for training and that no other event covers.", make: func() Event { return new(Called) }},
	KindTensorHeld:       {Name: "tensor-held", Doc: "The recorder found out where the program keeps a tensor.", make: func() Event { return new(TensorHeld) }},
	KindValueRead:        {Name: "value-read", Doc: "The recorder read a tensor that had not changed: a user looked at it, or its name asks for more elements.", make: func() Event { return new(ValueRead) }},
}

func init() {
	for k := range Kinds {
		Kinds[k].Kind = Kind(k)
		if Kinds[k].Name != "" {
			kindByName[Kinds[k].Name] = Kind(k)
		}
	}
}

var kindByName = map[string]Kind{}

// String is the kind's name in the text form, "kind77" for one without a name.
func (k Kind) String() string {
	if k.known() {
		return Kinds[k].Name
	}
	return "kind" + strconv.Itoa(int(k))
}

// New returns a zero event of the kind; nil when the kind is not known.
func (k Kind) New() Event {
	if !k.known() {
		return nil
	}
	return Kinds[k].make()
}

func (k Kind) known() bool { return k < kindLimit && Kinds[k].make != nil }

// Field describes one field of an event type.
type Field struct {
	Name string
	Type string // number, signed number, bool, enum, flags, string, text, real, list, record
	// Note holds the names of an enum's values or of flags' bits, counted from
	// 0, the type of a list's elements, or the name of a record.
	Note     string
	Elements []Field // the fields of a record, or of a list's elements if they are records
}

// Fields lists the fields of a kind in the order in which they are encoded.
func (k Kind) Fields() []Field {
	if !k.known() {
		return nil
	}
	var fields []Field
	c := codec{mode: describing, doc: func(f Field) { fields = append(fields, f) }}
	k.New().fields(&c)
	return fields
}

// Unknown is an event of a kind that this version does not know. It is kept as
// it is.
type Unknown struct {
	Code Kind
	Raw  []byte
}

// Kind is the number that the newer version gave the kind.
func (e *Unknown) Kind() Kind { return e.Code }

// decode reads the content of an event whose kind is known after all.
func (e *Unknown) decode() (Event, []byte, bool) {
	known := e.Code.New()
	c := codec{mode: decoding, buf: e.Raw}
	known.fields(&c)
	return known, c.buf[c.off:], c.err == nil
}

func (e *Unknown) fields(c *codec) {
	switch c.mode {
	case encoding:
		c.putBytes(e.Raw)
	case decoding:
		e.Raw = append(e.Raw[:0], c.buf[c.off:]...)
		c.off = len(c.buf)
	case printing, parsing:
		s := string(e.Raw)
		c.text("raw", &s)
		e.Raw = []byte(s)
	}
}
