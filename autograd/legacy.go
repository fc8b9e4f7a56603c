package autograd

// LegacyTensor is the constructor of a tensor class, torch.FloatTensor(args...)
// for the class's dtype. It makes an empty tensor, a tensor of the given sizes,
// a copy of a list of numbers, or another view of a tensor. With the default
// dtype it is torch.Tensor, which accepts tensors of every dtype.
func LegacyTensor(d DType, args ...any) *Tensor {
	t, err := legacyTensor(d, args)
	if err != nil {
		return errTensor(noted(err, "new"))
	}
	return t
}

func legacyTensor(d DType, args []any) (*Tensor, error) {
	if len(args) == 1 {
		switch x := args[0].(type) {
		case *Tensor:
			if x == nil {
				break
			}
			if x.err == nil && x.dtype != d && d != defaultDType {
				return nil, fail(TypeError, CodeDType, "expected %s (got %s)", tensorOptions(d), tensorOptions(x.dtype))
			}
			t := x.Alias()
			return t, t.Err()
		case Size:
			t := Empty(x, WithDType(d))
			return t, t.Err()
		case string:
			return nil, fail(TypeError, CodeArgument, "new(): invalid data type 'str'")
		case int:
		default:
			s, isNumber := toScalar(x)
			array, isArray := x.(*Array)
			if isNumber && !s.IsInt() || isNone(x) || isArray && array.Scalar || isObject(x) {
				break
			}
			t := New(x, WithDType(d))
			return t, t.Err()
		}
		if _, isInt := args[0].(int); !isInt {
			return nil, fail(TypeError, CodeArgument, "new(): data must be a sequence (got %s)", pythonTypeOf(args[0]))
		}
	}
	sizes := make([]int, len(args))
	for i, arg := range args {
		s, ok := toScalar(arg)
		if !ok || !s.IsInt() {
			return nil, fail(TypeError, CodeArgument, "new(): argument 'size' failed to unpack the object at pos %d with error \"type must be tuple of ints,but got %s\"", i+1, pythonTypeOf(arg))
		}
		sizes[i] = int(s.Int())
	}
	if len(args) == 0 {
		sizes = []int{0}
	}
	t := Empty(sizes, WithDType(d))
	return t, t.Err()
}

// isObject reports whether the type of a value is unknown to the engine.
func isObject(v any) bool {
	_, object := v.(interface{ PythonType() string })
	_, array := v.(*Array)
	return object && !array
}

// tensorOptions returns a dtype as the constructors' messages show it.
func tensorOptions(d DType) string {
	return "TensorOptions(dtype=" + cTypeNames[d] + ", device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
}
