"""What gradtui knows about a running Python program besides its tensors.

stacks numbers call stacks, names finds the variables that results are assigned
to, modules follows the forward passes of modules, tracebacks and start keep the
program from noticing that it is recorded. Nothing here imports torch.
"""
