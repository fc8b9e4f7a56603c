package builtin

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

var variableCommands = map[string]command{
	// (name, type, whether it is a mapping, keys, tensors)
	"program.variable": func(s *session, args []any, _ []autograd.Option) (any, error) {
		name, ok1 := marshal.At[string](args, 0)
		class, ok2 := marshal.At[string](args, 1)
		mapping, ok3 := marshal.At[bool](args, 2)
		keys, ok4 := marshal.At[[]any](args, 3)
		tensors, ok5 := marshal.At[[]any](args, 4)
		if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || mapping && len(keys) != len(tensors) {
			return nil, marshal.Damaged("variable", nil)
		}
		v := engine.Variable{Type: class, Mapping: mapping}
		for i, x := range tensors {
			t, ok := x.(*autograd.Tensor)
			if !ok {
				return nil, marshal.Damaged("variable", nil)
			}
			e := engine.Element{ID: s.recorder.TensorID(t)}
			if mapping {
				e.Key, _ = keys[i].(string)
			}
			v.Tensors = append(v.Tensors, e)
		}
		s.variables[name] = v
		return nil, nil
	},
}
