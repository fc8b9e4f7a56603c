package nn

import (
	"slices"

	"github.com/gradtui/gradtui/autograd"
)

// This file computes recurrent layers as aten/src/ATen/native/RNN.cpp of
// PyTorch 2.6 does without oneDNN and cuDNN: with ordinary operators, which
// appear in the graph.

// A recurrence is a kind of recurrent layer.
type recurrence struct {
	gates  int // number of blocks in the weights
	states int // number of hidden tensors: 2 for the LSTM
	// step computes the next hidden tensors. It calls input, once, for the part
	// of the gates that depends on the input.
	step func(input func() *autograd.Tensor, hidden []*autograd.Tensor, w weights) []*autograd.Tensor
}

// weights are the parameters of one cell; biases and projection may be nil.
type weights struct{ ih, hh, biasIH, biasHH, projection *autograd.Tensor }

func (w weights) ofInput(x *autograd.Tensor) *autograd.Tensor {
	return call1("linear", x, w.ih, w.biasIH)
}

func (w weights) ofHidden(h *autograd.Tensor) *autograd.Tensor {
	return call1("linear", h, w.hh, w.biasHH)
}

var (
	tanhRecurrence = recurrence{gates: 1, states: 1, step: simpleStep((*autograd.Tensor).Tanh)}
	reluRecurrence = recurrence{gates: 1, states: 1, step: simpleStep((*autograd.Tensor).Relu)}
	lstmRecurrence = recurrence{gates: 4, states: 2, step: lstmStep}
	gruRecurrence  = recurrence{gates: 3, states: 1, step: gruStep}
)

// after returns a tensor that was changed in place, or a tensor with the error.
func after(t *autograd.Tensor, err error) *autograd.Tensor {
	if err != nil {
		return autograd.Failed(err)
	}
	return t
}

// chunks splits the gates.
func chunks(gates *autograd.Tensor, n int) []*autograd.Tensor {
	parts, err := gates.UnsafeChunk(n, autograd.Dim(1))
	if err == nil && len(parts) == n {
		return parts
	}
	if err == nil {
		err = raise(autograd.RuntimeError, "gates do not divide")
	}
	return slices.Repeat([]*autograd.Tensor{autograd.Failed(err)}, n)
}

func simpleStep(nonlinearity func(*autograd.Tensor, ...autograd.Option) *autograd.Tensor) func(func() *autograd.Tensor, []*autograd.Tensor, weights) []*autograd.Tensor {
	return func(input func() *autograd.Tensor, hidden []*autograd.Tensor, w weights) []*autograd.Tensor {
		sum := w.ofHidden(hidden[0])
		return []*autograd.Tensor{nonlinearity(after(sum, sum.Add_(input())))}
	}
}

func lstmStep(input func() *autograd.Tensor, hidden []*autograd.Tensor, w weights) []*autograd.Tensor {
	gates := w.ofHidden(hidden[0])
	parts := chunks(after(gates, gates.Add_(input())), 4)
	in := after(parts[0], parts[0].Sigmoid_())
	forget := after(parts[1], parts[1].Sigmoid_())
	cell := after(parts[2], parts[2].Tanh_())
	out := after(parts[3], parts[3].Sigmoid_())
	c := forget.Mul(hidden[1])
	c = after(c, c.Add_(in.Mul(cell)))
	h := out.Mul(c.Tanh())
	if w.projection != nil {
		h = h.Matmul(w.projection.T())
	}
	return []*autograd.Tensor{h, c}
}

func gruStep(input func() *autograd.Tensor, hidden []*autograd.Tensor, w weights) []*autograd.Tensor {
	i := chunks(input(), 3)
	h := chunks(w.ofHidden(hidden[0]), 3)
	reset := after(h[0], h[0].Add_(i[0]))
	reset = after(reset, reset.Sigmoid_())
	update := after(h[1], h[1].Add_(i[1]))
	update = after(update, update.Sigmoid_())
	fresh := i[2].Add(after(h[2], h[2].Mul_(reset)))
	fresh = after(fresh, fresh.Tanh_())
	next := hidden[0].Sub(fresh)
	next = after(next, next.Mul_(update))
	return []*autograd.Tensor{after(next, next.Add_(fresh))}
}

// sequence runs over a sequence [time, batch, features] in one direction. It
// returns the outputs of all steps and the last hidden tensors.
func (r *recurrence) sequence(x *autograd.Tensor, hidden []*autograd.Tensor, w weights, reverse bool) (outputs *autograd.Tensor, last []*autograd.Tensor, err error) {
	inputs, err := w.ofInput(x).Unbind(autograd.Dim(0))
	if err != nil {
		return nil, nil, err
	}
	if len(inputs) == 0 {
		return nil, nil, raise(autograd.RuntimeError, "Expected sequence length to be larger than 0 in RNN")
	}
	if reverse {
		slices.Reverse(inputs)
	}
	steps := make([]*autograd.Tensor, len(inputs))
	for t, input := range inputs {
		hidden = r.step(func() *autograd.Tensor { return input }, hidden, w)
		if err := hidden[0].Err(); err != nil {
			return nil, nil, err
		}
		steps[t] = hidden[0]
	}
	if reverse {
		slices.Reverse(steps)
	}
	return autograd.Stack(steps, autograd.Dim(0)), hidden, nil
}

// A stack is several layers of one recurrence.
type stack struct {
	*recurrence
	directions int
	dropout    float64 // between layers; 0 when it is off
	weights    []weights
}

// run computes a stack on a sequence. hidden holds the initial states [layers *
// directions, batch, features]; the returned states have the same shape.
func (s *stack) run(x *autograd.Tensor, hidden []*autograd.Tensor) ([]*autograd.Tensor, error) {
	states := make([][]*autograd.Tensor, len(hidden))
	for i, h := range hidden {
		var err error
		if states[i], err = h.Unbind(autograd.Dim(0)); err != nil {
			return nil, err
		}
	}
	last := make([][]*autograd.Tensor, len(hidden)) // by state, then by layer and direction
	for at := 0; at < len(s.weights); at += s.directions {
		var outputs []*autograd.Tensor
		for d := range s.directions {
			initial := make([]*autograd.Tensor, len(hidden))
			for i := range states {
				initial[i] = states[i][at+d]
			}
			out, final, err := s.sequence(x, initial, s.weights[at+d], d == 1)
			if err != nil {
				return nil, err
			}
			outputs = append(outputs, out)
			for i, h := range final {
				last[i] = append(last[i], h)
			}
		}
		x = outputs[0]
		if s.directions == 2 {
			x = autograd.Cat(outputs, autograd.Dim(x.Dim()-1))
		}
		if s.dropout != 0 && at+s.directions < len(s.weights) {
			x = call1("dropout", x, s.dropout, true)
		}
	}
	results := []*autograd.Tensor{x}
	for _, h := range last {
		results = append(results, autograd.Stack(h, autograd.Dim(0)))
	}
	return results, nil
}
