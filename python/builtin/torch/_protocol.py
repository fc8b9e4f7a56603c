"""Constants that the Go side knows, too. Generated from its tables; do not edit:
`go generate ./capture/python/protocol` writes it."""

# The shared memory: words, then room for messages and for replies.
HEADER_BYTES = 4096
AREA_BYTES = 8388608  # for messages, and as many for replies
PART_OF_MORE = 9223372036854775808  # marks a request whose message goes on in the next one

# Words of the header. The program writes the first three.
WORD_REQUEST = 0  # number of the newest request
WORD_LENGTH = 1  # where it ends, in bytes, and PART_OF_MORE
WORD_WAITING = 2  # the program sleeps
WORD_REPLY = 16  # number of the request that was answered last
WORD_KIND = 17  # what the answer is: a kind, and advice
WORD_VALUE = 18  # a handle, for some kinds
WORD_REPLY_LENGTH = 19  # bytes of the answer
WORD_RESTING = 20  # the engine sleeps
WORD_CANCEL = 21  # the user no longer waits for the answer to a question

# Kinds of replies.
REPLY_NONE = 0  # None
REPLY_TENSOR = 1  # a new tensor: its handle and its layout are in the header
REPLY_SELF = 2  # the first argument
REPLY_PLAIN = 3  # a value that needs no translation
REPLY_VALUE = 4  # a value
REPLY_ERROR = 5  # an exception: (type, text), or (number of an exception,)
REPLY_CALLBACK = 6  # the engine calls: (number of a callable, arguments)
REPLY_PART = 7  # more of an answer follows, or more of a request is awaited
REPLY_MASK = 7  # the bits of the kind; above them is advice

# Advice that comes with a reply.
ADVICE_TYPES_DECIDE = 8  # layouts, and types of the other arguments, decide what the function gives
ADVICE_VALUES_DECIDE = 16  # layouts, and values of the other arguments
ADVICE_LAYOUT_CHANGED = 32  # an argument has another layout than Python knows
ADVICE_MODE_CHANGED = 64  # nothing that was learned holds any more
ADVICE_GRAD_OFF = 128  # the function gives its first argument, as long as grad mode is off
ADVICE_GRADS_REPLACED = 256  # tensors have other gradients than before
ADVICE_NO_VIEWS = 512  # this holds for a first argument that has no views

# Short messages.
SHORT_TAG = 99  # the first byte
SHORT_BYTES = 40

# Kinds of operands in short messages: of the first in the lower half of a byte, of the second in the upper half.
OPERAND_TENSOR = 1
OPERAND_FLOAT = 2
OPERAND_INT = 3
OPERAND_BOOL = 4
OPERAND_NONE = 5

# Exceptions that answers name.
EXCEPTIONS = (  # built-in classes
    "RuntimeError",
    "ValueError",
    "TypeError",
    "IndexError",
    "KeyError",
    "AttributeError",
    "NotImplementedError",
    "ZeroDivisionError",
    "AssertionError",
    "MemoryError",
)
UNSUPPORTED = "Unsupported"  # for what only PyTorch has
REFUSED = "Refused"  # for what an expression of the debugger must not do

# Callbacks.
CALL_ASK = -1  # instead of the number of a callable: answer a question of the debugger

# What holds a tensor.
HELD_BY_NONE = 0
HELD_UNKNOWN = 1  # ask later
HELD_BY_TENSOR = 2  # followed by its handle
HELD_BY_NODE = 3  # followed by its handle
