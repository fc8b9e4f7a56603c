package autograd

import "math"

// Connectionist temporal classification (Graves et al., 2006), after
// aten/src/ATen/native/LossCTC.cpp: sums over the alignments of a target with
// the steps of the input, computed with forward and backward variables in log
// space.

var ctcOps = []Op{
	{
		Schema: "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)", In: Hidden, Go: "-",
		Node: "CtcLossBackward0", Attrs: "input_lengths target_lengths blank zero_infinity", Constant: "result1",
		Forward: func(a *Args) ([]*Tensor, error) {
			c, err := a.ctc()
			if err != nil {
				return nil, err
			}
			n := len(c.inputs)
			loss, alphas := alloc(c.dtype, []int{n}), alloc(c.dtype, []int{n, c.steps, c.states})
			for b := range n {
				alpha := c.variables(b, 1)
				loss.setElement(b, FloatScalar(c.loss(b, alpha)))
				for i, x := range alpha {
					alphas.setElement(b*c.steps*c.states+i, FloatScalar(x))
				}
			}
			return []*Tensor{loss, alphas}, nil
		},
		VJP: []Formula{{Input: "log_probs", Uses: "log_probs targets result0 result1", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return fn_CtcLossBackward.single(nil, c.Grad(), c.Saved("log_probs"), c.Saved("targets"), a.Ints("input_lengths"), a.Ints("target_lengths"),
				c.Saved("result0"), c.Saved("result1"), a.Int("blank"), a.Bool("zero_infinity"))
		}}},
	},
	{
		Schema: "_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor", In: Hidden, Go: "-",
		Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			c, err := a.ctc()
			if err != nil {
				return nil, err
			}
			g, losses, alphas := a.Tensor("grad"), a.Tensor("neg_log_likelihood"), a.Tensor("log_alpha")
			out := alloc(c.dtype, c.probs.sizes)
			for b := range c.inputs {
				loss := losses.float(losses.at(b))
				if a.Bool("zero_infinity") && math.IsInf(loss, 1) {
					continue
				}
				alpha := func(i int) float64 { return alphas.float(alphas.at(b*c.steps*c.states + i)) }
				c.backward(b, loss, g.float(g.at(b)), alpha, out)
			}
			return a.One(out)
		},
	},
	{
		Schema: "ctc_loss(Tensor log_probs, Tensor targets, Index input_lengths, Index target_lengths, int blank=0, int reduction=0, bool zero_infinity=False) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return ctcLoss(a, a.Int("reduction")) },
	},
	{
		Schema: "nn_functional_ctc_loss(Tensor log_probs, Tensor targets, Index input_lengths, Index target_lengths, int blank=0, str reduction='mean', bool zero_infinity=False) -> Tensor",
		In:     Functional, Go: "CTCLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := wordReduction(a.Str("reduction"))
			if err != nil {
				return nil, err
			}
			return ctcLoss(a, reduction)
		},
	},
}

func ctcLoss(a *Args, reduction int) ([]*Tensor, error) {
	probs, targets := a.Tensor("log_probs"), a.Tensor("targets")
	inputs, err := a.lengths("input_lengths")
	if err != nil {
		return nil, err
	}
	lengths, err := a.lengths("target_lengths")
	if err != nil {
		return nil, err
	}
	batched := len(probs.sizes) == 3
	if !batched {
		probs = probs.Unsqueeze(1)
	}
	zero := a.Bool("zero_infinity")
	outs, err := fn_CtcLoss.Call([]any{probs, targets, inputs, lengths, a.Int("blank"), zero})
	if err != nil {
		return nil, err
	}
	loss := outs[0]
	if zero {
		loss = Where(loss.Eq(math.Inf(1)), zeroLike(loss), loss)
	}
	switch {
	case reduction == meanReduction:
		per := alloc(loss.dtype, []int{len(lengths)})
		for i, n := range lengths {
			per.setElement(i, IntScalar(int64(max(n, 1))))
		}
		return single(loss.Div(per).Mean())
	case reduction == sumReduction:
		return single(loss.Sum())
	case batched:
		return single(loss)
	}
	return single(loss.Squeeze(Dim(0)))
}

