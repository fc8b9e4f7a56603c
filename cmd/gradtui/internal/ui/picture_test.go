package ui

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

// withTerminal is a debugger in a terminal that gives answers about images.
func withTerminal(t *testing.T, env []string, answers ...tea.Msg) *driver {
	t.Helper()
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.Picture = func(ctx context.Context, _ *graph.Graph, roots []graph.NodeID, _ export.Style, dpi float64) ([]byte, error) {
		if len(roots) == 0 || dpi < usualDPI {
			return nil, errors.New("nothing to draw")
		}
		var b bytes.Buffer
		err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 1000)))
		return b.Bytes(), err
	}
	d.Send(tea.EnvMsg(env))
	d.Send(answers...)
	if !strings.HasSuffix(d.sent.String(), ansi.RequestPrimaryDeviceAttributes) {
		t.Errorf("it was asked %q", d.sent.String())
	}
	d.sent.Reset()
	return d
}

// inKitty are the answers of kitty.
var inKitty = []tea.Msg{
	tea.TerminalVersionMsg{Name: "kitty(0.36.4)"}, uv.KittyGraphicsEvent{Options: kitty.Options{ID: 31}, Payload: []byte("OK")},
	uv.CellSizeEvent{Width: 10, Height: 20}, uv.PrimaryDeviceAttributesEvent{62},
}

func TestAPictureLivesInTheCellsOfTheScreen(t *testing.T) {
	d := withTerminal(t, []string{"TERM=xterm-kitty"}, inKitty...)
	d.Press("p")
	if !strings.HasPrefix(d.sent.String(), "\x1b_G") || !strings.Contains(d.sent.String(), "U=1") || !strings.Contains(d.sent.String(), "c=40,r=50") {
		t.Errorf("%.80q", d.sent.String())
	}
	first := func() []rune { // the placeholder in the upper left corner of the picture
		return []rune(strings.TrimLeft(strings.Split(d.View().Content, "\n")[0], " \x1b[0123456789;m"))
	}
	if got := first(); got[0] != kitty.Placeholder || got[1] != kitty.Diacritic(0) || got[2] != kitty.Diacritic(0) {
		t.Errorf("%U", got[:3])
	}
	for i, line := range strings.Split(d.View().Content, "\n") {
		if n := ansi.StringWidth(line); n != 80 {
			t.Errorf("row %d has %d columns", i, n)
		}
	}
	d.Press("down", "down")
	if got := first(); got[1] != kitty.Diacritic(2) {
		t.Errorf("%U", got[:3])
	}
	d.Press("end")
	if got := first(); got[1] != kitty.Diacritic(50-23) {
		t.Errorf("%U", got[:3])
	}
	d.Press("x")
	if !strings.HasSuffix(d.sent.String(), "\x1b_Gq=2,i=73,d=I,a=d\x1b\\") || strings.ContainsRune(d.Screen(), kitty.Placeholder) {
		t.Errorf("%.80q", d.sent.String())
	}
}

func TestAPictureThatCannotBeDrawnSaysWhy(t *testing.T) {
	d := withTerminal(t, []string{"TERM=xterm-kitty"}, inKitty...)
	d.Picture = func(context.Context, *graph.Graph, []graph.NodeID, export.Style, float64) ([]byte, error) {
		return nil, errors.New("too large")
	}
	d.Press("p")
	if d.overlay != nil || d.notice.text != "too large" || d.sent.String() != "" {
		t.Errorf("%v, %q, %q", d.overlay, d.notice.text, d.sent.String())
	}
}

// A key while the picture is drawn stops that.
func TestAPictureNeedNotBeWaitedFor(t *testing.T) {
	d := withTerminal(t, []string{"TERM=xterm-kitty"}, inKitty...)
	var drawing context.Context
	d.Picture = func(ctx context.Context, _ *graph.Graph, _ []graph.NodeID, _ export.Style, _ float64) ([]byte, error) {
		drawing = ctx
		return nil, ctx.Err()
	}
	draw := d.openPicture()
	d.Press("esc")
	msg := draw()
	d.Send(msg)
	if drawing.Err() == nil || d.overlay != nil || d.sent.String() != "" {
		t.Errorf("%v, %v, %q", drawing.Err(), d.overlay, d.sent.String())
	}
}

func TestATerminalWithoutImagesSaysSo(t *testing.T) {
	d := withTerminal(t, []string{"TERM=xterm-256color"}, uv.PrimaryDeviceAttributesEvent{62})
	d.Press("?")
	if strings.Contains(d.Screen(), "picture") {
		t.Error(d.Screen())
	}
	d.Press("esc", "p")
	if !strings.Contains(d.notice.text, "support for images") || d.sent.String() != "" {
		t.Errorf("%q, %q", d.notice.text, d.sent.String())
	}
}

func TestOutsideOfTheScreenAPictureStaysUntilEnter(t *testing.T) {
	var out strings.Builder
	in := strings.NewReader("abc\nrest")
	o := &outside{picture: []byte("<picture>")}
	o.SetStdin(in)
	o.SetStdout(&out)
	if err := o.Run(); err != nil || !strings.Contains(out.String(), "<picture>") || in.Len() != len("rest") {
		t.Errorf("%v, %q, %d bytes are left", err, out.String(), in.Len())
	}
	o.SetStdin(strings.NewReader(""))
	if err := o.Run(); err != nil {
		t.Error(err)
	}
}
