package lookup

import "github.com/gradtui/gradtui/graph"

// A Moment is an event after which the content of a tensor is another one.
type Moment struct {
	At     graph.Pos
	Tensor graph.TensorID
	Shape  []int
}

// A binding is a name that a tensor got.
type binding struct {
	tensor      graph.TensorID
	name, scope graph.StringID
}

// Moments lists when the content of a tensor changed, and of the tensors that had its name
// before and after it: a variable is another tensor in each iteration. With grads they are about
// the .grad of these tensors. Only changes after which the content is known count. It reads the
// whole tape.
func Moments(tape *graph.Tape, id graph.TensorID, grads bool) (moments []Moment) {
	s := momentScan{tape: tape, grads: grads, own: namesakes(tape, id), shapes: map[graph.TensorID][]int{}}
	d := tape.NewDecoder()
	for p := range tape.Len() {
		switch kind, err := d.Kind(p); {
		case err != nil:
			return s.found
		case kind == graph.KindTensorCreated, kind == graph.KindMutated, kind == graph.KindReshaped, kind == graph.KindGradAccumulated:
			if _, e, err := d.ReadUntimed(p); err == nil {
				s.take(p, e)
			}
		}
	}
	return s.found
}

// namesakes returns the tensors that had the newest name of a tensor, and itself.
func namesakes(tape *graph.Tape, id graph.TensorID) map[graph.TensorID]bool {
	var all []binding
	newest := -1
	d := tape.NewDecoder()
	for p := range tape.Len() {
		if kind, err := d.Kind(p); err != nil || kind != graph.KindNameBound {
			continue
		}
		_, e, err := d.ReadUntimed(p)
		if b, ok := e.(*graph.NameBound); ok && err == nil && b.Tensor != 0 {
			if b.Tensor == id {
				newest = len(all)
			}
			all = append(all, binding{b.Tensor, b.Name, b.Scope})
		}
	}
	found := map[graph.TensorID]bool{id: true}
	for _, b := range all {
		if newest >= 0 && b.name == all[newest].name && b.scope == all[newest].scope {
			found[b.tensor] = true
		}
	}
	return found
}

type momentScan struct {
	tape   *graph.Tape
	grads  bool
	own    map[graph.TensorID]bool
	shapes map[graph.TensorID][]int // of own tensors, and of their gradients
	found  []Moment
}

func (s *momentScan) take(p graph.Pos, e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		if s.own[e.Tensor] {
			s.shapes[e.Tensor] = append([]int(nil), e.Shape...)
			if !s.grads {
				s.note(p, e.Tensor, e.Value)
			}
		}
	case *graph.Mutated:
		s.changed(p, e.Tensor, e.Value)
	case *graph.Reshaped:
		if _, ok := s.shapes[e.Tensor]; ok {
			s.shapes[e.Tensor] = append([]int(nil), e.Shape...)
		}
		s.changed(p, e.Tensor, e.Value)
	case *graph.GradAccumulated:
		switch {
		case s.grads && s.own[e.Tensor]:
			s.shapes[e.Grad] = s.shapes[e.Tensor]
			s.note(p, e.Grad, e.Value)
		case !s.grads && s.own[e.Grad]:
			s.note(p, e.Grad, e.Value)
		}
	}
}

// changed takes a change of a tensor, which is of interest if it is an own one or, with grads, the
// gradient of one.
func (s *momentScan) changed(p graph.Pos, id graph.TensorID, v graph.Value) {
	if _, ok := s.shapes[id]; ok && s.own[id] != s.grads {
		s.note(p, id, v)
	}
}

func (s *momentScan) note(p graph.Pos, id graph.TensorID, v graph.Value) {
	if v.Known() {
		s.found = append(s.found, Moment{p, id, s.shapes[id]})
	}
}

// Content returns what the tensor of a moment holds from then on.
func (m Moment) Content(tape *graph.Tape) graph.Value {
	_, e, err := tape.NewDecoder().ReadUntimed(m.At)
	if err != nil {
		return graph.Value{}
	}
	if made, ok := e.(*graph.TensorCreated); ok {
		return made.Value
	}
	v, _ := graph.NewValue(e)
	return v
}
