package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var symmetricInit = inspect.Rule{
	Code:     "symmetric-init",
	Severity: inspect.SeverityWarning,
	Title:    "All units of a hidden layer start with equal weights and get equal gradients.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &equalUnits{
			check: check, equal: map[graph.StorageID]visit{}, looked: map[graph.StackID]int{}, layers: map[graph.TensorID]*equalLayer{},
		}
	},
}

// equalUnits follows memory whose elements are all equal, and looks for two layers in a row
// with such weights. The units of the first layer then compute the same, and the second layer
// sends the same gradient to all of them. One such layer alone is fine: the layer after it, or
// what it is added to, makes a difference between its units.
type equalUnits struct {
	check  *inspect.Checker
	equal  map[graph.StorageID]visit // what gave all elements of this memory one value
	looked map[graph.StackID]int     // passes, by their line
	layers map[graph.TensorID]*equalLayer
	order  []graph.TensorID
	noisy  []graph.Pos // the dropouts of the latest events, in order
}

const lookBack = 1 << 16 // events before a backward pass that are searched

// An equalLayer is the weight of a layer whose units are equal.
type equalLayer struct {
	filled, next visit // what made the weights equal, and those of the next layer
	used         visit // the operation of the layer
	units        int
	updates      int
	mixed        bool // the program gave it other values later
	chained      bool // what lies between may make small differences
}

// Event follows fillings, and looks at backward passes.
func (w *equalUnits) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.OpRan:
		w.ran(visit{p, head.Stack}, e)
		if len(w.equal) > 0 && drops(w.check.Tape(), e) {
			w.noisy = append(w.noisy, p)
		}
	case *graph.LineageCut:
		if e.Why == graph.CutDeepcopy && len(e.Inputs) == 1 && e.Output != 0 {
			if v, ok := w.filled(e.Inputs[0]); ok {
				w.equal[w.check.Tensor(e.Output).Storage] = v
			}
		}
	case *graph.Mutated:
		if l := w.layers[e.Tensor]; l != nil && w.check.Running() == 0 {
			l.updates++
		}
	case *graph.Reshaped:
		if l := w.layers[e.Tensor]; l != nil {
			l.updates++
		}
	case *graph.TensorReleased:
		w.released(w.check.Tensor(e.Tensor).Storage)
	case *graph.BackwardBegan:
		const most = 3 // passes of a line: all are alike
		if w.looked[head.Stack]++; w.looked[head.Stack] <= most && len(w.equal) > 0 {
			w.look(p, e)
		}
		i, _ := slices.BinarySearch(w.noisy, p-lookBack)
		w.noisy = w.noisy[i:]
	}
}

// released forgets memory that the program cannot reach any more.
func (w *equalUnits) released(s graph.StorageID) {
	if _, ok := w.equal[s]; !ok {
		return
	}
	reachable := func(id graph.TensorID) bool { t := w.check.Tensor(id); return t.Known() && t.Released < 0 }
	if !slices.ContainsFunc(w.check.Sharing(s), reachable) {
		delete(w.equal, s)
	}
}

// filled returns what made all elements of a tensor equal.
func (w *equalUnits) filled(id graph.TensorID) (visit, bool) {
	if id == 0 {
		return visit{}, false
	}
	v, ok := w.equal[w.check.Tensor(id).Storage]
	return v, ok
}

// ran follows what an operation does to equal values.
func (w *equalUnits) ran(here visit, e *graph.OpRan) {
	name := w.check.Tape().String(e.Op)
	if len(e.Mutated) > 0 {
		w.wrote(here, name, e)
		return
	}
	if makesEqual[name] {
		for _, out := range e.Outputs {
			w.equal[w.check.Tensor(out).Storage] = here
		}
		return
	}
	if len(w.equal) == 0 || e.Node != 0 || len(e.Outputs) != 1 || !elementwise[name] && !sameValues[name] && name != "repeat" {
		return
	}
	from, some := here, false
	for _, in := range e.Inputs {
		v, ok := w.filled(in)
		if !ok && !w.number(in) {
			return
		}
		if ok && !some {
			from, some = v, true
		}
	}
	if out := w.check.Tensor(e.Outputs[0]).Storage; some && !w.known(out) {
		w.equal[out] = from
	}
}

