package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/internal/console"
)

const ranksTitle = "Ranks"

// comparedMsg brings how the ranks differ.
type comparedMsg struct{ diff *compare.RankDiff }

// compareRanks compares the ranks, as gradtui ranks does. While the result is on the
// screen it is updated when a rank ends.
func (m *Model) compareRanks() tea.Cmd {
	var tapes []*graph.Tape
	if m.amongRanks() {
		for _, other := range m.among.models {
			if !other.launches() {
				tapes = append(tapes, other.tape)
			}
		}
	}
	if len(tapes) < 2 {
		return m.say(muted, "this tape has only one rank")
	}
	m.say(muted, "comparing the tapes…")
	return func() tea.Msg { return comparedMsg{compare.Ranks(tapes)} }
}

// compared shows how the ranks differ.
func (m *Model) compared(msg comparedMsg) tea.Cmd {
	m.notice = notice{}
	t := &text{title: ranksTitle}
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
		if m.among.runs(r.Info.Rank) {
			said += " so far"
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
		if len(g.Steps) > 0 {
			said = "in step " + inspect.Runs(g.Steps) + " " + said
		}
		line("gradient", g.Name+": "+said)
	}
	for _, f := range []struct {
		what string
		fork *compare.RankFork
	}{{"graph", d.Graph}, {"operations", d.Ops}} {
		if f.fork == nil {
			continue
		}
		t.lines = append(t.lines, nil)
		line(f.what, fmt.Sprintf("number %d differs:", f.fork.Number+1))
		for _, w := range f.fork.Ways {
			said := wayText(w)
			if w.Op == "" && slices.ContainsFunc(w.Ranks, m.among.runs) {
				said = "not there yet"
			}
			line("", "rank "+inspect.Runs(w.Ranks)+": "+said)
		}
	}
	if d.Same() {
		said := "gradients and graphs are the same on all ranks"
		if slices.ContainsFunc(d.Ranks, func(r compare.RankTotals) bool { return m.among.runs(r.Info.Rank) }) {
			said += " so far"
		}
		t.lines = append(t.lines, nil, styled{{plain, said}})
	}
	m.overlay = t
	return nil
}

// compareAgain compares the ranks again if that is on the screen when one of them is over.
func (r *Runs) compareAgain() tea.Cmd {
	if t, ok := r.shown.overlay.(*text); ok && t.title == ranksTitle {
		return of(r.shown, r.shown.compareRanks())
	}
	return nil
}

// runs reports whether the program of a rank has not ended.
func (r *Runs) runs(rank int) bool {
	return slices.ContainsFunc(r.models, func(m *Model) bool {
		return !m.launches() && m.tape.Info().Rank == rank && m.Program != nil && !m.program.over
	})
}

// wayText describes what some ranks did.
func wayText(w compare.RankWay) string {
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
