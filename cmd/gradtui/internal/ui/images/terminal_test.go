package images

import (
	"strings"
	"testing"
)

func TestATerminalIsKnownByWhatItSays(t *testing.T) {
	for _, c := range []struct {
		name       string
		env        string // NAME=VALUE separated by blanks
		version    string
		graphics   string // the answer in kitty's protocol
		attributes []int
		want       Way
		questions  int // how many are asked
	}{
		{"kitty", "TERM=xterm-kitty", "kitty(0.36.4)", "OK", []int{62}, Cells, 4},
		{"kitty over ssh", "TERM=xterm-kitty SSH_TTY=/dev/pts/1", "kitty(0.36.4)", "OK", []int{62}, Cells, 4},
		{"kitty without colours", "TERM=xterm-kitty NO_COLOR=1", "kitty(0.36.4)", "OK", []int{62}, Kitty, 4},
		{"kitty before it has answered", "TERM=xterm-kitty", "", "", nil, None, 4},
		{"ghostty", "TERM=xterm-256color TERM_PROGRAM=ghostty", "ghostty 1.2.0", "OK", []int{62, 22}, Cells, 4},
		{"Konsole", "TERM=xterm-256color", "Konsole 25.04", "OK", []int{62, 1, 4}, Kitty, 4},
		{"iTerm2", "TERM=xterm-256color TERM_PROGRAM=iTerm.app", "iTerm2 3.5.10", "OK", []int{64, 1, 4}, ITerm2, 4},
		{"iTerm2 over ssh", "TERM=xterm-256color LC_TERMINAL=iTerm2 SSH_TTY=/dev/pts/1", "iTerm2 3.5.10", "", nil, ITerm2, 4},
		{"WezTerm", "TERM=xterm-256color TERM_PROGRAM=WezTerm", "WezTerm 20240203", "OK", []int{65, 4}, ITerm2, 4},
		{"foot", "TERM=foot", "foot(1.20.2)", "", []int{62, 4, 22}, Sixel, 4},
		{"xterm", "TERM=xterm-256color", "XTerm(390)", "", []int{64, 1, 2}, None, 4},
		{"xterm -ti vt340", "TERM=xterm-256color", "XTerm(390)", "", []int{63, 1, 2, 4}, Sixel, 4},
		{"an error in kitty's protocol", "TERM=xterm", "Other 1", "ENOTSUPPORTED", nil, None, 4},
		{"tmux in kitty", "TERM=tmux-256color TMUX=/tmp/x,1,0 KITTY_WINDOW_ID=1", "tmux 3.3a", "", []int{1, 2}, None, 1},
		{"tmux with sixels", "TERM=tmux-256color TMUX=/tmp/x,1,0", "", "", []int{1, 2, 4}, Sixel, 1},
		{"screen in iTerm2", "TERM=screen-256color STY=1.x LC_TERMINAL=iTerm2", "", "", []int{1, 2}, None, 1},
		{"Terminal.app", "TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", "", "", []int{1, 2}, None, 1},
		{"something over ssh", "TERM=xterm-256color SSH_TTY=/dev/pts/1", "", "", []int{1, 2}, None, 1},
		{"the console", "TERM=linux", "", "", []int{6}, None, 1},
	} {
		terminal := NewTerminal(func(name string) string {
			for _, v := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		})
		if n := strings.Count(terminal.Questions(), "\x1b") - strings.Count(terminal.Questions(), "\x1b\\"); n != c.questions {
			t.Errorf("%s: %d questions, want %d: %q", c.name, n, c.questions, terminal.Questions())
		}
		if c.version != "" {
			terminal.Version(c.version)
		}
		if c.graphics != "" {
			terminal.Graphics(questionID, c.graphics)
		}
		terminal.Graphics(ID, "ENOENT")
		terminal.Attributes(c.attributes)
		if got := terminal.Way(); got != c.want {
			t.Errorf("%s: way %d, want %d", c.name, got, c.want)
		}
	}
}

func TestAnImpossibleCellIsNotBelieved(t *testing.T) {
	terminal := NewTerminal(func(string) string { return "" })
	terminal.CellSize(Size{0, 20})
	if terminal.Cell() != usualCell {
		t.Error(terminal.Cell())
	}
	terminal.CellSize(Size{10, 22})
	if terminal.Cell() != (Size{10, 22}) {
		t.Error(terminal.Cell())
	}
}
