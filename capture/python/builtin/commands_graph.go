package builtin

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
)

// This file has the commands behind the objects that a program gets for the nodes
// of the graph.

var graphCommands = map[string]command{
	"autograd.node.metadata": onNode(func(n *autograd.Node, rest []any) (any, error) {
		if n.FrontEnd() == nil {
			n.SetFrontEnd(rest[0])
		}
		return n.FrontEnd(), nil
	}),
	"autograd.node.name":       onNode(func(n *autograd.Node, _ []any) (any, error) { return n.Name(), nil }),
	"autograd.node.sequence":   onNode(func(n *autograd.Node, _ []any) (any, error) { return n.SequenceNr(), nil }),
	"autograd.node.attributes": onNode(func(n *autograd.Node, _ []any) (any, error) { return n.AttributeNames(), nil }),
	"autograd.node.raw_saved":  onNode(func(n *autograd.Node, _ []any) (any, error) { return autograd.Attr(n, "_raw_saved_tensors") }),
	"autograd.node.outputs": onNode(func(n *autograd.Node, _ []any) (any, error) {
		var list autograd.Tuple
		for _, o := range n.Outputs() {
			list = append(list, autograd.Tuple{autograd.Size(o.Sizes), o.DType})
		}
		return list, nil
	}),
	"autograd.node.evaluate": onNode(func(n *autograd.Node, rest []any) (any, error) {
		return n.Evaluate(tensorsIn(autograd.Tuple(rest)))
	}),
	"autograd.node.register_hook": onNode(func(n *autograd.Node, rest []any) (any, error) {
		f, err := argument[*callable](rest, 0)
		if err != nil {
			return nil, err
		}
		return n.RegisterNamedHook(f.class, func(in, out []*autograd.Tensor) (any, error) { return f.Call([]any{in, out}) }), nil
	}),
	"autograd.node.register_prehook": onNode(func(n *autograd.Node, rest []any) (any, error) {
		f, err := argument[*callable](rest, 0)
		if err != nil {
			return nil, err
		}
		return n.RegisterNamedPrehook(f.class, func(out []*autograd.Tensor) (any, error) { return f.Call([]any{out}) }), nil
	}),
	"autograd.accumulator": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		e, err := autograd.EdgeOf(t)
		return e.Node, err
	},
	"autograd.count_running": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		nodes, err := argument[[]any](args, 0)
		if err != nil {
			return nil, err
		}
		count := 0
		for _, v := range nodes {
			if n, ok := v.(*autograd.Node); ok && n.WillRun() {
				count++
			}
		}
		return count, nil
	},
	"autograd.raw_saved.register_hooks": func(s *session, args []any, _ []autograd.Option) (any, error) {
		held, err := argument[int](args, 0)
		if err != nil {
			return nil, err
		}
		slot, ok := s.held[held].(*autograd.SavedTensor)
		if !ok {
			return nil, fmt.Errorf("gradtui: internal error: no slot %d", held)
		}
		hooks, err := savedHooks(args[1:])
		if err != nil {
			return nil, err
		}
		return nil, slot.RegisterHooks(hooks)
	},
}

// onNode is a command about a node, its first argument.
func onNode(run func(n *autograd.Node, rest []any) (any, error)) command {
	return func(_ *session, args []any, _ []autograd.Option) (any, error) {
		n, err := argument[*autograd.Node](args, 0)
		if err != nil {
			return nil, err
		}
		return run(n, args[1:])
	}
}
