package lookup

import (
	"encoding/binary"
	"iter"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/packed"
)

// Postings are lists of positions, one for each identifier, that grow at their ends.
// Most identifiers have a handful of events that lie close together, so a list is a
// chain of small blocks, the newest first, that hold differences. An identifier with events all
// along the tape, such as a parameter, has a run of its own from some point on.
type postings struct {
	newestBlock packed.List[uint32] // by identifier: number of its newest block + 1; 0: none
	blocks      packed.List[postingBlock]
	runs        map[uint32]*postingRun // what follows the blocks
}

// chained is after how many blocks a run begins.
const chained = 16

// A postingRun is a long list.
type postingRun struct{ packed.Sequence[uint32] }

func (r *postingRun) add(at graph.Pos) {
	if n := r.Len(); n == 0 || r.At(n-1) != uint32(at) {
		r.Append(uint32(at))
	}
}

// before yields the positions before another one, the newest first, and reports whether
// more are wanted.
func (r *postingRun) before(end graph.Pos, yield func(graph.Pos) bool) bool {
	n := sort.Search(r.Len(), func(i int) bool { return graph.Pos(r.At(i)) >= end })
	for i := n - 1; i >= 0; i-- {
		if !yield(graph.Pos(r.At(i))) {
			return false
		}
	}
	return true
}

// postingPages is how many pages of each of the lists stay as they are.
const postingPages = 256

type postingBlock struct {
	before uint32  // number of the block before + 1; 0: none
	depth  uint32  // blocks before
	first  uint32  // the first position
	more   [8]byte // differences to the next ones, as varints; a zero byte ends them
}

// positions reads a block.
func (b *postingBlock) positions(into *[9]graph.Pos) []graph.Pos {
	into[0] = graph.Pos(b.first)
	n := 1
	for rest := b.more[:]; len(rest) > 0 && rest[0] != 0; n++ {
		delta, size := binary.Uvarint(rest)
		into[n] = into[n-1] + graph.Pos(delta)
		rest = rest[size:]
	}
	return into[:n]
}

// used returns how many bytes of differences there are.
func (b *postingBlock) used() int {
	n := len(b.more)
	for n > 0 && b.more[n-1] == 0 {
		n--
	}
	return n
}

// add appends a position to the list of an identifier, once.
func (p *postings) add(id uint32, at graph.Pos) {
	if p.newestBlock.Len() == 0 {
		p.newestBlock.Keep(postingPages)
		p.blocks.Keep(postingPages)
	}
	for p.newestBlock.Len() <= int(id) {
		p.newestBlock.Push(0)
	}
	if r := p.runs[id]; r != nil {
		r.add(at)
		return
	}
	newest, depth := *p.newestBlock.At(int(id)), uint32(0)
	if newest != 0 {
		b := p.blocks.Change(int(newest) - 1)
		var room [9]graph.Pos
		known := b.positions(&room)
		delta := at - known[len(known)-1]
		if delta == 0 {
			return
		}
		var buf [binary.MaxVarintLen64]byte
		n, used := binary.PutUvarint(buf[:], uint64(delta)), b.used()
		if used+n <= len(b.more) {
			copy(b.more[used:], buf[:n])
			return
		}
		if depth = b.depth + 1; depth == chained {
			if p.runs == nil {
				p.runs = map[uint32]*postingRun{}
			}
			r := new(postingRun)
			r.add(at)
			p.runs[id] = r
			return
		}
	}
	p.blocks.Push(postingBlock{before: newest, depth: depth, first: uint32(at)})
	*p.newestBlock.Change(int(id)) = uint32(p.blocks.Len())
	p.newestBlock.Settle()
	p.blocks.Settle()
}

// before yields the positions of an identifier that lie before another one, the
// newest first.
func (p *postings) before(id uint32, end graph.Pos) iter.Seq[graph.Pos] {
	return func(yield func(graph.Pos) bool) {
		if int(id) >= p.newestBlock.Len() {
			return
		}
		if r := p.runs[id]; r != nil && !r.before(end, yield) {
			return
		}
		var room [9]graph.Pos
		for n := *p.newestBlock.At(int(id)); n != 0; {
			b := *p.blocks.At(int(n) - 1)
			if graph.Pos(b.first) < end {
				for _, at := range slices.Backward(b.positions(&room)) {
					if at < end && !yield(at) {
						return
					}
				}
			}
			n = b.before
		}
	}
}

// newest returns the newest position of an identifier before another one; -1: none.
func (p *postings) newest(id uint32, end graph.Pos) graph.Pos {
	for at := range p.before(id, end) {
		return at
	}
	return -1
}

// memory returns the approximate size of the lists in bytes.
func (p *postings) memory() int64 {
	total := p.newestBlock.Memory() + p.blocks.Memory()
	for _, r := range p.runs {
		total += r.Memory()
	}
	return total
}
