package find

import (
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/packed"
)

// A moment is an event from which on a label stands for a thing.
type moment struct {
	at uint32 // the event
	id uint32 // tensor, node or number of the finding
}

// moments are in the order of the tape.
type moments struct{ packed.Sequence[moment] }

// before returns how many moments lie before a position.
func (m *moments) before(p graph.Pos) int {
	return sort.Search(m.Len(), func(i int) bool { return graph.Pos(m.At(i).at) >= p })
}
