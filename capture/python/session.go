package python

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// A replyKind says what an answer is.
type replyKind uint64

// The kinds. site/torch/_channel.py knows the same.
const (
	replyNone     replyKind = iota // None
	replyTensor                    // a new tensor: its handle is in the header
	replySelf                      // the first argument
	replyPlain                     // a value that needs no translation
	replyValue                     // a value
	replyError                     // an exception: (type, text), or (number of an exception,)
	replyCallback                  // the engine calls: (number of a callable, arguments)
	replyPart                      // more of an answer follows, or more of a request is awaited
)

// ownHandles begin the handles that Python has given: in messages they are negative.
const ownHandles = 1 << 31

// mostSkipped is how many new ones at the most come before one with a smaller number: a
// signal handler may run in the middle of a call, and end it.
const mostSkipped = 1 << 10

// A known tensor is one that the program has.
type known struct {
	tensor *autograd.Tensor
	meta   meta // that Python knows
}

// A function is one that the program may call.
type function struct {
	name      string
	run       command
	foresight foresight
}

// A command is a function of the engine's side that Python calls by name.
type command func(s *session, args []any, kwargs []autograd.Option) (any, error)

// commands are those that are no functions of the engine: other files add theirs.
var commands = map[string]command{}

func on(name string, c command) {
	if commands[name] != nil {
		panic("python: two commands " + name)
	}
	commands[name] = c
}

// A session serves a program.
type session struct {
	channel  *channel
	recorder *autograd.Recorder
	stack    graph.StackID // where the program is
	tape     *graph.Tape
	// variables are those of the program's end.
	variables map[string]Variable

	functions []function // by the numbers that the program gave them
	tensors   []known    // by handle
	own       []known    // by handles of the program's own
	freeT     []uint32
	metas     metas
	mode      mode
	// replacedGrads is how many gradients were replaced until Python heard of it.
	replacedGrads uint64
	gated         bool  // somebody may stop the program at an operation
	alone         bool  // nobody waits for the operation that runs
	gone          error // of the answer that let the program go while it runs
	defect        error // of such an operation
	nodes         []*autograd.Node
	freeN         []uint32
	held          map[int]any // what has no handle of its own, by number
	lastHeld      int
	credit        int // steps that searches for holders may take
	threads       map[int]*autograd.Thread
	sites         *sites
	modules       []func()      // leave the modules that were entered
	modes         map[int]modes // outside of the blocks that switch them
	steps         []func()      // end the optimizer steps that have begun
	custom        customFunctions

	given            []any // the arguments of the function that runs
	dec              marshal.Decoder
	enc              encoder
	depth, callbacks int // how many callbacks run, and how many there were

	result any // of a callback
	failed error
	warned error // what the program made of a warning

	mu       sync.Mutex
	released []int // objects that the engine has forgotten
}

// errReturned ends the serving of a callback: its result is in the session.
var errReturned = errors.New("the callback returned")

