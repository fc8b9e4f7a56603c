// Package formula says how nodes of the backward graph compute gradients: for MulBackward0, grad ⋅ other and grad ⋅
// self.
//
// The formulas are data, derivatives.txt, in the operators and parameter names of the built-in engine, which are
// PyTorch's. The tests of package autograd trace them from the engine's table of operators: they run the derivative
// of each operator on samples, note which operators it calls, and find out by comparing samples which numbers come
// from arguments and shapes. So nothing here depends on an engine, and tapes of PyTorch, whose nodes have the same
// names, are explained as well.
//
// [Of] finds the formulas of a node on a tape; [Expr.Text] writes one as mathematics.
package formula
