"""Constants that the Go side knows, too. Generated from its tables; do not edit:
`go generate ./capture/python/protocol` writes it."""

# The connection.
RECORDS_VERSION = 5
ATTENTION_BYTES = 4096
ATTENTION_CANCEL = 1  # the byte that says that the user no longer waits for an answer

# Settings: when to ask whether the program has to stop.
ATTEND_RECORDS = 1  # after every record
ATTEND_NODES = 2  # before every node

# Settings: of which tensors to send values.
VALUES_SMALL = 1
VALUES_ALL = 2

# Why elements of a tensor cannot be read.
ANSWER_DROPPED = "the program no longer has this tensor"
ANSWER_CHANGED = "the tensor has changed since"
ANSWER_OTHER_PART = "the tensor does not have this part"
MOST_ELEMENTS = 262144  # that are read at once

# Why a path of the gradient is cut.
CUT_DETACH = 1
CUT_DATA = 2
CUT_ITEM = 3
CUT_NUMPY = 4
CUT_NO_GRAD = 5
CUT_PARAMETER = 6
CUT_COPY = 7
CUT_INTEGER = 8
CUT_DEEPCOPY = 9

# Why a tensor gets another grad_fn.
REBASE_INPLACE = 1
REBASE_BASE = 2
REBASE_STALE_VIEW = 3
REBASE_DETACH = 4
REBASE_FUNCTION = 5
REBASE_EXISTING = 6

# Modes.
MODE_GRAD = 1
MODE_INFERENCE = 2
MODE_ANOMALY = 3
MODE_AUTOCAST = 4

# How a gradient gets into .grad.
ACCUMULATE_STEAL = 1
ACCUMULATE_COPY = 2
ACCUMULATE_INPLACE = 3
ACCUMULATE_NEW = 4
ACCUMULATE_RETAIN = 5

# What a hook hangs on.
HOOK_TENSOR = 1
HOOK_PRE = 2
HOOK_POST = 3
HOOK_POST_ACCUMULATE = 4
HOOK_MODULE = 5

# How a tensor may be used as a view.
VIEW_NONE = 0
VIEW_PLAIN = 1
VIEW_MULTI_OUTPUT = 2
VIEW_NO_GRAD = 3
VIEW_FUNCTION = 4
VIEW_INFERENCE = 5

# Flags of tensors.
FLAG_REQUIRES_GRAD = 1
FLAG_PARAMETER = 2
FLAG_NUMBER = 4
FLAG_INFERENCE = 8
FLAG_EXISTING = 16
FLAG_GRADIENT = 32

# Flags of backward passes.
PASS_RETAIN_GRAPH = 1
PASS_CREATE_GRAPH = 2
PASS_GRAD_ONLY = 4  # autograd.grad

# Where an edge of a node leads: (kind, index, output).
EDGE_OPERAND = 0  # where the gradient of operand index went before
EDGE_INNER = 1  # to node index of the signature
EDGE_NONE = 2  # nowhere
EDGE_ABSOLUTE = 3  # to extra index: a (sequence number, output)
EDGE_VARIABLE = 4  # to an AccumulateGrad node; only in records of nodes

# What a node has saved: (slot, kind, index).
SAVED_OPERAND = 0  # operand index as it was before
SAVED_OUTPUT = 1  # result index
SAVED_PRIVATE = 2  # a tensor that only the graph holds; index is its layout
SAVED_NOTHING = 3
SAVED_EXPLICIT = 5  # extra index: a (tensor, version)
SAVED_VIEW = 6  # a view that only the graph holds; index is (layout, operand)

# Flags of signatures.
SIGNATURE_SILENT = 1  # not an operation of the program
