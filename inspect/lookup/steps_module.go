package lookup

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// AfterModule returns where the innermost module's forward pass that a position is in has
// returned; outside all modules, where the next one has been entered. ok is false
// if there is no such position (yet). A live program stops there after the step "module".
func (s *Steps) AfterModule(from graph.Pos) (p graph.Pos, ok bool) {
	inside, entered := 0, graph.Pos(-1)
	for p, end := max(from, 0), s.tape.Len(); p < end; p++ {
		switch k, _ := s.dec.Kind(p); {
		case k == graph.ModuleStops.Enter:
			if entered < 0 {
				entered = p + 1
			}
			inside++
		case slices.Contains(graph.ModuleStops.Leave, k):
			if inside == 0 {
				return p + 1, true
			}
			inside--
		}
	}
	return max(entered, from), entered >= 0
}

// BeforeModule returns where the innermost module's forward pass that a position is in was
// about to be entered; outside all modules, where the one before was. ok is false
// if there is none.
func (s *Steps) BeforeModule(from graph.Pos) (p graph.Pos, ok bool) {
	inside, entered := 0, graph.Pos(-1)
	for p := min(from, s.tape.Len()) - 1; p >= 0; p-- {
		switch k, _ := s.dec.Kind(p); {
		case slices.Contains(graph.ModuleStops.Leave, k):
			inside++
		case k == graph.ModuleStops.Enter:
			if inside == 0 {
				return p, true
			}
			if inside--; inside == 0 && entered < 0 {
				entered = p
			}
		}
	}
	return max(entered, 0), entered >= 0
}
