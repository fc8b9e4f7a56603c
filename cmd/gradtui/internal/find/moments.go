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

// Moments are in order. Most labels have a few; those that have many have them in a list
// that takes little memory.
type moments struct {
	few  []moment
	many *packed.List[moment] // what follows the few; nil: nothing
}

const (
	fewMoments = 64
	// momentPages is how many pages of a list stay as they are.
	momentPages = 16
)

func (m *moments) len() int {
	if m.many == nil {
		return len(m.few)
	}
	return len(m.few) + m.many.Len()
}

func (m *moments) at(i int) moment {
	if i < len(m.few) {
		return m.few[i]
	}
	return *m.many.At(i - len(m.few))
}

func (m *moments) add(x moment) {
	switch {
	case len(m.few) < fewMoments:
		m.few = append(m.few, x)
		return
	case m.many == nil:
		m.many = new(packed.List[moment])
		m.many.Keep(momentPages)
	}
	m.many.Push(x)
	m.many.Settle()
}

// before is how many there were before a position.
func (m *moments) before(p graph.Pos) int {
	return sort.Search(m.len(), func(i int) bool { return graph.Pos(m.at(i).at) >= p })
}
