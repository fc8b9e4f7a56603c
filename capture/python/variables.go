package python

import (
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// VariablesVariable is the environment variable that tells the program which of
// its variables are asked for: names with commas between them.
const VariablesVariable = "GRADTUI_VARIABLES"

// variablesAsked is what tells the program.
func variablesAsked(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{VariablesVariable + "=" + strings.Join(names, ",")}
}

// A Variable is what a global variable of a program holds at its end.
type Variable struct {
	Type    string // the name of the type
	Mapping bool   // it is a dict
	// Tensors are the tensor, or those in the tuple, list or dict.
	Tensors []Element
}

// An Element is a tensor in a variable.
type Element struct {
	Key string // in a mapping
	ID  graph.TensorID
}

func init() {
	// (name, type, whether it is a mapping, keys, tensors)
	on("program.variable", func(s *session, args []any, _ []autograd.Option) (any, error) {
		name, ok1 := marshal.At[string](args, 0)
		class, ok2 := marshal.At[string](args, 1)
		mapping, ok3 := marshal.At[bool](args, 2)
		keys, ok4 := marshal.At[[]any](args, 3)
		tensors, ok5 := marshal.At[[]any](args, 4)
		if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || mapping && len(keys) != len(tensors) {
			return nil, marshal.Damaged("variable", nil)
		}
		v := Variable{Type: class, Mapping: mapping}
		for i, x := range tensors {
			t, ok := x.(*autograd.Tensor)
			if !ok {
				return nil, marshal.Damaged("variable", nil)
			}
			e := Element{ID: s.recorder.TensorID(t)}
			if mapping {
				e.Key, _ = keys[i].(string)
			}
			v.Tensors = append(v.Tensors, e)
		}
		s.variables[name] = v
		return nil, nil
	})
}
