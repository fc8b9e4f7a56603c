package autograd

import (
	"errors"
	"fmt"
)

// An Error is an error that PyTorch would raise: the type of the exception, a
// stable code for programs to branch on, and PyTorch's text.
type Error struct {
	Type ErrorType
	Code Code
	Text string // str(exception) in PyTorch 2.6
	Op   string // the operator or function that raised it; empty if none did

	cause error  // the error that a hook or a Function of the program returned
	gen   uint32 // the generation of the recorder that has recorded it
}

// Error returns the last line of PyTorch's traceback: "RuntimeError: …".
func (e *Error) Error() string { return string(e.Type) + ": " + e.Text }

// Is reports whether target is the error's Code, for errors.Is.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Unwrap returns the error of a hook or a Function of the program that caused
// this one, or nil.
func (e *Error) Unwrap() error { return e.cause }

// ErrorType is the name of a Python exception class.
type ErrorType string

// The exception classes that PyTorch raises.
const (
	RuntimeError        ErrorType = "RuntimeError"
	ValueError          ErrorType = "ValueError"
	TypeError           ErrorType = "TypeError"
	IndexError          ErrorType = "IndexError"
	KeyError            ErrorType = "KeyError"
	AttributeError      ErrorType = "AttributeError"
	NotImplementedError ErrorType = "NotImplementedError"
	ZeroDivisionError   ErrorType = "ZeroDivisionError"
	AssertionError      ErrorType = "AssertionError"
	OutOfMemoryError    ErrorType = "MemoryError"
)

// A Code is a stable word for the cause of an error. Use it as the target of
// errors.Is: errors.Is(err, autograd.CodeFreed).
type Code string

// Error makes a Code usable as the target of errors.Is.
func (c Code) Error() string { return string(c) }

// The codes.
const (
	CodeArgument     Code = "argument"      // wrong type, number or value of arguments
	CodeOperand      Code = "operand"       // an operator such as + does not support its operand; Python then tries the other operand
	CodeShape        Code = "shape"         // shapes do not match
	CodeDType        Code = "dtype"         // dtypes do not match
	CodeIndex        Code = "index"         // an index or dimension is out of range
	CodeNoGrad       Code = "no-grad"       // a tensor does not require grad but must
	CodeNonScalar    Code = "non-scalar"    // backward without a gradient from a tensor with more than one element
	CodeFreed        Code = "freed"         // saved tensors were freed by an earlier backward
	CodeVersion      Code = "version"       // a saved tensor was modified in place
	CodeUnused       Code = "unused"        // an input of autograd.grad is not in the graph
	CodeLeafInPlace  Code = "leaf-inplace"  // in-place on a leaf that requires grad
	CodeViewInPlace  Code = "view-inplace"  // in-place on a view that must not be modified in place
	CodeOverlap      Code = "overlap"       // in-place on overlapping memory
	CodeNotLeaf      Code = "not-leaf"      // a tensor is not a leaf but must be
	CodeGradAssign   Code = "grad-assign"   // the value cannot be assigned to .grad
	CodeConversion   Code = "conversion"    // a tensor cannot be converted to a Python or Go value
	CodeNoDerivative Code = "no-derivative" // the operator has no derivative
	CodeHook         Code = "hook"          // a hook returned something invalid
	CodeFunction     Code = "function"      // misuse of a custom Function
	CodeInference    Code = "inference"     // an inference tensor where a normal one is needed
	CodeAnomaly      Code = "anomaly"       // anomaly mode found a NaN
	CodeAttribute    Code = "attribute"     // unknown attribute, or not writable
	CodeModule       Code = "module"        // misuse of a module
	CodeOptimizer    Code = "optimizer"     // misuse of an optimizer
	CodeMemory       Code = "memory"        // out of memory
	CodeUnsupported  Code = "unsupported"   // PyTorch supports this, this engine does not
	CodeProgram      Code = "program"       // a hook or a Function of the program failed
	CodeInternal     Code = "internal"      // a bug in this engine
)

func fail(t ErrorType, c Code, format string, args ...any) *Error {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	return &Error{Type: t, Code: c, Text: text}
}

// asError returns the *Error in a chain. Any other error must come from the
// program's code; it becomes the cause of a RuntimeError.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = fail(RuntimeError, CodeProgram, "%v", err)
	e.cause = err
	return e
}
