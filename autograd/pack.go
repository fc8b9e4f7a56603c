package autograd

import "github.com/gradtui/gradtui/autograd/internal/schema"

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

// packSizes collects the arguments of a call such as x.view(2, 3) or
// torch.zeros(2, 3): a list of ints that is the only positional parameter, self
// aside, may be given one by one.
func packSizes(f *Operator, method bool, args []any) []any {
	for _, o := range f.ops {
		params := o.schema.Params
		at := 0
		if method {
			at = 1
		}
		if len(params) <= at || len(args) <= at || !params[at].List || params[at].Type != schema.Int {
			continue
		}
		if len(params) > at+1 && !params[at+1].KwOnly {
			continue
		}
		sizes := make([]int, 0, len(args)-at)
		for _, arg := range args[at:] {
			s, ok := toScalar(arg)
			if !ok || !s.IsInt() {
				return args
			}
			sizes = append(sizes, int(s.Int()))
		}
		return append(append([]any(nil), args[:at]...), sizes)
	}
	return args
}
