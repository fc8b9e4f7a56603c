package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// fetching is what the view of a tensor asks of a program that waits: elements that are shown and that the
// tape does not have. What comes is an event of the tape.
type fetching struct {
	asked []int  // the part that was asked for; empty: the leading elements
	busy  bool   // the answer has not come
	tried bool   // something was asked for at the moment that is shown
	why   string // why elements are not known, after an attempt
}

// fetchSeconds is how long elements may take.
const fetchSeconds = 10

// elementsMsg says that elements of a tensor were asked for.
type elementsMsg struct {
	of    *tensorView
	err   error
	found []lookup.Moment
	at    int
}

// fetch asks the program for elements that are shown and not known, if it can have them.
func (v *tensorView) fetch(m *Model) tea.Cmd {
	if !v.read || v.tensor == 0 || v.fetching.busy || v.differs() || !v.lacks(m) {
		return nil
	}
	id, at, err := v.current(m)
	if err == nil {
		err = m.whyNoElements()
	}
	if err != nil {
		v.fetching.why = err.Error()
		return nil
	}
	part := v.wanted(m)
	if v.fetching.tried && slices.Equal(part, v.fetching.asked) {
		return nil // it has been answered
	}
	v.fetching = fetching{asked: part, busy: true, tried: true}
	tape, program, here := m.tape, m.Program, m.at()
	version := m.graph().Version(id)
	return m.whenAnswered(func() tea.Cmd {
		m.asked.working++
		return func() tea.Msg {
			if at >= 0 {
				version = tape.CursorAt(at + 1).Graph().Version(id)
			}
			_, err := program.Ask(control.Ask{Kind: control.AskElements, Tensor: id, Version: version, Part: part, Seconds: fetchSeconds})
			msg := elementsMsg{of: v, err: err, found: lookup.Moments(tape, v.tensor, v.grads), at: -1}
			for i, moment := range msg.found {
				if at < 0 && moment.At < here || moment.At == at {
					msg.at = i
				}
			}
			return msg
		}
	})
}

// lacks reports whether an element that can be seen is not known.
func (v *tensorView) lacks(m *Model) bool {
	rows, columns := max(m.rows-8, 1), max(m.columns, 1)
	switch v.way {
	case asHeat:
		rows *= 2
	case asNumbers:
		columns = max(columns/numberColumns, 1)
	}
	v.keepIn(rows, columns)
	return v.own.Lacks(v.top, v.left, rows, columns)
}

// keepIn keeps the place of the view in the grid, of which so much can be seen.
func (v *tensorView) keepIn(rows, columns int) {
	all, wide := v.own.Size()
	v.top = max(min(v.top, all-rows), 0)
	v.left = max(min(v.left, wide-columns), 0)
}

// wanted is the part to ask for: nothing for the leading elements, if all of them come then. It begins a
// screen before what is shown.
func (v *tensorView) wanted(m *Model) []int {
	n := 1
	for _, size := range v.shape {
		if n *= size; n > graph.MostElements {
			return v.own.Part(max(v.top-m.rows, 0), max(v.left-m.columns, 0), graph.MostElements)
		}
	}
	return nil
}

// current is the tensor that is shown and the event of the moment; -1: it is at the cursor. The error says
// that the program has another value by now.
func (v *tensorView) current(m *Model) (id graph.TensorID, at graph.Pos, err error) {
	id = v.tensor
	if v.grads {
		t, _ := m.graph().Tensor(v.tensor)
		id = t.Grad
	}
	if v.at == v.opened {
		return id, -1, nil
	}
	shown := v.moments[v.at]
	for _, later := range v.moments[v.at+1:] {
		if later.Tensor == shown.Tensor {
			return 0, 0, errors.New(control.Changed)
		}
	}
	return shown.Tensor, shown.At, nil
}

// whyNoElements says why the program cannot be asked for elements; nil if it can.
func (s *state) whyNoElements() error {
	switch {
	case s.Program == nil:
		return errors.New("only a live program has them")
	case s.program.over:
		return errors.New("the program has ended")
	case s.program.running, !s.program.started:
		return errors.New("the program is running; press i to interrupt it")
	}
	return nil
}

// elementsCame takes what was read.
func (m *Model) elementsCame(msg elementsMsg) tea.Cmd {
	m.follow()
	v := msg.of
	v.fetching.busy = false
	if msg.err != nil {
		v.fetching.why = msg.err.Error()
		if v.fetching.why == notPython {
			v.fetching.why = "only Python programs can be asked"
		}
	} else {
		if v.at == v.opened {
			v.opened = msg.at
		}
		v.moments, v.at = msg.found, msg.at
		v.showMoment(m)
	}
	return m.goOn()
}

// notPython is what the gate of a program in Go answers.
const notPython = "not available: only Python programs can evaluate expressions"

// showMoment shows the content of the moment, with what was read of it later.
func (v *tensorView) showMoment(m *Model) {
	if v.at < 0 || v.at >= len(v.moments) {
		return
	}
	shown := v.moments[v.at]
	v.show(shown.Shape, shown.Content(m.tape))
	for _, p := range shown.Parts {
		if _, e, err := m.tape.At(p); err == nil {
			if read, ok := e.(*graph.ValueRead); ok {
				v.own.Fill(read.Part, read.Value.First)
				if !v.value.Known() {
					v.value.DType, v.value.Count = read.Value.DType, v.own.Numel()
				}
			}
		}
	}
	v.refreshKeeping()
}

// howToRecord says what to do to have all elements on the tape.
func (v *tensorView) howToRecord() string {
	if v.name == "" || v.tensor == 0 || strings.ContainsAny(v.name, " ,='\"\\*?") {
		return everything
	}
	return fmt.Sprintf("--values '%s=full'", strings.TrimSuffix(v.name, ".grad"))
}

// missing says which elements are not known, and why.
func (v *tensorView) missing() string {
	text, how := "", "; "+v.howToRecord()+" records all"
	switch n := len(v.value.First); {
	case v.own.Filled():
		text = fmt.Sprintf("of %d elements the tape has parts; the program is asked for %d at once", v.value.Count, graph.MostElements)
	case v.value.Known():
		text = fmt.Sprintf("the tape has the first %d of %d elements", n, v.value.Count)
	default:
		text = v.why
		if text == "" {
			text = "not recorded"
		}
		if before, after, ok := strings.Cut(text, everything); ok {
			text, how = before+v.howToRecord()+after, ""
		}
	}
	switch {
	case v.fetching.busy:
		return text + "; asking the program…"
	case v.fetching.tried && v.fetching.why != "":
		text += "; the program was asked for more, but " + v.fetching.why
	case v.fetching.why != "" && v.fetching.why != "only a live program has them":
		text += "; " + v.fetching.why
	}
	if v.own.Filled() && v.fetching.why == "" {
		return text
	}
	return text + how
}

// everything is how all elements of all tensors are recorded.
const everything = "--values full"
