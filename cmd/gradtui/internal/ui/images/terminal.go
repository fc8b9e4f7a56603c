package images

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// A Way is how a terminal shows pictures.
type Way int

// The ways.
const (
	None   Way = iota // it does not, or has not said so yet
	Cells             // in cells, by kitty's placeholders
	Kitty             // at the cursor, in kitty's protocol
	ITerm2            // at the cursor, in iTerm2's protocol
	Sixel             // at the cursor, as sixels
)

// A Size is a width and a height in pixels.
type Size struct{ Width, Height int }

// usualCell is the size of a cell if the terminal does not report it.
var usualCell = Size{8, 16}

// A Terminal collects what is known about a terminal.
type Terminal struct {
	name     string // what it calls itself, in small letters
	inside   bool   // of a multiplexer, which does not pass pictures on
	careful  bool   // it may show questions that it does not know
	colours  bool
	graphics bool // it answered in kitty's protocol
	sixel    bool
	cell     Size
}

// NewTerminal takes what the environment says.
func NewTerminal(getenv func(string) string) *Terminal {
	term := getenv("TERM")
	t := &Terminal{
		name:    strings.ToLower(strings.Join([]string{term, getenv("TERM_PROGRAM"), getenv("LC_TERMINAL")}, " ")),
		inside:  getenv("TMUX") != "" || getenv("STY") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux"),
		colours: getenv("NO_COLOR") == "",
		cell:    usualCell,
	}
	t.careful = t.inside || slices.Contains([]string{"", "dumb", "linux"}, term) ||
		strings.Contains(t.name, "apple_terminal") || getenv("SSH_TTY") != "" && t.kind() == (kind{})
	return t
}

// A kind is one kind of terminal.
type kind struct {
	name         string // a part of the name that it reports
	placeholders bool
	iterm        bool // understands iTerm2's protocol
}

// known are the terminals that differ: others understand kitty's
// protocol, but not its placeholders, or show pictures without having answered.
var known = []kind{
	{name: "kitty", placeholders: true},
	{name: "ghostty", placeholders: true},
	{name: "iterm", iterm: true},
	{name: "wezterm", iterm: true},
}

func (t *Terminal) kind() kind {
	for _, k := range known {
		if strings.Contains(t.name, k.name) {
			return k
		}
	}
	return kind{}
}

// questionID is the number of the picture that the question is about. It is not shown.
const questionID = 31

// Questions returns what to ask the terminal. Nothing waits for the answers.
func (t *Terminal) Questions() string {
	if t.careful {
		return ansi.RequestPrimaryDeviceAttributes
	}
	o := kitty.Options{Action: kitty.Query, ID: questionID, Format: kitty.RGB, ImageWidth: 1, ImageHeight: 1}
	return ansi.KittyGraphics([]byte("AAAA"), o.Options()...) +
		ansi.RequestNameVersion + ansi.WindowOp(16) + ansi.RequestPrimaryDeviceAttributes
}

// Version takes the answer of the terminal that says what it is.
func (t *Terminal) Version(name string) { t.name = strings.ToLower(name) }

// Attributes takes the primary device attributes.
func (t *Terminal) Attributes(all []int) { t.sixel = slices.Contains(all, 4) }

// Graphics takes an answer in kitty's protocol.
func (t *Terminal) Graphics(id int, payload string) {
	if id == questionID {
		t.graphics = payload == "OK"
	}
}

// CellSize takes the size of a cell.
func (t *Terminal) CellSize(s Size) {
	if s.Width > 0 && s.Height > 0 {
		t.cell = s
	}
}

// Cell is the size of a cell.
func (t *Terminal) Cell() Size { return t.cell }

// Way is the best way to show pictures that is known so far.
func (t *Terminal) Way() Way {
	k := t.kind()
	switch {
	case t.inside:
	case t.graphics && k.placeholders && t.colours:
		return Cells
	case k.iterm:
		return ITerm2
	case t.graphics:
		return Kitty
	}
	if t.sixel {
		return Sixel
	}
	return None
}
