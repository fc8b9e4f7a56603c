package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// asked is what the program was asked where it stands, and what it has answered. The answers
// are forgotten when the program goes on.
type asked struct {
	working int              // questions that wait for their answer
	queue   []func() tea.Cmd // what is to be done when they have it
	frame   *control.Frame   // that the user has chosen for expressions; nil: the program's own innermost one
	result  *result          // of the newest :p
	locals  []locals         // of the frames that are open
	watches []watchedValue
}

// A result is what came of an expression.
type result struct {
	text   string // the expression
	answer control.Answer
	err    error
}

// locals are the variables of a frame of the stack.
type locals struct {
	frame  control.Frame
	known  bool // the answer has come
	answer control.Answer
	err    error
}

// A watchedValue is an expression that is evaluated at every stop.
type watchedValue struct {
	text    string
	shown   string
	tensor  graph.TensorID
	changed bool // since the stop before
	asked   bool // there is an answer
}

// watchSeconds is how long a watch may take.
const watchSeconds = 1

// forget drops what only holds where the program stands.
func (a *asked) forget() { a.frame, a.result, a.locals = nil, nil, nil }

// atStop reports whether the program can be asked: it stands where the cursor is.
func (s *state) atStop() bool {
	return s.live() && !s.program.running && s.program.started && s.at() == s.tape.Len()
}

var errNoStop = errors.New("the program can be asked only where it stands: > goes there")

// whyNot says why the program cannot be asked; nil if it can.
func (s *state) whyNot() error {
	switch {
	case s.Program == nil:
		return errors.New("this is a tape: only a live program evaluates expressions")
	case s.program.over:
		return errors.New("the program has ended: only a live one evaluates expressions")
	case s.program.running:
		return errors.New("the program is running; press i to interrupt it")
	case !s.atStop():
		return errNoStop
	}
	return nil
}

// whenAnswered does something when the program has answered what it was asked.
func (m *Model) whenAnswered(do func() tea.Cmd) tea.Cmd {
	if m.asked.working == 0 {
		return do()
	}
	m.asked.queue = append(m.asked.queue, do)
	return nil
}

// goOn notes that an answer has come, and does what waited for it.
func (m *Model) goOn() tea.Cmd {
	m.asked.working--
	var commands []tea.Cmd
	for m.asked.working == 0 && len(m.asked.queue) > 0 {
		do := m.asked.queue[0]
		m.asked.queue = m.asked.queue[1:]
		commands = append(commands, do())
	}
	return tea.Batch(commands...)
}

// answerMsg brings an answer of the program.
type answerMsg struct {
	ask    control.Ask
	answer control.Answer
	err    error
}

// ask asks the program.
func (m *Model) ask(a control.Ask) tea.Cmd {
	if err := m.whyNot(); err != nil {
		return m.sayError(err)
	}
	return m.whenAnswered(func() tea.Cmd {
		if err := m.whyNot(); err != nil {
			return m.sayError(err)
		}
		m.asked.working++
		program := m.Program
		return func() tea.Msg {
			answer, err := program.Ask(a)
			return answerMsg{a, answer, err}
		}
	})
}

// commandPrint evaluates an expression in the program.
func (m *Model) commandPrint(kind control.Question, text string) tea.Cmd {
	if rest, ok := strings.CutPrefix(text, "!"); ok && kind == control.AskValue {
		kind, text = control.AskRun, strings.TrimSpace(rest)
	}
	if text == "" {
		return m.sayError(errors.New("missing expression, for example: p loss"))
	}
	return m.ask(control.Ask{Kind: kind, Text: text, Frame: m.asked.frame})
}

// answered takes an answer.
func (m *Model) answered(msg answerMsg) tea.Cmd {
	took := m.takeAnswer(msg)
	return tea.Batch(took, m.goOn())
}

func (m *Model) takeAnswer(msg answerMsg) tea.Cmd {
	if msg.ask.Kind == control.AskLocals {
		for i := range m.asked.locals {
			if l := &m.asked.locals[i]; msg.ask.Frame != nil && l.frame == *msg.ask.Frame {
				l.known, l.answer, l.err = true, msg.answer, msg.err
			}
		}
		m.refresh()
		return nil
	}
	r := &result{msg.ask.Text, msg.answer, msg.err}
	m.asked.result = r
	m.panes.stack.toResult = true
	m.follow()
	if len(r.answer.Values) > 0 {
		m.chooseTensor(r.answer.Values[0].Tensor)
	}
	m.show(stackPane)
	style, text := r.summary()
	if msg.ask.Kind == control.AskRun && msg.err == nil {
		text += "; this was recorded as a part of the run"
		m.asked.locals = nil
		return tea.Batch(m.say(style, text), m.check(), m.askWatches())
	}
	return m.say(style, text)
}

