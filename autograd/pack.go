package autograd

import "github.com/gradtui/gradtui/autograd/internal/schema"

// A Slice is a slice in an index expression, x[start:stop:step]; nil leaves a
// part out.
type Slice struct{ Start, Stop, Step any }

// Ellipsis is ... in an index expression.
var Ellipsis = &struct{ ellipsis bool }{true}

// plainList turns a sequence of unknown elements into the slice that operators
// take, []*Tensor or []int, if its elements are of that type.
func plainList(v any, want schema.Type) any {
	var items []any
	switch x := v.(type) {
	case Tuple:
		items = x
	case []any:
		items = x
	case []int:
		if len(x) > 0 || want != schema.Tensor {
			return v
		}
	default:
		return v
	}
	if want == schema.Tensor {
		tensors := make([]*Tensor, len(items))
		for i, item := range items {
			t, ok := item.(*Tensor)
			if !ok && !isNone(item) {
				return v
			}
			tensors[i] = t
		}
		return tensors
	}
	return items
}

// gather collects arguments that were given one by one into the list that the
// operator takes, as in x.view(2, 3): a list of ints that is the only positional
// parameter, self aside; or one of tensors in functions that are written in
// Python with *tensors. nil if the operator is not of that kind.
func (f *Operator) gather(method bool, args []any) []any {
	at := 0
	if method {
		at = 1
	}
	for _, o := range f.ops {
		params := o.schema.Params
		if len(params) <= at || len(args) < at || !params[at].List || len(params) > at+1 && !params[at+1].KwOnly {
			continue
		}
		var list any
		switch p := &params[at]; {
		case p.Type == schema.Int:
			list = intList(args[at:])
		case p.Type == schema.Tensor && takesTensorsOneByOne[f.name]:
			if ts, ok := plainList(args[at:], schema.Tensor).([]*Tensor); ok {
				list = ts
			}
		}
		if list != nil {
			return append(append([]any(nil), args[:at]...), list)
		}
	}
	return nil
}

// takesTensorsOneByOne are the functions of torch/functional.py with a parameter
// *tensors.
var takesTensorsOneByOne = map[string]bool{
	"broadcast_tensors": true, "meshgrid": true, "atleast_1d": true, "atleast_2d": true, "atleast_3d": true,
	"block_diag": true, "cartesian_prod": true, "chain_matmul": true,
}

// intList is a list of ints, or nil.
func intList(args []any) any {
	if len(args) == 0 {
		return nil
	}
	list := make([]int, len(args))
	for i, arg := range args {
		s, ok := toScalar(arg)
		if !ok {
			s, ok = zeroDim(arg)
		}
		if !ok || !s.IsInt() {
			return nil
		}
		list[i] = int(s.Int())
	}
	return list
}

// selfInPlace moves the receiver of a method to where the operator has its
// parameter self: x.where(condition, y) is torch.where(condition, x, y).
func (f *Operator) selfInPlace(args []any, opts []Option) ([]any, []Option) {
	at := -1
	for i := 0; i < len(f.ops) && at < 0; i++ {
		at = f.ops[i].param("self")
	}
	switch {
	case at <= 0 || len(args) == 0:
		return args, opts
	case len(args) <= at:
		return args[1:], append(opts[:len(opts):len(opts)], Kw("self", args[0]))
	}
	moved := append([]any(nil), args[1:]...)
	return append(append(moved[:at:at], args[0]), moved[at:]...), opts
}