func (w *equalUnits) known(s graph.StorageID) bool { _, ok := w.equal[s]; return ok }

// number reports whether an operand is one value.
func (w *equalUnits) number(id graph.TensorID) bool {
	return id == 0 || len(w.check.Tensor(id).Shape) == 0
}

// wrote follows a change in place. The changes by optimizers do not count: an optimizer treats
// equal units equally.
func (w *equalUnits) wrote(here visit, name string, e *graph.OpRan) {
	if op := w.check.OpAt(here.at); op == nil || op.Step >= 0 || op.Pass != 0 {
		return
	}
	for _, id := range e.Mutated {
		t := w.check.Tensor(id)
		from, equal := w.equal[t.Storage]
		switch {
		case name == "fill_" || name == "zero_":
			from, equal = here, numel(t.Shape) == numel(w.check.Tensor(t.Base).Shape) || t.Base == 0
		case name == "copy_" && len(e.Inputs) > 1:
			from, equal = w.filled(e.Inputs[1])
			equal = equal && (t.Base == 0 || numel(t.Shape) == numel(w.check.Tensor(t.Base).Shape))
		case elementwise[name[:len(name)-1]]:
			for _, in := range e.Inputs {
				equal = equal && (in == id || w.number(in))
			}
		default:
			equal = false
		}
		if !equal {
			delete(w.equal, t.Storage)
			if l := w.layers[id]; l != nil && (randomises[name] || name == "copy_") {
				l.mixed = true
			}
			continue
		}
		w.equal[t.Storage] = from
	}
}

// weight returns what gave the weight of a layer equal elements: a leaf that is trained, with
// more than one row, or a view of it.
func (w *equalUnits) weight(id graph.TensorID) (leaf graph.TensorID, v visit, ok bool) {
	t := w.check.Tensor(id)
	if v, ok = w.filled(id); !ok || len(t.Shape) < 2 {
		return 0, v, false
	}
	for _, same := range w.check.Sharing(t.Storage) {
		if g, known := w.check.Graph().Tensor(same); known && g.Leaf() && g.RequiresGrad && len(w.check.Tensor(same).Shape) >= 2 {
			return same, v, true
		}
	}
	return 0, v, false
}

// look searches the graph of a backward pass.
func (w *equalUnits) look(p graph.Pos, e *graph.BackwardBegan) {
	s := &symmetry{
		equalUnits: w, alike: map[graph.TensorID]bool{}, grads: map[graph.TensorID]unitGrad{},
		learned: map[graph.TensorID]bool{}, made: map[graph.TensorID]constant{},
	}
	var ops []*inspect.Op
	for _, op := range w.check.Ops().From(max(0, p-lookBack)) {
		if op.Pass == 0 && op.Step < 0 {
			s.forward(op)
			s.derive(op)
			ops = append(ops, op)
		}
	}
	if s.products < 2 && len(s.made) < 2 {
		return
	}
	for _, r := range e.Roots {
		s.grads[r.Tensor] = unitGrad{alike: true}
	}
	for _, op := range slices.Backward(ops) {
		s.backward(op)
	}
	if len(w.layers) == 0 {
		s.chained(ops, e.Roots)
	}
}

// A symmetry follows, through the operations of one iteration, whether the units of layers
// stay equal.
type symmetry struct {
	*equalUnits
	alike    map[graph.TensorID]bool     // tensors whose units are equal
	grads    map[graph.TensorID]unitGrad // the gradients on the way to the loss
	products int                         // with equal weights

	learned map[graph.TensorID]bool     // what depends on parameters
	made    map[graph.TensorID]constant // what was made of equal weights alone
}

// A unitGrad is a gradient of a tensor: whether it is equal for all units, and the next layer
// that it came through.
type unitGrad struct {
	alike bool
	next  visit // at is 0: there is none
}

// units reports whether an operand treats all units equally.
func (s *symmetry) units(id graph.TensorID) bool {
	if id == 0 || s.alike[id] {
		return true
	}
	t := s.check.Tensor(id)
	if len(t.Shape) < 2 || t.Shape[len(t.Shape)-1] == 1 && len(t.Shape) < 4 || len(t.Shape) == 4 && t.Shape[1] == 1 {
		return true // a bias, a gate of each row, a mask
	}
	_, equal := s.filled(id)
	return equal
}

