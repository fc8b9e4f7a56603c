package ui

import (
	"errors"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/graph"
)

func TestAForkRunsWithAChangeAndIsShown(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	var asked []fork.Change
	var at []graph.Pos
	p.Fork = func(base *graph.Tape, pos graph.Pos, change fork.Change) (string, error) {
		if base != p.tape {
			t.Error("the first run is another tape")
		}
		asked, at = append(asked, change), append(at, pos)
		if strings.Contains(change.Text, "nix") {
			return "", errors.New("the change failed: NameError: \x1b[31mnix")
		}
		return "first run 5\nchanged run \x1b[31m3\n", nil
	}
	ended := func() {
		t.Helper()
		p.until("the fork", func() bool { return !p.forks[len(p.forks)-1].running })
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
