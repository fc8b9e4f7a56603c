package graph

import "slices"

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
		return &g.tensors.change(TensorID(i)).node
	case tensorOutput:
		return &g.tensors.change(TensorID(i)).output
	case tensorGrad:
		return &g.tensors.change(TensorID(i)).grad
	case tensorBinding:
		return &g.tensors.change(TensorID(i)).binding
	case tensorValued:
		return &g.tensors.change(TensorID(i)).valued
	case tensorFlags:
		return &g.tensors.change(TensorID(i)).flags
	case tensorStorage:
		return (*uint32)(&g.tensors.change(TensorID(i)).storage)
	case tensorShaped:
		return &g.tensors.change(TensorID(i)).shaped
	case tensorView:
		return &g.tensors.change(TensorID(i)).view
	case nodeBackward:
		return &g.nodes.change(NodeID(i)).backward
	case nodeReady:
		return &g.nodes.change(NodeID(i)).ready
	case nodeExecuted:
		return &g.nodes.change(NodeID(i)).executed
	case nodeFailed:
		return &g.nodes.change(NodeID(i)).failed
	case nodeFreed:
		return &g.nodes.change(NodeID(i)).freed
	case nodeWaiting:
		return &g.nodes.change(NodeID(i)).waiting
	case nodeRuns:
		return &g.nodes.change(NodeID(i)).runs
	case nodeReleased:
		return &g.nodes.change(NodeID(i)).released
	case storageLive:
		return &g.storages.change(StorageID(i)).live
	case storageMutated:
		return &g.storages.change(StorageID(i)).mutated
	case storageBytesLow:
		return &g.storages.change(StorageID(i)).bytesLow
	case storageBytesHigh:
		return &g.storages.change(StorageID(i)).bytesHigh
	case counterVersion:
		return &g.counters.change(CounterID(i)).version
	case counterMutated:
		return &g.counters.change(CounterID(i)).mutated
	case backwardEnded:
		return &g.backwards.change(BackwardID(i)).ended
	case backwardFailed:
		return &g.backwards.change(BackwardID(i)).failed
	case moduleLeft:
		return &g.modules.change(ModuleID(i)).left
	case threadModule:
		return &g.threads.change(i).module
	case threadBackward:
		return &g.threads.change(i).backward
	case threadModes:
		return &g.threads.change(i).modes
	case bindingTensor:
		return &g.bindings.change(i).tensor
	case bindingBound:
		return &g.bindings.change(i).bound
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
	old := *p
	*p = value
	g.note(what, i, old)
}

func (g *Graph) note(what slot, i, old uint32) {
	g.journal.push(change{event: uint32(g.pos), index: i, old: old, what: what})
}

// grow appends an element to a table that is indexed by identifier, provided
// that id is the next one. A tape that skips or repeats identifiers is damaged;
// what it says is ignored.
func grow[ID ~uint32, S any](g *Graph, t *table[ID, S], id ID, what slot, s S) bool {
	if int(id) != t.len() {
		return false
	}
	t.list.Push(s)
	g.note(what, uint32(id), 0)
	return true
}

// revert undoes the event at g.pos, which was the newest one applied.
func (g *Graph) revert() {
	for {
		ch, ok := g.journal.pop(uint32(g.pos))
		if !ok {
			return
		}
		switch ch.what {
		case grownTensors:
			g.tensors.list.Pop()
		case grownNodes:
			g.nodes.list.Pop()
		case grownStorages:
			g.storages.list.Pop()
		case grownCounters:
			g.counters.list.Pop()
		case grownBackwards:
			g.backwards.list.Pop()
		case grownModules:
			g.modules.list.Pop()
		default:
			*g.field(ch.what, ch.index) = ch.old
		}
	}
}

// A journal holds the newest changes, in blocks of a fixed size.
type journal struct {
	blocks []*[journalBlock]change // all full but the newest one
	used   int                     // changes in the newest block
	floor  Pos                     // nothing before it can be undone
	most   int                     // blocks
}

const (
	journalBlock  = 1 << 10 // changes of a block
	journalBlocks = 1 << 6
)

func (j *journal) push(ch change) {
	if len(j.blocks) == 0 || j.used == journalBlock {
		j.blocks = append(j.blocks, j.spare())
		j.used = 0
	}
	j.blocks[len(j.blocks)-1][j.used] = ch
	j.used++
}

// spare is a block to be used: the oldest one when there are enough.
func (j *journal) spare() *[journalBlock]change {
	if len(j.blocks) < j.most {
		return new([journalBlock]change)
	}
	oldest := j.blocks[0]
	j.floor = Pos(oldest[journalBlock-1].event) + 1
	j.blocks = slices.Delete(j.blocks, 0, 1)
	return oldest
}

// pop removes the newest change, if an event made it.
func (j *journal) pop(event uint32) (change, bool) {
	n := len(j.blocks) - 1
	if n >= 0 && j.used == 0 {
		j.blocks[n] = nil
		j.blocks = j.blocks[:n]
		n, j.used = n-1, journalBlock
	}
	if n < 0 || j.blocks[n][j.used-1].event != event {
		return change{}, false
	}
	j.used--
	return j.blocks[n][j.used], true
}

// forget begins the journal at a position.
func (j *journal) forget(at Pos) {
	clear(j.blocks)
	j.blocks, j.used, j.floor = j.blocks[:0], 0, at
}
