package autograd

import "iter"

// Holders finds what keeps alive tensors that a front end no longer uses. For
// each of wanted it returns one of the roots (tensors and nodes) that reaches
// the tensor by references that exist in PyTorch, or nil. An AccumulateGrad
// node keeps its leaf alive; other tensors are kept alive by nodes that saved
// them as inputs, by their views and by the tensor whose gradient they are. A
// wanted tensor is not a root.
//
// The search takes at most *steps steps. If they do not suffice, all is false,
// and a nil holder means unknown.
func Holders(wanted []*Tensor, roots iter.Seq[any], steps *int) (holders []any, all bool) {
	s := holding{indices: make(map[*Tensor]int, len(wanted)), seen: map[any]struct{}{}}
	for i, t := range wanted {
		s.indices[t] = i
	}
	holders = make([]any, len(wanted))
	missing := len(s.indices)
	for root := range roots {
		if t, ok := root.(*Tensor); ok {
			if _, ok := s.indices[t]; ok {
				continue
			}
			s.tensor(t)
		} else {
			s.push(root)
		}
		for len(s.stack) > 0 && missing > 0 {
			if *steps--; *steps < 0 {
				return holders, false
			}
			last := len(s.stack) - 1
			x := s.stack[last]
			s.stack = s.stack[:last]
			switch x := x.(type) {
			case *Tensor:
				if i, ok := s.indices[x]; ok {
					holders[i] = root
					missing--
				}
				s.tensor(x)
			case *Node:
				s.node(x)
			}
		}
		if missing == 0 {
			break
		}
	}
	return holders, true
}

// A holding is a search for tensors that others keep alive.
type holding struct {
	indices map[*Tensor]int // of the wanted tensors
	seen    map[any]struct{}
	stack   []any // tensors and nodes that were found and not yet visited
}

func (s *holding) push(x any) {
	if _, ok := s.seen[x]; !ok {
		s.seen[x] = struct{}{}
		s.stack = append(s.stack, x)
	}
}

func (s *holding) pushTensor(t *Tensor) {
	if t != nil {
		s.push(t)
	}
}

func (s *holding) pushNode(n *Node) {
	if n != nil {
		s.push(n)
	}
}

// tensor visits what a tensor keeps alive.
func (s *holding) tensor(t *Tensor) {
	s.pushNode(t.gradFn)
	s.pushTensor(t.grad)
	if t.ext == nil {
		return
	}
	s.pushTensor(t.ext.tangent)
	if v := t.ext.view; v != nil {
		s.pushTensor(v.base)
	}
}

// node visits what a node keeps alive.
func (s *holding) node(n *Node) {
	n.eachBelow(s.pushNode)
	s.pushTensor(n.Variable())
	for i := range n.saved {
		slot := &n.saved[i]
		switch p := slot.packed; {
		case p != nil:
			s.pushNode(p.gradFn)
			s.pushNode(p.accumulator)
			s.pushTensor(p.tangent)
		case slot.tensor == nil:
		case slot.kind == resultSlot: // PyTorch saves another tensor over the same memory
			s.tensor(slot.tensor)
		default:
			s.push(slot.tensor)
		}
	}
}

// IsFresh reports whether t is a leaf that requires grad and has not been in a
// graph yet.
func (t *Tensor) IsFresh() bool {
	return t != nil && t.flags&requiresGradFlag != 0 && t.gradFn == nil && (t.ext == nil || t.ext.accumulator == nil)
}
