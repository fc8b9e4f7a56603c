package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// tensorAttributes are the attributes of tensors that are not methods.
// Operators that Python shows as properties, such as T, are in the op table.
var tensorAttributes = map[string]struct {
	get func(t *Tensor) (any, error)
	set func(t *Tensor, v any) error // nil: not writable
}{
	"grad": {
		func(t *Tensor) (any, error) { return none(t.Grad()), nil },
		func(t *Tensor, v any) error {
			g, ok := v.(*Tensor)
			if !ok && v != nil {
				return fail(TypeError, CodeGradAssign, "assigned grad expected to be a Tensor or None but got grad of type %s", pythonTypeOf(v))
			}
			return t.SetGrad(g)
		},
	},
	"requires_grad": {
		func(t *Tensor) (any, error) { return t.RequiresGrad(), nil },
		func(t *Tensor, v any) error {
			on, ok := v.(bool)
			if !ok {
				return fail(RuntimeError, CodeArgument, "requires_grad must be a bool")
			}
			return t.SetRequiresGrad(on)
		},
	},
	"data": {
		func(t *Tensor) (any, error) { return asValue(t.Data()) },
		func(t *Tensor, v any) error {
			src, ok := v.(*Tensor)
			if !ok {
				return fail(TypeError, CodeArgument, "Variable data has to be a tensor, but got %s", pythonTypeOf(v))
			}
			return t.SetData(src)
		},
	},
	"grad_fn":      {get: func(t *Tensor) (any, error) { fn, err := t.GradFn(); return none(fn), err }},
	"is_leaf":      {get: func(t *Tensor) (any, error) { fn, err := t.GradFn(); return fn == nil, err }},
	"retains_grad": {get: func(t *Tensor) (any, error) { return t.RetainsGrad(), nil }},
	"output_nr":    {get: func(t *Tensor) (any, error) { return t.OutputNr(), nil }},
	"_version":     {get: func(t *Tensor) (any, error) { return t.Version() }},
	"_base":        {get: func(t *Tensor) (any, error) { return none(t.Base()), nil }},
	"shape":        {get: func(t *Tensor) (any, error) { return Size(t.Shape()), nil }},
	"dtype":        {get: func(t *Tensor) (any, error) { return t.DType(), nil }},
	"device":       {get: func(*Tensor) (any, error) { return "cpu", nil }},
	"ndim":         {get: func(t *Tensor) (any, error) { return t.Dim(), nil }},
	"itemsize":     {get: func(t *Tensor) (any, error) { return t.DType().Size(), nil }},
	"nbytes":       {get: func(t *Tensor) (any, error) { return t.Numel() * t.DType().Size(), nil }},
	"is_cuda":      {get: func(*Tensor) (any, error) { return false, nil }},
	"is_sparse":    {get: func(*Tensor) (any, error) { return false, nil }},
	"is_cpu":       {get: func(*Tensor) (any, error) { return true, nil }},
	"name":         {get: func(*Tensor) (any, error) { return nil, nil }},
}

// tensorMethods are the methods of tensors that are not operators.
var tensorMethods map[string]func(t *Tensor) *binding

