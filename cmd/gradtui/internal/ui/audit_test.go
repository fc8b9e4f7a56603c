package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

func TestAuditsAreMeasuredAndShown(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	d.command("audit")
	if !strings.Contains(d.notice.text, "not available") {
		t.Errorf("it says %q", d.notice.text)
	}
	var asked [][]string
	var fails error
	d.Audit = func(_ context.Context, tape *graph.Tape, flags []string) (string, error) {
		if tape != d.tape {
			t.Error("another tape is audited")
		}
		asked = append(asked, flags)
		return "step 1: 2 leaves\ngradient-lost: backward delivers 71 % \x1b[31m\n", fails
	}
	for _, c := range []struct{ command, flags string }{
		{"audit", "--step 1"},
		{"audit 3", "--step 3"},
		{"audit 2 directions 8", "--step 2 --directions 8"},
		{"audit directions 8", "--step 1 --directions 8"},
		{"gradcheck 2", "--node 2"},
		{"gradcheck n7", "--node 7"},
	} {
		asked = nil
		d.command(c.command)
		if screen := d.Screen(); !strings.Contains(screen, "backward delivers 71 %") || len(asked) != 1 || strings.Join(asked[0], " ") != c.flags {
			t.Errorf("%s: asked %q\n%s", c.command, asked, screen)
		}
		d.Press("esc")
	}
	for _, wrong := range []string{"audit 0", "audit x", "audit 1 2", "audit 1 directions", "audit 1 directions 0"} {
		asked = nil
		d.command(wrong)
		if !strings.Contains(d.notice.text, "audit wants") || asked != nil {
			t.Errorf("%s: %q", wrong, d.notice.text)
		}
	}
	d.command("gradcheck x")
	if !strings.Contains(d.notice.text, "the number of a node") {
		t.Errorf("it says %q", d.notice.text)
	}
	d.command("node 2")
	d.command("gradcheck")
	if asked[0][1] != "2" {
		t.Errorf("asked %q", asked)
	}
	fails = errors.New("the tape does not have all elements")
	d.command("audit")
	if screen := d.Screen(); !strings.Contains(screen, "the tape does not have all elements") {
		t.Errorf("the error is not shown:\n%s", screen)
	}
}

// An audit ends when its overlay is closed, and what it says then is not shown.
func TestAnAuditEndsWithItsOverlay(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	d.Audit = func(ctx context.Context, _ *graph.Tape, _ []string) (string, error) {
		<-ctx.Done()
		return "too late", ctx.Err()
	}
	run := d.commandAudit("")
	if screen := d.Screen(); !strings.Contains(screen, "measuring…") || !strings.Contains(screen, "esc") {
		t.Errorf("it does not say that it measures:\n%s", screen)
	}
	d.Press("esc")
	d.Send(run())
	if screen := d.Screen(); strings.Contains(screen, "too late") || d.overlay != nil {
		t.Errorf("it is shown after all:\n%s", screen)
	}
}
