package autograd

import "slices"

// An Array is an array or a number of another library, such as NumPy. New and
// similar functions accept it as data, including as an element of a list.
type Array struct {
	DType DType
	Sizes []int
	// Strides are the strides of the resulting tensor, in elements; nil means
	// row-major.
	Strides []int
	Bytes   []byte // the elements in memory order, encoded as by Tensor.Bytes
	Type    string // the name of the type in messages: "numpy.ndarray"
	Scalar  bool   // whether the value is a number
}

// PythonType returns the name of the array's type.
func (a *Array) PythonType() string { return a.Type }

// Tensor returns a new tensor with the elements of the array.
func (a *Array) Tensor() (*Tensor, error) { return a.tensor(0) }

// tensor returns a new tensor of dtype d with the elements of the array; 0
// means the array's own dtype.
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

// array reads an array that is an element of a list.
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

// withoutArrays returns the items of an index with arrays replaced by tensors.
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
