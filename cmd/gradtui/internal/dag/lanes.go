package dag

import "math/bits"

// MaxLanes is how many lanes are drawn. The lanes to the right of them share one place.
const MaxLanes = 16

// lanes is how the lanes run at a row. The mask of a row's lanes has bit 0 for the
// leftmost one; the shared place is not in it.
type lanes struct {
	own   int32  // where the row itself stands, which may be beyond MaxLanes
	open  uint16 // lanes that lead on to the row below
	to    uint16 // lanes that the row leads to
	more  int32  // lanes beyond MaxLanes that lead on to the row below
	toFar bool   // the row leads to such a lane
}

// assignLanes gives each row its lane. A row has it from the first row that leads to
// it; of the free ones it gets the leftmost. The lane of a row is free as soon as it
// is reached, so what the row leads to can go on in it.
func (v *View) assignLanes() {
	var free laneSet
	var now lanes
	for r := range v.rows {
		row := &v.rows[r]
		now.to, now.toFar = 0, false
		if row.mentioned < 0 {
			row.own = int32(free.take())
		} else {
			now.close(row.own)
		}
		free.give(int(row.own))
		for _, to := range v.linksOf(r) {
			target := &v.rows[to]
			if int(target.mentioned) == r {
				target.own = int32(free.take())
				now.start(target.own)
			}
			now.lead(target.own)
		}
		now.own = row.own
		row.lanes = now
	}
}

func (l *lanes) close(lane int32) {
	if lane < MaxLanes {
		l.open &^= 1 << lane
	} else {
		l.more--
	}
}

func (l *lanes) start(lane int32) {
	if lane < MaxLanes {
		l.open |= 1 << lane
	} else {
		l.more++
	}
}

func (l *lanes) lead(lane int32) {
	if lane < MaxLanes {
		l.to |= 1 << lane
	} else {
		l.toFar = true
	}
}

// A laneSet knows which lanes are in use.
type laneSet struct {
	used []uint64
	full int // the words in front of this one have no free lane
}

// take finds the leftmost free lane.
func (s *laneSet) take() int {
	for ; s.full < len(s.used); s.full++ {
		if free := ^s.used[s.full]; free != 0 {
			bit := bits.TrailingZeros64(free)
			s.used[s.full] |= 1 << bit
			return s.full*64 + bit
		}
	}
	s.used = append(s.used, 1)
	return s.full * 64
}

// give makes a lane free again.
func (s *laneSet) give(lane int) {
	s.used[lane/64] &^= 1 << (lane % 64)
	s.full = min(s.full, lane/64)
}
