package control

import (
	"errors"
	"sync"
)

// A Session controls a program from outside. It may be used by several
// goroutines.
type Session struct {
	// First is the command that the program's gate gets before the program does
	// anything: a step, to stop early, or breakpoints.
	First Command
	// BeforeStop, if it is not nil, is called whenever the program has stopped,
	// before Stops receives the stop.
	BeforeStop func()

	mu    sync.Mutex
	do    func(Command) error // nil: the program is not there yet
	early Command             // the command for it then
	stops chan Stop
	over  bool
	asked int                 // the ID of the newest question
	open  map[int]chan Answer // the questions that wait for an answer
}

// NewSession returns a session for a program that is to be started.
func NewSession(first Command) *Session { return &Session{First: first, stops: make(chan Stop, 1)} }

// ErrNotRunning is the error of commands for a program that is over, and of Resume
// for one that has not begun to use the engine yet. Other commands wait for that.
var ErrNotRunning = errors.New("the program is not running")

// Attach connects the session with the program's gate, which do reaches; do may be
// called by any goroutine.
func (s *Session) Attach(do func(Command) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.do = do
	if early := s.early; early != (Command{}) {
		s.early = Command{}
		do(early) // it has been checked
	}
}

// Gate returns a gate in this process that the session controls.
func (s *Session) Gate() (*Gate, error) {
	g := NewGate(s.Stopped)
	g.OnAnswer(s.Answered)
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
	if do == nil && !over && !c.Resume && c.Ask == nil {
		s.early.add(c)
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	if do == nil || over {
		return ErrNotRunning
	}
	return do(c)
}

// add returns a command that does what both do.
func (c *Command) add(next Command) {
	if next.Breakpoints != nil {
		c.Breakpoints = next.Breakpoints
	}
	c.Interrupt = c.Interrupt || next.Interrupt
	c.Detach = c.Detach || next.Detach
}

// Stops receives a value whenever the program has stopped. It is closed when the
// program is over.
func (s *Session) Stops() <-chan Stop { return s.stops }

// Stopped is called for each stop of the program, which waits from then on.
func (s *Session) Stopped(stop Stop) {
	if s.BeforeStop != nil {
		s.BeforeStop()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	select {
	case <-s.stops: // the previous stop was not read
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
		for _, answer := range s.open {
			close(answer)
		}
		s.open = nil
	}
}

// Resume lets the program go on for a step.
func (s *Session) Resume(step Step) error { return s.command(Command{Resume: true, Step: step}) }

// Repeat lets the program go on for so many steps, without a stop between them.
func (s *Session) Repeat(step Step, times int) error {
	return s.command(Command{Resume: true, Step: step, Times: times})
}

// Interrupt stops the program at the next event.
func (s *Session) Interrupt() error { return s.command(Command{Interrupt: true}) }

// Break replaces the breakpoints.
func (s *Session) Break(points ...Breakpoint) error { return s.command(Command{Breakpoints: &points}) }

// Detach lets the program run freely, for good.
func (s *Session) Detach() error { return s.command(Command{Detach: true}) }

// Ask asks the program, which stands at a stop, and waits for the answer. The ID is set
// here. Interrupt ends an answer that takes long.
func (s *Session) Ask(a Ask) (Answer, error) {
	answer := make(chan Answer, 1)
	s.mu.Lock()
	s.asked++
	a.ID = s.asked
	if s.open == nil {
		s.open = map[int]chan Answer{}
	}
	s.open[a.ID] = answer
	over := s.over
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, a.ID)
	}()
	if over {
		return Answer{}, ErrNotRunning
	}
	if err := s.command(Command{Ask: &a}); err != nil {
		return Answer{}, err
	}
	got, ok := <-answer
	switch {
	case !ok:
		return Answer{}, ErrNotRunning
	case got.Error != "":
		return Answer{}, errors.New(got.Error)
	}
	return got, nil
}

// Answered is called for each answer of the program.
func (s *Session) Answered(a Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer, ok := s.open[a.ID]; ok {
		select {
		case answer <- a:
		default: // a second answer
		}
	}
}