// lengths returns lengths that are given as a tensor or as a list.
func (a *Args) lengths(name string) ([]int, error) {
	given := a.value(name).x
	if list, ok := toInts(given); ok {
		return list, nil
	}
	if x, ok := given.(*Tensor); ok {
		if x == nil || x.dtype.IsFloat() || x.dtype == Bool {
			return nil, fail(RuntimeError, CodeDType, "%s must be integral", name)
		}
		list := make([]int, x.Numel())
		for i := range list {
			list[i] = int(x.element(x.at(i)).Int())
		}
		return list, nil
	}
	return nil, fail(TypeError, CodeArgument, "ctc_loss(): argument '%s' must be Tensor, not %s", name, pythonTypeOf(given))
}

// A ctc is the input of a call. Each sample has states: the labels of its
// target, with blanks before, between and after them.
type ctc struct {
	probs           *Tensor // [steps, batch, labels]
	dtype           DType
	inputs, lengths []int
	targets         [][]int
	blank           int
	steps, states   int
}

func (a *Args) ctc() (*ctc, error) {
	p, t := a.Tensor("log_probs"), a.Tensor("targets")
	c := &ctc{probs: p, dtype: p.dtype, inputs: a.Ints("input_lengths"), lengths: a.Ints("target_lengths"), blank: a.Int("blank")}
	switch {
	case len(p.sizes) != 3:
		return nil, fail(RuntimeError, CodeShape, "Expected 3-dimensional tensor, but got %d-dimensional tensor for argument #1 'log_probs' (while checking arguments for ctc_loss_allocate_outputs)", len(p.sizes))
	case !p.dtype.IsFloat():
		return nil, undefined("ctc_loss_cpu", p.dtype)
	case len(t.sizes) < 1 || len(t.sizes) > 2:
		return nil, fail(RuntimeError, CodeShape, "Expected 1 to 2 dimensions, but got %d-dimensional tensor for argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)", len(t.sizes))
	case c.blank < 0 || c.blank >= p.sizes[2]:
		return nil, fail(RuntimeError, CodeArgument, "blank must be in label range")
	case len(c.inputs) != p.sizes[1]:
		return nil, fail(RuntimeError, CodeArgument, "input_lengths must be of size batch_size")
	case len(c.lengths) != p.sizes[1]:
		return nil, fail(RuntimeError, CodeArgument, "target_lengths must be of size batch_size")
	}
	c.steps, c.states = p.sizes[0], 1
	if err := checkTargetSizes(t.sizes, c.lengths); err != nil {
		return nil, err
	}
	for _, n := range c.inputs {
		if n < 0 || n > c.steps {
			bound, limit := "least", 0
			if n > 0 {
				bound, limit = "most", c.steps
			}
			return nil, fail(RuntimeError, CodeArgument, "Expected input_lengths to have value at %s %d, but got value %d (while checking arguments for ctc_loss_allocate_outputs)", bound, limit, n)
		}
	}
	return c, c.readTargets(t)
}

// checkTargetSizes checks that the targets, a matrix or one vector, contain the
// labels of all samples.
func checkTargetSizes(sizes, lengths []int) error {
	longest, sum := 0, 0
	for _, n := range lengths {
		if n < 0 {
			return fail(RuntimeError, CodeArgument, "Expected target_lengths to have value at least 0, but got value %d (while checking arguments for ctc_loss_allocate_outputs)", n)
		}
		longest, sum = max(longest, n), sum+n
	}
	wrong := func(want string, n, dim int) error {
		return fail(RuntimeError, CodeShape, "Expected tensor to have size %s%d at dimension %d, but got size %d for argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)", want, n, dim, sizes[dim])
	}
	switch {
	case len(sizes) == 1 && sizes[0] != sum:
		return wrong("", sum, 0)
	case len(sizes) == 2 && sizes[0] != len(lengths):
		return wrong("", len(lengths), 0)
	case len(sizes) == 2 && sizes[1] < longest:
		return wrong("at least ", longest, 1)
	}
	return nil
}

