package export

import "encoding/binary"

// minTimes is how often a block must occur to be folded: its first and last
// occurrence stay.
const minTimes = 4

// repeats folds series of equal blocks: the steps of an unrolled loop, the layers
// of a deep network. It reports whether the plan fits then.
func (f *folder) repeats() bool {
	// A pass may bring out series of what the pass before has folded.
	for range 4 {
		seq := f.sequence()
		runs := findRuns(seq.tokens, minTimes)
		if len(runs) == 0 {
			break
		}
		for _, r := range runs {
			r = seq.align(r)
			times := r.length / r.period
			var nodes []int32
			for _, u := range seq.units[r.start+r.period : r.start+(times-1)*r.period] {
				nodes = f.appendMembers(nodes, u)
			}
			f.merge(nodes, group{kind: FoldRepeats, times: times - 2})
		}
		f.settle()
		if f.fits() {
			return true
		}
	}
	return false
}

func (f *folder) appendMembers(nodes []int32, u unit) []int32 {
	if u < 0 {
		return append(nodes, f.groups[^u].members...)
	}
	return append(nodes, int32(u))
}

// A sequence is the units of a plan in order of creation, without leaves.
type sequence struct {
	units  []unit
	tokens []int32 // equal numbers: the same node with the same inputs, seen from there
	cross  []int32 // how many links lead over the place in front of a unit
}

// sequence reduces each unit to a token: its name, and for each input when that
// was made or last used, counted back in uses. In a repeated block all of that
// repeats: an intermediate result was made a certain number of uses ago, and a
// weight that all blocks share was last used in the block before.
func (f *folder) sequence() *sequence {
	s := &sequence{}
	numbers := map[string]int32{}
	touched := map[unit]int32{} // the time of the newest use
	place := map[unit]int{}
	clock := int32(0)
	var key []byte
	touch := func(u unit) {
		clock++
		age := int32(0)
		if t := touched[u]; t != 0 {
			age = clock - t
		}
		touched[u] = clock
		key = binary.AppendUvarint(key, uint64(age))
	}
	for u := range f.units {
		if u >= 0 && f.nodes[u].leaf != 0 {
			continue
		}
		place[u] = len(s.units)
		key = f.appendKind(key[:0], u)
		if u >= 0 {
			for _, e := range f.next(int(u)) {
				key = binary.AppendUvarint(key, uint64(e.Input))
				if i := f.at(e.Node); i >= 0 {
					touch(f.unitOf(i))
				}
			}
		} else {
			for _, l := range f.linksOf(u) {
				key = binary.AppendUvarint(key, uint64(l.count))
				touch(l.to)
			}
		}
		touch(u)
		n, ok := numbers[string(key)]
		if !ok {
			n = int32(len(numbers))
			numbers[string(key)] = n
		}
		s.units, s.tokens = append(s.units, u), append(s.tokens, n)
	}
	s.countLinks(f, place)
	return s
}

// appendKind appends what a unit is: the name of a node, or the type of the
// module whose call a group is.
func (f *folder) appendKind(key []byte, u unit) []byte {
	if u >= 0 {
		return append(append(key, f.nodeName(int(u))...), 0)
	}
	g := f.groups[^u]
	m, _ := f.g.Module(g.module)
	key = append(append(key, byte(g.kind)), m.Type...)
	return binary.AppendUvarint(append(key, 0), uint64(len(g.members)))
}

func (s *sequence) countLinks(f *folder, place map[unit]int) {
	s.cross = make([]int32, len(s.units)+1)
	for from, u := range s.units {
		for _, l := range f.linksOf(u) {
			if to, ok := place[l.to]; ok && to != from {
				s.cross[min(from, to)+1]++
				s.cross[max(from, to)+1]--
			}
		}
	}
	for i := range s.cross[1:] {
		s.cross[i+1] += s.cross[i]
	}
}

// align moves the blocks of a run to where the fewest links lead from one to the
// next, at the cost of one of them at most: that is where the loop of the program
// begins.
func (s *sequence) align(r run) run {
	end := r.start + r.length
	times := max(r.length/r.period-1, minTimes)
	last := min(end-times*r.period, r.start+r.period-1)
	best := r.start
	for i := r.start; i <= last; i++ {
		if s.cross[i] < s.cross[best] {
			best = i
		}
	}
	length := end - best
	return run{best, r.period, length - length%r.period}
}
