package autograd

import "math"

// One layer of an LSTM as a single operator, which PyTorch uses for float32 on
// a CPU with oneDNN.

const lstmMode = 2

var recurrentOps = []Op{
	{
		Schema: "mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)",
		In:     Torch, Go: "-", Node: "MkldnnRnnLayerBackward0", Constant: "result3",
		Attrs:   "reverse batch_sizes mode hidden_size num_layers has_biases bidirectional batch_first train",
		Forward: lstmLayer,
		VJP: []Formula{{
			Input: "input weight0 weight1 weight2 weight3 hx_ cx_",
			Uses:  "input weight0 weight1 weight2 weight3 hx_ cx_ result0 result1 result2 result3",
			All:   lstmLayerBackward,
		}},
	},
}

// lstmLayer computes a layer in one direction. The results are the outputs of
// all steps, the last hidden and cell states, and oneDNN's workspace, which is
// empty here.
func lstmLayer(a *Args) ([]*Tensor, error) {
	x := a.Tensor("input")
	if a.Int("mode") != lstmMode {
		return nil, fail(RuntimeError, CodeUnsupported, "mkldnn_rnn_layer: gradtui's built-in engine computes LSTMs only")
	}
	if x.Dim() != 3 {
		return nil, fail(RuntimeError, CodeShape, "mkldnn_rnn_layer: expected a 3-dimensional input, but got %d dimensions", x.Dim())
	}
	state := []int{x.sizes[1], a.Int("hidden_size")}
	outs := []*Tensor{alloc(x.dtype, append([]int{x.sizes[0]}, state...)), alloc(x.dtype, state), alloc(x.dtype, state), alloc(UInt8, []int{0})}
	switch classOf(x.dtype) {
	case f32Class:
		runLSTM[float32](a, outs)
	case f64Class:
		runLSTM[float64](a, outs)
	default:
		return nil, undefined("mkldnn_rnn_layer", x.dtype)
	}
	return outs, nil
}

func runLSTM[F float32 | float64](a *Args, outs []*Tensor) {
	data := func(name string) []F { return elements[F](contiguous(a.Tensor(name))) }
	x, ih, hh, bi, bh := data("input"), data("weight0"), data("weight1"), data("weight2"), data("weight3")
	y, h, c := elements[F](outs[0]), elements[F](outs[1]), elements[F](outs[2])
	copy(h, data("hx_"))
	copy(c, data("cx_"))
	sizes, hidden, biases := a.Tensor("input").sizes, a.Int("hidden_size"), a.Bool("has_biases")
	steps, batch, features := sizes[0], sizes[1], sizes[2]
	gates := make([]F, 4*hidden)
	for step := range steps {
		t := step
		if a.Bool("reverse") {
			t = steps - 1 - step
		}
		for n := range batch {
			in, state, cell := x[(t*batch+n)*features:][:features], h[n*hidden:][:hidden], c[n*hidden:][:hidden]
			for g := range gates {
				sum := dot(ih[g*features:][:features], in) + dot(hh[g*hidden:][:hidden], state)
				if biases {
					sum += bi[g] + bh[g]
				}
				gates[g] = sum
			}
			for j := range hidden {
				taken, kept, out := logistic(gates[j]), logistic(gates[hidden+j]), logistic(gates[3*hidden+j])
				cell[j] = kept*cell[j] + taken*tanhOf(gates[2*hidden+j])
				state[j] = out * tanhOf(cell[j])
			}
			copy(y[(t*batch+n)*hidden:], state)
		}
	}
}

func dot[F float32 | float64](a, b []F) (sum F) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func logistic[F float32 | float64](x F) F { return F(1 / (1 + math.Exp(-float64(x)))) }

func tanhOf[F float32 | float64](x F) F { return F(math.Tanh(float64(x))) }

// An lstmStep holds the values of a step that its derivative needs.
type lstmStep struct {
	x, h, c                *Tensor // the input and the previous states
	taken, kept, cell, out *Tensor // the gates
	tanh                   *Tensor // of the new cell state
}

// lstmLayerBackward repeats the steps, then goes back through them. It is
// composed of operators, so it can be differentiated.
func lstmLayerBackward(c *Ctx) []*Tensor {
	ih, hh := c.Saved("weight0"), c.Saved("weight1")
	steps := lstmSteps(c)
	dh, dc := c.GradOrZeros(1), c.GradOrZeros(2)
	dx := make([]*Tensor, len(steps))
	var dih, dhh, db *Tensor
	for i := len(steps) - 1; i >= 0; i-- {
		s, t := steps[i], i
		if c.Args().Bool("reverse") {
			t = len(steps) - 1 - i
		}
		if c.GradAt(0) != nil {
			dh = dh.Add(c.GradAt(0).Select(0, t))
		}
		dc = dc.Add(dh.Mul(s.out).Mul(tanhDerivative(s.tanh)))
		gates := Cat([]*Tensor{
			dc.Mul(s.cell).Mul(sigmoidDerivative(s.taken)),
			dc.Mul(s.c).Mul(sigmoidDerivative(s.kept)),
			dc.Mul(s.taken).Mul(tanhDerivative(s.cell)),
			dh.Mul(s.tanh).Mul(sigmoidDerivative(s.out)),
		}, Dim(1))
		dx[t] = gates.Matmul(ih).Unsqueeze(0)
		dih = addTo(dih, gates.T().Matmul(s.x))
		dhh = addTo(dhh, gates.T().Matmul(s.h))
		db = addTo(db, gates.Sum(Dim(0)))
		dh, dc = gates.Matmul(hh), dc.Mul(s.kept)
	}
	grads := []*Tensor{Cat(dx), dih, dhh, db, db, dh, dc}
	if !c.Args().Bool("has_biases") {
		grads[3], grads[4] = nil, nil
	}
	return grads
}

func lstmSteps(c *Ctx) []lstmStep {
	x, h, cell := c.Saved("input"), c.Saved("hx_"), c.Saved("cx_")
	ih, hh := c.Saved("weight0").T(), c.Saved("weight1").T()
	steps := make([]lstmStep, x.sizes[0])
	for i := range steps {
		t := i
		if c.Args().Bool("reverse") {
			t = len(steps) - 1 - i
		}
		s := lstmStep{x: x.Select(0, t), h: h, c: cell}
		gates := s.x.Matmul(ih).Add(h.Matmul(hh))
		if c.Args().Bool("has_biases") {
			gates = gates.Add(c.Saved("weight2")).Add(c.Saved("weight3"))
		}
		hidden := c.Args().Int("hidden_size")
		gate := func(k int) *Tensor { return gates.Narrow(1, k*hidden, hidden) }
		s.taken, s.kept, s.cell, s.out = gate(0).Sigmoid(), gate(1).Sigmoid(), gate(2).Tanh(), gate(3).Sigmoid()
		cell = s.kept.Mul(cell).Add(s.taken.Mul(s.cell))
		s.tanh = cell.Tanh()
		h = s.out.Mul(s.tanh)
		steps[i] = s
	}
	return steps
}

// tanhDerivative and sigmoidDerivative return derivatives from the value of the
// function.
func tanhDerivative(y *Tensor) *Tensor    { return y.Mul(y).Neg().Add(1) }
func sigmoidDerivative(y *Tensor) *Tensor { return y.Mul(y.Neg().Add(1)) }

func addTo(sum, t *Tensor) *Tensor {
	if sum == nil {
		return t
	}
	return sum.Add(t)
}
