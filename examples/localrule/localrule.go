// Package localrule trains a network without a global backward pass: nodes hold
// a state, edges hold a weight, and messages travel along the edges. In the
// forward phase an edge carries its weight times the signal of the node behind
// it; in the error phase it carries the error of the node in front of it back.
// A node and an edge use only what is at hand: their own memory and the messages
// that arrive. This is backpropagation, so the updates must equal the gradients of
// autograd, which this program checks edge by edge.
package localrule

import (
	"fmt"
	"io"
	"math"

	"github.com/gradtui/gradtui/autograd"
)

// A node sums what arrives and passes it through tanh.
type node struct {
	in, out []*edge
	signal  *autograd.Tensor // what it sends forward
	errors  float64          // what came back, summed
	waits   int              // messages that have not arrived
}

// An edge connects two nodes.
type edge struct {
	from, to *node
	weight   *autograd.Tensor
	update   float64 // the local rule's result
}

// network builds layers of nodes; every node is connected to all of the next
// layer, and the first layer also to the last one (a skip).
func network(sizes []int) (layers [][]*node, edges []*edge) {
	for _, size := range sizes {
		layer := make([]*node, size)
		for i := range layer {
			layer[i] = new(node)
		}
		layers = append(layers, layer)
	}
	connect := func(from, to []*node) {
		for _, f := range from {
			for _, t := range to {
				k := float64(len(edges))
				e := &edge{from: f, to: t, weight: autograd.New(math.Sin(k)/2, autograd.WithDType(autograd.Float64), autograd.RequiresGrad)}
				f.out, t.in = append(f.out, e), append(t.in, e)
				edges = append(edges, e)
			}
		}
	}
	for i := 1; i < len(layers); i++ {
		connect(layers[i-1], layers[i])
	}
	connect(layers[0], layers[len(layers)-1])
	return layers, edges
}

// forward lets every node, layer by layer, add up the signals that reach it.
func forward(layers [][]*node, input []float64) []*autograd.Tensor {
	for i, n := range layers[0] {
		n.signal = autograd.New(input[i], autograd.WithDType(autograd.Float64))
	}
	for _, layer := range layers[1:] {
		for _, n := range layer {
			var sum *autograd.Tensor
			for _, e := range n.in {
				message := e.from.signal.Mul(e.weight)
				if sum == nil {
					sum = message
				} else {
					sum = sum.Add(message)
				}
			}
			n.signal = sum.Tanh()
		}
	}
	var output []*autograd.Tensor
	for _, n := range layers[len(layers)-1] {
		output = append(output, n.signal)
	}
	return output
}

// backward passes the errors back. A node sends once it has heard from all the
// edges that leave it.
func backward(layers [][]*node, errs []float64) {
	var ready []*node
	for _, layer := range layers {
		for _, n := range layer {
			n.errors, n.waits = 0, len(n.out)
		}
	}
	for i, n := range layers[len(layers)-1] {
		n.errors = errs[i]
		ready = append(ready, n)
	}
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		y := n.signal.Float()
		local := n.errors * (1 - y*y) // through tanh
		for _, e := range n.in {
			e.update = local * e.from.signal.Float()
			e.from.errors += local * e.weight.Float()
			if e.from.waits--; e.from.waits == 0 && len(e.from.in) > 0 {
				ready = append(ready, e.from)
			}
		}
	}
}

// Run compares the two and trains with the local rule.
func Run(out io.Writer) error {
	layers, edges := network([]int{2, 3, 3, 1})
	input, target := []float64{0.5, -1}, 0.25
	for step := range 5 {
		output := forward(layers, input)
		loss := output[0].Sub(target).Pow(2)
		for _, e := range edges {
			if err := e.weight.SetGrad(nil); err != nil {
				return err
			}
		}
		if err := loss.Backward(); err != nil {
			return err
		}
		backward(layers, []float64{2 * (output[0].Float() - target)})
		worst := 0.0
		for _, e := range edges {
			worst = math.Max(worst, math.Abs(e.update-e.weight.Grad().Float()))
		}
		fmt.Fprintf(out, "step %d  loss %.6f  %d edges, largest difference to autograd %.1e\n", step, loss, len(edges), worst)
		if worst > 1e-12 {
			return fmt.Errorf("the local rule and autograd disagree by %g", worst)
		}
		var err error
		autograd.NoGrad(func() {
			for _, e := range edges {
				if err == nil {
					err = e.weight.Sub_(0.2 * e.update)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