func makeTensorMethods() map[string]func(t *Tensor) *binding {
	all := map[string]func(t *Tensor) *binding{
		"backward": func(t *Tensor) *binding {
			const params = "gradient retain_graph create_graph inputs"
			return &binding{"Tensor.backward", params, 0, func(a []any) (any, error) { return nil, t.Backward(keywords(params, a)...) }}
		},
		"requires_grad_": func(t *Tensor) *binding {
			return &binding{"requires_grad_", "requires_grad", 0, func(a []any) (any, error) {
				on, ok := or(a[0], true).(bool)
				if !ok {
					return nil, fail(TypeError, CodeArgument, "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not %s", pythonTypeOf(a[0]))
				}
				return asValue(t.RequiresGrad_(on))
			}}
		},
		"register_hook": func(t *Tensor) *binding {
			return &binding{"Tensor.register_hook", "hook", 1, func(a []any) (any, error) {
				f, err := callback(a[0])
				if err != nil {
					return nil, err
				}
				return t.RegisterNamedHook(f.Name, func(g *Tensor) (any, error) { return f.Call([]any{none(g)}) })
			}}
		},
		"register_post_accumulate_grad_hook": func(t *Tensor) *binding {
			return &binding{"Tensor.register_post_accumulate_grad_hook", "hook", 1, func(a []any) (any, error) {
				f, err := callback(a[0])
				if err != nil {
					return nil, err
				}
				return t.RegisterNamedPostAccumulateGradHook(f.Name, func(p *Tensor) (any, error) { return f.Call([]any{p}) })
			}}
		},
		"size": func(t *Tensor) *binding {
			return &binding{"size", "dim", 0, func(a []any) (any, error) {
				if v, err := t.sizeOf(t.sizes, a[0]); a[0] != absent {
					return v, err
				}
				return Size(t.sizes), nil
			}}
		},
		"stride": func(t *Tensor) *binding {
			return &binding{"stride", "dim", 0, func(a []any) (any, error) { return t.sizeOf(t.strides, a[0]) }}
		},
		"is_contiguous": func(t *Tensor) *binding {
			return &binding{"is_contiguous", "memory_format", 0, func([]any) (any, error) { return t.IsContiguous(), nil }}
		},
		"__format__": func(t *Tensor) *binding {
			return &binding{"Tensor.__format__", "format_spec", 1, func(a []any) (any, error) {
				spec, _ := a[0].(string)
				return t.PythonFormat(spec)
			}}
		},
		"__contains__": func(t *Tensor) *binding {
			return &binding{"Tensor.__contains__", "element", 1, func(a []any) (any, error) { return t.contains(a[0]) }}
		},
		"__deepcopy__": func(t *Tensor) *binding {
			return &binding{"Tensor.__deepcopy__", "memo", 0, func([]any) (any, error) { return asValue(t.DeepCopy()) }}
		},
	}
	for name, f := range map[string]func(t *Tensor) (any, error){
		"item":           func(t *Tensor) (any, error) { return numberOf(t.Item()) },
		"__float__":      func(t *Tensor) (any, error) { s, err := t.asNumber(); return s.Float(), err },
		"__int__":        func(t *Tensor) (any, error) { s, err := t.asNumber(); return int(s.Int()), err },
		"__index__":      func(t *Tensor) (any, error) { return t.asIndex() },
		"__bool__":       func(t *Tensor) (any, error) { return t.Truth() },
		"__len__":        func(t *Tensor) (any, error) { return t.Len() },
		"__iter__":       func(t *Tensor) (any, error) { rows, err := t.Rows(); return tupleOf(rows), err },
		"__repr__":       func(t *Tensor) (any, error) { return t.String(), nil },
		"__copy__":       func(t *Tensor) (any, error) { return asValue(t.ShallowCopy()) },
		"tolist":         func(t *Tensor) (any, error) { return t.lists(), nil },
		"numpy":          func(t *Tensor) (any, error) { return t.numpy() },
		"detach_":        func(t *Tensor) (any, error) { return t, t.Detach_() },
		"retain_grad":    func(t *Tensor) (any, error) { return nil, t.RetainGrad() },
		"dim":            func(t *Tensor) (any, error) { return t.Dim(), nil },
		"ndimension":     func(t *Tensor) (any, error) { return t.Dim(), nil },
		"numel":          func(t *Tensor) (any, error) { return t.Numel(), nil },
		"nelement":       func(t *Tensor) (any, error) { return t.Numel(), nil },
		"element_size":   func(t *Tensor) (any, error) { return t.DType().Size(), nil },
		"storage_offset": func(t *Tensor) (any, error) { return t.StorageOffset(), nil },
		"is_inference":   func(t *Tensor) (any, error) { return t.IsInference(), nil },
		"_is_view":       func(t *Tensor) (any, error) { return t.IsView(), nil },
	} {
		all[name] = func(t *Tensor) *binding {
			return &binding{"Tensor." + name, "", 0, func([]any) (any, error) { return f(t) }}
		}
	}
	return all
}

