package script

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// An assertion is a function of assert. Its last argument may be a message.
type assertion struct {
	name, signature, doc string
	call                 func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error
}

var assertionTable = []assertion{
	{"eq", "a, b, message=None", "a == b", compared(syntax.EQL, "%s is not equal to %s")},
	{"ne", "a, b, message=None", "a != b", compared(syntax.NEQ, "%s is equal to %s")},
	{"lt", "a, b, message=None", "a < b", compared(syntax.LT, "%s is not less than %s")},
	{"le", "a, b, message=None", "a <= b", compared(syntax.LE, "%s is not at most %s")},
	{"gt", "a, b, message=None", "a > b", compared(syntax.GT, "%s is not greater than %s")},
	{"ge", "a, b, message=None", "a >= b", compared(syntax.GE, "%s is not at least %s")},
	{"true", "x, message=None", "x is true", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
		return truth(b, args, kwargs, true)
	}},
	{"false", "x, message=None", "x is false", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
		return truth(b, args, kwargs, false)
	}},
	{"contains", "container, x, message=None", "x in container", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
		var container, x starlark.Value
		var message string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "container", &container, "x", &x, "message?", &message); err != nil {
			return err
		}
		in, err := starlark.Binary(syntax.IN, x, container)
		if err != nil {
			return err
		}
		if !in.Truth() {
			return unmet("%s%s is not in %s", prefix(message), shown(x), shown(container))
		}
		return nil
	}},
	{"close", "a, b, rtol=1e-5, atol=1e-8, message=None", "|a - b| <= atol + rtol * |b|, for numbers and for lists of them; NaN is close to nothing", closeTo},
	{"fails", "f, text=\"\"", "f() ends with an error whose message contains text", func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
		var f starlark.Callable
		var text string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "f", &f, "text?", &text); err != nil {
			return err
		}
		_, err := starlark.Call(t, f, nil, nil)
		switch {
		case err == nil:
			return unmet("%s does not fail", f.Name())
		case !strings.Contains(err.Error(), text):
			return unmet("%s fails with %q, not with %q", f.Name(), err.Error(), text)
		}
		return nil
	}},
}

// assertions is what scripts call assert.
var assertions = func() *starlarkstruct.Module {
	m := &starlarkstruct.Module{Name: "assert", Members: starlark.StringDict{}}
	for _, a := range assertionTable {
		m.Members[a.name] = starlark.NewBuiltin("assert."+a.name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, a.call(t, b, args, kwargs)
		})
	}
	m.Freeze()
	return m
}()

func compared(op syntax.Token, text string) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) error {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
		var x, y starlark.Value
		var message string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "a", &x, "b", &y, "message?", &message); err != nil {
			return err
		}
		ok, err := starlark.Compare(op, x, y)
		if err != nil {
			return err
		}
		if !ok {
			return unmet("%s"+text, prefix(message), shown(x), shown(y))
		}
		return nil
	}
}

func truth(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, want bool) error {
	var x starlark.Value
	var message string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "x", &x, "message?", &message); err != nil {
		return err
	}
	if bool(x.Truth()) != want {
		return unmet("%s%s is not %t", prefix(message), shown(x), want)
	}
	return nil
}

func closeTo(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
	var x, y starlark.Value
	rtol, atol := 1e-5, 1e-8
	var message string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "a", &x, "b", &y, "rtol?", &rtol, "atol?", &atol, "message?", &message); err != nil {
		return err
	}
	xs, err := numbers(x)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Name(), err)
	}
	ys, err := numbers(y)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Name(), err)
	}
	same := len(xs) == len(ys)
	for i := 0; same && i < len(xs); i++ {
		same = xs[i] == ys[i] || math.Abs(xs[i]-ys[i]) <= atol+rtol*math.Abs(ys[i])
	}
	if !same {
		return unmet("%s%s is not close to %s", prefix(message), shown(x), shown(y))
	}
	return nil
}

// numbers returns the numbers of a list, or a single number as a list.
func numbers(v starlark.Value) ([]float64, error) {
	if f, ok := starlark.AsFloat(v); ok {
		return []float64{f}, nil
	}
	iterable, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("a %s is neither a number nor a list of numbers", v.Type())
	}
	it := iterable.Iterate()
	defer it.Done()
	var all []float64
	for x := starlark.Value(starlark.None); it.Next(&x); {
		f, ok := starlark.AsFloat(x)
		if !ok {
			return nil, fmt.Errorf("a %s in the list is not a number", x.Type())
		}
		all = append(all, f)
	}
	return all, nil
}

func prefix(message string) string {
	if message == "" {
		return ""
	}
	return message + ": "
}

// shown returns a value in a message, cut if it is long.
func shown(v starlark.Value) string {
	const long = 200
	text := v.String()
	if len(text) > long {
		text = strings.ToValidUTF8(text[:long], "") + " …"
	}
	return text
}
