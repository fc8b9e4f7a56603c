// Package tapetest makes tapes for tests: ones that an engine could have
// recorded, and hostile ones.
package tapetest

import (
	"math"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// A Chooser makes the random choices: Choose(n) is in [0, n).
type Chooser interface{ Choose(n int) int }

// An Engine records what an autograd engine would, without computing anything.
// Its state is guarded by the tape's lock, so that several threads may drive it.
type Engine struct {
	tape     *graph.Tape
	now      time.Duration
	tensors  []tensor // by identifier
	nodes    []node
	counters []uint32
	storages graph.StorageID
	passes   graph.BackwardID
}

type tensor struct {
	storage  graph.StorageID
	counter  graph.CounterID
	base     graph.TensorID
	node     graph.NodeID
	output   uint32
	grad     graph.TensorID
	acc      graph.NodeID // AccumulateGrad of a leaf
	released bool
}

type node struct {
	edges    []graph.Edge
	outputs  int
	variable graph.TensorID
	released bool
}

// NewEngine returns an engine that records to a tape.
func NewEngine(t *graph.Tape) *Engine {
	return &Engine{tape: t, tensors: make([]tensor, 1), nodes: make([]node, 1), counters: make([]uint32, 1)}
}

// A Thread is one thread of the program. It serves one goroutine.
type Thread struct {
	*Engine
	Chooser
	id      graph.ThreadID
	modules int
	passes  []*pass // running backward passes, the innermost last
	b       graph.Batch
}

// NewThread returns a thread that draws its choices from c.
func (e *Engine) NewThread(id graph.ThreadID, c Chooser) *Thread {
	return &Thread{Engine: e, Chooser: c, id: id}
}

// Step records what happens next.
func (th *Thread) Step() {
	th.b = th.tape.Lock()
	defer th.tape.Unlock()
	if len(th.passes) > 0 && th.Choose(8) > 0 {
		th.stepBackward()
		return
	}
	actions := []func(){
		th.leaf, th.op, th.op, th.op, th.view, th.inPlace, th.cut, th.beginBackward, th.beginBackward,
		th.module, th.name, th.held, th.read, th.optimizer, th.flags, th.release, th.talk, th.mode,
		th.reshape,
	}
	actions[th.Choose(len(actions))]()
}

// Finish ends the passes that are running.
func (th *Thread) Finish() {
	th.b = th.tape.Lock()
	defer th.tape.Unlock()
	for len(th.passes) > 0 {
		th.stepBackward()
	}
}

func (th *Thread) add(e graph.Event) {
	th.now += time.Duration(th.Choose(1000))
	h := graph.Header{Thread: th.id, Time: th.now}
	if th.Choose(4) > 0 {
		h.Stack = th.stack()
	}
	th.b.Append(h, e)
}

func (th *Thread) stack() graph.StackID {
	files := []string{"train.py", "model.py", "bücher.py"}
	var s graph.Stack
	for range th.Choose(2) + 1 {
		line := th.Choose(5) + 1
		s = append(s, graph.Frame{File: files[th.Choose(len(files))], Func: "step", Line: line, Col: 4, EndLine: line, EndCol: 9})
	}
	return th.b.Stack(s)
}

func (th *Thread) str(list ...string) graph.StringID {
	return th.b.String(list[th.Choose(len(list))])
}

func (th *Thread) value() graph.Value {
	switch th.Choose(4) {
	case 0:
		return graph.Value{}
	case 1:
		return graph.Summarize(graph.Int64, []int64{int64(th.Choose(100)) - 50, 7}, 2)
	}
	data := make([]float32, th.Choose(6))
	for i := range data {
		data[i] = float32(th.Choose(1000))/8 - 60
	}
	if len(data) > 0 && th.Choose(8) == 0 {
		data[0] = float32(math.Inf(1))
	}
	return graph.Summarize(graph.Float32, data, 3)
}

func (th *Thread) gradient() graph.Grad {
	v := th.value()
	if !v.Known() {
		return graph.Grad{}
	}
	return graph.Grad{Shape: []int{int(v.Count)}, Value: v}
}

// pick chooses a live tensor; zero if there is none.
func (th *Thread) pick() graph.TensorID {
	n := len(th.tensors) - 1
	if n == 0 {
		return 0
	}
	for range 4 {
		t := graph.TensorID(n - th.Choose(min(n, 12)))
		if !th.tensors[t].released {
			return t
		}
	}
	return 0
}

// create records a tensor; the storage and counter are new unless they are given.
func (th *Thread) create(t tensor, flags graph.TensorFlags, view graph.ViewKind) graph.TensorID {
	if t.storage == 0 {
		th.storages++
		t.storage = th.storages
	}
	if t.counter == 0 {
		th.counters = append(th.counters, uint32(th.Choose(2)))
		t.counter = graph.CounterID(len(th.counters) - 1)
	}
	id := graph.TensorID(len(th.tensors))
	th.tensors = append(th.tensors, t)
	v := th.value()
	th.add(&graph.TensorCreated{
		Tensor: id, Storage: t.storage, Bytes: 4 * v.Count, Counter: t.counter, Version: th.counters[t.counter],
		DType: graph.Float32, Shape: []int{int(v.Count)}, Flags: flags,
		Node: t.node, Output: t.output, Base: t.base, View: view, Value: v, Device: th.device(t.storage),
	})
	return id
}

// device is where a storage is: most of them on the CPU.
func (th *Thread) device(s graph.StorageID) graph.StringID {
	if s%4 == 0 {
		return th.b.String("cuda:1")
	}
	return 0
}

func (th *Thread) leaf() {
	th.create(tensor{}, graph.TensorFlags(th.Choose(4)), graph.NotAView)
}

// gradNode is the node that a tensor's gradient goes to.
func (th *Thread) gradNode(t graph.TensorID) graph.Edge {
	s := &th.tensors[t]
	switch {
	case s.node != 0:
		return graph.Edge{Node: s.node, Input: s.output}
	case s.acc == 0:
		s.acc = th.createNode(graph.NodeCreated{Name: th.str("torch::autograd::AccumulateGrad"), Sequence: graph.MaxSequence, Outputs: 1, Variable: t})
	}
	return graph.Edge{Node: s.acc}
}

func (th *Thread) createNode(e graph.NodeCreated) graph.NodeID {
	e.Node = graph.NodeID(len(th.nodes))
	th.nodes = append(th.nodes, node{edges: e.Edges, outputs: int(e.Outputs), variable: e.Variable})
	th.add(&e)
	return e.Node
}
