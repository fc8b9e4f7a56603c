package pytorch

import (
	"math"

	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/graph"
)

// A signature is what operations that look alike have in common. Tensors are given by their
// positions among those that the record of an operation names.
type signature struct {
	op      graph.StringID
	inputs  []int // positions of the operands, in the order of the parameters; -1 - k: number k
	numbers []number
	attrs   []graph.Attr
	outs    []signatureOut
	nodes   []signatureNode
	order   []int // of the nodes: those that others lead to first
	rebases []formRebase
	hidden  bool // the program did not call it
	detach  bool // the values go on without the gradient
	zeroes  bool // what it changes is zero afterwards
	apart   bool // each result comes from the operand at its place, and from no other

	needIns, needExtra int   // how many the record of an operation must have
	needed             []int // positions where there must be an operand
	explicit           []int // positions of the extra references to saved tensors
	private            int   // saved tensors that only the graph holds
	fresh              int   // new results
	oldest             int   // how far the sequence number of a node is behind at most
}

// A signatureOut is a result.
type signatureOut struct {
	same   int // position of the operand that it is; -1: it is new
	layout *layout
	from   int  // position of the operand whose memory it shares; -1: it has its own
	counts bool // it shares the version counter as well
	node   int  // its grad_fn: position in the signature; -1: it has none
	nr     uint32
	flags  graph.TensorFlags
	view   graph.ViewKind
	offset int
	at     uint32 // its version, if it has a counter of its own
	fresh  int    // how many new results come before
}

// A signatureNode is a node that the operation makes.
type signatureNode struct {
	name    graph.StringID
	back    int // how far its sequence number is behind the record's
	outputs int
	edges   []formRef
	below   []int // positions of the nodes that edges lead to
	saved   []formRef
	attrs   []graph.Attr
	results []graph.Result // what no tensor of the operation says
	frees   bool           // there is something to free when it has run
}

// A formRef is an edge or a saved tensor.
type formRef struct {
	name  graph.StringID // of a saved tensor
	kind  int
	index int     // of what, as kind says
	nr    uint32  // of an edge; of a protocol.SavedView, the operand; of a protocol.SavedPrivate, its version
	saved *layout // of a saved tensor that only the graph holds
}

// savedNumber is the kind of a saved tensor that was made of a number; records do not have it.
const savedNumber = -1

// A formRebase is an operand, or the base of one, that gets another grad_fn.
type formRebase struct {
	operand int
	base    bool
	node    int // -1: none
	nr      uint32
	why     graph.RebaseReason
}

// Bounds on what a signature may describe.
const (
	mostSignatures = 1 << 16 // at a time
	mostNodes      = 1 << 16
	mostParts      = 1 << 18 // edges, saved tensors and results
)

// defineSignature takes a signature: number, operation, arguments, results, nodes, rebases, flags.
func (t *Translator) defineSignature(f *fields) {
	number, op := f.bounded(0, 0, mostSignatures), nameOf(f.text(1))
	part, apart := eachApart[op]
	if !apart {
		part = op
	}
	m := &signature{op: t.batch.String(part), hidden: f.int(6)&protocol.SignatureSilent != 0, detach: op == "detach", zeroes: op == "zero_", apart: apart}
	args := f.inner(2)
	for i := range args.v {
		arg := args.inner(i)
		m.argument(&arg, op, arg.text(0), 1)
		args.bad = args.bad || arg.bad
	}
	outs, nodes, rebases := f.inner(3), f.inner(4), f.inner(5)
	f.bad = f.bad || args.bad || outs.bad || nodes.bad || rebases.bad || len(nodes.v) > mostNodes || len(outs.v) > mostParts
	for i := range outs.v {
		m.outs = append(m.outs, m.out(outs.inner(i), len(nodes.v), &f.bad))
	}
	parts := 0
	for i := range nodes.v {
		if f.bad {
			break
		}
		m.nodes = append(m.nodes, m.node(nodes.inner(i), len(nodes.v), &f.bad))
		parts += len(m.nodes[i].edges) + len(m.nodes[i].saved)
	}
	for i := range rebases.v {
		r := rebases.inner(i)
		target := r.bounded(0, 0, 1)
		m.rebases = append(m.rebases, formRebase{
			operand: m.needs(&r, 1), base: target == 1, node: r.bounded(2, -1, len(nodes.v)-1),
			nr: uint32(r.count(3)), why: enum(&r, 4, graph.RebasedInPlace, graph.RebasedExisting),
		})
		f.bad = f.bad || r.bad
	}
	if f.bad = f.bad || parts > mostParts; f.bad {
		return
	}
	m.describeOnce()
	var ok bool
	if m.order, ok = inwards(len(m.nodes), func(i int) []int { return m.nodes[i].below }); !ok {
		f.bad = true
		return
	}
	t.signatures[number] = m
}

// describeOnce drops the description of results that are tensors of the operation: readers
// find these with the node that the operation's event names.
func (m *signature) describeOnce() {
	tensors := map[[2]int]bool{} // the results that are, by node and number
	first := -1
	take := func(node int, nr uint32) {
		if node >= 0 {
			tensors[[2]int{node, int(nr)}] = true
		}
		if first < 0 {
			first = node
		}
	}
	for _, o := range m.outs {
		if o.same < 0 {
			take(o.node, o.nr)
			continue
		}
		for _, r := range m.rebases {
			if r.operand == o.same && !r.base {
				take(r.node, r.nr)
			}
		}
	}
	if first < 0 {
		return
	}
	n := &m.nodes[first]
	for nr := range n.outputs {
		if !tensors[[2]int{first, nr}] {
			return
		}
	}
	n.results = nil
}

