package graph

// A change is one entry of the journal: the event that made it and the value
// that it replaced. Undoing an event pops its changes.
type change struct {
	event uint32 // position
	index uint32
	old   uint32
	what  slot
}

// A slot names a mutable field, or the growth of a list.
type slot uint8

const (
	tensorNode slot = iota
	tensorOutput
	tensorGrad
	tensorBinding
	tensorValued
	tensorFlags
	nodeBackward
	nodeReady
	nodeExecuted
	nodeFailed
	nodeFreed
	nodeWaiting
	nodeRuns
	nodeReleased
	storageLive
	counterVersion
	counterMutated
	backwardEnded
	backwardFailed
	moduleLeft
	threadModule
	threadBackward
	threadModes
	bindingTensor
	bindingBound
	graphIteration

	grownTensors
	grownNodes
	grownStorages
	grownCounters
	grownBackwards
	grownModules
)

func (g *Graph) field(what slot, i uint32) *uint32 {
	switch what {
	case tensorNode:
		return &g.tensors[i].node
	case tensorOutput:
		return &g.tensors[i].output
	case tensorGrad:
		return &g.tensors[i].grad
	case tensorBinding:
		return &g.tensors[i].binding
	case tensorValued:
		return &g.tensors[i].valued
	case tensorFlags:
		return &g.tensors[i].flags
	case nodeBackward:
		return &g.nodes[i].backward
	case nodeReady:
		return &g.nodes[i].ready
	case nodeExecuted:
		return &g.nodes[i].executed
	case nodeFailed:
		return &g.nodes[i].failed
	case nodeFreed:
		return &g.nodes[i].freed
	case nodeWaiting:
		return &g.nodes[i].waiting
	case nodeRuns:
		return &g.nodes[i].runs
	case nodeReleased:
		return &g.nodes[i].released
	case storageLive:
		return &g.storages[i].live
	case counterVersion:
		return &g.counters[i].version
	case counterMutated:
		return &g.counters[i].mutated
	case backwardEnded:
		return &g.backwards[i].ended
	case backwardFailed:
		return &g.backwards[i].failed
	case moduleLeft:
		return &g.modules[i].left
	case threadModule:
		return &g.threads[i].module
	case threadBackward:
		return &g.threads[i].backward
	case threadModes:
		return &g.threads[i].modes
	case bindingTensor:
		return &g.bindings[i].tensor
	case bindingBound:
		return &g.bindings[i].bound
	case graphIteration:
		return &g.iteration
	}
	panic("graph: no such field")
}

// set changes a field and notes the old value in the journal.
func (g *Graph) set(what slot, i, value uint32) {
	p := g.field(what, i)
	if *p == value {
		return
	}
	g.note(what, i, *p)
	*p = value
}

func (g *Graph) note(what slot, i, old uint32) {
	g.journal = append(g.journal, change{event: uint32(g.pos), index: i, old: old, what: what})
}

// revert undoes the event at g.pos, which was the newest one applied.
func (g *Graph) revert() {
	for n := len(g.journal); n > 0 && g.journal[n-1].event == uint32(g.pos); n-- {
		ch := g.journal[n-1]
		g.journal = g.journal[:n-1]
		switch ch.what {
		case grownTensors:
			g.tensors = g.tensors[:len(g.tensors)-1]
		case grownNodes:
			g.nodes = g.nodes[:len(g.nodes)-1]
		case grownStorages:
			g.storages = g.storages[:len(g.storages)-1]
		case grownCounters:
			g.counters = g.counters[:len(g.counters)-1]
		case grownBackwards:
			g.backwards = g.backwards[:len(g.backwards)-1]
		case grownModules:
			g.modules = g.modules[:len(g.modules)-1]
		default:
			*g.field(ch.what, ch.index) = ch.old
		}
	}
}

// grow appends an element to a list that is indexed by identifier, provided
// that id is the next one. A tape that skips or repeats identifiers is damaged;
// what it says is ignored.
func grow[S any, T ~uint32](g *Graph, list *[]S, id T, what slot, s S) bool {
	if int(id) != len(*list) {
		return false
	}
	*list = append(*list, s)
	g.note(what, uint32(id), 0)
	return true
}

func has[S any, T ~uint32](list []S, id T) bool { return id > 0 && int(id) < len(list) }

