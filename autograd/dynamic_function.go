package autograd

// torchFunctions are the functions of the torch modules that are not operators.
var torchFunctions map[string]*binding

func makeTorchFunctions() map[string]*binding {
	all := map[string]*binding{
		"torch.manual_seed": {"manual_seed", "seed", 1, func(a []any) (any, error) { return nil, ManualSeed(a[0]) }},
		"torch.is_tensor": {"is_tensor", "obj", 1, func(a []any) (any, error) {
			_, ok := a[0].(*Tensor)
			return ok, nil
		}},
		"torch.numel": {"numel", "input", 1, func(a []any) (any, error) { return CallAttr(a[0], "numel", nil) }},
		"torch.promote_types": {"promote_types", "type1 type2", 2, func(a []any) (any, error) {
			d, err := dtypes("promote_types", []string{"type1", "type2"}, a)
			if err != nil {
				return nil, err
			}
			return PromoteTypes(d[0], d[1]), nil
		}},
		"torch.can_cast": {"can_cast", "from_ to", 2, func(a []any) (any, error) {
			d, err := dtypes("can_cast", []string{"from_", "to"}, a)
			if err != nil {
				return nil, err
			}
			return CanCast(d[0], d[1]), nil
		}},
		"torch.result_type":       {"result_type", "tensor1 tensor2", 2, func(a []any) (any, error) { return ResultType(a[0], a[1]) }},
		"torch.get_default_dtype": {"get_default_dtype", "", 0, func([]any) (any, error) { return DefaultDType(), nil }},
		"torch.is_grad_enabled":   {"is_grad_enabled", "", 0, func([]any) (any, error) { return GradEnabled(), nil }},
		"torch.nn.Parameter":      {"Parameter.__new__", "data requires_grad", 0, newParameter},
		"torch.autograd.backward": {"backward", "tensors " + backwardParams, 1, backwardAll},
		"torch.autograd.grad":     {"grad", "outputs inputs " + gradParams, 2, gradOf},
		"torch.copy.copy":         {"copy", "x", 1, func(a []any) (any, error) { return CallAttr(a[0], "__copy__", nil) }},
		"torch.copy.deepcopy":     {"deepcopy", "x", 1, func(a []any) (any, error) { return CallAttr(a[0], "__deepcopy__", nil) }},
		"torch.Tensor":            {"new", "*", 0, func(a []any) (any, error) { return asValue(LegacyTensor(defaultDType, a...)) }},
	}
	for _, d := range []DType{Float32, Float64, Float16, BFloat16, Int8, Int16, Int32, Int64, UInt8, Bool} {
		all[typeString(d)] = &binding{"new", "*", 0, func(a []any) (any, error) { return asValue(LegacyTensor(d, a...)) }}
	}
	return all
}

func dtypes(function string, params []string, values []any) ([]DType, error) {
	list := make([]DType, len(values))
	for i, v := range values {
		d, ok := v.(DType)
		if !ok {
			return nil, fail(TypeError, CodeArgument, "%s(): argument '%s' (position %d) must be torch.dtype, not %s", function, params[i], i+1, pythonTypeOf(v))
		}
		list[i] = d
	}
	return list, nil
}

func newParameter(a []any) (any, error) {
	t, ok := or(a[0], alloc(defaultDType, []int{0})).(*Tensor)
	if !ok {
		return nil, noAttribute(a[0], "detach")
	}
	on, ok := or(a[1], true).(bool)
	if !ok {
		return nil, fail(TypeError, CodeArgument, "argument 'requires_grad' must be bool, not %s", pythonTypeOf(a[1]))
	}
	return asValue(NewParameter(t, on))
}

const (
	backwardParams = "grad_tensors retain_graph create_graph inputs"
	gradParams     = "grad_outputs retain_graph create_graph allow_unused materialize_grads"
)

func backwardAll(a []any) (any, error) {
	roots, err := tensorsOf(a[0], func(i int, _ string) *Error {
		return fail(RuntimeError, CodeArgument, "element %d of tensors tuple is neither a Tensor nor a GradientEdge", i)
	})
	if err != nil {
		return nil, err
	}
	return nil, BackwardAll(roots, nil, keywords(backwardParams, a[1:])...)
}

func gradOf(a []any) (any, error) {
	outputs, err := tensorsOf(a[0], func(i int, _ string) *Error {
		return fail(RuntimeError, CodeArgument, "element %d of tensors tuple is neither a Tensor nor a GradientEdge", i)
	})
	if err != nil {
		return nil, err
	}
	inputs, err := tensorsOf(a[1], func(_ int, got string) *Error {
		return fail(RuntimeError, CodeArgument, "all inputs have to be Tensors or GradientEdges, but got %s", got)
	})
	if err != nil {
		return nil, err
	}
	gs, err := Grad(outputs, inputs, keywords(gradParams, a[2:])...)
	return tupleOf(gs), err
}
