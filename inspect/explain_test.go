package inspect_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// explained runs a program whose backward pass fails and tells why, without the
// places.
func explained(t *testing.T, program func(x *autograd.Tensor) *autograd.Tensor) string {
	t.Helper()
	g := record(t, func(x *autograd.Tensor) {
		x.SetName("x")
		if program(x).Backward() == nil {
			t.Error("backward does not fail")
		}
	})
	failures := inspect.Failures(g)
	if len(failures) != 1 {
		t.Fatalf("%d failures", len(failures))
	}
	return withoutPlaces(failures[0].Explain(g.Tape()))
}

var places = regexp.MustCompile(` at \S+\.go:\d+ in \S+`)

func withoutPlaces(s string) string { return places.ReplaceAllString(s, "") }

func TestAFailureIsExplained(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(x *autograd.Tensor) *autograd.Tensor
		want    string
	}{
		{"a result that is changed", func(x *autograd.Tensor) *autograd.Tensor {
			y := x.Exp().SetName("y")
			check(y.Add_(1))
			return y.Sum()
		}, `backward pass 1 failed in ExpBackward0 (RuntimeError)
  called
  the op ran
  it saved y as result, at version 0,
  y was changed in place by add_, to version 1,`},
		{"a view that was saved", func(x *autograd.Tensor) *autograd.Tensor {
			w := autograd.Ones([]int{2, 256}, autograd.RequiresGrad).SetName("w")
			loss := x.Matmul(w.T()).Sum()
			withoutGrad(func() error { return w.Sub_(1) })
			return loss
		}, `backward pass 1 failed in MmBackward0 (RuntimeError)
  called
  the op ran
  it saved tensor t3 (a view of w) as mat2, at version 0,
  w was changed in place by sub_, to version 1,`},
		{"a change through a view", func(x *autograd.Tensor) *autograd.Tensor {
			y := x.Exp().SetName("y")
			check(y.Narrow(0, 0, 1).Zero_())
			return y.Sum()
		}, `backward pass 1 failed in ExpBackward0 (RuntimeError)
  called
  the op ran
  it saved y as result, at version 0,
  tensor t3 (a view of y) was changed in place by zero_, to version 1,`},
		{"a change through a detached tensor", func(x *autograd.Tensor) *autograd.Tensor {
			y := x.Exp().SetName("y")
			check(y.Detach().SetName("d").Zero_())
			return y.Sum()
		}, `backward pass 1 failed in ExpBackward0 (RuntimeError)
  called
  the op ran
  it saved y as result, at version 0,
  d, which shares its memory, was changed in place by zero_, to version 1,`},
		{"inside of a module", func(x *autograd.Tensor) *autograd.Tensor {
			net := nn.Sequential(nn.Sigmoid(), nn.ReLU(autograd.Kw("inplace", true)))
			return net.Forward(x).Sum()
		}, `backward pass 1 failed in SigmoidBackward0 (RuntimeError)
  called
  the op ran in module 0 (Sigmoid)
  it saved tensor t2 as result, at version 0,
  tensor t2 was changed in place by relu_, to version 1,`},
		{"a second pass", func(x *autograd.Tensor) *autograd.Tensor {
			loss := x.Exp().Sum()
			check(loss.Backward())
			return loss
		}, `backward pass 2 failed in ExpBackward0 (RuntimeError)
  called
  the op ran
  its saved tensors were freed by backward pass 1, called`},
		{"a function of the program's", func(x *autograd.Tensor) *autograd.Tensor {
			f := &autograd.Function{Name: "F", Forward: func(_ *autograd.FunctionCtx, in []*autograd.Tensor) ([]*autograd.Tensor, error) {
				return []*autograd.Tensor{in[0].Mul(2)}, nil
			}}
			return f.Call(x).Sum()
		}, `backward pass 1 failed in FBackward (NotImplementedError)
  called
  the op ran
  You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.`},
		{"a check after the node has run", func(x *autograd.Tensor) *autograd.Tensor {
			autograd.SetDetectAnomaly(true, true)
			t.Cleanup(func() { autograd.SetDetectAnomaly(false, true) })
			return x.Sub(x).Sqrt().Mul(0).Sum()
		}, `backward pass 1 failed in SqrtBackward0 (RuntimeError)
  called
  the op ran
  Function 'SqrtBackward0' returned nan values in its 0th output.`},
		{"a hook of a leaf", func(x *autograd.Tensor) *autograd.Tensor {
			_, err := x.RegisterHook(func(g *autograd.Tensor) *autograd.Tensor { return autograd.Ones([]int{3}) })
			check(err)
			return x.Sum()
		}, `backward pass 1 failed in AccumulateGrad of x (RuntimeError)
  called
  hook '1' has changed the size of value`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := explained(t, c.program); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestErrorsAreListedThatTheProgramMayHaveIgnored(t *testing.T) {
	g := record(t, func(x *autograd.Tensor) {
		loss := x.Matmul(autograd.Ones([]int{3, 3})).Exp().Sum()
		if loss.Backward() == nil || loss.Add(1).Err() == nil { // the error goes on
			t.Error("the program does not fail")
		}
		y := x.Exp()
		check(y.Add_(1))
		if y.Sum().Backward() == nil || x.Add_(1) == nil || y.Backward() == nil {
			t.Error("the program does not fail")
		}
		if _, err := y.Item(); err == nil {
			t.Error("the program does not fail")
		}
	})
	var got []string
	for _, e := range inspect.Errors(g) {
		got = append(got, withoutPlaces(e.Explain(g.Tape())))
		if !strings.Contains(e.Explain(g.Tape()), " explain_test.go:") {
			t.Errorf("no place: %s", e.Explain(g.Tape()))
		}
	}
	want := `RuntimeError in mm
  mat1 and mat2 shapes cannot be multiplied (1x256 and 3x3)
RuntimeError in add_
  a leaf Variable that requires grad is being used in an in-place operation.
RuntimeError in backward
  grad can be implicitly created only for scalar outputs
RuntimeError
  a Tensor with 256 elements cannot be converted to Scalar`
	if all := strings.Join(got, "\n"); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	e := inspect.Error{At: -1, Type: "TypeError", Message: strings.Repeat("é", 300) + "\nmore"}
	if got, want := e.Explain(graph.NewTape(graph.Limits{})), "TypeError\n  "+strings.Repeat("é", 200)+" …"; got != want {
		t.Errorf("got %s", got)
	}
}
