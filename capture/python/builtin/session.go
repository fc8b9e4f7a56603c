package builtin

import (
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A session serves a program.
type session struct {
	commands  map[string]command
	records   map[string]func(s *session, v []any) error
	functions []function // by the numbers that the program gave them

	channel  *channel
	dec      marshal.Decoder
	enc      encoder
	recorder *autograd.Recorder
	tape     *graph.Tape
	sites    *sites
	gated    bool          // the debugger may stop the program at an operation
	stack    graph.StackID // where the program is
	given    []any         // the arguments of the function that runs
	// variables are the variables that were asked for, at the program's end.
	variables map[string]engine.Variable

	objects
	metadata
	unanswered
	callbacks
	aside

	threads map[int]*autograd.Thread
	modules []func()      // leave the modules that were entered
	modes   map[int]modes // outside the blocks that switch them
	steps   []func()      // end the optimizer steps that have begun
	custom  customFunctions
	credit  int // steps that searches for holders may take

	mu       sync.Mutex
	released []int // objects that the engine has forgotten
}

// serveProgram serves the program at the other end of the channel until it ends. What it
// does is recorded on the tape; variables gets those that it was asked for.
func serveProgram(c *channel, tape *graph.Tape, gate *control.Gate, variables map[string]engine.Variable) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	autograd.Restart()
	r, stop := autograd.Record(tape)
	defer stop()
	s := &session{
		commands: commands, records: records,
		channel: c, recorder: r, tape: tape, variables: variables, gated: gate != nil,
		objects: newObjects(), credit: mostSteps, modes: map[int]modes{}, threads: map[int]*autograd.Thread{},
	}
	if gate != nil {
		gate.OnAsk(s.answerQuestion, s.cancel)
		defer gate.OnAsk(nil, nil)
		r.SetGate(gate)
	}
	s.enc.s = s
	s.sites = newSites(tape, r)
	r.SetOperands(s.operands)
	defer autograd.SwitchThread(autograd.SwitchThread(s.thread(0)))
	warn := autograd.OnWarning
	autograd.OnWarning = s.warn
	defer func() { autograd.OnWarning = warn }()
	s.changes()
	err := s.serve()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	capture.RecordDamage(tape, err)
	return err
}

// serve answers requests until the program ends or a callback returns.
func (s *session) serve() error {
	var m message // callbacks nest: each level has its own
	for {
		data, err := s.channel.next()
		if err != nil {
			return err
		}
		if err := s.read(data, &m); err != nil {
			return err
		}
		if m.unanswered {
			s.channel.done(s.dec.Rest())
			err = s.runUnanswered(&m)
		} else {
			err = s.request(&m)
		}
		if err != nil {
			return err
		}
		clear(m.args)
		clear(m.opts)
		clear(m.dead)
	}
}

// begin does what comes before the call of a message.
func (s *session) begin(m *message) error {
	if m.records != nil {
		if err := s.extra(m.records); err != nil {
			return err
		}
	}
	if !s.silent {
		s.sites.Settle(m.stack)
	}
	s.drop(m.dead)
	s.credit = min(s.credit+stepsPerRequest, mostSteps)
	s.goTo(s.sites.Stack(m.stack))
	if s.recorder.Named() {
		s.recorder.SetResultNames(s.sites.ResultNames(m.stack))
	}
	return nil
}

// drop forgets what the program has no more objects for: tensors are floats, nodes ints,
// other things that were held negative ints.
func (s *session) drop(dead []any) {
	for _, v := range dead {
		switch x := v.(type) {
		case *autograd.Tensor:
			if s.silent {
				s.dropped = append(s.dropped, x)
			} else {
				s.recorder.Released(x)
			}
			s.dropTensor(x)
		case int:
			if x < 0 {
				delete(s.held, -x)
			} else {
				s.dropNode(x)
			}
		}
	}
}

// goTo says at which call stack the program is.
func (s *session) goTo(stack graph.StackID) {
	s.stack = stack
	s.recorder.SetStack(stack)
}

// thread is the engine's state for a thread of the program.
func (s *session) thread(id int) *autograd.Thread {
	t := s.threads[id]
	if t == nil {
		t = autograd.NewThread(graph.ThreadID(id))
		s.threads[id] = t
	}
	return t
}
