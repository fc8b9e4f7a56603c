package builtin

import (
	"errors"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// callbacks is the state of the engine's calls of Python functions, which nest.
type callbacks struct {
	depth int // how many run
	count int // how many there were
	// result and failed are what the newest one that ended has returned or raised.
	result any
	failed error
	warned error // what the program made of a warning
}

// errReturned ends the serving of a callback: its result is in the session.
var errReturned = errors.New("the callback returned")

// callback lets Python call a function while the program waits for the engine,
// and serves what that asks for meanwhile.
func (s *session) callback(number int, args []any) (any, error) {
	if s.alone {
		return nil, errors.New("the engine called the program, which did not wait")
	}
	enc := encoder{s: s, plain: true}
	enc.buf = marshal.AppendInt(marshal.AppendTuple(enc.buf, 2), int64(number))
	enc.buf = marshal.AppendTuple(enc.buf, len(args))
	if err := enc.values(args); err != nil {
		return nil, err
	}
	dec, own, stack := s.dec, s.enc, s.stack
	s.enc = encoder{s: s}
	if err := s.channel.reply(protocol.ReplyCallback, 0, enc.buf); err != nil {
		return nil, err
	}
	s.count++
	s.depth++
	err := s.serve()
	s.depth--
	s.dec, s.enc = dec, own
	s.goTo(stack)
	if !errors.Is(err, errReturned) {
		return nil, err
	}
	result, failed := s.result, s.failed
	s.result, s.failed = nil, nil
	return engineValue(result), failed
}

// warn hands a warning of the engine to Python.
func (s *session) warn(w autograd.Warning) {
	text := w.Text
	if w.Origin != "" {
		text += " (Triggered internally at " + w.Origin + ".)"
	}
	if _, err := s.callback(0, []any{w.Category, text, w.Inside}); err != nil && s.warned == nil {
		s.warned = err
	}
}

var channelCommands = map[string]command{
	"channel.return": func(s *session, args []any, _ []autograd.Option) (any, error) {
		if len(args) != 1 {
			return nil, marshal.Damaged("result", nil)
		}
		s.result = args[0]
		return nil, errReturned
	},
	"channel.raise": func(s *session, args []any, _ []autograd.Option) (any, error) {
		n, ok1 := marshal.At[int](args, 0)
		text, ok2 := marshal.At[string](args, 1)
		if !ok1 || !ok2 {
			return nil, marshal.Damaged("exception", nil)
		}
		s.failed = &pythonError{n, text}
		return nil, errReturned
	},
	"channel.flush": func(*session, []any, []autograd.Option) (any, error) { return nil, nil },
	"channel.released": func(s *session, _ []any, _ []autograd.Option) (any, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		list := s.released
		s.released = nil
		return list, nil
	},
	"channel.held": func(s *session, args []any, kwargs []autograd.Option) (any, error) {
		n, _ := marshal.At[int](args, 0)
		name, ok := marshal.At[string](args, 1)
		v := s.held[n]
		if h, isHook := v.(autograd.HookHandle); isHook {
			h.Remove()
			return nil, nil
		}
		if !ok || v == nil {
			return nil, marshal.Damaged("attribute", nil)
		}
		rest := args[2:]
		for i := range rest {
			rest[i] = engineValue(rest[i])
		}
		return autograd.CallAttr(v, name, rest, kwargs...)
	},
}
