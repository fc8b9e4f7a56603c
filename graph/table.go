package graph

import "github.com/gradtui/gradtui/internal/packed"

// A table is a list indexed by identifier. Growing costs the same on a million elements
// as on ten, and elements that were not used for a while take little memory.
type table[ID ~uint32, S any] struct{ list packed.List[S] }

func (t *table[ID, S]) len() int { return t.list.Len() }

// at is an element for reading, change one for writing; both until the next call.
func (t *table[ID, S]) at(id ID) *S     { return t.list.At(int(id)) }
func (t *table[ID, S]) change(id ID) *S { return t.list.Change(int(id)) }

// has reports whether there is an element for id. Element 0 stands for none.
func (t *table[ID, S]) has(id ID) bool { return id > 0 && int(id) < t.list.Len() }

// Tables are what a graph keeps of tensors, nodes and so on. Those by identifier do not
// use element 0.
type tables struct {
	tensors   table[TensorID, tensorState]
	nodes     table[NodeID, nodeState]
	storages  table[StorageID, storageState]
	counters  table[CounterID, counterState]
	backwards table[BackwardID, backwardState]
	modules   table[ModuleID, moduleState] // in order of entry; element 0 means outside all
	threads   table[uint32, threadState]   // by the index of the thread
	bindings  table[uint32, binding]       // by the number of the name
	iteration uint32                       // position + 1 of the newest Iteration event
}

// begin puts the elements that stand for none into empty tables.
func (t *tables) begin() {
	t.tensors.list.Push(tensorState{})
	t.nodes.list.Push(nodeState{})
	t.storages.list.Push(storageState{})
	t.counters.list.Push(counterState{})
	t.backwards.list.Push(backwardState{})
	t.modules.list.Push(moduleState{})
	t.bindings.list.Push(binding{})
}

// settle lets the tables pack what was not used for a while.
func (t *tables) settle() {
	t.tensors.list.Settle()
	t.nodes.list.Settle()
	t.storages.list.Settle()
	t.counters.list.Settle()
	t.backwards.list.Settle()
	t.modules.list.Settle()
	t.threads.list.Settle()
	t.bindings.list.Settle()
}

// A checkpoint is what the tables were at a position.
type checkpoint struct {
	pos       Pos
	tensors   packed.Snapshot[tensorState]
	nodes     packed.Snapshot[nodeState]
	storages  packed.Snapshot[storageState]
	counters  packed.Snapshot[counterState]
	backwards packed.Snapshot[backwardState]
	modules   packed.Snapshot[moduleState]
	threads   packed.Snapshot[threadState]
	bindings  packed.Snapshot[binding]
	iteration uint32
}

func (t *tables) checkpoint(pos Pos) *checkpoint {
	return &checkpoint{
		pos, t.tensors.list.Snapshot(), t.nodes.list.Snapshot(), t.storages.list.Snapshot(), t.counters.list.Snapshot(),
		t.backwards.list.Snapshot(), t.modules.list.Snapshot(), t.threads.list.Snapshot(), t.bindings.list.Snapshot(), t.iteration,
	}
}

func (t *tables) restore(c *checkpoint) {
	t.tensors.list.Restore(c.tensors)
	t.nodes.list.Restore(c.nodes)
	t.storages.list.Restore(c.storages)
	t.counters.list.Restore(c.counters)
	t.backwards.list.Restore(c.backwards)
	t.modules.list.Restore(c.modules)
	t.threads.list.Restore(c.threads)
	t.bindings.list.Restore(c.bindings)
	t.iteration = c.iteration
}
