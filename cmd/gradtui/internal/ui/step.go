package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// live reports whether the program can go on.
func (s *state) live() bool { return s.Program != nil && !s.program.over }

// A stride is a kind of step: how far it moves the cursor on the tape, and how far the
// program runs when the tape ends before that.
type stride struct {
	name       string // for messages
	next, prev func(s *lookup.Steps, from graph.Pos) (graph.Pos, bool)
	step       control.Step
}

var (
	byOp       = along("operation", lookup.StopOp, control.StepOp)
	byLine     = along("line", lookup.StopLine, control.StepLine)
	byNode     = along("node of a backward pass", lookup.StopNode, control.StepNode)
	byBackward = along("backward pass", lookup.StopBackward, control.StepBackward)
	byModule   = stride{"call of a module", (*lookup.Steps).AfterModule, (*lookup.Steps).BeforeModule, control.StepModule}
)

// along is the stride to the next stop of a kind.
func along(name string, kind lookup.Stop, step control.Step) stride {
	return stride{
		name: name, step: step,
		next: func(s *lookup.Steps, from graph.Pos) (graph.Pos, bool) { return s.Next(from, kind) },
		prev: func(s *lookup.Steps, from graph.Pos) (graph.Pos, bool) { return s.Prev(from, kind) },
	}
}

// forward steps on the tape, or lets the program go on at its end.
func (m *Model) forward(s stride) tea.Cmd {
	if m.moving() {
		m.cursor.Seek(m.goal)
	}
	if p, ok := s.next(m.steps, m.at()); ok {
		return m.goTo(p, look)
	}
	if m.live() {
		return m.resumeFor(s)
	}
	if m.at() < m.tape.Len() {
		m.goTo(m.tape.Len(), look)
	}
	return m.say(muted, fmt.Sprintf("no later %s", s.name))
}

// back moves the cursor to the previous stop. The program stays where it is.
func (m *Model) back(s stride) tea.Cmd {
	m.following = false
	p, ok := s.prev(m.steps, m.at())
	if !ok || p == 0 && s.step == control.StepNode { // the beginning is not a node
		return m.say(muted, fmt.Sprintf("no earlier %s", s.name))
	}
	return m.goTo(p, look)
}

// resume lets the program go on.
func (m *Model) resume(step control.Step) tea.Cmd {
	return m.letGo(func() error { return m.Program.Resume(step) })
}

// letGo lets the program go on, if it stands.
func (m *Model) letGo(resume func() error) tea.Cmd {
	if m.program.running {
		return m.say(muted, "the program is running; press i to interrupt it")
	}
	if m.asked.working > 0 {
		m.say(muted, "the program goes on when it has answered; i interrupts the answer")
		return m.whenAnswered(func() tea.Cmd { return m.letGo(resume) })
	}
	if err := resume(); err != nil {
		return m.sayError(err)
	}
	m.asked.forget()
	m.program.running, m.program.resumed, m.following = true, true, true
	return nil
}

// interrupt stops the program.
func (m *Model) interrupt() tea.Cmd {
	if m.repeated != nil && m.repeated.stride == nil {
		m.repeated = nil
	}
	if !m.runs() {
		return m.say(muted, "the program is not running")
	}
	if err := m.Program.Interrupt(); err != nil {
		return m.sayError(err)
	}
	if m.asked.working > 0 {
		return m.say(muted, "interrupting the expression")
	}
	return m.say(muted, "interrupting: the program will stop at the next event")
}

// follow moves the cursor with a tape that grows.
func (m *Model) follow() {
	if m.following {
		m.goTo(m.tape.Len(), look)
	}
}

// stopped takes a stop of the program.
func (m *Model) stopped(msg stoppedMsg) tea.Cmd {
	if !msg.ok {
		return nil
	}
	first := !m.program.started
	m.program.started = true
	m.program.running, m.program.stop = false, msg.stop
	m.following = true
	m.follow()
	switch reason := msg.stop.Reason; {
	case m.way != nil:
		return tea.Batch(m.waitForStop(), m.returnOn(msg.stop, first))
	case first && m.Ahead:
		return tea.Batch(m.waitForStop(), m.runAhead())
	case m.program.ahead == runningAhead && m.atError():
		return tea.Batch(m.waitForStop(), m.resume(control.StepOp)) // which may end it
	case m.program.ahead == runningAhead:
		m.cameAhead()
	case first && m.Notice != "": // which stays until the next key
	case first:
		m.say(muted, "the program waits at its first event")
	case reason == control.BreakpointHit:
		why := "stopped at a breakpoint"
		for _, q := range m.queries {
			if q.ID == msg.stop.Breakpoint {
				why += ": " + q.String()
			}
		}
		m.say(strong, why)
	case m.findings.caught != "":
		m.say(strong, m.findings.caught)
	case reason == control.Interrupted:
		m.say(strong, "interrupted")
	}
	m.findings.caught = ""
	return tea.Batch(m.waitForStop(), m.check(), m.runQueued(), m.askWatches())
}

