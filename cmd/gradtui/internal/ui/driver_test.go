package ui

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
)

var update = flag.Bool("update", false, "rewrite golden files")

// A driver is a user at the keyboard of a debugger. There is no terminal and no clock:
// everything that a message causes is done before the next message.
//
//	d := open(t, recorded(t, "inplace"), 80, 24)
//	d.Press("n", "tab")
//	d.Screen()
type driver struct {
	t testing.TB
	*Model
	sent strings.Builder // to the terminal, beside the screen
}

// recorded returns the tape of an example.
var recorded = tuitest.Recorded

// open opens the debugger on a tape and waits until it has read it.
func open(t testing.TB, tape *graph.Tape, columns, rows int) *driver {
	return openWith(t, optionsFor(tape), columns, rows)
}

// openWith opens the debugger with options.
func openWith(t testing.TB, o Options, columns, rows int) *driver {
	o.Title = "test.tape"
	d := &driver{t: t, Model: New(o)}
	d.settle(d.Init())
	d.Send(tea.WindowSizeMsg{Width: columns, Height: rows})
	return d
}

// Send sends messages, each with everything that it causes.
func (d *driver) Send(messages ...tea.Msg) {
	for _, msg := range messages {
		d.settle(d.update(msg))
	}
}

// update gives a message to the model, or to the runs that it is one of.
func (d *driver) update(msg tea.Msg) (cmd tea.Cmd) {
	_, cmd = d.among.Update(msg)
	return cmd
}

// settle carries out a command, and those that come of it.
func (d *driver) settle(cmd tea.Cmd) {
	for todo := []tea.Cmd{cmd}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == nil {
			continue
		}
		switch msg := todo[0]().(type) {
		case nil:
		case tea.BatchMsg:
			todo = append(todo, msg...)
		case tea.RawMsg:
			fmt.Fprint(&d.sent, msg.Msg)
		default:
			todo = append(todo, d.update(msg))
		}
	}
}

// keyCodes are the keys that are not letters.
var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// keyPress is the message of a key, named as in the help.
func keyPress(name string) tea.KeyPressMsg {
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	rest, alt := strings.CutPrefix(rest, "alt+")
	key := tea.Key{Code: keyCodes[rest], Text: rest}
	switch {
	case rest == "space":
		key = tea.Key{Code: ' ', Text: " "}
	case key.Code != 0:
		key.Text = ""
	default:
		key.Code = []rune(rest)[0]
	}
	if ctrl {
		key.Mod, key.Text = tea.ModCtrl, ""
	}
	if alt {
		key.Mod, key.Text = tea.ModAlt, ""
	}
	return tea.KeyPressMsg(key)
}

// Press presses keys, named as in the help.
func (d *driver) Press(keys ...string) {
	d.t.Helper()
	for _, name := range keys {
		d.Send(keyPress(name))
	}
}

// Type presses a key for each character.
func (d *driver) Type(text string) {
	d.t.Helper()
	for _, r := range text {
		d.Press(strings.ReplaceAll(string(r), " ", "space"))
	}
}

// Click clicks on a cell of a pane's body.
func (d *driver) Click(id paneID, column, row int) {
	r := d.layout.panes[id]
	d.Send(tea.MouseClickMsg{X: r.X + column, Y: r.Y + 1 + row, Button: tea.MouseLeft})
}

// Pane is the text of one pane alone, with its head line.
func (d *driver) Pane(id paneID) string {
	r := d.layout.panes[id]
	c := cells.New(r.W, r.H)
	d.drawPane(id, c.All())
	return c.Text()
}

// golden compares a text with testdata/NAME.golden.
func golden(t testing.TB, name, text string) {
	t.Helper()
	goldenfile.Check(t, filepath.Join("testdata", name+".golden"), text, *update)
}

// A word in front of the file is a style, which pictures in the terminal have then.
func TestExportsTakeAStyle(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	var styles []export.Style
	d.Export = func(_ context.Context, _ *graph.Graph, _ []graph.NodeID, style export.Style, path string, _ bool) (string, error) {
		if path != "a.svg" {
			t.Errorf("writes %q", path)
		}
		styles = append(styles, style)
		return "written", nil
	}
	for _, line := range []string{"export a.svg", "export layers a.svg", "export whole torchviz a.svg"} {
		d.Press(":")
		d.Type(line)
		d.Press("enter")
	}
	if want := []export.Style{export.Full, export.Layers, export.Torchviz}; !slices.Equal(styles, want) || d.style != export.Torchviz {
		t.Errorf("styles %v, want %v; pictures have %v", styles, want, d.style)
	}
}

// On the screen it is the second enter that overwrites.
func TestASecondEnterOverwrites(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	var wrote []string
	d.Export = func(_ context.Context, _ *graph.Graph, roots []graph.NodeID, _ export.Style, path string, overwrite bool) (string, error) {
		if !overwrite {
			return "", fs.ErrExist
		}
		wrote = append(wrote, path)
		return "written", nil
	}
	d.Press("e", "enter")
	if len(wrote) > 0 || !strings.Contains(d.Screen(), "the file exists; enter overwrites it: graph.svg!") {
		t.Errorf("%q\n%s", wrote, d.Screen())
	}
	d.Press("enter")
	if len(wrote) != 1 || wrote[0] != "graph.svg" || d.notice.text != "written" {
		t.Errorf("%q, %q", wrote, d.notice.text)
	}
}

// optionsFor returns the options for a tape.
func optionsFor(tape *graph.Tape) Options { return Options{Tape: tape, Rules: rules.All()} }
