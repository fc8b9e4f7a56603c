package autograd

// A Slice is a slice in an index expression, x[start:stop:step]; nil leaves a
// part out.
type Slice struct{ Start, Stop, Step any }

// Ellipsis is ... in an index expression.
var Ellipsis = &struct{ ellipsis bool }{true}

// plainList turns a sequence of unknown elements into the slice that operators
// take, []*Tensor or []int, if its elements are of one type.
func plainList(v any) any {
	var items []any
	switch x := v.(type) {
	case Tuple:
		items = x
	case []any:
		items = x
	default:
		return v
	}
	tensors, ints := make([]*Tensor, 0, len(items)), make([]int, 0, len(items))
	for _, item := range items {
		if t, ok := item.(*Tensor); ok {
			tensors = append(tensors, t)
		} else if s, ok := toScalar(item); ok && s.IsInt() {
			ints = append(ints, int(s.Int()))
		}
	}
	switch {
	case len(ints) == len(items):
		return ints
	case len(tensors) == len(items):
		return tensors
	}
	return items
}
