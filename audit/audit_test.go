package audit

import (
	"errors"
	"math"
	"os"
	"testing"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A loss of two leaves.
type loss func(w, b *ag.Tensor) *ag.Tensor

var point = [2][]float64{{0.3, -1.2, 0.8}, {1.5, 0.4, -0.7}}

// recorded is the tape of a step.
func recorded(t *testing.T, f loss) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{Elements: graph.MostElements})
	err := capture.Local(tape, nil, os.ReadFile, func() error {
		w, b := ag.New(point[0], ag.WithDType(ag.Float64), ag.RequiresGrad), ag.New(point[1], ag.WithDType(ag.Float64), ag.RequiresGrad)
		l := f(w, b)
		if err := l.Err(); err != nil {
			return err
		}
		return l.Backward()
	})
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

// The derivative is the whole program's, run again with moved leaves.
func TestTheDerivativeIsTheProgramsOwn(t *testing.T) {
	two := []int{3, 1}
	for name, f := range map[string]loss{
		"plain":  func(w, b *ag.Tensor) *ag.Tensor { return w.Exp().Mul(b).Sum() },
		"detach": func(w, b *ag.Tensor) *ag.Tensor { return w.Mul(b.Detach()).Add(b.Sin()).Sum() },
		"data":   func(w, b *ag.Tensor) *ag.Tensor { return w.Tanh().Data().Mul(b).Sum() },
		"views": func(w, b *ag.Tensor) *ag.Tensor {
			return w.Reshape(two).Matmul(b.Reshape([]int{1, 3})).T().Pow(2).Mean()
		},
		"broadcast": func(w, b *ag.Tensor) *ag.Tensor { return w.Reshape(two).Sub(b).Abs().Sum() },
		"many":      func(w, b *ag.Tensor) *ag.Tensor { return ag.Cat([]*ag.Tensor{w, b}).Softmax(0).Log().Sum() },
		"no_grad": func(w, b *ag.Tensor) *ag.Tensor {
			var p *ag.Tensor
			ag.NoGrad(func() { p = w.Pow(2).Sum() })
			return b.Sum().Add(p)
		},
		"in place": func(w, b *ag.Tensor) *ag.Tensor {
			h := w.Mul(2)
			if err := h.Mul_(b); err != nil {
				t.Fatal(err)
			}
			return h.Sum()
		},
		"past the counter": func(w, b *ag.Tensor) *ag.Tensor {
			h := w.Mul(2)
			if err := h.Data().Add_(b); err != nil {
				t.Fatal(err)
			}
			return h.Mul(b).Sum()
		},
	} {
		t.Run(name, func(t *testing.T) {
			tape := recorded(t, f)
			steps := steps(inspect.ReadHistory(tape, tape.Len(), inspect.Options{}))
			if len(steps) != 1 {
				t.Fatalf("%d steps", len(steps))
			}
			m := newMachine(tape, steps[0], 1)
			if err := m.run(); err != nil {
				t.Fatal(err)
			}
			if len(m.gaps) > 0 {
				t.Errorf("not followed: %+v", m.gaps)
			}
			got := 0.0
			for _, share := range m.passes[0].share {
				got += share
			}
			if len(m.seeds) != 2 {
				t.Fatalf("%d leaves", len(m.seeds))
			}
			const step = 1e-6
			at := func(factor float64) float64 {
				var leaves [2]*ag.Tensor
				for i := range leaves {
					moved := append([]float64{}, point[i]...)
					for n, x := range m.seeds[m.leaf(i)] {
						moved[n] += factor * x
					}
					leaves[i] = ag.New(moved, ag.WithDType(ag.Float64), ag.RequiresGrad)
				}
				return f(leaves[0], leaves[1]).Float64s()[0]
			}
			want := (at(step) - at(-step)) / (2 * step)
			if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%g, want %g", got, want)
			}
		})
	}
}

// leaf is the number of a leaf, in the order of their creation.
func (m *machine) leaf(i int) graph.TensorID {
	var ids []graph.TensorID
	for _, t := range m.sorted() {
		if m.seeds[t.id] != nil {
			ids = append(ids, t.id)
		}
	}
	return ids[i]
}

func TestATapeWithoutAStepIsAnError(t *testing.T) {
	h := inspect.ReadHistory(graph.NewTape(graph.Limits{}), 0, inspect.Options{})
	if _, err := Run(h, Options{Step: 1, Directions: 1}); !errors.Is(err, ErrNoStep) {
		t.Error(err)
	}
}
