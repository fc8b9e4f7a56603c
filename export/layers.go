package export

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// layers are the boxes of the style layers: a selection of its own, each node of which
// stands for one or more nodes of the graph. Its edges still lead to nodes of the graph,
// and selection.at finds the box that such a node is in.
type layers struct {
	*selection            // one node for each box: the newest node that it stands for
	all        *selection // of the graph
	boxes      []layer    // by position
	senders    []sender   // by edge: which edge of which node it is
}

// A layer is one box.
type layer struct {
	members []int32          // positions in layers.all, ascending
	call    graph.ModuleID   // the call that it is; zero: it is an operation
	name    string           // of the function that an operation belongs to; "": its own
	params  []graph.TensorID // parameters that it reads
	data    []graph.TensorID // tensors that it reads and that need no gradient
	hidden  int              // nodes that only change how elements are addressed
}

// A sender is an edge of a node of the graph.
type sender struct {
	node graph.NodeID
	edge int32
}

// layered finds the boxes of the style layers:
//
//   - A call of a module is one box if no other call that made nodes is in it, and if one
//     place of the program called all its operations. That is how a layer of a library looks
//     from the program; a module of the program has lines of its own.
//   - A loss that a library computes in two nodes is one box.
//   - Nodes that only change how elements are addressed have none. They belong to the box
//     that their input is from.
//   - A parameter is a line in the boxes that read it. Other leaves have boxes.
//   - Each other node is a box.
func (s *selection) layered() *layers {
	l := s.contracted(s.layerCalls())
	if !l.ordered() { // a call that another thread computes in
		l = s.contracted(nil)
	}
	l.findData()
	l.findPending()
	return l
}

// layerCalls returns the calls that are boxes, by position of the node; zero: none.
func (s *selection) layerCalls() []graph.ModuleID {
	calls := s.calls()
	sites := make([]graph.Frame, len(calls.List))
	const unknown, one, several = 0, 1, 2
	count := make([]uint8, len(calls.List))
	inner := make([]bool, len(calls.List))
	for i, n := range s.nodes {
		at := calls.At(n.module)
		if n.leaf != 0 || at == arrange.Outside {
			continue
		}
		site := s.site(i)
		switch {
		case count[at] == unknown:
			sites[at], count[at] = site, one
		case sites[at] != site:
			count[at] = several
		}
	}
	for at := len(calls.List) - 1; at >= 0; at-- {
		if outer := calls.List[at].Outer; outer != arrange.Outside && (count[at] != unknown || inner[at]) {
			inner[outer] = true
		}
	}
	of := make([]graph.ModuleID, len(s.nodes))
	for i, n := range s.nodes {
		if at := calls.At(n.module); n.leaf == 0 && at != arrange.Outside && count[at] == one && !inner[at] {
			of[i] = calls.List[at].ID
		}
	}
	return of
}

// site is the place in the program that made the node at a position.
func (s *selection) site(i int) graph.Frame {
	h, _, _ := s.g.NodeOrigin(s.nodes[i].id)
	return s.g.Tape().Stack(h.Stack).Top()
}

// nodeName is the name of the node at a position: "AddmmBackward0".
func (s *selection) nodeName(i int) string {
	_, made, ok := s.g.NodeOrigin(s.nodes[i].id)
	if !ok {
		return ""
	}
	return s.g.Tape().String(made.Name)
}

// kindOf is the kind of the node at a position.
func (s *selection) kindOf(i int) opKind {
	if s.nodes[i].function {
		return otherOp
	}
	if s.kinds == nil {
		s.kinds = make([]opKind, len(s.nodes))
	}
	if s.kinds[i] == 0 {
		s.kinds[i] = opKinds[arrange.Operation(s.nodeName(i))] + 1
	}
	return s.kinds[i] - 1
}

// isParameter reports whether the node at a position accumulates the gradient of a parameter.
func (s *selection) isParameter(i int) bool {
	t, ok := s.g.Tensor(s.nodes[i].leaf)
	return ok && t.Flags&graph.FlagParameter != 0
}

// contracted makes the boxes, given the calls that are boxes by position of the node.
func (s *selection) contracted(calls []graph.ModuleID) *layers {
	c := contraction{
		layers: &layers{all: s, selection: &selection{g: s.g, names: s.names, roots: s.roots, decoder: s.decoder}},
		boxOf:  make([]int32, len(s.nodes)), reads: make([]graph.TensorID, len(s.nodes)), byCall: map[graph.ModuleID]int32{},
	}
	for i := range s.nodes {
		call := graph.ModuleID(0)
		if calls != nil {
			call = calls[i]
		}
		c.place(int32(i), call)
	}
	return c.finish()
}

