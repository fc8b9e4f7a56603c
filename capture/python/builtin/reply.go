package builtin

import (
	"errors"
	"io"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// request does what a message asks for and answers it.
func (s *session) request(m *message) error {
	if s.defect != nil {
		return s.refuse(s.defect)
	}
	if err := s.begin(m); err != nil {
		return err
	}
	count := s.count
	result, err := s.call(m)
	if s.alone {
		s.alone = false
		if s.gone != nil {
			return s.gone
		}
		return s.asDefect(m, err)
	}
	if s.warned != nil {
		if err == nil || !s.isFailure(s.warned) {
			err = s.warned
		}
		s.warned = nil
	}
	var kind protocol.Reply
	var value uint64
	if err == nil {
		s.nameResult(m.stack, result)
		kind, value, err = s.answer(result, m.args)
	}
	switch {
	case err == nil:
		kind |= s.advice(m, s.count-count, kind, result)
		return s.channel.reply(kind, value, s.enc.buf)
	case s.isFailure(err):
		return s.refuse(err)
	}
	return err
}

// refuse answers with an exception.
func (s *session) refuse(err error) error {
	s.enc.reset()
	s.exception(err)
	return s.channel.reply(protocol.ReplyError|s.changes(), 0, s.enc.buf)
}

// isFailure reports whether an error is the program's to see, and not the end of
// the session.
func (s *session) isFailure(err error) bool {
	return !errors.Is(err, errReturned) && !errors.Is(err, io.EOF) && !errors.Is(err, marshal.ErrFormat)
}

// answer chooses the shortest form of a result.
func (s *session) answer(result any, args []any) (kind protocol.Reply, value uint64, err error) {
	s.enc.reset()
	switch x := result.(type) {
	case nil:
		return protocol.ReplyNone, 0, nil
	case *autograd.Tensor:
		switch {
		case x == nil:
			return protocol.ReplyNone, 0, nil
		case x.Err() != nil:
			return 0, 0, x.Err()
		case len(args) > 0 && args[0] == result:
			return protocol.ReplySelf, 0, nil
		}
		if h, fresh := s.tensorHandle(x); fresh && !x.IsParameter() {
			return protocol.ReplyTensor, uint64(h) | uint64(s.announce(x))<<32, nil
		}
	}
	if err := s.enc.value(result); err != nil {
		return 0, 0, err
	}
	if s.enc.plain {
		return protocol.ReplyPlain, 0, nil
	}
	return protocol.ReplyValue, 0, nil
}

// exception writes an error as Python raises it.
func (s *session) exception(err error) {
	var raised *pythonError
	if errors.As(err, &raised) {
		s.enc.buf = marshal.AppendInt(marshal.AppendTuple(s.enc.buf, 1), int64(raised.number))
		return
	}
	class, text := autograd.RuntimeError, strings.ToValidUTF8(err.Error(), "?")
	var e *autograd.Error
	if errors.As(err, &e) {
		class, text = e.Type, strings.ToValidUTF8(e.Text, "?")
		if e.Code == autograd.CodeUnsupported {
			class = protocol.Unsupported
		}
	}
	s.enc.buf = marshal.AppendString(marshal.AppendString(marshal.AppendTuple(s.enc.buf, 2), string(class)), text)
}
