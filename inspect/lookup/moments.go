package lookup

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Moment is an event after which the content of a tensor is another one.
type Moment struct {
	At     graph.Pos
	Tensor graph.TensorID
	Shape  []int
	// Read is the event that has read more of this content later; zero: At has it.
	Read graph.Pos
	// Parts are the events that have read parts of it.
	Parts []graph.Pos
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
	s := momentScan{
		tape: tape, grads: grads, own: namesakes(tape, id), shapes: map[graph.TensorID][]int{},
		began: map[graph.TensorID]content{}, newest: map[graph.TensorID]int{},
	}
	defer func() {
		slices.SortStableFunc(moments, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	}()
	d := tape.NewDecoder()
	for p := range tape.Len() {
		switch kind, err := d.Kind(p); {
		case err != nil:
			return s.found
		case kind == graph.KindTensorCreated, kind == graph.KindMutated, kind == graph.KindReshaped, kind == graph.KindGradAccumulated,
			kind == graph.KindValueRead:
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
	began  map[graph.TensorID]content
	newest map[graph.TensorID]int // index in found of the newest moment of a tensor
	found  []Moment
}

// A content of a tensor is there from an event on.
type content struct {
	at      graph.Pos
	version int // -1: unknown
}

func (s *momentScan) take(p graph.Pos, e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		if s.own[e.Tensor] {
			s.shapes[e.Tensor] = append([]int(nil), e.Shape...)
			s.began[e.Tensor] = content{p, int(e.Version)}
			if !s.grads {
				s.note(p, e.Tensor, e.Value)
			}
		}
	case *graph.Mutated:
		if _, ok := s.shapes[e.Tensor]; ok {
			s.began[e.Tensor] = content{p, int(e.To)}
		}
		s.changed(p, e.Tensor, e.Value)
	case *graph.Reshaped:
		if _, ok := s.shapes[e.Tensor]; ok {
			s.shapes[e.Tensor] = append([]int(nil), e.Shape...)
			s.began[e.Tensor] = content{p, s.began[e.Tensor].version}
		}
		s.changed(p, e.Tensor, e.Value)
	case *graph.ValueRead:
		s.read(p, e)
	case *graph.GradAccumulated:
		switch {
		case s.grads && s.own[e.Tensor]:
			s.shapes[e.Grad] = s.shapes[e.Tensor]
			s.began[e.Grad] = content{p, -1}
			s.note(p, e.Grad, e.Value)
		case !s.grads && s.own[e.Grad]:
			s.note(p, e.Grad, e.Value)
		}
	}
}

// read takes what was read of a tensor that had not changed.
func (s *momentScan) read(p graph.Pos, e *graph.ValueRead) {
	began, ok := s.began[e.Tensor]
	if !ok || s.own[e.Tensor] == s.grads || !e.Value.Known() {
		return
	}
	if began.version >= 0 && began.version != int(e.Version) { // changed through another tensor
		began = content{p, int(e.Version)}
		s.began[e.Tensor] = began
	}
	i, ok := s.newest[e.Tensor]
	if !ok || s.found[i].At < began.at {
		i = len(s.found)
		s.newest[e.Tensor] = i
		s.found = append(s.found, Moment{At: began.at, Tensor: e.Tensor, Shape: s.shapes[e.Tensor]})
	}
	if len(e.Part) > 0 {
		s.found[i].Parts = append(s.found[i].Parts, p)
	} else {
		s.found[i].Read = p
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
		s.newest[id] = len(s.found)
		s.found = append(s.found, Moment{At: p, Tensor: id, Shape: s.shapes[id]})
	}
}

// Content returns what the tensor of a moment holds from then on.
func (m Moment) Content(tape *graph.Tape) graph.Value {
	at := m.At
	if m.Read > 0 {
		at = m.Read
	}
	_, e, err := tape.NewDecoder().ReadUntimed(at)
	if err != nil {
		return graph.Value{}
	}
	if made, ok := e.(*graph.TensorCreated); ok {
		return made.Value
	}
	v, _ := graph.NewValue(e)
	return v
}
