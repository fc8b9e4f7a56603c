package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/inspect"
)

// NewRanks returns a debugger of ranks. It sorts them and shows the first one. joining, if
// it is not nil, brings ranks that begin later.
func NewRanks(ranks []Options, joining <-chan Options) *Runs {
	r := &Runs{relation: distributed, joining: joining}
	for _, o := range ranks {
		r.addRank(o)
	}
	r.shown = r.models[0]
	return r
}

func (r *Runs) addRank(o Options) *Model {
	m := r.add(New(o))
	slices.SortStableFunc(r.models, func(a, b *Model) int {
		x, y := a.tape.Info(), b.tape.Info()
		return cmp.Or(cmp.Compare(x.WorldSize, y.WorldSize), cmp.Compare(x.Rank, y.Rank))
	})
	return m
}

// joinedMsg brings a rank that begins.
type joinedMsg Options

func (r *Runs) waitForRank() tea.Cmd {
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

// joined takes a rank that begins. Rank 0 is shown if the user looks at the launcher.
func (r *Runs) joined(o Options) tea.Cmd {
	m, now := r.addRank(o), r.shown
	begin := r.begin(m)
	if m.tape.Info().Rank == 0 && now.launches() && now.overlay == nil && now.typing() == nil {
		r.shown = m
	}
	return begin
}

// launches reports whether this is the launcher and not a rank.
func (m *Model) launches() bool {
	return m.among.relation == distributed && m.tape.Info().WorldSize == 0
}

// amongRanks reports whether there are other ranks.
func (m *Model) amongRanks() bool { return m.among.relation == distributed && m.amongOthers() }

// rankName returns "rank 0 of 2", or "" if the tape does not belong to a rank.
func (m *Model) rankName() string {
	info := m.tape.Info()
	if m.launches() {
		return fmt.Sprintf("launcher of %d", len(m.among.models)-1)
	}
	if info.WorldSize == 0 {
		return ""
	}
	return inspect.RankNames([]int{info.Rank}, info.WorldSize)
}

func (m *Model) commandRank(args string) tea.Cmd {
	if m.amongRanks() {
		for _, other := range m.among.models {
			if other.rankNumber() == args {
				return m.among.turn(other)
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
	if m.amongRanks() {
		for _, other := range m.among.models {
			numbers = append(numbers, other.rankNumber())
		}
	}
	return numbers
}