// serveProgram serves the program at the other end of the channel until it ends. What it
// does is recorded on the tape; variables gets those that it was asked for.
func serveProgram(c *channel, tape *graph.Tape, gate *control.Gate, variables map[string]Variable) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	autograd.Restart()
	r, stop := autograd.Record(tape)
	defer stop()
	if gate != nil {
		r.SetGate(gate)
	}
	s := &session{
		channel: c, recorder: r, tape: tape, variables: variables,
		tensors: make([]known, 1), own: make([]known, 1), nodes: make([]*autograd.Node, 1), gated: gate != nil,
		held: map[int]any{}, credit: mostSteps, modes: map[int]modes{}, threads: map[int]*autograd.Thread{},
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
		if m.later {
			s.channel.done(s.dec.Rest())
			err = s.runLater(&m)
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

// A message asks for a call:
//
//	(function, stack, arguments[, keywords[, dead[, records]]])
//
// Nobody waits for the call in a message with eight elements; the last two are the
// handle that the result gets and its meta, or the handle that it has and 0, or 0 and 0.
// A short message says the same, see [session.short].
type message struct {
	function, stack int
	args            []any
	opts            []autograd.Option
	dead            []any
	records         any
	later           bool
	handle, meta    int
}

// read reads a message. It is valid until the next one at the same level.
func (s *session) read(data []byte, m *message) error {
	*m = message{args: m.args[:0], opts: m.opts[:0], dead: m.dead[:0]}
	s.dec.Reset(data, s)
	if b := s.dec.Raw(shortMessage, shortBytes); b != nil {
		return s.short(b, m)
	}
	n, err := s.dec.Sequence()
	if err != nil || n < 3 || n > 6 && n != 8 {
		return marshal.Damaged("message", err)
	}
	m.later = n == 8
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
	if err == nil && m.later {
		m.handle, err = s.dec.Int()
	}
	if err == nil && m.later {
		m.meta, err = s.dec.Int()
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

// The first byte and the length of a short message.
const (
	shortMessage = 'c'
	shortBytes   = 40
)

// short reads a short message, whose parts are at fixed places in little-endian order:
//
//	 0  'c'
//	 1  the form of the arguments: that of the first in the lower half, of the second in the upper one
//	 2  function
//	 4  stack
//	 8  meta of the result
//	12  handle of the result
//	16  the first argument, a tensor's handle or an int
//	20  handle of a tensor that is given up, or 0; two more follow
//	32  the second argument, a float64, which is also a tensor's handle, an int or a bool
func (s *session) short(b []byte, m *message) error {
	word := func(at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }
	m.function, m.stack, m.meta, m.handle = int(binary.LittleEndian.Uint16(b[2:])), word(4), word(8), word(12)
	m.later = true
	first, err := s.operand(b[1]&15, float64(word(16)))
	if err != nil {
		return err
	}
	m.args = append(m.args, first)
	if form := b[1] >> 4; form != 0 {
		second, err := s.operand(form, math.Float64frombits(binary.LittleEndian.Uint64(b[32:])))
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

// operand is an argument of a short message, by its form.
func (s *session) operand(form byte, x float64) (any, error) {
	switch form {
	case 1:
		return s.tensorOf(int(x))
	case 2:
		return x, nil
	case 3:
		return int(x), nil
	case 4:
		return x != 0, nil
	case 5:
		return nil, nil
	}
	return nil, marshal.Damaged("message", nil)
}

// begin does what comes before the call of a message.
func (s *session) begin(m *message) error {
	if m.records != nil {
		if err := s.extra(m.records); err != nil {
			return err
		}
	}
	s.sites.Settle(m.stack)
	s.drop(m.dead)
	s.credit = min(s.credit+stepsPerRequest, mostSteps)
	s.goTo(s.sites.Stack(m.stack))
	return nil
}

// runLater does what a message asks for that nobody waits for. It cannot fail; if it
// does, that is a defect of ours, which the next one who waits is told.
func (s *session) runLater(m *message) error {
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
	return s.unforeseen(m, err)
}

// unforeseen makes the failure of a call that nobody waits for a defect.
func (s *session) unforeseen(m *message, err error) error {
	if err != nil && s.isFailure(err) {
		s.defect, err = internalError(fmt.Sprintf("%s: %v", s.functions[m.function].name, err)), nil
	}
	return err
}

// letGo answers a call that still runs, but cannot fail any more and returns None.
func (s *session) letGo() {
	if s.warned == nil {
		s.alone, s.gone = true, s.channel.reply(replyNone|s.changes(), 0, nil)
	}
}

// expected makes the result of a call the tensor that Python has foreseen, or sees
// that it is the one that Python has.
func (s *session) expected(m *message, result any) error {
	h, expected := m.handle, m.meta
	if h == 0 {
		return nil
	}
	if expected < 0 || expected >= len(s.metas.layouts) {
		return marshal.Damaged("meta", nil)
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
	i := -h
	if i <= 0 || i > len(s.own)+mostSkipped {
		return marshal.Damaged("handle", nil)
	}
	for i >= len(s.own) {
		s.own = append(s.own, known{})
	}
	s.own[i].tensor = t
	t.SetHandle(ownHandles + uint32(i))
	t.Hold()
	s.own[i].meta = meta(expected)
	if n := s.metas.of(t); !s.metas.alike(n, meta(expected)) {
		return fmt.Errorf("a result of layout %d, not %d", n, expected)
	}
	return nil
}

// request does what a message asks for and answers it.
func (s *session) request(m *message) error {
	if s.defect != nil {
		return s.refuse(s.defect)
	}
	if err := s.begin(m); err != nil {
		return err
	}
	callbacks := s.callbacks
	result, err := s.call(m)
	if s.alone {
		s.alone = false
		if s.gone != nil {
			return s.gone
		}
		return s.unforeseen(m, err)
	}
	if s.warned != nil {
		if err == nil || !s.isFailure(s.warned) {
			err = s.warned
		}
		s.warned = nil
	}
	var kind replyKind
	var value uint64
	if err == nil {
		s.nameResult(m.stack, result)
		kind, value, err = s.answer(result, m.args)
	}
	switch {
	case err == nil:
		kind |= s.advice(m, s.callbacks-callbacks, kind, result)
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
	return s.channel.reply(replyError|s.changes(), 0, s.enc.buf)
}

// isFailure reports whether an error is the program's to see, and not the end of
// the session.
func (s *session) isFailure(err error) bool {
	return err != errReturned && !errors.Is(err, io.EOF) && !errors.Is(err, marshal.ErrFormat)
}

// call runs a function. A defect of ours does not end the program's session.
func (s *session) call(m *message) (result any, err error) {
	if m.function < 0 || m.function >= len(s.functions) || s.functions[m.function].run == nil {
		return nil, marshal.Damaged("message", nil)
	}
	defer func(outer []any) {
		s.given = outer
		if p := recover(); p != nil {
			err = internalError(p)
		}
	}(s.given)
	s.given = m.args
	return s.functions[m.function].run(s, m.args, m.opts)
}

func internalError(p any) error {
	var stack [16 << 10]byte
	return &autograd.Error{
		Type: autograd.RuntimeError, Code: autograd.CodeInternal,
		Text: fmt.Sprintf("gradtui: internal error: %v\n%s", p, stack[:runtime.Stack(stack[:], false)]),
	}
}

// functionOf is what a name means: a command, or a function of the engine.
func functionOf(name string) function {
	if c, ok := commands[name]; ok {
		return function{name, c, nil}
	}
	f := autograd.Resolve(name)
	return function{name, func(_ *session, args []any, opts []autograd.Option) (any, error) {
		for i := range args {
			args[i] = engineValue(args[i])
		}
		for i := range opts {
			opts[i].Value = engineValue(opts[i].Value)
		}
		if len(opts) > 0 {
			opts = slices.DeleteFunc(opts, isStrided)
		}
		return f(args, opts)
	}, foresights[name]}
}

// isStrided reports whether an argument is layout=torch.strided, the one layout
// that the engine has.
func isStrided(o autograd.Option) bool {
	return o.Name == "layout" && (o.Value == "strided" || o.Value == nil)
}

// engineValue is a value as the engine takes it.
func engineValue(v any) any {
	switch x := v.(type) {
	case *callable:
		return x.callback()
	case *big.Int:
		if x.IsUint64() {
			return x.Uint64()
		}
	}
	return v
}

// answer chooses the shortest form of a result.
func (s *session) answer(result any, args []any) (kind replyKind, value uint64, err error) {
	s.enc.reset()
	switch x := result.(type) {
	case nil:
		return replyNone, 0, nil
	case *autograd.Tensor:
		switch {
		case x == nil:
			return replyNone, 0, nil
		case x.Err() != nil:
			return 0, 0, x.Err()
		case len(args) > 0 && args[0] == result:
			return replySelf, 0, nil
		}
		if h, fresh := s.tensorHandle(x); fresh && !x.IsParameter() {
			return replyTensor, uint64(h) | uint64(s.tell(x))<<32, nil
		}
	}
	if err := s.enc.value(result); err != nil {
		return 0, 0, err
	}
	if s.enc.plain {
		return replyPlain, 0, nil
	}
	return replyValue, 0, nil
}

// exception writes an error as Python raises it.
func (s *session) exception(err error) {
	var raised *pythonError
	if errors.As(err, &raised) {
		s.enc.buf = marshal.AppendInt(marshal.AppendTuple(s.enc.buf, 1), int64(raised.number))
		return
	}
	class, text := "RuntimeError", strings.ToValidUTF8(err.Error(), "?")
	var e *autograd.Error
	if errors.As(err, &e) {
		class, text = string(e.Type), strings.ToValidUTF8(e.Text, "?")
		if e.Code == autograd.CodeUnsupported {
			class = "Unsupported"
		}
	}
	s.enc.buf = marshal.AppendString(marshal.AppendString(marshal.AppendTuple(s.enc.buf, 2), class), text)
}

// tensorHandle is the number under which the program knows a tensor; a tensor
// that it has not seen gets a new one.
func (s *session) tensorHandle(t *autograd.Tensor) (h uint32, fresh bool) {
	if h = t.Handle(); h != 0 {
		return h, false
	}
	if n := len(s.freeT); n > 0 {
		h = s.freeT[n-1]
		s.freeT = s.freeT[:n-1]
		s.tensors[h].tensor = t
	} else {
		h = uint32(len(s.tensors))
		s.tensors = append(s.tensors, known{tensor: t})
	}
	t.SetHandle(h)
	t.Hold() // a gradient that the program has must not be changed by the engine
	return h, true
}

// slot is where the session keeps the tensor of a handle.
func (s *session) slot(h uint32) *known {
	if h >= ownHandles {
		return &s.own[h-ownHandles]
	}
	return &s.tensors[h]
}

// nodeHandle is tensorHandle for nodes.
func (s *session) nodeHandle(n *autograd.Node) uint32 {
	h := n.Handle()
	if h != 0 {
		return h
	}
	if k := len(s.freeN); k > 0 {
		h = s.freeN[k-1]
		s.freeN = s.freeN[:k-1]
		s.nodes[h] = n
	} else {
		h = uint32(len(s.nodes))
		s.nodes = append(s.nodes, n)
	}
	n.SetHandle(h)
	return h
}

// hold keeps something for the program and returns its number.
func (s *session) hold(v any) int {
	s.lastHeld++
	s.held[s.lastHeld] = v
	return s.lastHeld
}

// drop forgets what the program has no more objects for: tensors are floats,
// nodes ints, other things that were held negative ints.
func (s *session) drop(dead []any) {
	for _, v := range dead {
		switch x := v.(type) {
		case *autograd.Tensor:
			h := x.Handle()
			*s.slot(h) = known{}
			s.recorder.Released(x)
			if h < ownHandles {
				s.freeT = append(s.freeT, h)
			}
			x.SetHandle(0)
			x.Release()
		case int:
			if x < 0 {
				delete(s.held, -x)
			} else if x < len(s.nodes) && s.nodes[x] != nil {
				s.nodes[x].SetHandle(0)
				s.nodes[x] = nil
				s.freeN = append(s.freeN, uint32(x))
			}
		}
	}
}

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
	if err := s.channel.reply(replyCallback, 0, enc.buf); err != nil {
		return nil, err
	}
	s.callbacks++
	s.depth++
	err := s.serve()
	s.depth--
	s.dec, s.enc = dec, own
	s.goTo(stack)
	if err != errReturned {
		return nil, err
	}
	result, failed := s.result, s.failed
	s.result, s.failed = nil, nil
	return engineValue(result), failed
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

func init() {
	on("channel.return", func(s *session, args []any, _ []autograd.Option) (any, error) {
		if len(args) != 1 {
			return nil, marshal.Damaged("result", nil)
		}
		s.result = args[0]
		return nil, errReturned
	})
	on("channel.raise", func(s *session, args []any, _ []autograd.Option) (any, error) {
		n, ok1 := marshal.At[int](args, 0)
		text, ok2 := marshal.At[string](args, 1)
		if !ok1 || !ok2 {
			return nil, marshal.Damaged("exception", nil)
		}
		s.failed = &pythonError{n, text}
		return nil, errReturned
	})
	on("channel.flush", func(*session, []any, []autograd.Option) (any, error) { return nil, nil })
	on("channel.released", func(s *session, _ []any, _ []autograd.Option) (any, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		list := s.released
		s.released = nil
		return list, nil
	})
	on("channel.held", func(s *session, args []any, kwargs []autograd.Option) (any, error) {
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
	})
}
