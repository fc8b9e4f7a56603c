package autograd

// What Python does when a method such as __add__ does not know its operand: the
// method returns NotImplemented, Python asks the other operand, and when that
// does not help either, it raises or, for == and !=, compares identities.

// operatorSymbols are the operators behind the methods that may return
// NotImplemented.
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

// operandError says that an operator does not know its operand, in the words of
// Python's last resort.
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
