package pytorch

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// wholeElements returns the elements of a tensor that is recorded whole.
const wholeElements = 8

// valueOf reads what a tensor holds: a list of all elements, or (count, leading elements,
// min, max, mean, NaNs, infinities, norm, zeros). What is nothing of that is unknown.
func valueOf(v any, dtype graph.DType) graph.Value {
	switch x := v.(type) {
	case []any:
		if first, ok := numbers(x); ok {
			return graph.Value{DType: dtype, Count: uint64(len(first)), First: first}
		}
	case marshal.Tuple:
		count, ok1 := marshal.At[int](x, 0)
		list, ok2 := marshal.At[[]any](x, 1)
		first, ok3 := numbers(list)
		if !ok1 || !ok2 || !ok3 || len(x) != 9 || count < len(first) {
			break
		}
		stats, ok := numbers(x[2:])
		if !ok || stats[3] < 0 || stats[4] < 0 || stats[6] < 0 {
			break
		}
		return graph.Value{
			DType: dtype, Count: uint64(count), First: first,
			Min: stats[0], Max: stats[1], Mean: stats[2], NaN: uint64(stats[3]), Inf: uint64(stats[4]),
			Norm: stats[5], Zeros: uint64(stats[6]), Measured: true,
		}
	}
	return graph.Value{}
}

// zerosOf returns the value of a tensor that is all zero.
func zerosOf(l *layout) marshal.Tuple {
	n := 1
	for _, k := range l.shape {
		n = times(n, k)
	}
	first := make([]any, min(n, wholeElements))
	for i := range first {
		first[i] = 0
	}
	return marshal.Tuple{n, first, 0, 0, 0, 0, 0, 0, n}
}

// numbers reads numbers; those that are complex lose their imaginary parts.
func numbers(list []any) ([]float64, bool) {
	out := make([]float64, len(list))
	for i, v := range list {
		switch x := v.(type) {
		case float64:
			out[i] = x
		case int:
			out[i] = float64(x)
		case bool:
			if x {
				out[i] = 1
			}
		case complex128:
			out[i] = real(x)
		case *big.Int:
			out[i], _ = new(big.Float).SetInt(x).Float64()
		default:
			return nil, false
		}
	}
	return out, true
}

// gradOf reads a gradient: (dtype, shape, value), or None.
func gradOf(v any) graph.Grad {
	x, _ := v.(marshal.Tuple)
	f := fields{v: x}
	if dtype, shape := f.text(0), f.ints(1); !f.bad && len(shape) <= mostDims {
		return graph.Grad{Shape: shape, Value: valueOf(f.any(2), dtypeOf(dtype))}
	}
	return graph.Grad{}
}

// gradsOf reads the gradients that a node got or gave, if they are as many as they should
// be.
func gradsOf(v any, n int) []graph.Grad {
	list, _ := v.(marshal.Tuple)
	if len(list) != n {
		return nil
	}
	grads := make([]graph.Grad, n)
	for i := range list {
		grads[i] = gradOf(list[i])
	}
	return grads
}

// attrOf reads an argument that is not a tensor: ("v", value) or ("r", text).
func attrOf(spec marshal.Tuple) (a graph.AttrValue, ok bool) {
	kind, _ := marshal.At[string](spec, 0)
	v, there := marshal.At[any](spec, 1)
	text, isText := v.(string)
	switch {
	case len(spec) != 2:
		return a, false
	case kind == "r":
		return graph.AttrValue{Type: graph.AttrText, Text: text}, isText
	case kind == "v":
		return plainAttr(v), there || v == nil
	}
	return a, false
}

// plainAttr is the attribute for a plain value.
func plainAttr(v any) graph.AttrValue {
	switch x := v.(type) {
	case nil:
		return graph.AttrValue{}
	case bool:
		a := graph.AttrValue{Type: graph.AttrBool, Ints: []int64{0}}
		if x {
			a.Ints[0] = 1
		}
		return a
	case int:
		return graph.AttrValue{Type: graph.AttrInt, Ints: []int64{int64(x)}}
	case float64:
		return graph.AttrValue{Type: graph.AttrFloat, Floats: []float64{x}}
	case string:
		return graph.AttrValue{Type: graph.AttrText, Text: x}
	case marshal.Tuple:
		return listAttr(x)
	case []any:
		return listAttr(x)
	case *big.Int:
		if x.IsUint64() {
			return graph.AttrValue{Type: graph.AttrUint, Ints: []int64{int64(x.Uint64())}}
		}
	}
	return graph.AttrValue{Type: graph.AttrText, Text: python(v)}
}

// listAttr is the attribute for a tuple or list: of ints, of numbers, or of other things.
func listAttr(list []any) graph.AttrValue {
	ints := make([]int64, 0, len(list))
	for _, v := range list {
		if n, ok := v.(int); ok {
			ints = append(ints, int64(n))
		}
	}
	if len(ints) == len(list) {
		return graph.AttrValue{Type: graph.AttrInts, Ints: ints}
	}
	floats := make([]float64, 0, len(list))
	for _, v := range list {
		switch x := v.(type) {
		case float64:
			floats = append(floats, x)
		case int:
			floats = append(floats, float64(x))
		}
	}
	if len(floats) == len(list) {
		return graph.AttrValue{Type: graph.AttrFloats, Floats: floats}
	}
	return graph.AttrValue{Type: graph.AttrText, Text: python(marshal.Tuple(list))}
}

// python writes a value as Python does.
func python(v any) string {
	switch x := v.(type) {
	case marshal.Tuple:
		parts := make([]string, len(x))
		for i := range x {
			parts[i] = python(x[i])
		}
		if len(parts) == 1 {
			return "(" + parts[0] + ",)"
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case *big.Int:
		return x.String()
	case nil, bool, int, float64, string:
		return plainAttr(x).String()
	}
	return fmt.Sprint(v)
}
