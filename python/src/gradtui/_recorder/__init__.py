"""Records what PyTorch does.

Functions of torch that are written in C are replaced by wrappers which call them and
append a record of what happened: which tensors went in, which came out, whose version
moved, which nodes were made and what they saved. A record is a small tuple of numbers;
gradtui turns it into events of the tape. Nothing here keeps a tensor, a node or a
gradient alive, and nothing here computes with the program's tensors where autograd could
see it.

    start         begins and ends a recording; begin here
    patch         which functions are replaced
    replacements  what takes the place of attributes, and how that is undone
    ops           the wrappers of operations
    signatures    what is known of operations that look alike
    tensors       numbers for tensors, and what is known of each
    nodes         what nodes of the graph look like
    values        summaries of what tensors hold
    backward      backward passes
    program       modules, optimizers, modes, hooks, errors
    compiled      torch.compile
    facts         records of what is not an operation
    existing      names of the tensors that exist when recording begins
    signals       handlers of the program, which wait until a record is whole
    wire          how records get to gradtui

An operation on tensors of the same kinds as an earlier one has its *signature*: the record says
no more than which signature and which tensors. The number of nodes that the operation has made
confirms it, and now and then everything is looked at again.
"""
