package control

import (
	"errors"
	"sync"
)

// A Session controls a program from outside. It may be used by several
// goroutines.
type Session struct {
	// First is what the program's gate is told before the program does
	// anything: a step, if it is to stop early, or breakpoints.
	First Command

	mu    sync.Mutex
	do    func(Command) error // nil: the program is not there yet
	stops chan Stop
	over  bool
}

// NewSession returns a session for a program that is to be started.
func NewSession(first Command) *Session { return &Session{First: first, stops: make(chan Stop, 1)} }

// ErrNotRunning is the error of commands for a program that has not begun to use
// the engine yet, or is over.
var ErrNotRunning = errors.New("the program is not running")

// Attach connects the session with the program's gate, which do reaches; do may be
// called by any goroutine.
func (s *Session) Attach(do func(Command) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.do = do
}

// Gate returns a gate in this process that the session controls.
func (s *Session) Gate() (*Gate, error) {
	g := NewGate(s.Stopped)
	if err := g.Do(s.First); err != nil {
		return nil, err
	}
	s.Attach(g.Do)
	return g, nil
}

func (s *Session) command(c Command) error {
	if err := c.Check(); err != nil {
		return err
	}
	s.mu.Lock()
	do, over := s.do, s.over
	s.mu.Unlock()
	if do == nil || over {
		return ErrNotRunning
	}
	return do(c)
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
func (s *Session) Resume(step Step) error { return s.command(Command{Resume: true, Step: step}) }

// Interrupt stops the program at the next event.
func (s *Session) Interrupt() error { return s.command(Command{Interrupt: true}) }

// Break replaces the breakpoints.
func (s *Session) Break(points ...Breakpoint) error { return s.command(Command{Breakpoints: &points}) }

// Detach lets the program run freely, for good.
func (s *Session) Detach() error { return s.command(Command{Detach: true}) }