// over takes the end of the program.
func (m *Model) over() tea.Cmd {
	m.program.running, m.program.over, m.program.started = false, true, true
	m.program.result = m.Program.Result()
	m.say(strong, m.program.result)
	if m.program.ahead == runningAhead {
		m.cameAhead()
	}
	var move, compare tea.Cmd
	if m.following {
		m.following = false
		move = m.goToFailure(endOfProgram, failure)
	}
	compare = m.among.compareAgain()
	m.program.starting.queued = nil
	return tea.Batch(move, m.check(), compare, m.returnedAtEnd())
}

// endOfProgram is how many events lie at most between a backward pass that fails and the
// end of the program because of it.
const endOfProgram = 1 << 16

// arrived shows what is at the cursor.
func (m *Model) arrived() {
	m.scope.update(m)
	switch m.arrive {
	case look:
		m.lookAround()
	case pick:
		m.pick()
	case failure:
		m.openFailure()
	}
	m.refresh()
}

// lookBack is how many events before the cursor may belong to one operation, which is
// followed by the names that its result gets.
const lookBack = 16

// lookAround selects what the last step was about.
func (m *Model) lookAround() {
	defer m.lookAtError()
	if id := m.aboutToRun(); id != 0 {
		m.chosen = selection{node: id}
		if n, ok := m.graph().Node(id); ok {
			m.place = m.lineOf(n)
		}
		return
	}
	for p := m.at() - 1; p >= 0 && p >= m.at()-lookBack; p-- {
		h, e := m.event(p)
		subject, ok := subject(m.graph(), e)
		if !ok {
			continue
		}
		m.chosen = subject
		m.place = m.tape.Stack(h.Stack).Top()
		return
	}
	if m.chosen == (selection{}) {
		m.chosen.node = m.scope.root
	}
	m.place = m.line(max(m.at()-1, 0))
	if n, ok := m.graph().Node(m.chosen.node); ok && m.place.Line == 0 {
		m.place = m.lineOf(n)
	}
}

// lookAtError shows the program's line of an error that the cursor stands behind.
func (m *Model) lookAtError() {
	if _, _, ok := errorAt(m.tape, m.at()-1); ok {
		h, _ := m.event(m.at() - 1)
		m.place = inspect.PlaceOf(m.tape, h.Stack, m.at()-1, "").Frame
	}
}

// subject returns the node or the tensor that an event is about.
func subject(g *graph.Graph, e graph.Event) (s selection, ok bool) {
	switch e := e.(type) {
	case *graph.OpRan:
		if len(e.Outputs) > 0 {
			s.tensor = e.Outputs[0]
		}
		s.node = e.Node
	case *graph.NodeExecuted:
		s.node = e.Node
	case *graph.NodeReady:
		s.node = e.Node
	case *graph.BackwardFailed:
		s.node = e.Node
	case *graph.SavedFreed:
		s.node = e.Node
	case *graph.BackwardBegan:
		if len(e.Roots) > 0 {
			s.tensor = e.Roots[0].Tensor
		}
	case *graph.GradAccumulated:
		s.tensor = e.Tensor
	case *graph.Mutated:
		s.tensor = e.Tensor
	case *graph.LineageCut:
		s.tensor = e.Output
	}
	if s.node == 0 && s.tensor != 0 {
		if t, exists := g.Tensor(s.tensor); exists {
			s.node = t.Node
		}
	}
	return s, s != selection{}
}

// openFailure selects the node that failed, and opens the finding about it.
func (m *Model) openFailure() {
	m.lookAround()
	if m.findings.report == nil || len(m.findings.report.Findings) == 0 {
		return
	}
	m.panes.findings.openAt(&m.state, m.at())
	if m.place.File == "" { // nothing was recorded at the line
		m.place = m.findings.all()[m.findings.opened].Primary.Frame
	}
	if m.focus != findingsPane {
		m.show(findingsPane)
	}
}

// goToEvent moves behind an event.
func (m *Model) goToEvent(p graph.Pos) tea.Cmd { return m.apply(after(p)) }
