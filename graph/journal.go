package graph

// A change is one entry of the journal: the event that made it and the value
// that it replaced. Undoing an event pops its changes.
type change struct {
	event uint32 // position
	index uint32
	old   uint32
	what  slot
}

// A slot names a mutable field, or the growth of a table.
type slot uint8

const (
	tensorNode slot = iota
	tensorOutput
	tensorGrad
	tensorBinding
	tensorValued
	tensorFlags
	tensorStorage
	tensorShaped
	tensorView
	nodeBackward
	nodeReady
	nodeExecuted
	nodeFailed
	nodeFreed
	nodeWaiting
	nodeRuns
	nodeReleased
	storageLive
	storageMutated
	storageBytesLow
	storageBytesHigh
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
		return &g.tensors.at(TensorID(i)).node
	case tensorOutput:
		return &g.tensors.at(TensorID(i)).output
	case tensorGrad:
		return &g.tensors.at(TensorID(i)).grad
	case tensorBinding:
		return &g.tensors.at(TensorID(i)).binding
	case tensorValued:
		return &g.tensors.at(TensorID(i)).valued
	case tensorFlags:
		return &g.tensors.at(TensorID(i)).flags
	case tensorStorage:
		return (*uint32)(&g.tensors.at(TensorID(i)).storage)
	case tensorShaped:
		return &g.tensors.at(TensorID(i)).shaped
	case tensorView:
		return &g.tensors.at(TensorID(i)).view
	case nodeBackward:
		return &g.nodes.at(NodeID(i)).backward
	case nodeReady:
		return &g.nodes.at(NodeID(i)).ready
	case nodeExecuted:
		return &g.nodes.at(NodeID(i)).executed
	case nodeFailed:
		return &g.nodes.at(NodeID(i)).failed
	case nodeFreed:
		return &g.nodes.at(NodeID(i)).freed
	case nodeWaiting:
		return &g.nodes.at(NodeID(i)).waiting
	case nodeRuns:
		return &g.nodes.at(NodeID(i)).runs
	case nodeReleased:
		return &g.nodes.at(NodeID(i)).released
	case storageLive:
		return &g.storages.at(StorageID(i)).live
	case storageMutated:
		return &g.storages.at(StorageID(i)).mutated
	case storageBytesLow:
		return &g.storages.at(StorageID(i)).bytesLow
	case storageBytesHigh:
		return &g.storages.at(StorageID(i)).bytesHigh
	case counterVersion:
		return &g.counters.at(CounterID(i)).version
	case counterMutated:
		return &g.counters.at(CounterID(i)).mutated
	case backwardEnded:
		return &g.backwards.at(BackwardID(i)).ended
	case backwardFailed:
		return &g.backwards.at(BackwardID(i)).failed
	case moduleLeft:
		return &g.modules.at(ModuleID(i)).left
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
	g.journal.push(change{event: uint32(g.pos), index: i, old: old, what: what})
}

// grow appends an element to a table that is indexed by identifier, provided
// that id is the next one. A tape that skips or repeats identifiers is damaged;
// what it says is ignored.
func grow[ID ~uint32, S any](g *Graph, t *table[ID, S], id ID, what slot, s S) bool {
	if int(id) != t.len {
		return false
	}
	t.push(s)
	g.note(what, uint32(id), 0)
	return true
}

// revert undoes the event at g.pos, which was the newest one applied.
func (g *Graph) revert() {
	for g.journal.len > 0 {
		ch := *g.journal.at(uint32(g.journal.len - 1))
		if ch.event != uint32(g.pos) {
			return
		}
		g.journal.pop()
		switch ch.what {
		case grownTensors:
			g.tensors.pop()
		case grownNodes:
			g.nodes.pop()
		case grownStorages:
			g.storages.pop()
		case grownCounters:
			g.counters.pop()
		case grownBackwards:
			g.backwards.pop()
		case grownModules:
			g.modules.pop()
		default:
			*g.field(ch.what, ch.index) = ch.old
		}
	}
}
