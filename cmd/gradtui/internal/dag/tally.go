package dag

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Tally counts nodes by status.
type Tally struct {
	Nodes  int // how many there are
	Looked int // how many were looked at; the counts are of these
	Status [graph.Failed + 1]int
	Freed  int // their saved tensors were freed
}

// mostLooked bounds the nodes that are looked at for one row, so that one that stands
// for a million of them does not take longer than a frame.
const mostLooked = 4096

// inARow is how many neighbours are looked at, of very many nodes: a graph keeps neighbours together, and takes
// most of the time to get to others.
const inARow = 16

// Tally counts the nodes from a place in the order up to, not including, another one by
// their statuses at the graph's position. If pass is not zero, a node that another pass
// touched last counts as idle. Of many nodes Tally looks at some that are spread evenly, so
// that the counts are shares.
func (d *Dag) Tally(first, last int, pass graph.BackwardID) Tally {
	first, last = max(first, 0), min(last, len(d.nodes))
	t := Tally{Nodes: max(last-first, 0)}
	t.Looked = min(t.Nodes, mostLooked)
	for i := range t.Looked {
		if t.Nodes > mostLooked {
			i = spread(i/inARow, t.Nodes/inARow)*inARow + i%inARow
		}
		status, of, freed := d.g.NodeStatus(d.nodes[first+i].id)
		if pass != 0 && of != pass {
			status = graph.Idle
		}
		t.Status[status]++
		if freed {
			t.Freed++
		}
	}
	return t
}

// spread returns the i-th of a series of numbers below n that fill the range evenly. The
// numbers, multiples of the golden ratio, have no period, as loops do.
func spread(i, n int) int {
	const golden = 0x9E3779B9 // of 1<<32
	return int(uint64(uint32(i)*golden) * uint64(n) >> 32)
}

// Names returns the names of the nodes from a place in the order up to, not including,
// another one, each once, in order of execution, and at most that many; more says that there
// may be others. The names are as the program gave them, and not fit for a terminal.
func (d *Dag) Names(first, last, most int) (names []string, more bool) {
	var seen []graph.StringID
	first, last = max(first, 0), min(last, len(d.nodes))
	for i := first; i < last; i++ {
		if i == first+mostLooked {
			return names, true
		}
		name := d.nodes[i].name
		if slices.Contains(seen, name) {
			continue
		}
		if len(seen) == most {
			return names, true
		}
		seen = append(seen, name)
		names = append(names, d.g.Tape().String(name))
	}
	return names, false
}
