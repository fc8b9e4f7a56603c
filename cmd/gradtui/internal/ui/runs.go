package ui

import (
	"path/filepath"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/inspect/compare"
)

// Runs is the debugger of several runs: a Model for each, one of which is shown. The others keep working.
type Runs struct {
	models   []*Model
	shown    *Model
	relation relation
	forks    []*forked
	joining  <-chan Options
	size     tea.WindowSizeMsg
}

// A relation says what several runs are to each other.
type relation int

const (
	// forking is a run, the first Model, and its forks.
	forking relation = iota
	// distributed are the ranks of a program. While it runs, the first Model is the launcher's, which has
	// the terminal of all ranks.
	distributed
	// besides are two tapes that are compared.
	besides
)

// Runs returns the runs that this is one of.
func (m *Model) Runs() *Runs { return m.among }

// Shown returns the run that is shown.
func (r *Runs) Shown() *Model { return r.shown }

// First returns the run that the others were added to.
func (r *Runs) First() *Model { return r.models[0] }

// add adds a run.
func (r *Runs) add(m *Model) *Model {
	m.among = r
	r.models = append(r.models, m)
	return m
}

// begin lets a run begin that was added while others are on the screen.
func (r *Runs) begin(m *Model) tea.Cmd {
	now := r.shown
	m.terminal, m.dark, m.palette = now.terminal, now.dark, now.palette // as the terminal has reported them
	begin := m.Init()
	_, size := m.Update(r.size)
	return tea.Batch(of(m, begin), of(m, size))
}

// An ownMsg is a message of one of the models to itself.
type ownMsg struct {
	to  *Model
	msg tea.Msg
}

// ours is the package of the messages of a model to itself. All others are from the
// terminal or for it.
var ours = reflect.TypeFor[workMsg]().PkgPath()

// of sends the message of a command to the model that asked for it.
func of(to *Model, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case ownMsg, FileExists:
			return msg
		case Background:
			return Background(of(to, tea.Cmd(msg)))
		case tea.BatchMsg:
			for i, c := range msg {
				msg[i] = of(to, c)
			}
			return msg
		default:
			if reflect.TypeOf(msg).PkgPath() == ours {
				return ownMsg{to, msg}
			}
			return msg
		}
	}
}

// Init begins to read all tapes.
func (r *Runs) Init() tea.Cmd {
	return tea.Batch(r.all(func(m *Model) tea.Cmd { return m.Init() }), r.waitForRank())
}

// all lets all models do something.
func (r *Runs) all(do func(m *Model) tea.Cmd) tea.Cmd {
	var commands []tea.Cmd
	for _, m := range r.models {
		commands = append(commands, of(m, do(m)))
	}
	return tea.Batch(commands...)
}

// Update takes a message.
func (r *Runs) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	to := r.shown
	switch own := msg.(type) {
	case ownMsg:
		if to, msg = own.to, own.msg; !slices.Contains(r.models, to) {
			return r, nil // of a fork of a run that is over
		}
	case joinedMsg:
		return r, tea.Batch(r.joined(Options(own)), r.waitForRank())
	case Background:
		return r, tea.Cmd(own)
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg:
	default:
		if size, ok := msg.(tea.WindowSizeMsg); ok {
			r.size = size
		}
		if reflect.TypeOf(msg).PkgPath() != ours { // about the terminal
			return r, r.all(func(m *Model) tea.Cmd { _, cmd := m.Update(msg); return cmd })
		}
	}
	_, cmd := to.Update(msg)
	return r, tea.Batch(of(to, cmd), r.shownAgain(to))
}

// View draws the run that is shown.
func (r *Runs) View() tea.View { return r.shown.View() }

// turn shows another run. Ranks, and runs that follow each other, are shown at the same point of the program.
func (r *Runs) turn(m *Model) tea.Cmd {
	old := r.shown
	r.show(m)
	if old.launches() || m.launches() || m.following && old.following || r.relation != distributed && !old.tied.on {
		return nil
	}
	a, b, at, goal := old.tape, m.tape, old.goal, m.goal
	m.turning++
	return of(m, func() tea.Msg {
		p := compare.Counterpart(a, b, at)
		return Do(func(m *Model) tea.Cmd {
			m.turning--
			if m.goal != goal && !m.following { // a key was faster; a cursor that follows moves by itself
				return nil
			}
			m.following = p == m.tape.Len() && (m.Program != nil || m.More != nil)
			if p == m.goal {
				return nil
			}
			return m.goTo(p, look)
		})
	})
}

// show shows another run as this one was shown.
func (r *Runs) show(m *Model) {
	old := r.shown
	r.shown = m
	m.focus, m.last, m.zoomed, m.notice = old.focus, old.last, old.zoomed, notice{}
	m.refresh()
}

// amongOthers reports whether there are other runs.
func (m *Model) amongOthers() bool { return len(m.among.models) > 1 }

func (m *Model) nextRun(by int) tea.Cmd {
	all := m.among.models
	return m.among.turn(all[(slices.Index(all, m)+by+len(all))%len(all)])
}

// runName tells a run from the others: "rank 0 of 2", "fork 1"; "" if there are none.
func (m *Model) runName() string {
	switch r := m.among; {
	case r.relation == forking && r.forkOf(m) != nil:
		return r.forkOf(m).name
	case r.relation == forking && len(r.models) > 1:
		return "first run"
	case r.relation == besides:
		return filepath.Base(m.Title)
	}
	return m.rankName()
}