// operand is part i, the position of an operand, which may be None.
func (m *signature) operand(f *fields, i int) int {
	k := f.bounded(i, 0, mostParts)
	m.needIns = max(m.needIns, k+1)
	return k
}

// needs is part i, the position of an operand that is there.
func (m *signature) needs(f *fields, i int) int {
	k := m.operand(f, i)
	m.needed = append(m.needed, k)
	return k
}

// extra is part i, a position among the extra references.
func (m *signature) extra(f *fields, i int) int {
	k := f.bounded(i, 0, mostParts)
	m.needExtra = max(m.needExtra, k+1)
	return k
}

// argument reads what was given for a parameter: part i.
func (m *signature) argument(f *fields, op, name string, i int) {
	spec := f.inner(i)
	switch spec.text(0) {
	case "t":
		m.inputs = append(m.inputs, m.operand(&spec, 1))
	case "l":
		list := spec.inner(1)
		for j := range list.v {
			m.argument(&list, op, name, j)
		}
		spec.bad = spec.bad || list.bad
	default:
		if n, ok := numberOf(op, name, spec.v); ok {
			m.numbers = append(m.numbers, n)
			m.inputs = append(m.inputs, -len(m.numbers))
			break
		}
		value, ok := attrOf(spec.v)
		m.attrs = append(m.attrs, graph.Attr{Name: f.t.batch.String(name), AttrValue: value})
		spec.bad = spec.bad || !ok
	}
	f.bad = f.bad || spec.bad
}

// out reads a result of an operation that makes some nodes.
func (m *signature) out(f fields, nodes int, bad *bool) (o signatureOut) {
	o = signatureOut{same: -1, from: -1, node: -1}
	switch f.text(0) {
	case "in":
		o.same = m.needs(&f, 1)
	case "new":
		o.layout = f.t.layouts[f.int(1)]
		f.bad = f.bad || o.layout == nil
		switch share := f.bounded(2, -2-mostParts, mostParts); {
		case share >= 0:
			o.from, o.counts = share, true
		case share < -1:
			o.from = -2 - share
		}
		if o.from >= 0 {
			m.needIns, m.needed = max(m.needIns, o.from+1), append(m.needed, o.from)
		}
		o.node, o.nr = f.bounded(3, -1, nodes-1), uint32(f.count(4))
		o.flags = enum[graph.TensorFlags](&f, 5, 0, math.MaxUint8)
		o.view = enum[graph.ViewKind](&f, 6, 0, graph.InferenceView)
		o.offset = f.bounded(7, 0, maxOffset)
		if f.given(8) {
			o.at = uint32(f.count(8))
		}
		if o.node < 0 {
			o.nr = 0
		}
		f.bad = f.bad || o.view != graph.NotAView && o.from < 0
		o.fresh = m.fresh
		m.fresh++
	default:
		f.bad = true
	}
	*bad = *bad || f.bad
	return o
}

// node reads one of a number of nodes.
func (m *signature) node(f fields, nodes int, bad *bool) (n signatureNode) {
	n = signatureNode{name: f.t.batch.String(f.text(0)), back: f.bounded(1, 0, math.MaxInt32), outputs: f.count(2), attrs: f.attrs(5)}
	n.results = f.results(7, n.outputs)
	m.oldest = max(m.oldest, n.back)
	edges := f.inner(3)
	for i := range edges.v {
		e := edges.inner(i)
		ref := formRef{kind: e.int(0)}
		switch ref.kind {
		case protocol.EdgeOperand:
			ref.index = m.needs(&e, 1)
		case protocol.EdgeInner:
			ref.index, ref.nr = e.bounded(1, 0, nodes-1), uint32(e.count(2))
			n.below = append(n.below, ref.index)
		case protocol.EdgeAbsolute:
			ref.index = m.extra(&e, 1)
		case protocol.EdgeNone:
		default:
			e.bad = true
		}
		edges.bad = edges.bad || e.bad
		n.edges = append(n.edges, ref)
	}
	saved := f.inner(4)
	for i := range saved.v {
		s := saved.inner(i)
		ref := formRef{name: f.t.batch.String(s.text(0)), kind: s.int(1)}
		switch ref.kind {
		case protocol.SavedOperand:
			ref.index = m.needs(&s, 2)
		case protocol.SavedOutput:
			ref.index = s.bounded(2, 0, len(m.outs)-1)
		case protocol.SavedPrivate:
			ref.saved, ref.index = f.t.layouts[s.int(2)], m.private
			if s.given(3) {
				ref.nr = uint32(s.count(3))
			}
			s.bad = s.bad || ref.saved == nil
			if k := m.saves(ref.saved); k >= 0 {
				ref.kind, ref.index = savedNumber, k
				break
			}
			m.private++
		case protocol.SavedView:
			view := s.inner(2)
			ref.saved, ref.index, ref.nr = f.t.layouts[view.int(0)], m.private, uint32(m.needs(&view, 1))
			s.bad = s.bad || view.bad || ref.saved == nil
			m.private++
		case protocol.SavedExplicit:
			ref.index = m.extra(&s, 2)
			m.explicit = append(m.explicit, ref.index)
		case protocol.SavedNothing:
		default:
			s.bad = true
		}
		saved.bad = saved.bad || s.bad
		n.saved = append(n.saved, ref)
	}
	n.frees = len(n.saved) > 0 || f.text(0) == copySlices
	*bad = *bad || f.bad || edges.bad || saved.bad
	return n
}
