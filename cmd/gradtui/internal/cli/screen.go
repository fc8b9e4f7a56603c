package cli

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// leaveScreen undoes the modes that Bubble Tea has set. The alternate screen has keyboard flags
// of its own, so they are reset before it is left.
var leaveScreen = ansi.ResetModeSynchronizedOutput +
	ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) +
	ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
	ansi.ResetModeBracketedPaste + ansi.ResetModeUnicodeCore + ansi.ResetStyle + ansi.SetWindowTitle("") +
	ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable

// shown puts the terminal back as it was before the screen that is shown; nil: none is.
var shown atomic.Pointer[func()]

// Showing notes the state of a terminal before a screen is shown in it. The caller calls the
// result when the screen has gone by itself.
func Showing(s Streams) (gone func()) {
	restore := func() {}
	if in, ok := s.In.(*os.File); ok {
		if state, err := term.GetState(int(in.Fd())); err == nil {
			restore = func() { term.Restore(int(in.Fd()), state) }
		}
	}
	back := func() {
		restore() // first: the output may be what hangs
		io.WriteString(s.Out, leaveScreen)
	}
	shown.Store(&back)
	return func() { shown.Store(nil) }
}

// leaveTerminal puts the terminal back, if a screen or a line of progress is shown, and waits
// until that is done or it is late.
func leaveTerminal(late <-chan time.Time) {
	back, line := shown.Load(), progressing.Load()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if line != nil {
			line.removeLine()
		}
		if back != nil {
			(*back)()
		}
	}()
	select {
	case <-done:
	case <-late:
	}
}
