package builtin

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// A layoutID is the number of a layout: the metadata that decides, with the arguments that
// are not tensors, whether an operation succeeds and what comes out. 0 stands for tensors
// for which more counts. Python knows the layouts of its tensors and learns from replies
// what an operation gives, so that it need not wait for the next one like it.
type layoutID = uint32

// maxLayouts bounds how many layouts get a number.
const maxLayouts = 1 << 16

// layouts are the layouts that tensors have had.
type layouts struct {
	ids     map[string]layoutID
	texts   []string // by number
	scratch []byte
}

// of is the layout of a tensor.
func (l *layouts) of(t *autograd.Tensor) layoutID {
	l.scratch = t.AppendLayout(l.scratch[:0])
	if len(l.scratch) == 0 {
		return 0
	}
	n, ok := l.ids[string(l.scratch)]
	if !ok && len(l.texts) < maxLayouts {
		if l.ids == nil {
			l.ids, l.texts = map[string]layoutID{}, make([]string, 1)
		}
		n = layoutID(len(l.texts))
		l.texts = append(l.texts, string(l.scratch))
		l.ids[l.texts[n]] = n
	}
	return n
}

// decides reports whether nothing but the layout counts.
func (l *layouts) decides(n layoutID) bool {
	return n != 0 && !(autograd.LentViewsLost() && autograd.LayoutIsLent(l.texts[n]))
}

// alike reports whether two layouts differ in nothing but what else counts.
func (l *layouts) alike(a, b layoutID) bool {
	return a == b || a == 0 || b == 0 || autograd.SameForm(l.texts[a], l.texts[b])
}

// A mode is what else counts. What Python has learned holds as long as it stays
// the same.
type mode struct {
	undisturbed, viewsLost bool
	dtype                  autograd.DType
}

// metadata is what Python has been told about tensors, and about what else counts.
type metadata struct {
	layouts layouts
	mode    mode
	// replacedGrads is how many gradients were replaced until Python heard of it.
	replacedGrads uint64
}

func modeNow() mode {
	return mode{autograd.Undisturbed(), autograd.LentViewsLost(), autograd.DefaultDType()}
}

// changes is the advice about what is no longer as it was.
func (s *session) changes() (n protocol.Reply) {
	if now := modeNow(); now != s.mode {
		s.mode = now
		n |= protocol.AdviceModeChanged
	}
	if now := autograd.ReplacedGrads(); now != s.replacedGrads {
		s.replacedGrads = now
		n |= protocol.AdviceGradsReplaced
	}
	return n
}

// advice says what Python may learn from a call that succeeded, during which the
// engine called Python callbacks times.
func (s *session) advice(m *message, callbacks int, kind protocol.Reply, result any) protocol.Reply {
	known, decide := true, true
	for i := range m.args {
		s.compare(m.args[i], &known, &decide)
	}
	for i := range m.opts {
		s.compare(m.opts[i].Value, &known, &decide)
	}
	n := s.changes()
	if kind == protocol.ReplyTensor {
		s.compare(result, &known, &decide)
	}
	f := s.functions[m.function].predictor
	if f != nil && n&protocol.AdviceModeChanged == 0 && known && decide && callbacks == 0 && s.depth == 0 && !s.gated && s.mode.undisturbed && !counts(m) {
		n |= f(m, kind, result)
	}
	if !known {
		n |= protocol.AdviceLayoutChanged
	}
	return n
}

// compare clears known if Python knows another layout of a tensor among the values,
// and decide if more than the layout of one counts.
func (s *session) compare(v any, known, decide *bool) {
	switch v := v.(type) {
	case *autograd.Tensor:
		if h := v.Handle(); h != 0 {
			n := s.layouts.of(v)
			*known = *known && s.slot(h).layout == n
			*decide = *decide && s.layouts.decides(n)
		}
	case autograd.Tuple: // out=(values, indices)
		for _, e := range v {
			s.compare(e, known, decide)
		}
	}
}

// announce returns the layout of a tensor, which Python knows from now on.
func (s *session) announce(t *autograd.Tensor) layoutID {
	k := s.slot(t.Handle())
	k.layout = s.layouts.of(t)
	return k.layout
}

var metadataCommands = map[string]command{
	"tensor.meta": func(s *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		return int(s.announce(t)), nil
	},
}
