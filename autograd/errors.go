package autograd

import (
	"errors"
	"fmt"
)

// An Error is what PyTorch would raise: the type of the exception, a stable code
// for programs to branch on, and PyTorch's own words.
type Error struct {
	Type ErrorType
	Code Code
	Text string // as str(exception) in PyTorch 2.6
	Op   string // the operator or function that raised it, if one did

	cause error  // the error of a hook or a Function of the program
	gen   uint32 // the recorder generation that has it on its tape
}

// Error returns the last line of PyTorch's traceback: "RuntimeError: …".
func (e *Error) Error() string { return string(e.Type) + ": " + e.Text }

// Is makes errors.Is(err, Code(…)) match the code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Unwrap returns the error that a hook or a Function of the program returned, if
// that is where the error comes from.
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

// A Code is a stable word for the cause of an error. errors.Is(err,
// autograd.CodeFreed) finds it anywhere in a chain.
type Code string

// Error makes a Code usable as the target of errors.Is.
func (c Code) Error() string { return string(c) }

// The codes.
const (
	CodeArgument     Code = "argument"      // wrong type, number or value of arguments
	CodeOperand      Code = "operand"       // an operator such as + does not know its operand: Python tries the other one
	CodeShape        Code = "shape"         // shapes do not fit
	CodeDType        Code = "dtype"         // element types do not fit
	CodeIndex        Code = "index"         // an index or dimension is out of range
	CodeNoGrad       Code = "no-grad"       // a tensor that requires no grad where one is needed
	CodeNonScalar    Code = "non-scalar"    // backward from more than one element
	CodeFreed        Code = "freed"         // saved tensors were freed by an earlier backward
	CodeVersion      Code = "version"       // a saved tensor was modified in place
	CodeUnused       Code = "unused"        // an input of autograd.grad is not in the graph
	CodeLeafInPlace  Code = "leaf-inplace"  // in-place on a leaf that requires grad
	CodeViewInPlace  Code = "view-inplace"  // in-place on a view that forbids it
	CodeOverlap      Code = "overlap"       // in-place on memory with several meanings
	CodeNotLeaf      Code = "not-leaf"      // a leaf is needed
	CodeGradAssign   Code = "grad-assign"   // .grad cannot take this
	CodeConversion   Code = "conversion"    // a tensor cannot become this Python or Go value
	CodeNoDerivative Code = "no-derivative" // the operator has no derivative
	CodeHook         Code = "hook"          // a hook broke the rules
	CodeFunction     Code = "function"      // a custom Function broke the rules
	CodeInference    Code = "inference"     // an inference tensor where a normal one is needed
	CodeAnomaly      Code = "anomaly"       // anomaly mode found a NaN
	CodeAttribute    Code = "attribute"     // no such attribute, or not writable
	CodeModule       Code = "module"        // misuse of a module
	CodeOptimizer    Code = "optimizer"     // misuse of an optimizer
	CodeMemory       Code = "memory"        // more memory than there is
	CodeUnsupported  Code = "unsupported"   // PyTorch can do this, this engine cannot
	CodeProgram      Code = "program"       // a hook or a Function of the program failed
	CodeInternal     Code = "internal"      // a defect of this engine
)

func fail(t ErrorType, c Code, format string, args ...any) *Error {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	return &Error{Type: t, Code: c, Text: text}
}

// asError finds the Error in a chain; another error, which only code of the
// program can have returned, becomes the cause of a RuntimeError.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = fail(RuntimeError, CodeProgram, "%v", err)
	e.cause = err
	return e
}
