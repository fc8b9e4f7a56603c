package autograd_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
)

// An orderedGraph is a random graph and the order in which PyTorch runs it
// (tools/record/backward_order.py).
type orderedGraph struct {
	Leaves int
	Nodes  [][]int
	Roots  []int
	Inputs []int
	Order  []int
}

func TestNodesRunInPyTorchsOrder(t *testing.T) {
	text, err := os.ReadFile("testdata/order.json")
	if err != nil {
		t.Fatal(err)
	}
	var graphs []orderedGraph
	if err := json.Unmarshal(text, &graphs); err != nil {
		t.Fatal(err)
	}
	if len(graphs) < 400 {
		t.Errorf("only %d graphs", len(graphs))
	}
	for i, g := range graphs {
		got, err := g.run()
		if err != nil {
			t.Fatalf("graph %d: %v", i, err)
		}
		if !slices.Equal(got, g.Order) {
			t.Errorf("graph %d ran in the order\n%v, not\n%v", i, got, g.Order)
		}
	}
}

func (g *orderedGraph) run() (order []int, err error) {
	var tensors []*Tensor
	for n := range g.Leaves {
		x := Ones([]int{1}, RequiresGrad)
		if _, err := x.RegisterHook(func(*Tensor) *Tensor { order = append(order, n); return nil }); err != nil {
			return nil, err
		}
		tensors = append(tensors, x)
	}
	pick := func(numbers []int) (ts []*Tensor) {
		for _, n := range numbers {
			ts = append(ts, tensors[n])
		}
		return ts
	}
	for _, inputs := range g.Nodes {
		add := adder(func(number int) { order = append(order, number) })
		args := []any{len(tensors)}
		for _, x := range pick(inputs) {
			args = append(args, x)
		}
		tensors = append(tensors, add.Call(args...))
	}
	var opts []Option
	if g.Inputs != nil {
		opts = append(opts, Inputs(pick(g.Inputs)...))
	}
	err = BackwardAll(pick(g.Roots), nil, opts...)
	return order, err
}

// adder returns a Function that sums its arguments after the first one, a
// number that its backward passes to note.
func adder(note func(number int)) *Function {
	return &Function{
		Name: "Add",
		Forward: func(_ *FunctionCtx, in []*Tensor) ([]*Tensor, error) {
			sum := in[1].Clone()
			for _, x := range in[2:] {
				sum = sum.Add(x)
			}
			return []*Tensor{sum}, nil
		},
		Backward: func(ctx *FunctionCtx, grads []*Tensor) ([]*Tensor, error) {
			note(ctx.Arg(0).(int))
			out := []*Tensor{nil}
			for i := 1; ctx.Arg(i) != nil; i++ {
				out = append(out, grads[0])
			}
			return out, nil
		},
	}
}
