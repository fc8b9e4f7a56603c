package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var symmetricInit = inspect.Rule{
	Code:     "symmetric-init",
	Severity: inspect.SeverityWarning,
	Title:    "Units of a layer, or members of an ensemble, have equal weights and get equal gradients.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		units := &equalUnits{
			check: check, equal: map[graph.StorageID]visit{}, looked: map[graph.StackID]int{}, layers: map[graph.TensorID]*equalLayer{},
		}
		return &symmetries{units, newSameMembers(check)}
	},
}

// symmetries looks for units, and for members of an ensemble, that are equal.
type symmetries struct {
	*equalUnits
	members *sameMembers
}

func (w *symmetries) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.equalUnits.Event(p, head, e)
	w.members.Event(p, head, e)
}

func (w *symmetries) End() {
	w.equalUnits.End()
	w.members.End()
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
	filled, next visit // what made the weights equal, here and in the next layer
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
		if !ok || convolutionOps[op.Name] {
			return in[at-1], 0, visit{}, false
		}
	}
	if convolutionOps[op.Name] {
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

// width returns how many units a layer has.
func (s *symmetry) width(op *inspect.Op, weight graph.TensorID) int {
	out := s.check.Tensor(op.Outputs[0]).Shape
	if convolutionOps[op.Name] || recurrent[op.Name] || len(out) == 0 {
		return s.check.Tensor(weight).Shape[0]
	}
	return out[len(out)-1]
}

// note keeps a layer whose units are equal and stay so.
func (s *symmetry) note(op *inspect.Op, leaf graph.TensorID, filled visit, grad unitGrad) {
	units := s.width(op, leaf)
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
		seen := facts(
			w.check.In(l.filled.stack, l.filled.at, fmt.Sprintf("all weights of its %d units get one value", l.units)),
			w.check.In(l.next.stack, l.next.at, "all weights of the next layer get one value, too"),
			w.check.In(l.used.stack, l.used.at, fmt.Sprintf("%s changed the layer, and no operation gave it other values", several(l.updates, "update"))),
		)
		if l.chained {
			seen = append(seen, doubts(fact("what lies between the layers makes small differences"))...)
		}
		w.check.Report(inspect.Finding{
			Message: fmt.Sprintf("the %d units of %s %s", l.units, w.check.Called(leaf), fate),
			Primary: w.check.In(l.filled.stack, l.filled.at, "gives all weights one value"),
			Related: []inspect.Span{
				w.check.In(l.next.stack, l.next.at, "the weights of the next layer are equal, too, so that all units get one gradient"),
				w.check.In(l.used.stack, l.used.at, "the layer works here"),
			},
			Tensors:  names(w.check.History, leaf),
			Help:     "initialise weight matrices at random, for example with nn.init.xavier_uniform_; constants are for biases, norms and the last layer",
			Evidence: seen,
			At:       l.used.at,
			Symptom:  -1,
		})
	}
}