func tensorAttr(t *Tensor, name string) (any, error) {
	if a, ok := tensorAttributes[name]; ok {
		return a.get(t)
	}
	if m, ok := tensorMethods[name]; ok {
		b := m(t)
		return &BoundMethod{name, func(args []any, opts []Option) (any, error) {
			v, err := b.call(args, opts)
			if err != nil {
				return nil, noted(err, name)
			}
			return v, nil
		}}, nil
	}
	switch op, ok := Lookup(name); {
	case name == "type":
		return t.typeMethod(), nil
	case ok && op.in(Property):
		return op.value(asMethod, []any{t}, nil)
	case ok && op.in(Method):
		return &BoundMethod{name, func(args []any, opts []Option) (any, error) {
			return op.value(asMethod, slices.Concat([]any{t}, args), opts)
		}}, nil
	}
	return nil, noAttribute(t, name)
}

func setTensorAttr(t *Tensor, name string, v any) error {
	a, ok := tensorAttributes[name]
	if op, isOperator := Lookup(name); !ok && isOperator {
		ok = op.in(Property)
	}
	switch {
	case a.set != nil:
		return a.set(t, v)
	case ok:
		return fail(AttributeError, CodeAttribute, "attribute '%s' of 'torch._C.TensorBase' objects is not writable", name)
	}
	return noAttribute(t, name)
}

// asValue returns a tensor as the result of a function.
func asValue(t *Tensor) (any, error) {
	if t != nil && t.err != nil {
		return nil, t.err
	}
	return none(t), nil
}

// numberOf converts the result of Item to a Python value.
func numberOf(s Scalar, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return asNumber(s), nil
}

// sizeOf returns a list of sizes or strides as a tuple, or one element of it
// for a dimension.
func (t *Tensor) sizeOf(list []int, dim any) (any, error) {
	if dim == absent || dim == nil {
		tuple := make(Tuple, len(list))
		for i, x := range list {
			tuple[i] = x
		}
		return tuple, nil
	}
	s, ok := toScalar(dim)
	if !ok || !s.IsInt() {
		return nil, fail(TypeError, CodeArgument, "size(): argument 'dim' must be int, not %s", pythonTypeOf(dim))
	}
	if len(list) == 0 {
		return nil, noDimensions(int(s.Int()))
	}
	d, err := wrapDim(int(s.Int()), len(t.sizes))
	if err != nil {
		return nil, err
	}
	return list[d], nil
}

// contains implements element in t.
func (t *Tensor) contains(element any) (any, error) {
	if _, ok := toScalar(element); !ok {
		if _, ok := element.(*Tensor); !ok {
			return nil, fail(RuntimeError, CodeArgument, "Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '%s'>.", pythonTypeOf(element))
		}
	}
	for _, x := range t.Eq(element).Int64s() {
		if x != 0 {
			return true, nil
		}
	}
	return false, nil
}

// asIndex returns the single element of an integer tensor.
func (t *Tensor) asIndex() (any, error) {
	if t.dtype.IsFloat() || t.Numel() != 1 {
		return nil, fail(TypeError, CodeConversion, "only integer tensors of a single element can be converted to an index")
	}
	s, err := t.Item()
	return int(s.Int()), err
}

// lists returns the elements as nested lists of numbers, or a number for a 0-d
// tensor.
func (t *Tensor) lists() any {
	listable(numel(t.sizes), 16)
	recordCut(graph.CutItem, nil, t)
	var level func(d, p int) any
	level = func(d, p int) any {
		if d == len(t.sizes) {
			return asNumber(t.element(p))
		}
		list := make([]any, t.sizes[d])
		for i := range list {
			list[i] = level(d+1, p+i*t.strides[d])
		}
		return list
	}
	return level(0, t.offset)
}

// numpy returns the tensor's memory for a NumPy array. Changes through the
// array do not count as in-place changes.
func (t *Tensor) numpy() (any, error) {
	if GradEnabled() && t.RequiresGrad() {
		return nil, fail(RuntimeError, CodeConversion, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
	}
	recordCut(graph.CutNumpy, nil, t)
	return asValue(t.Data())
}

// typeMethod is t.type: without an argument it returns the legacy type name.
func (t *Tensor) typeMethod() *BoundMethod {
	return &BoundMethod{"type", func(args []any, opts []Option) (any, error) {
		if len(args)+len(opts) == 0 {
			return t.Type(), nil
		}
		op, ok := Lookup("type")
		if !ok {
			return nil, noAttribute(t, "type")
		}
		return op.value(asMethod, slices.Concat([]any{t}, args), opts)
	}}
}
