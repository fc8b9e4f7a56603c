package autograd

import "iter"

// Holders says what keeps tensors that a front end has no use for any more: for each of wanted
// one of the roots, tensors and nodes, from which it is reached in ways that keep it in PyTorch.
// A leaf is kept by its AccumulateGrad node, other tensors by the nodes that saved them as inputs, by
// their views and by the tensor whose gradient they are. nil means none. A wanted tensor is not
// a root.
//
// The search takes steps. Where they do not suffice it ends, and the second result is false: a nil
// says nothing then.
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

// A holding is a search for tensors that others hold.
type holding struct {
	indices map[*Tensor]int // of those that are looked for
	seen    map[any]struct{}
	stack   []any // tensors and nodes that were seen and not looked into
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

// tensor goes on to what a tensor holds.
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

// node goes on to what a node holds.
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
		case slot.kind == resultSlot: // PyTorch saves another tensor of the same memory
			s.tensor(slot.tensor)
		default:
			s.push(slot.tensor)
		}
	}
}

// IsFresh reports whether t is a leaf that requires grad and was in no graph yet.
func (t *Tensor) IsFresh() bool {
	return t != nil && t.flags&requiresGradFlag != 0 && t.gradFn == nil && (t.ext == nil || t.ext.accumulator == nil)
}