// apply folds one event into the graph. It accepts whatever a tape may hold: an
// event that refers to what does not exist changes nothing.
func (g *Graph) apply(h Header, e Event) {
	at := uint32(g.pos)
	switch e := e.(type) {
	case *TensorCreated:
		g.createTensor(at, e)
	case *NodeCreated:
		if !g.validEdges(e) {
			return
		}
		grow(g, &g.nodes, e.Node, grownNodes, nodeState{created: at, variable: e.Variable, module: g.threads[g.thread(h.Thread)].module})
	case *Mutated:
		g.mutate(at, e)
	case *Rebased:
		if has(g.tensors, e.Tensor) && (e.Node == 0 || has(g.nodes, e.Node)) {
			g.set(tensorNode, uint32(e.Tensor), uint32(e.Node))
			g.set(tensorOutput, uint32(e.Tensor), e.Output)
		}
	case *RequiresGrad:
		g.setFlag(e.Tensor, tensorRequiresGrad, e.To)
	case *RetainGrad:
		g.setFlag(e.Tensor, tensorRetainsGrad, true)
	case *TensorReleased:
		g.releaseTensor(e.Tensor)
	case *NodeReleased:
		if has(g.nodes, e.Node) {
			g.set(nodeReleased, uint32(e.Node), 1)
		}
	case *GradAssigned:
		g.setGrad(e.Tensor, e.Grad)
	case *GradAccumulated:
		g.setGrad(e.Tensor, e.Grad)
		if has(g.tensors, e.Grad) && e.Value.Known() {
			g.set(tensorValued, uint32(e.Grad), at+1)
		}
	case *NameBound:
		g.bind(at, e)
	case *Iteration:
		g.set(graphIteration, 0, at+1)
	case *ModeChanged:
		g.changeMode(h.Thread, e)
	case *ModuleEntered:
		th := g.thread(h.Thread)
		id := uint32(len(g.modules))
		grow(g, &g.modules, id, grownModules, moduleState{entered: at, outer: g.threads[th].module})
		g.set(threadModule, th, id)
	case *ModuleLeft:
		th := g.thread(h.Thread)
		if m := g.threads[th].module; m != 0 {
			g.set(moduleLeft, m, at+1)
			g.set(threadModule, th, g.modules[m].outer)
		}
	default:
		g.applyBackward(at, h, e)
	}
}

// applyBackward folds the events of a backward pass.
func (g *Graph) applyBackward(at uint32, h Header, e Event) {
	switch e := e.(type) {
	case *BackwardBegan:
		th := g.thread(h.Thread)
		if grow(g, &g.backwards, e.Backward, grownBackwards, backwardState{began: at, outer: g.threads[th].backward}) {
			g.set(threadBackward, th, uint32(e.Backward))
		}
	case *GradArrived:
		if g.touch(e.Backward, e.Node) {
			g.set(nodeWaiting, uint32(e.Node), e.Waiting)
		}
	case *NodeReady:
		if g.touch(e.Backward, e.Node) {
			g.set(nodeWaiting, uint32(e.Node), 0)
			g.set(nodeReady, uint32(e.Node), at+1)
		}
	case *NodeExecuted:
		if g.touch(e.Backward, e.Node) {
			g.set(nodeExecuted, uint32(e.Node), at+1)
			g.set(nodeRuns, uint32(e.Node), g.nodes[e.Node].runs+1)
		}
	case *SavedFreed:
		if has(g.nodes, e.Node) {
			g.set(nodeFreed, uint32(e.Node), at+1)
		}
	case *BackwardEnded:
		g.endBackward(h.Thread, e.Backward, backwardEnded, at)
	case *BackwardFailed:
		if has(g.nodes, e.Node) && g.touch(e.Backward, e.Node) {
			g.set(nodeFailed, uint32(e.Node), at+1)
		}
		g.endBackward(h.Thread, e.Backward, backwardFailed, at)
	}
}

// touch notes that a pass reached a node. What an earlier pass left behind no
// longer counts for its status.
func (g *Graph) touch(b BackwardID, n NodeID) bool {
	if !has(g.backwards, b) || !has(g.nodes, n) {
		return false
	}
	i := uint32(n)
	if g.nodes[n].backward != uint32(b) {
		g.set(nodeBackward, i, uint32(b))
		g.set(nodeReady, i, 0)
		g.set(nodeFailed, i, 0)
		g.set(nodeWaiting, i, 0)
	}
	return true
}

func (g *Graph) endBackward(thread ThreadID, b BackwardID, how slot, at uint32) {
	if !has(g.backwards, b) {
		return
	}
	s := &g.backwards[b]
	if s.ended != 0 || s.failed != 0 {
		return
	}
	g.set(how, uint32(b), at+1)
	if th := g.thread(thread); g.threads[th].backward == uint32(b) {
		g.set(threadBackward, th, s.outer)
	}
}

