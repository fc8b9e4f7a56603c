package tapetest

import "github.com/gradtui/gradtui/graph"

// op records an operator with one or two results.
func (th *Thread) op() {
	var inputs []graph.TensorID
	for range th.Choose(3) {
		if t := th.pick(); t != 0 {
			inputs = append(inputs, t)
		}
	}
	results := 1 + th.Choose(2)
	e := graph.OpRan{Op: th.str("mul", "split", "mm"), Inputs: inputs, Attrs: th.attrs()}
	if len(inputs) > 0 && th.Choose(4) > 0 {
		made := graph.NodeCreated{Name: th.str("MulBackward0", "SplitBackward0"), Sequence: uint64(len(th.nodes)), Outputs: uint32(results), Attrs: th.attrs()}
		for _, t := range inputs {
			made.Edges = append(made.Edges, th.gradNode(t))
			made.Saved = append(made.Saved, graph.Saved{Name: th.str("self", "other"), Tensor: t, Version: th.counters[th.tensors[t].counter]})
		}
		made.Edges = append(made.Edges, graph.Edge{})
		if th.Choose(2) > 0 { // an op inside another one made it
			for i := range results {
				made.Results = append(made.Results, graph.Result{DType: graph.Float32, Shape: []int{i, 4}})
			}
		}
		made.Saved = append(made.Saved, graph.Saved{Name: th.str("result"), Tensor: graph.TensorID(len(th.tensors)), Flags: graph.SavedOutput}, graph.Saved{Name: th.str("weight")})
		e.Node = th.createNode(made)
	} else if len(inputs) > 0 {
		defer func() {
			th.add(&graph.LineageCut{Why: graph.CutNoGrad, Inputs: inputs, Output: e.Outputs[0]})
		}()
	}
	for i := range results {
		e.Outputs = append(e.Outputs, th.create(tensor{node: e.Node, output: uint32(i) * min(uint32(e.Node), 1)}, 0, graph.NotAView))
	}
	th.add(&e)
}

func (th *Thread) attrs() []graph.Attr {
	all := []graph.Attr{
		{Name: th.b.String("alpha"), AttrValue: graph.AttrValue{Type: graph.AttrFloat, Floats: []float64{0.5}}},
		{Name: th.b.String("dim"), AttrValue: graph.AttrValue{Type: graph.AttrInts, Ints: []int64{0, -1}}},
		{Name: th.b.String("mode"), AttrValue: graph.AttrValue{Type: graph.AttrText, Text: "it's"}},
		{Name: th.b.String("out"), AttrValue: graph.AttrValue{Type: graph.AttrNone}},
	}
	i := th.Choose(len(all))
	return all[i : i+th.Choose(len(all)-i+1)]
}

func (th *Thread) view() {
	t := th.pick()
	if t == 0 {
		return
	}
	s := th.tensors[t]
	base := t
	if s.base != 0 {
		base = s.base
	}
	v := tensor{storage: s.storage, counter: s.counter, base: base}
	kind := graph.NoGradView
	if th.Choose(3) > 0 {
		kind = graph.PlainView
		v.node = th.createNode(graph.NodeCreated{Name: th.str("ViewBackward0"), Sequence: uint64(len(th.nodes)), Outputs: 1, Edges: []graph.Edge{th.gradNode(t)}})
	}
	th.create(v, 0, kind)
}

// inPlace records an op that changes its input, and perhaps its history.
func (th *Thread) inPlace() {
	t := th.pick()
	if t == 0 {
		return
	}
	s := &th.tensors[t]
	version := &th.counters[s.counter]
	to := *version + 1 + uint32(th.Choose(2))
	th.add(&graph.Mutated{Tensor: t, From: *version, To: to, Value: th.value()})
	*version = to
	e := graph.OpRan{Op: th.str("add_", "copy_"), Inputs: []graph.TensorID{t}, Outputs: []graph.TensorID{t}, Mutated: []graph.TensorID{t}}
	if th.Choose(2) == 0 {
		edge := th.gradNode(t)
		s = &th.tensors[t]
		e.Node = th.createNode(graph.NodeCreated{Name: th.str("AddBackward0"), Sequence: uint64(len(th.nodes)), Outputs: 1, Edges: []graph.Edge{edge, {}}})
		th.add(&graph.Rebased{Tensor: t, OldNode: s.node, OldOutput: s.output, Node: e.Node, Why: graph.RebasedInPlace})
		s.node, s.output = e.Node, 0
	}
	th.add(&e)
}

