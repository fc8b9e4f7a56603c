package terminal

import (
	"fmt"
	"maps"
	"slices"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// modes is what the program has changed about the terminal. The emulator knows most of it
// and keeps it to itself, or does not care: so the sequences are watched as they pass.
type modes struct {
	vt        *vt.Emulator
	plain     bool
	changed   map[ansi.Mode]bool // the modes that are not as at the start
	kitty     [2][]int           // the stacks of keyboard flags, main and alternate screen
	otherKeys bool               // xterm's modifyOtherKeys
	pen       uv.Style
	cursor    bool // has another shape
}

// initially are the modes that are on in a new terminal.
var initially = map[ansi.Mode]bool{ansi.ModeAutoWrap: true, ansi.ModeTextCursorEnable: true}

// watch follows what is written to an emulator, and makes it answer as the terminal would.
func watch(emulator *vt.Emulator, plain bool) *modes {
	m := &modes{vt: emulator, plain: plain, changed: map[ansi.Mode]bool{}}
	if !plain { // a mode that was reset once is one that the emulator reports as known
		emulator.WriteString(ansi.ResetModeSynchronizedOutput + ansi.ResetModeUnicodeCore)
	}
	set := func(mode ansi.Mode, on bool) {
		delete(m.changed, mode)
		if on != initially[mode] {
			m.changed[mode] = true
		}
	}
	emulator.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { set(mode, true) },
		DisableMode: func(mode ansi.Mode) { set(mode, false) },
		CursorStyle: func(style vt.CursorStyle, _ bool) { m.cursor = style != vt.CursorBlock },
	})
	for command, handler := range map[int]func(ansi.Params){
		'm':                       func(p ansi.Params) { uv.ReadStyle(p, &m.pen) },
		ansi.Command('>', 0, 'm'): m.modifyOtherKeys,
		ansi.Command('>', 0, 'u'): m.pushKeyboard,
		ansi.Command('<', 0, 'u'): m.popKeyboard,
		ansi.Command('=', 0, 'u'): m.setKeyboard,
		ansi.Command('?', 0, 'u'): m.answerKeyboard,
	} {
		emulator.RegisterCsiHandler(command, func(p ansi.Params) bool {
			handler(p)
			return false // the emulator goes on to do what it does
		})
	}
	return m
}

// screen is 1 for the alternate screen, which has a keyboard of its own.
func (m *modes) screen() int {
	if m.vt.IsAltScreen() {
		return 1
	}
	return 0
}

func (m *modes) modifyOtherKeys(p ansi.Params) {
	if resource, _, _ := p.Param(0, 0); resource == 4 {
		level, _, _ := p.Param(1, 0)
		m.otherKeys = level != 0
	}
}

func (m *modes) pushKeyboard(p ansi.Params) {
	flags, _, _ := p.Param(0, 0)
	stack := &m.kitty[m.screen()]
	if *stack = append(*stack, flags); len(*stack) > 64 {
		*stack = slices.Delete(*stack, 0, 1)
	}
}

func (m *modes) popKeyboard(p ansi.Params) {
	n, _, _ := p.Param(0, 1)
	stack := &m.kitty[m.screen()]
	*stack = (*stack)[:len(*stack)-min(max(n, 1), len(*stack))]
}

// setKeyboard changes the flags on top of the stack: sets them, adds some or takes some.
func (m *modes) setKeyboard(p ansi.Params) {
	flags, _, _ := p.Param(0, 0)
	how, _, _ := p.Param(1, 1)
	switch how {
	case 2:
		flags |= m.flags()
	case 3:
		flags = m.flags() &^ flags
	}
	m.popKeyboard(nil)
	stack := &m.kitty[m.screen()]
	*stack = append(*stack, flags)
}

func (m *modes) answerKeyboard(ansi.Params) {
	if !m.plain {
		fmt.Fprintf(m.vt.InputPipe(), "\x1b[?%du", m.flags())
	}
}

// flags are those on top of the stack.
func (m *modes) flags() int {
	stack := m.kitty[m.screen()]
	if len(stack) == 0 {
		return 0
	}
	return stack[len(stack)-1]
}

// keyboard is how keys are encoded now.
func (m *modes) keyboard() keyboard {
	return keyboard{
		application:  m.changed[ansi.ModeCursorKeys],
		disambiguate: !m.plain && m.flags()&ansi.KittyDisambiguateEscapeCodes != 0,
	}
}

// mouse says whether the program hears of clicks, in the encoding that everybody uses.
func (m *modes) mouse() bool {
	return m.changed[ansi.ModeMouseExtSgr] &&
		(m.changed[ansi.ModeMouseNormal] || m.changed[ansi.ModeMouseButtonEvent] || m.changed[ansi.ModeMouseAnyEvent])
}

// drawing says whether the program is in the middle of a picture.
func (m *modes) drawing() bool { return m.changed[ansi.ModeSynchronizedOutput] }

func (m *modes) cursorHidden() bool { return m.changed[ansi.ModeTextCursorEnable] }

// wrong is what it means for people when a program leaves a mode as it was not.
var wrong = map[ansi.Mode]string{
	ansi.ModeTextCursorEnable:    "the cursor is hidden",
	ansi.ModeAutoWrap:            "long lines do not wrap",
	ansi.ModeCursorKeys:          "the cursor keys are in application mode",
	ansi.ModeAltScreen:           "the alternate screen is shown",
	ansi.ModeAltScreenSaveCursor: "the alternate screen is shown",
	ansi.ModeMouseNormal:         "the mouse is on",
	ansi.ModeMouseButtonEvent:    "the mouse is on, with motion while a button is down",
	ansi.ModeMouseAnyEvent:       "the mouse is on, with all motion",
	ansi.ModeMouseExtSgr:         "the mouse's encoding is on",
	ansi.ModeFocusEvent:          "focus is reported",
	ansi.ModeBracketedPaste:      "bracketed paste is on",
	ansi.ModeSynchronizedOutput:  "the screen is frozen (synchronized output)",
}

// left is what is not as at the start, in words.
func (m *modes) left() (left []string) {
	byNumber := func(a, b ansi.Mode) int { return a.Mode() - b.Mode() }
	for _, mode := range slices.SortedFunc(maps.Keys(m.changed), byNumber) {
		text, ok := wrong[mode]
		if !ok {
			text = "a mode is not what it was"
		}
		left = append(left, fmt.Sprintf("%s (%d)", text, mode.Mode()))
	}
	for screen, name := range []string{"main", "alternate"} {
		if len(m.kitty[screen]) > 0 {
			left = append(left, fmt.Sprintf("the kitty keyboard flags of the %s screen are not popped", name))
		}
	}
	for _, check := range []struct {
		is   bool
		text string
	}{
		{m.otherKeys, "modifyOtherKeys is on"},
		{!m.pen.IsZero(), "text is still styled: " + looks(m.pen).Style()},
		{m.cursor, "the cursor has another shape"},
	} {
		if check.is {
			left = append(left, check.text)
		}
	}
	return left
}
