"""Records what real PyTorch does.

Functions of torch that are written in C are replaced by wrappers which call them and
append a record of what happened: which tensors went in, which came out, whose version
moved, which nodes were made and what they saved. A record is a small tuple of numbers;
gradtui turns it into events of the tape. Nothing here keeps a tensor, a node or a
gradient alive, and nothing here computes with the program's tensors where autograd could
see it.

    tensors   numbers for tensors, and what is known of each
    nodes     what nodes of the graph look like
    existing  names of the tensors that exist when recording begins
    ops       the wrappers, and the forms of operations that they have learned
    backward  backward passes
    program   modules, optimizers, modes, hooks, errors
    patch     which functions are replaced
    wire      how records get to gradtui
    signals   handlers of the program, which wait until a record is whole

An operation that was seen before with tensors of the same kinds has a *form*: then a
record says no more than which form and which tensors. The form is checked by the number
of nodes that the operation has made, and now and then by looking at everything again.
"""
