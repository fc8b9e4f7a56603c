package formula

import (
	"testing"
)

func TestTheTableCanBeRead(t *testing.T) {
	rows := 0
	for name, n := range table() {
		for _, r := range n.rows {
			rows++
			e, err := Parse(r.text)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if e.String() != r.text {
				t.Errorf("%s: %q is written as %q", name, r.text, e)
			}
		}
	}
	if rows < 400 {
		t.Errorf("%d formulas", rows)
	}
}

func TestWhatIsNotAFormulaIsRefused(t *testing.T) {
	for _, text := range []string{"", "mul(", "mul(a,b)", "mul(a, b", "a b", "mul(a)#x", "[a", "f(x=)"} {
		if e, err := Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, e)
		}
	}
}

func TestFormulasAreWrittenAsMathematics(t *testing.T) {
	attrs := map[string]*Expr{"exponent": Leaf("2"), "alpha": Leaf("1"), "dim": Leaf("-1")}
	shapes := map[string][]int{"grad": {3, 4}, "self": {3, 4}, "weight": {5, 4}}
	env := Env{
		Attr:  func(name string) (*Expr, bool) { e, ok := attrs[name]; return e, ok },
		Shape: func(name string) ([]int, bool) { s, ok := shapes[name]; return s, ok },
	}
	for text, want := range map[string]string{
		"mul(grad, mul.Scalar(pow(self, exponent=sub(exponent, 1)), other=exponent))": "grad ⋅ 2 ⋅ self",
		"mul.Scalar(grad, other=alpha)":                                               "grad",
		"mul.Scalar(t(mm(weight, t(grad))), other=alpha)":                             "grad @ weightᵀ",
		"bmm(transpose(self, dim0=0, dim1=1), grad)":                                  "selfᵀ @ grad",
		"mul(neg(grad), div(div(a, b), b))":                                           "-grad ⋅ a / b / b",
		"div.Scalar(expand(grad, size=shape(self)), other=numel(self))":               "grad / 12",
		"expand(grad, size=shape(weight))":                                            "expand(grad, [5, 4])",
		"mul(grad, sub(1, pow(result, exponent=2)))":                                  "grad ⋅ (1 - result²)",
		"mul(sub(grad, sum(grad, dim=dim, keepdim=True)), exp(x))":                    "(grad - sum(grad, dim=-1, keepdim=True)) ⋅ exp(x)",
		"masked_fill(grad, lt(self, other=0), value=0)":                               "where(self < 0, 0, grad)",
		"slice.Tensor(grad, dim=1, start=0, end=3)":                                   "grad[:, :3]",
		"slice.Tensor(grad, dim=dim, start=2, end=9223372036854775807, step=2)":       "grad[..., 2::2]",
		"slice.Tensor(grad, dim=d, start=start, end=end)":                             "slice(grad, dim=d, start=start, end=end)",
		"select(exp(grad), dim=0, index=-1)":                                          "exp(grad)[-1]",
		"select_scatter(const(0, size=[2]), grad, dim=-2, index=1)":                   "select_scatter(0[..., 1, :] = grad)",
		"permute(grad, dims=inverse([2, 0, -2]))":                                     "permute(grad, dims=[1, 2, 0])",
		"sum(grad, dim=batch_dims([5, 6, 7, 8]))":                                     "sum(grad, dim=[0, 2, 3])",
		"mul(grad, per_channel(w, grad))":                                             "grad ⋅ w",
		"_backward(grad, None, a=1, b=2, c=3)#1":                                      "backward(grad, a=1, b=2, …)[1]",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.In(env).Text(nil); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
