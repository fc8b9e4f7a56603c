package autograd

// Python's protocol for a method such as __add__ that does not support its
// operand: the method returns NotImplemented, Python asks the other operand,
// and if that fails as well, Python raises an error or, for == and !=, compares
// identities.

// operatorSymbols maps methods that may return NotImplemented to their
// operators.
var operatorSymbols = func() map[string]string {
	symbols := map[string]string{
		"__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">=",
	}
	for name, symbol := range map[string]string{
		"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()",
		"matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
	} {
		symbols["__"+name+"__"] = symbol
		symbols["__r"+name+"__"] = symbol
		symbols["__i"+name+"__"] = symbol + "="
	}
	symbols["__ipow__"] = "**="
	return symbols
}()

// operandError returns Python's final error when no operand supports the
// operator.
func operandError(name, symbol string, self, other any) *Error {
	left, right := pythonTypeOf(self), pythonTypeOf(other)
	if _, ok := comparisons[symbol]; ok {
		return fail(TypeError, CodeOperand, "'%s' not supported between instances of '%s' and '%s'", symbol, left, right)
	}
	if name[2] == 'r' && name != "__rshift__" {
		left, right = right, left
	}
	return fail(TypeError, CodeOperand, "unsupported operand type(s) for %s: '%s' and '%s'", symbol, left, right)
}

var comparisons = map[string]bool{"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}