// forward notes whether the units of an operation's results are equal.
func (s *symmetry) forward(op *inspect.Op) {
	alike := false
	switch data, leaf, _, ok := s.layer(op); {
	case leaf != 0:
		s.products++
		alike = ok
	case data != 0:
	case makesEqual[op.Name]:
		alike = true
	case elementwise[plain(op)] || sameValues[op.Name] || pools[op.Name] || normalises[op.Name]:
		alike = !slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { return !s.units(in) })
		if sameValues[op.Name] && len(op.Inputs) > 0 {
			alike = s.units(op.Inputs[0]) && len(s.check.Tensor(op.Inputs[0]).Shape) > 1
		}
	}
	for _, out := range op.Outputs {
		if alike {
			s.alike[out] = true
		} else {
			delete(s.alike, out)
		}
	}
}

// plain returns the name of an operation without the mark of its form in place.
func plain(op *inspect.Op) string {
	if len(op.Mutated) > 0 && op.Name[len(op.Name)-1] == '_' {
		return op.Name[:len(op.Name)-1]
	}
	return op.Name
}

// layer returns the data and the weight of a product. leaf is 0 if the weight's elements are
// not equal; data is 0 if the operation is not a product. ok is false if its units see different
// inputs, as in a convolution of groups.
func (s *symmetry) layer(op *inspect.Op) (data, leaf graph.TensorID, filled visit, ok bool) {
	in := op.Inputs
	switch {
	case recurrent[op.Name]:
		if len(in) < 3 {
			return 0, 0, visit{}, false
		}
		data = in[0]
		for _, id := range in[1:] {
			t := s.check.Tensor(id)
			if g, known := s.check.Graph().Tensor(id); !known || !g.Leaf() || !g.RequiresGrad || len(t.Shape) < 2 {
				continue
			}
			if leaf, filled, ok = s.weight(id); !ok {
				return data, 0, visit{}, false
			}
		}
		return data, leaf, filled, ok
	case products[op.Name] == 0 || len(in) < products[op.Name]:
		return 0, 0, visit{}, false
	}
	at := products[op.Name] - 1
	data = in[at-1]
	if leaf, filled, ok = s.weight(in[at]); !ok {
		leaf, filled, ok = s.weight(data)
		data = in[at]
		if !ok || convolves[op.Name] {
			return in[at-1], 0, visit{}, false
		}
	}
	if convolves[op.Name] {
		x, k := s.check.Tensor(data).Shape, s.check.Tensor(leaf).Shape
		channel := len(x) - len(k) + 1
		ok = channel >= 0 && channel < len(x) && (x[channel] == k[1] || x[channel] == k[0])
	}
	return data, leaf, filled, ok
}

// backward hands the gradient of an operation's results on to its inputs.
func (s *symmetry) backward(op *inspect.Op) {
	if len(op.Outputs) == 0 {
		return
	}
	grad, reached := s.grads[op.Outputs[0]]
	for _, out := range op.Outputs[1:] {
		if g, ok := s.grads[out]; ok {
			grad = merged(grad, reached, g)
			reached = true
		}
	}
	if !reached {
		return
	}
	for _, out := range op.Mutated {
		delete(s.grads, out)
	}
	if op.Node == 0 {
		return
	}
	data, leaf, filled, ok := s.layer(op)
	if leaf != 0 && ok {
		s.note(op, leaf, filled, grad)
	}
	for _, in := range op.Inputs {
		if in == 0 {
			continue
		}
		g := unitGrad{next: grad.next}
		switch {
		case data != 0 && in == data:
			g.alike = leaf != 0 && ok && s.units(data)
			if g.alike {
				g.next = filled
			}
		case data != 0:
			// weights and other operands of a product
		default:
			g.alike = s.passes(op, in, grad)
		}
		old, again := s.grads[in]
		s.grads[in] = merged(old, again, g)
	}
}

// merged adds a gradient to one that is there already.
func merged(old unitGrad, again bool, g unitGrad) unitGrad {
	if !again {
		return g
	}
	if old.next.at == 0 {
		old.next = g.next
	}
	old.alike = old.alike && g.alike
	return old
}

