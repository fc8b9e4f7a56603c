package graph

import "unsafe"

// A table is a list indexed by identifier, in blocks of fixed size. Its elements stay where they are
// when it grows, so growing costs the same on a million elements as on ten.
type table[ID ~uint32, S any] struct {
	blocks []*[tableBlock]S
	len    int
}

const tableBlock = 256

func (t *table[ID, S]) at(id ID) *S { return &t.blocks[id/tableBlock][id%tableBlock] }

func (t *table[ID, S]) push(s S) {
	if t.len == len(t.blocks)*tableBlock {
		t.blocks = append(t.blocks, new([tableBlock]S))
	}
	t.len++
	*t.at(ID(t.len - 1)) = s
}

// pop removes the newest element; one empty block is kept for the next push.
func (t *table[ID, S]) pop() {
	t.len--
	if spare := (t.len + tableBlock - 1) / tableBlock; spare+1 < len(t.blocks) {
		t.blocks[len(t.blocks)-1] = nil
		t.blocks = t.blocks[:len(t.blocks)-1]
	}
}

func (t *table[ID, S]) memory() int64 {
	return int64(len(t.blocks)) * int64(unsafe.Sizeof([tableBlock]S{})+8)
}

// has reports whether there is an element for id. Element 0 stands for none.
func (t *table[ID, S]) has(id ID) bool { return id > 0 && int(id) < t.len }
