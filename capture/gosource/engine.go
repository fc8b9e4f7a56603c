package gosource

import (
	"reflect"
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// What package autograd's functions do, by canonical name. Calls are known by
// their names only: a method of another type that happens to be called like one
// of these makes no operators at the line that calls it.

// constructors make a tensor without running an operator.
var constructors = set("new", "newparameter", "fromfloat32s", "fromfloat64s", "fromint64s", "makedual")

// transparent methods return their receiver. Names as in the source.
var transparent = set("SetName", "RequiresGrad_")

// quiet calls have nothing to do with tensors: options of operators, built-in
// functions, conversions. Names as in the source.
var quiet = set("Kw", "WithDType", "Dim", "Alpha", "Out", "SetName", "RequiresGrad_",
	"len", "cap", "append", "make", "min", "max", "int", "int64", "float32", "float64", "string")

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

var tensorType = reflect.TypeFor[*autograd.Tensor]()

// methods has the number of tensors that a method of Tensor returns, zero for one
// that returns something else or something besides; also Forward of modules and
// Call of functions with derivatives of their own.
var methods = func() map[string]int {
	m := map[string]int{"forward": 1, "call": 1}
	for method := range tensorType.Methods() {
		n := 0
		for i := range method.Type.NumOut() {
			if method.Type.Out(i) != tensorType {
				n = 0
				break
			}
			n++
		}
		m[canonical(method.Name)] = n
	}
	return m
}()

// results is the number of tensors that a call returns. Operators that are no
// methods return one.
func results(call string) int {
	if n, ok := methods[call]; ok {
		return n
	}
	return 1
}

// composed reports whether a call that runs other operators than its name says
// returns what the last of them made.
func composed(call string) bool { return methods[call] == 1 }

// functionName is the canonical name of the function in a frame, "" for a
// function literal: main.(*net).Forward is forward.
func functionName(f string) string {
	name := parts(f)[len(parts(f))-1]
	if isLiteral(name) {
		return ""
	}
	return canonical(name)
}

// literals is the number of function literals around a frame.
func literals(f string) int {
	n := 0
	for _, part := range parts(f) {
		if isLiteral(part) {
			n++
		}
	}
	return n
}

// parts are the parts of the name of a function, a generic one without its types.
func parts(f string) []string { return strings.Split(strings.ReplaceAll(f, "[...]", ""), ".") }

// isLiteral recognises the names that the compiler gives to function literals:
// func1, and the number alone for one inside another.
func isLiteral(name string) bool {
	return name != "" && strings.Trim(strings.TrimPrefix(name, "func"), "0123456789") == ""
}
