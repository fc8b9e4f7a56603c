package agent

import (
	"math"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// Numbers gives the numbers that events need.
type Numbers interface {
	// String is the number of a string.
	String(s string) graph.StringID
	// Tensors are the numbers of the tensors among values and in the lists among them.
	Tensors(values []any) []graph.TensorID
}

// Event makes an event of a note: its kind and its values. What is missing stays zero. It
// returns nil for an unknown kind.
func Event(n Numbers, kind string, values []any) graph.Event {
	make := notes[kind]
	if make == nil {
		return nil
	}
	return make(n, values)
}

// notes make events of the values of a note.
var notes = map[string]func(n Numbers, v []any) graph.Event{
	// type, text, tensors
	"raised": func(n Numbers, v []any) graph.Event {
		text, _ := marshal.At[string](v, 1)
		return &graph.Raised{Type: noted(n, v, 0), Code: n.String("python"), Message: text, Tensors: n.Tensors(from(v, 2))}
	},
	// type, text
	"failed": func(n Numbers, v []any) graph.Event {
		text, _ := marshal.At[string](v, 1)
		return &graph.ProgramFailed{Type: noted(n, v, 0), Message: text}
	},
	// class, parameters, number, learning rates, settings: names, each before its value
	"optimizer": func(n Numbers, v []any) graph.Event {
		number, _ := marshal.At[int](v, 2)
		rates, _ := marshal.At[[]any](v, 3)
		settings, _ := marshal.At[[]any](v, 4)
		return &graph.OptimizerMade{
			Optimizer: noted(n, v, 0), Params: n.Tensors(v[min(1, len(v)):min(2, len(v))]), Number: uint32(number), Rates: Floats(rates),
			Settings: attrs(n, settings),
		}
	},
	// class, parameters
	"parameters": func(n Numbers, v []any) graph.Event {
		return &graph.ModuleParameters{Type: noted(n, v, 0), Params: n.Tensors(from(v, 1))}
	},
	// function, tensors
	"called": func(n Numbers, v []any) graph.Event {
		return &graph.Called{Function: noted(n, v, 0), Tensors: n.Tensors(from(v, 1))}
	},
	// function, parameters, settings: names, each before its value
	"scheduler": func(n Numbers, v []any) graph.Event {
		settings, _ := marshal.At[[]any](v, 2)
		return &graph.Called{Function: noted(n, v, 0), Tensors: n.Tensors(v[min(1, len(v)):min(2, len(v))]), Settings: attrs(n, settings)}
	},
	// tensor, path, scope, class
	"held": func(n Numbers, v []any) graph.Event {
		e := &graph.TensorHeld{Path: noted(n, v, 1), Scope: noted(n, v, 2), Class: noted(n, v, 3)}
		if t := n.Tensors(v[:min(1, len(v))]); len(t) > 0 {
			e.Tensor = t[0]
		}
		return e
	},
	// kind, function, class of the module, tensor
	"hook": func(n Numbers, v []any) graph.Event {
		e := &graph.HookRegistered{Hook: graph.HookModule, What: noted(n, v, 1), Target: noted(n, v, 2)}
		switch kind, _ := marshal.At[string](v, 0); kind {
		case "tensor":
			e.Hook = graph.HookTensor
		case "post_accumulate":
			e.Hook = graph.HookPostAccumulate
		}
		if t := n.Tensors(from(v, 3)); len(t) > 0 {
			e.Tensor = t[0]
		}
		return e
	},
}

// noted is the number of a string among values.
func noted(n Numbers, v []any, i int) graph.StringID {
	text, _ := marshal.At[string](v, i)
	return n.String(text)
}

// from is a list without its first n elements.
func from(v []any, n int) []any { return v[min(n, len(v)):] }

// attrs are named values, which are whole numbers, lists of them, other numbers, and texts.
func attrs(n Numbers, settings []any) (list []graph.Attr) {
	for i := 0; i+1 < len(settings); i += 2 {
		a := graph.Attr{Name: noted(n, settings, i)}
		switch value := settings[i+1].(type) {
		case int:
			a.AttrValue = graph.AttrValue{Type: graph.AttrInt, Ints: []int64{int64(value)}}
		case float64:
			a.AttrValue = graph.AttrValue{Type: graph.AttrFloat, Floats: []float64{value}}
		case string:
			a.AttrValue = graph.AttrValue{Type: graph.AttrText, Text: value}
		case []any:
			a.Type = graph.AttrInts
			for _, x := range value {
				if x, ok := x.(int); ok {
					a.Ints = append(a.Ints, int64(x))
				}
			}
		}
		list = append(list, a)
	}
	return list
}

// Floats are the numbers of a list; NaN stands for what is none.
func Floats(values []any) (found []float64) {
	for _, v := range values {
		x, ok := v.(float64)
		if !ok {
			x = math.NaN()
		}
		found = append(found, x)
	}
	return found
}

// Mode is the mode of a module, given as part i: whether it trains, or None.
func Mode(v []any, i int) graph.ModuleMode {
	switch trains, ok := marshal.At[bool](v, i); {
	case !ok:
		return graph.ModeUnknown
	case trains:
		return graph.ModeTraining
	}
	return graph.ModeEvaluation
}