// passes reports whether the gradient of an input is equal for all units.
func (s *symmetry) passes(op *inspect.Op, in graph.TensorID, grad unitGrad) bool {
	name := plain(op)
	x, y := s.check.Tensor(in).Shape, s.check.Tensor(op.Outputs[0]).Shape
	switch {
	case reduces[name]:
		return grad.alike
	case linearInAll[name]:
		return grad.alike
	case sameValues[op.Name]:
		return grad.alike && (len(x) == 0 || len(y) == 0 || numel(x) == numel(y) || x[len(x)-1] == y[len(y)-1])
	case elementwise[name] || pools[op.Name] || normalises[op.Name]:
		return grad.alike && !slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { return !s.units(in) })
	}
	return false
}

// A constant is a trained matrix of equal elements.
type constant struct {
	leaf   graph.TensorID
	filled visit
	looked bool // what was looked up in it, which is data for the layers after it
}

// constant returns the matrix that an operand is, or was made of alone.
func (s *symmetry) constant(id graph.TensorID) (c constant, ok bool) {
	if c, ok = s.made[id]; ok {
		return c, true
	}
	c.leaf, c.filled, ok = s.weight(id)
	return c, ok
}

// derive notes what an operation computes from parameters, and what it makes of one matrix of
// equal elements, as quantised weights are.
func (s *symmetry) derive(op *inspect.Op) {
	from := slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { return s.learned[in] })
	learned := op.Node != 0 || from
	var c constant
	size := 0
	equal := op.Node != 0 && len(op.Outputs) == 1 && products[op.Name] == 0
	for i, in := range op.Inputs {
		m, ok := s.constant(in)
		switch {
		case ok && c.leaf == 0:
			c, size = m, numel(s.check.Tensor(in).Shape)
		case op.Name == "embedding" && i > 0 || s.number(in):
		default:
			equal = false
		}
	}
	for _, out := range op.Outputs {
		delete(s.made, out)
		if learned {
			s.learned[out] = true
		}
		looked := op.Name == "embedding"
		if equal && c.leaf != 0 && (looked || numel(s.check.Tensor(out).Shape) == size) {
			c.looked = c.looked || looked
			s.made[out] = c
		}
	}
}

// A route is what lies between a tensor and the loss.
type route struct {
	covered bool     // every way leads through a layer of equal weights
	next    constant // the first such layer
	inputs  int      // of that layer
	shared  int      // size of the dimension of a softmax before that layer; 0: there is none
}

func (r route) and(other route) route {
	r.covered = r.covered && other.covered
	r.shared = max(r.shared, other.shared)
	return r
}

// chained finds layers of equal weights all of whose results go through another layer of equal
// weights, in a graph all of whose matrices have equal elements. What lies between may give the
// units a little of their own, as the noise of a dropout does, but no task.
func (s *symmetry) chained(ops []*inspect.Op, roots []graph.Root) {
	routes := map[graph.TensorID]route{}
	merge := func(id graph.TensorID, r route) {
		if old, again := routes[id]; again {
			r = old.and(r)
		}
		routes[id] = r
	}
	for _, r := range roots {
		routes[r.Tensor] = route{}
	}
	layers := map[graph.TensorID]*equalLayer{}
	for _, op := range slices.Backward(ops) {
		r, reached := route{}, false
		for _, out := range op.Outputs {
			o, ok := routes[out]
			if ok && reached {
				o = r.and(o)
			}
			if ok {
				r, reached = o, true
			}
		}
		for _, out := range op.Mutated {
			delete(routes, out)
		}
		if !reached || op.Node == 0 {
			continue
		}
		for i, in := range op.Inputs {
			if in == 0 {
				continue
			}
			if g, known := s.check.Graph().Tensor(in); known && g.Leaf() && g.RequiresGrad && matrix(s.check.Tensor(in).Shape) {
				if _, equal := s.constant(in); !equal {
					return
				}
			}
			if c, ok := s.column(op, i); ok {
				s.link(layers, op, c, r)
				continue
			}
			merge(in, s.route(op, i, r))
		}
	}
	for leaf, l := range layers {
		if l != nil {
			s.layers[leaf] = l
			s.order = append(s.order, leaf)
		}
	}
}

// matrix reports whether a shape has two dimensions and more than one element.
func matrix(shape []int) bool {
	return len(shape) > 1 && slices.ContainsFunc(shape, func(n int) bool { return n > 1 })
}

