package python

import (
	"github.com/gradtui/gradtui/autograd"
)

// A meta is the number of a layout: what decides, with the arguments that are no
// tensors, whether an operation succeeds and what comes out. 0 is that of tensors
// for which more counts. Python knows the metas of its tensors and learns from the
// answers what an operation gives: it need not wait for the next one like it.
type meta = uint32

// maxMetas bounds how many layouts get a number.
const maxMetas = 1 << 16

// metas are the layouts that tensors have had.
type metas struct {
	numbers map[string]meta
	layouts []string // by number
	scratch []byte
}

// of is the meta of a tensor.
func (m *metas) of(t *autograd.Tensor) meta {
	m.scratch = t.AppendLayout(m.scratch[:0])
	if len(m.scratch) == 0 {
		return 0
	}
	n, ok := m.numbers[string(m.scratch)]
	if !ok && len(m.layouts) < maxMetas {
		if m.numbers == nil {
			m.numbers, m.layouts = map[string]meta{}, make([]string, 1)
		}
		n = meta(len(m.layouts))
		m.layouts = append(m.layouts, string(m.scratch))
		m.numbers[m.layouts[n]] = n
	}
	return n
}

// decides reports whether nothing but the meta counts.
func (m *metas) decides(n meta) bool {
	return n != 0 && !(autograd.LentViewsLost() && autograd.LayoutIsLent(m.layouts[n]))
}

// A mode is what else counts. What Python has learned holds as long as it stays
// the same.
type mode struct {
	undisturbed, viewsLost bool
	dtype                  autograd.DType
}

func modeNow() mode {
	return mode{autograd.Undisturbed(), autograd.LentViewsLost(), autograd.DefaultDType()}
}

// Advice comes with an answer. site/torch/_channel.py knows the same.
const (
	learnTypes     = 1 << (iota + adviceShift) // metas, and types of the arguments that are no tensors, decide what the function gives
	learnValues                                // metas, and values of these arguments
	adviceChanged                              // an argument has another meta than Python knows
	adviceForget                               // the mode has changed
	learnOff                                   // the first argument is what the function gives, as long as grad mode is off
	adviceReplaced                             // tensors have other gradients than before
	learnNew                                   // this holds for a first argument that has no views

	adviceShift = 3 // above the kind of the answer
)

// changes is the advice about what is no longer as it was.
func (s *session) changes() (n replyKind) {
	if now := modeNow(); now != s.mode {
		s.mode = now
		n |= adviceForget
	}
	if now := autograd.ReplacedGrads(); now != s.replacedGrads {
		s.replacedGrads = now
		n |= adviceReplaced
	}
	return n
}

// advice says what Python may learn from a call that succeeded, during which the
// engine called Python callbacks times.
func (s *session) advice(m *message, callbacks int, kind replyKind, result any) replyKind {
	known, decide := true, true
	for i := range m.args {
		s.compare(m.args[i], &known, &decide)
	}
	for i := range m.opts {
		s.compare(m.opts[i].Value, &known, &decide)
	}
	n := s.changes()
	if kind == replyTensor {
		s.compare(result, &known, &decide)
	}
	f := s.functions[m.function].foresight
	if f != nil && n&adviceForget == 0 && known && decide && callbacks == 0 && s.depth == 0 && !s.gated && s.mode.undisturbed && !counts(m) {
		n |= f(m, kind, result)
	}
	if !known {
		n |= adviceChanged
	}
	return n
}

// compare clears known if Python knows another meta of a tensor among the values,
// and decide if more than the meta of one counts.
func (s *session) compare(v any, known, decide *bool) {
	switch v := v.(type) {
	case *autograd.Tensor:
		if h := v.Handle(); h != 0 {
			n := s.metas.of(v)
			*known = *known && s.slot(h).meta == n
			*decide = *decide && s.metas.decides(n)
		}
	case autograd.Tuple: // out=(values, indices)
		for _, e := range v {
			s.compare(e, known, decide)
		}
	}
}

// alike reports whether two metas differ in nothing but what else counts.
func (m *metas) alike(a, b meta) bool {
	return a == b || a == 0 || b == 0 || autograd.SameForm(m.layouts[a], m.layouts[b])
}

// tell is the meta of a tensor, which Python knows from now on.
func (s *session) tell(t *autograd.Tensor) meta {
	k := s.slot(t.Handle())
	k.meta = s.metas.of(t)
	return k.meta
}

func init() {
	on("tensor.meta", func(s *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		return int(s.tell(t)), nil
	})
}
