package autograd

// getitemOps are x[index] and x[index] = value.
var getitemOps = []Op{
	{
		Schema: "__getitem__(Tensor self, Index index) -> Tensor", In: Method, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(getItem(a.Self(), a.value("index").x)) },
	},
	{
		Schema: "__setitem__(Tensor self, Index index, Index value) -> Tensor", In: Method, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return nil, setItem(a.Self(), a.value("index").x, a.value("value").x)
		},
	},
}

var (
	fnGetItem = declare("__getitem__")
	fnSetItem = declare("__setitem__")
)

// Index is x[items...], with all of Python's indexing: ints, [Slice],
// [Ellipsis], nil for None, bools, Go slices of ints or bools, and tensors of
// ints or bools. Several items stand for a tuple, no items for the empty tuple.
// The result is a view unless the items include lists or tensors of more than
// one element.
func (t *Tensor) Index(items ...any) *Tensor {
	return fnGetItem.single(nil, t, indexTuple(items))
}

// SetIndex is x[items...] = value. value is a number, or a tensor that is
// broadcast to the shape of the indexed part.
func (t *Tensor) SetIndex(value any, items ...any) error {
	_, err := fnSetItem.call(byGo, []any{t, indexTuple(items), value}, nil)
	return err
}

func indexTuple(items []any) any {
	if len(items) == 1 {
		return items[0]
	}
	return Tuple(items)
}
