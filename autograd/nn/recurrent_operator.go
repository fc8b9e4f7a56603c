package nn

import (
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// A RecurrentCall says how PyTorch's recurrent operators are called, such as torch.lstm. The zero value is one layer in
// one direction, without biases.
type RecurrentCall struct {
	Biases        bool
	Layers        int
	Bidirectional bool
	BatchFirst    bool // inputs and outputs are [batch, time, features], not [time, batch, features]
}

var recurrences = map[string]*recurrence{
	"rnn_tanh": &tanhRecurrence, "rnn_relu": &reluRecurrence, "lstm": &lstmRecurrence, "gru": &gruRecurrence,
}

// Recur computes a recurrent operator: "lstm", "gru", "rnn_tanh" or "rnn_relu" on a sequence of batches, without dropout, or a
// cell, such as "lstm_cell", on a batch. The tensors stand as in PyTorch: the input, the initial states, then the weights of
// each layer and direction (input, hidden, and their biases). The results are the outputs, unless it is a cell, and the
// last states.
func Recur(name string, c RecurrentCall, tensors []*autograd.Tensor) ([]*autograd.Tensor, error) {
	kind, cell := strings.CutSuffix(name, "_cell")
	r := recurrences[kind]
	if r == nil {
		return nil, raise(autograd.RuntimeError, "there is no recurrent operator "+name)
	}
	if len(tensors) <= r.states {
		return nil, raise(autograd.RuntimeError, name+" has no weights")
	}
	x, hidden, rest := tensors[0], tensors[1:1+r.states], tensors[1+r.states:]
	each := 2
	if c.Biases || cell && len(rest) == 4 {
		each = 4
	}
	if len(rest) == 0 || len(rest)%each != 0 {
		return nil, raise(autograd.RuntimeError, name+" has another number of weights")
	}
	var list []weights
	for ; len(rest) > 0; rest = rest[each:] {
		w := weights{ih: rest[0], hh: rest[1]}
		if each == 4 {
			w.biasIH, w.biasHH = rest[2], rest[3]
		}
		list = append(list, w)
	}
	if cell {
		w := list[0]
		return r.step(func() *autograd.Tensor { return w.ofInput(x) }, hidden, w), nil
	}
	s := stack{recurrence: r, directions: 1, weights: list}
	if c.Bidirectional {
		s.directions = 2
	}
	if len(list) != c.Layers*s.directions {
		return nil, raise(autograd.RuntimeError, name+" has another number of weights")
	}
	if x.Dim() != 3 {
		return nil, raise(autograd.RuntimeError, name+" takes a batch of sequences")
	}
	if c.BatchFirst {
		x = x.Transpose(0, 1)
	}
	outs, err := s.run(x, hidden)
	if err == nil && c.BatchFirst {
		outs[0] = outs[0].Transpose(0, 1)
	}
	return outs, err
}
