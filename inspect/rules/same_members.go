package rules

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file finds members of an ensemble that are one module, for symmetric-init: `[make()] * 2`. A program may
// compute one thing twice; but it has no use for putting results together that are equal by construction.

// sameMembers gives tensors a number, so that tensors with one number hold the same values: one operation made
// them, with the same arguments, of tensors with the same numbers.
type sameMembers struct {
	check   *inspect.Checker
	numbers map[graph.TensorID]numbered       // of what the listed operations made
	written map[graph.StorageID]graph.Pos     // the newest write to each storage
	layers  map[graph.TensorID]graph.TensorID // the weight that was the last to go into a tensor with a number
	found   map[graph.StackID]*gathering
	order   []graph.StackID
}

// A numbered tensor got its number at an event. A later write to its storage makes it another one.
type numbered struct {
	number uint64
	at     graph.Pos
}

// A gathering is an operation that puts equal results together.
type gathering struct {
	first  visit
	name   string
	count  int            // of results
	weight graph.TensorID // that went into them
	times  int
}

// pure are the operations whose results depend on their arguments alone, all of which are on the tape.
var pure = words(`addmm mm matmul bmm linear convolution conv1d conv2d conv3d t transpose view reshape flatten squeeze
	unsqueeze contiguous relu leaky_relu tanh sigmoid gelu silu elu softplus softmax log_softmax add sub mul div neg exp
	cat stack embedding layer_norm group_norm mean sum`)

// gathers are the operations that put the results of members together.
var gathers = words("stack cat minimum maximum min max add")

func newSameMembers(check *inspect.Checker) *sameMembers {
	return &sameMembers{
		check: check, numbers: map[graph.TensorID]numbered{}, written: map[graph.StorageID]graph.Pos{},
		layers: map[graph.TensorID]graph.TensorID{}, found: map[graph.StackID]*gathering{},
	}
}

// Event follows operations of the program, and what is written.
func (w *sameMembers) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.OpRan:
		if w.check.Running() == 0 && len(e.Mutated) == 0 && len(e.Outputs) > 0 {
			w.ran(visit{p, head.Stack}, e)
		}
	case *graph.Mutated:
		w.written[w.check.Tensor(e.Tensor).Storage] = p
	case *graph.TensorReleased:
		delete(w.numbers, e.Tensor)
		delete(w.layers, e.Tensor)
		w.release(w.check.Tensor(e.Tensor).Storage)
	}
}

// release forgets the writes to a storage that no tensor of the program shows.
func (w *sameMembers) release(s graph.StorageID) {
	if _, ok := w.written[s]; !ok {
		return
	}
	if !slices.ContainsFunc(w.check.Sharing(s), func(id graph.TensorID) bool { return w.check.Tensor(id).Released < 0 }) {
		delete(w.written, s)
	}
}

func (w *sameMembers) ran(here visit, e *graph.OpRan) {
	name := w.check.Tape().String(e.Op)
	if e.Node != 0 && gathers[name] {
		w.gather(here, name, e)
	}
	if !pure[name] {
		return
	}
	var parts []uint64
	weight := graph.TensorID(0)
	for _, in := range e.Inputs {
		parts = append(parts, w.number(in))
		if learned(w.check.History, in) {
			weight = in
		} else if weight == 0 {
			weight = w.layers[in]
		}
	}
	for _, n := range w.check.Tensor(e.Outputs[0]).Shape {
		parts = append(parts, uint64(n))
	}
	for _, a := range e.Attrs {
		parts = append(parts, uint64(a.Name))
		for _, n := range a.Ints {
			parts = append(parts, uint64(n))
		}
		for _, x := range a.Floats {
			parts = append(parts, math.Float64bits(x))
		}
	}
	out := e.Outputs[0]
	w.numbers[out] = numbered{hashed(name, e.Attrs, parts...), here.at}
	if weight != 0 && e.Node != 0 {
		w.layers[out] = weight
	}
}

// number returns what stands for the values of a tensor.
func (w *sameMembers) number(id graph.TensorID) uint64 {
	if n, ok := w.made(id); ok {
		return n
	}
	return hashed("tensor", nil, uint64(id), uint64(w.written[w.check.Tensor(id).Storage]))
}

// made returns the number of what a listed operation made, unless it was written since.
func (w *sameMembers) made(id graph.TensorID) (number uint64, ok bool) {
	n, ok := w.numbers[id]
	return n.number, ok && n.at > w.written[w.check.Tensor(id).Storage]
}

func hashed(name string, attrs []graph.Attr, parts ...uint64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	for _, a := range attrs {
		h.Write([]byte(a.Text))
	}
	var buf [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(buf[:], p)
		h.Write(buf[:])
	}
	return h.Sum64()
}

// gather looks at an operation whose operands are different tensors with one number.
func (w *sameMembers) gather(here visit, name string, e *graph.OpRan) {
	seen := map[graph.TensorID]bool{}
	for _, in := range e.Inputs {
		n, known := w.made(in)
		if in == 0 || !known || w.layers[in] == 0 || seen[in] || n != w.number(e.Inputs[0]) {
			return
		}
		seen[in] = true
	}
	if len(seen) < 2 {
		return
	}
	g := w.found[here.stack]
	if g == nil {
		g = &gathering{first: here, name: name, count: len(seen), weight: w.layers[e.Inputs[0]]}
		w.found[here.stack] = g
		w.order = append(w.order, here.stack)
		w.check.Remember(here.at)
	}
	g.times++
}

// End reports the operations that put equal results together again and again.
func (w *sameMembers) End() {
	for _, s := range w.order {
		g := w.found[s]
		if _, failed := w.check.Failed(); failed || g.times < oftenLeftOut {
			continue
		}
		check := w.check
		weight := check.Tensor(g.weight)
		if weight.Base != 0 {
			weight = check.Tensor(weight.Base)
		}
		gathered := check.In(g.first.stack, g.first.at, fmt.Sprintf("%s puts together %d results that are equal", g.name, g.count))
		check.Report(inspect.Finding{
			Message: fmt.Sprintf("the members that %s puts together are one module: the same weights get the same data", g.name),
			Primary: gathered,
			Related: append([]inspect.Span{check.In(weight.Stack, weight.Created, "its weights are made here, once")}, check.Callers(weight.Created)...),
			Tensors: names(check.History, g.weight),
			Help:    "give each member a module of its own: `[make() for _ in range(n)]` instead of `[make()] * n`",
			Evidence: facts(
				gathered,
				fact("the same operations ran on the same tensors, with the same weights, to make each of them"),
			),
			At:      g.first.at,
			Symptom: -1,
		})
		return
	}
}
