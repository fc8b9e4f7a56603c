package control

import "sync"

// A Session controls a program from outside. It may be used by several
// goroutines.
type Session struct {
	do func(Command) error

	mu    sync.Mutex
	stops chan Stop
	over  bool
}

// NewSession returns the session of a program whose gate is reached by do, a
// function that may be called by any goroutine.
func NewSession(do func(Command) error) *Session {
	return &Session{do: do, stops: make(chan Stop, 1)}
}

// Local returns a gate in this process and the session that controls it.
func Local() (*Gate, *Session) {
	s := NewSession(nil)
	g := NewGate(s.Stopped)
	s.do = g.Do
	return g, s
}

// Stops receives a value whenever the program has stopped. It is closed when the
// program is over.
func (s *Session) Stops() <-chan Stop { return s.stops }

// Stopped is called for each stop of the program, which waits since then.
func (s *Session) Stopped(stop Stop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	select {
	case <-s.stops: // nobody looked at the stop before
	default:
	}
	s.stops <- stop
}

// End says that the program is over.
func (s *Session) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		close(s.stops)
	}
}

// Resume lets the program go on for a step.
func (s *Session) Resume(step Step) error { return s.do(Command{Resume: true, Step: step}) }

// Interrupt stops the program at the next event.
func (s *Session) Interrupt() error { return s.do(Command{Interrupt: true}) }

// Break replaces the breakpoints.
func (s *Session) Break(points ...Breakpoint) error { return s.do(Command{Breakpoints: &points}) }

// Detach lets the program run freely, for good.
func (s *Session) Detach() error { return s.do(Command{Detach: true}) }