// readTargets reads the labels of each sample from a row of a matrix, or from
// one vector that concatenates them.
func (c *ctc) readTargets(t *Tensor) error {
	at := 0
	for b, n := range c.lengths {
		start := at
		if len(t.sizes) == 2 {
			start = b * t.sizes[1]
		}
		at += n
		labels := make([]int, n)
		for i := range labels {
			labels[i] = int(t.element(t.at(start + i)).Int())
			if labels[i] < 0 || labels[i] >= c.probs.sizes[2] {
				return fail(IndexError, CodeIndex, "target %d is out of bounds", labels[i])
			}
		}
		c.targets = append(c.targets, labels)
		c.states = max(c.states, 2*n+1)
	}
	return nil
}

// label returns the label of a state.
func (c *ctc) label(b, state int) int {
	if state%2 == 0 {
		return c.blank
	}
	return c.targets[b][state/2]
}

// logProb returns the logarithm of the probability of a label.
func (c *ctc) logProb(step, b, label int) float64 {
	s := c.probs.strides
	return c.probs.float(c.probs.offset + step*s[0] + b*s[1] + label*s[2])
}

var negInf = math.Inf(-1)

// logSum returns the logarithm of a sum of numbers that are given by their
// logarithms.
func logSum(xs ...float64) float64 {
	m := negInf
	for _, x := range xs {
		m = max(m, x)
	}
	if math.IsInf(m, -1) {
		return m
	}
	sum := 0.0
	for _, x := range xs {
		sum += math.Exp(x - m)
	}
	return math.Log(sum) + m
}

// reached returns the sum over the states from which a state can be reached in
// one step: the state itself, its neighbour, and the next one if their labels
// differ. Steps go up, or down for the backward variables.
func (c *ctc) reached(b int, row []float64, state, direction int) float64 {
	n := 2*len(c.targets[b]) + 1
	total := []float64{row[state], negInf, negInf}
	if s := state - direction; s >= 0 && s < n {
		total[1] = row[s]
	}
	if s := state - 2*direction; s >= 0 && s < n && c.label(b, s) != c.label(b, state) {
		total[2] = row[s]
	}
	return logSum(total...)
}

// variables returns, for each step and state of a sample, the sum over all ways
// to begin (direction 1) or to end (direction -1).
func (c *ctc) variables(b, direction int) []float64 {
	v := make([]float64, c.steps*c.states)
	for i := range v {
		v[i] = negInf
	}
	steps, n := c.inputs[b], 2*len(c.targets[b])+1
	if steps == 0 {
		return v
	}
	first, state := 0, 0
	if direction < 0 {
		first, state = steps-1, n-1
	}
	v[first*c.states+state] = c.logProb(first, b, c.blank)
	if n > 1 {
		v[first*c.states+state+direction] = c.logProb(first, b, c.label(b, state+direction))
	}
	for t := first + direction; t >= 0 && t < steps; t += direction {
		before := v[(t-direction)*c.states:][:c.states]
		for s := range n {
			v[t*c.states+s] = c.reached(b, before, s, direction) + c.logProb(t, b, c.label(b, s))
		}
	}
	return v
}

// loss returns the negative log likelihood of a sample.
func (c *ctc) loss(b int, alpha []float64) float64 {
	steps, n := c.inputs[b], 2*len(c.targets[b])+1
	switch {
	case steps == 0 && n == 1:
		return 0
	case steps == 0:
		return math.Inf(1)
	}
	last := alpha[(steps-1)*c.states:]
	if n == 1 {
		return -last[0]
	}
	return -logSum(last[n-1], last[n-2])
}

// backward stores the gradient of a sample in out.
func (c *ctc) backward(b int, loss, g float64, alpha func(i int) float64, out *Tensor) {
	beta := c.variables(b, -1)
	labels, n := c.probs.sizes[2], 2*len(c.targets[b])+1
	for t := range c.inputs[b] {
		occupied := make([]float64, labels)
		for l := range occupied {
			occupied[l] = negInf
		}
		for s := range n {
			l := c.label(b, s)
			occupied[l] = logSum(occupied[l], alpha(t*c.states+s)+beta[t*c.states+s])
		}
		for l, sum := range occupied {
			p := c.logProb(t, b, l)
			out.setElement((t*c.probs.sizes[1]+b)*labels+l, FloatScalar((math.Exp(p)-math.Exp(sum+loss-p))*g))
		}
	}
}
