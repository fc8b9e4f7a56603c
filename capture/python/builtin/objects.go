package builtin

import (
	"iter"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// ownHandles begin the handles that Python has given: in messages they are negative.
const ownHandles = 1 << 31

// mostSkipped is how many new handles of Python's at most come before one with a smaller
// number: a signal handler may run in the middle of a call, and end it.
const mostSkipped = 1 << 10

// objects are what the program has of the engine. Handles begin with 1.
type objects struct {
	tensors     []known          // by handle
	own         []known          // by handles that Python has given
	nodes       []*autograd.Node // by handle
	freeTensors []uint32         // handles to use again
	freeNodes   []uint32
	held        map[int]any // what has no handle of its own, by number
	lastHeld    int
}

// A known tensor is one that the program has.
type known struct {
	tensor *autograd.Tensor
	layout layoutID // that Python knows
}

func newObjects() objects {
	return objects{tensors: make([]known, 1), own: make([]known, 1), nodes: make([]*autograd.Node, 1), held: map[int]any{}}
}

// tensorHandle is the number under which the program knows a tensor; a tensor
// that it has not seen gets a new one.
func (o *objects) tensorHandle(t *autograd.Tensor) (h uint32, fresh bool) {
	if h = t.Handle(); h != 0 {
		return h, false
	}
	if n := len(o.freeTensors); n > 0 {
		h = o.freeTensors[n-1]
		o.freeTensors = o.freeTensors[:n-1]
		o.tensors[h].tensor = t
	} else {
		h = uint32(len(o.tensors))
		o.tensors = append(o.tensors, known{tensor: t})
	}
	t.SetHandle(h)
	t.Hold() // a gradient that the program has must not be changed by the engine
	return h, true
}

// slot is where the tensor of a handle is kept.
func (o *objects) slot(h uint32) *known {
	if h >= ownHandles {
		return &o.own[h-ownHandles]
	}
	return &o.tensors[h]
}

// nodeHandle is tensorHandle for nodes.
func (o *objects) nodeHandle(n *autograd.Node) uint32 {
	h := n.Handle()
	if h != 0 {
		return h
	}
	if k := len(o.freeNodes); k > 0 {
		h = o.freeNodes[k-1]
		o.freeNodes = o.freeNodes[:k-1]
		o.nodes[h] = n
	} else {
		h = uint32(len(o.nodes))
		o.nodes = append(o.nodes, n)
	}
	n.SetHandle(h)
	return h
}

// hold keeps something for the program and returns its number.
func (o *objects) hold(v any) int {
	o.lastHeld++
	o.held[o.lastHeld] = v
	return o.lastHeld
}

// adopt gives a new tensor the handle h, a negative one, that Python has chosen for it.
func (o *objects) adopt(h int, t *autograd.Tensor, layout layoutID) error {
	i := -h
	if i <= 0 || i > len(o.own)+mostSkipped {
		return marshal.Damaged("handle", nil)
	}
	for i >= len(o.own) {
		o.own = append(o.own, known{})
	}
	o.own[i] = known{t, layout}
	t.SetHandle(ownHandles + uint32(i))
	t.Hold()
	return nil
}

// tensor is the tensor of a handle as Python knows it, or nil.
func (o *objects) tensor(h int) *autograd.Tensor {
	list, i := o.tensors, h
	if h < 0 {
		list, i = o.own, -h
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i].tensor
}

// dropTensor forgets a tensor.
func (o *objects) dropTensor(t *autograd.Tensor) {
	h := t.Handle()
	*o.slot(h) = known{}
	if h < ownHandles {
		o.freeTensors = append(o.freeTensors, h)
	}
	t.SetHandle(0)
	t.Release()
}

// dropNode forgets the node of a handle.
func (o *objects) dropNode(h int) {
	if h < len(o.nodes) && o.nodes[h] != nil {
		o.nodes[h].SetHandle(0)
		o.nodes[h] = nil
		o.freeNodes = append(o.freeNodes, uint32(h))
	}
}

// pythonHandle is a handle as Python knows it.
func pythonHandle(h uint32) int {
	if h >= ownHandles {
		return -int(h - ownHandles)
	}
	return int(h)
}

// roots are the tensors and nodes that the program has, without one.
func (o *objects) roots(kind, without int) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, list := range [][]known{o.own, o.tensors} {
			for i := range list {
				t := list[i].tensor
				if t == nil || kind == protocol.HeldByTensor && pythonHandle(t.Handle()) == without {
					continue
				}
				if !yield(t) {
					return
				}
			}
		}
		for i, n := range o.nodes {
			if n != nil && !(kind == protocol.HeldByNode && i == without) && !yield(n) {
				return
			}
		}
	}
}