// column returns the matrix that an operand of a layer is, one column or row for each unit.
func (s *symmetry) column(op *inspect.Op, i int) (constant, bool) {
	c, ok := s.constant(op.Inputs[i])
	switch {
	case !ok || c.looked:
		return c, false
	case op.Name == "embedding":
		return c, i == 0
	case recurrent[op.Name]:
		return c, true
	case convolves[op.Name]:
		_, leaf, _, whole := s.layer(op)
		return c, i == 1 && leaf != 0 && whole
	}
	return c, products[op.Name] == i+1
}

// route returns the way to the loss of one operand.
func (s *symmetry) route(op *inspect.Op, i int, r route) route {
	in := op.Inputs[i]
	shape := s.check.Tensor(in).Shape
	if products[op.Name] > 0 || recurrent[op.Name] {
		for j, other := range op.Inputs {
			if c, ok := s.constant(other); ok && j != i && len(shape) > 0 {
				n := shape[len(shape)-1]
				if w := s.check.Tensor(c.leaf).Shape; len(w) == 2 && !c.looked {
					n = w[1]
					if shape[len(shape)-1] == w[0] {
						n = w[0]
					}
				} else if convolves[op.Name] {
					n = w[1]
				} else if c.looked {
					n = w[len(w)-1]
				}
				return route{covered: true, next: c, inputs: n}
			}
		}
	}
	switch op.Name {
	case "softmax", "_softmax", "log_softmax", "_log_softmax":
		if len(shape) > 0 {
			r.shared = shape[len(shape)-1]
		}
	}
	if _, noise := slices.BinarySearch(s.noisy, op.At); noise {
		return r
	}
	rows := !convolves[op.Name] && products[op.Name] == i+1 // of the other operand; the units are columns
	for j, other := range op.Inputs {
		if j != i && !rows && !s.learned[other] && !s.units(other) {
			r.covered = false // data or frozen weights differ from unit to unit
		}
	}
	return r
}

// link notes a use of a layer: one that reaches the loss by another way makes its units different.
func (s *symmetry) link(layers map[graph.TensorID]*equalLayer, op *inspect.Op, c constant, r route) {
	shape := s.check.Tensor(op.Outputs[0]).Shape
	units := s.check.Tensor(c.leaf).Shape[0]
	if !convolves[op.Name] && !recurrent[op.Name] && len(shape) > 0 {
		units = shape[len(shape)-1]
	}
	switch {
	case !r.covered || units < 2 || units == r.shared || r.inputs < 2 || r.inputs%units != 0 && units%r.inputs != 0:
		layers[c.leaf] = nil
	default:
		l, again := layers[c.leaf]
		if again && l == nil || r.next.leaf == c.leaf {
			return
		}
		layers[c.leaf] = &equalLayer{
			filled: c.filled, next: r.next.filled, used: visit{op.At, op.Stack}, units: min(units, r.inputs), chained: true,
		}
	}
}

// note keeps a layer whose units are equal and stay so.
func (s *symmetry) note(op *inspect.Op, leaf graph.TensorID, filled visit, grad unitGrad) {
	shape := s.check.Tensor(leaf).Shape
	units := shape[0]
	if out := s.check.Tensor(op.Outputs[0]).Shape; !convolves[op.Name] && len(out) > 0 && !recurrent[op.Name] {
		units = out[len(out)-1]
	}
	if _, again := s.layers[leaf]; again || !grad.alike || grad.next.at == 0 || units < 2 {
		return
	}
	s.layers[leaf] = &equalLayer{filled: filled, next: grad.next, used: visit{op.At, op.Stack}, units: units}
	s.order = append(s.order, leaf)
}

