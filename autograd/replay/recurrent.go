package replay

import (
	"slices"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

// recurrent are PyTorch's operators for recurrent layers, which the engine has as modules.
var recurrent = []string{"lstm", "gru", "rnn_tanh", "rnn_relu", "lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell"}

// recur reads a call of one of them. Of those on sequences that are packed, or that drop elements at random, nothing is
// read.
func recur(name string, present []bool, args []Arg) []Call {
	for len(present) > 0 && !present[len(present)-1] { // biases of a cell
		present = present[:len(present)-1]
	}
	var c nn.RecurrentCall
	if slices.Contains(present, false) {
		return nil
	}
	if len(args) > 0 {
		var ok bool
		if c, ok = recurrentCall(args); !ok {
			return nil
		}
	}
	n := len(present)
	return []Call{func(tensors []*ag.Tensor) ([]*ag.Tensor, error) { return nn.Recur(name, c, tensors[:n]) }}
}

// recurrentCall reads has_biases, num_layers, dropout, train, bidirectional and batch_first.
func recurrentCall(args []Arg) (c nn.RecurrentCall, ok bool) {
	if len(args) != 6 {
		return c, false
	}
	dropout, train := args[2].Value, args[3].Value
	if train == true && dropout != 0.0 && dropout != 0 {
		return c, false
	}
	var oks [4]bool
	c.Biases, oks[0] = args[0].Value.(bool)
	c.Layers, oks[1] = args[1].Value.(int)
	c.Bidirectional, oks[2] = args[4].Value.(bool)
	c.BatchFirst, oks[3] = args[5].Value.(bool)
	return c, !slices.Contains(oks[:], false)
}
