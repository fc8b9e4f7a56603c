//go:build unix

package cli

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestASecondSignalOrSomeSecondsEndWhatDoesNotListen(t *testing.T) {
	const term, hup, interrupt = syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT
	for _, c := range []struct {
		first os.Signal
		more  []os.Signal
		want  os.Signal
	}{
		{term, []os.Signal{term}, term},
		{term, []os.Signal{interrupt}, interrupt},
		{hup, []os.Signal{hup, hup, term}, term},
		{term, []os.Signal{hup}, hup},
		{hup, []os.Signal{hup}, hup}, // too late
	} {
		more, late := make(chan os.Signal), make(chan time.Time)
		go func() {
			for _, sig := range c.more {
				more <- sig
			}
			close(late)
		}()
		if got := insisted(c.first, more, late); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.first, c.more, got, c.want)
		}
	}
}

// TestATerminalThatTakesNothingKeepsNothingFromEnding: what puts the terminal back hangs as
// the debugger did.
func TestATerminalThatTakesNothingKeepsNothingFromEnding(t *testing.T) {
	hangs := func() { select {} }
	shown.Store(&hangs)
	defer shown.Store(nil)
	late := make(chan time.Time)
	close(late)
	leaveTerminal(late)
}
