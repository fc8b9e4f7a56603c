package lookup

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A nodeViewer fills in the view of a node.
type nodeViewer struct {
	*Index
	g    *graph.Graph
	view *NodeView
}

// passOf returns the backward pass that an event about a node, or about the end of a pass,
// belongs to; zero for none.
func passOf(e graph.Event) graph.BackwardID {
	switch e := e.(type) {
	case *graph.GradArrived:
		return e.Backward
	case *graph.NodeReady:
		return e.Backward
	case *graph.NodeExecuted:
		return e.Backward
	case *graph.SavedFreed:
		return e.Backward
	case *graph.HookRan:
		return e.Backward
	case *graph.BackwardFailed:
		return e.Backward
	case *graph.BackwardEnded:
		return e.Backward
	}
	return 0
}

// runs finds the newest passes that reached the node.
func (v *nodeViewer) runs() {
	n := v.view.Node
	for at := range v.nodes.before(uint32(n.ID), v.g.Pos()) {
		_, e, err := v.dec.ReadUntimed(at)
		id := passOf(e)
		if err != nil || id == 0 {
			continue
		}
		run := v.run(id)
		if run == nil {
			if len(v.view.Runs) == MaxRuns {
				break
			}
			pass, ok := v.g.Backward(id)
			if !ok {
				continue
			}
			v.view.Runs = append(v.view.Runs, NodeRun{Pass: pass, Ready: -1, Executed: -1, Failed: -1, Freed: -1})
			run = &v.view.Runs[len(v.view.Runs)-1]
		}
		run.note(at, e)
	}
	for i := range v.view.Runs {
		v.view.Runs[i].finish()
	}
}

func (v *nodeViewer) run(id graph.BackwardID) *NodeRun {
	for i := range v.view.Runs {
		if v.view.Runs[i].Pass.ID == id {
			return &v.view.Runs[i]
		}
	}
	return nil
}

// note takes an event, which is older than those before.
func (r *NodeRun) note(at graph.Pos, e graph.Event) {
	switch e.(type) {
	case *graph.NodeReady:
		r.Ready = at
	case *graph.NodeExecuted:
		r.Executed = max(r.Executed, at)
	case *graph.SavedFreed:
		r.Freed = max(r.Freed, at)
	case *graph.BackwardFailed:
		r.Failed = max(r.Failed, at)
	case *graph.GradArrived:
		if len(r.events) >= MaxShown {
			return
		}
	}
	r.events = append(r.events, at)
}

// finish draws the conclusions from all events.
func (r *NodeRun) finish() {
	if r.Ready < 0 && r.Executed >= 0 {
		r.Ready = r.Executed // a recorder that cannot see readiness
	}
	switch {
	case r.Failed >= 0:
		r.Status = graph.Failed
	case r.Executed >= 0:
		r.Status = graph.Done
	case r.Ready >= 0:
		r.Status = graph.Ready
		r.Captured = !r.Pass.Running() && !r.Pass.Failed
	case len(r.events) > 0:
		r.Status = graph.Waiting
	}
}

// choose picks the run that the view is about.
func (v *nodeViewer) choose(pass graph.BackwardID) {
	if pass == 0 {
		pass = v.view.Node.Backward
	}
	v.view.Run = v.run(pass)
}

// backward fills in what the run did.
func (v *nodeViewer) backward() {
	view := v.view
	for i := range view.Edges {
		view.Edges[i].Sent = -1
	}
	if view.Run == nil {
		return
	}
	for _, at := range slices.Backward(view.Run.events) {
		_, e, _ := v.tape.At(at)
		switch e := e.(type) {
		case *graph.GradArrived:
			v.arrived(int(e.Input), Arrival{
				At: at, From: e.From, Edge: int(e.Index), Grad: e.Grad, Sum: e.Sum, Waiting: int(e.Waiting), Raw: e.Raw,
			})
		case *graph.NodeReady:
			v.sole(at)
		case *graph.NodeExecuted:
			v.executed(at, e)
		case *graph.BackwardFailed:
			view.Error = e.Message
		case *graph.HookRan:
			v.hook(at, e)
		}
	}
	if leaf := view.Node.Variable; leaf != 0 {
		v.accumulated(leaf)
	}
}

func (v *nodeViewer) arrived(input int, a Arrival) {
	if input < len(v.view.Inputs) {
		in := &v.view.Inputs[input]
		in.Arrivals = append(in.Arrivals, a)
	}
}

// maxBack is how far back the sender of a gradient is looked for. It ran just before; only
// gradients for other nodes lie between.
const maxBack = 1 << 16

