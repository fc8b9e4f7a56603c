package autograd

// plainFunctions are functions that return non-tensors, such as numbers, or
// take unusual arguments.
var plainFunctions = map[string]func(args []any) (any, error){
	"Tensor.item":           func(a []any) (any, error) { return pythonNumber(a[0].(*Tensor).Item()) },
	"Tensor.dim":            func(a []any) (any, error) { return a[0].(*Tensor).Dim(), nil },
	"prop.ndim":             func(a []any) (any, error) { return a[0].(*Tensor).Dim(), nil },
	"Tensor.numel":          func(a []any) (any, error) { return a[0].(*Tensor).Numel(), nil },
	"Tensor.__len__":        func(a []any) (any, error) { return a[0].(*Tensor).Len() },
	"Tensor.__bool__":       func(a []any) (any, error) { return a[0].(*Tensor).Truth() },
	"Tensor.__float__":      func(a []any) (any, error) { s, err := a[0].(*Tensor).Item(); return s.Float(), err },
	"Tensor.__int__":        func(a []any) (any, error) { s, err := a[0].(*Tensor).Item(); return int(s.Int()), err },
	"Tensor.__iter__":       func(a []any) (any, error) { return a[0].(*Tensor).Rows() },
	"prop.requires_grad":    func(a []any) (any, error) { return a[0].(*Tensor).RequiresGrad(), nil },
	"prop.is_leaf":          func(a []any) (any, error) { return a[0].(*Tensor).IsLeaf(), nil },
	"prop.retains_grad":     func(a []any) (any, error) { return a[0].(*Tensor).RetainsGrad(), nil },
	"prop.output_nr":        func(a []any) (any, error) { return a[0].(*Tensor).OutputNr(), nil },
	"prop._version":         func(a []any) (any, error) { return a[0].(*Tensor).Version() },
	"prop.grad":             func(a []any) (any, error) { return optional(a[0].(*Tensor).Grad()), nil },
	"prop.data":             func(a []any) (any, error) { return []*Tensor{a[0].(*Tensor).Data()}, nil },
	"prop.itemsize":         func(a []any) (any, error) { return a[0].(*Tensor).DType().Size(), nil },
	"Tensor.is_contiguous":  func(a []any) (any, error) { return a[0].(*Tensor).IsContiguous(), nil },
	"Tensor.storage_offset": func(a []any) (any, error) { return a[0].(*Tensor).StorageOffset(), nil },
	"Tensor.requires_grad_": func(a []any) (any, error) {
		on := true
		if len(a) > 1 {
			on = a[1].(bool)
		}
		t := a[0].(*Tensor).RequiresGrad_(on)
		return []*Tensor{t}, t.Err()
	},
	"Tensor.detach_":     func(a []any) (any, error) { return []*Tensor{a[0].(*Tensor)}, a[0].(*Tensor).Detach_() },
	"Tensor.retain_grad": func(a []any) (any, error) { return nil, a[0].(*Tensor).RetainGrad() },
	"Tensor.type": func(a []any) (any, error) {
		if len(a) == 1 {
			return a[0].(*Tensor).Type(), nil
		}
		f, _ := Lookup("type")
		return f.CallMethod(a)
	},
	"torch.promote_types":     func(a []any) (any, error) { return dtypeJSON(PromoteTypes(a[0].(DType), a[1].(DType))), nil },
	"torch.can_cast":          func(a []any) (any, error) { return CanCast(a[0].(DType), a[1].(DType)), nil },
	"torch.get_default_dtype": func(a []any) (any, error) { return dtypeJSON(DefaultDType()), nil },
	"torch.result_type": func(a []any) (any, error) {
		d, err := ResultType(a[0], a[1])
		return dtypeJSON(d), err
	},
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
