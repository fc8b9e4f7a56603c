package builtin

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/random"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// Commands for what programs do with tensors besides computing: memory, random
// generators, settings.

// generator is a random generator of the program; 0 is the default one.
func (s *session) generator(n int) (*random.Generator, bool) {
	if n == 0 {
		return autograd.DefaultGenerator, true
	}
	g, ok := s.held[n].(*random.Generator)
	return g, ok
}

// onTensor is a command whose first argument is a tensor.
func onTensor(f func(t *autograd.Tensor, args []any) (any, error)) command {
	return func(_ *session, args []any, _ []autograd.Option) (any, error) {
		t, ok := marshal.At[*autograd.Tensor](args, 0)
		if !ok {
			return nil, marshal.Damaged("argument", nil)
		}
		return f(t, args[1:])
	}
}

// onGenerator is a command whose first argument is the number of a generator.
func onGenerator(f func(g *random.Generator, args []any) (any, error)) command {
	return func(s *session, args []any, _ []autograd.Option) (any, error) {
		n, ok := marshal.At[int](args, 0)
		g, known := s.generator(n)
		if !ok || !known {
			return nil, marshal.Damaged("argument", nil)
		}
		return f(g, args[1:])
	}
}

// ints are integers of a list, tuple or size.
func ints(v any) []int {
	list, _ := v.([]any)
	switch x := v.(type) {
	case autograd.Size:
		return x
	case autograd.Tuple:
		list = x
	}
	out := make([]int, len(list))
	for i, x := range list {
		out[i], _ = x.(int)
	}
	return out
}

var tensorCommands = map[string]command{
	"tensor.bytes": onTensor(func(t *autograd.Tensor, _ []any) (any, error) { return t.Bytes() }),
	"tensor.storage": onTensor(func(t *autograd.Tensor, _ []any) (any, error) {
		return autograd.Tuple{int(t.StorageAddress()), t.StorageLen(), t.StorageOffset()}, nil
	}),
	"tensor.whole": onTensor(func(t *autograd.Tensor, _ []any) (any, error) { return t.Whole() }),
	"tensor.over": onTensor(func(t *autograd.Tensor, args []any) (any, error) {
		if len(args) != 3 {
			return nil, marshal.Damaged("argument", nil)
		}
		offset, _ := args[2].(int)
		return t.Over(ints(args[0]), ints(args[1]), offset)
	}),
	"tensor.from_bytes": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		d, ok1 := marshal.At[autograd.DType](args, 0)
		b, ok2 := marshal.At[[]byte](args, 2)
		if !ok1 || !ok2 {
			return nil, marshal.Damaged("argument", nil)
		}
		return autograd.FromBytes(d, ints(args[1]), b)
	},
	"generator.new": func(s *session, _ []any, _ []autograd.Option) (any, error) {
		return s.hold(random.New(67280421310721)), nil
	},
	"tensor.from_array": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		a, ok := marshal.At[*autograd.Array](args, 0)
		if !ok {
			return nil, marshal.Damaged("argument", nil)
		}
		return a.Tensor()
	},
	"generator.manual_seed": onGenerator(func(g *random.Generator, args []any) (any, error) {
		switch seed := engineValue(args[0]).(type) {
		case int:
			g.Seed(uint64(seed))
		case uint64:
			g.Seed(seed)
		default:
			return nil, &autograd.Error{Type: autograd.RuntimeError, Code: autograd.CodeArgument, Text: "Overflow when unpacking long"}
		}
		return nil, nil
	}),
	"generator.initial_seed": onGenerator(func(g *random.Generator, _ []any) (any, error) { return g.InitialSeed(), nil }),
	"generator.get_state": onGenerator(func(g *random.Generator, _ []any) (any, error) {
		b := g.State().Bytes()
		return autograd.FromBytes(autograd.UInt8, []int{len(b)}, b)
	}),
	"generator.set_state": onGenerator(func(g *random.Generator, args []any) (any, error) {
		t, ok := marshal.At[*autograd.Tensor](args, 0)
		if !ok {
			return nil, marshal.Damaged("argument", nil)
		}
		b, err := t.Bytes()
		if err != nil {
			return nil, err
		}
		state, err := random.ParseState(b)
		if err == nil {
			err = g.SetState(state)
		}
		if err != nil {
			return nil, &autograd.Error{Type: autograd.RuntimeError, Code: autograd.CodeArgument, Text: err.Error()}
		}
		return nil, nil
	}),
	"settings.default_dtype": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		d, ok := marshal.At[autograd.DType](args, 0)
		if !ok {
			return nil, marshal.Damaged("argument", nil)
		}
		return nil, autograd.SetDefaultDType(d)
	},
	"settings.warn_always": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		always, _ := marshal.At[bool](args, 0)
		autograd.SetWarnAlways(always)
		return nil, nil
	},
	"settings.print": setPrintOptions,
}

// setPrintOptions takes precision, threshold, edgeitems, linewidth, profile and
// sci_mode, each of which may be None.
func setPrintOptions(_ *session, args []any, _ []autograd.Option) (any, error) {
	var o autograd.PrintOptions
	whole := func(i int) *int {
		if n, ok := marshal.At[int](args, i); ok {
			return &n
		}
		return nil
	}
	o.Precision, o.EdgeItems, o.LineWidth = whole(0), whole(2), whole(3)
	if n, ok := marshal.At[int](args, 1); ok {
		f := float64(n)
		o.Threshold = &f
	} else if f, ok := marshal.At[float64](args, 1); ok {
		o.Threshold = &f
	}
	o.Profile, _ = marshal.At[string](args, 4)
	if on, ok := marshal.At[bool](args, 5); ok {
		o.SciMode = autograd.SciNotation(on)
	}
	autograd.SetPrintOptions(o)
	return nil, nil
}
