package builtin

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// unanswered is the state of calls that the program does not wait for.
type unanswered struct {
	alone  bool  // the operation that runs is such a call
	gone   error // of the answer that let the program go while it runs
	defect error // why one failed: our bug
}

// runUnanswered makes a call that the program does not wait for. It must not fail; if it
// does, that is our bug, and the next answered call returns the error.
func (s *session) runUnanswered(m *message) error {
	if s.defect != nil {
		return nil
	}
	if err := s.begin(m); err != nil {
		return err
	}
	s.alone = true
	result, err := s.call(m)
	s.alone = false
	if err == nil {
		err, s.warned = s.warned, nil
	}
	if err == nil {
		s.nameResult(m.stack, result)
		err = s.expected(m, result)
	}
	s.replacedGrads = autograd.ReplacedGrads() // the program knows which ones it has assigned
	return s.asDefect(m, err)
}

// asDefect makes the failure of such a call a defect.
func (s *session) asDefect(m *message, err error) error {
	if err != nil && s.isFailure(err) {
		s.defect, err = internalError(fmt.Sprintf("%s: %v", s.functions[m.function].name, err)), nil
	}
	return err
}

// expected makes the result of a call the tensor that Python has predicted, or sees
// that it is the one that Python has.
func (s *session) expected(m *message, result any) error {
	h, expected := m.handle, m.layout
	if h == 0 {
		return nil
	}
	if expected < 0 || expected >= len(s.layouts.texts) {
		return marshal.Damaged("layout", nil)
	}
	t, ok := result.(*autograd.Tensor)
	if ok && t.Err() != nil {
		return t.Err()
	}
	if expected == 0 {
		if v, err := s.tensorOf(h); err != nil || v != result {
			return fmt.Errorf("another %T", result)
		}
		return nil
	}
	if !ok || t.Handle() != 0 {
		return fmt.Errorf("no new tensor but a %T", result)
	}
	if err := s.adopt(h, t, layoutID(expected)); err != nil {
		return err
	}
	if n := s.layouts.of(t); !s.layouts.alike(n, layoutID(expected)) {
		return fmt.Errorf("a result of layout %d, not %d", n, expected)
	}
	return nil
}

// letGo answers a call that still runs, but cannot fail any more and returns None.
func (s *session) letGo() {
	if s.warned == nil {
		s.alone, s.gone = true, s.channel.reply(protocol.ReplyNone|s.changes(), 0, nil)
	}
}
