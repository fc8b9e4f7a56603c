package autograd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
)

// contributions shows the terms of a gradient: which node sent each over which
// edge, and the term before broadcasting was undone.
func contributions(w *Contributions) string {
	var lines []string
	for _, c := range w.All() {
		line := fmt.Sprintf("%s[%d] %v", c.From.Name(), c.Index, c.Grad.Float64s())
		if c.Unreduced != nil {
			line += fmt.Sprintf(" of %v", c.Unreduced.Float64s())
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestContributionsKeepTheTermsOfAGradientApart(t *testing.T) {
	tests := []struct {
		name    string
		program func() *Contributions
		terms   string
		sum     []float64
	}{
		{
			"a leaf that is used twice",
			func() *Contributions {
				x := leaf()
				w := get(x.WatchGrad())
				do(x.Mul(2).Add(x.Mul(x)).Sum().Backward())
				return w
			},
			// The product was made last: its node runs first, and sends twice.
			"MulBackward0[0] [1 2 3]; MulBackward0[1] [1 2 3]; MulBackward0[0] [2 2 2]",
			[]float64{4, 6, 8},
		},
		{
			"a broadcast operand",
			func() *Contributions {
				x, b := rows2(), leaf()
				w := get(b.WatchGrad())
				do(x.Mul(b).Sum().Backward())
				return w
			},
			"MulBackward0[1] [5 7 9] of [1 2 3 4 5 6]",
			[]float64{5, 7, 9},
		},
		{
			"a gradient that is only cast",
			func() *Contributions {
				x := leaf()
				w := get(x.WatchGrad())
				do(x.Mul(Ones([]int{3}, WithDType(Float64))).Sum().Backward())
				return w
			},
			"MulBackward0[0] [1 1 1]",
			[]float64{1, 1, 1},
		},
		{
			"several passes",
			func() *Contributions {
				x := leaf(1)
				y := x.Mul(3)
				w := get(x.WatchGrad())
				do(y.Backward(RetainGraph))
				do(y.Backward(Gradient(ones(1).Mul(2))))
				return w
			},
			"MulBackward0[0] [3]; MulBackward0[0] [6]",
			[]float64{9},
		},
		{
			"a tensor that is no leaf",
			func() *Contributions {
				y := leaf(1, 2).Mul(2)
				w := get(y.WatchGrad())
				do(y.Mul(3).Add(y).Sum().Backward())
				return w
			},
			"AddBackward0[1] [1 1]; MulBackward0[0] [3 3]",
			[]float64{4, 4},
		},
		{
			"the one result of several that is watched",
			func() *Contributions {
				parts := get(leaf().Unbind())
				w := get(parts[1].WatchGrad())
				do(parts[0].Mul(parts[1]).Add(parts[2]).Backward())
				return w
			},
			"MulBackward0[1] [1]",
			[]float64{1},
		},
		{
			"the root itself",
			func() *Contributions {
				y := leaf(1).Mul(2)
				w := get(y.WatchGrad())
				do(y.Backward())
				return w
			},
			"None[0] [1]", // what backward starts with
			[]float64{1},
		},
		{
			"several roots",
			func() *Contributions {
				x := leaf(1)
				y := x.Mul(2)
				w := get(y.WatchGrad())
				do(BackwardAll(list(y.Mul(3), y), nil))
				return w
			},
			"None[1] [1]; MulBackward0[0] [3]",
			[]float64{4},
		},
		{
			"autograd.grad",
			func() *Contributions {
				x, u := leaf(2), leaf(1)
				w, unused := get(x.WatchGrad()), get(u.WatchGrad())
				get(Grad(list(x.Mul(x).Add(u)), list(x)))
				if len(unused.All()) > 0 {
					panic("a gradient that nobody asked for was computed")
				}
				return w
			},
			"MulBackward0[0] [2]; MulBackward0[1] [2]",
			[]float64{4},
		},
		{
			"terms that the program changes are its own",
			func() *Contributions {
				x := leaf(1)
				w := get(x.WatchGrad())
				do(x.Mul(2).Add(x.Mul(3)).Backward())
				do(x.Grad().Mul_(100))
				return w
			},
			"MulBackward0[0] [3]; MulBackward0[0] [2]",
			[]float64{5},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := test.program()
			if got := contributions(w); got != test.terms {
				t.Errorf("contributions are %s, not %s", got, test.terms)
			}
			if sum := w.Sum(); (sum == nil) != (test.sum == nil) || sum != nil && !slices.Equal(sum.Float64s(), test.sum) {
				t.Errorf("their sum is %v, not %v", sum, test.sum)
			}
			if first := w.First(); len(w.All()) > 0 && first != w.All()[0].Grad || len(w.All()) == 0 && first != nil {
				t.Errorf("the first is %v", first)
			}
		})
	}
}

func TestContributionsAddUpToTheGradient(t *testing.T) {
	x := New([]float64{0.1, 0.7, -1.3}, RequiresGrad)
	w, err := x.WatchGrad()
	if err != nil {
		t.Fatal(err)
	}
	y := x.Exp().Mul(x).Add(x.Mul(x.Tanh())).Sub(x.Sin())
	if err := y.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Sum().Float64s(), x.Grad().Float64s(); !slices.Equal(got, want) {
		t.Errorf("the contributions add up to %v, the gradient is %v", got, want)
	}
}

func TestContributionsAreCollectedUntilStopped(t *testing.T) {
	x := New([]float64{1}, RequiresGrad)
	w, err := x.WatchGrad()
	if err != nil {
		t.Fatal(err)
	}
	pass := func() {
		t.Helper()
		if err := x.Mul(2).Backward(); err != nil {
			t.Fatal(err)
		}
	}
	pass()
	w.Reset()
	pass()
	if n := len(w.All()); n != 1 {
		t.Errorf("%d contributions after Reset, want 1", n)
	}
	w.Stop()
	pass()
	if n := len(w.All()); n != 1 {
		t.Errorf("%d contributions after Stop, want 1", n)
	}
	if _, err := Ones([]int{1}).WatchGrad(); err == nil {
		t.Error("the gradient of a constant can be watched")
	}
}

func ExampleTensor_WatchGrad() {
	w := New([]float64{1, 2}, RequiresGrad)
	x := New([][]float64{{1, 0}, {0, 1}, {1, 1}})
	terms, _ := w.WatchGrad()
	if err := x.Mul(w).Sum().Backward(); err != nil {
		panic(err)
	}
	fmt.Println("gradient:", w.Grad())
	fmt.Println("row by row:")
	fmt.Println(terms.All()[0].Unreduced)
	// Output:
	// gradient: tensor([2., 2.])
	// row by row:
	// tensor([[1., 0.],
	//         [0., 1.],
	//         [1., 1.]])
}
