package audit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A NodeCheck compares what a node sent on in a backward pass with the derivative of its operation.
type NodeCheck struct {
	Node      graph.NodeID
	Name      string
	At        graph.Pos // where the operation ran
	Frame     graph.Frame
	Backward  graph.BackwardID // the pass, the last one that executed the node
	Arguments []ArgumentCheck
	Tolerance float64 // relative to the largest element of an argument's gradient
}

// An ArgumentCheck is a node's gradient for one argument of its operation.
type ArgumentCheck struct {
	Tensor   graph.TensorID
	Shape    []int
	Elements []ElementCheck // all, or some that were drawn at random, in row-major order
	Error    float64        // the largest difference, relative to the largest element
}

// An ElementCheck is one element of a gradient.
type ElementCheck struct {
	Index               int // in row-major order
	Expected, Delivered float64
}

// Each element is checked by a derivative of its own: all of an argument that has at most mostElements, else drawn ones.
const (
	mostElements = 64
	drawn        = 16
)

// Wrong reports whether the node delivered something else than the derivative.
func (c *NodeCheck) Wrong() bool {
	return slices.ContainsFunc(c.Arguments, func(a ArgumentCheck) bool { return a.Error > c.Tolerance })
}

// Check checks a node against its operation: the gradient that came in, with the derivative of the operation at the operands
// that it had, by forward mode, or by central differences where the engine has none.
func Check(tape *graph.Tape, id graph.NodeID) (*NodeCheck, error) {
	c := &checker{machine: newMachine(tape, Step{}, uint64(id)), dec: tape.NewDecoder(), id: id, at: -1}
	if err := c.find(); err != nil {
		return nil, err
	}
	return c.check()
}

// A checker checks one node.
type checker struct {
	*machine
	dec   *graph.Decoder
	id    graph.NodeID
	at    graph.Pos // of the operation
	asked *pass     // the last one that executed the node
	end   graph.Pos // behind that pass
}

// find finds the operation of the node, and the last pass that executed it.
func (c *checker) find() error {
	created := false
	for p := range c.tape.Len() {
		_, e, err := c.dec.Brief(p)
		if err != nil {
			return err
		}
		switch e := e.(type) {
		case *graph.NodeCreated:
			if e.Node == c.id {
				created = true
				if e.Variable != 0 {
					return fmt.Errorf("n%d accumulates the gradient of a leaf: it has no operation", c.id)
				}
			}
		case *graph.OpRan:
			if created && c.at < 0 {
				c.at = p
			}
		case *graph.NodeExecuted:
			if e.Node == c.id {
				c.asked = &pass{id: e.Backward, executed: map[graph.NodeID]*graph.NodeExecuted{}}
			}
			if c.asked != nil && e.Backward == c.asked.id {
				c.end = p + 1
			}
		}
	}
	switch {
	case !created:
		return fmt.Errorf("there is no node n%d on the tape", c.id)
	case c.at < 0:
		return fmt.Errorf("the operation of n%d is not on the tape", c.id)
	case c.asked == nil:
		return fmt.Errorf("no backward pass has executed n%d yet: there is nothing to compare", c.id)
	}
	c.step.End = c.at + 1
	return nil
}

func (c *checker) check() (*NodeCheck, error) {
	begin, err := c.begin()
	if err != nil {
		return nil, err
	}
	var columns []probe
	for p := range c.end {
		h, e, err := c.tape.At(p)
		if err != nil {
			return nil, err
		}
		if p == begin {
			if columns, err = c.probe(); err != nil {
				return nil, err
			}
			c.running = true
		}
		if p <= c.at {
			c.take(origin{p, h.Stack}, e)
		} else {
			c.follow(e)
		}
	}
	return c.compare(columns)
}

// begin is where the operation begins: with the first one in the forward of a custom Function, which come right before it.
func (c *checker) begin() (graph.Pos, error) {
	h, e, err := c.dec.Read(c.at)
	if err != nil {
		return 0, err
	}
	if op, ok := e.(*graph.OpRan); !ok || !c.isFunction(c.dec, c.at, op) {
		return c.at, nil
	}
	return c.findForward(c.dec, c.at, h.Stack)
}

// A probe is an element of an argument, which is moved in a column of its own.
type probe struct {
	tensor  graph.TensorID
	element int
	column  column
}

