package pycall

import (
	"errors"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

func TestValuesAreWrittenAsReprDoes(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "None"}, {true, "True"}, {3, "3"}, {2.0, "2.0"}, {1e-8, "1e-08"},
		{[]int{4}, "(4,)"}, {[]int{1, 2}, "(1, 2)"}, {[]int{}, "()"}, {[]float64{0.9, 0.999}, "(0.9, 0.999)"},
		{"it's", `"it's"`}, {`say "it's"`, `'say "it\'s"'`}, {"a\n\\", `'a\n\\'`}, {autograd.Float64, "torch.float64"},
	} {
		if got := Repr(c.value); got != c.want {
			t.Errorf("repr of %#v is %s, want %s", c.value, got, c.want)
		}
	}
	if got := Str("plain"); got != "plain" {
		t.Errorf("str of a string is %s", got)
	}
}

func TestTypesHaveTorchsNames(t *testing.T) {
	var none *autograd.Tensor
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "NoneType"}, {none, "NoneType"}, {autograd.New(1.0), "torch.FloatTensor"}, {1, "int"}, {1.5, "float"},
		{false, "bool"}, {"s", "str"}, {[]string{}, "list"},
	} {
		if got := TypeName(c.value); got != c.want {
			t.Errorf("%#v is a %s, want %s", c.value, got, c.want)
		}
	}
}

func TestArgumentsAreBoundAsPythonBindsThem(t *testing.T) {
	sig := schema.MustParse("f(int a, int b, float c=1, float[2] d=[0.5, 0.25], *, bool e=False) -> T")
	kw := autograd.Kw
	for _, c := range []struct {
		args []any
		opts []autograd.Option
		want string
	}{
		{nil, nil, "TypeError: f() missing 2 required positional arguments: 'a' and 'b'"},
		{[]any{1}, nil, "TypeError: f() missing 1 required positional argument: 'b'"},
		{[]any{1, 2, 3, "4"}, nil, "TypeError: f(): argument 'd' must be float[2], not str"},
		{[]any{1, 2, 3, []float64{1, 2}, true}, nil, "TypeError: f() takes from 3 to 5 positional arguments but 6 were given"},
		{[]any{1, 2}, []autograd.Option{kw("a", 1)}, "TypeError: f() got multiple values for argument 'a'"},
		{[]any{1, 2}, []autograd.Option{kw("g", 1)}, "TypeError: f() got an unexpected keyword argument 'g'"},
		{[]any{1, "two"}, nil, "TypeError: f(): argument 'b' must be int, not str"},
	} {
		_, err := Bind("f", sig, c.args, c.opts)
		if err == nil || err.Error() != c.want || !errors.Is(err, autograd.CodeArgument) {
			t.Errorf("f(%v, %v): %v, want %s", c.args, c.opts, err, c.want)
		}
	}
	a, err := Bind("f", sig, []any{int64(1)}, []autograd.Option{kw("b", autograd.IntScalar(2)), kw("e", true)})
	if err != nil {
		t.Fatal(err)
	}
	if a.Int("a") != 1 || a.Value("b") != 2 || a.Value("c") != 1 || a.Float("c") != 1 || !a.Bool("e") || Repr(a.Value("d")) != "(0.5, 0.25)" {
		t.Errorf("%+v", a)
	}
}