// End reports the layers that were trained.
func (w *equalUnits) End() {
	const enough = 2 // updates
	slices.SortFunc(w.order, func(a, b graph.TensorID) int {
		return cmp.Or(cmp.Compare(w.layers[a].used.at, w.layers[b].used.at), cmp.Compare(a, b))
	})
	for _, leaf := range w.order {
		l := w.layers[leaf]
		if _, got := w.check.Gains()[leaf]; !got || l.mixed || l.updates < enough {
			continue
		}
		fate := "start equal and stay equal: they compute one and the same feature"
		if l.chained {
			fate = "start equal, and so do all other weights: their gradients give them no tasks of their own"
		}
		w.check.Report(inspect.Finding{
			Message: fmt.Sprintf("the %d units of %s %s", l.units, w.check.Called(leaf), fate),
			Primary: w.check.In(l.filled.stack, l.filled.at, "gives all weights one value"),
			Related: []inspect.Span{
				w.check.In(l.next.stack, l.next.at, "and those of the next layer, so that all units get one gradient"),
				w.check.In(l.used.stack, l.used.at, "the layer works here"),
			},
			Tensors: names(w.check.History, leaf),
			Help:    "initialise weight matrices at random, for example with nn.init.xavier_uniform_; constants are for biases, norms and the last layer",
			At:      l.used.at,
			Symptom: -1,
		})
	}
}

// makesEqual are the operations whose results have equal elements.
var makesEqual = map[string]bool{
	"zeros": true, "ones": true, "full": true, "zeros_like": true, "ones_like": true, "full_like": true,
	"new_zeros": true, "new_ones": true, "new_full": true,
}

// randomises are the operations in place that write random or given values.
var randomises = map[string]bool{
	"uniform_": true, "normal_": true, "bernoulli_": true, "log_normal_": true, "exponential_": true, "cauchy_": true,
	"geometric_": true, "random_": true, "set_": true, "masked_scatter_": true, "fill_diagonal_": true,
}

// products are the products with a weight: its place among the inputs, counted from 1, behind the data.
var products = map[string]int{
	"linear": 2, "mm": 2, "matmul": 2, "addmm": 3, "bmm": 2, "convolution": 2,
	"conv1d": 2, "conv2d": 2, "conv3d": 2, "conv_transpose1d": 2, "conv_transpose2d": 2, "conv_transpose3d": 2,
}

var convolves = map[string]bool{
	"convolution": true, "conv1d": true, "conv2d": true, "conv3d": true,
	"conv_transpose1d": true, "conv_transpose2d": true, "conv_transpose3d": true,
}

var recurrent = map[string]bool{
	"lstm": true, "gru": true, "rnn_tanh": true, "rnn_relu": true,
	"lstm_cell": true, "gru_cell": true, "rnn_tanh_cell": true, "rnn_relu_cell": true,
}

// linearInAll are the operations whose gradient does not depend on the values.
var linearInAll = map[string]bool{"add": true, "sub": true, "neg": true, "cat": true, "stack": true, "rsub": true}

var reduces = map[string]bool{"sum": true, "mean": true}

// pools are the operations that combine neighbours within a channel.
var pools = map[string]bool{
	"max_pool1d": true, "max_pool2d": true, "max_pool3d": true, "avg_pool1d": true, "avg_pool2d": true, "avg_pool3d": true,
	"max_pool2d_with_indices": true, "adaptive_avg_pool1d": true, "adaptive_avg_pool2d": true, "adaptive_max_pool2d": true,
	"mean": true, "sum": true, "amax": true, "max": true, "cat": true, "stack": true, "interpolate": true, "upsample_nearest2d": true,
	"upsample_bilinear2d": true, "pad": true, "constant_pad_nd": true,
}

// normalises are the operations that treat all channels in one way.
var normalises = map[string]bool{
	"batch_norm": true, "layer_norm": true, "group_norm": true, "instance_norm": true, "rms_norm": true,
	"native_batch_norm": true, "native_layer_norm": true, "native_group_norm": true,
}

// elementwise are the operations that treat each element in one way, by their names without an
// underscore.
var elementwise = func() map[string]bool {
	names := maps.Clone(linearInAll)
	for _, name := range []string{
		"mul", "div", "pow", "exp", "log", "sqrt", "rsqrt", "abs", "square", "reciprocal", "clamp", "clamp_min", "clamp_max",
		"relu", "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "hardtanh", "hardswish", "hardsigmoid",
		"tanh", "sigmoid", "logsigmoid", "log_sigmoid_forward", "sin", "cos", "tanhshrink", "softsign", "threshold", "maximum", "minimum", "prelu",
		"where", "masked_fill", "lerp", "addcmul", "addcdiv",
	} {
		names[name] = true
	}
	delete(names, "cat")
	delete(names, "stack")
	return names
}()
