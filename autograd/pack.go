package autograd

import "github.com/gradtui/gradtui/autograd/internal/schema"

// A Slice is a slice in an index expression, x[start:stop:step]; nil leaves a
// part out.
type Slice struct{ Start, Stop, Step any }

// Ellipsis is ... in an index expression.
var Ellipsis = &struct{ ellipsis bool }{true}

// packSizes collects the arguments of a call such as x.view(2, 3): a method
// whose last positional parameter is a list of ints takes them one by one too.
func packSizes(f *Operator, args []any) []any {
	for _, o := range f.ops {
		at := -1
		for i, p := range o.schema.Params {
			if p.KwOnly {
				break
			}
			if p.List && p.Type == schema.Int && at < 0 {
				at = i
			}
		}
		if at < 0 || len(args) <= at {
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
