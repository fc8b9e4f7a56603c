package nn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

var recurrentLayers = []class{
	cellLayer("RNNCell", "bool bias=True, str nonlinearity='tanh'", 1),
	cellLayer("GRUCell", "bool bias=True", 1),
	cellLayer("LSTMCell", "bool bias=True", 2),
	sequenceLayer("RNN", "int num_layers=1, str nonlinearity='tanh', "+sequenceSig, 1),
	sequenceLayer("GRU", "int num_layers=1, "+sequenceSig, 1),
	sequenceLayer("LSTM", "int num_layers=1, "+sequenceSig+", int proj_size=0", 2),
}

const sequenceSig = "bool bias=True, bool batch_first=False, float dropout=0.0, bool bidirectional=False"

// recurrenceOf returns the recurrence of a layer, by its class and
// nonlinearity.
func recurrenceOf(m *Module) (*recurrence, error) {
	switch family := strings.TrimSuffix(m.Class(), "Cell"); family {
	case "LSTM":
		return &lstmRecurrence, nil
	case "GRU":
		return &gruRecurrence, nil
	}
	switch kind := m.attr("nonlinearity"); kind {
	case "tanh":
		return &tanhRecurrence, nil
	case "relu":
		return &reluRecurrence, nil
	default:
		return nil, raise(autograd.RuntimeError, fmt.Sprintf("Unknown nonlinearity: %v", kind))
	}
}

// hiddenNames returns the optional arguments of a forward pass for the initial
// states. Python passes the two states of an LSTM as one tuple.
func hiddenNames(states int) string { return []string{"", " hx?", " hx? cx?"}[states] }

// resetRecurrent fills the parameters of a recurrent layer.
func (m *Module) resetRecurrent(hidden int) error {
	bound := 0.0
	if hidden > 0 {
		bound = 1 / math.Sqrt(float64(hidden))
	}
	return m.resetParams(func(p *autograd.Tensor) error { return Uniform_(p, -bound, bound) })
}

// cellLayer returns a layer that computes one step. Its results are the next
// states.
func cellLayer(name, options string, states int) class {
	return class{
		sig:    name + "(int input_size, int hidden_size, " + options + ", str? device=None, ScalarType? dtype=None)",
		inputs: "input" + hiddenNames(states),
		build: func(m *Module, c *pycall.Args) error {
			m.attrs.set("bias", c.Bool("bias"))
			r, err := recurrenceOf(m)
			rows := c.Int("hidden_size")
			if err == nil { // an unknown nonlinearity fails in the forward pass
				rows *= r.gates
			}
			m.addParam(c, "weight_ih", rows, c.Int("input_size"))
			m.addParam(c, "weight_hh", rows, c.Int("hidden_size"))
			for _, bias := range []string{"bias_ih", "bias_hh"} {
				if c.Bool("bias") {
					m.addParam(c, bias, rows)
				} else if m.err == nil {
					m.err = m.RegisterParameter(bias, nil)
				}
			}
			return m.resetRecurrent(c.Int("hidden_size"))
		},
		show: func(m *Module) string {
			return m.format("{input_size}, {hidden_size}") + m.unusual("bias", true) + m.unusual("nonlinearity", "tanh")
		},
		forward: func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) { return m.cell(x, states) },
	}
}

// unusual prints an attribute that differs from its usual value.
func (m *Module) unusual(name string, usual any) string {
	if v := m.attr(name); v == nil || v == usual {
		return ""
	}
	return m.format(", " + name + "={" + name + "}")
}

