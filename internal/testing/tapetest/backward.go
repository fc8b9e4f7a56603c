package tapetest

import "github.com/gradtui/gradtui/graph"

// A pass is a backward pass that is running.
type pass struct {
	id      graph.BackwardID
	waiting map[graph.NodeID]int // gradients that a node waits for
	ready   []graph.NodeID
	free    bool
}

func (th *Thread) beginBackward() {
	t := th.pick()
	if t == 0 || th.tensors[t].node == 0 || len(th.passes) > 2 {
		return
	}
	root := th.tensors[t]
	th.Engine.passes++
	p := &pass{id: th.Engine.passes, waiting: map[graph.NodeID]int{}, free: th.Choose(2) == 0}
	e := graph.BackwardBegan{Backward: p.id, Roots: []graph.Root{{Tensor: t, Node: root.node, Output: root.output, Grad: th.gradient()}}}
	if !p.free {
		e.Flags = graph.RetainGraph
	}
	th.passes = append(th.passes, p)
	th.add(&e)
	th.count(p, root.node, map[graph.NodeID]bool{})
	p.enqueue(th, root.node)
}

// count finds how many gradients each node below n will receive.
func (th *Thread) count(p *pass, n graph.NodeID, seen map[graph.NodeID]bool) {
	seen[n] = true
	for _, e := range th.nodes[n].edges {
		if e.Node != 0 {
			p.waiting[e.Node]++
			if !seen[e.Node] {
				th.count(p, e.Node, seen)
			}
		}
	}
}

func (p *pass) enqueue(th *Thread, n graph.NodeID) {
	p.ready = append(p.ready, n)
	th.add(&graph.NodeReady{Backward: p.id, Node: n})
}

// stepBackward runs a node of the innermost pass, or ends the pass.
func (th *Thread) stepBackward() {
	p := th.passes[len(th.passes)-1]
	end := func(e graph.Event) {
		th.passes = th.passes[:len(th.passes)-1]
		th.add(e)
	}
	if len(p.ready) == 0 {
		end(&graph.BackwardEnded{Backward: p.id})
		return
	}
	i := th.Choose(len(p.ready))
	n := p.ready[i]
	p.ready = append(p.ready[:i], p.ready[i+1:]...)
	if th.Choose(20) == 0 {
		end(&graph.BackwardFailed{Backward: p.id, Node: n, Type: th.str("RuntimeError"), Message: "one of the variables needed for gradient computation has been modified"})
		return
	}
	th.execute(p, n)
}

func (th *Thread) execute(p *pass, n graph.NodeID) {
	s := th.nodes[n]
	if th.Choose(6) == 0 {
		th.add(&graph.HookRan{Backward: p.id, Hook: graph.HookNodePre, Node: n, Replaced: th.Choose(2) == 0, Grad: th.gradient()})
	}
	if s.variable != 0 {
		th.accumulate(p, s.variable)
	}
	e := graph.NodeExecuted{Backward: p.id, Node: n}
	for range s.outputs {
		e.In = append(e.In, th.gradient())
	}
	for range s.edges {
		e.Out = append(e.Out, th.gradient())
	}
	th.add(&e)
	if p.free {
		th.add(&graph.SavedFreed{Backward: p.id, Node: n})
	}
	for i, edge := range s.edges {
		if edge.Node == 0 {
			continue
		}
		p.waiting[edge.Node]--
		left := p.waiting[edge.Node]
		if left > 0 || th.Choose(4) == 0 {
			th.add(&graph.GradArrived{
				Backward: p.id, Node: edge.Node, Input: edge.Input, From: n, Index: uint32(i), Waiting: uint32(left),
				Grad: th.gradient(), Sum: th.gradient(),
			})
		}
		if left == 0 {
			p.enqueue(th, edge.Node)
		}
	}
}

func (th *Thread) accumulate(p *pass, t graph.TensorID) {
	how := graph.AccumulateInPlace
	if th.tensors[t].grad == 0 {
		how = graph.AccumulateSteal
		grad := th.create(tensor{}, graph.FlagGradient, graph.NotAView)
		th.tensors[t].grad = grad
	}
	th.add(&graph.GradAccumulated{Backward: p.id, Tensor: t, Grad: th.tensors[t].grad, How: how, Added: th.gradient(), Value: th.value()})
}
