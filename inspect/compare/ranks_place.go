package compare

import (
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// Counterpart returns the position on the tape of a rank that corresponds to one on the tape of
// another rank: in the same iteration, in or after the same backward pass of it,
// after as many operations and nodes. The end of one tape corresponds to the end of the other.
func Counterpart(from, to *graph.Tape, at graph.Pos) graph.Pos {
	if at >= from.Len() {
		return to.Len()
	}
	a, b := usage.Iterations(from, from.Len()), usage.Iterations(to, to.Len())
	number := iterationAt(a, at)
	return counterpart(from, to, at, a, b, number, number)
}

// InIteration returns the position in another iteration of a tape that corresponds to one: in or after the
// same backward pass of it, after as many operations and nodes. What comes behind the iterations
// corresponds to the end of the other one, and what comes before them to its beginning. ok is false if there
// is no such iteration.
func InIteration(tape *graph.Tape, at graph.Pos, number int) (p graph.Pos, ok bool) {
	all := usage.Iterations(tape, tape.Len())
	if number < 1 || number > len(all) {
		return 0, false
	}
	switch now := iterationAt(all, at); {
	case now == 0:
		return all[number-1].From, true
	case at > all[now-1].To:
		return all[number-1].To, true
	default:
		return counterpart(tape, tape, at, all, all, now, number), true
	}
}

// Shifted is [InIteration] for the iteration that comes so many after the position's own.
func Shifted(tape *graph.Tape, at graph.Pos, by int) (p graph.Pos, ok bool) {
	now := iterationAt(usage.Iterations(tape, tape.Len()), at)
	if now == 0 {
		return 0, false
	}
	return InIteration(tape, at, now+by)
}

// iterationAt returns the number of the iteration that a position is in or behind; 0 before all.
func iterationAt(all []usage.Iteration, at graph.Pos) int {
	return sort.Search(len(all), func(i int) bool { return all[i].From >= at })
}

// counterpart returns the position in iteration wanted of a tape that corresponds to one in iteration number
// of another.
func counterpart(from, to *graph.Tape, at graph.Pos, a, b []usage.Iteration, number, wanted int) graph.Pos {
	start, end := graph.Pos(0), to.Len()
	p := graph.Pos(0)
	switch {
	case number == 0: // before the loop
		if len(b) > 0 {
			end = b[0].From
		}
	case wanted > len(b):
		return end
	case at > a[number-1].To: // behind it, or between two iterations
		start, p = a[number-1].To, b[wanted-1].To
	default:
		start, p, end = a[number-1].From, b[wanted-1].From, b[wanted-1].To
	}
	borders, deeds, others := 0, 0, 0
	d := from.NewDecoder()
	for q := start; q < at; q++ {
		others++
		switch markOf(d, q) {
		case passBorder:
			borders++
			deeds, others = 0, 0
		case deed:
			deeds++
			others = 0
		}
	}
	d = to.NewDecoder()
	for ; p < end && borders+deeds+others > 0; p++ {
		mark := markOf(d, p)
		switch {
		case borders > 0:
			if mark == passBorder {
				borders--
			}
		case mark == passBorder, mark == deed && deeds == 0:
			return p
		case mark == deed:
			deeds--
		case deeds == 0:
			others--
		}
	}
	return p
}

// A mark is what an event means for finding the same place on another tape.
type mark uint8

const (
	noMark     mark = iota
	deed            // an operation or a node ran
	passBorder      // a backward pass began or ended
)

func markOf(d *graph.Decoder, p graph.Pos) mark {
	switch k, _ := d.Kind(p); k {
	case graph.KindOpRan, graph.KindNodeExecuted:
		return deed
	case graph.KindBackwardBegan, graph.KindBackwardEnded, graph.KindBackwardFailed:
		return passBorder
	}
	return noMark
}
