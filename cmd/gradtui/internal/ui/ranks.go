package ui

import (
	"fmt"
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// Ranks is the debugger of a distributed program: a Model for each rank, one of which has
// the screen and the keys. The others go on with what they do.
type Ranks struct {
	models []*Model
	shown  int
}

// NewRanks returns a debugger of ranks, which are sorted and of which the first is shown.
func NewRanks(ranks []Options) *Ranks {
	r := &Ranks{}
	for _, o := range ranks {
		m := New(o)
		m.ranks = r
		r.models = append(r.models, m)
	}
	return r
}

// A rankMsg is a message of one of the models to itself.
type rankMsg struct {
	rank int // index in models
	msg  tea.Msg
}

// ours is the package of messages that are a model's own. All others are from the terminal
// or for it.
var ours = reflect.TypeFor[workMsg]().PkgPath()

// of makes what a command brings go to the model that has asked for it.
func (r *Ranks) of(rank int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case rankMsg:
			return msg
		case tea.BatchMsg:
			for i, c := range msg {
				msg[i] = r.of(rank, c)
			}
			return msg
		default:
			if reflect.TypeOf(msg).PkgPath() == ours {
				return rankMsg{rank, msg}
			}
			return msg
		}
	}
}

// Init begins to read all tapes.
func (r *Ranks) Init() tea.Cmd {
	return r.all(func(m *Model) tea.Cmd { return m.Init() })
}

// all lets all models do something.
func (r *Ranks) all(do func(m *Model) tea.Cmd) tea.Cmd {
	var commands []tea.Cmd
	for i, m := range r.models {
		commands = append(commands, r.of(i, do(m)))
	}
	return tea.Batch(commands...)
}

// Update takes a message.
func (r *Ranks) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	to := r.shown
	switch own := msg.(type) {
	case rankMsg:
		to, msg = own.rank, own.msg
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg:
	default: // what the terminal says of itself
		return r, r.all(func(m *Model) tea.Cmd { _, cmd := m.Update(msg); return cmd })
	}
	_, cmd := r.models[to].Update(msg)
	return r, r.of(to, cmd)
}

// View draws the rank that is shown.
func (r *Ranks) View() tea.View { return r.models[r.shown].View() }

// turn shows another rank, at the same point of the program.
func (r *Ranks) turn(to int) tea.Cmd {
	old, m := r.models[r.shown], r.models[to]
	r.shown = to
	m.focus, m.last, m.zoomed = old.focus, old.last, old.zoomed
	m.arrange()
	m.notice = notice{}
	a, b, at := old.tape, m.tape, old.goal
	return r.of(to, func() tea.Msg {
		p := inspect.Counterpart(a, b, at)
		return doMsg(func(m *Model) tea.Cmd {
			m.following = p == m.tape.Len() && (m.Program != nil || m.More != nil)
			return m.goTo(p, look)
		})
	})
}

// amongRanks reports whether there are other ranks.
func (m *Model) amongRanks() bool { return m.ranks != nil && len(m.ranks.models) > 1 }

func (m *Model) nextRank(by int) tea.Cmd {
	r := m.ranks
	return r.turn((r.shown + by + len(r.models)) % len(r.models))
}

// rankName is "rank 0 of 2", or "" if the tape is not of a rank.
func (m *Model) rankName() string {
	info := m.tape.Info()
	if info.WorldSize == 0 {
		return ""
	}
	return inspect.RankNames([]int{info.Rank}, info.WorldSize)
}

func (m *Model) commandRank(args string) tea.Cmd {
	if m.ranks != nil {
		for i, other := range m.ranks.models {
			if fmt.Sprint(other.tape.Info().Rank) == args {
				return m.ranks.turn(i)
			}
		}
	}
	return m.sayError(fmt.Errorf("there is no rank %q here", args))
}

func (m *Model) rankNumbers() (numbers []string) {
	if m.ranks != nil {
		for _, other := range m.ranks.models {
			numbers = append(numbers, fmt.Sprint(other.tape.Info().Rank))
		}
	}
	return numbers
}

// comparedMsg brings how the ranks differ.
type comparedMsg struct{ diff *inspect.RankDiff }

// compareRanks says how the ranks differ, as gradtui ranks does.
func (m *Model) compareRanks() tea.Cmd {
	if !m.amongRanks() {
		return m.say(muted, "there is only one rank here")
	}
	var tapes []*graph.Tape
	for _, other := range m.ranks.models {
		tapes = append(tapes, other.tape)
	}
	m.say(muted, "comparing the tapes…")
	return func() tea.Msg { return comparedMsg{inspect.CompareRanks(tapes)} }
}

// compared shows how the ranks differ.
func (m *Model) compared(msg comparedMsg) tea.Cmd {
	m.notice = notice{}
	t := &text{title: "Ranks"}
	line := func(lead, said string) {
		for i, s := range console.Wrap(console.OneLine(said), max(m.columns-24, 20)) {
			if i > 0 {
				lead = ""
			}
			t.lines = append(t.lines, styled{{headline, fmt.Sprintf("%-12s", lead)}, {plain, s}})
		}
	}
	d := msg.diff
	for _, r := range d.Ranks {
		said := fmt.Sprintf("%d operations, %d backward passes, %d steps", r.Ops, r.Passes, r.Steps)
		if r.Failed != "" {
			said += "; " + r.Failed + " at " + lineName(r.At)
		}
		line(fmt.Sprintf("rank %d", r.Info.Rank), said)
	}
	for _, g := range d.Grads {
		said := "a gradient on rank " + inspect.Runs(g.Got)
		if len(g.Without) > 0 {
			said += ", none on rank " + inspect.Runs(g.Without)
		}
		if len(g.Reduced) > 0 {
			said += ", only the reduced one on rank " + inspect.Runs(g.Reduced)
		}
		t.lines = append(t.lines, nil)
		line("gradient", g.Name+": in step "+inspect.Runs(g.Steps)+" "+said)
	}
	for _, f := range []struct {
		what string
		fork *inspect.RankFork
	}{{"graph", d.Graph}, {"operations", d.Ops}} {
		if f.fork == nil {
			continue
		}
		t.lines = append(t.lines, nil)
		line(f.what, fmt.Sprintf("number %d differs:", f.fork.Number+1))
		for _, w := range f.fork.Ways {
			line("", "rank "+inspect.Runs(w.Ranks)+": "+wayText(w))
		}
	}
	if d.Same() {
		t.lines = append(t.lines, nil, styled{{plain, "gradients and graphs are the same on all ranks"}})
	}
	m.overlay = t
	return nil
}

// wayText is what some ranks did.
func wayText(w inspect.RankWay) string {
	if w.Op == "" {
		return "nothing more"
	}
	parts := []string{w.Op}
	if w.Module != "" {
		parts = append(parts, "in module "+w.Module)
	}
	if top := w.Stack.Top(); top.File != "" {
		parts = append(parts, "at "+lineName(top))
	}
	return strings.Join(parts, " ")
}