// cell is the forward pass of a cell.
func (m *Module) cell(x []*autograd.Tensor, states int) ([]*autograd.Tensor, error) {
	input, hidden, err := m.cellArguments(x, states)
	if err != nil {
		return nil, err
	}
	r, err := recurrenceOf(m)
	if err != nil {
		return nil, err
	}
	batched := input.Dim() == 2
	if !batched {
		input = input.Unsqueeze(0)
		for i, h := range hidden {
			hidden[i] = h.Unsqueeze(0)
		}
	}
	if got, want := input.Shape()[1], m.Param("weight_ih").Shape()[1]; got != want {
		return nil, raise(autograd.RuntimeError, fmt.Sprintf("input has inconsistent input_size: got %d expected %d", got, want))
	}
	if len(hidden) == 0 {
		zeros := autograd.Zeros([]int{input.Shape()[0], m.hiddenSize()}, autograd.WithDType(input.DType()))
		hidden = slices.Repeat([]*autograd.Tensor{zeros}, states)
	}
	w := weights{ih: m.Param("weight_ih"), hh: m.Param("weight_hh"), biasIH: m.Param("bias_ih"), biasHH: m.Param("bias_hh")}
	results := r.step(func() *autograd.Tensor { return w.ofInput(input) }, hidden, w)
	for i, t := range results {
		if !batched {
			results[i] = t.Squeeze(autograd.Dim(0))
		}
		if err := results[i].Err(); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (m *Module) hiddenSize() int {
	n, _ := m.attr("hidden_size").(int)
	return n
}

// cellArguments checks the arguments of a cell. There is a hidden tensor for
// each state, or none.
func (m *Module) cellArguments(x []*autograd.Tensor, states int) (input *autograd.Tensor, hidden []*autograd.Tensor, err error) {
	wrong := func(what string, t *autograd.Tensor) error {
		return raise(autograd.ValueError, fmt.Sprintf("%s: Expected %s to be 1D or 2D, got %dD instead", m.Class(), what, t.Dim()))
	}
	input = x[0]
	if n := input.Dim(); n != 1 && n != 2 {
		return nil, nil, wrong("input", input)
	}
	if hidden, err = initialStates(x[1:], states); err != nil {
		return nil, nil, err
	}
	for i, h := range hidden {
		what := "hidden"
		if states > 1 {
			what = fmt.Sprintf("hx[%d]", i)
		}
		if n := h.Dim(); n != 1 && n != 2 {
			return nil, nil, wrong(what, h)
		}
	}
	return input, hidden, nil
}

// initialStates returns the initial states of a forward pass: all or none.
func initialStates(given []*autograd.Tensor, states int) ([]*autograd.Tensor, error) {
	given = slices.DeleteFunc(slices.Clone(given), func(t *autograd.Tensor) bool { return t == nil })
	if n := len(given); n != 0 && n != states {
		return nil, raise(autograd.ValueError, fmt.Sprintf("not enough values to unpack (expected %d, got %d)", states, n))
	}
	return given, nil
}

// sequenceLayer returns a layer that runs over a sequence. Its results are the
// outputs of all steps and the last states.
func sequenceLayer(name, options string, states int) class {
	return class{
		sig:    name + "(int input_size, int hidden_size, " + options + ", str? device=None, ScalarType? dtype=None)",
		inputs: "input" + hiddenNames(states),
		build:  buildSequence,
		show: func(m *Module) string {
			return m.format("{input_size}, {hidden_size}") + m.unusual("proj_size", 0) + m.unusual("num_layers", 1) + m.unusual("bias", true) +
				m.unusual("batch_first", false) + m.unusual("dropout", 0.0) + m.unusual("bidirectional", false)
		},
		forward: func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) { return m.sequence(x, states) },
	}
}

// buildSequence checks the arguments of a recurrent layer and registers the
// parameters of its layers and directions.
func buildSequence(m *Module, c *pycall.Args) error {
	hidden, layers, projection, dropout := c.Int("hidden_size"), c.Int("num_layers"), c.Int("proj_size"), c.Float("dropout")
	bad := func(text string) error { return raise(autograd.ValueError, text) }
	switch {
	case !(dropout >= 0 && dropout <= 1):
		return bad("dropout should be a number in range [0, 1] representing the probability of an element being zeroed")
	case hidden <= 0:
		return bad("hidden_size must be greater than zero")
	case layers <= 0:
		return bad("num_layers must be greater than zero")
	case projection < 0:
		return bad("proj_size should be a positive integer or zero to disable projections")
	case projection >= hidden:
		return bad("proj_size has to be smaller than hidden_size")
	}
	if kind := c.Value("nonlinearity"); kind != nil && kind != "tanh" && kind != "relu" {
		return bad(fmt.Sprintf("Unknown nonlinearity '%v'. Select from 'tanh' or 'relu'.", kind))
	}
	if dropout > 0 && layers == 1 {
		autograd.Warn("UserWarning", fmt.Sprintf("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout=%s and num_layers=1", pycall.Repr(c.Value("dropout"))))
	}
	m.attrs.set("bias", c.Bool("bias"))
	m.attrs.set("dropout", dropout)
	m.attrs.set("proj_size", projection)
	r, err := recurrenceOf(m)
	if err != nil {
		return err
	}
	size := hidden
	if projection > 0 {
		size = projection
	}
	input := c.Int("input_size")
	for layer := range layers {
		for _, suffix := range m.suffixes(layer) {
			m.addParam(c, "weight_ih"+suffix, r.gates*hidden, input)
			m.addParam(c, "weight_hh"+suffix, r.gates*hidden, size)
			if c.Bool("bias") {
				m.addParam(c, "bias_ih"+suffix, r.gates*hidden)
				m.addParam(c, "bias_hh"+suffix, r.gates*hidden)
			}
			if projection > 0 {
				m.addParam(c, "weight_hr"+suffix, projection, hidden)
			}
		}
		input = size * len(m.suffixes(layer))
	}
	return m.resetRecurrent(hidden)
}

// suffixes returns the suffixes of the names of a layer's parameters, one for
// each direction.
func (m *Module) suffixes(layer int) []string {
	forward := fmt.Sprintf("_l%d", layer)
	if m.attr("bidirectional") == true {
		return []string{forward, forward + "_reverse"}
	}
	return []string{forward}
}

// sequence returns the forward pass of a recurrent layer.
func (m *Module) sequence(x []*autograd.Tensor, states int) ([]*autograd.Tensor, error) {
	r, err := recurrenceOf(m)
	if err != nil {
		return nil, err
	}
	s := stack{recurrence: r}
	if m.training {
		s.dropout, _ = m.attr("dropout").(float64)
	}
	layers, _ := m.attr("num_layers").(int)
	for layer := range layers {
		suffixes := m.suffixes(layer)
		s.directions = len(suffixes)
		for _, suffix := range suffixes {
			s.weights = append(s.weights, weights{
				m.Param("weight_ih" + suffix), m.Param("weight_hh" + suffix),
				m.Param("bias_ih" + suffix), m.Param("bias_hh" + suffix), m.Param("weight_hr" + suffix),
			})
		}
	}
	input, hidden, err := m.sequenceArguments(x, states, len(s.weights))
	if err != nil {
		return nil, err
	}
	batchFirst := m.attr("batch_first") == true
	if batchFirst {
		input = input.Transpose(0, 1)
	}
	results, err := s.run(input, hidden)
	if err != nil {
		return nil, err
	}
	batchDim := 1
	if batchFirst {
		batchDim = 0
		if states == 1 {
			results[0] = after(results[0], results[0].Transpose_(0, 1))
		} else {
			results[0] = results[0].Transpose(0, 1) // in PyTorch, only the LSTM makes a new tensor
		}
	}
	if x[0].Dim() == 2 {
		results[0] = results[0].Squeeze(autograd.Dim(batchDim))
		for i, h := range results[1:] {
			results[i+1] = h.Squeeze(autograd.Dim(1))
		}
	}
	return results, nil
}

// sequenceArguments checks the arguments of a recurrent layer, adds a missing
// batch dimension and fills in zeros for missing states.
func (m *Module) sequenceArguments(x []*autograd.Tensor, states, layers int) (input *autograd.Tensor, hidden []*autograd.Tensor, err error) {
	input = x[0]
	rank := input.Dim()
	if rank != 2 && rank != 3 {
		after := "D instead"
		if m.Class() == "RNN" {
			after = "D tensor instead"
		}
		return nil, nil, raise(autograd.ValueError, fmt.Sprintf("%s: Expected input to be 2D or 3D, got %d%s", m.Class(), rank, after))
	}
	if hidden, err = initialStates(x[1:], states); err != nil {
		return nil, nil, err
	}
	if err := checkStateRanks(rank, hidden, states); err != nil {
		return nil, nil, err
	}
	batch := 1
	if m.attr("batch_first") == true {
		batch = 0
	}
	if rank == 2 {
		input = input.Unsqueeze(batch)
		for i, h := range hidden {
			hidden[i] = h.Unsqueeze(1)
		}
	}
	if err := m.checkSequence(input); err != nil {
		return nil, nil, err
	}
	sizes := []int{m.hiddenSize(), m.hiddenSize()}
	if n, _ := m.attr("proj_size").(int); n > 0 {
		sizes[0] = n
	}
	for i := range states {
		want := []int{layers, input.Shape()[batch], sizes[i]}
		switch what := []string{"hidden", "hidden[0]", "hidden[1]"}[(states-1)*(i+1)]; {
		case len(hidden) <= i:
			hidden = append(hidden, autograd.Zeros(want, autograd.WithDType(input.DType())))
		case !slices.Equal(hidden[i].Shape(), want):
			got := strings.ReplaceAll(fmt.Sprint(hidden[i].Shape()), " ", ", ")
			return nil, nil, raise(autograd.RuntimeError, fmt.Sprintf("Expected %s size %s, got %s", what, pycall.Repr(want), got))
		}
	}
	return input, hidden, nil
}

// checkStateRanks checks the ranks of the initial states against the rank of
// the input.
func checkStateRanks(rank int, hidden []*autograd.Tensor, states int) error {
	if !slices.ContainsFunc(hidden, func(h *autograd.Tensor) bool { return h.Dim() != rank }) {
		return nil
	}
	kind := map[int]string{2: "unbatched 2-D", 3: "batched 3-D"}[rank]
	text := fmt.Sprintf("For %s input, hx should also be %d-D but got %d-D tensor", kind, rank, hidden[0].Dim())
	if states == 2 {
		text = fmt.Sprintf("For %s input, hx and cx should also be %d-D but got (%d-D, %d-D) tensors", kind, rank, hidden[0].Dim(), hidden[1].Dim())
	}
	return raise(autograd.RuntimeError, text)
}

// checkSequence checks the input of a recurrent layer, with its batch
// dimension, against the parameters.
func (m *Module) checkSequence(input *autograd.Tensor) error {
	features := input.Shape()[2]
	switch w := m.Param("weight_ih_l0"); {
	case w != nil && w.DType() != input.DType():
		return raise(autograd.ValueError, fmt.Sprintf("input must have the type torch.%s, got type torch.%s", w.DType(), input.DType()))
	case features != m.attr("input_size"):
		return raise(autograd.RuntimeError, fmt.Sprintf("input.size(-1) must be equal to input_size. Expected %v, got %d", m.attr("input_size"), features))
	}
	return nil
}
