package ui

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
)

// Ranks is the debugger of a distributed program: a Model for each rank, one of which is
// shown. The others keep working. While the program runs, the first Model is the launcher's,
// which has the terminal of all ranks.
type Ranks struct {
	models  []*Model
	shown   *Model
	joining <-chan Options
	beside  bool // the models are two tapes that are compared, not ranks
	size    tea.WindowSizeMsg
}

// NewRanks returns a debugger of ranks. It sorts them and shows the first one. joining, if
// it is not nil, brings ranks that begin later.
func NewRanks(ranks []Options, joining <-chan Options) *Ranks {
	r := &Ranks{joining: joining}
	for _, o := range ranks {
		r.add(o)
	}
	r.shown = r.models[0]
	return r
}

func (r *Ranks) add(o Options) *Model {
	m := New(o)
	m.ranks = r
	r.models = append(r.models, m)
	slices.SortStableFunc(r.models, func(a, b *Model) int {
		x, y := a.tape.Info(), b.tape.Info()
		return cmp.Or(cmp.Compare(x.WorldSize, y.WorldSize), cmp.Compare(x.Rank, y.Rank))
	})
	return m
}

// A rankMsg is a message of one of the models to itself.
type rankMsg struct {
	to  *Model
	msg tea.Msg
}

// joinedMsg brings a rank that begins.
type joinedMsg Options

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
		case rankMsg:
			return msg
		case tea.BatchMsg:
			for i, c := range msg {
				msg[i] = of(to, c)
			}
			return msg
		default:
			if reflect.TypeOf(msg).PkgPath() == ours {
				return rankMsg{to, msg}
			}
			return msg
		}
	}
}

// Init begins to read all tapes.
func (r *Ranks) Init() tea.Cmd {
	return tea.Batch(r.all(func(m *Model) tea.Cmd { return m.Init() }), r.waitForRank())
}

func (r *Ranks) waitForRank() tea.Cmd {
	if r.joining == nil {
		return nil
	}
	return func() tea.Msg {
		o, ok := <-r.joining
		if !ok {
			return nil
		}
		return joinedMsg(o)
	}
}

// all lets all models do something.
func (r *Ranks) all(do func(m *Model) tea.Cmd) tea.Cmd {
	var commands []tea.Cmd
	for _, m := range r.models {
		commands = append(commands, of(m, do(m)))
	}
	return tea.Batch(commands...)
}

// Update takes a message.
func (r *Ranks) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	to := r.shown
	switch own := msg.(type) {
	case rankMsg:
		to, msg = own.to, own.msg
	case joinedMsg:
		return r, tea.Batch(r.joined(Options(own)), r.waitForRank())
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg:
	default: // about the terminal
		if size, ok := msg.(tea.WindowSizeMsg); ok {
			r.size = size
		}
		return r, r.all(func(m *Model) tea.Cmd { _, cmd := m.Update(msg); return cmd })
	}
	_, cmd := to.Update(msg)
	return r, tea.Batch(of(to, cmd), r.shownAgain(to))
}

// joined takes a rank that begins. Rank 0 is shown if the user looks at the launcher.
func (r *Ranks) joined(o Options) tea.Cmd {
	m, now := r.add(o), r.shown
	m.terminal, m.dark, m.palette = now.terminal, now.dark, now.palette // as the terminal has reported them
	begin := m.Init()
	_, size := m.Update(r.size)
	if m.tape.Info().Rank == 0 && now.launches() && now.overlay == nil && now.typing() == nil {
		r.shown = m
	}
	return tea.Batch(of(m, begin), of(m, size))
}

// launches reports whether this is the launcher and not a rank.
func (m *Model) launches() bool {
	return m.ranks != nil && !m.ranks.beside && m.tape.Info().WorldSize == 0
}

// View draws the rank that is shown.
func (r *Ranks) View() tea.View { return r.shown.View() }

// turn shows another rank, at the same point of the program.
func (r *Ranks) turn(m *Model) tea.Cmd {
	old := r.shown
	r.shown = m
	m.focus, m.last, m.zoomed = old.focus, old.last, old.zoomed
	m.refresh()
	m.notice = notice{}
	if old.launches() || m.launches() || m.following && old.following {
		return nil
	}
	a, b, at := old.tape, m.tape, old.goal
	return of(m, func() tea.Msg {
		p := compare.Counterpart(a, b, at)
		return Do(func(m *Model) tea.Cmd {
			m.following = p == m.tape.Len() && (m.Program != nil || m.More != nil)
			return m.goTo(p, look)
		})
	})
}

// amongRanks reports whether there are other ranks.
func (m *Model) amongRanks() bool {
	return m.ranks != nil && !m.ranks.beside && len(m.ranks.models) > 1
}

func (m *Model) nextRank(by int) tea.Cmd {
	all := m.ranks.models
	return m.ranks.turn(all[(slices.Index(all, m)+by+len(all))%len(all)])
}

// rankName returns "rank 0 of 2", or "" if the tape does not belong to a rank.
func (m *Model) rankName() string {
	info := m.tape.Info()
	if m.launches() {
		return fmt.Sprintf("launcher of %d", len(m.ranks.models)-1)
	}
	if info.WorldSize == 0 {
		return ""
	}
	return inspect.RankNames([]int{info.Rank}, info.WorldSize)
}

func (m *Model) commandRank(args string) tea.Cmd {
	if m.ranks != nil {
		for _, other := range m.ranks.models {
			if other.rankNumber() == args {
				return m.ranks.turn(other)
			}
		}
	}
	return m.sayError(fmt.Errorf("there is no rank %q here", args))
}

// rankNumber returns the name of a rank in commands.
func (m *Model) rankNumber() string {
	if m.launches() {
		return "launcher"
	}
	return strconv.Itoa(m.tape.Info().Rank)
}

func (m *Model) rankNumbers() (numbers []string) {
	if m.ranks != nil {
		for _, other := range m.ranks.models {
			numbers = append(numbers, other.rankNumber())
		}
	}
	return numbers
}
