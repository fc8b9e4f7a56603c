package ui

import (
	"bytes"
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/images"
)

// learnTerminal takes what the environment and the terminal say about images.
func (m *Model) learnTerminal(msg tea.Msg) tea.Cmd {
	if env, ok := msg.(tea.EnvMsg); ok && m.Picture != nil {
		m.terminal = images.NewTerminal(env.Getenv)
		return tea.Raw(m.terminal.Questions())
	}
	if m.terminal == nil {
		return nil
	}
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		m.terminal.Version(msg.Name)
	case uv.PrimaryDeviceAttributesEvent:
		m.terminal.Attributes(msg)
	case uv.KittyGraphicsEvent:
		m.terminal.Graphics(msg.Options.ID, string(msg.Payload))
	case uv.CellSizeEvent:
		m.terminal.CellSize(images.Size{Width: msg.Width, Height: msg.Height})
	}
	return nil
}

func (m *Model) showsPictures() bool {
	return m.terminal != nil && m.terminal.Way() != images.None
}

// noPicture says why no picture can be shown.
func (m *Model) noPicture() tea.Cmd {
	return m.say(muted, "this terminal reports no support for images; e writes the picture to a file")
}

// A picture is the graph on the whole screen. In terminals that keep images in cells it
// can be scrolled; otherwise it is shown outside the alternate screen.
type picture struct {
	cancel context.CancelFunc
	way    images.Way
	shown  bool // the terminal has it
	scroll
	columns, rows int // of the picture
}

// pictureMsg brings a picture. outside draws it in terminals without images in cells.
type pictureMsg struct {
	of      *picture
	png     images.Picture
	outside []byte
	err     error
}

// usualDPI belongs to cells of usualHeight pixels: letters in the picture are then about
// as large as those around it.
const (
	usualDPI    = 96
	usualHeight = 20
)

// openPicture shows the graph as a picture.
func (m *Model) openPicture() tea.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	p := &picture{cancel: cancel, way: m.terminal.Way()}
	m.overlay = p
	tape, at, roots, style, render := m.tape, m.at(), m.scope.roots, m.style, m.Picture
	cell, columns := m.terminal.Cell(), m.columns
	return func() tea.Msg {
		dpi := float64(max(usualDPI*cell.Height/usualHeight, usualDPI))
		data, err := render(ctx, tape.CursorAt(at).Graph(), roots, style, dpi)
		msg := pictureMsg{of: p, err: err}
		if err == nil {
			msg.png, msg.err = images.Read(data)
		}
		if msg.err == nil && p.way != images.Cells {
			var b bytes.Buffer
			msg.err = images.Write(&b, p.way, msg.png, cell, columns)
			msg.outside = b.Bytes()
		}
		return msg
	}
}

// take takes the picture.
func (p *picture) take(m *Model, msg tea.Msg) tea.Cmd {
	got, ok := msg.(pictureMsg)
	if !ok || got.of != p {
		return nil
	}
	switch {
	case got.err != nil:
		m.close()
		return m.sayError(got.err)
	case p.way != images.Cells:
		m.close()
		return tea.Exec(&outside{picture: got.outside}, func(err error) tea.Msg {
			if err != nil {
				return saidMsg{err.Error(), failed}
			}
			return nil
		})
	}
	p.columns, p.rows = got.png.Cells(m.terminal.Cell(), m.columns)
	p.shown = true
	return tea.Raw(images.Transmit(got.png, p.columns, p.rows))
}

func (p *picture) draw(m *Model, r cells.Region) {
	status := r.Part(m.layout.status)
	status.Clear()
	if !p.shown {
		status.Fit(0, 0, status.W, muted, "drawing the graph… esc cancels")
		return
	}
	status.Fit(0, 0, status.W, muted, "↑ ↓ scroll · any other key closes")
	body := r.Part(cells.Rect{W: r.W, H: r.H - 1})
	body.Clear()
	left := max((body.W-p.columns)/2, 0)
	for y := range min(body.H, p.rows-p.top) {
		for x := range min(body.W-left, p.columns) {
			body.Placeholder(left+x, y, placeholder, x, p.top+y)
		}
	}
}

func (p *picture) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	height := m.rows - 1
	if by, ok := scrolling(key.String(), height); ok && p.shown {
		p.move(by, p.rows, height)
		return nil
	}
	p.cancel()
	m.close()
	if !p.shown {
		return nil
	}
	return tea.Raw(images.Forget())
}

func (p *picture) paste(*Model, string) tea.Cmd { return nil }
func (p *picture) cursor(*Model) *tea.Cursor    { return nil }

// outside shows a picture outside the alternate screen until enter.
type outside struct {
	picture []byte
	in      io.Reader
	out     io.Writer
}

func (o *outside) SetStdin(r io.Reader)  { o.in = r }
func (o *outside) SetStdout(w io.Writer) { o.out = w }
func (o *outside) SetStderr(io.Writer)   {}

// Run implements tea.ExecCommand.
func (o *outside) Run() error {
	for _, part := range [][]byte{[]byte("\r\n"), o.picture, []byte("\r\nenter goes back to gradtui\r\n")} {
		if _, err := o.out.Write(part); err != nil {
			return err
		}
	}
	var b [1]byte
	for b[0] != '\n' && b[0] != '\r' {
		if _, err := o.in.Read(b[:]); err != nil && !errors.Is(err, io.EOF) {
			return err
		} else if err != nil {
			return nil
		}
	}
	return nil
}
