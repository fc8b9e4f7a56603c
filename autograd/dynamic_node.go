package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// nodeAttributes are the attributes of nodes. A saved value has the attribute
// _saved_NAME; a slot also has _raw_saved_NAME.
var nodeAttributes = map[string]func(n *Node) (any, error){
	"name": func(n *Node) (any, error) {
		return n.method("name", "", 0, func([]any) (any, error) { return n.Name(), nil }), nil
	},
	"_sequence_nr": func(n *Node) (any, error) {
		return n.method("_sequence_nr", "", 0, func([]any) (any, error) { return n.SequenceNr(), nil }), nil
	},
	"next_functions": func(n *Node) (any, error) {
		next := make(Tuple, len(n.edges))
		for i, e := range n.edges {
			next[i] = Tuple{none(e.Node), e.Input}
		}
		return next, nil
	},
	"requires_grad": func(*Node) (any, error) { return true, nil },
	"register_hook": func(n *Node) (any, error) {
		return n.method("register_hook", "hook", 1, func(a []any) (any, error) {
			f, err := callback(a[0])
			if err != nil {
				return nil, err
			}
			return n.RegisterNamedHook(f.Name, func(in, out []*Tensor) (any, error) { return f.Call([]any{tupleOf(in), tupleOf(out)}) }), nil
		}), nil
	},
	"register_prehook": func(n *Node) (any, error) {
		return n.method("register_prehook", "hook", 1, func(a []any) (any, error) {
			f, err := callback(a[0])
			if err != nil {
				return nil, err
			}
			return n.RegisterNamedPrehook(f.Name, func(out []*Tensor) (any, error) { return f.Call([]any{tupleOf(out)}) }), nil
		}), nil
	},
}

func (n *Node) method(name, params string, required int, run func(a []any) (any, error)) *BoundMethod {
	b := &binding{n.ClassName() + "." + name, params, required, run}
	return &BoundMethod{name, b.call}
}

func nodeAttr(n *Node, name string) (any, error) {
	if get, ok := nodeAttributes[name]; ok {
		return get(n)
	}
	if leaf := n.Variable(); leaf != nil && name == "variable" {
		return leaf, nil
	}
	if f, ok := n.apply.(*functionNode); ok {
		if v, ok, err := f.attr(name); ok {
			return v, err
		}
	}
	if slot, ok := strings.CutPrefix(name, "_raw_saved_"); ok {
		if v := n.rawSaved(slot); v != nil {
			return v, nil
		}
	} else if slot, ok := strings.CutPrefix(name, "_saved_"); ok {
		if v, ok, err := n.savedValue(slot); ok {
			return v, err
		}
	}
	return nil, noAttribute(n, name)
}

// attr returns an attribute of the ctx of a Function.
func (f *functionNode) attr(name string) (v any, ok bool, err error) {
	switch name {
	case "saved_tensors":
		ts, err := f.ctx.Saved()
		if err != nil {
			return nil, true, err
		}
		return tupleOf(append([]*Tensor{}, ts...)), true, nil
	case "needs_input_grad":
		needs := make(Tuple, len(f.ctx.needs))
		for i, on := range f.ctx.needs {
			needs[i] = on
		}
		return needs, true, nil
	}
	v, ok = f.ctx.Attributes[name]
	return v, ok, nil
}

// slot returns the index of a saved tensor by name, or -1.
func (n *Node) slot(name string) int {
	for i, slot := range n.slotNames() {
		if slot == name {
			return i
		}
	}
	return -1
}

// savedValue returns the value that a node saved under a name: a tensor, a list
// of tensors, or another value.
func (n *Node) savedValue(name string) (v any, ok bool, err error) {
	if i := n.slot(name); i >= 0 {
		t, err := n.saved[i].reveal(n)
		return none(t), true, err
	}
	var list Tuple
	for i, slot := range n.slotNames() {
		if strings.HasPrefix(slot, name+"[") {
			t, err := n.saved[i].reveal(n)
			if err != nil {
				return nil, true, err
			}
			list = append(list, none(t))
		}
	}
	if list != nil {
		return list, true, nil
	}
	names, values := n.Attrs()
	for i := range names {
		if names[i] == name {
			return attrValue(values[i]), true, nil
		}
	}
	return nil, false, nil
}

// attrValue converts a value of a node to the form that Python shows.
func attrValue(v graph.AttrValue) any {
	switch v.Type {
	case graph.AttrBool:
		return v.Ints[0] != 0
	case graph.AttrInt:
		return int(v.Ints[0])
	case graph.AttrUint:
		return uint64(v.Ints[0])
	case graph.AttrFloat:
		return v.Floats[0]
	case graph.AttrText:
		return v.Text
	case graph.AttrInts, graph.AttrUints:
		list := make(Tuple, len(v.Ints))
		for i, x := range v.Ints {
			list[i] = int(x)
			if v.Type == graph.AttrUints {
				list[i] = uint64(x)
			}
		}
		return list
	case graph.AttrFloats:
		list := make(Tuple, len(v.Floats))
		for i, x := range v.Floats {
			list[i] = x
		}
		return list
	}
	return nil
}

// rawSaved returns the value of _raw_saved_NAME: a slot or a tuple of slots, or
// nil if there is none.
func (n *Node) rawSaved(name string) any {
	if _, ok := n.apply.(*functionNode); ok {
		name = "saved_" + name
	}
	slots := n.RawSaved(name)
	if len(slots) == 0 {
		return nil
	}
	if n.slot(name) >= 0 {
		return slots[0]
	}
	list := make(Tuple, len(slots))
	for i, s := range slots {
		list[i] = s
	}
	return list
}

func (s *SavedTensor) attr(name string) (any, error) {
	if name != "register_hooks" {
		return nil, noAttribute(s, name)
	}
	b := &binding{"register_hooks", "pack_hook unpack_hook", 2, func(a []any) (any, error) {
		pack, err := callback(a[0])
		if err != nil {
			return nil, err
		}
		unpack, err := callback(a[1])
		if err != nil {
			return nil, err
		}
		return nil, s.registerHooks(CallbackHooks(pack, unpack))
	}}
	return &BoundMethod{name, b.call}, nil
}

// CallbackHooks makes hooks on saved tensors from the functions of a front end.
func CallbackHooks(pack, unpack *Callback) SavedTensorHooks {
	return SavedTensorHooks{
		Pack: func(t *Tensor) (any, error) { return pack.Call([]any{t}) },
		Unpack: func(packed any) (*Tensor, error) {
			v, err := unpack.Call([]any{packed})
			if err != nil {
				return nil, err
			}
			t, ok := v.(*Tensor)
			if !ok {
				return nil, fail(TypeError, CodeHook, "Output of saved tensor unpack_hook expected to be a Tensor but got result of type %s", pythonTypeOf(v))
			}
			return t, nil
		},
	}
}