// probe gives elements of the arguments their columns.
func (c *checker) probe() (list []probe, err error) {
	_, e, err := c.tape.At(c.at)
	if err != nil {
		return nil, err
	}
	op, ok := e.(*graph.OpRan)
	if !ok {
		return nil, errors.New("the tape changes while it is read")
	}
	asked := map[graph.TensorID]bool{}
	for _, id := range op.Inputs {
		t := c.tensors[id]
		if t == nil || asked[id] || !t.dtype.IsFloat() || t.node == 0 && !t.requires {
			continue
		}
		asked[id] = true
		if t.memory.blank {
			return nil, ErrValues
		}
		now := t.read()
		for _, i := range some(t.count(), uint64(c.id)) {
			k := column(len(c.cuts))
			c.cuts = append(c.cuts, &Cut{})
			direction := make([]float64, t.count())
			direction[i] = 1
			now.add(k, direction, 1)
			list = append(list, probe{id, i, k})
		}
		t.write(now)
	}
	return list, nil
}

// some are the numbers below n, or as many of them as are checked.
func some(n int, seed uint64) []int {
	if n <= mostElements {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		return list
	}
	list := rand.New(rand.NewPCG(seed, 17)).Perm(n)[:drawn]
	slices.Sort(list)
	return list
}

// follow notes what the pass did with the node.
func (c *checker) follow(e graph.Event) {
	switch e := e.(type) {
	case *graph.NodeCreated:
		c.note(e)
	case *graph.BackwardBegan:
		if e.Backward == c.asked.id {
			c.asked.roots = slices.Clone(e.Roots)
		}
	case *graph.NodeExecuted:
		if e.Backward == c.asked.id {
			c.asked.ran(e)
		}
	}
}

// compare compares what the node sent on with the derivative of its operation.
func (c *checker) compare(columns []probe) (*NodeCheck, error) {
	n := c.nodes[c.id]
	if n == nil || n.op == nil {
		if len(c.gaps) > 0 {
			return nil, fmt.Errorf("the operation of n%d cannot be run again: %s: %s", c.id, c.gaps[0].What, c.gaps[0].Why)
		}
		return nil, fmt.Errorf("the operation of n%d is not one that can be run again", c.id)
	}
	op := n.op
	if op.rebased {
		return nil, fmt.Errorf("the operation of n%d is in place: it is not checked, because its argument has become its result", c.id)
	}
	if len(c.gaps) > 0 { // within a Function
		return nil, fmt.Errorf("the forward of n%d cannot be run again: %s: %s", c.id, c.gaps[0].What, c.gaps[0].Why)
	}
	r := &NodeCheck{Node: c.id, Name: n.name, At: op.made.at, Frame: c.frame(op.made.stack), Backward: c.asked.id}
	arrived := c.arrivals(c.asked)
	for _, in := range op.ins {
		if slices.ContainsFunc(r.Arguments, func(a ArgumentCheck) bool { return a.Tensor == in.tensor }) {
			continue
		}
		delivered := c.delivered(op, in)
		if delivered == nil {
			continue
		}
		t := c.tensors[in.tensor]
		a := ArgumentCheck{Tensor: in.tensor, Shape: slices.Clone(t.shape)}
		largest, worst := 0.0, 0.0
		for _, p := range columns {
			if p.tensor != in.tensor || p.element >= len(delivered) {
				continue
			}
			x := ElementCheck{Index: p.element, Delivered: delivered[p.element]}
			for _, out := range op.outs {
				ran, to := c.asked.executed[out.edge.Node], c.tensors[out.tensor]
				if ran == nil || to == nil {
					continue
				}
				u := came(ran, out.edge, arrived)
				if u == nil {
					return nil, ErrValues
				}
				sum, _ := dot(u, to.read().tangents[p.column])
				x.Expected += sum
			}
			largest = max(largest, abs(x.Expected), abs(x.Delivered))
			worst = max(worst, abs(x.Expected-x.Delivered))
			a.Elements = append(a.Elements, x)
		}
		if largest > 0 {
			a.Error = worst / largest
		}
		r.Tolerance = max(r.Tolerance, 1e4*epsilon(t.dtype))
		r.Arguments = append(r.Arguments, a)
	}
	if len(r.Arguments) == 0 {
		return nil, fmt.Errorf("n%d has sent no gradient whose elements are on the tape: record the program with --values full", c.id)
	}
	return r, nil
}

// delivered sums up what the nodes of an operation sent to one of its arguments; nil: nothing that is on the tape.
func (c *checker) delivered(op *operation, in end) (sum []float64) {
	for _, id := range op.nodes {
		ran := c.asked.executed[id]
		if ran == nil {
			continue
		}
		for i, edge := range c.nodes[id].edges {
			to := c.nodes[edge.Node]
			if edge.Node == 0 || i >= len(ran.Out) || !ran.Out[i].Value.Whole() || edge != in.edge && (to == nil || to.variable == 0 || to.variable != in.tensor) {
				continue
			}
			if sum == nil {
				sum = make([]float64, len(ran.Out[i].Value.First))
			}
			for n := range min(len(sum), len(ran.Out[i].Value.First)) {
				sum[n] += ran.Out[i].Value.First[n]
			}
		}
	}
	return sum
}
