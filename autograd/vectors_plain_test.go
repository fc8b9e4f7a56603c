package autograd

// plainFunctions return numbers and the like instead of tensors, or take
// what is no tensor.
func init() {
	for name, f := range map[string]func(args []any) (any, error){
		"Tensor.size":         func(a []any) (any, error) { return sizeAlong(a, (*Tensor).Size, (*Tensor).Shape) },
		"Tensor.stride":       func(a []any) (any, error) { return sizeAlong(a, (*Tensor).StrideAlong, (*Tensor).Stride) },
		"Tensor.nelement":     func(a []any) (any, error) { return a[0].(*Tensor).Numel(), nil },
		"torch.numel":         func(a []any) (any, error) { return a[0].(*Tensor).Numel(), nil },
		"Tensor.ndimension":   func(a []any) (any, error) { return a[0].(*Tensor).Dim(), nil },
		"Tensor.element_size": func(a []any) (any, error) { return a[0].(*Tensor).DType().Size(), nil },
		"prop.nbytes": func(a []any) (any, error) {
			return a[0].(*Tensor).Numel() * a[0].(*Tensor).DType().Size(), nil
		},
		"prop.dtype":          func(a []any) (any, error) { return dtypeJSON(a[0].(*Tensor).DType()), nil },
		"prop.shape":          func(a []any) (any, error) { return a[0].(*Tensor).Shape(), nil },
		"prop.grad_fn":        func(a []any) (any, error) { _, err := a[0].(*Tensor).GradFn(); return nil, err },
		"torch.is_tensor":     func(a []any) (any, error) { _, ok := a[0].(*Tensor); return ok, nil },
		"Tensor.__index__":    func(a []any) (any, error) { return a[0].(*Tensor).AsIndex() },
		"Tensor.__contains__": func(a []any) (any, error) { return a[0].(*Tensor).Contains(a[1]) },
		"Tensor.tolist": func(a []any) (any, error) {
			v, err := a[0].(*Tensor).ToList()
			if list, ok := v.([]any); ok {
				return items(list), err
			}
			return v, err
		},
		"torch.Tensor":      func(a []any) (any, error) { return legacy(DefaultDType(), a) },
		"torch.FloatTensor": func(a []any) (any, error) { return legacy(Float32, a) },
		"torch.LongTensor":  func(a []any) (any, error) { return legacy(Int64, a) },
	} {
		plainFunctions[name] = f
	}
}

// items are several plain results.
type items []any

func legacy(d DType, args []any) (any, error) {
	t := LegacyTensor(d, args...)
	return []*Tensor{t}, t.Err()
}

func sizeAlong(a []any, one func(t *Tensor, dim int) (int, error), all func(t *Tensor) []int) (any, error) {
	if len(a) > 1 {
		return one(a[0].(*Tensor), a[1].(int))
	}
	return all(a[0].(*Tensor)), nil
}
