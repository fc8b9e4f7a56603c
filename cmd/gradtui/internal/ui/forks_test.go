package ui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/graph"
)

func TestAForkRunsWithAChangeAndIsShown(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	var asked []fork.Change
	var at []graph.Pos
	p.Fork = func(base *graph.Tape, pos graph.Pos, change fork.Change) (Forked, error) {
		if base != p.tape {
			t.Error("the first run is another tape")
		}
		asked, at = append(asked, change), append(at, pos)
		if strings.Contains(change.Text, "nix") {
			return Forked{}, errors.New("the change failed: NameError: \x1b[31mnix")
		}
		return Forked{Said: "first run 5\nchanged run \x1b[31m3\n"}, nil
	}
	ended := func() {
		t.Helper()
		p.until("the fork", func() bool { return !p.among.forks[len(p.among.forks)-1].running })
	}
	p.command("fork")
	p.said("there is no fork")
	p.tap("n", "n")
	here := p.at()
	p.command("set opt.lr = 0.5")
	ended()
	if screen := p.Screen(); !strings.Contains(screen, "opt.lr = 0.5") || !strings.Contains(screen, "changed run") {
		t.Errorf("the fork is not shown:\n%s", screen)
	}
	p.tap("esc")
	p.command("fork x = nix")
	ended()
	p.tap("esc")
	p.command("fork")
	screen := p.Screen()
	for _, want := range []string{"2  x = nix", "NameError", "1  opt.lr = 0.5", "first run 5"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is missing:\n%s", want, screen)
		}
	}
	p.tap("esc")
	p.command("set nothing")
	p.said("is not an assignment")
	want := []fork.Change{{Text: "opt.lr = 0.5", Assigns: true}, {Text: "x = nix"}}
	if len(asked) != 2 || asked[0] != want[0] || asked[1] != want[1] || at[0] != here {
		t.Errorf("asked %v at %v, want %v at %d", asked, at, want, here)
	}
}

func TestATapeCannotBeForked(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.command("set x = 1")
	if !strings.Contains(d.notice.text, "gradtui fork PROGRAM --from TAPE") {
		t.Errorf("it says %q", d.notice.text)
	}
}

// forkedOnce opens the debugger on a training that ends, and forks it at the end of its first backward pass.
func forkedOnce(t *testing.T, columns, rows int) (p *pilot, second graph.Pos) {
	t.Helper()
	p = fly(t, columns, rows, func(run int) error { return steps(0.5 / float64(run+1))() }, nil)
	p.Fork = func(*graph.Tape, graph.Pos, fork.Change) (Forked, error) {
		again, err := p.Restart()
		p.now.stop()
		return Forked{Said: "last loss 0.5", Tape: again.Tape}, err
	}
	p.tap("c")
	first, _ := p.graph().Backward(1)
	last, _ := p.graph().Backward(2)
	p.command(fmt.Sprint("goto ", first.Finished+1))
	p.command("set factor = 0.25")
	p.until("the fork", func() bool { return len(p.among.models) == 2 && p.overlay != nil && len(p.overlay.(*text).lines) > 5 })
	p.until("the fork to follow", p.followed)
	p.rest()
	return p, last.Finished + 1
}

// compared reports whether it is known what differs from moment A.
func (p *pilot) compared() bool {
	return p.pin != nil && p.pin.known() && p.pin.index.lookup.Pos() == p.pin.tape.Len() && !p.pin.asking && slices.Equal(p.pin.rootsB, p.scope.roots)
}

// followed reports whether moment A has come to the place of the cursor.
func (p *pilot) followed() bool { return p.compared() && !p.tied.busy && p.tied.at == p.at() }

func TestAForkIsARunBesideTheFirst(t *testing.T) {
	p, second := forkedOnce(t, 100, 30)
	film := p.Screen()
	p.tap("esc")
	p.command(fmt.Sprint("goto ", second))
	p.until("the fork to follow", p.followed)
	p.command("tensor t3")
	p.rest()
	film += "\nThe first run beside its fork\n" + p.Screen()
	p.put(keyPress("a"))
	p.Model = p.among.shown
	p.until("the fork to be compared", func() bool { return p.compared() && p.findings.report != nil })
	p.put(Do(func(m *Model) tea.Cmd { return m.run("tensor t3") }))
	film += "\nThe fork beside the first run\n" + p.Screen()
	p.put(Do(func(m *Model) tea.Cmd { return m.run("set x = 1") }))
	p.said("this is a fork")
	p.put(keyPress("["))
	p.Model = p.among.shown
	p.command("forks 1 small steps")
	p.said("fork 1 is called small steps now")
	p.tap("P")
	p.command("forks small steps")
	p.said("small steps is moment A now")
	p.until("the fork to follow", p.followed)
	p.command("losses")
	p.until("the losses", func() bool { t, ok := p.overlay.(*text); return ok && len(t.lines) > 0 })
	film += "\nThe losses\n" + p.Screen()
	golden(t, "Forks-beside", film)
}

// A restart forgets the forks of the run that is over.
func TestARestartForgetsForks(t *testing.T) {
	p, _ := forkedOnce(t, 80, 24)
	p.tap("esc", "R")
	p.until("the restart", func() bool { return p.begun.Load() == 3 })
	p.rest()
	if len(p.among.models) != 1 || len(p.among.forks) != 0 || p.pin != nil || p.among.shown != p.Model {
		t.Errorf("%d runs, %d forks", len(p.among.models), len(p.among.forks))
	}
	p.command("forks")
	p.said("there is no fork")
}

func TestLossesAreDrawnInOnePicture(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	text := ""
	for _, c := range []struct {
		what string
		all  []curve
	}{
		{"two runs", []curve{{"0", "first run", []float64{8, 7, 6, 5, 4}}, {"1", "fork 1", []float64{8, 7, 3, 1}}}},
		{"a wide range", []curve{{"0", "", []float64{1000, 100, 10, 1}}}},
		{"not finite", []curve{{"0", "", []float64{1, 2, inf, nan}}}},
		{"all the same", []curve{{"0", "", []float64{2, 2}}}},
		{"not known", []curve{{"0", "", []float64{nan}}}},
		{"none", []curve{{"0", "", nil}}},
	} {
		text += c.what + "\n"
		for _, line := range append(curves(c.all, 40, 5), legend(c.all)...) {
			text += line.text() + "\n"
		}
		for _, c := range c.all {
			text += c.words() + "\n"
		}
	}
	golden(t, "Losses", text)
}

func TestTheLineThatIsShownIsEdited(t *testing.T) {
	p, _ := forkedOnce(t, 80, 24)
	p.tap("esc")
	var asked fork.Change
	p.Fork = func(_ *graph.Tape, _ graph.Pos, change fork.Change) (Forked, error) {
		asked = change
		return Forked{}, errors.New("it is not run")
	}
	line, was := p.panes.source.chosen+1, strings.TrimSpace(p.sources.file(p.place.File).lines[p.panes.source.chosen])
	p.command("edit")
	if _, proposal, ok := p.Asked(); !ok || proposal != was {
		t.Errorf("it proposes %q, want %q", proposal, was)
	}
	p.put(Do(func(m *Model) tea.Cmd { return m.Answer("x = 1") }))
	p.until("the fork", func() bool { return !p.among.forks[1].running })
	if want := (fork.Change{Text: fmt.Sprintf("%s:%d=x = 1", p.place.File, line), Edits: true}); asked != want {
		t.Errorf("asked %v, want %v", asked, want)
	}
	if !strings.Contains(p.Screen(), "from the start") {
		t.Errorf("the fork is not shown:\n%s", p.Screen())
	}
}
