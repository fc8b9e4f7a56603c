package builtin

import (
	"fmt"
	"math/big"
	"runtime"
	"slices"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// A function is one that the program may call.
type function struct {
	name      string
	run       command
	predictor predictor
}

// call runs a function. A defect of ours does not end the program's session.
func (s *session) call(m *message) (result any, err error) {
	if m.function < 0 || m.function >= len(s.functions) || s.functions[m.function].run == nil {
		return nil, marshal.Damaged("message", nil)
	}
	defer func(outer []any) {
		s.given = outer
		if p := recover(); p != nil {
			err = internalError(p)
		}
	}(s.given)
	s.given = m.args
	if s.silent {
		if err := s.mayCall(s.functions[m.function].name, m.args); err != nil {
			return nil, err
		}
	}
	return s.functions[m.function].run(s, m.args, m.opts)
}

func internalError(p any) error {
	var stack [16 << 10]byte
	return &autograd.Error{
		Type: autograd.RuntimeError, Code: autograd.CodeInternal,
		Text: fmt.Sprintf("gradtui: internal error: %v\n%s", p, stack[:runtime.Stack(stack[:], false)]),
	}
}

// functionOf is what a name means: a command, or a function of the engine.
func (s *session) functionOf(name string) function {
	if c, ok := s.commands[name]; ok {
		return function{name, c, nil}
	}
	f := autograd.Resolve(name)
	return function{name, func(_ *session, args []any, opts []autograd.Option) (any, error) {
		for i := range args {
			args[i] = engineValue(args[i])
		}
		for i := range opts {
			opts[i].Value = engineValue(opts[i].Value)
		}
		if len(opts) > 0 {
			opts = slices.DeleteFunc(opts, isStrided)
		}
		return f(args, opts)
	}, predictorOf(name)}
}

// isStrided reports whether an argument is layout=torch.strided, the one layout
// that the engine has.
func isStrided(o autograd.Option) bool {
	return o.Name == "layout" && (o.Value == "strided" || o.Value == nil)
}

// engineValue is a value as the engine takes it.
func engineValue(v any) any {
	switch x := v.(type) {
	case *callable:
		return x.callback()
	case *big.Int:
		if x.IsUint64() {
			return x.Uint64()
		}
	}
	return v
}
