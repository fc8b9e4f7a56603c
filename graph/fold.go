package graph

// foldedKinds are the kinds that apply has a case for.
var foldedKinds = [kindLimit]bool{
	KindTensorCreated: true, KindNodeCreated: true, KindMutated: true, KindRebased: true,
	KindRequiresGrad: true, KindRetainGrad: true, KindTensorReleased: true, KindNodeReleased: true,
	KindGradAssigned: true, KindGradAccumulated: true, KindNameBound: true, KindIteration: true,
	KindModeChanged: true, KindModuleEntered: true, KindModuleLeft: true,
	KindBackwardBegan: true, KindGradArrived: true, KindNodeReady: true, KindNodeExecuted: true,
	KindSavedFreed: true, KindBackwardEnded: true, KindBackwardFailed: true,
	KindReshaped: true, KindValueRead: true,
}

func folded(k Kind) bool { return k < kindLimit && foldedKinds[k] }

// apply folds one event into the graph. It accepts whatever a tape may hold: an
// event that refers to what does not exist changes nothing. Of an event it may
// only use what a brief decoder reads.
func (g *Graph) apply(h Header, e Event) {
	at := uint32(g.pos)
	switch e := e.(type) {
	case *TensorCreated:
		g.createTensor(at, e)
	case *NodeCreated:
		if !g.validEdges(e) {
			return
		}
		grow(g, &g.nodes, e.Node, grownNodes, nodeState{created: at, variable: e.Variable, module: g.threads.at(g.thread(h.Thread)).module})
	case *Mutated:
		g.mutate(at, e)
	case *Rebased:
		g.rebase(e)
	case *Reshaped:
		g.reshape(at, e)
	case *ValueRead:
		if g.tensors.has(e.Tensor) && len(e.Part) == 0 && e.Value.Known() && g.Version(e.Tensor) == e.Version {
			g.set(tensorValued, uint32(e.Tensor), at+1)
		}
	case *RequiresGrad:
		g.setFlag(e.Tensor, tensorRequiresGrad, e.To)
	case *RetainGrad:
		g.setFlag(e.Tensor, tensorRetainsGrad, true)
	case *TensorReleased:
		g.releaseTensor(e.Tensor)
	case *NodeReleased:
		if g.nodes.has(e.Node) {
			g.set(nodeReleased, uint32(e.Node), 1)
		}
	case *GradAssigned:
		g.setGrad(e.Tensor, e.Grad)
	case *GradAccumulated:
		g.setGrad(e.Tensor, e.Grad)
		if g.tensors.has(e.Grad) && e.Value.Known() {
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
		id := ModuleID(g.modules.len())
		grow(g, &g.modules, id, grownModules, moduleState{entered: at, outer: g.threads.at(th).module})
		g.set(threadModule, th, uint32(id))
	case *ModuleLeft:
		th := g.thread(h.Thread)
		if m := g.threads.at(th).module; m != 0 {
			g.set(moduleLeft, m, at+1)
			g.set(threadModule, th, g.modules.at(ModuleID(m)).outer)
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
		if grow(g, &g.backwards, e.Backward, grownBackwards, backwardState{began: at, thread: th, outer: g.threads.at(th).backward}) {
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
			if g.nodes.at(e.Node).ready == 0 { // a recorder that cannot see readiness
				g.set(nodeWaiting, uint32(e.Node), 0)
				g.set(nodeReady, uint32(e.Node), at+1)
			}
			g.set(nodeExecuted, uint32(e.Node), at+1)
			g.set(nodeRuns, uint32(e.Node), g.nodes.at(e.Node).runs+1)
		}
	case *SavedFreed:
		if g.nodes.has(e.Node) {
			g.set(nodeFreed, uint32(e.Node), at+1)
		}
	case *BackwardEnded:
		g.endBackward(e.Backward, backwardEnded, at)
	case *BackwardFailed:
		if g.nodes.has(e.Node) && g.touch(e.Backward, e.Node) {
			g.set(nodeFailed, uint32(e.Node), at+1)
		}
		g.endBackward(e.Backward, backwardFailed, at)
	}
}

// touch notes that a pass reached a node. What an earlier pass left behind no
// longer counts for its status.
func (g *Graph) touch(b BackwardID, n NodeID) bool {
	if !g.backwards.has(b) || !g.nodes.has(n) {
		return false
	}
	i := uint32(n)
	if g.nodes.at(n).backward != uint32(b) {
		g.set(nodeBackward, i, uint32(b))
		g.set(nodeReady, i, 0)
		g.set(nodeFailed, i, 0)
		g.set(nodeWaiting, i, 0)
	}
	return true
}

// endBackward ends a pass. Its thread goes on with the pass around it, unless
// that has ended too.
func (g *Graph) endBackward(b BackwardID, how slot, at uint32) {
	if !g.backwards.has(b) || g.backwards.at(b).over() {
		return
	}
	g.set(how, uint32(b), at+1)
	th := g.backwards.at(b).thread
	now := BackwardID(g.threads.at(th).backward)
	for now != 0 && g.backwards.at(now).over() {
		now = BackwardID(g.backwards.at(now).outer)
	}
	g.set(threadBackward, th, uint32(now))
}

func (b backwardState) over() bool { return b.ended != 0 || b.failed != 0 }

func (g *Graph) createTensor(at uint32, e *TensorCreated) {
	newStorage, newCounter := int(e.Storage) == g.storages.len(), int(e.Counter) == g.counters.len()
	switch {
	case int(e.Tensor) != g.tensors.len(),
		!newStorage && !g.storages.has(e.Storage),
		!newCounter && !g.counters.has(e.Counter),
		e.Node != 0 && !g.nodes.has(e.Node),
		e.Base != 0 && !g.tensors.has(e.Base),
		e.Base != 0 && g.tensors.at(e.Base).base != 0:
		return
	}
	if newStorage {
		made := sized(e.Bytes)
		made.live = 1
		grow(g, &g.storages, e.Storage, grownStorages, made)
	} else {
		g.set(storageLive, uint32(e.Storage), g.storages.at(e.Storage).live+1)
	}
	if newCounter {
		grow(g, &g.counters, e.Counter, grownCounters, counterState{version: e.Version})
	}
	s := tensorState{
		created: at, storage: e.Storage, counter: e.Counter, base: e.Base,
		node: uint32(e.Node), output: e.Output, view: uint32(e.View),
	}
	if e.Flags&FlagRequiresGrad != 0 {
		s.flags |= tensorRequiresGrad
	}
	grow(g, &g.tensors, e.Tensor, grownTensors, s)
}

// validEdges reports whether a node points only to nodes that exist, which also
// keeps the graph free of cycles, and saves only tensors that exist.
func (g *Graph) validEdges(e *NodeCreated) bool {
	for _, edge := range e.Edges {
		if edge.Node != 0 && !g.nodes.has(edge.Node) {
			return false
		}
	}
	for _, s := range e.Saved {
		if s.Tensor != 0 && !g.tensors.has(s.Tensor) && s.Flags&SavedOutput == 0 {
			return false
		}
	}
	return e.Variable == 0 || g.tensors.has(e.Variable)
}

func (g *Graph) mutate(at uint32, e *Mutated) {
	if !g.tensors.has(e.Tensor) {
		return
	}
	c := uint32(g.tensors.at(e.Tensor).counter)
	g.set(counterVersion, c, e.To)
	g.set(counterMutated, c, at+1)
	g.set(storageMutated, uint32(g.tensors.at(e.Tensor).storage), at+1)
	if e.Value.Known() {
		g.set(tensorValued, uint32(e.Tensor), at+1)
	}
}

func (g *Graph) rebase(e *Rebased) {
	if !g.tensors.has(e.Tensor) || e.Node != 0 && !g.nodes.has(e.Node) {
		return
	}
	t := uint32(e.Tensor)
	g.set(tensorNode, t, uint32(e.Node))
	g.set(tensorOutput, t, e.Output)
	if e.View != NotAView {
		g.set(tensorView, t, uint32(e.View))
	}
}

// reshape moves a tensor to a storage, which may be new or the one it is in.
func (g *Graph) reshape(at uint32, e *Reshaped) {
	isNew := int(e.Storage) == g.storages.len()
	if !g.tensors.has(e.Tensor) || !isNew && !g.storages.has(e.Storage) {
		return
	}
	if isNew {
		grow(g, &g.storages, e.Storage, grownStorages, storageState{})
	}
	t, to, size := uint32(e.Tensor), uint32(e.Storage), sized(e.Bytes)
	g.set(storageBytesLow, to, size.bytesLow)
	g.set(storageBytesHigh, to, size.bytesHigh)
	s := g.tensors.at(e.Tensor)
	if s.flags&tensorReleased == 0 {
		g.set(storageLive, uint32(s.storage), g.storages.at(s.storage).live-1)
		g.set(storageLive, to, g.storages.at(e.Storage).live+1)
	}
	g.set(tensorStorage, t, to)
	g.set(tensorShaped, t, at+1)
	g.set(tensorValued, t, at+1)
}

func (g *Graph) setFlag(t TensorID, flag uint32, on bool) {
	if !g.tensors.has(t) {
		return
	}
	f := g.tensors.at(t).flags &^ flag
	if on {
		f |= flag
	}
	g.set(tensorFlags, uint32(t), f)
}

func (g *Graph) releaseTensor(t TensorID) {
	if !g.tensors.has(t) || g.tensors.at(t).flags&tensorReleased != 0 {
		return
	}
	g.setFlag(t, tensorReleased, true)
	s := g.tensors.at(t).storage
	g.set(storageLive, uint32(s), g.storages.at(s).live-1)
}

func (g *Graph) setGrad(t, grad TensorID) {
	if g.tensors.has(t) && (grad == 0 || g.tensors.has(grad)) {
		g.set(tensorGrad, uint32(t), uint32(grad))
	}
}

// bind gives a name a new meaning. Names are few, so they are numbered once and
// keep their number when the cursor goes back.
func (g *Graph) bind(at uint32, e *NameBound) {
	if e.Tensor != 0 && !g.tensors.has(e.Tensor) {
		return
	}
	key := bindingKey{e.Scope, e.Name}
	i, ok := g.bindIDs[key]
	if !ok {
		i = uint32(len(g.names))
		g.bindIDs[key] = i
		g.names = append(g.names, key)
	}
	for g.bindings.len() <= int(i) { // behind a checkpoint at which there was no such name
		g.bindings.list.Push(binding{})
	}
	g.set(bindingTensor, i, uint32(e.Tensor))
	g.set(bindingBound, i, at+1)
	if e.Tensor != 0 {
		g.set(tensorBinding, uint32(e.Tensor), i)
	}
}

func (g *Graph) changeMode(thread ThreadID, e *ModeChanged) {
	if e.Mode > AutocastMode {
		return
	}
	th := g.thread(thread)
	modes := g.threads.at(th).modes &^ (1 << e.Mode)
	if start := e.Mode == GradMode; e.To != start {
		modes |= 1 << e.Mode
	}
	g.set(threadModes, th, modes)
}

// thread returns the index of a thread's state, which is made when the thread
// is first seen and kept when the cursor goes back.
func (g *Graph) thread(id ThreadID) uint32 {
	if i := g.lastThread.index; g.lastThread.id == id && int(i) < g.threads.len() {
		return i
	}
	i, ok := g.threadIDs[id]
	if !ok {
		i = uint32(len(g.threadIDs))
		g.threadIDs[id] = i
	}
	for g.threads.len() <= int(i) { // behind a checkpoint at which it had not been seen
		g.threads.list.Push(threadState{})
	}
	g.lastThread.id, g.lastThread.index = id, i
	return i
}
