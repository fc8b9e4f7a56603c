package autograd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
)

// contributions formats the terms of a gradient: which node sent each term over
// which edge, and the term before broadcasting was undone.
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
			// The product was computed last, so its node runs first; it sends
			// two terms.
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
			"a leaf that is used at three places",
			func() *Contributions {
				x := leaf()
				w := get(x.WatchGrad())
				do(x.Mul(2).Add(x.Neg()).Add(x.Div(4)).Sum().Backward())
				return w
			},
			"DivBackward0[0] [0.25 0.25 0.25]; NegBackward0[0] [-1 -1 -1]; MulBackward0[0] [2 2 2]",
			[]float64{1.25, 1.25, 1.25},
		},
		{
			"a leaf that is broadcast at two of three places",
			func() *Contributions {
				x, b := rows2(), leaf()
				w := get(b.WatchGrad())
				do(x.Mul(b).Sum().Add(x.Sub(b).Sum()).Add(b.Mul(10).Sum()).Backward())
				return w
			},
			"MulBackward0[0] [10 10 10]; SubBackward0[1] [-2 -2 -2] of [-1 -1 -1 -1 -1 -1]; MulBackward0[1] [5 7 9] of [1 2 3 4 5 6]",
			[]float64{13, 15, 17},
		},
		{
			"a number that meets a matrix",
			func() *Contributions {
				s := New(2.0, RequiresGrad)
				w := get(s.WatchGrad())
				do(rows2().Mul(s).Sum().Backward())
				return w
			},
			"MulBackward0[1] [21] of [1 2 3 4 5 6]",
			[]float64{21},
		},
		{
			"a column and a row",
			func() *Contributions {
				column, row := New([][]float64{{1}, {2}}, RequiresGrad), leaf()
				w := get(column.WatchGrad())
				do(column.Mul(row).Sum().Backward())
				return w
			},
			"MulBackward0[0] [6 6] of [1 2 3 1 2 3]",
			[]float64{6, 6},
		},
		{
			"both operands of a product that is broadcast",
			func() *Contributions {
				b := leaf()
				w := get(b.WatchGrad())
				do(b.View([]int{3, 1}).Mul(b).Sum().Backward())
				return w
			},
			"MulBackward0[1] [6 6 6] of [1 1 1 2 2 2 3 3 3]; ViewBackward0[0] [6 6 6]",
			[]float64{12, 12, 12},
		},
		{
			"a broadcast tensor that is not a leaf",
			func() *Contributions {
				b := leaf().Mul(1)
				w := get(b.WatchGrad())
				do(rows2().Add(b).Add(b).Sum().Backward())
				return w
			},
			"AddBackward0[1] [2 2 2] of [1 1 1 1 1 1]; AddBackward0[1] [2 2 2] of [1 1 1 1 1 1]",
			[]float64{4, 4, 4},
		},
		{
			"a second derivative",
			func() *Contributions {
				x := leaf(2)
				g := get(Grad(list(x.Mul(x).Mul(x)), list(x), CreateGraph))[0]
				w := get(x.WatchGrad())
				do(g.Backward())
				if w.Sum().Float64s()[0] != 12 {
					panic("the second derivative of x*x*x at 2 is 12")
				}
				w.Reset()
				do(x.Mul(x).Backward())
				return w
			},
			"MulBackward0[0] [2]; MulBackward0[1] [2]",
			[]float64{4},
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
			"a tensor that is not a leaf",
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
			"None[0] [1]", // the initial gradient
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
					panic("an unwanted gradient was computed")
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

// TestBroadcastContributionsAreSumsOfTheirPlaces sums the contributions of each
// element of a broadcast operand, as the engine does.
func TestBroadcastContributionsAreSumsOfTheirPlaces(t *testing.T) {
	for _, shape := range [][]int{{}, {1}, {4}, {1, 4}, {3, 1}, {2, 1, 1}, {1, 1, 4}, {2, 3, 4}} {
		b := Rand(shape, WithDType(Float64), RequiresGrad)
		w := get(b.WatchGrad())
		x := Rand([]int{2, 3, 4}, WithDType(Float64))
		do(x.Mul(b).Add(x.Div(b)).Sum().Backward())
		if len(w.All()) != 2 {
			t.Fatalf("shape %v: %d contributions, not 2", shape, len(w.All()))
		}
		for i, node := range []string{"DivBackward0", "MulBackward0"} {
			c := w.All()[i]
			if c.From.Name() != node || c.Index != 1 || !slices.Equal(c.Grad.Shape(), shape) {
				t.Errorf("shape %v: contribution %d is %s[%d] of shape %v", shape, i, c.From.Name(), c.Index, c.Grad.Shape())
			}
			if c.Unreduced == nil {
				if len(shape) < 3 || slices.Contains(shape, 1) {
					t.Errorf("shape %v: the terms of %s are already summed", shape, node)
				}
				continue
			}
			z := Zeros(shape, WithDType(Float64), RequiresGrad)
			if sum := get(Grad(list(z.Expand([]int{2, 3, 4})), list(z), GradOutputs(c.Unreduced)))[0]; !slices.Equal(sum.Float64s(), c.Grad.Float64s()) {
				t.Errorf("shape %v: the terms of %s add up to %v, not %v", shape, node, sum, c.Grad)
			}
		}
		if !slices.Equal(w.Sum().Float64s(), b.Grad().Float64s()) || w.First() != w.All()[0].Grad {
			t.Errorf("shape %v: the sum is %v, the gradient %v", shape, w.Sum(), b.Grad())
		}
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
