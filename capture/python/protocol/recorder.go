package protocol

import (
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// Numbers that only records know.
const (
	RecordsVersion = 5    // of the records
	AttentionBytes = 4096 // of the file that tells the program to ask for settings

	AttentionCancel = 1 // where this file says that the user no longer waits for an answer
)

// When a program asks whether it has to stop.
const (
	AttendRecords = iota + 1
	AttendNodes
)

// Of which tensors the program sends values.
const (
	ValuesSmall = iota + 1
	ValuesAll
)

// Where an edge of a node leads.
const (
	EdgeOperand = iota
	EdgeInner
	EdgeNone
	EdgeAbsolute
	EdgeVariable
)

// What a node has saved.
const (
	SavedOperand  = 0
	SavedOutput   = 1
	SavedPrivate  = 2
	SavedNothing  = 3
	SavedExplicit = 5
	SavedView     = 6
)

// SignatureSilent is the flag of a signature that is not an operation of the program.
const SignatureSilent = 1

// Recorder are the constants of the records of PyTorch.
var Recorder = []Group{
	{"The connection.", []Constant{
		{"RECORDS_VERSION", RecordsVersion, ""},
		{"ATTENTION_BYTES", AttentionBytes, ""},
		{"ATTENTION_CANCEL", AttentionCancel, "the byte that says that the user no longer waits for an answer"},
	}},
	{"Settings: when to ask whether the program has to stop.", []Constant{
		{"ATTEND_RECORDS", AttendRecords, "after every record"},
		{"ATTEND_NODES", AttendNodes, "before every node"},
	}},
	{"Settings: of which tensors to send values.", []Constant{
		{"VALUES_SMALL", ValuesSmall, ""},
		{"VALUES_ALL", ValuesAll, ""},
	}},
	{"Why elements of a tensor cannot be read.", []Constant{
		{"ANSWER_DROPPED", control.Dropped, ""},
		{"ANSWER_CHANGED", control.Changed, ""},
		{"ANSWER_OTHER_PART", control.OtherPart, ""},
		{"MOST_ELEMENTS", uint64(graph.MostElements), "that are read at once"},
	}},
	{"Why a path of the gradient is cut.", numbered("CUT_", graph.CutDetach, graph.CutDeepcopy)},
	{"Why a tensor gets another grad_fn.", numbered("REBASE_", graph.RebasedInPlace, graph.RebasedExisting)},
	{"Modes.", numbered("MODE_", graph.GradMode, graph.AutocastMode)},
	{"How a gradient gets into .grad.", numbered("ACCUMULATE_", graph.AccumulateSteal, graph.AccumulateRetain)},
	{"What a hook hangs on.", numbered("HOOK_", graph.HookTensor, graph.HookModule)},
	{"How a tensor may be used as a view.", numbered("VIEW_", graph.NotAView, graph.InferenceView)},
	{"Flags of tensors.", []Constant{
		{"FLAG_REQUIRES_GRAD", uint64(graph.FlagRequiresGrad), ""},
		{"FLAG_PARAMETER", uint64(graph.FlagParameter), ""},
		{"FLAG_NUMBER", uint64(graph.FlagNumber), ""},
		{"FLAG_INFERENCE", uint64(graph.FlagInference), ""},
		{"FLAG_EXISTING", uint64(graph.FlagExisting), ""},
		{"FLAG_GRADIENT", uint64(graph.FlagGradient), ""},
	}},
	{"Flags of backward passes.", []Constant{
		{"PASS_RETAIN_GRAPH", uint64(graph.RetainGraph), ""},
		{"PASS_CREATE_GRAPH", uint64(graph.CreateGraph), ""},
		{"PASS_GRAD_ONLY", uint64(graph.GradOnly), "autograd.grad"},
	}},
	{"Where an edge of a node leads: (kind, index, output).", []Constant{
		{"EDGE_OPERAND", EdgeOperand, "where the gradient of operand index went before"},
		{"EDGE_INNER", EdgeInner, "to node index of the signature"},
		{"EDGE_NONE", EdgeNone, "nowhere"},
		{"EDGE_ABSOLUTE", EdgeAbsolute, "to extra index: a (sequence number, output)"},
		{"EDGE_VARIABLE", EdgeVariable, "to an AccumulateGrad node; only in records of nodes"},
	}},
	{"What a node has saved: (slot, kind, index).", []Constant{
		{"SAVED_OPERAND", SavedOperand, "operand index as it was before"},
		{"SAVED_OUTPUT", SavedOutput, "result index"},
		{"SAVED_PRIVATE", SavedPrivate, "a tensor that only the graph holds; index is its layout"},
		{"SAVED_NOTHING", SavedNothing, ""},
		{"SAVED_EXPLICIT", SavedExplicit, "extra index: a (tensor, version)"},
		{"SAVED_VIEW", SavedView, "a view that only the graph holds; index is (layout, operand)"},
	}},
	{"Flags of signatures.", []Constant{
		{"SIGNATURE_SILENT", SignatureSilent, "not an operation of the program"},
	}},
}

// A Record is a kind of records of PyTorch, besides operations, the clock and deaths of
// tensors, which have no name.
type Record struct {
	Name   string
	Fields string // as in the document
	Doc    string
}

// Records are the kinds of records, in the order of the document.
var Records = []Record{
	{"meta", "m, dtype, shape, strides or None, device, itemsize", "a layout; None: contiguous. The device is `\"cuda:0\"` and the like"},
	{"signature", "f, op, args, outs, nodes, rebases, flags", "a signature"},
	{"tensor", "n, m, stack, flags, storage, offset, version, grad, base, view, value", "a tensor that exists already is met"},
	{"nodes", "(node, …)", "nodes of the graph that no recorded operation has made"},
	{"changed", "n, version, stack, value", "the version of n has moved, and no record says how"},
	{"value", "n, version, part, value", "what n holds, or a part of it, although it has not changed: start, step and number of indices of each dimension"},
	{"reshaped", "n, m, stack, storage, offset, value[, source]", "n shows other memory"},
	{"rebase", "n, grad or None, why, stack", "n has another grad_fn"},
	{"requires", "n, bool, stack", "requires_grad was set"},
	{"retain", "n, stack", "retain_grad was called"},
	{"cut", "why, stack, ins, n or 0[, value]", "values went on without a gradient; the value that the program got as a number"},
	{"grad", "n, g or 0, stack", "`.grad` was assigned"},
	{"gradread", "n, stack", "`.grad` was read and is None"},
	{"mode", "mode, bool, stack", "a mode was switched"},
	{"backward", "b, stack, flags, ((n, g or 0, grad[, edge]), …), inputs", "a backward pass begins; n is 0 and edge is given for a GradientEdge"},
	{"runs", "b, node, grads", "a node begins, seen by hooks"},
	{"ran", "b, node, grads", "a node ends, seen by hooks"},
	{"accumulated", "b, n, g, how, value", "`.grad` of n is g now"},
	{"ended", "b, stack", "the pass is over"},
	{"failed", "b, stack, type, message, node or None", "the pass has failed"},
	{"hook", "b, kind, n, node, replaced, grad", "a hook of the program ran"},
	{"step", "class, done, params, number, rates, stack", "an optimizer begins a step, or has done it"},
	{"zeroed", "class, to_none, params, stack", "gradients were cleared"},
	{"raised", "type, code, op, message, tensors, stack", "PyTorch has raised an error"},
	{"warned", "category, message, stack", "a warning"},
	{"note", "kind, stack, values", "a fact that no engine sees (`capture/python/internal/agent`)"},
	{"breakpoint", "stack", "the program called `gradtui.breakpoint()`"},
	{"reached", "stack", "the program came to a line that the debugger looks out for"},
	{"source", "file, text", "the text of code that is in no file, before the first stack that names it"},
	{"stack", "…", "a call stack, as on the built-in engine ([python.md](python.md))"},
	{"named", "…", "the names that results at a stack get, likewise"},
	{"bind", "n, name, scope", "a variable holds n"},
	{"enter", "path, class, training", "the forward pass of a module begins, in training mode or not; None: unknown"},
	{"leave", "", "and ends"},
	{"thread", "id", "what follows happened in another thread"},
	{"variable", "name, type, mapping, keys, tensors", "what a variable holds at the end"},
	{"answered", "text", "the answer to a question of the debugger, in a frame of its own"},
	{"bye", "", "the end of the program"},
	{"broken", "why", "the recorder has failed, or a record cannot be sent: nothing follows, and the tape says so"},
	{"sync", "k", "the program waits for the answer k"},
}
