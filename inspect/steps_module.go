package inspect

import "github.com/gradtui/gradtui/graph"

// AfterModule is where the innermost module's forward pass that a position is in has
// returned; outside of all modules, where the next one has been entered. ok is false
// if there is no such position (yet). It is what the step "module" of a program that is controlled does, on a tape.
func (s *Steps) AfterModule(from graph.Pos) (p graph.Pos, ok bool) {
	inside, entered := 0, graph.Pos(-1)
	for p, end := max(from, 0), s.tape.Len(); p < end; p++ {
		switch k, _ := s.dec.Kind(p); k {
		case graph.KindModuleEntered:
			if entered < 0 {
				entered = p + 1
			}
			inside++
		case graph.KindModuleLeft:
			if inside == 0 {
				return p + 1, true
			}
			inside--
		}
	}
	return max(entered, from), entered >= 0
}

// BeforeModule is where the innermost module's forward pass that a position is in was
// about to be entered; outside of all modules, where the one before was. ok is false
// if there is none.
func (s *Steps) BeforeModule(from graph.Pos) (p graph.Pos, ok bool) {
	inside, entered := 0, graph.Pos(-1)
	for p := min(from, s.tape.Len()) - 1; p >= 0; p-- {
		switch k, _ := s.dec.Kind(p); k {
		case graph.KindModuleLeft:
			inside++
		case graph.KindModuleEntered:
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
