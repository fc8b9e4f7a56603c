package protocol

import "github.com/gradtui/gradtui/autograd"

// The shared memory of the built-in engine: words, then room for messages and for replies.
const (
	HeaderBytes = 4096
	AreaBytes   = 8 << 20

	// PartOfMore marks a request whose message goes on in the next one.
	PartOfMore uint64 = 1 << 63
)

// Words of the header. Those that each side writes are on cache lines of their own.
const (
	WordRequest = 0
	WordLength  = 1
	WordWaiting = 2

	WordReply       = 16
	WordKind        = 17
	WordValue       = 18
	WordReplyLength = 19
	WordResting     = 20
	WordCancel      = 21
)

// A Reply says what an answer to a message is, and what Python may learn from it: a kind in
// the lower bits, advice above them.
type Reply uint64

// The kinds of replies.
const (
	ReplyNone Reply = iota
	ReplyTensor
	ReplySelf
	ReplyPlain
	ReplyValue
	ReplyError
	ReplyCallback
	ReplyPart

	ReplyMask = ReplyPart // the bits of the kind
)

// Advice that comes with a reply.
const (
	AdviceTypesDecide Reply = (ReplyMask + 1) << iota
	AdviceValuesDecide
	AdviceLayoutChanged
	AdviceModeChanged
	AdviceGradOff
	AdviceGradsReplaced
	AdviceNoViews
)

// A short message begins with ShortTag and has a fixed length.
const (
	ShortTag   = 'c'
	ShortBytes = 40
)

// The kinds of operands in short messages.
const (
	OperandTensor = iota + 1
	OperandFloat
	OperandInt
	OperandBool
	OperandNone
)

// What holds a tensor that Python asks about.
const (
	HeldByNone = iota
	HeldUnknown
	HeldByTensor
	HeldByNode
)

// Exceptions are the classes of the exceptions that answers name.
var Exceptions = []autograd.ErrorType{
	autograd.RuntimeError, autograd.ValueError, autograd.TypeError, autograd.IndexError, autograd.KeyError,
	autograd.AttributeError, autograd.NotImplementedError, autograd.ZeroDivisionError, autograd.AssertionError,
	autograd.OutOfMemoryError,
}

// Unsupported is the name of the exception for what only PyTorch has. Python makes it a
// subclass of NotImplementedError.
const Unsupported autograd.ErrorType = "Unsupported"

// Refused is the name of the exception for what an expression of the debugger must not do.
const Refused autograd.ErrorType = "Refused"

// CallAsk is the number of the function that answers a question of the debugger, in a callback.
const CallAsk = -1

// Builtin are the constants of the channel to the built-in engine.
var Builtin = []Group{
	{"The shared memory: words, then room for messages and for replies.", []Constant{
		{"HEADER_BYTES", HeaderBytes, ""},
		{"AREA_BYTES", AreaBytes, "for messages, and as many for replies"},
		{"PART_OF_MORE", PartOfMore, "marks a request whose message goes on in the next one"},
	}},
	{"Words of the header. The program writes the first three.", []Constant{
		{"WORD_REQUEST", WordRequest, "number of the newest request"},
		{"WORD_LENGTH", WordLength, "where it ends, in bytes, and PART_OF_MORE"},
		{"WORD_WAITING", WordWaiting, "the program sleeps"},
		{"WORD_REPLY", WordReply, "number of the request that was answered last"},
		{"WORD_KIND", WordKind, "what the answer is: a kind, and advice"},
		{"WORD_VALUE", WordValue, "a handle, for some kinds"},
		{"WORD_REPLY_LENGTH", WordReplyLength, "bytes of the answer"},
		{"WORD_RESTING", WordResting, "the engine sleeps"},
		{"WORD_CANCEL", WordCancel, "the user no longer waits for the answer to a question"},
	}},
	{"Kinds of replies.", []Constant{
		{"REPLY_NONE", uint64(ReplyNone), "None"},
		{"REPLY_TENSOR", uint64(ReplyTensor), "a new tensor: its handle and its layout are in the header"},
		{"REPLY_SELF", uint64(ReplySelf), "the first argument"},
		{"REPLY_PLAIN", uint64(ReplyPlain), "a value that needs no translation"},
		{"REPLY_VALUE", uint64(ReplyValue), "a value"},
		{"REPLY_ERROR", uint64(ReplyError), "an exception: (type, text), or (number of an exception,)"},
		{"REPLY_CALLBACK", uint64(ReplyCallback), "the engine calls: (number of a callable, arguments)"},
		{"REPLY_PART", uint64(ReplyPart), "more of an answer follows, or more of a request is awaited"},
		{"REPLY_MASK", uint64(ReplyMask), "the bits of the kind; above them is advice"},
	}},
	{"Advice that comes with a reply.", []Constant{
		{"ADVICE_TYPES_DECIDE", uint64(AdviceTypesDecide), "layouts, and types of the other arguments, decide what the function gives"},
		{"ADVICE_VALUES_DECIDE", uint64(AdviceValuesDecide), "layouts, and values of the other arguments"},
		{"ADVICE_LAYOUT_CHANGED", uint64(AdviceLayoutChanged), "an argument has another layout than Python knows"},
		{"ADVICE_MODE_CHANGED", uint64(AdviceModeChanged), "nothing that was learned holds any more"},
		{"ADVICE_GRAD_OFF", uint64(AdviceGradOff), "the function gives its first argument, as long as grad mode is off"},
		{"ADVICE_GRADS_REPLACED", uint64(AdviceGradsReplaced), "tensors have other gradients than before"},
		{"ADVICE_NO_VIEWS", uint64(AdviceNoViews), "this holds for a first argument that has no views"},
	}},
	{"Short messages.", []Constant{
		{"SHORT_TAG", ShortTag, "the first byte"},
		{"SHORT_BYTES", ShortBytes, ""},
	}},
	{"Kinds of operands in short messages: of the first in the lower half of a byte, of the second in the upper half.", []Constant{
		{"OPERAND_TENSOR", OperandTensor, ""},
		{"OPERAND_FLOAT", OperandFloat, ""},
		{"OPERAND_INT", OperandInt, ""},
		{"OPERAND_BOOL", OperandBool, ""},
		{"OPERAND_NONE", OperandNone, ""},
	}},
	{"Exceptions that answers name.", []Constant{
		{"EXCEPTIONS", Exceptions, "built-in classes"},
		{"UNSUPPORTED", Unsupported, "for what only PyTorch has"},
		{"REFUSED", Refused, "for what an expression of the debugger must not do"},
	}},
	{"Callbacks.", []Constant{
		{"CALL_ASK", CallAsk, "instead of the number of a callable: answer a question of the debugger"},
	}},
	{"What holds a tensor.", []Constant{
		{"HELD_BY_NONE", HeldByNone, ""},
		{"HELD_UNKNOWN", HeldUnknown, "ask later"},
		{"HELD_BY_TENSOR", HeldByTensor, "followed by its handle"},
		{"HELD_BY_NODE", HeldByNode, "followed by its handle"},
	}},
}
