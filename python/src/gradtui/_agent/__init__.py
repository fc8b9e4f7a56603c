"""What gradtui knows about a running Python program besides its tensors.

Both engines use it, and nothing here imports torch. Begin with stacks.

    start       the beginning and the end of a program
    imports     imports that the program does not notice
    stacks      numbers for call stacks
    sources     the text of code that is in no file
    results     names of the results of operations, from the
    bytecode    that follows the operations
    names       names of other tensors, and what namespaces hold
    spaces      the namespaces that a program sees at a place
    modules     forward passes of modules, and their names
    notes       facts that the engine does not see
    variables   what global variables hold at the end
    tracebacks  tracebacks and warnings without our frames
    unseen      functions whose frames a program does not see
"""
