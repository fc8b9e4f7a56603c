package pyeval

import (
	"errors"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/autograd/optim"
)

// A function is a function of the program or of Python.
type function struct {
	name string
	call func(args []any, opts []autograd.Option) (any, error)
}

// A class is a class of the program. base is the class of torch from which it
// derives.
type class struct {
	name  string
	base  any
	attrs map[string]any
}

// An instance is an instance of a class of the program. module is set if the
// class derives from nn.Module.
type instance struct {
	class  *class
	module *nn.Module
	attrs  map[string]any
}

func (in *Interpreter) evalLambda(f *frame, e tree) (any, error) {
	return in.function(f, "<lambda>", e.sub("args"), func(scope *frame) (any, error) { return in.eval(scope, e.sub("body")) }), nil
}

// function makes a function with the parameters that args declares.
func (in *Interpreter) function(f *frame, name string, args tree, body func(scope *frame) (any, error)) *function {
	params, rest := args.list("args"), args.sub("vararg")
	return &function{name, func(given []any, opts []autograd.Option) (any, error) {
		scope := newFrame(f)
		switch {
		case len(given) < len(params)-len(args.list("defaults")) && len(opts) == 0:
			return nil, raised(autograd.TypeError, "%s() missing %d required positional arguments", name, len(params)-len(given))
		case len(given) > len(params) && rest == nil:
			return nil, raised(autograd.TypeError, "%s() takes %d positional arguments but %d were given", name, len(params), len(given))
		}
		for i, d := range args.list("defaults") {
			v, err := in.eval(f, d)
			if err != nil {
				return nil, err
			}
			scope.names[params[len(params)-len(args.list("defaults"))+i].str("arg")] = v
		}
		for i, p := range params {
			if i < len(given) {
				scope.names[p.str("arg")] = given[i]
			}
		}
		if rest != nil {
			scope.names[rest.str("arg")] = autograd.Tuple(given[min(len(params), len(given)):])
		}
		for _, o := range opts {
			scope.names[o.Name] = o.Value
		}
		return body(scope)
	}}
}

func (in *Interpreter) execFunctionDef(f *frame, st tree) error {
	var v any = in.function(f, st.str("name"), st.sub("args"), func(scope *frame) (any, error) {
		err := in.block(scope, st.list("body"))
		var s *signal
		if errors.As(err, &s) && s.what == "return" {
			return s.value, nil
		}
		return nil, err
	})
	decorators := st.list("decorator_list")
	for i := len(decorators) - 1; i >= 0; i-- {
		d, err := in.eval(f, decorators[i])
		if err != nil {
			return err
		}
		if v, err = call(d, []any{v}, nil); err != nil {
			return err
		}
	}
	f.names[st.str("name")] = v
	return nil
}

func (in *Interpreter) execClassDef(f *frame, st tree) error {
	body := newFrame(f)
	if err := in.block(body, st.list("body")); err != nil {
		return err
	}
	c := &class{name: st.str("name"), attrs: body.names}
	for _, b := range st.list("bases") {
		base, err := in.eval(f, b)
		if err != nil {
			return err
		}
		c.base = base
	}
	f.names[c.name] = c
	return nil
}

// new makes an instance of a class.
func (c *class) new(args []any, opts []autograd.Option) (any, error) {
	obj := &instance{class: c, attrs: map[string]any{}}
	if c.base == moduleClass {
		obj.module = new(nn.Module)
	}
	if init, ok := c.attrs["__init__"]; ok {
		_, err := call(init, append([]any{obj}, args...), opts)
		return obj, err
	}
	return obj, nil
}

// ofEngine reports whether the engine handles the attributes of a value.
func ofEngine(v any) bool {
	switch v.(type) {
	case nil, *autograd.Tensor, *autograd.Node, *autograd.SavedTensor:
		return true
	}
	return false
}

// attr evaluates obj.name.
func attr(obj any, name string) (any, error) {
	if ofEngine(obj) {
		return autograd.Attr(obj, name)
	}
	switch x := obj.(type) {
	case module:
		return x.attr(name)
	case *nn.Module:
		return moduleAttr(x, name)
	case autograd.HookHandle:
		if name == "remove" {
			return &function{name, func([]any, []autograd.Option) (any, error) { x.Remove(); return nil, nil }}, nil
		}
	case *optim.Optimizer:
		return optimizerAttr(x, name)
	case *instance:
		if v, ok := x.attrs[name]; ok {
			return v, nil
		}
		if v, ok := x.class.attrs[name]; ok {
			return &function{name, func(args []any, opts []autograd.Option) (any, error) {
				return call(v, append([]any{obj}, args...), opts)
			}}, nil
		}
		if x.module != nil {
			return moduleAttr(x.module, name)
		}
	case *class:
		if name == "apply" && x.base == functionClass {
			return &function{name, x.apply}, nil
		}
		if v, ok := x.attrs[name]; ok {
			return v, nil
		}
	case *functionContext:
		return x.attr(name)
	case autograd.NamedTuple:
		for i, field := range x.Fields {
			if field == name {
				return x.Tuple[i], nil
			}
		}
	}
	return nil, raised(autograd.AttributeError, "'%s' object has no attribute '%s'", typeName(obj), name)
}

// setAttr executes obj.name = v.
func setAttr(obj any, name string, v any) error {
	switch x := obj.(type) {
	case *nn.Module:
		return x.SetAttr(name, v)
	case *instance:
		if x.module != nil {
			return x.module.SetAttr(name, v)
		}
		x.attrs[name] = v
		return nil
	case *functionContext:
		x.ctx.Attributes[name] = v
		return nil
	}
	return autograd.SetAttr(obj, name, toEngine(v))
}

// call evaluates f(args..., opts...).
func call(f any, args []any, opts []autograd.Option) (any, error) {
	switch x := f.(type) {
	case *function:
		return x.call(args, opts)
	case *autograd.BoundMethod:
		return x.Call(forEngine(args), engineOptions(opts)...)
	case *class:
		return x.new(args, opts)
	case *nn.Module:
		return callModule(x, args)
	case marker:
		if x == moduleClass {
			m := new(nn.Module)
			m.Init("Module")
			return m, nil
		}
	case autograd.ErrorType:
		text := ""
		if len(args) > 0 {
			text, _ = args[0].(string)
		}
		return &autograd.Error{Type: x, Text: text}, nil
	}
	return nil, raised(autograd.TypeError, "'%s' object is not callable", typeName(f))
}