// A contraction is how the boxes are made: nodes come in the order of creation.
type contraction struct {
	*layers
	boxOf  []int32          // by position of the node; -1: it has none
	reads  []graph.TensorID // by position: the parameter that a node without a box gives
	byCall map[graph.ModuleID]int32
}

func (c *contraction) open(i int32, box layer) {
	c.boxOf[i] = int32(len(c.boxes))
	c.boxes = append(c.boxes, box)
}

// place finds the box of a node.
func (c *contraction) place(i int32, call graph.ModuleID) {
	s := c.all
	c.boxOf[i] = -1
	switch {
	case s.nodes[i].leaf != 0:
		if s.isParameter(int(i)) {
			c.reads[i] = s.nodes[i].leaf
			return
		}
		c.open(i, layer{})
	case call != 0:
		if at, ok := c.byCall[call]; ok {
			c.boxOf[i] = at
		} else {
			c.open(i, layer{call: call})
			c.byCall[call] = c.boxOf[i]
		}
	case s.kindOf(int(i)) == hiddenOp && c.follow(i):
		return
	default:
		if into, name := c.composite(int(i)); into >= 0 {
			c.boxOf[i] = into
			c.boxes[into].name = name
		} else {
			c.open(i, layer{})
		}
	}
	box := &c.boxes[c.boxOf[i]]
	box.members = append(box.members, i)
	for _, e := range s.next(int(i)) {
		if from := s.at(e.Node); from >= 0 && c.reads[from] != 0 && !slices.Contains(box.params, c.reads[from]) {
			box.params = append(box.params, c.reads[from])
		}
	}
}

// follow gives a node that is not drawn the box of its input, or the parameter that it is a
// view of; it reports whether there is one.
func (c *contraction) follow(i int32) bool {
	for _, e := range c.all.next(int(i)) {
		from := c.all.at(e.Node)
		if from < 0 {
			continue
		}
		c.boxOf[i], c.reads[i] = c.boxOf[from], c.reads[from]
		if c.boxOf[i] >= 0 {
			box := &c.boxes[c.boxOf[i]]
			box.members = append(box.members, i)
			box.hidden++
		}
		return true
	}
	return false
}

// composites are functions of libraries that are two nodes: the second, the first, and the
// function.
var composites = [...]struct{ last, first, name string }{
	{"NllLoss", "LogSoftmax", "cross_entropy"},
	{"NllLoss2D", "LogSoftmax", "cross_entropy"},
	{"NllLossNd", "LogSoftmax", "cross_entropy"},
}

// composite returns the box of the node before if it is one function with this one: the same
// place of the program called both. Else it returns -1.
func (c *contraction) composite(i int) (box int32, name string) {
	edges := c.all.next(i)
	if len(edges) == 0 {
		return -1, ""
	}
	from := c.all.at(edges[0].Node)
	if from < 0 || c.boxOf[from] < 0 || c.boxes[c.boxOf[from]].call != 0 {
		return -1, ""
	}
	for _, f := range composites {
		if arrange.Operation(c.all.nodeName(i)) == f.last && arrange.Operation(c.all.nodeName(from)) == f.first && c.all.site(i) == c.all.site(from) {
			return c.boxOf[from], f.name
		}
	}
	return -1, ""
}

// finish puts the boxes in the order of the newest nodes in them that have results of their
// own, and connects them.
func (c *contraction) finish() *layers {
	s, l := c.all, c.layers
	order := make([]int32, len(l.boxes))
	for i := range order {
		order[i] = int32(i)
	}
	newest := make([]int32, len(l.boxes))
	for box := range l.boxes {
		members := l.boxes[box].members
		newest[box] = members[len(members)-1]
		for _, i := range slices.Backward(members) {
			if s.kindOf(int(i)) != hiddenOp {
				newest[box] = i
				break
			}
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return int(newest[a]) - int(newest[b]) })
	boxes, places := make([]layer, len(order)), make([]int32, len(order))
	for at, box := range order {
		boxes[at], places[box] = l.boxes[box], int32(at)
	}
	l.boxes = boxes
	l.index = make([]int32, len(s.index))
	for i, n := range s.nodes {
		if c.boxOf[i] >= 0 {
			l.index[n.id] = places[c.boxOf[i]] + 1
		}
	}
	for at := range l.boxes {
		l.connect(at, s.nodes[newest[order[at]]])
	}
	return l
}

