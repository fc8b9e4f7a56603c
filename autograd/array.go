package autograd

import "slices"

// An Array is an array or a number of another library, such as NumPy, that New
// and its kin take as data, also among the elements of a list.
type Array struct {
	DType DType
	Sizes []int
	// Strides are those that the tensor gets, in elements; nil if they are row-major.
	Strides []int
	Bytes   []byte // the elements in the order of their memory, as Tensor.Bytes has them
	Type    string // the name of its type in messages: "numpy.ndarray"
	Scalar  bool   // whether it is a number
}

// PythonType returns the name of its type.
func (a *Array) PythonType() string { return a.Type }

// Tensor returns the array as a new tensor.
func (a *Array) Tensor() (*Tensor, error) { return a.tensor(0) }

// tensor returns the array as a new tensor of a dtype; 0 means its own.
func (a *Array) tensor(d DType) (*Tensor, error) {
	t, err := FromBytes(a.DType, a.Sizes, a.Bytes)
	if err != nil {
		return nil, err
	}
	if a.Strides != nil {
		if t, err = t.Over(a.Sizes, a.Strides, 0); err != nil {
			return nil, err
		}
	}
	if d == 0 || d == t.dtype {
		return t, nil
	}
	c := allocPreservingAs(t, d)
	copyData(c, t)
	return c, nil
}

// array reads an array among the elements.
func (b *nested) array(a *Array, depth int) error {
	rest := b.sizes[depth:]
	for i, n := range a.Sizes {
		switch {
		case i >= len(rest):
			return fail(TypeError, CodeArgument, "only length-1 arrays can be converted to Python scalars")
		case n != rest[i]:
			return fail(ValueError, CodeShape, "expected sequence of length %d at dim %d (got %d)", rest[i], depth+i, n)
		}
	}
	if len(a.Sizes) < len(rest) {
		return fail(TypeError, CodeArgument, "not a sequence")
	}
	if !a.Scalar {
		warnOnce("./torch/csrc/utils/tensor_new.cpp:254", "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.")
	}
	t, err := a.tensor(0)
	if err != nil {
		return err
	}
	for i := range t.Numel() {
		b.numbers = append(b.numbers, t.element(t.at(i)))
	}
	b.tensors = promoted(b.tensors, a.DType)
	return nil
}

// withoutArrays returns the items of an index with tensors for arrays.
func withoutArrays(items []any) ([]any, *Error) {
	for i, item := range items {
		a, ok := item.(*Array)
		if !ok {
			continue
		}
		t, err := a.Tensor()
		if err != nil {
			return nil, asError(err)
		}
		items = slices.Clone(items)
		items[i] = t
	}
	return items, nil
}
