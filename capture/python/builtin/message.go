package builtin

import (
	"encoding/binary"
	"math"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// A message asks for a call:
//
//	(function, stack, arguments[, keywords[, dead[, records]]])
//
// The program does not wait for the call in a message with eight elements. The last two
// elements are the handle that the result gets and its layout, or the handle that it has and
// 0, or 0 and 0. A short message says the same, see [session.short].
type message struct {
	function, stack int
	args            []any
	opts            []autograd.Option
	dead            []any
	records         any
	unanswered      bool
	handle, layout  int
}

// read reads a message. It is valid until the next one at the same level.
func (s *session) read(data []byte, m *message) error {
	*m = message{args: m.args[:0], opts: m.opts[:0], dead: m.dead[:0]}
	s.dec.Reset(data, s)
	if b := s.dec.Raw(protocol.ShortTag, protocol.ShortBytes); b != nil {
		return s.short(b, m)
	}
	n, err := s.dec.Sequence()
	if err != nil || n < 3 || n > 6 && n != 8 {
		return marshal.Damaged("message", err)
	}
	m.unanswered = n == 8
	if m.function, err = s.dec.Int(); err != nil {
		return marshal.Damaged("message", err)
	}
	if m.stack, err = s.dec.Int(); err != nil {
		return marshal.Damaged("message", err)
	}
	count, err := s.dec.Sequence()
	if err != nil {
		return marshal.Damaged("message", err)
	}
	m.args, err = s.dec.Elements(m.args, count)
	var keywords any
	if err == nil && n > 3 {
		keywords, err = s.dec.Value()
	}
	if err == nil && n > 4 {
		m.dead, err = s.dec.List(m.dead)
	}
	if err == nil && n > 5 {
		m.records, err = s.dec.Value()
	}
	if err == nil && m.unanswered {
		m.handle, err = s.dec.Int()
	}
	if err == nil && m.unanswered {
		m.layout, err = s.dec.Int()
	}
	if err != nil {
		return marshal.Damaged("message", err)
	}
	if pairs, ok := keywords.([][2]any); ok {
		for _, p := range pairs {
			name, _ := p[0].(string)
			m.opts = append(m.opts, autograd.Kw(name, p[1]))
		}
	}
	return nil
}

// short reads a short message, whose parts are at fixed places in little-endian order:
//
//	 0  'c'
//	 1  the kinds of the arguments: of the first in the lower half, of the second in the upper one
//	 2  function
//	 4  stack
//	 8  layout of the result
//	12  handle of the result
//	16  the first argument, a tensor's handle or an int
//	20  handle of a tensor that is given up, or 0; two more follow
//	32  the second argument, a float64, which is also a tensor's handle, an int or a bool
func (s *session) short(b []byte, m *message) error {
	word := func(at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }
	m.function, m.stack, m.layout, m.handle = int(binary.LittleEndian.Uint16(b[2:])), word(4), word(8), word(12)
	m.unanswered = true
	first, err := s.operand(b[1]&15, float64(word(16)))
	if err != nil {
		return err
	}
	m.args = append(m.args, first)
	if kind := b[1] >> 4; kind != 0 {
		second, err := s.operand(kind, math.Float64frombits(binary.LittleEndian.Uint64(b[32:])))
		if err != nil {
			return err
		}
		m.args = append(m.args, second)
	}
	for at := 20; at < 32; at += 4 {
		if h := word(at); h != 0 {
			gone, err := s.tensorOf(h)
			if err != nil {
				return err
			}
			m.dead = append(m.dead, gone)
		}
	}
	return nil
}

// operand is an argument of a short message, by its kind.
func (s *session) operand(kind byte, x float64) (any, error) {
	switch kind {
	case protocol.OperandTensor:
		return s.tensorOf(int(x))
	case protocol.OperandFloat:
		return x, nil
	case protocol.OperandInt:
		return int(x), nil
	case protocol.OperandBool:
		return x != 0, nil
	case protocol.OperandNone:
		return nil, nil
	}
	return nil, marshal.Damaged("message", nil)
}