// connect adds the node of a box, with the edges that lead out of it.
func (l *layers) connect(at int, n selected) {
	b := &l.boxes[at]
	n.first, n.function = uint32(len(l.edges)), n.function && b.call == 0
	if b.call != 0 {
		n.module = l.g.ModuleOuter(b.call)
	}
	n.saved, n.outputs = 0, 1
	for _, i := range b.members {
		id := l.all.nodes[i].id
		for k, e := range l.all.next(int(i)) {
			if to := l.at(e.Node); to >= 0 && to != at {
				l.edges = append(l.edges, e)
				l.senders = append(l.senders, sender{id, int32(k)})
			}
		}
	}
	n.edges = uint32(len(l.edges)) - n.first
	l.nodes = append(l.nodes, n)
}

// ordered reports whether each box comes after those that it gets its inputs from.
func (l *layers) ordered() bool {
	for at := range l.nodes {
		for _, e := range l.next(at) {
			if l.at(e.Node) > at {
				return false
			}
		}
	}
	return true
}

// findData finds the tensors that boxes read and that need no gradient: the operations on
// the tape have them among their inputs.
func (l *layers) findData() {
	from := l.g.Pos()
	for _, n := range l.all.nodes {
		if made, ok := l.g.Node(n.id); ok {
			from = min(from, made.Created)
		}
	}
	for p := from; p < l.g.Pos(); p++ {
		if kind, err := l.decoder.Kind(p); err != nil || kind != graph.KindOpRan {
			continue
		}
		_, e, err := l.decoder.ReadUntimed(p)
		if err != nil {
			continue
		}
		op := e.(*graph.OpRan)
		at := l.at(op.Node)
		if op.Node == 0 || at < 0 {
			continue
		}
		for _, id := range op.Inputs {
			if b := &l.boxes[at]; l.isData(id, b) && !slices.Contains(b.data, id) {
				b.data = append(b.data, id)
			}
		}
	}
}

// isData reports whether a tensor that a box reads is one that the program passed in: no
// number, nothing that was made on the way, and not a buffer of the layer.
func (l *layers) isData(id graph.TensorID, b *layer) bool {
	t, ok := l.g.Tensor(id)
	if !ok || t.Node != 0 || t.RequiresGrad || t.Flags&graph.FlagNumber != 0 {
		return false
	}
	if b.call == 0 {
		return true
	}
	m, ok := l.g.Module(b.call)
	return ok && t.Created < m.Entered && !isAttribute(l.name(&t)) && (t.Name != "" || l.all.kindOf(int(b.members[0])) != normOp)
}

// maxPast bounds how far back the name of a data input is looked for.
const maxPast = 8

// origin is the named tensor that a data input shows the elements of, or the data input
// itself: a batch may be sliced and reshaped on its way.
func (l *layers) origin(id graph.TensorID) graph.TensorID {
	at := id
	for range maxPast {
		t, ok := l.g.Tensor(at)
		switch {
		case !ok || t.Node != 0 || t.RequiresGrad:
			return id
		case strings.TrimSpace(l.name(&t)) != "" && t.Base == 0:
			return at
		case t.Base != 0:
			at = t.Base
			continue
		}
		op, ok := l.maker(&t)
		if !ok || len(op.Inputs) == 0 || !movesOnly(l.g.Tape().String(op.Op)) {
			return id
		}
		at = op.Inputs[0]
	}
	return id
}

// maker is the operation that made a tensor: it is announced soon after the tensor.
func (s *selection) maker(t *graph.Tensor) (*graph.OpRan, bool) {
	for p := t.Created + 1; p <= t.Created+maxPast && p < s.g.Pos(); p++ {
		if kind, err := s.decoder.Kind(p); err != nil || kind != graph.KindOpRan {
			continue
		}
		_, e, err := s.decoder.ReadUntimed(p)
		if err != nil {
			return nil, false
		}
		op := e.(*graph.OpRan)
		return op, slices.Contains(op.Outputs, t.ID)
	}
	return nil, false
}

// isAttribute reports whether a name is the name of something in an object.
func isAttribute(name string) bool { return strings.Contains(name, ".") }

// lastPart is the name of an attribute without its object: "weight" of "model.stem[1].weight".
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