func (g *Graph) createTensor(at uint32, e *TensorCreated) {
	newStorage, newCounter := int(e.Storage) == len(g.storages), int(e.Counter) == len(g.counters)
	switch {
	case int(e.Tensor) != len(g.tensors),
		!newStorage && !has(g.storages, e.Storage),
		!newCounter && !has(g.counters, e.Counter),
		e.Node != 0 && !has(g.nodes, e.Node),
		e.Base != 0 && !has(g.tensors, e.Base),
		e.Base != 0 && g.tensors[e.Base].base != 0:
		return
	}
	if newStorage {
		grow(g, &g.storages, e.Storage, grownStorages, storageState{bytes: e.Bytes})
	}
	if newCounter {
		grow(g, &g.counters, e.Counter, grownCounters, counterState{version: e.Version})
	}
	s := tensorState{
		created: at, storage: e.Storage, counter: e.Counter, base: e.Base,
		node: uint32(e.Node), output: e.Output, dtype: e.DType, view: e.View,
	}
	if e.Flags&FlagRequiresGrad != 0 {
		s.flags |= tensorRequiresGrad
	}
	grow(g, &g.tensors, e.Tensor, grownTensors, s)
	g.set(storageLive, uint32(e.Storage), g.storages[e.Storage].live+1)
}

// validEdges reports whether a node points only to nodes that exist, which also
// keeps the graph free of cycles, and saves only tensors that exist.
func (g *Graph) validEdges(e *NodeCreated) bool {
	for _, edge := range e.Edges {
		if edge.Node != 0 && !has(g.nodes, edge.Node) {
			return false
		}
	}
	for _, s := range e.Saved {
		if s.Tensor != 0 && !has(g.tensors, s.Tensor) && s.Flags&SavedOutput == 0 {
			return false
		}
	}
	return e.Variable == 0 || has(g.tensors, e.Variable)
}

func (g *Graph) mutate(at uint32, e *Mutated) {
	if !has(g.tensors, e.Tensor) {
		return
	}
	c := uint32(g.tensors[e.Tensor].counter)
	g.set(counterVersion, c, e.To)
	g.set(counterMutated, c, at+1)
	if e.Value.Known() {
		g.set(tensorValued, uint32(e.Tensor), at+1)
	}
}

func (g *Graph) setFlag(t TensorID, flag uint32, on bool) {
	if !has(g.tensors, t) {
		return
	}
	f := g.tensors[t].flags &^ flag
	if on {
		f |= flag
	}
	g.set(tensorFlags, uint32(t), f)
}

func (g *Graph) releaseTensor(t TensorID) {
	if !has(g.tensors, t) || g.tensors[t].flags&tensorReleased != 0 {
		return
	}
	g.setFlag(t, tensorReleased, true)
	s := uint32(g.tensors[t].storage)
	g.set(storageLive, s, g.storages[s].live-1)
}

func (g *Graph) setGrad(t, grad TensorID) {
	if has(g.tensors, t) && (grad == 0 || has(g.tensors, grad)) {
		g.set(tensorGrad, uint32(t), uint32(grad))
	}
}

// bind gives a name a new meaning. Names are few, so they are numbered once and
// keep their number when the cursor goes back.
func (g *Graph) bind(at uint32, e *NameBound) {
	if e.Tensor != 0 && !has(g.tensors, e.Tensor) {
		return
	}
	key := bindingKey{e.Scope, e.Name}
	i, ok := g.bindIDs[key]
	if !ok {
		i = uint32(len(g.bindings))
		g.bindIDs[key] = i
		g.bindings = append(g.bindings, binding{bindingKey: key})
	}
	g.set(bindingTensor, i, uint32(e.Tensor))
	g.set(bindingBound, i, at+1)
	if e.Tensor != 0 {
		g.set(tensorBinding, uint32(e.Tensor), i)
	}
}

func (g *Graph) changeMode(thread ThreadID, e *ModeChanged) {
	if e.Mode > AnomalyMode {
		return
	}
	th := g.thread(thread)
	modes := g.threads[th].modes &^ (1 << e.Mode)
	if start := e.Mode == GradMode; e.To != start {
		modes |= 1 << e.Mode
	}
	g.set(threadModes, th, modes)
}

// thread returns the index of a thread's state, which is made when the thread
// is first seen and kept when the cursor goes back.
func (g *Graph) thread(id ThreadID) uint32 {
	i, ok := g.threadIDs[id]
	if !ok {
		i = uint32(len(g.threads))
		g.threadIDs[id] = i
		g.threads = append(g.threads, threadState{id: id})
	}
	return i
}
