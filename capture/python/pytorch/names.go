package pytorch

import (
	"strings"
	"sync"

	"github.com/gradtui/gradtui/autograd"
)

// aliases are the other names of operators, and which operators they are: "mul" for "multiply".
var aliases = sync.OnceValue(func() map[string]string {
	named := map[string]bool{}
	for _, op := range autograd.Ops() {
		named[schemaName(op)] = true
	}
	names := map[string]string{}
	for _, op := range autograd.Ops() {
		for alias := range strings.FieldsSeq(op.Aliases) {
			if !named[alias] && alias != "T" { // which is an attribute
				names[alias] = schemaName(op)
			}
		}
	}
	return names
})

// schemaName returns the name of an operator in its signature, without its overload.
func schemaName(op *autograd.Op) string {
	name, _, _ := strings.Cut(op.Schema, "(")
	name, _, _ = strings.Cut(name, ".")
	return name
}

// nameOf returns the name on the tape of an operation that PyTorch calls by any of its names. It is
// the one that the built-in engine records.
func nameOf(op string) string {
	if name, ok := aliases()[op]; ok {
		return name
	}
	if plain, inPlace := strings.CutSuffix(op, "_"); inPlace {
		if name, ok := aliases()[plain]; ok {
			return name + "_"
		}
	}
	return op
}

// eachApart are the functions that do the same with each of their operands, and the operation
// that this is. On the tape they are as many operations, as on the built-in engine: the values
// of one operand do not go into the other results.
var eachApart = map[string]string{
	"broadcast_tensors": "expand", "meshgrid": "expand",
	"atleast_1d": "view", "atleast_2d": "view", "atleast_3d": "view",
}
