package find

import (
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/packed"
)

// A moment is when a label stood for something.
type moment struct {
	at uint32 // the event
	id uint32 // tensor, node or number of the finding
}

// Moments are in order.
type moments struct{ packed.Sequence[moment] }

// before is how many there were before a position.
func (m *moments) before(p graph.Pos) int {
	return sort.Search(m.Len(), func(i int) bool { return graph.Pos(m.At(i).at) >= p })
}