// value is what came of the expression, without what it printed.
func (r *result) value() (style cells.Style, text string) {
	a := r.answer
	switch {
	case r.err != nil:
		return failed, r.err.Error()
	case a.Refused != "":
		return warned, fmt.Sprintf("refused: %s would change the program; :p! %s allows it", a.Refused, r.text)
	case a.Raised != "":
		return failed, a.Raised
	case len(a.Values) == 0:
		text = "done"
	default:
		text = a.Values[0].Text
	}
	if a.Changed > 0 {
		return warned, text + fmt.Sprintf(" (it changed %s of the program nevertheless)", plural(a.Changed, "tensor"))
	}
	return plain, text
}

// summary is the result in one line.
func (r *result) summary() (style cells.Style, text string) {
	style, text = r.value()
	if style == plain && len(r.answer.Values) > 0 {
		text = r.text + " = " + text
	}
	if printed := strings.TrimRight(r.answer.Output, "\n"); printed != "" {
		if text == r.text+" = None" {
			return style, printed
		}
		text = printed + "\n" + text
	}
	return style, text
}

// askForWatch asks for an expression to watch, and proposes the selected tensor.
func (m *Model) askForWatch() tea.Cmd {
	proposal := ""
	if t, ok := m.graph().Tensor(m.chosenTensor()); ok {
		proposal = t.Name
	}
	p := &prompt{title: "watch: ", do: (*Model).commandWatch}
	p.set(proposal)
	m.overlay = p
	return nil
}

const mostWatches = 20

func (m *Model) commandWatch(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return m.sayError(errors.New("missing expression, for example: watch loss"))
	case len(m.asked.watches) == mostWatches:
		return m.sayError(fmt.Errorf("there can be %d watches; unwatch ends one", mostWatches))
	}
	m.asked.watches = append(m.asked.watches, watchedValue{text: text})
	m.show(stackPane)
	return m.askWatches()
}

func (m *Model) commandUnwatch(args string) tea.Cmd {
	n, err := strconv.Atoi(args)
	switch {
	case args == "all":
		m.asked.watches = nil
	case err != nil || n < 1 || n > len(m.asked.watches):
		return m.sayError(fmt.Errorf("there is no watch %q; the watches are numbered from 1 to %d", args, len(m.asked.watches)))
	default:
		m.asked.watches = append(m.asked.watches[:n-1:n-1], m.asked.watches[n:]...)
	}
	m.refresh()
	return nil
}

// watchedMsg brings the values of the watches, in their order, and the variables of the frames that are open.
type watchedMsg struct {
	texts   []string
	results []result
	locals  []locals
}

// askWatches evaluates the watches where the program stands, and asks for the variables of the frames that are open.
func (m *Model) askWatches() tea.Cmd {
	return m.whenAnswered(m.askWatchesNow)
}

func (m *Model) askWatchesNow() tea.Cmd {
	frames := m.panes.stack.unasked(&m.state)
	if len(m.asked.watches)+len(frames) == 0 || m.whyNot() != nil {
		return nil
	}
	m.asked.working++
	program, msg := m.Program, watchedMsg{}
	for _, w := range m.asked.watches {
		msg.texts = append(msg.texts, w.text)
	}
	return func() tea.Msg {
		for _, text := range msg.texts {
			answer, err := program.Ask(control.Ask{Kind: control.AskValue, Text: text, Seconds: watchSeconds})
			msg.results = append(msg.results, result{text, answer, err})
		}
		for _, f := range frames {
			answer, err := program.Ask(control.Ask{Kind: control.AskLocals, Frame: &f, Seconds: localsSeconds})
			msg.locals = append(msg.locals, locals{f, true, answer, err})
		}
		return msg
	}
}

// watched takes the values of the watches and the variables.
func (m *Model) watched(msg watchedMsg) tea.Cmd {
	for i := range m.asked.watches {
		w := &m.asked.watches[i]
		for k, text := range msg.texts {
			if text == w.text {
				w.take(&msg.results[k])
				break
			}
		}
	}
	m.asked.locals = append(m.asked.locals, msg.locals...)
	m.refresh()
	return m.goOn()
}

// take takes a new value.
func (w *watchedValue) take(r *result) {
	_, shown := r.value()
	w.changed = w.asked && shown != w.shown
	w.shown, w.asked, w.tensor = shown, true, 0
	if r.err == nil && len(r.answer.Values) > 0 {
		w.tensor = r.answer.Values[0].Tensor
	}
}

// safe is text of the program in one line.
func safe(text string) string { return console.OneLine(text) }
