package autograd

// A Tuple is a Python tuple; a list is []any.
type Tuple []any

// tupleOf is a list of tensors as a Tuple; nil for none.
func tupleOf(ts []*Tensor) any {
	if ts == nil {
		return nil
	}
	tuple := make(Tuple, len(ts))
	for i, t := range ts {
		tuple[i] = t
	}
	return tuple
}