// reshape records that a tensor uses new memory, another tensor's memory, or its own
// with another layout.
func (th *Thread) reshape() {
	t, like := th.pick(), th.pick()
	if t == 0 || like == 0 {
		return
	}
	s := &th.tensors[t]
	switch th.Choose(3) {
	case 0:
		th.storages++
		s.storage = th.storages
	case 1:
		s.storage = th.tensors[like].storage
	}
	v := th.value()
	th.add(&graph.Reshaped{Tensor: t, Storage: s.storage, Bytes: 4 * v.Count, DType: graph.Float32, Shape: []int{int(v.Count)}, Value: v, Device: th.device(s.storage)})
}

// read records that a tensor was looked at.
func (th *Thread) read() {
	if t := th.pick(); t != 0 {
		e := graph.ValueRead{Tensor: t, Version: th.counters[th.tensors[t].counter], Value: th.value()}
		th.add(&e)
	}
}

func (th *Thread) cut() {
	t := th.pick()
	if t == 0 {
		return
	}
	e := graph.LineageCut{Why: graph.CutItem, Inputs: []graph.TensorID{t}}
	if s := th.tensors[t]; th.Choose(2) == 0 {
		e.Why, e.Output = graph.CutDetach, th.create(tensor{storage: s.storage, counter: s.counter}, 0, graph.NotAView)
	}
	th.add(&e)
}

func (th *Thread) module() {
	if th.modules > 0 && th.Choose(2) == 0 {
		th.modules--
		th.add(&graph.ModuleLeft{})
		return
	}
	th.modules++
	th.add(&graph.ModuleEntered{Path: th.str("", "encoder", "encoder.0"), Type: th.str("Linear", "Sequential")})
}

func (th *Thread) name() {
	e := graph.NameBound{Name: th.str("x", "loss", "self.weight"), Scope: th.str("", "main")}
	if th.Choose(8) > 0 {
		e.Tensor = th.pick()
	}
	th.add(&e)
}

// held records where the program keeps a tensor.
func (th *Thread) held() {
	th.add(&graph.TensorHeld{Tensor: th.pick(), Path: th.str("losses[3]", "self.state"), Scope: th.str("", "main"), Class: th.str("", "Trainer")})
}

// optimizer records a step that changes a parameter, or zero_grad.
func (th *Thread) optimizer() {
	t := th.pick()
	if t == 0 {
		return
	}
	params := []graph.TensorID{t}
	if th.Choose(2) == 0 {
		th.add(&graph.GradsZeroed{By: th.str("SGD"), SetToNone: true, Params: params})
		th.tensors[t].grad = 0
		th.add(&graph.GradAssigned{Tensor: t})
		return
	}
	th.add(&graph.OptimizerStepped{Optimizer: th.str("SGD"), Params: params})
	version := &th.counters[th.tensors[t].counter]
	th.add(&graph.Mutated{Tensor: t, From: *version, To: *version + 1})
	*version++
	th.add(&graph.OptimizerStepped{Optimizer: th.str("SGD"), Done: true, Params: params})
}

func (th *Thread) flags() {
	t := th.pick()
	switch {
	case t == 0:
	case th.Choose(2) == 0:
		th.add(&graph.RequiresGrad{Tensor: t, To: th.Choose(2) == 0})
	default:
		th.add(&graph.RetainGrad{Tensor: t})
	}
}

func (th *Thread) release() {
	if t := th.pick(); t != 0 {
		th.tensors[t].released = true
		th.add(&graph.TensorReleased{Tensor: t})
	}
	if n := th.Choose(len(th.nodes)); n > 0 && !th.nodes[n].released {
		th.nodes[n].released = true
		th.add(&graph.NodeReleased{Node: graph.NodeID(n)})
	}
}

func (th *Thread) talk() {
	list := []graph.Event{
		&graph.LineReached{},
		&graph.OutputWritten{Stream: 1, Text: "loss 0.5\n", Dropped: uint64(th.Choose(2))},
		&graph.Warned{Category: th.str("UserWarning"), Message: "leaf\x00"},
		&graph.Raised{Type: th.str("RuntimeError"), Code: th.str("freed", "version"), Op: th.str("mul"), Message: "boom"},
		&graph.Iteration{Number: uint64(th.Choose(100)), Label: th.str("", "epoch")},
	}
	th.add(list[th.Choose(len(list))])
}

func (th *Thread) mode() {
	th.add(&graph.ModeChanged{Mode: graph.Mode(th.Choose(3) + 1), To: th.Choose(2) == 0})
}
