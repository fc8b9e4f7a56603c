package optim

import (
	"maps"
	"slices"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// Make makes an optimizer, for front ends. The first argument is the
// parameters: a list ([]any) of tensors, or of groups, which are maps with
// their tensors under "params". The other arguments are settings in the order
// of the constructor.
func Make(class string, args []any, opts ...autograd.Option) (*Optimizer, error) {
	r := rules[class]
	switch {
	case r == nil:
		return New(class, nil)
	case len(args) == 0:
		return nil, pycall.MissingArguments(class+".__init__", []string{"params"})
	case len(args)-1 > len(r.schema.Params):
		return nil, pycall.TooManyArguments(class+".__init__", 1, len(r.schema.Params)+1, len(args))
	}
	settings := make([]autograd.Option, 0, len(args)-1+len(opts))
	for i, v := range args[1:] {
		settings = append(settings, autograd.Kw(r.schema.Params[i].Name, v))
	}
	settings = append(settings, opts...)
	if _, err := r.defaults(settings); err != nil { // PyTorch checks the settings first
		return nil, err
	}
	groups, err := groupsOf(args[0])
	if err != nil {
		return nil, err
	}
	return New(class, groups, settings...)
}

// groupsOf converts the parameters of a program to groups.
func groupsOf(params any) ([]Group, error) {
	list, ok := params.([]any)
	switch t, isTensor := params.(*autograd.Tensor); {
	case isTensor && t != nil:
		return nil, raise(autograd.TypeError, "params argument given to the optimizer should be an iterable of Tensors or dicts, but got %s", t.Type())
	case !ok:
		return nil, raise(autograd.TypeError, "'%s' object is not iterable", pycall.TypeName(params))
	case len(list) == 0:
		return nil, nil
	}
	if _, ok := list[0].(map[string]any); !ok {
		ts, err := tensorsOf(list)
		return []Group{{Params: ts}}, err
	}
	groups := make([]Group, len(list))
	for i, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			return nil, raise(autograd.TypeError, "param_group must be a dict, but got <class '%s'>", pycall.TypeName(item))
		}
		var err error
		if groups[i], err = groupOf(m); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// groupOf converts a dict to a group.
func groupOf(m map[string]any) (g Group, err error) {
	params, ok := m["params"]
	if !ok {
		return g, raise(autograd.KeyError, "%s", pycall.Quote("params"))
	}
	list, ok := params.([]any)
	if !ok {
		list = []any{params} // a single tensor
	}
	if g.Params, err = tensorsOf(list); err != nil {
		return g, err
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name != "params" {
			g.Settings = append(g.Settings, autograd.Kw(name, m[name]))
		}
	}
	return g, nil
}

func tensorsOf(list []any) ([]*autograd.Tensor, error) {
	ts := make([]*autograd.Tensor, len(list))
	for i, item := range list {
		t, ok := item.(*autograd.Tensor)
		if !ok || t == nil {
			return nil, raise(autograd.TypeError, "optimizer can only optimize Tensors, but one of the params is %s", pycall.TypeName(item))
		}
		ts[i] = t
	}
	return ts, nil
}
