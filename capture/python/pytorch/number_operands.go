package pytorch

import (
	"strings"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// A number is one that an operation takes for a tensor: 2 in x * 2.
type number struct {
	layout *layout
	value  []any
}

// numberOperands are the operations that take numbers as operands, like the in-place operations
// with the same names and _. PyTorch makes tensors of the numbers; other operations keep them.
var numberOperands = map[string]bool{
	"add": true, "sub": true, "mul": true, "div": true, "floor_divide": true,
}

// operandNames are the names of parameters of such operations that may be numbers.
var operandNames = map[string]bool{"": true, "self": true, "input": true, "other": true}

var numberLayouts = map[graph.DType]*layout{
	graph.Bool:    {dtype: graph.Bool, extent: 1},
	graph.Int64:   {dtype: graph.Int64, extent: 8},
	graph.Float64: {dtype: graph.Float64, extent: 8},
}

// numberOf is the number that an argument of an operation is, if the operation takes it for
// a tensor.
func numberOf(op, parameter string, spec marshal.Tuple) (n number, ok bool) {
	if !numberOperands[strings.TrimSuffix(op, "_")] || !operandNames[parameter] {
		return n, false
	}
	v, _ := marshal.At[any](spec, 1)
	switch v.(type) {
	case bool:
		n.layout = numberLayouts[graph.Bool]
	case int:
		n.layout = numberLayouts[graph.Int64]
	case float64:
		n.layout = numberLayouts[graph.Float64]
	default:
		return n, false
	}
	n.value = []any{v}
	return n, true
}

// wrap announces the tensors that PyTorch makes of the numbers among the operands.
func (t *Translator) wrap(o *operation) {
	o.wrapped = o.wrapped[:0]
	for _, n := range o.signature.numbers {
		x := &tensor{layout: n.layout, storage: t.tensors.newStorage(n.layout, n.layout.extent), counter: t.tensors.newCounter(0)}
		t.create(0, x, 0, graph.FlagNumber, n.value)
		o.wrapped = append(o.wrapped, x.id)
	}
}

// saves returns the position of the number that a saved tensor of a layout is, or -1.
func (m *signature) saves(l *layout) int {
	if len(m.numbers) == 1 && l != nil && len(l.shape) == 0 && l.dtype == m.numbers[0].layout.dtype {
		return 0
	}
	return -1
}