// sole finds the gradient of a node that became ready without an event for an arrival. It waited
// for only one, which came from a root or from the node that ran before it.
func (v *nodeViewer) sole(ready graph.Pos) {
	for i := range v.view.Inputs {
		if len(v.view.Inputs[i].Arrivals) > 0 {
			return
		}
	}
	id, pass := v.view.Node.ID, v.view.Run.Pass
	for i, r := range pass.Roots {
		if r.Node == id {
			v.arrived(int(r.Output), Arrival{At: ready, Edge: i, Grad: r.Grad, Sum: r.Grad})
			return
		}
	}
	for at := ready - 1; at > max(pass.Began, ready-maxBack); at-- {
		if k, err := v.dec.Kind(at); err != nil || k != graph.KindNodeExecuted {
			continue
		}
		if _, e, err := v.dec.ReadUntimed(at); err != nil || passOf(e) != pass.ID {
			continue
		}
		e, _ := eventAt[*graph.NodeExecuted](v.Index, at)
		from, _ := v.g.Node(e.Node)
		for i, edge := range from.Edges {
			if edge.Node == id && i < len(e.Out) {
				v.arrived(int(edge.Input), Arrival{At: ready, From: from.ID, Edge: i, Grad: e.Out[i], Sum: e.Out[i]})
				return
			}
		}
		return
	}
}

func (v *nodeViewer) executed(at graph.Pos, e *graph.NodeExecuted) {
	for i := range v.view.Inputs {
		if i < len(e.In) {
			v.view.Inputs[i].Used = e.In[i]
		}
	}
	for i := range v.view.Edges {
		out := &v.view.Edges[i]
		out.Sent, out.Unseen = at, len(e.Out) == 0
		if i < len(e.Out) {
			out.Back = e.Out[i]
		}
	}
}

// hook adds the call of a hook. What it was given is known for hooks on the only
// gradient that comes in: what arrived, or what the hook before it left.
func (v *nodeViewer) hook(at graph.Pos, e *graph.HookRan) {
	call := HookCall{At: at, Hook: e.Hook, Tensor: e.Tensor, Replaced: e.Replaced, After: e.Grad}
	if len(v.view.Inputs) == 1 && (e.Hook == graph.HookTensor || e.Hook == graph.HookNodePre) {
		call.Before = v.view.Inputs[0].Sum()
		if n := len(v.view.Hooks); n > 0 {
			call.Before = v.view.Hooks[n-1].After
		}
	}
	v.view.Hooks = append(v.view.Hooks, call)
}

// accumulated finds what the run did to the .grad of a leaf, and the hooks after that,
// which hang on the leaf.
func (v *nodeViewer) accumulated(leaf graph.TensorID) {
	run := v.view.Run
	if run.Ready < 0 {
		return
	}
	for at := range v.grads.before(uint32(leaf), v.g.Pos()) {
		if at < run.Ready {
			break
		}
		if e, ok := eventAt[*graph.GradAccumulated](v.Index, at); ok && e.Backward == run.Pass.ID {
			if parts, _ := v.gradParts(leaf, at+1, 2); len(parts) > 0 {
				v.view.Accumulated = &parts[len(parts)-1]
			}
			break
		}
	}
	var calls []HookCall
	for at := range v.tensors.before(uint32(leaf), v.g.Pos()) {
		if at < run.Ready {
			break
		}
		if k, _ := v.dec.Kind(at); k != graph.KindHookRan {
			continue
		}
		if e, ok := eventAt[*graph.HookRan](v.Index, at); ok && e.Backward == run.Pass.ID && e.Hook == graph.HookPostAccumulate {
			calls = append(calls, HookCall{At: at, Hook: e.Hook, Tensor: leaf})
		}
	}
	slices.Reverse(calls)
	v.view.Hooks = append(v.view.Hooks, calls...)
}

// saved lists the saved tensors and what happened to them.
func (v *nodeViewer) saved() {
	n := v.view.Node
	for _, s := range n.Saved {
		slot := SavedSlot{SavedTensor: s, Changed: -1, FreedAt: -1, Read: v.view.Run != nil && v.view.Run.Executed >= 0}
		if s.Version != s.Current {
			slot.Changed = v.changedAfter(s.Tensor, n.Created)
		}
		if s.Freed {
			slot.FreedAt, slot.FreedBy = n.FreedAt, FreedBy(v.tape, n)
		}
		v.view.Saved = append(v.view.Saved, slot)
	}
}

// changedAfter returns the first change of a tensor's memory after an event; -1: none.
func (v *nodeViewer) changedAfter(id graph.TensorID, after graph.Pos) graph.Pos {
	first := graph.Pos(-1)
	for at := range v.writes.before(uint32(v.counter(id)), v.g.Pos()) {
		if at < after {
			break
		}
		first = at
	}
	return first
}

// FreedBy returns the backward pass that freed the saved tensors of a node; 0: none did.
func FreedBy(tape *graph.Tape, n graph.Node) graph.BackwardID {
	if !n.Freed {
		return 0
	}
	_, e, err := tape.At(n.FreedAt)
	if freed, ok := e.(*graph.SavedFreed); ok && err == nil {
		return freed.Backward
	}
	return 0
}
